//! Entities: people and things are one kind of thing with different components.

use std::{collections::VecDeque, fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    Pos, action::StateName, bid::BidId, grid::Body, interaction::InteractionId, mind_client::MindClient,
    rules_mind::RulesMemory,
};
use crate::field::kind::MOST_NEEDS;

/// The place of an entity in the world's array. An id is never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntityId(pub u32);

impl fmt::Display for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entity_{}", self.0)
    }
}

/// Something in the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    pub name: Arc<str>,
    pub glyph: char,
    pub pos: Pos,
    /// Removed entities stay in the array, so that ids stay what they are.
    pub alive: bool,
    pub solid: bool,
    /// What can be done with it, by the numbers of the kinds.
    pub offers: Vec<u16>,
    /// How much of it is left, in per cent.
    pub left: u8,
    pub slots: u8,
    /// Who uses it or has it reserved. `FieldWorld::free_slots` alone takes entries out.
    pub taken: Vec<SlotUse>,
    /// What a person has beside.
    pub npc: Option<Box<Npc>>,
}

/// A slot of a thing that is not free.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotUse {
    pub by: EntityId,
    pub owner: SlotOwner,
}

/// What a slot is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SlotOwner {
    /// Reserved until the bid is settled.
    Bid(BidId),
    Interaction(InteractionId),
}

/// The components of a person. What every tick looks at comes first and stays together: the compiler would put it
/// in as many cache lines as there are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[repr(C)]
pub struct Npc {
    /// In thousandths of a point, by the number of the need.
    pub needs: [u32; MOST_NEEDS],
    /// What each loses in a tick.
    pub decay: [u16; MOST_NEEDS],
    pub state: NpcState,
    pub walk: Option<Walk>,
    pub current_interaction: Option<InteractionId>,
    /// The bid that this person is reserved for.
    pub hold: Option<BidId>,
    /// Until when no interaction begins by proximity alone.
    pub left_alone_until: u32,
    pub client: MindClient,
    pub memory: RulesMemory,
}

/// What the controller of a person does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum NpcState {
    Idle,
    Moving,
    Wandering,
    Waiting { until: u32 },
    Requesting { bid: BidId },
    Interacting,
}

impl NpcState {
    pub fn name(&self) -> StateName {
        match self {
            NpcState::Idle => StateName::Idle,
            NpcState::Moving => StateName::Moving,
            NpcState::Wandering => StateName::Wandering,
            NpcState::Waiting { .. } => StateName::Waiting,
            NpcState::Requesting { .. } => StateName::Requesting,
            NpcState::Interacting => StateName::Interacting,
        }
    }
}

/// A walk to a goal that was accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Walk {
    pub goal: Pos,
    /// So many steps before the goal are near enough.
    pub reach: u32,
    /// Whether a search for the way is waited for.
    pub searching: bool,
    /// The tick of the next step.
    pub step_at: u32,
    /// The nearest so far, in steps, and since when: what *stuck* is measured by.
    pub nearest: u32,
    pub nearest_at: u32,
}

impl Entity {
    pub fn is_npc(&self) -> bool {
        self.npc.is_some()
    }

    pub(super) fn body(&self) -> Body {
        match (self.is_npc(), self.solid) {
            (true, _) => Body::Person,
            (false, true) => Body::Solid,
            (false, false) => Body::Flat,
        }
    }

    pub fn free_slots(&self) -> usize {
        usize::from(self.slots).saturating_sub(self.taken.len())
    }
}

/// A list with room for so many: the oldest goes first.
pub(super) fn push_bounded<T>(list: &mut VecDeque<T>, item: T, most: usize) {
    if list.len() >= most {
        list.pop_front();
    }
    list.push_back(item);
}
