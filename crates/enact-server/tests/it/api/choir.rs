//! Those who take part in choruses, and a voice that speaks when it is let.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use enact_drama::{
    Problem, RunId,
    chorus::{Agent, AgentId, Ensemble, Setup, Turn, View, Wanted},
    production::FailureKind,
    voice::{VoiceChain, VoiceProfile},
};
use enact_engine::{
    Artefacts, Model, Models, Studio, Voice,
    model::{Answer, Failure, ModelCard, Request, Timing},
    node::NewChorus,
    voice::{Audio, Utterance},
};
use serde_json::json;
use tempfile::TempDir;
use tokio::sync::Semaphore;
use uuid::Uuid;

/// Agents and the models that play them. Those who fail are called after how they do.
const AGENTS: [(&str, &str); 13] = [
    ("ada", "choir"),
    ("ben", "choir"),
    ("cleo", "choir"),
    ("dan", "choir"),
    ("eve", "choir"),
    ("finn", "choir"),
    ("hoarse", "choir"),
    ("patient", "patient"),
    ("offline", "offline"),
    ("late", "late"),
    ("limited", "limited"),
    ("overloaded", "overloaded"),
    ("shy", "shy"),
];

const FAILURES: [(&str, FailureKind); 5] = [
    ("offline", FailureKind::Connection),
    ("late", FailureKind::Timeout),
    ("limited", FailureKind::RateLimited),
    ("overloaded", FailureKind::Overloaded),
    ("shy", FailureKind::Refused),
];

/// Six who speak plainly, and some who fail.
#[derive(Debug)]
pub(crate) struct Choir {
    folder: TempDir,
    /// How many more things may be said aloud.
    breath: Arc<Semaphore>,
    asked: Arc<Mutex<Vec<Request>>>,
}

impl Default for Choir {
    fn default() -> Choir {
        Choir { folder: TempDir::new().unwrap(), breath: Arc::new(Semaphore::new(0)), asked: Arc::default() }
    }
}

impl Choir {
    /// Lets the voice say so many more things.
    pub(crate) fn let_speak(&self, times: usize) {
        self.breath.add_permits(times);
    }

    /// Everything that the last request to a slot held, as one text.
    pub(crate) fn told(&self, slot: &str, turn: Turn) -> String {
        let asked = self.asked.lock().unwrap();
        let request = asked
            .iter()
            .rev()
            .find(|request| request.me() == slot && request.chorus().is_some_and(|view| view.turn == turn));
        let thread = &request.expect("it was never asked").thread;
        thread.iter().map(|message| message.text.as_ref()).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn artefacts(&self) -> Artefacts {
        Artefacts::in_folder(self.folder.path().join("artifacts"))
    }

    pub(crate) fn studio(&self) -> Studio {
        Studio { voice: Arc::new(Humming(self.breath.clone())), artefacts: self.artefacts() }
    }

    pub(crate) fn agents(&self) -> Vec<Agent> {
        AGENTS.iter().map(|(id, _)| agent(id)).collect()
    }

    pub(crate) fn models(&self, gate: &Arc<Semaphore>) -> Models {
        let plain = Plain { asked: self.asked.clone(), gate: None };
        let patient = Plain { asked: self.asked.clone(), gate: Some(gate.clone()) };
        let mut models = Models::new();
        models.insert("choir".to_owned(), Arc::new(plain));
        models.insert("patient".to_owned(), Arc::new(patient));
        models.extend(
            FAILURES.map(|(name, kind)| (name.to_owned(), Arc::new(Failing(kind)) as Arc<dyn Model>)),
        );
        models
    }

    pub(crate) fn assemble(&self, chorus: NewChorus, gate: &Arc<Semaphore>) -> Result<Setup, Problem> {
        let NewChorus { message, seats, threads } = chorus;
        let cards = self.models(gate).into_iter().map(|(name, model)| (name, model.card()));
        let ensemble = Ensemble {
            agents: AGENTS.iter().map(|(id, model)| (agent(id), (*model).to_owned())).collect(),
            models: cards.collect(),
            voice: Some(VoiceChain(vec!["humming".to_owned()])),
            ..Ensemble::default()
        };
        ensemble.assemble(RunId(Uuid::now_v7()), Wanted { message, seats, threads, seed: Some(7) })
    }
}

fn agent(id: &str) -> Agent {
    Agent {
        id: AgentId::new(id).unwrap(),
        name: id.to_uppercase(),
        provider: "Tests".to_owned(),
        description: "Says what it is told to.".to_owned(),
        color: "#cc785c".to_owned(),
    }
}

/// Says who it is and what it has heard, and comments on whoever sits next.
#[derive(Debug)]
struct Plain {
    asked: Arc<Mutex<Vec<Request>>>,
    /// Answers only when it is let, if at all.
    gate: Option<Arc<Semaphore>>,
}

#[async_trait]
impl Model for Plain {
    fn card(&self) -> ModelCard {
        ModelCard::free("a model that says what it has heard")
    }

    /// All at once, in the order of their slots.
    fn timing(&self) -> Timing {
        if self.gate.is_some() { Timing::Real } else { Timing::Simulated }
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        if let Some(gate) = &self.gate {
            gate.acquire().await.unwrap().forget();
        }
        let view = request.chorus().unwrap();
        let answer = said(view);
        self.asked.lock().unwrap().push(request);
        Ok(Answer::from(answer.as_str()))
    }
}

fn said(view: &View) -> String {
    let name = &view.agent.name;
    let profile = VoiceProfile::ALL[usize::from(view.slot.number() - 1)].as_str();
    let said = match view.turn {
        Turn::Respond => {
            json!({ "text": format!("{name} has heard: {}", view.message), "voice_profile": profile })
        }
        Turn::Comment => {
            let next = |peer: &&enact_drama::chorus::PeerResponse| {
                let seat = peer.slot_id.number();
                (seat < view.slot.number(), seat)
            };
            let next = view.peers.iter().min_by_key(next).unwrap();
            let comment = format!("{name} agrees with {}.", next.agent_id);
            json!({ "targetSlotId": next.slot_id, "comment": comment, "voice_profile": profile })
        }
        Turn::Reply => {
            let from: Vec<&str> =
                view.comments.iter().map(|comment| comment.from_agent_id.as_str()).collect();
            json!({ "text": format!("{name} thanks {}.", from.join(" and ")), "voice_profile": profile })
        }
    };
    said.to_string()
}

/// Fails, always in the same way.
#[derive(Debug)]
struct Failing(FailureKind);

#[async_trait]
impl Model for Failing {
    fn card(&self) -> ModelCard {
        ModelCard::free("a model that fails")
    }

    fn timing(&self) -> Timing {
        Timing::Simulated
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        Err(Failure { kind: self.0, ..Failure::new(format!("it is {}", self.0.as_str())) })
    }
}

/// Hums a tenth of a second when it is let, except for those who have lost their voice.
#[derive(Debug)]
struct Humming(Arc<Semaphore>);

#[async_trait]
impl Voice for Humming {
    fn description(&self) -> String {
        "humming".to_owned()
    }

    async fn speak(&self, utterance: Arc<Utterance>, _: std::time::Duration) -> Result<Audio, Failure> {
        self.0.acquire().await.unwrap().forget();
        if utterance.text.starts_with("HOARSE") {
            return Err(Failure::new("the voice is gone"));
        }
        let samples = (0..2_400_i32).map(|at| ((at % 200 - 100) * 100) as i16).collect();
        Ok(Audio { samples, rate: 24_000, by: "humming".to_owned(), passed_over: Vec::new() })
    }
}
