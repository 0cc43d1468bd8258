//! The facts of a chorus: everything its log can hold.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{ChorusSetup, SlotId, Turn};
use crate::{
    budget::{CallAllowance, Reserve},
    production::{CallId, Event, FailureKind},
    record::Tagged,
    usage::Usage,
    voice::{Spoken, VoiceProfile},
};

/// One thing that is true of a chorus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ChorusEvent {
    /// Always the first: everything that is needed to play, replay and understand the run.
    ChorusBegan { setup: Arc<ChorusSetup> },
    /// Another process took over; what was pending is asked and spoken again, and what it cost before is
    /// unknown.
    Resumed {},
    /// A turn begins, for these slots, until the timer `deadline` is up.
    TurnStarted { turn: Turn, slots: Vec<SlotId>, deadline: CallId, timeout_ms: u64 },
    /// A call is about to leave. `again` if its slot's first answer of this turn was of no use.
    SlotAsked {
        call: CallId,
        turn: Turn,
        slot: SlotId,
        model: String,
        again: bool,
        /// Whether another model has failed before.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        fallback: bool,
        /// What was put aside for it, where there is a budget to keep.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reserved: Option<CallAllowance>,
    },
    /// A model has failed, and another is asked for the same: the slot may still speak.
    ModelFailed {
        call: CallId,
        turn: Turn,
        slot: SlotId,
        #[serde(flatten)]
        outcome: NoAnswer,
        usage: Option<Usage>,
        took_ms: u64,
    },
    /// A comment was aimed at a slot that does not exist: its slot is asked again. Its text and profile are as
    /// they were understood, should the second answer never come.
    CommentRefused {
        call: CallId,
        slot: SlotId,
        raw: String,
        text: String,
        profile: VoiceProfile,
        why: Refused,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<String>,
        usage: Option<Usage>,
        took_ms: u64,
    },
    /// A slot has said something: its answer, its comment, its reply.
    SlotSpoke {
        call: CallId,
        turn: Turn,
        slot: SlotId,
        raw: String,
        text: String,
        /// Whom a comment is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<SlotId>,
        profile: VoiceProfile,
        /// What was wrong with the answer and had to be mended: not JSON, too long, no such profile, aimed at
        /// oneself.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<String>,
        /// What became of this call, where the words are those of a comment that was refused: it never gave
        /// any others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead_of: Option<NoAnswer>,
        usage: Option<Usage>,
        took_ms: u64,
        /// What is to be said aloud, and into which file below the artifacts; `None` where there is no voice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        speech: Option<SpeechFile>,
    },
    /// A slot gave nothing this turn.
    SlotFailed {
        call: CallId,
        turn: Turn,
        slot: SlotId,
        #[serde(flatten)]
        outcome: NoAnswer,
        usage: Option<Usage>,
        took_ms: u64,
    },
    /// All answers of a turn are in, or its time was up. `slots` are those that said something.
    TurnDone { turn: Turn, slots: Vec<SlotId> },
    /// Who gets which comments, after the second turn.
    CommentsRouted { routes: Vec<Routed> },
    /// Something that was said can be heard.
    Voiced {
        call: CallId,
        turn: Turn,
        slot: SlotId,
        #[serde(flatten)]
        spoken: Spoken,
    },
    /// Something that was said cannot be heard.
    VoiceFailed { call: CallId, turn: Turn, slot: SlotId, error: String, failure: FailureKind },
    /// The budget has no room for what a turn needs: it is not opened, or, in a run that was taken over, what
    /// was under way is not asked again. The chorus ends once everything is said aloud.
    BudgetUsedUp { turn: Turn, needed: Reserve },
    /// The chorus is over, its last speech included.
    Ended { reason: ChorusEnd },
}

impl Event for ChorusEvent {
    fn tagged(&self) -> Tagged {
        Tagged::of(self)
    }

    fn read(kind: &str, body: &RawValue) -> Result<Self, serde_json::Error> {
        Tagged::read(kind, body)
    }
}

/// Why a call gave nothing that can be said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoAnswer {
    pub error: String,
    pub failure: FailureKind,
    /// What was answered, where something was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
}

/// Where speech is going to lie.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpeechFile {
    pub call: CallId,
    /// `tts/sessions/<run>/turn_1/slot-1_gpt-4o_calm_soothing.wav`
    pub path: String,
}

/// Why a comment was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refused {
    AtOneself,
    /// A slot that is not there, or has said nothing.
    AtNobody,
    /// No slot was named.
    NoTarget,
}

/// The comments on one slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ChorusRoute))]
pub struct Routed {
    pub to: SlotId,
    /// Whose comments it is told, in the order of their slots.
    pub from: Vec<SlotId>,
    /// Whose it is not, because there were too many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<SlotId>,
}

/// Why a chorus is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum ChorusEnd {
    /// All turns were played.
    Completed,
    /// No slot answered the message.
    Failed,
    Cancelled,
    /// The next turn could have used more than was left.
    BudgetExceeded,
}

impl ChorusEnd {
    pub fn as_str(self) -> &'static str {
        match self {
            ChorusEnd::Completed => "completed",
            ChorusEnd::Failed => "failed",
            ChorusEnd::Cancelled => "cancelled",
            ChorusEnd::BudgetExceeded => "budget_exceeded",
        }
    }
}
