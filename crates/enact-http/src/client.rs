//! The HTTP client, and how much of an answer is read.

use std::{sync::OnceLock, time::Duration};

use enact_drama::Problem;
use reqwest::redirect;
use rustls::crypto::ring;

use crate::proxy;

/// A server that has not accepted a connection by then is down; a beat has no more time to find out.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Connections kept for later, enough for hundreds of scenes at once: opening one costs more than a beat's
/// whole overhead.
const IDLE_CONNECTIONS: usize = 1024;

/// Longer than a beat takes, shorter than what proxies on the way allow.
const IDLE_TIMEOUT: Duration = Duration::from_secs(90);

/// How often a busy HTTP/2 connection is pinged, since all calls to a provider share one.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// The client that models and voices share, so that connections are shared between runs. It goes through the
/// proxy that the operator names, if they do ([`use_proxy`](crate::use_proxy)).
pub fn client() -> Result<reqwest::Client, Problem> {
    static CLIENT: OnceLock<reqwest::Client> = OnceLock::new();
    if let Some(client) = CLIENT.get() {
        return Ok(client.clone());
    }
    let builder = match proxy::current() {
        Some(proxy) => client_builder().proxy(proxy.proxy()),
        None => client_builder(),
    };
    let client = builder.build().map_err(|_| {
        Problem::config("no secure connections can be made on this machine")
            .hint("are its root certificates installed? (package ca-certificates)")
    })?;
    Ok(CLIENT.get_or_init(|| client).clone())
}

/// What every client of this program has in common.
///
/// It follows no redirect, because a key must not travel to an address that a server names, and it uses no
/// proxy from the environment.
pub fn client_builder() -> reqwest::ClientBuilder {
    install_tls_provider();
    reqwest::Client::builder()
        .user_agent(concat!("enact/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .no_proxy()
        // A compressed stream arrives in lumps, which defeats streaming, and a small body could unpack to an
        // endless one.
        .no_gzip()
        .tcp_nodelay(true)
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_max_idle_per_host(IDLE_CONNECTIONS)
        .pool_idle_timeout(IDLE_TIMEOUT)
        .http2_keep_alive_interval(KEEP_ALIVE)
}

/// Chooses the cryptography of secure connections. reqwest takes it from the process, and other libraries that
/// make clients of their own do too. ring builds in a fraction of the time that aws-lc, their usual choice,
/// takes. A second call changes nothing.
pub fn install_tls_provider() {
    let _ = ring::default_provider().install_default();
}

/// What was read of a body.
#[derive(Debug)]
pub enum BodyRead {
    Complete(Vec<u8>),
    /// The body is longer than the limit; this is its beginning.
    TooLong(Vec<u8>),
}

/// Reads a body up to a limit in bytes: a server that sends more may never stop.
pub async fn read_body(mut response: reqwest::Response, limit: usize) -> reqwest::Result<BodyRead> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if bytes.len() + chunk.len() > limit {
            return Ok(BodyRead::TooLong(bytes));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(BodyRead::Complete(bytes))
}
