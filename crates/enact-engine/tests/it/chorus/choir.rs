//! Who sings in tests: agents that answer in their own time, a voice that hums, and a project that has both.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    Name, RunId,
    chorus::{self, Agent, AgentId, Ensemble, MOST_SLOTS, Turn, Wanted},
    production::Player,
    scene::{SceneConfig, Setup},
    voice::{Utterance, VoiceChain, VoiceProfile},
};
use enact_engine::{
    Artefacts, Model, Models, Stage, Studio, Voice,
    model::{Answer, Failure, ModelCard, Problem, Request},
    node::{NewChorus, Project},
    voice::Audio,
};

/// How long anything takes at most, in the time of tests.
pub(crate) const PATIENCE: Duration = Duration::from_secs(600);

/// The model that answers for the last slot.
pub(crate) const ANOTHER: &str = "another";

/// Answers as agents should, each slot after its own time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Agents {
    /// By slot; the last one is for all that follow.
    pub(crate) takes: Vec<Duration>,
    /// Slots whose first answer never comes.
    pub(crate) fail: Vec<u8>,
    pub(crate) asked: Arc<AtomicUsize>,
}

impl Agents {
    pub(crate) fn after(takes: Duration) -> Agents {
        Agents { takes: vec![takes], ..Agents::default() }
    }

    /// Until somebody has been asked so often.
    pub(crate) async fn asked(&self, times: usize) {
        let asked = async {
            while self.asked.load(SeqCst) < times {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::time::timeout(PATIENCE, asked).await.expect("somebody is asked");
    }
}

#[async_trait]
impl Model for Agents {
    fn card(&self) -> ModelCard {
        ModelCard::free("agents")
    }

    /// Who fails has a key that is refused, which a chorus only finds out by asking.
    async fn check(&self) -> Result<(), Problem> {
        if self.fail.is_empty() { Ok(()) } else { Err(Problem::config("the key was refused")) }
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        self.asked.fetch_add(1, SeqCst);
        let view = request.chorus().unwrap();
        let slot = view.slot.number();
        let takes = self.takes.get(usize::from(slot) - 1).or(self.takes.last());
        tokio::time::sleep(takes.copied().unwrap_or_default()).await;
        if self.fail.contains(&slot) {
            return Err(Failure::new("nobody is here"));
        }
        let profile = VoiceProfile::ALL[usize::from(slot) % VoiceProfile::ALL.len()].as_str();
        let before = view.messages_before;
        let answer = match view.turn {
            Turn::Respond => {
                format!(r#"{{"text": "{slot} answers after {before}.", "voice_profile": "{profile}"}}"#)
            }
            Turn::Comment => {
                // Everybody has something to say of the first.
                let target = view.peers.iter().map(|peer| peer.slot_id.number()).min().unwrap();
                format!(
                    r#"{{"targetSlotId": {target}, "comment": "{slot} is of {target}'s mind.", "voice_profile": "{profile}"}}"#
                )
            }
            Turn::Reply => {
                let comments = view.comments.len();
                format!(r#"{{"text": "{slot} thanks for {comments}.", "voice_profile": "{profile}"}}"#)
            }
        };
        Ok(Answer::from(answer.as_str()))
    }
}

/// Hums for as long as a text is, after a while.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hum {
    pub(crate) takes: Duration,
    /// What it would rather not say.
    pub(crate) refuses: Option<&'static str>,
    pub(crate) asked: Arc<AtomicUsize>,
}

impl Hum {
    pub(crate) fn after(takes: Duration) -> Hum {
        Hum { takes, ..Hum::default() }
    }
}

#[async_trait]
impl Voice for Hum {
    fn description(&self) -> String {
        "hum".into()
    }

    async fn speak(&self, utterance: Arc<Utterance>, _: Duration) -> Result<Audio, Failure> {
        self.asked.fetch_add(1, SeqCst);
        tokio::time::sleep(self.takes).await;
        if self.refuses.is_some_and(|word| utterance.text.contains(word)) {
            return Err(Failure::new("that is not to be said"));
        }
        let samples =
            (0..utterance.text.len() * 40).map(|n| if n % 16 < 8 { 3_000 } else { -3_000 }).collect();
        Ok(Audio { samples, rate: 8_000, by: "hum".into(), passed_over: vec![] })
    }
}

/// What a node plays with in tests.
#[derive(Debug)]
pub(crate) struct Choir {
    pub(crate) agents: Agents,
    pub(crate) voice: Option<Hum>,
    /// Whose model it cannot make.
    pub(crate) lacks: Option<&'static str>,
    pub(crate) artefacts: Artefacts,
    pub(crate) assembled: AtomicUsize,
}

impl Choir {
    pub(crate) fn new(folder: &Path, agents: Agents, voice: Hum) -> Arc<Choir> {
        let artefacts = Artefacts::in_folder(folder.join("artifacts"));
        Arc::new(Choir { agents, voice: Some(voice), lacks: None, artefacts, assembled: AtomicUsize::new(0) })
    }
}

#[async_trait]
impl Project for Choir {
    async fn cast(&self, _: SceneConfig, _: Vec<(Name, String)>) -> Result<Setup, Problem> {
        Err(Problem::config("there are no scenes here"))
    }

    async fn assemble(&self, wanted: NewChorus) -> Result<chorus::Setup, Problem> {
        self.assembled.fetch_add(1, SeqCst);
        // Others who want the same get in between.
        tokio::task::yield_now().await;
        let NewChorus { message, seats, threads } = wanted;
        ensemble().assemble(new_run(), Wanted { message, seats, threads, seed: Some(7) })
    }

    async fn models(&self, players: &[Player]) -> Result<Models, Problem> {
        if players.iter().any(|player| Some(player.name.as_str()) == self.lacks) {
            return Err(Problem::config("its key is gone"));
        }
        let model: Arc<dyn Model> = Arc::new(self.agents.clone());
        Ok(players.iter().map(|player| (player.name.clone(), model.clone())).collect())
    }

    async fn studio(&self, _: &VoiceChain) -> Result<Studio, Problem> {
        let voice = self.voice.clone().ok_or_else(|| Problem::config("nobody has a voice today"))?;
        Ok(Studio { voice: Arc::new(voice), artefacts: self.artefacts.clone() })
    }

    fn artefacts(&self) -> Option<Artefacts> {
        Some(self.artefacts.clone())
    }
}

/// A stage with the same company, below whose folder everything lies.
pub(crate) fn stage(folder: &Path, agents: Agents, voice: Hum) -> Stage {
    let agents = Arc::new(agents);
    Stage::new("model", agents.clone()).model(ANOTHER, agents).voice(Arc::new(voice)).write_to(folder)
}

/// A chorus of so many slots.
pub(crate) fn setup(slots: u8) -> chorus::Setup {
    let wanted = Wanted { message: "What is a story?".into(), seats: seats(slots), ..Wanted::default() };
    ensemble().assemble(new_run(), Wanted { seed: Some(7), ..wanted }).unwrap()
}

pub(crate) fn seats(slots: u8) -> Vec<(u8, String)> {
    (1..=slots).map(|slot| (slot, format!("agent-{slot}"))).collect()
}

fn ensemble() -> Ensemble {
    let agent = |slot| Agent {
        id: AgentId::new(format!("agent-{slot}")).unwrap(),
        name: format!("Agent {slot}"),
        provider: "Test".into(),
        description: String::new(),
        color: "#000000".into(),
    };
    Ensemble {
        agents: (1..=MOST_SLOTS).map(|slot| (agent(slot), model_of(slot).to_owned())).collect(),
        models: ["model", ANOTHER].map(|name| (name.to_owned(), ModelCard::free("agents"))).into(),
        voice: Some(VoiceChain(vec!["hum".into()])),
        ..Ensemble::default()
    }
}

fn model_of(slot: u8) -> &'static str {
    if slot == MOST_SLOTS { ANOTHER } else { "model" }
}

fn new_run() -> RunId {
    RunId(uuid::Uuid::now_v7())
}
