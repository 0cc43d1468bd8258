//! By which name a server is called.
//!
//! A page on the internet can let its own name point to 127.0.0.1 once it has been loaded (DNS rebinding);
//! its scripts then talk to this server as if it were theirs. What gives them away is the `Host` they must
//! send. An address written in numbers cannot be rebound, only names can.

use std::{net::IpAddr, str::FromStr};

use axum::http::{HeaderMap, Uri, header, uri::Authority};
use enact_drama::Problem;

use crate::error::{ApiError, ErrorCode};

/// A host as requests and operators write it: `localhost`, `enact.example.com:8443`, `[::1]:8000`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Host {
    /// In small letters, without the dot that may end it.
    name: String,
    port: Option<u16>,
}

impl Host {
    pub(super) fn read(text: &str) -> Option<Host> {
        if text.contains('@') {
            return None;
        }
        let authority = Authority::from_str(text).ok()?;
        let name = authority.host();
        let port = match text.get(name.len()..)? {
            "" | ":" => None,
            colon => Some(colon.strip_prefix(':')?.parse().ok()?),
        };
        let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
        (!name.is_empty()).then_some(Host { name, port })
    }

    /// The port it means under a scheme, so that `example.com` and `example.com:443` can be the same.
    pub(super) fn with_port_of(mut self, scheme: &str) -> Host {
        self.port = self.port.or(match scheme {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        });
        self
    }

    fn address(&self) -> Option<IpAddr> {
        let bare = self.name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        bare.unwrap_or(&self.name).parse().ok()
    }

    fn is_loopback(&self) -> bool {
        self.name == "localhost" || self.address().is_some_and(|ip| ip.to_canonical().is_loopback())
    }

    /// Whether an operator who wrote `self` meant `other`: without a port, any.
    fn covers(&self, other: &Host) -> bool {
        self.name == other.name && (self.port.is_none() || self.port == other.port)
    }
}

/// The names a server answers to.
#[derive(Debug, Clone, Default)]
pub(super) struct Hosts(Vec<Host>);

impl Hosts {
    pub(super) fn add(&mut self, text: &str) -> Result<(), Problem> {
        let host = Host::read(text).filter(|host| !host.name.contains('*')).ok_or_else(|| {
            Problem::config(format!(
                "'{text}' is not a host: expected a name or an address, with a port or without"
            ))
            .hint("write it like enact.example.com or enact.example.com:8443")
        })?;
        self.0.push(host);
        Ok(())
    }

    /// This machine's own names are always good. Others must have been allowed; where a token keeps strangers
    /// out, naming none allows all, and addresses pass because orchestrators call by them.
    fn allows(&self, host: &Host, has_tokens: bool) -> bool {
        host.is_loopback()
            || self.0.iter().any(|allowed| allowed.covers(host))
            || (has_tokens && (self.0.is_empty() || host.address().is_some()))
    }

    /// The host a request is for, if it is one of ours.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap, has_tokens: bool) -> Result<Host, ApiError> {
        let mut values = headers.get_all(header::HOST).iter();
        let host = match (values.next(), values.next()) {
            (Some(value), None) => value.to_str().ok().and_then(Host::read),
            _ => None,
        };
        let Some(host) = host else {
            let message = "a request must say which host it is for, in one 'Host' header";
            return Err(ApiError::new(ErrorCode::InvalidHost, message));
        };
        // A target written in full (`GET http://…`) counts before the header, so neither may be a stranger's.
        let target = uri.authority().map(|authority| Host::read(authority.as_str()));
        for named in [Some(Some(host.clone())), target].into_iter().flatten() {
            match named {
                Some(named) if self.allows(&named, has_tokens) => {}
                _ => return Err(misdirected(&host)),
            }
        }
        Ok(host)
    }
}

fn misdirected(host: &Host) -> ApiError {
    let name = &host.name;
    ApiError::new(ErrorCode::HostNotAllowed, format!("this server does not answer to the name '{name}'"))
        .with("host", name.as_str())
        .hint(format!("if it should, start it with --allow-host {name}"))
}

#[cfg(test)]
mod tests;
