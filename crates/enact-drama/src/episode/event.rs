//! The facts of an episode: everything its log can hold.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{
    Choice, EpisodeSetup, NarrativeBeat, StructuredAnswer, Suggestion,
    answer::without_internal,
    director::{Directive, Finding, Hook, Injected, Memory, Reading, Relationship, SignalRead, StoryPace},
    evaluation::Evaluation,
};
use crate::{
    RunId,
    production::{CallId, Event, FailureKind},
    record::Tagged,
    usage::Usage,
};

/// One thing that is true of an episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum EpisodeEvent {
    /// Always the first: all that the author wrote, and who plays.
    EpisodeBegan {
        setup: Arc<EpisodeSetup>,
    },
    /// Another process took over; what was pending is asked again, and what it cost before is unknown.
    Resumed {},
    /// What follows is a branch of another run after so many turns.
    Forked {
        run: RunId,
        turn: u32,
    },
    MessageReceived {
        id: String,
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choice: Option<String>,
    },
    /// A message was not taken.
    MessageRefused {
        id: String,
        why: RefusedMessage,
    },
    /// What the character is asked to do in this turn.
    Directed {
        turn: u32,
        #[serde(flatten)]
        directive: Directive,
    },
    /// Nothing is asked of the character in this turn, and the story stands still: what it might do.
    Nudged {
        turn: u32,
        instruction: String,
        rule: String,
    },
    /// What the character is told beside the message, each kind within its budget.
    Injected {
        turn: u32,
        injected: Injected,
    },
    /// A call is about to leave, until the timer `deadline` is up. `fallback` if another model has failed before.
    Asked {
        call: CallId,
        turn: u32,
        model: String,
        deadline: CallId,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        fallback: bool,
    },
    Answered {
        call: CallId,
        turn: u32,
        raw: String,
        answer: StructuredAnswer,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<String>,
        usage: Option<Usage>,
        took_ms: u64,
    },
    /// What the character thought. It is shown to the session's owner alone.
    Thought {
        turn: u32,
        internal: String,
    },
    /// A model gave no answer. `last` if no other is asked: then the message counts as not sent.
    AnswerFailed {
        call: CallId,
        turn: u32,
        error: String,
        failure: FailureKind,
        last: bool,
        usage: Option<Usage>,
        took_ms: u64,
    },
    SignalsRead {
        turn: u32,
        signals: Vec<SignalRead>,
    },
    TensionMoved {
        turn: u32,
        from: u8,
        to: u8,
        why: Vec<String>,
    },
    /// The conversation builds up, peaks, fades or rests.
    PaceMoved {
        turn: u32,
        from: StoryPace,
        to: StoryPace,
        tension: u8,
        rule: String,
    },
    /// A moment that the author wanted has happened.
    CueLanded {
        turn: u32,
        cue: String,
        #[serde(flatten)]
        finding: Finding,
    },
    /// It is too late for a moment that the author wanted.
    CueMissed {
        turn: u32,
        cue: String,
        rule: String,
    },
    FlagSet {
        turn: u32,
        flag: String,
        #[serde(flatten)]
        finding: Finding,
    },
    BeatReached {
        turn: u32,
        beat: NarrativeBeat,
        #[serde(flatten)]
        finding: Finding,
    },
    Remembered {
        turn: u32,
        memories: Vec<Memory>,
    },
    /// What should be come back to.
    HooksFound {
        turn: u32,
        hooks: Vec<Hook>,
    },
    /// How the two stand with each other now.
    RelationshipMoved {
        turn: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<Relationship>,
        after: Relationship,
    },
    /// A model is asked to read the exchange, until the timer `deadline` is up. Nothing waits for it.
    ReadingAsked {
        call: CallId,
        turn: u32,
        model: String,
        deadline: CallId,
    },
    /// What a model found in the exchange, as its own opinion. It counts when the next answer settles.
    ReadingGiven {
        call: CallId,
        turn: u32,
        reading: Reading,
        usage: Option<Usage>,
        took_ms: u64,
    },
    /// The model's reading did not come, or could not be read.
    ReadingFailed {
        call: CallId,
        turn: u32,
        error: String,
        failure: FailureKind,
        usage: Option<Usage>,
        took_ms: u64,
    },
    /// An exchange is complete and counted.
    TurnCompleted {
        turn: u32,
        completion_eligible: bool,
    },
    ChoiceOffered {
        turn: u32,
        choice: Choice,
    },
    /// What could come next. It closes nothing.
    Suggested {
        turn: u32,
        suggestion: Suggestion,
    },
    /// The episode is complete. What it comes to is said next.
    Completed {
        turn: u32,
        trigger: Completion,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ending: Option<String>,
    },
    /// A model is asked what the episode came to, until the timer `deadline` is up.
    EvaluationAsked {
        call: CallId,
        deadline: CallId,
        model: String,
    },
    /// The model's evaluation did not come, or could not be read.
    EvaluationFailed {
        call: CallId,
        error: String,
        failure: FailureKind,
        usage: Option<Usage>,
        took_ms: u64,
    },
    /// What the episode came to.
    Evaluated {
        evaluation: Evaluation,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        suggestion: Option<Suggestion>,
        /// The call that it came from, where a model made it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<CallId>,
        usage: Option<Usage>,
    },
    /// Everything that follows from a message is done: the session rests.
    Settled {},
    /// The session is over.
    Ended {
        reason: EpisodeEnd,
    },
}

impl Event for EpisodeEvent {
    fn tagged(&self) -> Tagged {
        Tagged::of(self)
    }

    fn read(kind: &str, body: &RawValue) -> Result<Self, serde_json::Error> {
        Tagged::read(kind, body)
    }
}

/// Why a message was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusedMessage {
    /// Another is still being answered.
    Busy,
    /// It chose what was not offered.
    NoSuchChoice,
    /// The episode is complete.
    Complete,
}

/// What completed an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Completion {
    TurnLimit,
    BeatComplete,
    ObjectiveMet,
}

/// Why a session is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EpisodeEnd {
    Completed,
    /// Its user left.
    Left,
    Cancelled,
}

impl EpisodeEnd {
    pub fn as_str(self) -> &'static str {
        match self {
            EpisodeEnd::Completed => "completed",
            EpisodeEnd::Left => "left",
            EpisodeEnd::Cancelled => "cancelled",
        }
    }
}

/// A fact without what the character thinks; nothing where it holds no such thing.
pub(super) fn redacted(event: &EpisodeEvent) -> Option<EpisodeEvent> {
    match event {
        EpisodeEvent::Thought { turn, internal } if !internal.is_empty() => {
            Some(EpisodeEvent::Thought { turn: *turn, internal: String::new() })
        }
        EpisodeEvent::Answered { raw, answer, .. } => {
            let shown = without_internal(raw, answer)?;
            let mut event = event.clone();
            if let EpisodeEvent::Answered { raw, .. } = &mut event {
                *raw = shown;
            }
            Some(event)
        }
        _ => None,
    }
}
