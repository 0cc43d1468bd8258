//! Servers on this machine that could play: noticed, and never used unasked.

#[cfg(test)]
mod tests;

use std::{net::SocketAddr, time::Duration};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::Provider;

/// How long a server on this machine has to answer; it takes a millisecond or two.
pub const LOOK_TIMEOUT: Duration = Duration::from_millis(200);

/// Thousands of models.
const LONGEST_LIST: u64 = 1024 * 1024;

/// A server that runs on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalServer {
    pub provider: Provider,
    pub address: SocketAddr,
    /// What it can play with, as it calls them.
    pub models: Vec<String>,
}

/// Where local servers usually are: each provider that runs on this machine, at its port.
pub fn default_addresses() -> Vec<(Provider, SocketAddr)> {
    let port = |provider: Provider| {
        let after_host = provider.default_address()?.trim_end_matches('/').rsplit(':').next()?;
        after_host.split('/').next()?.parse::<u16>().ok()
    };
    let local = Provider::all().filter(|provider| provider.is_local());
    local
        .filter_map(|provider| Some((provider, SocketAddr::from(([127, 0, 0, 1], port(provider)?)))))
        .collect()
}

/// Looks for servers at these addresses, all at once.
pub async fn look_for(addresses: Vec<(Provider, SocketAddr)>) -> Vec<LocalServer> {
    let looks = addresses.into_iter().map(|(provider, address)| async move {
        let models = timeout(LOOK_TIMEOUT, list(provider, address)).await.ok()??;
        (!models.is_empty()).then_some(LocalServer { provider, address, models })
    });
    futures::future::join_all(looks).await.into_iter().flatten().collect()
}

/// The models that a server lists. By hand and not with the client, which takes longer to be made than this
/// takes.
async fn list(provider: Provider, address: SocketAddr) -> Option<Vec<String>> {
    let path = if provider == Provider::Ollama { "/api/tags" } else { "/v1/models" };
    let mut server = TcpStream::connect(address).await.ok()?;
    // In this version of HTTP an answer ends with its connection.
    let request = format!("GET {path} HTTP/1.0\r\nHost: {address}\r\nAccept: application/json\r\n\r\n");
    server.write_all(request.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    server.take(LONGEST_LIST).read_to_end(&mut answer).await.ok()?;
    let text = String::from_utf8(answer).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let is_success = head.split(' ').nth(1).is_some_and(|status| status == "200");
    if is_success { names(provider, &serde_json::from_str(body).ok()?) } else { None }
}

/// Something else may listen at such a port: only lists that look like those of the provider count.
fn names(provider: Provider, list: &Value) -> Option<Vec<String>> {
    let (models, name) = match provider {
        Provider::Ollama => (list.get("models")?, "name"),
        _ => (list.get("data")?, "id"),
    };
    let is_name = |name: &str| !name.is_empty() && !name.contains(char::is_control);
    let named = |model: &Value| Some(model.get(name)?.as_str().filter(|name| is_name(name))?.to_owned());
    models.as_array()?.iter().map(named).collect()
}
