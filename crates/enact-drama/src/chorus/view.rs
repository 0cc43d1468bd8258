//! What a slot knows at the moment it is asked, as data.

use serde::Serialize;

use crate::Name;

use super::{Agent, AgentId, SlotId, Turn};

/// The same knowledge the prompt's text carries, for models that are rules rather than language models.
#[derive(Debug, Clone)]
pub struct ChorusView {
    /// The slot's name among actors: `slot-1`.
    pub me: Name,
    pub slot: SlotId,
    /// Whether it is the first of those who take part, for what only one of them should say.
    pub first: bool,
    pub agent: Agent,
    pub turn: Turn,
    pub message: String,
    /// What it answered in the first turn; nothing while it has not.
    pub own: Option<String>,
    /// What the others answered, shuffled for this slot. In the second turn.
    pub peers: Vec<PeerResponse>,
    /// What others said of its answer. In the third turn.
    pub comments: Vec<ReceivedComment>,
    /// How many messages of this conversation it has answered before.
    pub messages_before: usize,
    /// What it has answered to them, of all turns, oldest first: as it gave it, as far as it is remembered.
    pub said_before: Vec<String>,
    /// What the others said then, as far as it is remembered, the latest last: a slot that was not there
    /// takes part in the same conversation.
    pub others_before: Vec<String>,
    /// Whether its first answer of this turn was of no use.
    pub again: bool,
    /// For built-in models, whose dice are keyed by it.
    pub seed: u64,
}

/// What another slot answered in the first turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PeerResponse {
    pub slot_id: SlotId,
    pub agent_id: AgentId,
    /// What people call it.
    pub agent_name: String,
    pub text: String,
}

/// What another slot said of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceivedComment {
    pub from_slot_id: SlotId,
    pub from_agent_id: AgentId,
    pub from_agent_name: String,
    pub comment: String,
}
