//! The one HTTP client of the process.

use std::{sync::OnceLock, time::Duration};

use enact_drama::Problem;
use reqwest::redirect;

/// A server that does not even accept a connection by then is down; a beat has no more time to find out.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Connections kept for later, enough for hundreds of scenes at once: opening one costs more than a beat's whole
/// overhead.
const IDLE_CONNECTIONS: usize = 1024;

/// Longer than a beat of anybody's takes, shorter than what proxies on the way allow.
const IDLE_TIMEOUT: Duration = Duration::from_secs(90);

/// How often a busy HTTP/2 connection is asked whether it still lives, since all calls to a provider share one.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// The client that everything of this process is sent with: connections are shared between models, scenes and runs.
///
/// It follows no redirect (a key must not travel to where somebody else says) and uses no proxy from the environment.
pub(super) fn http() -> Result<reqwest::Client, Problem> {
    static CLIENT: OnceLock<reqwest::Client> = OnceLock::new();
    if let Some(client) = CLIENT.get() {
        return Ok(client.clone());
    }
    let client = build().map_err(|_| {
        Problem::config("no secure connections can be made on this machine")
            .hint("are its root certificates installed? (package ca-certificates)")
    })?;
    Ok(CLIENT.get_or_init(|| client).clone())
}

fn build() -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder()
        .user_agent(concat!("enact/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .no_proxy()
        // Compressed streams arrive in lumps, which defeats the streaming.
        .no_gzip()
        .tcp_nodelay(true)
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_max_idle_per_host(IDLE_CONNECTIONS)
        .pool_idle_timeout(IDLE_TIMEOUT)
        .http2_keep_alive_interval(KEEP_ALIVE)
        .build()
}
