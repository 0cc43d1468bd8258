//! Fields that a seed decides: who is on a small map, who decides for them, and what is done to it.

use enact_drama::{
    budget::Budget,
    dice::Dice,
    field::{FieldMinds, FieldRole, FieldSetup, sheet_of, world::RULES_VERSION},
};
use serde_json::json;

use super::{CAST, Intervention, RunId, models, name};

const MAP: &str = include_str!("../../content/field.md");
/// The fastest that a field is played, and as fast as possible.
const SPEEDS: [u32; 3] = [60, 20, 0];

pub(super) fn setup((run, seed): (RunId, u64), budget: Budget, dice: &mut Dice) -> FieldSetup {
    let plays = |dice: &mut Dice| ["remembers", "forgets"][dice.below(2)].to_owned();
    let role = |name_of: &str, dice: &mut Dice| FieldRole {
        name: name(name_of),
        display: name_of.to_uppercase(),
        sheet: sheet_of(&name_of.to_uppercase(), "Has been here all day."),
        model: plays(dice),
    };
    let cast: Vec<FieldRole> =
        CAST.character.iter().take(3).map(|character| role(&character.name, dice)).collect();
    let watched = dice.one_in(2).then(|| cast[0].display.clone());
    let model = plays(dice);
    let minds = dice.one_in(2).then(|| FieldMinds {
        model: "forgets".to_owned(),
        calls_per_minute: 5 + dice.below(20) as u32,
        most_calls: 40,
    });
    FieldSetup {
        run,
        name: name("simulated"),
        file: MAP.to_owned(),
        rules: RULES_VERSION,
        cast,
        models: models(seed, dice),
        model,
        seed,
        minutes: 1,
        speed: SPEEDS[dice.below(SPEEDS.len())],
        check: true,
        minds,
        budget,
        watched,
        remembered: Default::default(),
    }
}

pub(super) fn command(number: usize, dice: &mut Dice) -> Intervention {
    let text = format!("posted-{number}-words");
    let (command, text) = match dice.below(15) {
        0..4 => (json!({ "command": "world_event", "text": text }), Some(text)),
        4 => (json!({ "command": "place", "person": text, "x": 2, "y": 2 }), None),
        5 => (json!({ "command": "place", "thing": "bread", "x": 3, "y": 3 }), None),
        6 => (json!({ "command": "remove", "entity": "BOB" }), None),
        7 => (json!({ "command": "watch", "entity": (["ALICE", "BOB"][dice.below(2)]) }), None),
        8 => (json!({ "command": "step", "ticks": 1 + dice.below(200) }), None),
        9 => (json!({ "command": "pause" }), None),
        10 => (json!({ "command": "resume" }), None),
        11 => (json!({ "command": "drive", "entity": "ALICE", "remote": !dice.one_in(3) }), None),
        12..14 => {
            // Nobody asked for the first two: late, or for another.
            let request = [None, Some(99), Some(1)][dice.below(3)];
            let decision = match dice.below(3) {
                0 => json!({ "action": "move_to", "parameters": { "x": 3, "y": 3 } }),
                1 => json!({ "action": "cancel_interaction", "parameters": {} }),
                _ => json!({ "action": "wander", "parameters": {} }),
            };
            (json!({ "command": "act", "entity": "ALICE", "request": request, "decision": decision }), None)
        }
        _ if dice.one_in(2) => (json!({ "command": "speed", "factor": 60 }), None),
        _ => (json!({ "command": "cancel" }), None),
    };
    Intervention::Post { command: command.to_string(), text }
}
