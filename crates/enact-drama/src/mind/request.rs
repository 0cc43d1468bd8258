//! What a language model is asked who decides for somebody, and how its answer is read.

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};

use super::{
    action::{self, MindAction},
    event::MindDecision,
    machine::Mind,
    observation::{GameCell, MindObservation},
    rules, talk,
};
use crate::{
    field::world::{RESPOND, StateName},
    request::{Message, MessageRole, Request, Schema},
    text::shortened,
};

const INSTRUCTIONS: &str = include_str!("instructions.txt");
/// An action is a line of JSON; some models think first.
const MAX_TOKENS: u32 = 512;
/// A game asks again every three seconds; what takes longer than this is no answer to it any more.
pub(super) const CALL_TIMEOUT_MS: u64 = 20_000;
/// How much of what is remembered is told.
const MOST_MEMORIES: usize = 10;
/// How much of a wrong answer a complaint quotes.
const LONGEST_QUOTE_CHARS: usize = 80;

/// What is asked about a body that is told of here.
pub(super) fn request(mind: &Mind, told: &MindObservation, base: Request) -> Request {
    let config = &mind.setup.config;
    let about = json!({ "traits": config.traits, "personality": config.dimensions });
    Request {
        system: vec![INSTRUCTIONS.into(), about.to_string().into()],
        thread: vec![Message { role: MessageRole::User, text: page(mind, told).to_string().into() }],
        max_tokens: MAX_TOKENS,
        timeout_ms: CALL_TIMEOUT_MS,
        schema: Some(schema()),
        ..base
    }
}

/// What the model reads.
fn page(mind: &Mind, told: &MindObservation) -> Value {
    let memory = &mind.memory;
    let mut page = serde_json::to_value(told).unwrap_or_default();
    let remembered = memory.long_term.iter().chain(memory.daily.iter().map(|memory| &memory.content));
    let remembered: Vec<&String> = remembered.rev().take(MOST_MEMORIES).collect();
    if let Some(page) = page.as_object_mut() {
        page.remove("generation");
        page.insert("working_memory".to_owned(), memory.working_memory(Some(told)));
        page.insert("memories".to_owned(), json!(remembered));
        page.insert("conversations".to_owned(), json!(memory.talks));
        page.insert("pending_bids".to_owned(), json!(memory.bids));
        page.insert("allowed_actions".to_owned(), json!(allowed(mind, told)));
    }
    page
}

fn allowed(mind: &Mind, told: &MindObservation) -> Vec<&'static str> {
    let state = told.state.unwrap_or(StateName::Idle);
    let mut allowed = state.takes().to_vec();
    if told.locked {
        allowed.retain(|name| !["move_to", "wander"].contains(name));
    }
    if !mind.memory.bids.is_empty() {
        allowed.push(RESPOND);
    }
    allowed
}

/// Whether there is anything to think about: whoever walks, waits for an answer, or listens to nothing new
/// goes on.
pub(super) fn needs_thought(mind: &Mind, told: &MindObservation) -> bool {
    let free = matches!(told.state, Some(StateName::Idle | StateName::Wandering | StateName::Waiting));
    free || !told.events.is_empty() || !mind.memory.bids.is_empty()
}

/// Reads an answer as something that the body could do. Whatever cannot be leaves it as it is, with the
/// reason.
pub(super) fn read(mind: &Mind, told: &MindObservation, answer: &str) -> MindDecision {
    let read = read_action(told, answer).and_then(|decision| {
        action::check(&decision.action, told, &mind.memory)?;
        Ok(decision)
    });
    read.unwrap_or_else(|why| {
        let quoted = shortened(answer, LONGEST_QUOTE_CHARS);
        let complaint = Some(format!("{why}: {quoted}"));
        MindDecision { complaint, ..MindDecision::new(MindAction::go_on(), "the answer could not be used") }
    })
}

fn read_action(told: &MindObservation, answer: &str) -> Result<MindDecision, String> {
    let object = answer.find('{').zip(answer.rfind('}')).and_then(|(from, to)| answer.get(from..=to));
    let value = object.and_then(|object| serde_json::from_str::<Value>(object).ok());
    let value = value.ok_or("no JSON object")?;
    let text = |key: &str| value[key].as_str().unwrap_or_default();
    let missing = || "parameters are missing".to_owned();
    let mut said = None;
    let mut action = match text("action") {
        "move_to" => {
            let cell = value["x"].as_i64().zip(value["y"].as_i64()).ok_or_else(missing)?;
            MindAction::move_to(GameCell(cell.0, cell.1), told.generation)
        }
        "interact_with" => {
            let entity = told.seen(text("entity"));
            let entity = entity.ok_or_else(|| format!("'{}' is not in sight", text("entity")))?;
            MindAction::interact(entity, text("interaction"), told.generation)
        }
        "wander" => MindAction::wander(),
        "wait" => MindAction::wait(),
        "continue" => MindAction::go_on(),
        "cancel_interaction" => MindAction::leave(),
        "act_in_interaction" if !text("message").trim().is_empty() => {
            said = Some(text("message").to_owned());
            let parameters = talk::spoken(text("message"), false, told.current.as_ref());
            MindAction::act(parameters.ok_or("the interaction takes no words")?)
        }
        RESPOND => {
            let accept = value["accept"].as_bool().ok_or_else(missing)?;
            let reason = if accept || !text("reason").is_empty() { text("reason") } else { "not now" };
            MindAction::respond(text("bid_id"), accept, reason)
        }
        "act_in_interaction" => return Err(missing()),
        _ => return Err("no such action".to_owned()),
    };
    // The id is echoed as it was sent, or not at all.
    let option = told.options.iter().find(|option| option.id == text("option_id"));
    if let Some(option) = option {
        action.selected_option_id = Some(option.id.clone());
        action.selection_rationale = Some(text("reason").to_owned()).filter(|reason| !reason.is_empty());
    }
    Ok(MindDecision { said, ..MindDecision::new(action, shortened(text("reason"), 200).as_ref()) })
}

/// What rules decide where a model gave nothing.
pub(super) fn stand_in(mind: &Mind, told: &MindObservation, at: i64, complaint: String) -> MindDecision {
    MindDecision { complaint: Some(complaint), ..rules::decide(mind, told, at) }
}

/// The shape of an answer: closed, with every key, as all providers can keep to.
fn schema() -> Arc<Schema> {
    static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
        let or_null = |of: &str| json!({"type": [of, "null"]});
        let mut actions: Vec<&str> = StateName::ALL.iter().flat_map(|state| state.takes()).copied().collect();
        actions.sort_unstable();
        actions.dedup();
        actions.push(RESPOND);
        let keys = ["entity", "interaction", "x", "y", "bid_id", "accept", "message", "option_id", "reason"];
        let kind = |key: &str| match key {
            "x" | "y" => or_null("integer"),
            "accept" => or_null("boolean"),
            _ => or_null("string"),
        };
        let mut properties = json!({ "action": {"type": "string", "enum": actions} });
        for key in keys {
            properties[key] = kind(key);
        }
        let required: Vec<&str> = ["action"].into_iter().chain(keys).collect();
        let json = json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        });
        Arc::new(Schema { name: "mind_action", json, exact: false })
    });
    SCHEMA.clone()
}
