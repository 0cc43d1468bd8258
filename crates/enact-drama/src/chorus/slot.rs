//! Places and rounds.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Name, Purpose};

/// How many may speak.
pub const MOST_SLOTS: u8 = 6;

/// One of the places in a chorus, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(value_type = u8, minimum = 1, maximum = 6))]
pub struct SlotId(u8);

impl SlotId {
    pub fn new(number: u8) -> Option<SlotId> {
        (1..=MOST_SLOTS).contains(&number).then_some(SlotId(number))
    }

    pub fn number(self) -> u8 {
        self.0
    }

    /// What it is called where actors are named: `slot-1`.
    pub fn name(self) -> Name {
        Name::new(format!("slot-{}", self.0)).expect("a plain name")
    }
}

impl fmt::Display for SlotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl TryFrom<u8> for SlotId {
    type Error = String;

    fn try_from(number: u8) -> Result<SlotId, String> {
        SlotId::new(number)
            .ok_or_else(|| format!("slots are numbered 1 to {MOST_SLOTS}; this one is {number}"))
    }
}

impl From<SlotId> for u8 {
    fn from(slot: SlotId) -> u8 {
        slot.0
    }
}

/// One of the three rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Turn {
    Respond,
    Comment,
    Reply,
}

impl Turn {
    /// 1, 2 or 3.
    pub fn index(self) -> u8 {
        match self {
            Turn::Respond => 1,
            Turn::Comment => 2,
            Turn::Reply => 3,
        }
    }

    /// What is said in it.
    pub fn kind(self) -> &'static str {
        match self {
            Turn::Respond => "response",
            Turn::Comment => "comment",
            Turn::Reply => "reply",
        }
    }

    pub fn purpose(self) -> Purpose {
        match self {
            Turn::Respond => Purpose::named("response"),
            Turn::Comment => Purpose::named("comment"),
            Turn::Reply => Purpose::named("reply"),
        }
    }
}

impl TryFrom<u8> for Turn {
    type Error = String;

    fn try_from(index: u8) -> Result<Turn, String> {
        match index {
            1 => Ok(Turn::Respond),
            2 => Ok(Turn::Comment),
            3 => Ok(Turn::Reply),
            other => Err(format!("turns are numbered 1 to 3; this one is {other}")),
        }
    }
}

impl From<Turn> for u8 {
    fn from(turn: Turn) -> u8 {
        turn.index()
    }
}
