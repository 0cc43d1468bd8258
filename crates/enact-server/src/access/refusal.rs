//! Why the door turns a request away: `{"error": {"code", "message", "context"}}`.

use std::time::Duration;

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value, json};

/// Everything that can be wrong with a request before a route sees it, by its name on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    InvalidHost,
    InvalidBody,
    Unauthorized,
    Forbidden,
    OriginNotAllowed,
    RequestTimeout,
    TooLarge,
    UriTooLong,
    HostNotAllowed,
    RateLimited,
    TooManyReaders,
    Internal,
    Busy,
    Timeout,
}

impl Code {
    pub const ALL: [Code; 14] = [
        Code::InvalidHost,
        Code::InvalidBody,
        Code::Unauthorized,
        Code::Forbidden,
        Code::OriginNotAllowed,
        Code::RequestTimeout,
        Code::TooLarge,
        Code::UriTooLong,
        Code::HostNotAllowed,
        Code::RateLimited,
        Code::TooManyReaders,
        Code::Internal,
        Code::Busy,
        Code::Timeout,
    ];

    pub fn as_str(self) -> &'static str {
        self.entry().0
    }

    pub fn status(self) -> StatusCode {
        self.entry().1
    }

    /// For those who read the documentation.
    pub fn meaning(self) -> &'static str {
        self.entry().2
    }

    #[rustfmt::skip]
    fn entry(self) -> (&'static str, StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            Code::InvalidHost =>      ("INVALID_HOST",       S::BAD_REQUEST,           "There must be one `Host` header, and it must be a host."),
            Code::InvalidBody =>      ("INVALID_BODY",       S::BAD_REQUEST,           "The body did not arrive as it was announced."),
            Code::Unauthorized =>     ("UNAUTHORIZED",       S::UNAUTHORIZED,          "A token is missing, or is none of this server's."),
            Code::Forbidden =>        ("FORBIDDEN",          S::FORBIDDEN,             "The token is good, but not for this: `context.scope` is what it lacks."),
            Code::OriginNotAllowed => ("ORIGIN_NOT_ALLOWED", S::FORBIDDEN,             "The request comes from another site's page."),
            Code::RequestTimeout =>   ("REQUEST_TIMEOUT",    S::REQUEST_TIMEOUT,       "The body took too long to arrive."),
            Code::TooLarge =>         ("TOO_LARGE",          S::PAYLOAD_TOO_LARGE,     "The body is larger than this server takes."),
            Code::UriTooLong =>       ("URI_TOO_LONG",       S::URI_TOO_LONG,          "The path and query are longer than this server takes."),
            Code::HostNotAllowed =>   ("HOST_NOT_ALLOWED",   S::MISDIRECTED_REQUEST,   "This server does not answer to that name."),
            Code::RateLimited =>      ("RATE_LIMITED",       S::TOO_MANY_REQUESTS,     "Too many requests, or too many wrong tokens. `Retry-After` says when to ask again."),
            Code::TooManyReaders =>   ("TOO_MANY_READERS",   S::TOO_MANY_REQUESTS,     "Too many event streams are open. `Retry-After` says when to ask again."),
            Code::Internal =>         ("INTERNAL",           S::INTERNAL_SERVER_ERROR, "A fault of this server."),
            Code::Busy =>             ("BUSY",               S::SERVICE_UNAVAILABLE,   "Too many requests are being answered. `Retry-After` says when to ask again."),
            Code::Timeout =>          ("TIMEOUT",            S::SERVICE_UNAVAILABLE,   "The answer took too long. `Retry-After` says when to ask again."),
        }
    }
}

/// An answer that turns a request away.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    pub code: Code,
    pub message: String,
    /// The same for programs. Boxed, because every check carries the room for it.
    pub context: Box<Map<String, Value>>,
    pub retry_after: Option<Duration>,
}

impl Refusal {
    pub fn new(code: Code, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), context: Box::default(), retry_after: None }
    }

    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Refusal {
        self.context.insert(key.to_owned(), value.into());
        self
    }

    pub fn hint(self, hint: impl Into<String>) -> Refusal {
        self.with("hint", hint.into())
    }

    pub fn retry_after(mut self, after: Duration) -> Refusal {
        self.retry_after = Some(after);
        self
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({ "error": {
            "code": self.code.as_str(), "message": self.message, "context": *self.context,
        }});
        let mut response = (self.code.status(), Json(body)).into_response();
        if let Some(after) = self.retry_after {
            // Rounded up: whoever comes back a moment early would be refused again.
            let seconds = u64::try_from(after.as_millis().div_ceil(1_000)).unwrap_or(u64::MAX).max(1);
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
