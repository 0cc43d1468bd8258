//! A setup with everything that is worked out from it once: sheets and goals read, stable prompt blocks
//! written.

use std::sync::{Arc, OnceLock};

use super::{Setup, Situation, model_judge, prompt};
use crate::{Name, judge::Goal, sheet::Sheet};

/// Who plays, and what all of them always need.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) setup: Arc<Setup>,
    pub(super) situation: Arc<Situation>,
    pub(super) players: Vec<PreparedActor>,
    /// The rules and the scene: the same bytes for every actor.
    pub(super) shared_block: Arc<str>,
    /// What a model judge is always told; most scenes have none.
    judge_blocks: OnceLock<[Arc<str>; 2]>,
}

#[derive(Debug)]
pub(super) struct PreparedActor {
    pub(super) name: Name,
    pub(super) display: String,
    pub(super) model: Arc<str>,
    pub(super) sheet: Arc<Sheet>,
    /// Who this actor is.
    pub(super) own_block: Arc<str>,
}

impl Prepared {
    pub(super) fn new(setup: Arc<Setup>) -> Prepared {
        let displays: Vec<&str> = setup.cast.iter().map(|role| role.display.as_str()).collect();
        let goals = setup.goals.iter().map(|text| Goal::read(text, &displays)).collect();
        let situation = Arc::new(Situation {
            prompt: setup.config.prompt.clone(),
            setting: setup.config.setting.clone(),
            goals,
            cast: setup.cast.iter().map(|role| (role.name.clone(), role.display.clone())).collect(),
            seed: setup.seed,
            max_beats: setup.max_beats,
        });
        let players = setup
            .cast
            .iter()
            .map(|role| PreparedActor {
                name: role.name.clone(),
                display: role.display.clone(),
                model: role.model.as_str().into(),
                // A setup is only made from sheets that could be read; a log edited by hand plays from what
                // is left.
                sheet: Arc::new(Sheet::read(role.name.as_str(), &role.sheet).unwrap_or_default()),
                own_block: prompt::own_block(role).into(),
            })
            .collect();
        let shared_block = prompt::shared_block(&setup).into();
        Prepared { setup, situation, players, shared_block, judge_blocks: OnceLock::new() }
    }

    pub(super) fn judge_blocks(&self) -> &[Arc<str>; 2] {
        self.judge_blocks.get_or_init(|| model_judge::blocks(&self.setup))
    }

    /// Where somebody stands in the cast.
    pub(super) fn place(&self, name: &Name) -> Option<usize> {
        self.players.iter().position(|player| player.name == *name)
    }

    pub(super) fn display<'a>(&'a self, name: &'a Name) -> &'a str {
        self.place(name).map_or(name.as_str(), |place| &self.players[place].display)
    }
}
