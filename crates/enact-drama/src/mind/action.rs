//! What a mind may answer, and whether the body could do it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    memory::MindMemory,
    observation::{GameCell, Generation, MindObservation, SeenEntity},
};
use crate::field::world::{RESPOND, StateName};

/// An action as the game is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MindAction {
    #[cfg_attr(feature = "schema", schema(example = "move_to"))]
    pub action: String,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = Object, required))]
    pub parameters: Map<String, Value>,
    /// The option of the game that it follows; left out when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected_option_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection_rationale: Option<String>,
}

impl MindAction {
    fn new(action: &str, parameters: Value) -> MindAction {
        let parameters = match parameters {
            Value::Object(parameters) => parameters,
            _ => Map::new(),
        };
        MindAction {
            action: action.to_owned(),
            parameters,
            selected_option_id: None,
            selection_rationale: None,
        }
    }

    /// What always fits: nothing changes.
    pub fn go_on() -> MindAction {
        MindAction::new("continue", Value::Null)
    }

    pub(super) fn wander() -> MindAction {
        MindAction::new("wander", Value::Null)
    }

    pub(super) fn wait() -> MindAction {
        MindAction::new("wait", Value::Null)
    }

    pub(super) fn leave() -> MindAction {
        MindAction::new("cancel_interaction", Value::Null)
    }

    pub(super) fn act(parameters: Map<String, Value>) -> MindAction {
        MindAction::new("act_in_interaction", Value::Object(parameters))
    }

    pub(super) fn move_to(to: GameCell, generation: Generation) -> MindAction {
        let parameters = match generation {
            Generation::V1 => json!({ "x": to.0, "y": to.1 }),
            Generation::V2 => json!({ "destination": [to.0, to.1] }),
        };
        MindAction::new("move_to", parameters)
    }

    pub(super) fn interact(with: &SeenEntity, interaction: &str, generation: Generation) -> MindAction {
        let parameters = match generation {
            Generation::V1 => json!({ "entity_name": with.name, "interaction_name": interaction }),
            Generation::V2 => json!({ "entity_id": with.address(), "interaction_name": interaction }),
        };
        MindAction::new("interact_with", parameters)
    }

    pub(super) fn respond(bid_id: &str, accept: bool, reason: &str) -> MindAction {
        MindAction::new(RESPOND, json!({ "bid_id": bid_id, "accept": accept, "reason": reason }))
    }

    fn text(&self, key: &str) -> &str {
        self.parameters.get(key).and_then(Value::as_str).unwrap_or_default()
    }
}

/// Whether a body that is told of here could do this; if not, why.
pub(super) fn check(action: &MindAction, told: &MindObservation, memory: &MindMemory) -> Result<(), String> {
    let name = action.action.as_str();
    if name == RESPOND {
        let bid = action.text("bid_id");
        let is_pending = memory.bids.iter().any(|pending| pending.bid_id == bid);
        return if is_pending { Ok(()) } else { Err(format!("there is no bid '{bid}'")) };
    }
    let state = told.state.unwrap_or(StateName::Idle);
    if !state.takes().contains(&name) {
        return Err(format!("'{name}' is not taken in the state {}", state.as_str()));
    }
    if told.locked && ["move_to", "wander"].contains(&name) {
        return Err(format!("'{name}' while movement is locked"));
    }
    match name {
        "interact_with" => {
            let address = [action.text("entity_id"), action.text("entity_name")];
            let address = address.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
            let interaction = action.text("interaction_name");
            let seen = told.seen(address).ok_or_else(|| format!("'{address}' is not in sight"))?;
            match seen.offers.iter().any(|offer| offer.name == interaction) {
                true => Ok(()),
                false => Err(format!("'{address}' does not offer '{interaction}'")),
            }
        }
        "act_in_interaction" => {
            let takes = told.current.as_ref().and_then(|current| current.takes.as_ref());
            let known = |key: &String| takes.is_none_or(|takes| takes.contains_key(key));
            match !action.parameters.is_empty() && action.parameters.keys().all(known) {
                true => Ok(()),
                false => Err("the interaction takes no such input".to_owned()),
            }
        }
        _ => Ok(()),
    }
}
