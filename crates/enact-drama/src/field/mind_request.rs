//! The request to a language model that decides for a character, and how its answer is read.

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};

use super::{
    setup::FieldRole,
    world::{BidId, EntityId, FieldWorld, NpcAction, NpcEvent, RESPOND},
};
use crate::{
    request::{Message, MessageRole, Request, Schema},
    text::shortened,
};

/// What a model is always told, in words.
const MIND: &str = include_str!("templates/mind.txt");
/// An action is a line of JSON; some models think first.
const MAX_TOKENS: u32 = 512;
/// How many of the seen entities are listed.
const MOST_VISIBLE: usize = 20;
/// How much of a wrong answer a warning quotes.
const LONGEST_QUOTE_CHARS: usize = 80;

/// The question about one character.
pub(super) fn request(
    world: &FieldWorld,
    who: EntityId,
    role: &FieldRole,
    events: &[NpcEvent],
    base: Request,
    timeout_ms: u64,
) -> Request {
    let observation = observation(world, who, events).to_string();
    Request {
        system: vec![MIND.into(), role.sheet.as_str().into()],
        thread: vec![Message { role: MessageRole::User, text: observation.into() }],
        max_tokens: MAX_TOKENS,
        timeout_ms,
        schema: Some(schema()),
        ..base
    }
}

/// Status, needs and vision, with what happened since.
pub(super) fn observation(world: &FieldWorld, who: EntityId, events: &[NpcEvent]) -> Value {
    let Some(entity) = world.living(who) else { return Value::Null };
    let Some(npc) = &entity.npc else { return Value::Null };
    let state = npc.state.name();
    let needs = world.plan().needs.iter().enumerate();
    let needs: serde_json::Map<String, Value> =
        needs.map(|(at, need)| (need.name.clone(), json!(npc.needs[at] / 1000))).collect();
    let mut visible = world.visible_entities(who);
    visible.truncate(MOST_VISIBLE);
    json!({
        "name": &*entity.name,
        "status": {
            "position": [entity.pos.x, entity.pos.y],
            "state": state.as_str(),
            "current_interaction": npc.current_interaction.map(|id| world.context_of(id)),
        },
        "needs": needs,
        "visible_entities": visible,
        "events": events,
        "allowed_actions": allowed(world, who),
    })
}

fn allowed(world: &FieldWorld, who: EntityId) -> Vec<&'static str> {
    let state = world.npc(who).map(|npc| npc.state.name());
    let taken = state.map_or(&[][..], |state| state.takes());
    taken.iter().copied().chain([RESPOND]).filter(|name| *name != "act_in_interaction").collect()
}

/// Reads an answer as an action that the state takes. Whatever cannot be is `continue`, with the reason.
pub(super) fn read(world: &FieldWorld, who: EntityId, answer: &str) -> (NpcAction, Option<String>) {
    let nothing = |why: &str| {
        let quoted = shortened(answer, LONGEST_QUOTE_CHARS).into_owned();
        (NpcAction::Continue {}, Some(format!("{why}: {quoted}")))
    };
    let object = answer.find('{').zip(answer.rfind('}')).and_then(|(from, to)| answer.get(from..=to));
    let Some(value) = object.and_then(|object| serde_json::from_str::<Value>(object).ok()) else {
        return nothing("no JSON object");
    };
    let text = |key: &str| value[key].as_str().map(str::to_owned);
    let cell = |key: &str| value[key].as_u64().and_then(|cell| u16::try_from(cell).ok());
    let action = match value["action"].as_str().unwrap_or_default() {
        "move_to" => cell("x").zip(cell("y")).map(|(x, y)| NpcAction::MoveTo { x, y }),
        "interact_with" => {
            text("entity_name").zip(text("interaction_name")).map(|(entity_name, interaction_name)| {
                NpcAction::InteractWith { entity_name, interaction_name, additional_targets: Vec::new() }
            })
        }
        "wander" => Some(NpcAction::Wander {}),
        "wait" => Some(NpcAction::Wait { reason: text("reason") }),
        "continue" => Some(NpcAction::Continue {}),
        "cancel_interaction" => Some(NpcAction::CancelInteraction { for_all: false }),
        RESPOND => {
            let number = value["bid_id"].as_u64().or_else(|| {
                value["bid_id"].as_str().and_then(|id| id.trim_start_matches("bid_").parse().ok())
            });
            let bid = number.and_then(|number| u32::try_from(number).ok()).map(BidId);
            bid.zip(value["accept"].as_bool()).map(|(bid_id, accept)| NpcAction::RespondToInteractionBid {
                bid_id,
                epoch: None,
                accept,
                reason: text("reason").unwrap_or_default(),
            })
        }
        _ => return nothing("no such action"),
    };
    let Some(action) = action else { return nothing("parameters are missing") };
    let is_taken = world.npc(who).is_some_and(|npc| action.is_taken_in(npc.state.name()));
    if is_taken { (action, None) } else { nothing("not allowed in this state") }
}

/// The shape of an answer: closed, with every key, as all providers can keep to.
fn schema() -> Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        let or_null = |of: &str| json!({"type": [of, "null"]});
        let actions =
            ["move_to", "interact_with", "wander", "wait", "continue", "cancel_interaction", RESPOND];
        let json = json!({
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": actions},
                "entity_name": or_null("string"),
                "interaction_name": or_null("string"),
                "x": or_null("integer"),
                "y": or_null("integer"),
                "bid_id": or_null("integer"),
                "accept": or_null("boolean"),
                "reason": or_null("string"),
            },
            "required": ["action", "entity_name", "interaction_name", "x", "y", "bid_id", "accept", "reason"],
            "additionalProperties": false,
        });
        Arc::new(Schema { name: "npc_action", json, exact: false })
    });
    SCHEMA.clone()
}
