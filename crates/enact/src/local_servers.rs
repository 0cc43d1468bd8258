//! What is said about servers on this machine that could play.

use std::net::SocketAddr;

use enact_models::{
    Provider,
    local_servers::{LocalServer, default_addresses, look_for},
};
use serde::Serialize;

use crate::config::Config;

/// Says where to look: `off`, or `ollama=127.0.0.1:11434` and its like with commas between them.
const VARIABLE: &str = "ENACT_LOCAL_SERVERS";

/// A server that could play, and how.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LocalHint {
    provider: &'static str,
    address: String,
    models: Vec<String>,
    /// What `--model` takes, if it is where it usually is.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

/// Looks for servers on this machine that are not configured.
pub(crate) async fn look(config: &Config) -> Vec<LocalHint> {
    let written = std::env::var(VARIABLE).ok();
    let is_configured = |provider: Provider| {
        let here = |entry: &&crate::config::ModelEntry| entry.settings.provider == provider;
        config.models.iter().any(|entry| here(&entry))
    };
    let mut addresses = addresses(written.as_deref());
    addresses.retain(|(provider, _)| !is_configured(*provider));
    look_for(addresses).await.into_iter().map(LocalHint::of).collect()
}

fn addresses(written: Option<&str>) -> Vec<(Provider, SocketAddr)> {
    let Some(written) = written else { return default_addresses() };
    let each = written.split(',').filter_map(|each| {
        let (provider, address) = each.trim().split_once('=')?;
        let address: SocketAddr = address.parse().ok()?;
        Some((Provider::named(provider)?, address)).filter(|_| address.ip().is_loopback())
    });
    each.collect()
}

impl LocalHint {
    fn of(server: LocalServer) -> LocalHint {
        let LocalServer { provider, address, models } = server;
        let is_usual = default_addresses().contains(&(provider, address));
        let first = models.first().filter(|_| is_usual);
        let name = first.map(|model| format!("{}:{}", provider.as_str(), model.trim_end_matches(":latest")));
        LocalHint { provider: provider.as_str(), address: format!("http://{address}"), models, name }
    }

    /// What there is, in a sentence without its end.
    pub(crate) fn found(&self) -> String {
        const SHOWN: usize = 5;
        let title = Provider::named(self.provider).map_or(self.provider, Provider::title);
        let more = match self.models.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let models = self.models.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
        format!("{title} runs on this machine ({}) with {models}{more}", self.address)
    }

    /// How it is used.
    pub(crate) fn usage(&self) -> String {
        match &self.name {
            Some(name) => format!("--model {name}"),
            None => format!(
                "in enact.toml: [models.local] provider = \"{}\", base_url = \"{}\", model = \"{}\"",
                self.provider,
                self.address,
                self.models.first().map_or("", String::as_str)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_may_be_named_and_looking_may_be_switched_off() {
        assert_eq!(addresses(None), default_addresses());
        assert_eq!(addresses(Some("off")), []);
        let named =
            addresses(Some("ollama=127.0.0.1:1, llamacpp=[::1]:2,acme=127.0.0.1:3,ollama=10.0.0.1:4"));
        let named: Vec<String> = named.iter().map(|(of, at)| format!("{} {at}", of.as_str())).collect();
        assert_eq!(named, ["ollama 127.0.0.1:1", "llamacpp [::1]:2"]);
    }

    #[test]
    fn a_hint_says_what_there_is_and_how_it_is_used() {
        let [(ollama, usual), ..] = default_addresses()[..] else { panic!("no local providers") };
        let models = vec!["llama3.2:latest".to_owned(), "qwen3:8b".to_owned()];
        let hint = LocalHint::of(LocalServer { provider: ollama, address: usual, models: models.clone() });
        assert_eq!(
            hint.found(),
            "Ollama runs on this machine (http://127.0.0.1:11434) with llama3.2:latest, qwen3:8b"
        );
        assert_eq!(hint.usage(), "--model ollama:llama3.2");
        let elsewhere = SocketAddr::from(([127, 0, 0, 1], 9));
        let hint = LocalHint::of(LocalServer { provider: ollama, address: elsewhere, models });
        let usage = "in enact.toml: [models.local] provider = \"ollama\", base_url = \"http://127.0.0.1:9\", model = \"llama3.2:latest\"";
        assert_eq!(hint.usage(), usage);
    }
}
