//! What a mind's log holds.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{action::MindAction, observation::MindObservation, setup::MindSetup};
use crate::{CallId, budget::CallAllowance, record::Event, usage::Usage};

/// A fact of a mind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case")]
pub enum MindEvent {
    MindBegan {
        setup: Arc<MindSetup>,
    },
    /// It drives this body from now on.
    Linked {
        entity_id: String,
    },
    /// It has no body any more; its memory is kept.
    Released {},
    /// The game told what it sees, in a call of this name.
    Observed {
        request: String,
        told: Box<MindObservation>,
        /// Whether a later call was taken before it: then only its news counts.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        late: bool,
    },
    /// A model is asked.
    Asked {
        call: CallId,
        model: String,
        /// With a budget: what is put aside for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reserved: Option<CallAllowance>,
        /// Where another model has failed before it: what is left of the time.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeout_ms: Option<u64>,
    },
    /// It gave nothing, and its fallback is asked.
    AskFailed {
        call: CallId,
        error: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// A newer observation came before this call was answered: it was answered with `continue`.
    Passed {
        request: String,
    },
    /// A call came again that has its answer, or waits for it: nothing is decided anew.
    Repeated {
        request: String,
    },
    Decided {
        decision: Box<MindDecision>,
    },
    /// What was decided never reached the game, which had sent a newer observation by then: the call was
    /// answered with `continue`.
    Withheld {
        request: String,
    },
    /// What was remembered of the day is kept for good.
    Consolidated {
        count: u32,
    },
    Resumed {},
    Ended {},
}

impl Event for MindEvent {}

/// What was decided in answer to a call, and what the mind keeps of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MindDecision {
    pub request: String,
    pub action: MindAction,
    /// Why, in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errand: Option<MindErrand>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub searching: bool,
    /// Something that could not be had, and is left alone for a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avoid: Option<String>,
    /// Whether an invitation was made.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub invited: bool,
    /// What was said in a conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// Whether that was the last of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub farewell: bool,
    /// The question to a model that this came of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<CallId>,
    /// What that used; unknown is not zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// What models used that had failed before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<Option<Usage>>,
    /// The fallback that answered, where the mind's own model had failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
    /// What was wrong with a model's answer, where rules stood in for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complaint: Option<String>,
}

impl MindDecision {
    pub(super) fn new(action: MindAction, why: impl Into<String>) -> MindDecision {
        MindDecision {
            request: String::new(),
            action,
            why: why.into(),
            errand: None,
            searching: false,
            avoid: None,
            invited: false,
            said: None,
            farewell: false,
            call: None,
            usage: None,
            failed: Vec::new(),
            fallback: None,
            complaint: None,
        }
    }
}

/// What a body is on the way to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MindErrand {
    /// Whom or what it goes to, as the game finds it.
    pub target: String,
    pub interaction: String,
    /// How often it was sent there.
    pub tries: u8,
}
