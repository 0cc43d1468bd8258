//! What may be posted to a mind.

use serde::{Deserialize, Serialize};

use super::observation::MindObservation;

/// A command to a mind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case", deny_unknown_fields)]
pub enum MindCommand {
    /// Calls of the game that came together: the newest gets a decision.
    Decide {
        told: Vec<MindTold>,
        /// Calls that were decided and then answered with `continue`, because a newer one had come.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        withheld: Vec<String>,
    },
    Link {
        entity_id: String,
    },
    Release {},
    Consolidate {},
    Cancel {},
}

/// What the game told in one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MindTold {
    /// Names the call.
    pub request: String,
    pub observation: MindObservation,
    /// Whether a call that the game sent later was taken before it: what it tells is taken in, and nothing is
    /// decided.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
}
