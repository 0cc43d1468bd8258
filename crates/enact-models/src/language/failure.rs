//! Why a call gave nothing usable, by what can be done about it.

use std::time::Duration;

use enact_drama::production::FailureKind;

use crate::patience::Span;

/// What went wrong with a call. One line for people, without anything private.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum Error {
    #[error("Response timeout after {}", Span(*after))]
    Timeout { after: Duration },
    #[error("too many requests (429){}", wait(*retry_after))]
    RateLimited { retry_after: Option<Duration> },
    #[error("overloaded ({status}){}", wait(*retry_after))]
    Overloaded { status: u16, retry_after: Option<Duration> },
    #[error("server error ({status}), try again later")]
    Server { status: u16 },
    #[error("cannot be reached at {origin} ({reason}); {hint}")]
    Unreachable { origin: String, reason: &'static str, hint: &'static str },
    #[error("the connection broke off")]
    Dropped,
    #[error("the answer broke off before its end")]
    Truncated,
    #[error("what came back is no answer; is 'base_url' right?")]
    Garbled,
    #[error("the answer was longer than {limit} bytes")]
    TooLong { limit: usize },
    #[error("the answer was empty")]
    Empty,
    #[error("the {tokens} tokens allowed were used up before anything was said; raise 'max_tokens'")]
    Speechless { tokens: u32 },
    #[error("the model refused to answer")]
    Refused,
    #[error("the request is longer than the model can read; lower 'thread_tokens', or take another model")]
    ContextTooLong,
    #[error("the key was refused ({status}); {hint}")]
    KeyRefused { status: u16, hint: String },
    #[error("the account has no credit left")]
    NoCredit,
    #[error("there is no model '{model}' ({status}); {hint}")]
    UnknownModel { model: String, status: u16, hint: String },
    #[error("redirected ({status}), which is not followed; give the final address as 'base_url'")]
    Redirected { status: u16 },
    #[error("the request was rejected ({status}){}", because(said))]
    Rejected { status: u16, said: String },
    #[error("the answer is not the JSON that was asked for: {0}")]
    NotJson(String),
    /// The server takes no schemas; [`Asking`](super::chat::Asking) has other ways.
    #[error("the server takes no JSON schemas ({status})")]
    SchemaRejected { status: u16 },
}

impl Error {
    /// Whether the same call may well succeed a little later.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Error::RateLimited { .. }
            | Error::Overloaded { .. }
            | Error::Server { .. }
            | Error::Unreachable { .. }
            | Error::Dropped
            | Error::Truncated => true,
            Error::Timeout { .. }
            | Error::Garbled
            | Error::TooLong { .. }
            | Error::Empty
            | Error::Speechless { .. }
            | Error::Refused
            | Error::ContextTooLong
            | Error::KeyRefused { .. }
            | Error::NoCredit
            | Error::UnknownModel { .. }
            | Error::Redirected { .. }
            | Error::Rejected { .. }
            | Error::NotJson(_)
            | Error::SchemaRejected { .. } => false,
        }
    }

    /// Whether this came in place of an answer, before anybody began to give one.
    pub(super) fn is_instead_of_an_answer(&self) -> bool {
        match self {
            Error::RateLimited { .. }
            | Error::Overloaded { .. }
            | Error::Server { .. }
            | Error::Unreachable { .. }
            | Error::ContextTooLong
            | Error::KeyRefused { .. }
            | Error::NoCredit
            | Error::UnknownModel { .. }
            | Error::Redirected { .. }
            | Error::Rejected { .. }
            | Error::SchemaRejected { .. } => true,
            Error::Timeout { .. }
            | Error::Dropped
            | Error::Truncated
            | Error::Garbled
            | Error::TooLong { .. }
            | Error::Empty
            | Error::Speechless { .. }
            | Error::Refused
            | Error::NotJson(_) => false,
        }
    }

    /// What it is to rules and telemetry.
    pub(super) fn kind(&self) -> FailureKind {
        match self {
            Error::Timeout { .. } => FailureKind::Timeout,
            Error::RateLimited { .. } => FailureKind::RateLimited,
            Error::Overloaded { .. } => FailureKind::Overloaded,
            Error::Server { .. } => FailureKind::Server,
            Error::Unreachable { .. } | Error::Dropped => FailureKind::Connection,
            Error::Truncated => FailureKind::Truncated,
            Error::Empty | Error::Speechless { .. } => FailureKind::Empty,
            Error::Refused => FailureKind::Refused,
            Error::ContextTooLong => FailureKind::ContextTooLong,
            Error::KeyRefused { .. } => FailureKind::Auth,
            Error::Garbled
            | Error::TooLong { .. }
            | Error::NoCredit
            | Error::UnknownModel { .. }
            | Error::Redirected { .. }
            | Error::Rejected { .. }
            | Error::NotJson(_)
            | Error::SchemaRejected { .. } => FailureKind::Other,
        }
    }

    /// How long the provider wants to be left alone.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self {
            Error::RateLimited { retry_after } | Error::Overloaded { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}

/// An error, and whether anything had been said before it: what has begun to be answered is not asked again.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Broken {
    pub(super) error: Error,
    pub(super) begun: bool,
}

impl Broken {
    pub(super) fn may_be_tried_again(&self) -> bool {
        !self.begun && self.error.may_pass()
    }
}

fn wait(retry_after: Option<Duration>) -> String {
    match retry_after {
        Some(time) => format!(", asked to wait {}", Span(time)),
        None => ", try again later".to_owned(),
    }
}

fn because(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(": {said}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_begun_is_not_tried_again() {
        let error = Error::Server { status: 500 };
        assert!(Broken { error: error.clone(), begun: false }.may_be_tried_again());
        assert!(!Broken { error, begun: true }.may_be_tried_again());
        assert!(!Broken { error: Error::Refused, begun: false }.may_be_tried_again());
    }
}
