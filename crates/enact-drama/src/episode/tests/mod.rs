//! Episodes, played without an engine: what happens goes in, facts come out and are folded.

mod answers;
mod completion;
mod director;
mod evaluations;
mod files;
mod injection;
mod messages;
mod pacing;
mod properties;
mod reading;
mod rows;
mod shipped;
mod states;

use std::{collections::BTreeMap, sync::Arc};

use serde_json::json;

use super::{report::EpisodeClientEvents, *};
use crate::{
    Fact, Name, RunId, Seq,
    model_card::ModelCard,
    production::{Answer, ClientEvent, ClientEvents, Effect, Happened, Input, Production},
};

/// An episode that is being played.
pub(super) struct Played {
    pub(super) episode: Episode,
    pub(super) facts: Vec<Fact<EpisodeEvent>>,
}

impl Played {
    pub(super) fn begin(template: EpisodeTemplate) -> Played {
        Played::with(template, |_| {})
    }

    pub(super) fn with(template: EpisodeTemplate, change: impl FnOnce(&mut EpisodeSetup)) -> Played {
        let mut setup = EpisodeSetup {
            run: RunId(uuid::Uuid::from_u128(7)),
            template,
            series: None,
            other_series: Vec::new(),
            character: EpisodeCharacter {
                name: Name::new("mina").expect("a plain name"),
                display: "Mina".to_owned(),
                sheet: "# Mina".to_owned(),
            },
            model: "test".to_owned(),
            director: None,
            models: BTreeMap::from([("test".to_owned(), ModelCard::free("test"))]),
            prompts: EpisodePrompts::built_in(),
            memories: Vec::new(),
            so_far: Vec::new(),
            context: EpisodeContext::default(),
            share_id: "share".to_owned(),
            seed: 1,
            answer_timeout_ms: 1_000,
        };
        change(&mut setup);
        let event = EpisodeEvent::EpisodeBegan { setup: Arc::new(setup) };
        let first = Fact { seq: Seq(0), at: 0, event };
        let episode = Episode::begin(&first).expect("an episode begins like this");
        Played { episode, facts: vec![first] }
    }

    pub(super) fn happens(&mut self, what: Happened<EpisodeCommand>) {
        let at = self.facts.len() as i64;
        for event in self.episode.decide(&Input { at, what }) {
            let fact = Fact { seq: self.episode.next_seq, at, event };
            self.episode.apply(&fact);
            self.facts.push(fact);
        }
    }

    pub(super) fn command(&mut self, id: &str, text: Option<&str>, choice: Option<&str>) {
        let (text, choice_id) = (text.map(str::to_owned), choice.map(str::to_owned));
        self.happens(Happened::Commanded(EpisodeCommand::Message { id: id.to_owned(), text, choice_id }));
    }

    /// Answers whatever is asked.
    pub(super) fn answer(&mut self, text: &str) {
        let ask = self.episode.pending().into_iter().find_map(|effect| match effect {
            Effect::Ask(ask) => Some(ask),
            _ => None,
        });
        let call = ask.expect("something is asked").call;
        self.happens(Happened::Answered { call, answer: Answer::from(text) });
    }

    /// One exchange.
    pub(super) fn exchange(&mut self, user: &str, said: &str) {
        let id = format!("m{}", self.facts.len());
        self.command(&id, Some(user), None);
        self.answer(&json!({"action": "", "dialogue": said, "mood": "calm", "tension_shift": 0}).to_string());
    }

    /// What clients are told of all of it.
    pub(super) fn told(&self) -> Vec<ClientEvent> {
        let mut client = EpisodeClientEvents::begin(&self.facts[0]).expect("an episode begins like this");
        self.facts.iter().filter_map(|fact| client.on_fact(fact)).collect()
    }

    pub(super) fn told_names(&self) -> Vec<&'static str> {
        self.told().into_iter().map(|event| event.name).collect()
    }

    pub(super) fn flags(&self) -> Vec<&str> {
        self.episode.flags().keys().map(String::as_str).collect()
    }
}

/// An episode that says as little as can be.
pub(super) fn template(front_matter: &str) -> EpisodeTemplate {
    let text = format!("---\ncharacter: mina\n{front_matter}\n---\nA bar, late.\n");
    read_episode(&text, "test").expect("the episode can be read")
}
