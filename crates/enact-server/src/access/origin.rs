//! Whose page a request comes from.
//!
//! Browsers send requests for any page to any server, and only keep the answer from it: a stranger's page can therefore start
//! runs unless it is turned away here. Programs that are not browsers send neither `Origin` nor `Sec-Fetch-Site`.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use enact_drama::Problem;
use tower_http::cors::CorsLayer;

use super::host::Host;
use crate::error::{ApiError, Code};

/// How long browsers need not ask again whether they may. An operator who takes an origin back is refused by name anyway.
const PREFLIGHT_MAX_AGE: Duration = Duration::from_secs(600);

/// The pages that may use the server beside its own.
#[derive(Debug, Clone, Default)]
pub(super) struct Origins(Vec<String>);

impl Origins {
    /// Exact origins only. A wildcard would be every page on the internet, and `null` is what any sandboxed page sends.
    pub(super) fn add(&mut self, text: &str) -> Result<(), Problem> {
        let origin = read(text).ok_or_else(|| {
            Problem::config(format!("'{text}' is not an origin: expected a scheme and a host, and no path"))
                .hint("write it like https://game.example.com or http://localhost:5173")
        })?;
        self.0.push(origin);
        Ok(())
    }

    pub(super) fn check(&self, method: &Method, host: &Host, headers: &HeaderMap) -> Result<(), ApiError> {
        let mut values = headers.get_all(header::ORIGIN).iter();
        let origin = match (values.next(), values.next()) {
            (None, _) if is_from_another_site(method, headers) => None,
            (None, _) => return Ok(()),
            (Some(value), None) => value.to_str().ok(),
            (Some(_), Some(_)) => None,
        };
        match origin.and_then(read) {
            Some(origin) if self.0.contains(&origin) || is_same(&origin, host) => Ok(()),
            _ => Err(not_allowed(origin)),
        }
    }

    /// The answers browsers look for; none where no other page may call.
    pub(super) fn cors(&self) -> Option<CorsLayer> {
        let origins: Vec<_> = self.0.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()).collect();
        (!origins.is_empty()).then(|| {
            CorsLayer::new()
                .allow_origin(origins)
                .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::DELETE])
                .allow_headers([
                    header::AUTHORIZATION,
                    header::CONTENT_TYPE,
                    header::RANGE,
                    header::IF_RANGE,
                    HeaderName::from_static("idempotency-key"),
                    HeaderName::from_static("last-event-id"),
                    HeaderName::from_static("x-request-id"),
                ])
                .expose_headers([
                    header::LOCATION,
                    header::RETRY_AFTER,
                    header::ACCEPT_RANGES,
                    header::CONTENT_LENGTH,
                    header::CONTENT_RANGE,
                    HeaderName::from_static("idempotent-replayed"),
                    HeaderName::from_static("x-request-id"),
                ])
                .max_age(PREFLIGHT_MAX_AGE)
        })
    }
}

/// An origin as browsers write it: small letters, no default port.
fn read(text: &str) -> Option<String> {
    let uri: Uri = text.parse().ok()?;
    let (scheme, authority) = (uri.scheme_str()?, uri.authority()?);
    let bare = text.len() == scheme.len() + "://".len() + authority.as_str().len();
    let origin = text.to_ascii_lowercase();
    let plain = bare && !origin.contains('*') && Host::read(authority.as_str()).is_some();
    let default_port = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => "",
    };
    plain.then(|| origin.strip_suffix(default_port).unwrap_or(&origin).to_owned())
}

/// Whether it is the server's own page. Behind a proxy the page's scheme is not the one that arrives here, so that host and
/// port decide; a stranger's host has been turned away before.
fn is_same(origin: &str, host: &Host) -> bool {
    origin.split_once("://").is_some_and(|(scheme, authority)| {
        ["http", "https"].contains(&scheme)
            && Host::read(authority).map(|named| named.with_port_of(scheme))
                == Some(host.clone().with_port_of(scheme))
    })
}

/// Browsers leave `Origin` out where a page only embeds something (an image, a script), but say that it was another site's.
/// Following a link is fine: the page it came from learns nothing, and reading changes nothing.
fn is_from_another_site(method: &Method, headers: &HeaderMap) -> bool {
    let value = |name| headers.get(name).map(HeaderValue::as_bytes);
    let followed_link = [Method::GET, Method::HEAD].contains(method)
        && value("sec-fetch-mode") == Some(b"navigate")
        && value("sec-fetch-dest") == Some(b"document");
    match value("sec-fetch-site") {
        None | Some(b"same-origin" | b"none") => false,
        Some(_) => !followed_link,
    }
}

fn not_allowed(origin: Option<&str>) -> ApiError {
    match origin.and_then(read) {
        Some(origin) => {
            ApiError::new(Code::OriginNotAllowed, format!("pages of {origin} may not use this server"))
                .with("origin", origin.as_str())
                .hint(format!("if they should, start it with --allow-origin {origin}"))
        }
        None => ApiError::new(Code::OriginNotAllowed, "another site's page may not use this server"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn passes(method: &Method, host: &str, headers: &[(&'static str, &str)]) -> bool {
        let mut origins = Origins::default();
        for origin in ["https://game.example.com", "http://LOCALHOST:5173", "tauri://localhost"] {
            origins.add(origin).unwrap();
        }
        let map = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap()))
            .collect();
        origins.check(method, &Host::read(host).unwrap(), &map).is_ok()
    }

    #[test]
    fn own_pages_and_allowed_ones_pass() {
        for (host, origin, expected) in [
            ("localhost:8000", "http://localhost:8000", true),
            ("localhost:8000", "https://localhost:8000", true),
            ("localhost", "http://localhost", true),
            ("localhost:80", "http://localhost", true),
            ("enact.example.com", "https://enact.example.com", true),
            ("localhost:8000", "https://game.example.com", true),
            ("localhost:8000", "https://game.example.com:443", true),
            ("localhost:8000", "http://localhost:5173", true),
            ("localhost:8000", "tauri://localhost", true),
            ("localhost:8000", "http://localhost:3000", false),
            ("localhost:8000", "http://localhost", false),
            ("localhost:8000", "http://127.0.0.1:8000", false),
            ("localhost:8000", "http://game.example.com", false),
            ("localhost:8000", "https://game.example.com.evil.example", false),
            ("localhost:8000", "https://game.example.com/", false),
            ("localhost:8000", "ftp://localhost:8000", false),
            ("localhost:8000", "null", false),
            ("localhost:8000", "*", false),
            ("localhost:8000", "", false),
            ("localhost:8000", "localhost:8000", false),
            ("localhost:8000", "http://me@localhost:8000", false),
        ] {
            assert_eq!(passes(&Method::POST, host, &[("origin", origin)]), expected, "{origin} at {host}");
        }
    }

    #[test]
    fn embedding_is_refused_and_following_a_link_is_not() {
        let link = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
        let frame = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")];
        let image = [("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")];
        for (site, how, method, expected) in [
            ("none", link, Method::GET, true),
            ("same-origin", image, Method::GET, true),
            ("cross-site", link, Method::GET, true),
            ("cross-site", link, Method::POST, false),
            ("cross-site", frame, Method::GET, false),
            ("cross-site", image, Method::GET, false),
            ("same-site", image, Method::GET, false),
        ] {
            let headers = [&[("sec-fetch-site", site)], &how[..]].concat();
            assert_eq!(passes(&method, "localhost:8000", &headers), expected, "{site} {how:?} {method}");
        }
        assert!(passes(&Method::POST, "localhost:8000", &[]), "not a browser");
    }

    #[test]
    fn nothing_vague_can_be_allowed() {
        for bad in [
            "*",
            "null",
            "",
            "localhost",
            "http://",
            "https://*.example.com",
            "https://a.example/",
            "https://a/b",
        ] {
            assert!(Origins::default().add(bad).is_err(), "{bad:?}");
        }
        assert!(Origins::default().cors().is_none());
    }

    proptest! {
        /// Texts near the good ones: pieces of them, in any order.
        #[test]
        fn nothing_else_passes(pieces in proptest::collection::vec(
            prop_oneof![
                Just("http://"), Just("https://"), Just("localhost"), Just(":8000"), Just(":443"), Just("game.example.com"),
                Just("."), Just("@"), Just("/"), Just("\\"), Just("#"), Just("?"), Just("[::1]"), Just("evil"), Just("%2e"),
            ],
            0..6,
        )) {
            let origin = pieces.concat();
            let good = [
                "http://localhost:8000", "https://localhost:8000",
                "https://game.example.com", "https://game.example.com:443",
            ];
            let passes = passes(&Method::POST, "localhost:8000", &[("origin", &origin)]);
            prop_assert_eq!(passes, good.contains(&origin.as_str()), "{}", origin);
        }
    }
}
