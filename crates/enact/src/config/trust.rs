//! Whom a configuration may give a key to.
//!
//! An `enact.toml` can come with a story from somewhere else, and could name an address of its author's. So one that was
//! merely found may send a key only to its provider's own address, or to this machine.

use enact_drama::Problem;
use reqwest::Url;

use super::{Config, Entry};

impl Config {
    /// Whether the key of a model may leave for where this file says the model is.
    pub(crate) fn check_trust(&self, entry: &Entry) -> Result<(), Problem> {
        let (Some(address), Some(variable)) = (&entry.settings.base_url, &entry.key_variable) else {
            return Ok(());
        };
        if self.trusted || is_this_machine(address) {
            return Ok(());
        }
        let file = self.file.as_ref().map_or_else(String::new, |file| file.display().to_string());
        let message = format!(
            "the model '{}' would send the key in {variable} to {}, and this file was only found, not named",
            entry.name,
            origin(address)
        );
        let hint = format!(
            "if you trust it, name it: --config {file}; or move the model to ~/.config/enact/enact.toml"
        );
        Err(Problem::config(message).hint(hint))
    }
}

fn is_this_machine(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => {
            let bare = host.trim_start_matches('[').trim_end_matches(']');
            bare.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
        }
        None => false,
    }
}

/// Without a path, which may be long, and without a password, which some put there.
fn origin(address: &str) -> String {
    Url::parse(address)
        .map_or_else(|_| "another address".to_owned(), |url| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_this_machine() {
        for (address, ours) in [
            ("http://127.0.0.1:8080/v1/", true),
            ("http://localhost:8080/v1/", true),
            ("http://[::1]:8080/", true),
            ("http://127.9.9.9/", true),
            ("https://localhost.example.org/", false),
            ("https://127.0.0.1.example.org/", false),
            ("http://127.0.0.1@example.org/", false),
            ("http://10.0.0.1/", false),
            ("nonsense", false),
        ] {
            assert_eq!(is_this_machine(address), ours, "{address}");
        }
    }
}
