//! Sessions that a seed decides: which episode, who answers, and what the user sends.

use enact_drama::{
    dice::Dice,
    episode::{EpisodeCharacter, EpisodeContext, EpisodePrompts, EpisodeSetup, read_episode},
};
use serde_json::json;

use super::{CAST, Intervention, RunId, models, name};

/// One for each way in which an episode is completed, and one that never is.
const EPISODES: [&str; 4] = [
    include_str!("../../content/episodes/turns.md"),
    include_str!("../../content/episodes/beats.md"),
    include_str!("../../content/episodes/objective.md"),
    include_str!("../../content/episodes/open.md"),
];
/// The ids of messages that are sent more than once.
const REPEATED_IDS: usize = 3;

pub(super) fn setup((run, seed): (RunId, u64), dice: &mut Dice) -> EpisodeSetup {
    let template = read_episode(EPISODES[dice.below(EPISODES.len())], "simulated");
    let sketch = &CAST.character[0];
    let character = EpisodeCharacter {
        name: name(&sketch.name),
        display: sketch.name.to_uppercase(),
        sheet: sketch.sheet.clone(),
    };
    EpisodeSetup {
        run,
        template: template.expect("an episode that can be read"),
        series: None,
        other_series: Vec::new(),
        character,
        model: ["remembers", "forgets"][dice.below(2)].to_owned(),
        director: dice.one_in(2).then(|| "forgets".to_owned()),
        models: models(seed, dice),
        prompts: EpisodePrompts::built_in(),
        memories: Vec::new(),
        so_far: Vec::new(),
        context: EpisodeContext::default(),
        share_id: format!("share-{seed}"),
        seed,
        answer_timeout_ms: [400, 1_000, 3_000][dice.below(3)],
    }
}

/// A message that is sent once and known by its text, or one that its client sends again and again.
pub(super) fn message(number: usize, dice: &mut Dice) -> Intervention {
    if dice.one_in(3) {
        let id = format!("again-{}", number % REPEATED_IDS);
        let command = json!({ "command": "message", "id": id, "text": "Are you there? I confess." });
        return Intervention::Post { command: command.to_string(), text: None };
    }
    let text = format!("posted-{number}-words");
    let command = match dice.one_in(6) {
        // Often nothing is offered: then it is refused.
        true => json!({ "command": "message", "id": text, "choiceId": "stay" }),
        false => json!({ "command": "message", "id": text, "text": text }),
    };
    Intervention::Post { command: command.to_string(), text: Some(text) }
}
