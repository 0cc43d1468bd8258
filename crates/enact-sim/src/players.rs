//! Models and voices that misbehave, and the project that has them.

use std::{panic::resume_unwind, path::Path, sync::Arc, time::Duration};

use async_trait::async_trait;
use enact_drama::{
    Problem,
    dice::Dice,
    model_card::ModelCard,
    production::{FailureKind, Player},
    usage::Usage,
    voice::{Utterance, VoiceChain},
};
use enact_engine::{
    Artifacts, Model, Models, SpeechRecorder, Voice,
    model::{Answer, Failure, Request},
    node::ResourceProvider,
    voice::Audio,
};
use enact_testkit::FaultyStore;

use crate::{
    answers::{Manner, answer},
    scenario::SimulatedProduction,
    world::World,
};

const FAILURES: [FailureKind; 11] = [
    FailureKind::Other,
    FailureKind::RateLimited,
    FailureKind::Timeout,
    FailureKind::Overloaded,
    FailureKind::Server,
    FailureKind::Refused,
    FailureKind::ContextTooLong,
    FailureKind::Truncated,
    FailureKind::Empty,
    FailureKind::Connection,
    FailureKind::Auth,
];
/// The longest answer: several times what rules read of one.
const HUGE_WORDS: usize = 3_000;

/// What one node plays with.
#[derive(Debug)]
pub(crate) struct SimProject {
    pub(crate) world: Arc<World>,
    node: u32,
    /// The node's way to the store: while that is frozen, the whole process is.
    pub(crate) store: Arc<FaultyStore>,
    pub(crate) artifacts: Option<Artifacts>,
}

impl SimProject {
    pub(crate) fn new(world: Arc<World>, node: u32, store: Arc<FaultyStore>, folder: &Path) -> SimProject {
        let artifacts = world.scenario.speaks.then(|| Artifacts::in_folder(folder));
        SimProject { world, node, store, artifacts }
    }
}

#[async_trait]
impl ResourceProvider for SimProject {
    async fn models(&self, players: &[Player]) -> Result<Models, Problem> {
        if self.world.trouble("project", self.world.scenario.weather.checks * 2).is_some() {
            return Err(Problem::config("its configuration cannot be read"));
        }
        let model = |player: &Player| {
            let (world, node, store) = (self.world.clone(), self.node, self.store.clone());
            let model: Arc<dyn Model> = Arc::new(SimModel { world, node, store, card: player.card.clone() });
            (player.name.clone(), model)
        };
        Ok(players.iter().map(model).collect())
    }

    async fn speech(&self, _: &VoiceChain) -> Result<SpeechRecorder, Problem> {
        let artifacts = self.artifacts.clone().ok_or_else(|| Problem::config("it has no folder"))?;
        let voice = Arc::new(SimVoice { world: self.world.clone(), store: self.store.clone() });
        Ok(SpeechRecorder { voice, artifacts })
    }

    fn artifacts(&self) -> Option<Artifacts> {
        self.artifacts.clone()
    }
}

#[derive(Debug)]
struct SimModel {
    world: Arc<World>,
    node: u32,
    store: Arc<FaultyStore>,
    card: ModelCard,
}

#[async_trait]
impl Model for SimModel {
    fn card(&self) -> ModelCard {
        self.card.clone()
    }

    async fn check(&self) -> Result<(), Problem> {
        match self.world.trouble("check", self.world.scenario.weather.checks) {
            Some(_) => Err(Problem::config("the key was refused")),
            None => Ok(()),
        }
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        self.store.running().await;
        let number = self.world.called(&request).await;
        let note = || format!("makes call {number}, for {} in beat {:?}", request.me(), request.beat);
        self.world.note(Some(self.node), note);
        let kind = format!("model {} {}", request.me(), request.purpose.as_str());
        let dice = &mut self.world.dice(&kind);
        let trouble = self.world.trouble(&kind, self.world.scenario.weather.models);
        let used = told(self.world.used(number), trouble.is_some(), dice);
        // A beat takes about as long as its actors differ.
        let took = Duration::from_millis([0, 5, 50, 300][dice.below(4)] + dice.below(20) as u64);
        tokio::time::sleep(took).await;
        let outcome = match trouble {
            None => Ok(answer(&request, number, Manner::Good, dice)),
            Some(mut trouble) => self.misbehave(&request, number, &mut trouble).await,
        };
        self.store.running().await;
        match outcome {
            Ok(text) => Ok(Answer { text, usage: used, ..Answer::default() }),
            Err(kind) => {
                Err(Failure { kind, usage: used, ..Failure::new(format!("it is {}", kind.as_str())) })
            }
        }
    }
}

impl SimModel {
    async fn misbehave(
        &self,
        request: &Request,
        number: usize,
        dice: &mut Dice,
    ) -> Result<String, FailureKind> {
        // The rules of the toy set no deadline: what hangs there hangs for ever.
        let hangs = self.world.scenario.production != SimulatedProduction::Toy;
        match dice.below(16) {
            0..7 => Ok(answer(request, number, Manner::Bad, dice)),
            7..11 => Err(FAILURES[dice.below(FAILURES.len())]),
            11..13 => {
                // About as long as the timeout, and then a little too early or too late.
                let timeout = request.timeout_ms.min(4_000) as usize;
                let time = timeout * 3 / 4 + dice.below(timeout / 2 + 1);
                tokio::time::sleep(Duration::from_millis(time as u64)).await;
                Ok(answer(request, number, Manner::Good, dice))
            }
            13 if hangs => std::future::pending().await,
            13 | 14 => Ok(["", " \n\t ", "\u{feff}"][dice.below(3)].to_owned()),
            _ if dice.one_in(8) => {
                Ok(format!("[TONE: wild] \"w{number}a {}\"", "and so on ".repeat(HUGE_WORDS)))
            }
            _ if dice.one_in(2) => resume_unwind(Box::new("a simulated panic")),
            _ => Ok(answer(request, number, Manner::Bad, dice)),
        }
    }
}

/// What a model says that it has used: often all of it, and rarely nothing or a part of it.
fn told(used: Usage, trouble: bool, dice: &mut Dice) -> Option<Usage> {
    match dice.below(if trouble { 4 } else { 12 }) {
        0 => None,
        1 if trouble => Some(Usage { output: 0, partial: true, ..used }),
        _ => Some(used),
    }
}

#[derive(Debug)]
struct SimVoice {
    world: Arc<World>,
    store: Arc<FaultyStore>,
}

#[async_trait]
impl Voice for SimVoice {
    fn description(&self) -> String {
        "simulated".to_owned()
    }

    async fn speak(&self, utterance: Arc<Utterance>, _: Duration) -> Result<Audio, Failure> {
        self.store.running().await;
        let by = "simulated".to_owned();
        let samples = vec![3_000; utterance.text.len()];
        let good = Audio { samples, rate: 8_000, by, passed_over: Vec::new() };
        let trouble = self.world.trouble("voice", self.world.scenario.weather.voices);
        let spoken = match trouble.map(|mut dice| (dice.below(7), dice)) {
            None => Ok(good),
            Some((0, _)) => Ok(Audio { samples: Vec::new(), ..good }),
            Some((1, _)) => Ok(Audio { samples: vec![0; 100], ..good }),
            Some((2, _)) => Ok(Audio { rate: 0, ..good }),
            Some((3, _)) => std::future::pending().await,
            Some((4, mut dice)) => {
                tokio::time::sleep(Duration::from_millis(dice.below(4_000) as u64)).await;
                Ok(good)
            }
            Some((5, _)) => resume_unwind(Box::new("a simulated panic")),
            Some(_) => Err(Failure::new("the voice is hoarse")),
        };
        self.store.running().await;
        spoken
    }
}
