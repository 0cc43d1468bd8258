//! One call to a model: what it is for, and what came of it.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::{Name, usage::Usage};

/// Names a pending effect within its run. Counted, so that it is the same however often the log is folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub u64);

/// What a call is for, in the words of its production: `reply`, `judge`. The ledger counts each apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = String))]
pub struct Purpose(Cow<'static, str>);

impl Purpose {
    pub const fn named(name: &'static str) -> Purpose {
        Purpose(Cow::Borrowed(name))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One question to one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    pub call: CallId,
    /// Which of the run's models is asked, by its name in the setup.
    pub model: Arc<str>,
    /// The actor it answers for; `None` for hidden calls.
    pub actor: Option<Name>,
    /// What the answer is for: telemetry and people tell calls apart by it.
    pub purpose: Purpose,
    /// Where it stands among the asks made together: ties in simulated time go by this.
    pub place: usize,
}

impl Ask {
    /// A question to the model of one actor, asked alone.
    pub fn new(call: CallId, model: &str, actor: &Name, purpose: Purpose) -> Ask {
        Ask { call, model: model.into(), actor: Some(actor.clone()), purpose, place: 0 }
    }
}

/// What a model gave back.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    pub text: String,
    /// Unknown when the model did not say; never assumed to be zero.
    pub usage: Option<Usage>,
    /// How long it took; for built-in models, how long they say they thought.
    pub took_ms: u64,
    /// How long its first word took, where it came as a stream.
    pub first_word_ms: Option<u64>,
}

impl From<&str> for Answer {
    fn from(text: &str) -> Answer {
        Answer { text: text.to_owned(), ..Answer::default() }
    }
}

/// A call that gave nothing usable.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Failure {
    /// One line for people, without secrets: it goes into the log and the metadata.
    pub error: String,
    /// The same for programs, as far as it is known.
    pub kind: FailureKind,
    /// What was spent all the same, where it is known.
    pub usage: Option<Usage>,
    /// As in [`Answer`].
    pub took_ms: u64,
}

impl Failure {
    /// A failure of which nothing more is known.
    pub fn new(error: impl Into<String>) -> Failure {
        Failure { error: error.into(), ..Failure::default() }
    }
}

/// What a failure is to those who act on it or count it: rules, telemetry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// Any other failure.
    #[default]
    Other,
    RateLimited,
    Timeout,
    Overloaded,
    /// The provider had a fault of its own.
    #[serde(rename = "server_error")]
    Server,
    /// The model would not answer.
    Refused,
    /// What was asked is longer than the model can read: asking the same again cannot help.
    ContextTooLong,
    /// The answer broke off before its end.
    Truncated,
    Empty,
    /// The model was not reached, or its connection was lost.
    Connection,
    /// The key was refused.
    Auth,
}

impl FailureKind {
    pub fn as_str(self) -> &'static str {
        match self {
            FailureKind::Other => "other",
            FailureKind::RateLimited => "rate_limited",
            FailureKind::Timeout => "timeout",
            FailureKind::Overloaded => "overloaded",
            FailureKind::Server => "server_error",
            FailureKind::Refused => "refused",
            FailureKind::ContextTooLong => "context_too_long",
            FailureKind::Truncated => "truncated",
            FailureKind::Empty => "empty",
            FailureKind::Connection => "connection",
            FailureKind::Auth => "auth",
        }
    }
}
