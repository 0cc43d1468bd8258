//! What can be done in a field: kinds of interaction, as data.
//!
//! A kind needs no Rust: who takes part, for how long, what it does to needs, its steps and what follows it
//! stand in the field file. What data cannot say (a conversation's floor) is switched on by a key, and has
//! one file in `world`.

use serde::{Deserialize, Serialize};

/// A tick is 100 ms.
pub const TICKS_PER_SECOND: u32 = 10;
/// Needs are counted in thousandths of a point, so that slow changes are whole numbers too.
pub const MILLI: u32 = 1000;
/// A need that is wholly satisfied.
pub const FULL: u32 = 100 * MILLI;
/// More needs than an author would keep apart.
pub const MOST_NEEDS: usize = 8;

/// A need that decays: hunger, energy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeedKind {
    pub name: String,
    /// Points lost in a minute, at least and at most: each person has its own rate between them.
    pub decay: (u32, u32),
}

/// Who takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Between {
    /// One person and a thing.
    Item,
    /// People alone.
    People,
    /// People around a thing.
    Group,
}

/// How people come to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BeginsBy {
    Bid,
    /// Characters that are near each other and free.
    Proximity,
}

/// A part of an interaction with several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepKind {
    pub name: String,
    /// Which thing it takes place beside, by name; where one is, if nothing.
    pub at: Option<String>,
    pub ticks: u32,
}

/// A kind of interaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InteractionKind {
    pub name: String,
    pub description: String,
    pub between: Between,
    pub begins_by: BeginsBy,
    pub min: u8,
    pub max: u8,
    /// How near one has to be to begin it.
    pub range: u16,
    /// What it does in a second to the needs of those who take part, in points, by the number of the need.
    pub rates: Vec<(u8, i32)>,
    /// How long it takes; as long as people like, if nothing.
    pub ticks: Option<u32>,
    /// How much of the thing is used up at its end, in per cent. At 0 % it is gone.
    pub uses: u8,
    /// Whether people talk.
    pub talk: bool,
    /// Whether others may join while it runs, without being asked.
    pub open: bool,
    pub steps: Vec<StepKind>,
    /// The thing that is there in the end, by the number of its prototype.
    pub makes: Option<u16>,
    /// What the same people do next, by the number of the kind.
    pub then: Option<u16>,
    /// Proximity: how long a character is left alone after one.
    pub pause_ticks: u32,
}

impl InteractionKind {
    /// One person with a thing, as long as they like.
    pub fn named(name: &str) -> InteractionKind {
        InteractionKind {
            name: name.to_owned(),
            description: String::new(),
            between: Between::Item,
            begins_by: BeginsBy::Bid,
            min: 1,
            max: 1,
            range: 1,
            rates: Vec::new(),
            ticks: None,
            uses: 0,
            talk: false,
            open: false,
            steps: Vec::new(),
            makes: None,
            then: None,
            pause_ticks: 0,
        }
    }

    /// What a tick of it does to a need, in thousandths of a point.
    pub fn rate_per_tick(&self, need: usize) -> i32 {
        let rate = self.rates.iter().find(|(of, _)| usize::from(*of) == need).map_or(0, |(_, rate)| *rate);
        rate * (MILLI / TICKS_PER_SECOND) as i32
    }

    /// Whether it is begun by asking people, wherever they are.
    pub fn is_between_people(&self) -> bool {
        self.between == Between::People && self.begins_by == BeginsBy::Bid
    }

    pub fn fills(&self) -> impl Iterator<Item = usize> + '_ {
        self.rates.iter().filter(|(_, rate)| *rate > 0).map(|(need, _)| usize::from(*need))
    }
}

/// A thing, of which any number may stand in a field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prototype {
    pub name: String,
    /// What the map shows.
    pub glyph: char,
    /// Whether it blocks its place.
    pub solid: bool,
    /// How many people can use it at once.
    pub slots: u8,
    /// What can be done with it, by the numbers of the kinds.
    pub offers: Vec<u16>,
}
