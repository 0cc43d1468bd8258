//! A setup with everything that is worked out from it once: sheets and goals read, the stable blocks
//! of prompts written.

use std::sync::{Arc, OnceLock};

use super::{SceneSetup, Situation};
use crate::{Name, fallback, judge::Goal, sheet::Sheet};

/// Who plays, and what all of them always need.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) setup: Arc<SceneSetup>,
    pub(super) situation: Arc<Situation>,
    pub(super) players: Vec<PreparedActor>,
    /// The rules and the scene: the same bytes for every actor. Written when it is first asked for, as the
    /// others are: a scene is also prepared where only its log is read.
    rules: OnceLock<Arc<str>>,
    /// What a model judge is always told; most scenes have none.
    judge: OnceLock<Arc<str>>,
    event_writer: OnceLock<Arc<str>>,
    /// The template of updates, where it is not the built-in one of this version.
    own_update: OnceLock<Option<Arc<str>>>,
}

#[derive(Debug)]
pub(super) struct PreparedActor {
    pub(super) name: Name,
    pub(super) display: String,
    /// The models that may answer for it: the one it is played by, then its fallbacks.
    pub(super) models: Vec<Arc<str>>,
    /// Whether a person plays it.
    pub(super) human: bool,
    pub(super) sheet: Arc<Sheet>,
    /// Who this actor is.
    character: OnceLock<Arc<str>>,
}

impl Prepared {
    pub(super) fn new(setup: Arc<SceneSetup>) -> Prepared {
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
                models: models_of(&setup, &role.model),
                human: setup.models.get(&role.model).is_some_and(|card| card.human),
                // A setup is only made from sheets that could be read; a log edited by hand plays from what
                // is left.
                sheet: Arc::new(Sheet::read(role.name.as_str(), &role.sheet).unwrap_or_default()),
                character: OnceLock::new(),
            })
            .collect();
        let (rules, judge, event_writer, own_update) = Default::default();
        Prepared { setup, situation, players, rules, judge, event_writer, own_update }
    }

    /// What opens every request to an actor: the rules and the scene, then who it is.
    pub(super) fn actor_blocks(&self, place: usize) -> [Arc<str>; 2] {
        let prompts = &self.setup.prompts;
        let rules = self.rules.get_or_init(|| prompts.rules(&self.setup, &self.sheets()).into());
        let player = &self.players[place];
        let character = player
            .character
            .get_or_init(|| prompts.character(&self.setup, &self.setup.cast[place], &player.sheet).into());
        [rules.clone(), character.clone()]
    }

    /// What opens every request to the model judge.
    pub(super) fn judge_block(&self) -> Arc<str> {
        let judge = || self.setup.prompts.judge(&self.setup).into();
        self.judge.get_or_init(judge).clone()
    }

    /// What opens every request to the writer of world events.
    pub(super) fn event_writer_block(&self) -> Arc<str> {
        let writer = || self.setup.prompts.event_writer(&self.setup, &self.sheets()).into();
        self.event_writer.get_or_init(writer).clone()
    }

    /// What updates are written by, where that is not the built-in template of this version.
    pub(super) fn own_update(&self) -> Option<&str> {
        let own = || self.setup.prompts.own_update().map(Arc::from);
        self.own_update.get_or_init(own).as_deref()
    }

    fn sheets(&self) -> Vec<&Sheet> {
        self.players.iter().map(|player| &*player.sheet).collect()
    }

    /// The model with this rank of those that may answer for an actor.
    pub(super) fn model(&self, place: usize, rank: usize) -> &Arc<str> {
        let models = &self.players[place].models;
        models.get(rank).unwrap_or(&models[0])
    }

    /// The index of a character in the cast.
    pub(super) fn place(&self, name: &Name) -> Option<usize> {
        self.players.iter().position(|player| player.name == *name)
    }

    pub(super) fn display<'a>(&'a self, name: &'a Name) -> &'a str {
        self.place(name).map_or(name.as_str(), |place| &self.players[place].display)
    }
}

fn models_of(setup: &SceneSetup, first: &str) -> Vec<Arc<str>> {
    let ranks = (0..).map_while(|rank| fallback::model_at(&setup.models, first, rank));
    ranks.map(Arc::from).collect()
}
