//! Whose page a request comes from.
//!
//! Browsers send requests for any page to any server, and only keep the answer from it: a stranger's page can
//! therefore start runs unless it is turned away here. Programs that are not browsers send neither `Origin`
//! nor `Sec-Fetch-Site`.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use enact_drama::Problem;
use tower_http::cors::CorsLayer;

use super::{guest::X_ANONYMOUS_ID, host::Host};
use crate::error::{ApiError, ErrorCode};

/// How long browsers need not ask again whether they may. An operator who takes an origin back is refused by
/// name anyway.
const PREFLIGHT_MAX_AGE: Duration = Duration::from_secs(600);

/// The pages that may use the server beside its own.
#[derive(Debug, Clone, Default)]
pub(super) struct Origins(Vec<String>);

impl Origins {
    /// Exact origins only. A wildcard would be every page on the internet, and `null` is what any sandboxed
    /// page sends.
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
                    X_ANONYMOUS_ID,
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

/// Whether it is the server's own page. Behind a proxy the page's scheme is not the one that arrives here, so
/// that host and port decide; a stranger's host has been turned away before.
fn is_same(origin: &str, host: &Host) -> bool {
    origin.split_once("://").is_some_and(|(scheme, authority)| {
        ["http", "https"].contains(&scheme)
            && Host::read(authority).map(|named| named.with_port_of(scheme))
                == Some(host.clone().with_port_of(scheme))
    })
}

/// Browsers leave `Origin` out where a page only embeds something (an image, a script), but say that it was
/// another site's. Following a link is fine: the page it came from learns nothing, and reading changes
/// nothing.
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
            ApiError::new(ErrorCode::OriginNotAllowed, format!("pages of {origin} may not use this server"))
                .with("origin", origin.as_str())
                .hint(format!("if they should, start it with --allow-origin {origin}"))
        }
        None => ApiError::new(ErrorCode::OriginNotAllowed, "another site's page may not use this server"),
    }
}

#[cfg(test)]
mod tests;
