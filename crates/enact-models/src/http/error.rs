//! Why a call gave nothing usable, by what can be done about it.

use std::{fmt, time::Duration};

use enact_drama::production::FailureKind;
use enact_http::{HumanDuration, Retry, Retryable};

use super::optional::OptionalParameter;
use crate::call_queue::QueueTooLong;

// Claude Code says the same: people search for one wording.
pub(crate) const BROKE_OFF: &str = "the answer broke off before its end";
pub(crate) const EMPTY: &str = "the answer was empty";
pub(crate) const REFUSED: &str = "the model refused to answer";
pub(crate) const CONTEXT_TOO_LONG: &str =
    "the request is longer than the model can read; lower 'thread_tokens', or take another model";

/// What went wrong with a call. One line for people, without anything private.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum Error {
    #[error(transparent)]
    Http(#[from] enact_http::Error),
    #[error(transparent)]
    QueueTooLong(#[from] QueueTooLong),
    #[error("Response timeout after {}", HumanDuration(*after))]
    Timeout { after: Duration },
    #[error("{BROKE_OFF}")]
    Truncated,
    #[error("unexpected response; is 'base_url' right?")]
    Garbled,
    #[error(
        "the answer is compressed ({encoding}) in a way that was not asked for; set the server or its proxy to send it plain"
    )]
    Compressed { encoding: String },
    #[error("the answer was longer than {limit} bytes")]
    TooLong { limit: usize },
    #[error("{EMPTY}")]
    Empty,
    #[error("the model called a tool instead of answering; it was offered none")]
    ToolCall,
    #[error("the {tokens} tokens allowed were used up before anything was said; raise 'max_tokens'")]
    NoTokensLeft { tokens: u32 },
    #[error("{REFUSED}")]
    Refused,
    #[error("{CONTEXT_TOO_LONG}")]
    ContextTooLong,
    #[error("there is no model '{model}' ({status}); {hint}")]
    UnknownModel { model: String, status: u16, hint: String },
    /// The address is not that of a chat; [`ProviderEndpoint`](super::endpoint::ProviderEndpoint) may have
    /// another.
    #[error("not found at this address ({status}); check 'base_url' and 'model'")]
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
            Error::Timeout { .. }
            | Error::Truncated
            | Error::QueueTooLong(_)
            | Error::Garbled
            | Error::Compressed { .. }
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
            | Error::Compressed { .. }
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

/// An error of one attempt.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AttemptError {
    pub(super) error: Error,
    /// Do not retry, whatever the error: the answer had begun, the server asked not to (`x-should-retry`), or
    /// the budget has no room.
    pub(super) is_final: bool,
}

impl AttemptError {
    /// An error before anything was answered.
    pub(super) fn of(error: impl Into<Error>) -> AttemptError {
        AttemptError { error: error.into(), is_final: false }
    }
}

impl fmt::Display for AttemptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Retryable for AttemptError {
    fn retry(&self) -> Retry {
        if !self.is_final && self.error.is_transient() { Retry::Counted } else { Retry::Never }
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
    fn only_a_passing_trouble_is_tried_again_and_not_if_it_is_final() {
        let down = || Error::from(enact_http::Error::Server { status: 500 });
        for (error, is_final, retry) in [
            (down(), false, Retry::Counted),
            (down(), true, Retry::Never),
            (Error::Truncated, false, Retry::Never),
            (Error::Refused, false, Retry::Never),
        ] {
            assert_eq!(AttemptError { error: error.clone(), is_final }.retry(), retry, "{error} {is_final}");
        }
    }
}
