//! What the character knows in a turn, as data: for players made of rules.

use std::sync::Arc;

use super::{Episode, EpisodeSetup, NarrativeBeat, director::Directive};

/// What the character knows when it is asked.
#[derive(Debug, Clone)]
pub struct EpisodeView {
    pub setup: Arc<EpisodeSetup>,
    /// The turn that is played, counted from 1.
    pub turn: u32,
    pub beat: NarrativeBeat,
    pub tension: u8,
    pub message: String,
    pub directive: Option<Directive>,
    /// What was said before, the oldest first: the user's words and the character's.
    pub before: Vec<(String, String)>,
    /// What the character did before, the oldest first.
    pub done_before: Vec<String>,
    /// The cues that the character was asked for before.
    pub asked_before: Vec<String>,
}

impl EpisodeView {
    /// For the turn that is under way.
    pub fn of(episode: &Episode) -> EpisodeView {
        let message = episode.message.clone().unwrap_or_default();
        let said =
            |turn: &Arc<super::state::EpisodeTurn>| (turn.message.text.clone(), turn.answer.dialogue.clone());
        let done = |turn: &Arc<super::state::EpisodeTurn>| turn.answer.action.clone();
        let asked =
            |turn: &Arc<super::state::EpisodeTurn>| Some(turn.message.directive.as_ref()?.cue.clone());
        EpisodeView {
            setup: Arc::clone(episode.setup()),
            turn: episode.turn_count() + 1,
            beat: episode.beat(),
            tension: episode.tension(),
            message: message.text,
            directive: message.directive,
            before: episode.turns.iter().map(said).collect(),
            done_before: episode.turns.iter().filter_map(done).collect(),
            asked_before: episode.turns.iter().filter_map(asked).collect(),
        }
    }
}
