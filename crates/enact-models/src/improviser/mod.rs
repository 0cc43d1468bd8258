//! The improviser: a player made of rules, for when there is no language model at hand.
//!
//! It knows what any actor knows, its sheet, the goals and the transcript, and answers in the reply format.
//! It is no language model and does not pretend to be one: it is a table read of what the author wrote
//! ([`from_story`], with `enact_drama::story`), along an arc ([`arc`]) that it reads off the goals, with stock
//! lines ([`lines`]) where the author wrote nothing, and dice keyed by seed and scene, so that the same seed gives
//! the same scene.
//!
//! Read in this order: [`role`] (who is who), [`arc`] (what should happen), [`progress`] (how much of it
//! has), [`decide`] (what I do now), [`from_story`] (in the author's words), [`deeds`] (what a goal asks for),
//! [`pick_line`] (in stock words), [`inquiry`] and [`guilt`] (how something comes out), [`instructions`] (what a
//! sheet asks of its player), [`topic`] and [`goal_object`] (about what). [`read_so_far`] keeps what was read
//! of the transcript. What it does in a chorus is another game, with lines of its own: [`chorus`]; and so is an
//! [`episode`], in which it talks with a user.

mod arc;
mod chorus;
mod decide;
mod deeds;
mod episode;
mod from_story;
mod gesture;
mod goal_object;
mod guilt;
mod inquiry;
mod instructions;
mod interruption;
mod lines;
mod material;
mod moves;
mod pick_line;
mod progress;
mod read_so_far;
mod reply;
mod role;
mod simple_goals;
mod situation;
mod talk;
mod template;
mod topic;
mod traits;
mod voice;
mod words;

#[cfg(test)]
mod tests;

use async_trait::async_trait;
use enact_drama::{
    model_card::ModelCard,
    production::{Answer, Failure},
    request::Request,
    scene::{self},
    usage::Usage,
};
use enact_engine::{Model, model::Timing};

pub use chorus::improvise_chorus;
pub use episode::improvise_episode;
use read_so_far::ReadSoFar;

/// What a player made of rules answers to a request, and how many milliseconds it thought about it; nothing
/// if the request is of a production it does not know.
pub type Improvisation = fn(&Request) -> Option<(String, u64)>;

/// The built-in player. It needs no key, no network and no download.
#[derive(Debug, Clone)]
pub struct Improviser {
    players: Vec<Improvisation>,
}

impl Default for Improviser {
    /// Plays scenes, choruses and episodes.
    fn default() -> Improviser {
        let scene = |request: &Request| Some(improvise(request.view::<scene::View>()?));
        let chorus = |request: &Request| Some(improvise_chorus(request.view()?));
        let episode = |request: &Request| Some(improvise_episode(request.view()?));
        Improviser { players: vec![scene, chorus, episode] }
    }
}

impl Improviser {
    /// Plays another production as well.
    pub fn with(mut self, player: Improvisation) -> Improviser {
        self.players.push(player);
        self
    }
}

#[async_trait]
impl Model for Improviser {
    fn card(&self) -> ModelCard {
        // It reads the view, so the shorter of the two texts is enough.
        ModelCard {
            label: Some("improviser".to_owned()),
            ..ModelCard::free_without_memory("improviser (built-in rules in English, not a language model)")
        }
    }

    fn timing(&self) -> Timing {
        Timing::Simulated
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        let improvised = self.players.iter().find_map(|player| player(&request));
        let (text, took_ms) = improvised.ok_or_else(|| {
            Failure::new(match request.actor {
                Some(_) => "the improviser does not know how to play this",
                None => "the improviser only plays characters",
            })
        })?;
        Ok(Answer { text, usage: Some(Usage::NONE), took_ms, first_word_ms: None })
    }
}

/// What an actor answers who knows this, and how many milliseconds it thought about it.
///
/// A pure function: the same view gives the same answer, whatever its cache holds.
pub fn improvise(view: &scene::View) -> (String, u64) {
    view.cache.with(|read: &mut ReadSoFar| {
        let read = if read.is_ahead_of(&view.lines) { &mut ReadSoFar::default() } else { read };
        improvise_with(view, read)
    })
}

fn improvise_with(view: &scene::View, read: &mut ReadSoFar) -> (String, u64) {
    match situation::ActorSituation::of(view, read) {
        Some(situation) => {
            let decision = decide::decide(&situation);
            (decision.reply.render(), decision.thought_ms)
        }
        // An actor who is not in the cast has nothing to say.
        None => (reply::ImprovisedReply::Silent { gesture: None }.render(), decide::QUICKEST_MS),
    }
}
