//! The director: reads what an exchange says, and says what follows from it. Pure rules, without a model.
//!
//! Before an answer `cues` gives the one directive, `pacing` a nudge where there is none and the story stands
//! still, and `injections` what else the character is told. After it `observe` reads the exchange: what [every
//! run](crate::director) is read for, `conditions` with `acts` (what the author waits for), `resolution` and
//! `hooks` (what should be come back to). A model may read along (`reading`). Whatever is found is a fact with the rule that found it and the words that show it.
//! What users write is only ever looked at: no message can set a flag by asking for it.

mod acts;
mod conditions;
mod cues;
mod heard_phrase;
mod hooks;
mod injections;
mod observe;
mod pacing;
mod reading;
mod resolution;

use serde::{Deserialize, Serialize};

pub(super) use crate::director::{Memory, MemoryKind, Relationship, SignalRead};
use crate::director::{memories, relationship_after, sentences, signals, tension};

pub use hooks::{Hook, HookKind, due_hooks};
pub use injections::Injected;
pub use pacing::StoryPace;
pub use reading::{ReadMoment, Reading};

pub(super) use conditions::{can_be_read, holds};
pub(super) use cues::directive;
pub(super) use injections::{injected, told_by_flags};
pub(super) use observe::observe;
pub(super) use pacing::nudge;
pub(super) use reading::{question, read as read_reading};

/// What the character is asked to do in one turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Directive {
    pub cue: String,
    pub urgency: Urgency,
    pub instruction: String,
}

/// How much a cue presses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Urgency {
    /// Its turn is the next one.
    Suggested,
    Required,
    /// Its last turn is over.
    Overdue,
}

/// Why the director says that something is so.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Finding {
    /// `keyword`, `turn count`, `choice`
    pub rule: String,
    /// The words that show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
}

impl Finding {
    pub(super) fn by(rule: &str) -> Finding {
        Finding { rule: rule.to_owned(), quote: None }
    }

    pub(super) fn quoting(rule: &str, quote: &str) -> Finding {
        Finding { rule: rule.to_owned(), quote: Some(quote.to_owned()) }
    }
}

/// One exchange, as the director reads it.
#[derive(Debug, Clone, Copy)]
pub(in crate::episode) struct EpisodeExchange<'a> {
    pub(super) turn: u32,
    pub(super) user: &'a str,
    /// What the character said.
    pub(super) said: &'a str,
}
