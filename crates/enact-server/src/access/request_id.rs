//! A name for each request, to find it again in logs.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

pub(super) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A UUID has 36 characters, and traces of others up to 55.
const LONGEST: usize = 64;

/// The id of a request: an extension of it, and a header of its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// The client's own or a proxy's, if it is plain enough to stand in a log line.
    pub(super) fn of(headers: &HeaderMap) -> RequestId {
        let plain = |value: &&HeaderValue| {
            (1..=LONGEST).contains(&value.len())
                && value.as_bytes().iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
        };
        match headers.get(X_REQUEST_ID).filter(plain) {
            Some(value) => RequestId(value.clone()),
            None => RequestId::new(),
        }
    }

    fn new() -> RequestId {
        let mut text = [0; uuid::fmt::Simple::LENGTH];
        let text = Uuid::now_v7().simple().encode_lower(&mut text);
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
