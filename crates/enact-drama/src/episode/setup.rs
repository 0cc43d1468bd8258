//! Everything a session needs to be played, resolved: the first fact of its log.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    EpisodePrompts, EpisodeTemplate, NextEpisode, Series,
    director::{Hook, Memory, Relationship},
};
use crate::{Name, RunId, dice::seed_of, fallback, model_card::ModelCard, production::Player, report::Cards};

/// How long an answer may take.
pub const DEFAULT_EPISODE_TIMEOUT_MS: u64 = 60_000;

/// A session ready to be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EpisodeSetup {
    /// Also the id of the session.
    pub run: RunId,
    pub template: EpisodeTemplate,
    /// The series that the episode belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// The other series of the project, for what could come next.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_series: Vec<Series>,
    pub character: EpisodeCharacter,
    /// Which of the run's models plays the character.
    pub model: String,
    /// Which of them evaluates; rules alone where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub director: Option<String>,
    pub models: Cards,
    pub prompts: EpisodePrompts,
    /// What the character remembers of earlier sessions with this user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memories: Vec<Memory>,
    /// What earlier episodes of the series came to, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub so_far: Vec<String>,
    /// What else is known around the session: from earlier ones, and of what comes after it.
    #[serde(default)]
    pub context: EpisodeContext,
    /// Names the result to those it is shared with: random, and long enough not to be guessed.
    pub share_id: String,
    pub seed: u64,
    pub answer_timeout_ms: u64,
}

/// What is known around a session, beside memories.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EpisodeContext {
    /// What is due to be come back to, the most important first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<Hook>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relationship: Option<Relationship>,
    /// How the character felt when it was seen last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mood: Option<String>,
    /// How it stands with others whom it met in scenes.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub others: BTreeMap<Name, Relationship>,
    /// The next episode of the series.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_episode: Option<NextEpisode>,
}

/// The one who is talked to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EpisodeCharacter {
    pub name: Name,
    pub display: String,
    /// The sheet, verbatim.
    pub sheet: String,
}

impl EpisodeSetup {
    /// A session of an episode that belongs to no series, with a character who remembers nothing, played by
    /// one of these models and evaluated by rules.
    pub fn new(
        run: RunId,
        template: EpisodeTemplate,
        character: EpisodeCharacter,
        (model, models): (&str, Cards),
        share_id: String,
    ) -> EpisodeSetup {
        EpisodeSetup {
            run,
            template,
            series: None,
            other_series: Vec::new(),
            character,
            model: model.to_owned(),
            director: None,
            models,
            prompts: EpisodePrompts::built_in(),
            memories: Vec::new(),
            so_far: Vec::new(),
            context: EpisodeContext::default(),
            share_id,
            seed: seed_of(run),
            answer_timeout_ms: DEFAULT_EPISODE_TIMEOUT_MS,
        }
    }

    /// Every model that may be asked, each once.
    pub fn players(&self) -> Vec<Player> {
        let player = |(name, card): (&String, &ModelCard)| {
            let plays = (*name == self.model).then(|| self.character.name.to_string());
            let directs = self.director.as_ref() == Some(name);
            let tasks = [super::request::READING, super::request::EVALUATION];
            let advises: Vec<_> = tasks.into_iter().filter(|_| directs).collect();
            Player {
                name: name.clone(),
                card: card.clone(),
                plays: plays.into_iter().collect(),
                advises,
                stands_in_for: Vec::new(),
            }
        };
        let mut players: Vec<Player> = self.models.iter().map(player).collect();
        Player::fill_in_fallbacks(&mut players);
        players.retain(Player::is_asked);
        players
    }

    /// The model with this rank among those that may answer for the character.
    pub(super) fn model_at(&self, rank: usize) -> Option<&str> {
        fallback::model_at(&self.models, &self.model, rank)
    }

    /// "Episode 2 of 4", where the series has an order.
    pub fn place_in_series(&self) -> Option<String> {
        let series = self.series.as_ref()?;
        let at = series.episodes.iter().position(|slug| *slug == self.template.slug)?;
        Some(format!("Episode {} of {}", at + 1, series.episodes.len()))
    }
}
