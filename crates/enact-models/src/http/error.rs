//! Why a call gave nothing usable, by what can be done about it.

use std::{fmt, time::Duration};

use enact_drama::production::FailureKind;
use enact_http::{HumanDuration, Retry, Retryable};

use super::optional::OptionalParameter;
use crate::call_queue::QueueTooLong;

/// What went wrong with a call. One line for people, without anything private.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum Error {
    #[error(transparent)]
    Http(#[from] enact_http::Error),
    #[error(transparent)]
    QueueTooLong(#[from] QueueTooLong),
    #[error("Response timeout after {}", HumanDuration(*after))]
    Timeout { after: Duration },
    #[error("the answer broke off before its end")]
    Truncated,
    #[error("what came back is no answer; is 'base_url' right?")]
    Garbled,
    #[error("the answer was longer than {limit} bytes")]
    TooLong { limit: usize },
    #[error("the answer was empty")]
    Empty,
    #[error("the model called a tool instead of answering; it was offered none")]
    ToolCall,
    #[error("the {tokens} tokens allowed were used up before anything was said; raise 'max_tokens'")]
    NoTokensLeft { tokens: u32 },
    #[error("the model refused to answer")]
    Refused,
    #[error("the request is longer than the model can read; lower 'thread_tokens', or take another model")]
    ContextTooLong,
    #[error("there is no model '{model}' ({status}); {hint}")]
    UnknownModel { model: String, status: u16, hint: String },
    /// The address is not that of a chat; [`ProviderEndpoint`](super::endpoint::ProviderEndpoint) may have
    /// another.
    #[error("nothing that answers is at this address ({status}); check 'base_url' and 'model'")]
    WrongAddress { status: u16 },
    #[error("the answer is not the JSON that was asked for: {0}")]
    NotJson(String),
    /// The server takes no schemas; [`SchemaMode`](super::outgoing_chat::SchemaMode) has other ways.
    #[error("the server takes no JSON schemas ({status})")]
    SchemaRejected { status: u16 },
    /// The model takes no such parameter, which is then left out.
    #[error("the model takes no '{}' ({status})", parameter.as_str())]
    ParameterRejected { parameter: OptionalParameter, status: u16 },
    /// The model answers only in streams, which it is then asked for.
    #[error("the model answers only in streams ({status})")]
    StreamOnly { status: u16 },
}

impl Error {
    /// Whether the same call may well succeed a little later.
    fn is_transient(&self) -> bool {
        match self {
            Error::Http(error) => error.is_transient(),
            Error::Truncated => true,
            Error::Timeout { .. }
            | Error::QueueTooLong(_)
            | Error::Garbled
            | Error::TooLong { .. }
            | Error::Empty
            | Error::ToolCall
            | Error::NoTokensLeft { .. }
            | Error::Refused
            | Error::ContextTooLong
            | Error::UnknownModel { .. }
            | Error::WrongAddress { .. }
            | Error::NotJson(_)
            | Error::SchemaRejected { .. }
            | Error::ParameterRejected { .. }
            | Error::StreamOnly { .. } => false,
        }
    }

    /// What it is to rules and telemetry.
    pub(super) fn kind(&self) -> FailureKind {
        match self {
            Error::Http(error) => error.kind(),
            Error::Timeout { .. } => FailureKind::Timeout,
            Error::QueueTooLong(_) => FailureKind::RateLimited,
            Error::Truncated => FailureKind::Truncated,
            Error::Empty | Error::ToolCall | Error::NoTokensLeft { .. } => FailureKind::Empty,
            Error::Refused => FailureKind::Refused,
            Error::ContextTooLong => FailureKind::ContextTooLong,
            Error::Garbled
            | Error::TooLong { .. }
            | Error::UnknownModel { .. }
            | Error::WrongAddress { .. }
            | Error::NotJson(_)
            | Error::SchemaRejected { .. }
            | Error::ParameterRejected { .. }
            | Error::StreamOnly { .. } => FailureKind::Other,
        }
    }
}

/// An error of one attempt, and whether the answer had begun: what has begun to be answered is not asked
/// again.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AttemptError {
    pub(super) error: Error,
    pub(super) begun: bool,
}

impl AttemptError {
    /// An error before anything was answered.
    pub(super) fn of(error: impl Into<Error>) -> AttemptError {
        AttemptError { error: error.into(), begun: false }
    }
}

impl fmt::Display for AttemptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Retryable for AttemptError {
    fn retry(&self) -> Retry {
        if !self.begun && self.error.is_transient() { Retry::Counted } else { Retry::Never }
    }

    fn retry_after(&self) -> Option<Duration> {
        match &self.error {
            Error::Http(error) => error.retry_after(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_has_begun_is_not_asked_for_again() {
        let down = || Error::from(enact_http::Error::Server { status: 500 });
        for (error, begun, retry) in [
            (down(), false, Retry::Counted),
            (down(), true, Retry::Never),
            (Error::Truncated, false, Retry::Counted),
            (Error::Refused, false, Retry::Never),
        ] {
            assert_eq!(AttemptError { error: error.clone(), begun }.retry(), retry, "{error} {begun}");
        }
    }
}
