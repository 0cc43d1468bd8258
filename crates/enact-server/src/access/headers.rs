//! What every answer says in its headers: how browsers may use it, and by which id the request is found in
//! logs.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use enact_engine::clock::unique_id;

pub(super) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A UUID has 36 characters, and trace ids of others up to 55.
const LONGEST_ID: usize = 64;

const SECURITY_HEADERS: [(HeaderName, HeaderValue); 7] = [
    // A transcript is never guessed to be a page, however much what characters say looks like one.
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    // If it is shown as a page all the same, it loads nothing, runs nothing and is in no frame.
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        ),
    ),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    // No other site's page can embed it, nor keep a hold on a window that shows it.
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    // Runs change while they play, and shared caches know nothing of tokens.
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];

/// Adds the headers that an answer does not set itself.
pub(super) fn add_security_headers(headers: &mut HeaderMap) {
    headers.reserve(SECURITY_HEADERS.len() + 1);
    for (name, value) in SECURITY_HEADERS {
        headers.entry(name).or_insert(value);
    }
}

/// The id of a request: an extension of it, and a header of its answer.
///
/// Not `tower-http`'s, which keeps whatever a client sends: an id must be safe in a log line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// The client's own or a proxy's, if it is plain enough to stand in a log line; otherwise a new one.
    pub(super) fn of(headers: &HeaderMap) -> RequestId {
        let plain = |value: &&HeaderValue| {
            (1..=LONGEST_ID).contains(&value.len())
                && value.as_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
        };
        match headers.get(X_REQUEST_ID).filter(plain) {
            Some(value) => RequestId(value.clone()),
            None => RequestId::new(),
        }
    }

    fn new() -> RequestId {
        let mut text = [0; uuid::fmt::Simple::LENGTH];
        let text = unique_id().simple().encode_lower(&mut text);
        RequestId(HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("none")))
    }

    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    pub(super) fn value(&self) -> HeaderValue {
        self.0.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_ids_are_kept_and_others_replaced() {
        for (given, kept) in [
            ("abc-123_4.5", true),
            ("0190b8f5-7c0e-7d3a-9f4b-5a1d2c3e4f50", true),
            ("", false),
            ("a b", false),
            ("a=\"b\"", false),
            (&"a".repeat(64), true),
            (&"a".repeat(65), false),
        ] {
            let headers = [(X_REQUEST_ID, HeaderValue::from_str(given).unwrap())].into_iter().collect();
            assert_eq!(RequestId::of(&headers).as_str() == given, kept, "{given:?}");
        }
        assert_eq!(RequestId::of(&HeaderMap::new()).as_str().len(), 32);
    }
}
