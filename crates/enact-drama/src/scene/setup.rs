//! Everything a scene needs to be played, resolved: the first fact of its log.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{AdviserChoice, Checked, HiddenPurpose, Remembered, SceneConfig, ScenePrompts};
use crate::{
    Name, Problem, RunId,
    budget::{Budget, check_prices},
    did_you_mean,
    judge::goals_of,
    look_alikes::skeleton,
    model_card::ModelCard,
    production::Player,
    report::title,
    sheet::Sheet,
    text::one_line,
};

/// A scene ready to be played. It holds all that was read from outside, so that a log needs nothing beside
/// it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SceneSetup {
    pub run: RunId,
    pub name: Name,
    /// As the author gave it.
    pub config: SceneConfig,
    pub cast: Vec<Role>,
    pub opener: Option<Name>,
    /// From `goals:`, else from a "Scene goal:" part, else from the prompt's sentences.
    pub goals: Vec<String>,
    pub max_beats: u32,
    pub reply_timeout_ms: u64,
    /// How many lines a model without a thread is shown.
    pub window: usize,
    pub seed: u64,
    /// The models that play, by the names the roles use.
    pub models: BTreeMap<String, ModelCard>,
    /// Which of them is asked beside the rules whether the goal is reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// Which of them writes world events once the author's own are used up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_writer: Option<String>,
    #[serde(default, skip_serializing_if = "Budget::is_open")]
    pub budget: Budget,
    /// The project's own templates of what models are told, and which built-in ones there were.
    #[serde(default, skip_serializing_if = "ScenePrompts::is_default")]
    pub prompts: ScenePrompts,
    /// What characters bring along from earlier scenes, where the scene [remembers](SceneConfig::remember).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub remembered: BTreeMap<Name, Remembered>,
}

/// What a scene can be played with: the models at hand, and what the hidden ones do.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SceneOptions {
    pub models: BTreeMap<String, ModelCard>,
    pub judge: AdviserChoice,
    pub event_writer: AdviserChoice,
    pub budget: Budget,
    pub prompts: ScenePrompts,
}

/// A character as cast in this scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Role {
    pub name: Name,
    pub display: String,
    /// The sheet, verbatim.
    pub sheet: String,
    /// Which of the run's models plays it.
    pub model: String,
}

impl SceneSetup {
    /// What people read above the scene: the author's title or, without one, its name as a title.
    pub fn title(&self) -> String {
        let own = self.config.title.as_deref().map(one_line).filter(|title| !title.is_empty());
        own.unwrap_or_else(|| title(self.name.as_str()))
    }

    /// The longest answer of a hidden call: what it takes, or as much as its model may use for any answer. A
    /// model that thinks uses most of it before the first word.
    pub(super) fn hidden_tokens(&self, adviser: &str, needed: u32) -> u32 {
        let card = self.models.get(adviser);
        card.and_then(|card| card.max_tokens).map_or(needed, |allowed| allowed.max(needed))
    }

    /// Casts a scene: checks everything there is to check and resolves what the config leaves open.
    ///
    /// `sheets` are the characters' sheets, verbatim, in any order; `model_of` says by which model of the
    /// options a character is played; `seed` is taken where the config names none.
    pub fn cast(
        run: RunId,
        config: SceneConfig,
        sheets: Vec<(Name, String)>,
        options: SceneOptions,
        model_of: impl Fn(&Name, &Sheet) -> String,
        seed: u64,
    ) -> Result<SceneSetup, Problem> {
        let Checked { name, characters, opener, limits, .. } = config.check()?;
        let SceneOptions { models, judge, event_writer, budget, prompts } = options;
        for (who, choice) in [("the judge", &judge), ("the event writer", &event_writer)] {
            let AdviserChoice::Model(model) = choice else { continue };
            known_model(who, model, &models)?;
            if models.get(model).is_some_and(|card| card.human) {
                return Err(Problem::config(format!("{who} cannot be a person ('{model}')"))
                    .hint("people play characters: --model CHARACTER=human"));
            }
        }
        let mut sheets: BTreeMap<Name, String> = sheets.into_iter().collect();
        let mut cast: Vec<Role> = Vec::with_capacity(characters.len());
        for name in characters {
            let Some(text) = sheets.remove(&name) else {
                return Err(Problem::no_such_character(name.as_str()));
            };
            let sheet = Sheet::read(name.as_str(), &text)?;
            let model = model_of(&name, &sheet);
            known_model(&format!("character '{name}'"), &model, &models)?;
            let role = Role { name, display: sheet.display, sheet: text, model };
            check_display(&role, &cast)?;
            cast.push(role);
        }
        let (judge, event_writer) = AdviserChoice::resolve(judge, event_writer, &cast, &models);
        let played_by = cast.iter().map(|role| &role.model).chain(&judge).chain(&event_writer);
        check_prices(&budget, played_by.clone(), &models)?;
        for model in played_by {
            for fallback in models.get(model).into_iter().flat_map(|card| &card.fallback) {
                known_model(&format!("as a fallback, the model '{model}'"), fallback, &models)?;
            }
        }
        let displays: Vec<&str> = cast.iter().map(|role| role.display.as_str()).collect();
        let goals = goals_of(&config.goals, &config.prompt, &displays);
        let seed = config.seed.unwrap_or(seed);
        let setup = SceneSetup {
            run,
            name,
            cast,
            opener,
            goals,
            max_beats: limits.max_beats,
            reply_timeout_ms: limits.reply_timeout_ms,
            window: limits.window,
            seed,
            models,
            judge,
            event_writer,
            budget,
            prompts: prompts.of_this_version(),
            remembered: BTreeMap::new(),
            config,
        };
        setup.prompts.check_scene(&setup)?;
        Ok(setup)
    }

    /// Whether a character is played by a person.
    pub fn is_human(&self, actor: &Name) -> bool {
        let role = self.cast.iter().find(|role| role.name == *actor);
        role.and_then(|role| self.models.get(&role.model)).is_some_and(|card| card.human)
    }

    /// Every model that may be asked, each once.
    pub fn players(&self) -> Vec<Player> {
        let player = |(name, card): (&String, &ModelCard)| {
            let cast = self.cast.iter().filter(|role| role.model == *name);
            let hidden =
                [(&self.judge, HiddenPurpose::Judge), (&self.event_writer, HiddenPurpose::WorldEvent)];
            let advises = hidden.into_iter().filter(|(model, _)| model.as_ref() == Some(name));
            Player {
                name: name.clone(),
                card: card.clone(),
                plays: cast.map(|role| role.name.to_string()).collect(),
                advises: advises.map(|(_, purpose)| purpose.into()).collect(),
                stands_in_for: Vec::new(),
            }
        };
        let mut players: Vec<Player> = self.models.iter().map(player).collect();
        Player::fill_in_fallbacks(&mut players);
        players.retain(Player::is_asked);
        players
    }
}

fn known_model(who: &str, model: &str, models: &BTreeMap<String, ModelCard>) -> Result<(), Problem> {
    if models.contains_key(model) {
        return Ok(());
    }
    let problem = Problem::config(format!("{who} asks for the model '{model}', which is not known"));
    Err(match did_you_mean(model, models.keys().map(String::as_str)) {
        Some(name) => problem.hint(format!("did you mean '{name}'?")),
        None => problem,
    })
}

/// Actors address each other, and readers and the judge tell them apart, by display name. Numbering namesakes
/// would put words on stage that no author wrote, so they are refused.
fn check_display(role: &Role, cast: &[Role]) -> Result<(), Problem> {
    let seen = skeleton(&role.display);
    let Some(other) = cast.iter().find(|other| skeleton(&other.display) == seen) else {
        return Ok(());
    };
    let message =
        format!("characters '{}' and '{}' are both called {} on stage", other.name, role.name, role.display);
    Err(Problem::config(message).hint("give one of them another 'name:' in the front matter of its sheet"))
}

#[cfg(test)]
mod tests;
