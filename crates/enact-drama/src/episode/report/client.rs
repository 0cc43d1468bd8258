//! The events that clients of an episode listen to: one for each fact that concerns them.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};

use crate::{
    CallId, Fact,
    episode::{
        DisplayDecoder, Episode, EpisodeEnd, EpisodeEvent, EpisodeSetup, NarrativeBeat, RefusedMessage,
        StructuredAnswer, evaluation::Evaluation,
    },
    production::{ClientEvent, ClientEvents, Delta, FailureKind},
};

/// Tells a log fact by fact.
#[derive(Debug, Clone)]
pub struct EpisodeClientEvents {
    /// The episode as it stood after the last fact.
    episode: Episode,
    answer: Option<StructuredAnswer>,
    /// Whether they were told that it is complete.
    has_completed: bool,
    /// What is being shown of answers that are still coming.
    arriving: BTreeMap<CallId, ArrivingAnswer>,
}

/// An answer that is still coming.
#[derive(Debug, Clone)]
struct ArrivingAnswer {
    decoder: DisplayDecoder,
    /// How many bytes of it were heard; nothing once a piece was missed.
    heard: Option<usize>,
}

impl ArrivingAnswer {
    /// The next piece as people see it. Who came too late for the first, or has missed one since, waits for
    /// the whole answer: the rest alone is no JSON, and would be shown as it stands.
    fn show(&mut self, delta: &Delta) -> String {
        self.heard = self.heard.filter(|heard| *heard == delta.at).map(|heard| heard + delta.text.len());
        if self.heard.is_some() { self.decoder.push(&delta.text) } else { String::new() }
    }
}

impl ClientEvents for EpisodeClientEvents {
    type Event = EpisodeEvent;

    fn begin(first: &Fact<EpisodeEvent>) -> Option<EpisodeClientEvents> {
        let episode = Episode::begun(first)?;
        Some(EpisodeClientEvents { episode, answer: None, has_completed: false, arriving: BTreeMap::new() })
    }

    fn on_fact(&mut self, fact: &Fact<EpisodeEvent>) -> Option<ClientEvent> {
        self.episode.fold(fact);
        match &fact.event {
            EpisodeEvent::EpisodeBegan { setup } => event("scene_card", scene_card(setup)),
            EpisodeEvent::MessageRefused { why, .. } => {
                let (kind, message) = match why {
                    RefusedMessage::Busy => ("busy", "another message of this session is being answered"),
                    RefusedMessage::Complete => ("complete", "the session is complete"),
                    RefusedMessage::NoSuchChoice => ("no_such_choice", "there is no such choice now"),
                };
                event("error", json!({"error": {"type": kind, "message": message}, "message": message}))
            }
            EpisodeEvent::Answered { call, answer, .. } => {
                self.arriving.remove(call);
                self.answer = Some(answer.clone());
                None
            }
            EpisodeEvent::AnswerFailed { call, failure, last, .. } => {
                self.arriving.remove(call);
                let message = no_answer(*failure);
                let data =
                    json!({"error": {"type": failure.as_str(), "message": message}, "message": message});
                last.then(|| event("error", data)).flatten()
            }
            EpisodeEvent::BeatReached { beat, .. } => {
                let (index, of) = (beat.index() + 1, NarrativeBeat::ALL.len());
                let visible = self.setup().template.beats_visible;
                visible.then(|| event("beat", json!({"index": index, "of": of}))).flatten()
            }
            EpisodeEvent::TurnCompleted { turn, completion_eligible } => {
                self.message_complete(*turn, *completion_eligible)
            }
            EpisodeEvent::ChoiceOffered { choice, .. } => {
                let options: Vec<Value> =
                    choice.options.iter().map(|one| json!({"id": one.id, "label": one.label})).collect();
                let data = json!({"id": choice.id, "prompt": choice.prompt, "choices": options});
                event("choice_prompt", data)
            }
            EpisodeEvent::Suggested { suggestion, .. } => {
                event("suggestion", json!({"next_suggestion": suggestion.told()}))
            }
            // An episode completes once; an evaluation that is made again changes its result alone.
            EpisodeEvent::Evaluated { .. } if self.has_completed => None,
            EpisodeEvent::Evaluated { evaluation, suggestion, .. } => {
                self.has_completed = true;
                let (trigger, ending) = self.episode.completed.clone()?;
                let data = json!({
                    "trigger": trigger,
                    "ending": ending,
                    "turn_count": self.episode.turn_count(),
                    "evaluation": evaluation_told(self.setup(), evaluation),
                    "share_id": self.setup().share_id,
                    "next_suggestion": suggestion.as_ref().map(super::super::Suggestion::told),
                });
                event("episode_complete", data)
            }
            EpisodeEvent::Settled {} => {
                let is_complete = self.episode.is_complete();
                event("done", self.done(is_complete))
            }
            EpisodeEvent::Ended { reason } => event("done", self.done(*reason == EpisodeEnd::Completed)),
            EpisodeEvent::Resumed {}
            | EpisodeEvent::Forked { .. }
            | EpisodeEvent::MessageReceived { .. }
            | EpisodeEvent::Directed { .. }
            | EpisodeEvent::Asked { .. }
            | EpisodeEvent::Thought { .. }
            | EpisodeEvent::Nudged { .. }
            | EpisodeEvent::Injected { .. }
            | EpisodeEvent::PaceMoved { .. }
            | EpisodeEvent::HooksFound { .. }
            | EpisodeEvent::RelationshipMoved { .. }
            | EpisodeEvent::ReadingAsked { .. }
            | EpisodeEvent::ReadingGiven { .. }
            | EpisodeEvent::ReadingFailed { .. }
            | EpisodeEvent::SignalsRead { .. }
            | EpisodeEvent::TensionMoved { .. }
            | EpisodeEvent::CueLanded { .. }
            | EpisodeEvent::CueMissed { .. }
            | EpisodeEvent::FlagSet { .. }
            | EpisodeEvent::Remembered { .. }
            | EpisodeEvent::Completed { .. }
            | EpisodeEvent::EvaluationAsked { .. }
            | EpisodeEvent::EvaluationFailed { .. } => None,
        }
    }

    fn on_delta(&mut self, delta: &Delta) -> Option<ClientEvent> {
        let begun = || ArrivingAnswer { decoder: DisplayDecoder::default(), heard: Some(0) };
        let content = self.arriving.entry(delta.call).or_insert_with(begun).show(delta);
        (!content.is_empty()).then(|| event("chunk", json!({"content": content}))).flatten()
    }
}

impl EpisodeClientEvents {
    fn setup(&self) -> &Arc<EpisodeSetup> {
        self.episode.setup()
    }

    fn message_complete(&self, turn: u32, completion_eligible: bool) -> Option<ClientEvent> {
        let answer = self.answer.as_ref()?;
        let data = json!({
            "content": answer.content(),
            "structured": structured_told(answer),
            "director": {
                "turn_count": turn,
                "turns_remaining": self.setup().template.turns_remaining(turn),
                "beat": self.episode.beat(),
                "completion_eligible": completion_eligible,
            },
        });
        event("message_complete", data)
    }

    /// Older clients take the answer from here.
    fn done(&mut self, is_complete: bool) -> Value {
        let (turn, answer) = (self.episode.turn_count(), self.answer.take());
        json!({
            "session_id": self.setup().run,
            "content": answer.map(|answer| answer.content()),
            "director": {
                "turn_count": turn,
                "turns_remaining": self.setup().template.turns_remaining(turn),
                "is_complete": is_complete,
            },
        })
    }
}

/// What the user sees before anything is said.
pub fn scene_card(setup: &EpisodeSetup) -> Value {
    let template = &setup.template;
    json!({
        "title": template.title,
        "situation": template.situation,
        "dramatic_question": template.dramatic_question,
        "character_id": setup.character.name,
        "character_name": setup.character.display,
        "opening_line": template.opening_line,
        "starter_prompts": template.starter_prompts,
        "turn_budget": template.turn_limit().or(template.turn_budget),
        "place_in_series": setup.place_in_series(),
        "label": setup.models.get(&setup.model).and_then(|card| card.label.as_deref()),
    })
}

/// An answer as clients read it, without what is only thought.
pub(crate) fn structured_told(answer: &StructuredAnswer) -> Value {
    json!({
        "dialogue": answer.dialogue,
        "action": answer.action,
        "mood": answer.mood,
        "tension_shift": answer.tension_shift,
    })
}

/// What the director says of the exchange that was completed last, as clients read it with the answer.
pub(crate) fn director_told(episode: &Episode, turn: u32, completion_eligible: bool) -> Value {
    let signals = episode.turns.last().map(|turn| turn.signals.iter());
    json!({
        "turn_number": turn,
        "beat": episode.beat(),
        "user_signals": signals.into_iter().flatten().map(|signal| signal.name.as_str()).collect::<Vec<_>>(),
        "completion_eligible": completion_eligible,
    })
}

/// An evaluation as clients read it: the keys of its result, and around them those by which it is found.
pub fn evaluation_told(setup: &EpisodeSetup, evaluation: &Evaluation) -> Value {
    let mut told = evaluation.result.clone();
    told.extend([
        ("id".to_owned(), json!(setup.share_id)),
        ("session_id".to_owned(), json!(setup.run)),
        ("evaluation_type".to_owned(), json!(evaluation.evaluation_type)),
        ("result".to_owned(), json!(evaluation.result)),
        ("model_used".to_owned(), json!(evaluation.model_used)),
        ("confidence".to_owned(), json!(evaluation.confidence)),
        ("stands_in_for".to_owned(), json!(evaluation.stands_in_for)),
        ("share_id".to_owned(), json!(setup.share_id)),
        ("share_url".to_owned(), json!(format!("/r/{}", setup.share_id))),
    ]);
    Value::Object(told)
}

/// Every event carries its own name, for clients that read nothing but the data.
fn event(name: &'static str, mut data: Value) -> Option<ClientEvent> {
    data["type"] = json!(name);
    Some(ClientEvent { name, data })
}

/// What clients are told of an answer that did not come. What the log says is for the operator.
fn no_answer(failure: FailureKind) -> &'static str {
    match failure {
        FailureKind::Refused => "the character would not answer that",
        FailureKind::Timeout => "the answer did not come in time",
        FailureKind::RateLimited | FailureKind::Overloaded => "the character is very busy just now",
        FailureKind::ContextTooLong => "the conversation has become too long",
        FailureKind::Connection
        | FailureKind::Server
        | FailureKind::Auth
        | FailureKind::Truncated
        | FailureKind::Empty
        | FailureKind::Other => "no answer came; send the message again",
    }
}
