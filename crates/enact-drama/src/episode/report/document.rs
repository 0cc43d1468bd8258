//! An episode as a document: who said what, and what came of it.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::{
    Fact, Production,
    episode::{Completion, Episode, EpisodeEnd, EpisodeEvent, EpisodeSetup, evaluation::Evaluation, request},
    production::Purpose,
    report::{Block, Document, Ledger, Report, Sent, Speech},
};

/// What the user is called in transcripts.
const USER: &str = "You";

/// The log of an episode, folded for people.
#[derive(Debug, Clone)]
pub struct EpisodeReport {
    episode: Episode,
    document: Document,
    ledger: Ledger,
    messages: Vec<Value>,
    evaluation: Option<Evaluation>,
    errors: Vec<Value>,
}

impl Report for EpisodeReport {
    type Event = EpisodeEvent;

    fn begin(first: &Fact<EpisodeEvent>) -> Option<EpisodeReport> {
        let episode = Episode::begun(first)?;
        let setup = Arc::clone(episode.setup());
        let mut document = Document::new(Episode::NAME, &setup.template.slug, first.at)
            .field("With", &setup.character.display)
            .field("Situation", &setup.template.situation);
        document.title.clone_from(&setup.template.title);
        if let Some(place) = setup.place_in_series() {
            document = document.field("Series", &place);
        }
        if !setup.template.opening_line.is_empty() {
            let said = Speech::new(&speaker(&setup), setup.template.opening_line.as_str());
            document.blocks.push(Block::speech(first.seq, 0, said).at(first.at));
        }
        let (ledger, messages, errors) = Default::default();
        Some(EpisodeReport { episode, document, ledger, messages, evaluation: None, errors })
    }

    fn apply(&mut self, fact: &Fact<EpisodeEvent>) {
        self.episode.fold(fact);
        let setup = Arc::clone(self.episode.setup());
        match &fact.event {
            EpisodeEvent::MessageReceived { id, text, .. } => {
                let turn = self.episode.turn_count() + 1;
                let block = Block::speech(fact.seq, turn, Speech::new(USER, text.as_str())).at(fact.at);
                self.document.blocks.push(block);
                self.messages.push(json!({"id": id, "role": "user", "content": text, "at": fact.at}));
            }
            EpisodeEvent::Asked { call, turn, model, .. } => {
                self.sent(*call, request::REPLY, Some(&setup), model, *turn);
            }
            EpisodeEvent::EvaluationAsked { call, model, .. } => {
                let turn = self.episode.turn_count();
                self.sent(*call, request::EVALUATION, None, model, turn);
            }
            EpisodeEvent::Answered { call, turn, answer, usage, .. } => {
                self.ledger.settle(&setup.models, *call, *usage);
                let mut said = match (&answer.action, answer.dialogue.is_empty()) {
                    (Some(action), true) => Speech::gesture(&speaker(&setup), action),
                    (action, _) => {
                        let said = Speech::new(&speaker(&setup), answer.dialogue.as_str());
                        action.iter().fold(said, |said, action| said.doing(action))
                    }
                };
                if let Some(mood) = &answer.mood {
                    said = said.attribute("TONE", mood).manner(mood.clone());
                }
                self.document.blocks.push(Block::speech(fact.seq, *turn, said).at(fact.at));
                let metadata = json!({"structured": super::structured_told(answer)});
                let content = answer.content();
                let message =
                    json!({"role": "assistant", "content": content, "at": fact.at, "metadata": metadata});
                self.messages.push(message);
            }
            EpisodeEvent::TurnCompleted { turn, completion_eligible } => {
                let told = super::director_told(&self.episode, *turn, *completion_eligible);
                if let Some(last) = self.messages.last_mut() {
                    last["metadata"]["director"] = told;
                }
            }
            EpisodeEvent::AnswerFailed { call, turn, error, last, usage, .. } => {
                self.ledger.settle(&setup.models, *call, *usage);
                self.errors.push(json!({"turn": turn, "error": error}));
                if *last {
                    let text = format!("{} unable to respond", setup.character.display);
                    self.document.blocks.push(Block::system(fact.seq, *turn, text).at(fact.at));
                }
            }
            EpisodeEvent::EvaluationFailed { call, error, usage, .. } => {
                self.ledger.settle(&setup.models, *call, *usage);
                self.errors.push(json!({"turn": self.episode.turn_count(), "error": error}));
            }
            EpisodeEvent::Evaluated { evaluation, call, usage, .. } => {
                if let Some(call) = call {
                    self.ledger.settle(&setup.models, *call, *usage);
                }
                self.evaluation = Some(evaluation.clone());
                let turn = self.episode.turn_count();
                if let Some(text) = card(evaluation) {
                    self.document.blocks.push(Block::event(fact.seq, turn, text).at(fact.at));
                }
            }
            EpisodeEvent::ReadingAsked { call, turn, model, .. } => {
                self.sent(*call, request::READING, None, model, *turn);
            }
            EpisodeEvent::ReadingGiven { call, usage, .. } => {
                self.ledger.settle(&setup.models, *call, *usage);
            }
            EpisodeEvent::ReadingFailed { call, turn, error, usage, .. } => {
                self.ledger.settle(&setup.models, *call, *usage);
                self.errors.push(json!({"turn": turn, "error": error}));
            }
            EpisodeEvent::Resumed {} => self.ledger.lost(&setup.models),
            EpisodeEvent::Forked { .. } => self.ledger.hand_down(),
            EpisodeEvent::Ended { reason } => {
                self.ledger.close(&setup.models);
                self.document.end = Some(end_text(*reason, self.episode.completed.as_ref()));
            }
            _ => {}
        }
    }

    fn document(&self) -> Document {
        let episode = &self.episode;
        let turns = episode.turn_count().to_string();
        self.document.clone().statistic("Turns", &turns).metadata(&json!({
            "session": episode.setup().run,
            "episode": episode.setup().template.slug,
            "turn_count": episode.turn_count(),
            "completion_trigger": episode.completed.as_ref().map(|(trigger, _)| *trigger),
            "ending": episode.completed.as_ref().and_then(|(_, ending)| ending.clone()),
            "director_state": episode.director_state(),
            "messages": self.messages,
            "evaluation": self.evaluation.as_ref().map(|made| super::evaluation_told(episode.setup(), made)),
            "errors": self.errors,
            "costs": self.costs(),
        }))
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }
}

impl EpisodeReport {
    /// Whether it was said what the episode came to.
    pub fn is_complete(&self) -> bool {
        self.episode.is_complete()
    }

    fn sent(
        &mut self,
        call: crate::CallId,
        purpose: Purpose,
        setup: Option<&EpisodeSetup>,
        model: &str,
        beat: u32,
    ) {
        let actor = setup.map(|setup| setup.character.name.clone());
        self.ledger.sent(call, Sent { purpose, actor, model: model.to_owned(), beat });
    }
}

/// The character's name, with what plays it where that is no language model.
fn speaker(setup: &EpisodeSetup) -> String {
    let label = setup.models.get(&setup.model).and_then(|card| card.label.as_deref());
    match label {
        Some(label) => format!("{} ({label})", setup.character.display),
        None => setup.character.display.clone(),
    }
}

/// What the episode came to, in one line.
fn card(evaluation: &Evaluation) -> Option<String> {
    let title = evaluation.text("title");
    let text = evaluation.text("description").or_else(|| evaluation.text("summary"));
    let text = text.or_else(|| evaluation.text("current_theory"));
    match (title, text) {
        (Some(title), Some(text)) => Some(format!("{title}. {text}")),
        (_, text) => text.map(str::to_owned),
    }
}

fn end_text(reason: EpisodeEnd, completed: Option<&(Completion, Option<String>)>) -> String {
    let why = match (reason, completed) {
        (EpisodeEnd::Completed, Some((Completion::TurnLimit, _))) => "All turns were played",
        (EpisodeEnd::Completed, Some((Completion::BeatComplete, _))) => "The story came to its turn",
        (EpisodeEnd::Completed, Some((Completion::ObjectiveMet, _))) => "The objective was met",
        (EpisodeEnd::Completed, None) => "Complete",
        (EpisodeEnd::Left, _) => "The user left",
        (EpisodeEnd::Cancelled, _) => "Cancelled",
    };
    format!("EPISODE END - {why}")
}
