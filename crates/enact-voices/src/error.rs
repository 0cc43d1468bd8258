//! Why nothing was said, by what can be done about it.

use std::{io, time::Duration};

use enact_drama::production::{Failure, FailureKind};
use enact_http::{Error as HttpError, HumanDuration, Retry, Retryable};

/// What went wrong with a call. One line for people, without anything private.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Http(#[from] HttpError),
    #[error("there is nothing in the text that can be said aloud")]
    NothingToSay,
    #[error("the text is in letters that this voice cannot read; it speaks English")]
    #[cfg_attr(not(feature = "embedded"), expect(dead_code, reason = "only the embedded voice makes it"))]
    Unreadable,
    #[error("the text has {characters} characters; at most {limit} are said at one time")]
    TooLongToSay { characters: usize, limit: usize },
    #[error("speech timeout after {}", HumanDuration(*after))]
    Timeout { after: Duration },
    #[error("queue timeout after {}: earlier lines were still being said", HumanDuration(*after))]
    QueueTimeout { after: Duration },
    #[error("too many lines at one time (429); lower 'at_once', or take a larger plan")]
    TooManyAtOnce { retry_after: Option<Duration> },
    #[error("there is no voice '{voice}' ({status}); check 'voices' and 'model'")]
    UnknownVoice { voice: String, status: u16 },
    #[error("not found at this address ({status}); is 'base_url' right?")]
    NoSuchAddress { status: u16 },
    #[error("what came back is no audio but {0}")]
    NoAudio(String),
    #[error("what came back is no audio that can be read: {0}")]
    BadAudio(String),
    #[error("what came back was longer than {limit_mb} MB")]
    TooLongToHear { limit_mb: usize },
    #[error("what came back was empty")]
    Empty,
    #[error("what came back is silence")]
    Silence,
    #[error("the program '{program}' cannot be run: {why}")]
    NotRun { program: String, why: String, kind: io::ErrorKind },
    #[error("the program '{program}' {how}{}", if said.is_empty() { String::new() } else { format!(": {said}") })]
    ProgramFailed { program: String, how: String, said: String },
    #[error("speaking panicked")]
    Panicked,
}

impl Error {
    /// Whether every other call would fail in the same way until an operator acts.
    pub(crate) fn is_permanent(&self) -> bool {
        matches!(
            self,
            Error::Http(
                HttpError::Unreachable { .. }
                    | HttpError::KeyRefused { .. }
                    | HttpError::NoCredit
                    | HttpError::Redirected { .. }
            ) | Error::NoSuchAddress { .. }
                // Others pass: a machine may have too many processes, or too many files open, for a moment.
                | Error::NotRun { kind: io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied, .. }
        )
    }

    /// What it is to rules and telemetry.
    pub(crate) fn kind(&self) -> FailureKind {
        match self {
            Error::Http(error) => error.kind(),
            Error::Timeout { .. } | Error::QueueTimeout { .. } => FailureKind::Timeout,
            Error::TooManyAtOnce { .. } => FailureKind::RateLimited,
            Error::TooLongToSay { .. } => FailureKind::ContextTooLong,
            Error::NothingToSay | Error::Empty | Error::Silence => FailureKind::Empty,
            Error::Unreadable
            | Error::UnknownVoice { .. }
            | Error::NoSuchAddress { .. }
            | Error::NoAudio(_)
            | Error::BadAudio(_)
            | Error::TooLongToHear { .. }
            | Error::NotRun { .. }
            | Error::ProgramFailed { .. }
            | Error::Panicked => FailureKind::Other,
        }
    }
}

impl Retryable for Error {
    /// A 429 only says that others come first, so it is tried again as long as there is time.
    fn retry(&self) -> Retry {
        match self {
            Error::TooManyAtOnce { .. }
            | Error::Http(HttpError::RateLimited { .. } | HttpError::Overloaded { status: 429, .. }) => {
                Retry::UntilDeadline
            }
            Error::Http(error) if error.is_transient() => Retry::Counted,
            _ => Retry::Never,
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            Error::TooManyAtOnce { retry_after } => *retry_after,
            Error::Http(error) => error.retry_after(),
            _ => None,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { kind: error.kind(), ..Failure::new(error.to_string()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_that_others_come_first_is_tried_until_the_deadline() {
        for (error, retry) in [
            (Error::TooManyAtOnce { retry_after: None }, Retry::UntilDeadline),
            (HttpError::RateLimited { retry_after: None }.into(), Retry::UntilDeadline),
            (HttpError::Overloaded { status: 429, retry_after: None }.into(), Retry::UntilDeadline),
            (HttpError::Overloaded { status: 503, retry_after: None }.into(), Retry::Counted),
            (HttpError::Server { status: 500 }.into(), Retry::Counted),
            (HttpError::Dropped.into(), Retry::Counted),
            (HttpError::NoCredit.into(), Retry::Never),
            (Error::Silence, Retry::Never),
        ] {
            assert_eq!(error.retry(), retry, "{error}");
        }
    }
}
