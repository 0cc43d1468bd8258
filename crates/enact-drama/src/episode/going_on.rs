//! Talking on after an episode is over: a new session with the same character, who remembers.

use super::{CompletionMode, Episode, EpisodeSetup, EpisodeTemplate};
use crate::{RunId, dice::seed_of};

impl Episode {
    /// An open session that begins where this one has ended. Nothing the author planned is left to happen in
    /// it. `came_to` says what this one came to. What the character remembers is looked up as for any other.
    pub fn going_on(&self, run: RunId, share_id: String, came_to: Option<&str>) -> EpisodeSetup {
        let setup = self.setup();
        let last_said = self.turns.last().map(|turn| turn.answer.dialogue.clone());
        let template = EpisodeTemplate {
            opening_line: last_said.unwrap_or_else(|| setup.template.opening_line.clone()),
            starter_prompts: Vec::new(),
            completion_mode: CompletionMode::Open,
            turn_budget: None,
            objective_key: None,
            require_resolution: false,
            tension: self.tension(),
            arc: Vec::new(),
            cues: Vec::new(),
            flags: Vec::new(),
            injections: Vec::new(),
            endings: Vec::new(),
            evaluation: EpisodeTemplate::default().evaluation,
            own_evaluation: None,
            ..setup.template.clone()
        };
        let so_far = setup.so_far.iter().map(String::as_str).chain(came_to);
        EpisodeSetup {
            run,
            template,
            so_far: so_far.map(str::to_owned).collect(),
            share_id,
            seed: seed_of(run),
            ..(**setup).clone()
        }
    }
}
