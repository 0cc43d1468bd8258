//! A field as its author describes it, resolved: the map, the things, the people and what they can do.

use super::{
    kind::{InteractionKind, MOST_NEEDS, NeedKind, Prototype},
    world::Pos,
};
use crate::Name;

/// How far people see, unless the author says otherwise.
pub const DEFAULT_VISION: u16 = 12;
/// Default length of a field.
pub const DEFAULT_MINUTES: u32 = 10;
/// The largest map to a side.
pub(super) const MOST_CELLS: usize = 512;
/// The most people that a file places.
pub(super) const MOST_PEOPLE: usize = 500;

/// A field that can be played.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FieldPlan {
    pub title: String,
    /// What everyone knows: the text of the file.
    pub situation: String,
    pub setting: Option<String>,
    /// What people talk about, each after the word "about"; each conversation has one.
    pub topics: Vec<String>,
    pub minutes: Option<u32>,
    /// Whether people bring along what they remember of earlier fields and scenes, and keep this one.
    pub remember: bool,
    pub vision: u16,
    pub width: u16,
    pub height: u16,
    pub walls: Vec<bool>,
    pub needs: Vec<NeedKind>,
    pub kinds: Vec<InteractionKind>,
    pub prototypes: Vec<Prototype>,
    pub things: Vec<(u16, Pos)>,
    pub people: Vec<PlannedPerson>,
    /// Which needs can be filled here, by their numbers: a need that nothing fills is ignored.
    pub fillable: [bool; MOST_NEEDS],
}

/// A character, and its place in the beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedPerson {
    pub name: Name,
    pub display: String,
    pub glyph: char,
    pub pos: Pos,
    /// What is known of one who has no sheet.
    pub about: Option<String>,
}

impl FieldPlan {
    /// Works out which needs can be filled.
    pub(super) fn find_fillable(&mut self) {
        let offered = |kind: usize| {
            let is_offered = self.prototypes.iter().any(|thing| thing.offers.contains(&(kind as u16)));
            is_offered || self.kinds[kind].is_between_people()
        };
        for kind in (0..self.kinds.len()).filter(|kind| offered(*kind)).collect::<Vec<_>>() {
            for need in self.kinds[kind].fills().collect::<Vec<_>>() {
                self.fillable[need] = true;
            }
        }
    }

    pub fn kind_named(&self, name: &str) -> Option<u16> {
        self.kinds.iter().position(|kind| kind.name == name).and_then(|at| u16::try_from(at).ok())
    }

    pub fn prototype_named(&self, name: &str) -> Option<u16> {
        self.prototypes.iter().position(|thing| thing.name == name).and_then(|at| u16::try_from(at).ok())
    }
}
