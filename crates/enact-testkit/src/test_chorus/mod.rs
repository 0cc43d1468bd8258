//! A chorus for tests: scripted agents, a voice that hums, and a project that has both.

mod agents;
mod voice;

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use async_trait::async_trait;
use enact_drama::{
    Problem, RunId,
    chorus::{self, Agent, AgentId, ChorusOptions, ChorusRequest, SlotThread},
    production::{FailureKind, Player},
    voice::VoiceChain,
};
use enact_engine::{Artifacts, Model, Models, SpeechRecorder, Stage, node::ResourceProvider};
use tempfile::TempDir;
use tokio::sync::Semaphore;
use uuid::Uuid;

use self::agents::Failing;
pub use self::{
    agents::{Agents, Comments},
    voice::TestVoice,
};

/// The model of most agents.
pub const MODEL: &str = "choir";
/// The model of the agent in the last of [all slots](SIX).
pub const ANOTHER: &str = "another";
/// The model that answers only when it [is let](TestChorus::gate).
const PATIENT: &str = "patient";

/// All slots, and agents who answer.
pub const SIX: [(u8, &str); 6] = [(1, "ada"), (2, "ben"), (3, "cleo"), (4, "dan"), (5, "eve"), (6, "finn")];

/// Agents and the models that play them. Those who fail are called after how they do.
const AGENTS: [(&str, &str); 13] = [
    ("ada", MODEL),
    ("ben", MODEL),
    ("cleo", MODEL),
    ("dan", MODEL),
    ("eve", MODEL),
    ("finn", ANOTHER),
    ("hoarse", MODEL),
    ("patient", PATIENT),
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

/// What a node plays choruses with.
#[derive(Debug)]
pub struct TestChorus {
    pub agents: Agents,
    /// How many more answers the agent `patient` gives.
    pub gate: Arc<Semaphore>,
    pub voice: Option<TestVoice>,
    /// The model it cannot make.
    pub lacks: Option<&'static str>,
    pub artifacts: Artifacts,
    /// How many choruses were made ready.
    pub assembled: AtomicUsize,
    /// Kept for as long as the artifacts in it.
    _folder: Option<TempDir>,
}

impl TestChorus {
    /// Keeps its artifacts below this folder.
    pub fn new(folder: &Path, agents: Agents, voice: TestVoice) -> Arc<TestChorus> {
        Arc::new(TestChorus::build(folder, agents, voice))
    }

    /// Keeps its artifacts in a folder of its own, for as long as it lives.
    pub fn in_own_folder(agents: Agents, voice: TestVoice) -> Arc<TestChorus> {
        let folder = TempDir::new().unwrap();
        let test_chorus = TestChorus::build(folder.path(), agents, voice);
        Arc::new(TestChorus { _folder: Some(folder), ..test_chorus })
    }

    fn build(folder: &Path, agents: Agents, voice: TestVoice) -> TestChorus {
        TestChorus {
            agents,
            gate: Arc::new(Semaphore::new(0)),
            voice: Some(voice),
            lacks: None,
            artifacts: Artifacts::in_folder(folder.join("artifacts")),
            assembled: AtomicUsize::new(0),
            _folder: None,
        }
    }

    /// Lets a voice that [waits](TestVoice::waiting) say so many more things.
    pub fn let_speak(&self, times: usize) {
        self.voice.as_ref().expect("a voice").let_speak(times);
    }

    /// Every model there is, by name.
    pub fn all_models(&self) -> Models {
        let agents: Arc<dyn Model> = Arc::new(self.agents.clone());
        let patient = Arc::new(self.agents.clone().waiting_for(self.gate.clone()));
        let failing =
            FAILURES.map(|(name, kind)| (name.to_owned(), Arc::new(Failing(kind)) as Arc<dyn Model>));
        let mut models = Models::from(failing);
        models.insert(MODEL.to_owned(), agents.clone());
        models.insert(ANOTHER.to_owned(), agents);
        models.insert(PATIENT.to_owned(), patient);
        models
    }

    /// All agents that may be asked.
    pub fn agents(&self) -> Vec<Agent> {
        AGENTS.iter().map(|(id, _)| agent(id)).collect()
    }

    /// Makes a chorus ready that knows what was said before.
    pub async fn assemble(
        &self,
        message: String,
        seats: Vec<(u8, String)>,
        threads: Vec<SlotThread>,
    ) -> Result<chorus::ChorusSetup, Problem> {
        self.assembled.fetch_add(1, SeqCst);
        // Others who want the same get in between.
        tokio::task::yield_now().await;
        let wanted = ChorusRequest { message, seats, threads, seed: Some(7) };
        options(&self.all_models()).assemble(new_run(), wanted)
    }
}

#[async_trait]
impl ResourceProvider for TestChorus {
    async fn models(&self, players: &[Player]) -> Result<Models, Problem> {
        if players.iter().any(|player| Some(player.name.as_str()) == self.lacks) {
            return Err(Problem::config("its key is gone"));
        }
        Ok(self.all_models())
    }

    async fn speech(&self, _: &VoiceChain) -> Result<SpeechRecorder, Problem> {
        let voice = self.voice.clone().ok_or_else(|| Problem::config("nobody has a voice today"))?;
        Ok(SpeechRecorder { voice: Arc::new(voice), artifacts: self.artifacts.clone() })
    }

    fn artifacts(&self) -> Option<Artifacts> {
        Some(self.artifacts.clone())
    }
}

/// A stage with the same company, below whose folder everything lies.
pub fn stage(folder: &Path, agents: Agents, voice: TestVoice) -> Stage {
    let agents = Arc::new(agents);
    Stage::new(MODEL, agents.clone()).model(ANOTHER, agents).voice(Arc::new(voice)).write_to(folder)
}

/// A chorus of so many slots.
pub fn setup(slots: u8) -> chorus::ChorusSetup {
    let agents: Arc<dyn Model> = Arc::new(Agents::default());
    let models = Models::from(AGENTS.map(|(_, model)| (model.to_owned(), agents.clone())));
    let wanted =
        ChorusRequest { message: "What is a story?".into(), seats: seats(slots), ..ChorusRequest::default() };
    options(&models).assemble(new_run(), ChorusRequest { seed: Some(7), ..wanted }).unwrap()
}

/// The first so many of [all slots](SIX).
pub fn seats(slots: u8) -> Vec<(u8, String)> {
    SIX.iter().take(slots.into()).map(|(slot, agent)| (*slot, (*agent).to_owned())).collect()
}

fn options(models: &Models) -> ChorusOptions {
    ChorusOptions {
        agents: AGENTS.iter().map(|(id, model)| (agent(id), (*model).to_owned())).collect(),
        models: models.iter().map(|(name, model)| (name.clone(), model.card())).collect(),
        voice: Some(VoiceChain(vec!["hum".to_owned()])),
        ..ChorusOptions::default()
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

fn new_run() -> RunId {
    RunId(Uuid::now_v7())
}
