//! One session of a made-up player with the improviser: the rules alone, without an engine, a store or a
//! clock.

use std::{collections::BTreeMap, sync::Arc};

use enact_drama::{
    Fact, Production, RunId, Seq,
    episode::{Episode, EpisodeCharacter, EpisodeCommand, EpisodeEvent, EpisodeSetup, EpisodeView},
    model_card::ModelCard,
    production::{Answer, Effect, Happened, Input},
};
use enact_models::improvise_episode;
use uuid::Uuid;

use super::persona::{MadeUpPlayer, PlayerMove};
use crate::episode::files::FoundEpisode;

/// How long a player stays in an episode that does not end by itself.
const MOST_TURNS: u32 = 16;

const MODEL: &str = "improviser";

/// What came of a session.
#[derive(Debug, Default)]
pub(super) struct Rehearsed {
    pub(super) turns: u32,
    /// What completed it, if it was completed.
    pub(super) trigger: Option<String>,
    pub(super) ending: Option<String>,
    /// In which turn each beat happened.
    pub(super) beats: BTreeMap<String, u32>,
    pub(super) flags: Vec<String>,
    /// The narrative beats that it came to.
    pub(super) reached: Vec<&'static str>,
    /// After each turn, 0 to 100.
    pub(super) tension: Vec<u8>,
}

/// Plays a session to its end, or until the player has had enough.
pub(super) fn simulate(found: &FoundEpisode, display: &str, persona: &MadeUpPlayer, seed: u64) -> Rehearsed {
    let first = EpisodeEvent::EpisodeBegan { setup: Arc::new(setup(found, display, seed)) };
    let first = Fact { seq: Seq(0), at: 0, event: first };
    let mut session = Rehearsal {
        episode: Episode::begin(&first).expect("this is how an episode begins"),
        next: Seq(1),
        came_of_it: Rehearsed { reached: vec!["establishment"], ..Rehearsed::default() },
    };
    while session.episode.ended().is_none() && session.episode.turn_count() < MOST_TURNS {
        let (text, choice_id) = match persona.acts(&session.episode, seed) {
            PlayerMove::Says(text) => (Some(text), None),
            PlayerMove::Chooses(id) => (None, Some(id)),
        };
        let id = session.next.0.to_string();
        session.happens(Happened::Commanded(EpisodeCommand::Message { id, text, choice_id }));
        let asked = session.episode.pending().into_iter().find_map(|effect| match effect {
            Effect::Ask(ask) => Some(ask.call),
            _ => None,
        });
        // Nothing is asked only where a message is refused, and then no other would be taken.
        let Some(call) = asked else { break };
        let (text, took_ms) = improvise_episode(&EpisodeView::of(&session.episode));
        let answer = Answer { took_ms, ..Answer::from(text.as_str()) };
        session.happens(Happened::Answered { call, answer });
    }
    session.came_of_it.turns = session.episode.turn_count();
    session.came_of_it
}

struct Rehearsal {
    episode: Episode,
    next: Seq,
    came_of_it: Rehearsed,
}

impl Rehearsal {
    fn happens(&mut self, what: Happened<EpisodeCommand>) {
        let at = self.next.0 as i64;
        for event in self.episode.decide(&Input { at, what }) {
            let fact = Fact { seq: self.next, at, event };
            self.episode.apply(&fact);
            self.note(&fact.event);
            self.next = self.next.next();
        }
    }

    fn note(&mut self, event: &EpisodeEvent) {
        let noted = &mut self.came_of_it;
        match event {
            EpisodeEvent::CueLanded { turn, cue, .. } => {
                noted.beats.insert(cue.clone(), *turn);
            }
            EpisodeEvent::FlagSet { flag, .. } => noted.flags.push(flag.clone()),
            EpisodeEvent::BeatReached { beat, .. } => noted.reached.push(beat.as_str()),
            EpisodeEvent::TurnCompleted { .. } => noted.tension.push(self.episode.tension()),
            EpisodeEvent::Completed { trigger, ending, .. } => {
                noted.trigger =
                    serde_json::to_value(trigger).ok().and_then(|name| Some(name.as_str()?.to_owned()));
                noted.ending.clone_from(ending);
            }
            _ => {}
        }
    }
}

fn setup(found: &FoundEpisode, display: &str, seed: u64) -> EpisodeSetup {
    let run = RunId(Uuid::from_u128(u128::from(seed)));
    let (name, sheet) = (found.name.clone(), found.sheet.clone());
    let character = EpisodeCharacter { name, display: display.to_owned(), sheet };
    let models = (MODEL, BTreeMap::from([(MODEL.to_owned(), ModelCard::free(MODEL))]));
    EpisodeSetup {
        series: found.series.clone(),
        other_series: found.other_series.clone(),
        seed,
        ..EpisodeSetup::new(run, found.template.clone(), character, models, seed.to_string())
    }
}
