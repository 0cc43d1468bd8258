//! Who a slot is in a chorus.

use enact_drama::chorus::SlotId;
use serde::Deserialize;

use super::lines::{PERSONAS, PersonaLines};

/// A way of being in a chorus, with a file of lines and a voice of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Temper {
    Dreamer,
    Builder,
    Wit,
    Doubter,
    Enthusiast,
    Friend,
}

impl Temper {
    const ALL: [Temper; 6] =
        [Temper::Dreamer, Temper::Builder, Temper::Wit, Temper::Doubter, Temper::Enthusiast, Temper::Friend];

    /// Each slot has its own. Not each agent: one agent may take several slots, a slot does not know who else takes
    /// part, and six who speak side by side have to be six.
    pub(super) fn of(slot: SlotId) -> Temper {
        Temper::ALL[usize::from(slot.number() - 1) % Temper::ALL.len()]
    }

    pub(super) fn lines(self) -> &'static PersonaLines {
        &PERSONAS[self as usize]
    }
}
