//! The improviser in an episode: a character that talks with a user, carries out what the director asks for,
//! and takes up what the user says, with lines written in advance and facts of its own sheet.
//!
//! Read in this order: [`heard`] (what the user does with a message), [`directive`] (how something that is
//! asked for becomes words and deeds), [`facts`] (what the character can tell of itself), [`lines`] (what can
//! be said), [`compose`] (what is said now), [`manner`] (in which mood).

mod compose;
mod directive;
mod facts;
mod heard;
mod lines;
mod manner;
mod sentences;
mod stock;

#[cfg(test)]
mod tests;

use enact_drama::{dice::Dice, episode::EpisodeView};
use serde_json::json;

/// The least that the character thinks about an answer.
const LEAST_MS: u64 = 400;
/// How much longer it may take.
const PONDERING_MS: usize = 900;

/// What the character answers that knows this, as JSON of the shape it was asked for, and for how many
/// milliseconds it thought about it.
///
/// A pure function: the same view gives the same answer.
pub fn improvise_episode(view: &EpisodeView) -> (String, u64) {
    let mut dice = Dice::new(view.setup.seed, view.setup.character.name.as_str(), view.turn);
    let thought_ms = LEAST_MS + dice.below(PONDERING_MS) as u64;
    let said = compose::compose(view, &mut dice);
    let answer = json!({
        "action": said.action.unwrap_or_default(),
        "dialogue": said.dialogue,
        "mood": said.mood,
        "tension_shift": said.tension_shift,
        "internal": said.internal,
    });
    (answer.to_string(), thought_ms)
}
