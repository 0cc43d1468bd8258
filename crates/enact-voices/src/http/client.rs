//! The one HTTP client of all voices.

use std::{sync::OnceLock, time::Duration};

use enact_drama::Problem;
use reqwest::redirect;

/// A server that does not even accept a connection by then is down.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Connections kept for later: more than any service lets one voice use at a time.
const IDLE_CONNECTIONS: usize = 64;

/// Longer than a turn takes, shorter than what proxies on the way allow.
const IDLE_TIMEOUT: Duration = Duration::from_secs(90);

/// The client that all voices share, and its connections with it.
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
        // Sound does not get smaller, and a small body that becomes an endless one is somebody's attack.
        .no_gzip()
        .tcp_nodelay(true)
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_max_idle_per_host(IDLE_CONNECTIONS)
        .pool_idle_timeout(IDLE_TIMEOUT)
        .build()
}
