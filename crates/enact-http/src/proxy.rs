//! The proxy that calls go through, where the operator names one. None is taken from the environment by itself.

#[cfg(test)]
mod tests;

use std::{net::IpAddr, sync::OnceLock};

use enact_drama::Problem;
use reqwest::{Proxy, Url};

use crate::ApiKey;

static PROXY: OnceLock<ProxySettings> = OnceLock::new();

/// A proxy, and where it is not used. Its `Debug` does not show a password.
#[derive(Debug, Clone, PartialEq)]
pub struct ProxySettings {
    /// Without a name and a password.
    url: Url,
    login: Option<(String, ApiKey)>,
    /// Hosts that are called directly, with those below them; `*` is all of them.
    direct: Vec<String>,
    /// What errors say when the proxy may be at fault.
    hint: String,
}

impl ProxySettings {
    /// A proxy as an operator writes it, perhaps with `name:password@`. Problems do not repeat what was written.
    pub fn parse(written: &str, direct: &[String]) -> Result<ProxySettings, Problem> {
        let refused = || {
            Problem::config("the proxy is no URL of one")
                .hint("for example \"http://127.0.0.1:3128\"; an HTTP proxy is spoken to over http or https")
        };
        let mut url = Url::parse(written.trim()).map_err(|_| refused())?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
            return Err(refused());
        }
        let login = (!url.username().is_empty()).then(|| {
            let password = percent_decoded(url.password().unwrap_or_default());
            (percent_decoded(url.username()), ApiKey::new(password))
        });
        // Neither can fail for a URL with a host.
        let _ = url.set_username("").and_then(|()| url.set_password(None));
        let direct = direct.iter().map(|host| host.trim().trim_start_matches('.').to_ascii_lowercase());
        let direct = direct.filter(|host| !host.is_empty()).collect();
        let hint = format!("it is called through the proxy at {}", url.origin().ascii_serialization());
        Ok(ProxySettings { url, login, direct, hint })
    }

    /// Where the proxy is, without anything that may be private.
    pub fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// Whether it stands between here and a host. What runs on this machine is always called directly.
    pub fn is_used_for(&self, host: &str) -> bool {
        let host = host.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
        let is_here = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
        let is_named = |direct: &String| {
            let below = || host.strip_suffix(direct.as_str()).is_some_and(|before| before.ends_with('.'));
            direct == "*" || *direct == host || below()
        };
        !is_here && !self.direct.iter().any(is_named)
    }

    pub(crate) fn hint(&self) -> &str {
        &self.hint
    }

    /// For the client.
    pub(crate) fn proxy(&self) -> Proxy {
        let settings = self.clone();
        let proxy = Proxy::custom(move |url| {
            url.host_str().is_some_and(|host| settings.is_used_for(host)).then(|| settings.url.clone())
        });
        match &self.login {
            Some((name, password)) => proxy.basic_auth(name, password.reveal()),
            None => proxy,
        }
    }
}

/// Has all calls of this process go through a proxy. To be said before the first of them; a second one changes
/// nothing.
pub fn use_proxy(settings: ProxySettings) {
    let _ = PROXY.set(settings);
}

/// The proxy of this process.
pub(crate) fn current() -> Option<&'static ProxySettings> {
    PROXY.get()
}

fn percent_decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let [first, after @ ..] = rest {
        let code = |digits: &[u8]| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok();
        match (first, after.get(..2).and_then(code)) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
