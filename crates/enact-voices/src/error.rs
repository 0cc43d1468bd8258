//! Why nothing was said, by what can be done about it.

use std::{fmt, io, time::Duration};

use enact_drama::production::{Failure, FailureKind};

/// What went wrong with a call. One line for people, without anything private.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Error {
    #[error("there is nothing in the text that can be said aloud")]
    NothingToSay,
    #[error("the text is in letters that this voice cannot read; it speaks English")]
    Unreadable,
    #[error("the text has {characters} characters; at most {limit} are said at one time")]
    TooLongToSay { characters: usize, limit: usize },
    #[error("nothing could be heard within {}", Span(*after))]
    Timeout { after: Duration },
    #[error("its turn did not come within {}", Span(*after))]
    NoPlace { after: Duration },
    #[error("too many requests (429){}", wait(*retry_after))]
    RateLimited { retry_after: Option<Duration> },
    #[error("too much is being said at one time (429); lower 'at_once', or take a larger plan")]
    Crowded { retry_after: Option<Duration> },
    #[error("overloaded ({status}){}", wait(*retry_after))]
    Overloaded { status: u16, retry_after: Option<Duration> },
    #[error("server error ({status}), try again later")]
    Server { status: u16 },
    #[error("cannot be reached at {origin} ({reason})")]
    Unreachable { origin: String, reason: &'static str },
    #[error("the connection broke off")]
    Dropped,
    #[error("the key was refused ({status}); {hint}")]
    KeyRefused { status: u16, hint: String },
    #[error("the account has no credit left")]
    NoCredit,
    #[error("there is no voice '{voice}' ({status}); check 'voices' and 'model'")]
    UnknownVoice { voice: String, status: u16 },
    #[error("nothing speaks at this address ({status}); is 'base_url' right?")]
    NoSuchAddress { status: u16 },
    #[error("redirected ({status}), which is not followed; give the final address as 'base_url'")]
    Redirected { status: u16 },
    #[error("the request was rejected ({status}){}", because(said))]
    Rejected { status: u16, said: String },
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
    #[error("the program '{program}' {how}{}", because(said))]
    Broke { program: String, how: String, said: String },
    #[error("speaking panicked")]
    Panicked,
}

impl Error {
    /// Whether the same call may well succeed a little later.
    pub(crate) fn may_pass(&self) -> bool {
        matches!(
            self,
            Error::RateLimited { .. }
                | Error::Crowded { .. }
                | Error::Overloaded { .. }
                | Error::Server { .. }
                | Error::Unreachable { .. }
                | Error::Dropped
        )
    }

    /// Whether the service only says that it is not yet one's turn.
    pub(crate) fn is_queue(&self) -> bool {
        matches!(
            self,
            Error::RateLimited { .. } | Error::Crowded { .. } | Error::Overloaded { status: 429, .. }
        )
    }

    /// Whether every other call would fail just so, until somebody mends something.
    pub(crate) fn is_lasting(&self) -> bool {
        matches!(
            self,
            Error::Unreachable { .. }
                | Error::KeyRefused { .. }
                | Error::NoCredit
                | Error::NoSuchAddress { .. }
                | Error::Redirected { .. }
                // Others pass: a machine may have too many processes, or too many files open, for a moment.
                | Error::NotRun { kind: io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied, .. }
        )
    }

    /// How long the service wants to be left alone.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self {
            Error::RateLimited { retry_after }
            | Error::Crowded { retry_after }
            | Error::Overloaded { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// What it is to rules and telemetry.
    pub(crate) fn kind(&self) -> FailureKind {
        match self {
            Error::Timeout { .. } | Error::NoPlace { .. } => FailureKind::Timeout,
            Error::RateLimited { .. } | Error::Crowded { .. } => FailureKind::RateLimited,
            Error::Overloaded { .. } => FailureKind::Overloaded,
            Error::Server { .. } => FailureKind::Server,
            Error::Unreachable { .. } | Error::Dropped => FailureKind::Connection,
            Error::KeyRefused { .. } => FailureKind::Auth,
            Error::TooLongToSay { .. } => FailureKind::ContextTooLong,
            Error::NothingToSay | Error::Empty | Error::Silence => FailureKind::Empty,
            Error::Unreadable
            | Error::NoCredit
            | Error::UnknownVoice { .. }
            | Error::NoSuchAddress { .. }
            | Error::Redirected { .. }
            | Error::Rejected { .. }
            | Error::NoAudio(_)
            | Error::BadAudio(_)
            | Error::TooLongToHear { .. }
            | Error::NotRun { .. }
            | Error::Broke { .. }
            | Error::Panicked => FailureKind::Other,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { kind: error.kind(), ..Failure::new(error.to_string()) }
    }
}

/// A time for people: `30 s`, `1.5 s`, `250 ms`.
pub(crate) struct Span(pub(crate) Duration);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Span(time) = *self;
        let tenths = (time.as_secs_f64() * 10.0).round();
        match time.as_millis() {
            ms if ms < 950 => write!(f, "{ms} ms"),
            _ => write!(f, "{} s", tenths / 10.0),
        }
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
    fn times_read_well() {
        for (ms, text) in
            [(0, "0 ms"), (250, "250 ms"), (999, "1 s"), (1_500, "1.5 s"), (2_999, "3 s"), (30_000, "30 s")]
        {
            assert_eq!(Span(Duration::from_millis(ms)).to_string(), text);
        }
    }
}
