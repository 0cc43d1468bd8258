//! What a mind may have its body do, and what each state takes.

use serde::{Deserialize, Serialize};

use super::{
    EntityId, Pos,
    bid::{BidId, OfferEpoch},
    interaction::InteractionId,
};

/// One action, as a mind gives it. Names and parameters are those of the games that exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", content = "parameters", rename_all = "snake_case")]
pub enum NpcAction {
    MoveTo {
        x: u16,
        y: u16,
    },
    InteractWith {
        entity_name: String,
        interaction_name: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        additional_targets: Vec<String>,
    },
    Wander {},
    Wait {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Continue {},
    ActInInteraction {
        message: String,
        /// Whom alone it is whispered to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
    CancelInteraction {
        /// Ends it for everyone, by a CANCEL bid. Otherwise only this one leaves.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        for_all: bool,
    },
    RespondToInteractionBid {
        bid_id: BidId,
        /// Which offer of that bid is meant; the newest, if nothing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        epoch: Option<OfferEpoch>,
        accept: bool,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        reason: String,
    },
}

/// The states of a controller by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum StateName {
    Idle,
    Moving,
    Wandering,
    Waiting,
    Requesting,
    Interacting,
}

impl StateName {
    pub const ALL: [StateName; 6] = [
        StateName::Idle,
        StateName::Moving,
        StateName::Wandering,
        StateName::Waiting,
        StateName::Requesting,
        StateName::Interacting,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            StateName::Idle => "IDLE",
            StateName::Moving => "MOVING",
            StateName::Wandering => "WANDERING",
            StateName::Waiting => "WAITING",
            StateName::Requesting => "REQUESTING",
            StateName::Interacting => "INTERACTING",
        }
    }

    /// The actions that this state takes, beside `respond_to_interaction_bid`, which all do.
    pub fn takes(self) -> &'static [&'static str] {
        match self {
            StateName::Idle => &["move_to", "interact_with", "wander", "wait", "continue"],
            StateName::Moving => &["continue", "wait", "interact_with"],
            StateName::Wandering => &["continue", "move_to", "interact_with", "wait"],
            StateName::Waiting => &["continue", "wait", "move_to", "interact_with", "wander"],
            StateName::Requesting => &["wait", "continue"],
            StateName::Interacting => &["continue", "act_in_interaction", "cancel_interaction"],
        }
    }
}

impl NpcAction {
    pub fn name(&self) -> &'static str {
        match self {
            NpcAction::MoveTo { .. } => "move_to",
            NpcAction::InteractWith { .. } => "interact_with",
            NpcAction::Wander {} => "wander",
            NpcAction::Wait { .. } => "wait",
            NpcAction::Continue {} => "continue",
            NpcAction::ActInInteraction { .. } => "act_in_interaction",
            NpcAction::CancelInteraction { .. } => "cancel_interaction",
            NpcAction::RespondToInteractionBid { .. } => RESPOND,
        }
    }

    pub fn is_taken_in(&self, state: StateName) -> bool {
        self.name() == RESPOND || state.takes().contains(&self.name())
    }
}

/// The action that every state takes.
pub const RESPOND: &str = "respond_to_interaction_bid";

/// What a mind is told of. Each is sent once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event_type", content = "payload", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum NpcEvent {
    InteractionBidPending { bid_id: BidId },
    InteractionBidRejected { bid_id: Option<BidId>, interaction_name: String, reason: String },
    InteractionBidReceived { bid_id: BidId, epoch: OfferEpoch, bidder_id: EntityId, kind: u16 },
    InteractionBidCanceled { bid_id: BidId },
    InteractionStarted { interaction_id: InteractionId, kind: u16 },
    InteractionCanceled { interaction_id: InteractionId },
    InteractionFinished { interaction_id: InteractionId, reason: String },
    InteractionObservation { interaction_id: InteractionId, line: u32 },
    Observation { text: String },
    MovementCompleted { status: MovementStatus, at: Pos },
    Error { message: String },
}

/// How a walk ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MovementStatus {
    Arrived,
    StoppedShort,
    Blocked,
}
