//! The director, as far as it watches any run: how somebody talks, how tense it is, what is worth remembering and
//! how two stand with each other. Pure rules, without a model; what they know stands in the text files beside
//! them.
//!
//! `sentences` takes a text apart, `signals` finds manners in it, `tension` and `relationship` follow from those,
//! `memory` finds what should be kept, `carried` says what is kept of a run and brought into later ones. `watch`
//! reads a whole document. What an author may wait for in an episode is read there (`episode/director`).

mod carried;
mod memory;
mod relationship;
pub(crate) mod sentences;
pub(crate) mod signals;
pub(crate) mod tension;
mod watch;

use serde::{Deserialize, Serialize};

pub use carried::{Correction, Remembered, brought_back};
pub use memory::{Memory, MemoryKind};
pub use relationship::Relationship;
pub use watch::{WatchedRound, watch};

pub(crate) use carried::{CharacterRows, MOST_OF_A_KIND};
pub(crate) use memory::{LONGEST_CHARS as LONGEST_MEMORY_CHARS, memories};
pub(crate) use relationship::moved as relationship_after;
pub(crate) use signals::signals;
pub(crate) use watch::{WatchedLine, watched};

/// Something in how the user talks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalRead {
    pub name: String,
    pub quote: String,
}
