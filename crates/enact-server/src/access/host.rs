//! By which name a server is called.
//!
//! A page on the internet can let its own name point to 127.0.0.1 once it has been loaded (DNS rebinding); its scripts then
//! talk to this server as if it were theirs. What gives them away is the `Host` they must send. An address written in numbers
//! cannot be rebound, only names can.

use std::{net::IpAddr, str::FromStr};

use axum::http::{HeaderMap, Uri, header, uri::Authority};
use enact_drama::Problem;

use crate::error::{ApiError, Code};

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

    /// This machine's own names are always good. Others must have been allowed; where a token keeps strangers out, naming
    /// none allows all, and addresses pass because orchestrators call by them.
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
            return Err(ApiError::new(Code::InvalidHost, message));
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
    ApiError::new(Code::HostNotAllowed, format!("this server does not answer to the name '{name}'"))
        .with("host", name.as_str())
        .hint(format!("if it should, start it with --allow-host {name}"))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn hosts(allowed: &[&str]) -> Hosts {
        let mut hosts = Hosts::default();
        for text in allowed {
            hosts.add(text).unwrap();
        }
        hosts
    }

    fn status(allowed: &[&str], has_tokens: bool, target: &str, values: &[&str]) -> u16 {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::HOST, HeaderValue::from_str(value).unwrap());
        }
        match hosts(allowed).check(&target.parse().unwrap(), &headers, has_tokens) {
            Ok(_) => 200,
            Err(error) => error.code.status().as_u16(),
        }
    }

    #[test]
    fn only_names_of_this_machine_and_allowed_ones_are_answered() {
        for (host, alone, allowing, with_token, allowing_with_token) in [
            ("localhost", 200, 200, 200, 200),
            ("localhost:8000", 200, 200, 200, 200),
            ("LOCALHOST.:8000", 200, 200, 200, 200),
            ("127.0.0.1:1", 200, 200, 200, 200),
            ("127.9.9.9", 200, 200, 200, 200),
            ("[::1]:8000", 200, 200, 200, 200),
            ("[::ffff:127.0.0.1]", 200, 200, 200, 200),
            ("enact.example.com", 421, 200, 200, 200),
            ("Enact.Example.com:8443", 421, 200, 200, 200),
            ("evil.example", 421, 421, 200, 421),
            ("localhost.evil.example", 421, 421, 200, 421),
            ("127.0.0.1.evil.example", 421, 421, 200, 421),
            ("0.0.0.0:8000", 421, 421, 200, 200),
            ("10.0.0.7:8000", 421, 421, 200, 200),
            ("2130706433", 421, 421, 200, 421),
            ("", 400, 400, 400, 400),
            (":8000", 400, 400, 400, 400),
            (".", 400, 400, 400, 400),
            ("me@localhost", 400, 400, 400, 400),
            ("localhost:port", 400, 400, 400, 400),
            ("localhost:99999", 400, 400, 400, 400),
            ("localhost/path", 400, 400, 400, 400),
            ("localhost, evil.example", 400, 400, 400, 400),
        ] {
            let name = &["enact.example.com"];
            assert_eq!(status(&[], false, "/", &[host]), alone, "{host:?} alone");
            assert_eq!(status(name, false, "/", &[host]), allowing, "{host:?} with a name");
            assert_eq!(status(&[], true, "/", &[host]), with_token, "{host:?} with a token");
            assert_eq!(status(name, true, "/", &[host]), allowing_with_token, "{host:?} with both");
        }
    }

    #[test]
    fn one_host_and_the_target_is_no_way_around_it() {
        assert_eq!(status(&[], false, "/", &[]), 400);
        assert_eq!(status(&[], false, "/", &["localhost", "localhost"]), 400);
        assert_eq!(status(&[], false, "http://localhost/", &["localhost"]), 200);
        assert_eq!(status(&[], false, "http://evil.example/", &["localhost"]), 421);
        assert_eq!(status(&[], false, "http://localhost/", &["evil.example"]), 421);
    }

    #[test]
    fn an_allowed_host_may_name_its_port() {
        assert_eq!(status(&["a.example:8443"], false, "/", &["a.example:8443"]), 200);
        assert_eq!(status(&["a.example:8443"], false, "/", &["a.example"]), 421);
        for bad in ["", "*", "*.example.com", "http://a.example", "a.example/x", "a b", "a.example:x"] {
            assert!(Hosts::default().add(bad).is_err(), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_not(text in "\\PC{0,40}") {
            if let Some(host) = Host::read(&text) {
                prop_assert!(!host.name.is_empty());
                prop_assert!(!host.name.contains(['@', '/', ' ']));
            }
        }

        #[test]
        fn no_name_that_only_looks_like_loopback_passes(prefix in "[a-z0-9.-]{0,12}", suffix in "[a-z0-9-]{1,12}") {
            let text = format!("{prefix}localhost.{suffix}");
            if let Some(host) = Host::read(&text) {
                prop_assert!(!host.is_loopback());
            }
        }
    }
}
