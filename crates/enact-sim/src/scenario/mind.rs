//! Minds that a seed decides: who decides, and what the game tells in which calls.

use enact_drama::{
    budget::Budget,
    dice::Dice,
    mind::{MindConfig, MindObservation, MindSetup},
};
use serde_json::{Value, json};

use super::{Intervention, RunId, models};

/// The names of calls that are made more than once.
const REPEATED_REQUESTS: usize = 3;
/// What a body may be doing.
const STATES: [&str; 5] = ["idle", "idle", "waiting", "moving", "interacting"];

pub(super) fn setup((run, seed): (RunId, u64), budget: Budget, dice: &mut Dice) -> MindSetup {
    MindSetup {
        run,
        mind_id: "simulated".to_owned(),
        entity_id: "npc_1".to_owned(),
        config: MindConfig::unknown(),
        model: [None, Some("remembers"), Some("forgets")][dice.below(3)].map(str::to_owned),
        models: models(seed, dice),
        most_calls: [2, 1_000][dice.below(2)],
        budget,
        seed,
    }
}

/// What is done to a mind beside calling it.
pub(super) fn command(number: usize, dice: &mut Dice) -> Intervention {
    let command = match dice.below(8) {
        0..2 => json!({ "command": "release" }),
        2..4 => json!({ "command": "link", "entity_id": "npc_2" }),
        4..6 => json!({ "command": "consolidate" }),
        6 => json!({ "command": "cancel" }),
        _ => return calls(number, dice),
    };
    Intervention::Post { command: command.to_string(), text: None }
}

/// Calls that come together. The first is made once and known by its name, or one that its client makes again and
/// again; some that were decided never reached the game.
pub(super) fn calls(number: usize, dice: &mut Dice) -> Intervention {
    let text = (!dice.one_in(3)).then(|| format!("posted-{number}-words"));
    let request = text.clone().unwrap_or_else(|| again(number));
    let mut told = vec![call(&request, dice)];
    if dice.one_in(3) {
        told.push(call(&again(number + 1), dice));
    }
    if dice.one_in(6) {
        told.push(call(&request, dice));
    }
    let withheld = match dice.below(4) {
        0 => vec![format!("posted-{}-words", number.saturating_sub(1))],
        1 => vec![again(number + 2)],
        _ => Vec::new(),
    };
    let command = json!({ "command": "decide", "told": told, "withheld": withheld });
    Intervention::Post { command: command.to_string(), text }
}

fn again(number: usize) -> String {
    format!("again-{}", number % REPEATED_REQUESTS)
}

fn call(request: &str, dice: &mut Dice) -> Value {
    let told = MindObservation::read(&body(dice), &events(dice));
    json!({ "request": request, "observation": told, "late": dice.one_in(10) })
}

fn body(dice: &mut Dice) -> Value {
    let apple = json!({ "entity_id": "apple", "display_name": "Apple", "position": [dice.below(4), 0],
                        "interactions": { "eat": { "needs_filled": ["hunger"] } } });
    let bob = json!({ "entity_id": "bob", "display_name": "Bob", "position": [0, 1],
                      "interactions": { "conversation": {} } });
    json!({
        "status": {
            "position": [0, 0],
            "activity_state": { "state_name": STATES[dice.below(STATES.len())] },
            "current_interaction": { "name": "conversation" },
            "movement_locked": dice.one_in(10),
        },
        "needs": { "needs": { "hunger": dice.below(100), "fun": dice.below(100) } },
        "vision": { "visible_entities": [apple, bob] },
    })
}

fn events(dice: &mut Dice) -> Vec<Value> {
    let event = |kind: &str, payload: Value| vec![json!({ "event_type": kind, "payload": payload })];
    let said =
        json!({ "speaker_id": "bob", "speaker_name": "Bob", "message": "Well?", "timestamp": dice.below(9) });
    match dice.below(8) {
        0 => event(
            "INTERACTION_BID_RECEIVED",
            json!({ "bid_id": "bid", "bidder_name": "Bob", "interaction_name": "conversation" }),
        ),
        1 => event("INTERACTION_BID_CANCELED", json!({ "bid_id": "bid" })),
        2 => event(
            "INTERACTION_OBSERVATION",
            json!({ "interaction_name": "conversation", "conversation_history": [said] }),
        ),
        3 => event("INTERACTION_FINISHED", json!({ "interaction_name": "conversation" })),
        4 => event("ERROR", json!({ "message": "Target not found: Apple" })),
        _ => Vec::new(),
    }
}
