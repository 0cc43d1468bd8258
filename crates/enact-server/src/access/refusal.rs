//! How a request is turned away: the same shape everywhere, `{error: {code, message, context}}`.

use std::time::Duration;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

/// A refusal that says no more than why.
pub fn refusal(status: StatusCode, code: &str, message: &str) -> Response {
    refusal_about(status, code, message, json!({}))
}

/// A refusal with something for programs to act on.
pub fn refusal_about(status: StatusCode, code: &str, message: &str, context: Value) -> Response {
    let body = json!({ "error": { "code": code, "message": message, "context": context } });
    let json = HeaderValue::from_static("application/json");
    (status, [(header::CONTENT_TYPE, json)], body.to_string()).into_response()
}

/// A refusal that time mends. The header knows whole seconds only, and coming back early would be in vain.
pub(crate) fn refusal_for_now(status: StatusCode, code: &str, message: &str, wait: Duration) -> Response {
    let seconds = u64::try_from(wait.as_millis().div_ceil(1000)).unwrap_or(u64::MAX).max(1);
    let mut response = refusal_about(status, code, message, json!({ "retryAfterSeconds": seconds }));
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}
