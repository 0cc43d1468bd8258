//! What the director makes of an exchange, for programs.

use serde::Serialize;
use serde_json::Value;

use super::evaluation_told;
use crate::{
    Fact,
    episode::{Completion, Episode, EpisodeEvent},
    production::fold,
};

/// What the director says after an exchange.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DirectorOutput {
    /// `current_beat`, `beats_completed`, `user_signals`, `tension_curve`, `flags`
    pub director_state: Value,
    pub turn_count: u32,
    pub is_complete: bool,
    pub completion_trigger: Option<Completion>,
    /// What the episode came to, once it is complete.
    pub evaluation: Option<Value>,
    /// What could come next. It closes nothing.
    pub next_suggestion: Option<Value>,
}

impl DirectorOutput {
    /// After the last of these facts; nothing if they do not begin like an episode.
    pub fn of(facts: &[Fact<EpisodeEvent>]) -> Option<DirectorOutput> {
        let episode: Episode = fold(facts)?;
        let evaluated = facts.iter().rev().find_map(|fact| match &fact.event {
            EpisodeEvent::Evaluated { evaluation, suggestion, .. } => Some((evaluation, suggestion.as_ref())),
            _ => None,
        });
        let suggested = facts.iter().rev().find_map(|fact| match &fact.event {
            EpisodeEvent::Suggested { suggestion, .. } => Some(suggestion),
            _ => None,
        });
        let next = evaluated.and_then(|(_, suggestion)| suggestion).or(suggested);
        Some(DirectorOutput {
            director_state: episode.director_state(),
            turn_count: episode.turn_count(),
            is_complete: episode.is_complete(),
            completion_trigger: episode.completed.as_ref().map(|(trigger, _)| *trigger),
            evaluation: evaluated.map(|(evaluation, _)| evaluation_told(episode.setup(), evaluation)),
            next_suggestion: next.map(|suggestion| suggestion.told()),
        })
    }
}
