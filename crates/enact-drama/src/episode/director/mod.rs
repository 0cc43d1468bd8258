//! The director: reads what an exchange says, and says what follows from it. Pure rules, without a model.
//!
//! `cues` gives the one directive that goes before an answer. After it `observe` reads the exchange: `signals`
//! (how the user talks), `conditions` (what the author waits for), `tension`, and `memory` (what the character
//! should remember). Whatever it finds is a fact with the rule that found it and the words that show it. What
//! users write is only ever looked at: no message can set a flag by asking for it.

mod conditions;
mod cues;
mod memory;
mod observe;
mod signals;
mod tension;

use serde::{Deserialize, Serialize};

pub use memory::{Memory, MemoryKind};

pub(super) use conditions::holds;
pub(super) use cues::{directive, injections};
pub(super) use observe::observe;

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

/// Something in how the user talks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalRead {
    pub name: String,
    pub quote: String,
}

/// One exchange, as the director reads it.
#[derive(Debug, Clone, Copy)]
pub(in crate::episode) struct EpisodeExchange<'a> {
    pub(super) turn: u32,
    pub(super) user: &'a str,
    /// What the character said.
    pub(super) said: &'a str,
}
