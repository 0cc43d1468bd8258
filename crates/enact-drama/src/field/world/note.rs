//! What changes in a world: each note becomes a fact, so that a log can be read without simulating.

use serde::{Deserialize, Serialize};

use super::{
    BidId, EntityId, InteractionId,
    action::StateName,
    bid::{AnswerEffect, BidOutcome},
    interaction::InteractionEnd,
};
use crate::reply::Reply;

/// Something that happened in a tick.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum FieldNote {
    BidSettled {
        tick: u32,
        bid: BidId,
        by: EntityId,
        kind: u16,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<EntityId>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        with: Vec<EntityId>,
        outcome: BidOutcome,
    },
    /// An answer to a bid came too late, twice, or from a character that was not asked.
    AnswerIgnored {
        tick: u32,
        bid: BidId,
        who: EntityId,
        accept: bool,
        effect: AnswerEffect,
    },
    InteractionStarted {
        tick: u32,
        id: InteractionId,
        kind: u16,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<EntityId>,
        by: EntityId,
        members: Vec<EntityId>,
    },
    Joined {
        tick: u32,
        id: InteractionId,
        who: EntityId,
    },
    Left {
        tick: u32,
        id: InteractionId,
        who: EntityId,
    },
    InteractionEnded {
        tick: u32,
        id: InteractionId,
        reason: InteractionEnd,
    },
    LineSaid {
        tick: u32,
        id: InteractionId,
        line: u32,
        who: EntityId,
        reply: Reply,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        whispered_to: Option<EntityId>,
    },
    LineCut {
        tick: u32,
        line: u32,
        at: usize,
        by: EntityId,
    },
    Placed {
        tick: u32,
        id: EntityId,
        name: String,
        x: u16,
        y: u16,
    },
    Removed {
        tick: u32,
        id: EntityId,
    },
    /// A mind and its body were in different states.
    MindDiffered {
        tick: u32,
        who: EntityId,
        believed: StateName,
        state: StateName,
    },
    /// A character has tried for 30 s and come no nearer.
    Stuck {
        tick: u32,
        who: EntityId,
    },
}
