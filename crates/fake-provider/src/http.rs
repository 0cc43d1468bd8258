//! Requests as they are read and responses as they are written, whatever is asked.

use std::{collections::BTreeMap, time::Duration};

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderValue, Method, Response, StatusCode, header},
};
use serde_json::Value;

/// Anthropic's own limit; others take less.
const MAX_REQUEST_BYTES: usize = 32 * 1024 * 1024;

/// What a proxy in between says when it is at a loss.
pub(crate) const GATEWAY_PAGE: &str =
    "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";

/// A request, read to its end.
pub(crate) struct Arrival {
    pub(crate) method: Method,
    /// With its query, as the client sent it.
    pub(crate) path: String,
    pub(crate) headers: BTreeMap<String, String>,
    /// `Null` for a body that is missing, is no JSON, breaks off or is too long.
    pub(crate) body: Value,
}

impl Arrival {
    pub(crate) async fn read(request: Request) -> Self {
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, MAX_REQUEST_BYTES).await.unwrap_or_default();
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = parts.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value)));
        Self {
            method: parts.method,
            path: parts.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned(),
            headers: headers.collect(),
            body: serde_json::from_slice(&body).unwrap_or_default(),
        }
    }
}

/// # Panics
///
/// If there is no such status: a strange answer would hide the mistake in a script.
pub(crate) fn response(status: u16, content_type: &'static str, body: impl Into<Body>) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = StatusCode::from_u16(status).expect("a script asks for a status that exists");
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

/// An error in a service's own words. The standard header for when to try again knows whole seconds only.
pub(crate) fn error(status: u16, body: &Value, retry_after: Option<Duration>) -> Response<Body> {
    let mut response = response(status, "application/json", body.to_string());
    if let Some(wait) = retry_after {
        let seconds = u64::try_from(wait.as_millis().div_ceil(1000)).unwrap_or(u64::MAX);
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// # Panics
///
/// If the address does not fit into a header.
pub(crate) fn redirect(url: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::TEMPORARY_REDIRECT;
    let url = HeaderValue::from_str(url).expect("a script redirects to an address that fits into a header");
    response.headers_mut().insert(header::LOCATION, url);
    response
}
