//! Talking on after an episode is over: a new session with the same character, who remembers.

use std::collections::BTreeMap;

use super::{CompletionMode, Episode, EpisodeSetup, EpisodeTemplate, director::Memory};
use crate::{RunId, dice::seed_of};

/// How many memories of each kind are taken along.
const MOST_OF_A_KIND: usize = 3;

impl Episode {
    /// An open session that begins where this one has ended. Nothing the author planned is left to happen in
    /// it. `came_to` says what this one came to.
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
            cues: Vec::new(),
            flags: Vec::new(),
            injections: Vec::new(),
            endings: Vec::new(),
            evaluation: EpisodeTemplate::default().evaluation,
            ..setup.template.clone()
        };
        let so_far = setup.so_far.iter().map(String::as_str).chain(came_to);
        EpisodeSetup {
            run,
            template,
            memories: newest_of_each_kind(self.memories.iter().rev().chain(setup.memories.iter())),
            so_far: so_far.map(str::to_owned).collect(),
            share_id,
            seed: seed_of(run),
            ..(**setup).clone()
        }
    }
}

/// The first of each kind, of those that stand with the newest first.
fn newest_of_each_kind<'a>(memories: impl Iterator<Item = &'a Memory>) -> Vec<Memory> {
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let fits = |memory: &&Memory| {
        let of_kind = taken.entry(format!("{:?}", memory.kind)).or_default();
        *of_kind += 1;
        *of_kind <= MOST_OF_A_KIND
    };
    memories.filter(fits).cloned().collect()
}
