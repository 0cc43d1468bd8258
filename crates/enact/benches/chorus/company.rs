//! Who sings: a node with one model and one voice, on a store in a folder of its own.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    Fact, Problem, Record, RunId, Seq,
    chorus::{Agent, AgentId, Chorus, ChorusOptions, ChorusRequest, ChorusSetup, ChorusView, Turn},
    production::Player,
    voice::{VoiceChain, VoiceProfile},
};
use enact_engine::{
    Artifacts, Clock, Model, Models, Node, Productions, SpeechRecorder, Voice,
    clock::SystemClock,
    model::{Answer, Failure, ModelCard, Request},
    node::{NodeLimits, ResourceProvider, Submitter},
    store::{Conversation, NextRun},
};
use enact_store::SqliteStore;
use enact_testkit::memory_kib;
use futures::future::join_all;
use tempfile::TempDir;

use crate::{SLOTS, events::Events};

/// How often memory is looked at.
const LOOKING: Duration = Duration::from_millis(10);

pub(crate) struct Company {
    node: Node,
    model: Arc<dyn Model>,
    _folder: TempDir,
}

impl Company {
    pub(crate) async fn new(model: Arc<dyn Model>, voice: Arc<dyn Voice>) -> Company {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Arc::new(SqliteStore::open(folder.path()).await.expect("a store"));
        let artifacts = Artifacts::in_folder(folder.path().join("artifacts"));
        let test_chorus = TestChorus { model: model.clone(), speech: SpeechRecorder { voice, artifacts } };
        let productions = Productions::default().with::<Chorus>();
        let node = Node::start(store, Arc::new(test_chorus), productions, NodeLimits::default());
        Company { node, model, _folder: folder }
    }

    /// A chorus to its end, in a conversation of its own.
    pub(crate) async fn play(&self, conversation: &str) -> Events {
        self.play_before(conversation, 1).await.remove(0)
    }

    /// The same before so many.
    pub(crate) async fn play_before(&self, conversation: &str, followers: usize) -> Vec<Events> {
        let event = Chorus::beginning(self.assemble());
        let first = Record::of(&Fact { seq: Seq(0), at: SystemClock.now_ms(), event });
        let of = Conversation { owner: String::new(), name: conversation.to_owned() };
        let by = Submitter { next: Some(NextRun { of, after: None }), ..Submitter::default() };
        let run = self.node.submit(first, by).await.expect("a place in the queue").run;
        join_all((0..followers).map(|_| async {
            let mut follower = self.node.follow(run, Seq(0)).await.expect("the run");
            Events::of(&mut follower).await
        }))
        .await
    }

    fn assemble(&self) -> ChorusSetup {
        let agent = |slot: usize| Agent {
            id: AgentId::new(format!("agent-{slot}")).expect("a plain id"),
            name: format!("Agent {slot}"),
            provider: "Bench".into(),
            description: String::new(),
            color: "#cc785c".into(),
        };
        let options = ChorusOptions {
            agents: (1..=SLOTS).map(|slot| (agent(slot), "model".to_owned())).collect(),
            models: BTreeMap::from([("model".to_owned(), self.model.card())]),
            voice: Some(VoiceChain(vec!["voice".into()])),
            ..ChorusOptions::default()
        };
        let wanted = ChorusRequest {
            message: "What makes a story worth telling twice?".to_owned(),
            seats: (1..=SLOTS as u8).map(|slot| (slot, format!("agent-{slot}"))).collect(),
            ..ChorusRequest::default()
        };
        options.assemble(RunId(uuid::Uuid::now_v7()), wanted).expect("a chorus")
    }
}

#[derive(Debug)]
struct TestChorus {
    model: Arc<dyn Model>,
    speech: SpeechRecorder,
}

#[async_trait]
impl ResourceProvider for TestChorus {
    async fn models(&self, _: &[Player]) -> Result<Models, Problem> {
        Ok(Models::from([("model".to_owned(), self.model.clone())]))
    }

    async fn speech(&self, _: &VoiceChain) -> Result<SpeechRecorder, Problem> {
        Ok(self.speech.clone())
    }
}

/// Answers after a while, at the length that is wanted.
#[derive(Debug, Default)]
pub(crate) struct Timed {
    pub(crate) after: Duration,
}

#[async_trait]
impl Model for Timed {
    fn card(&self) -> ModelCard {
        ModelCard::free("answers on time")
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        let Some(view) = request.view::<ChorusView>() else { return Err(Failure::new("only sings")) };
        let profile = VoiceProfile::ALL[usize::from(view.slot.number()) % VoiceProfile::ALL.len()].as_str();
        let answer = match view.turn {
            Turn::Respond => serde_json::json!({
                "text": "A story is worth telling twice when the second telling finds somebody new. \
                    The words may stay as they are, and still the room has changed around them.",
                "voice_profile": profile,
            }),
            Turn::Comment => serde_json::json!({
                "targetSlotId": view.peers.iter().map(|peer| peer.slot_id).min(),
                "comment": "I like that the room matters as much to you as the words do.",
                "voice_profile": profile,
            }),
            Turn::Reply => serde_json::json!({
                "text": "It has to, because nobody listens in an empty room. Thank you for hearing that.",
                "voice_profile": profile,
            }),
        };
        // An adapter has sent the request by now and keeps none of it while it waits.
        drop(request);
        tokio::time::sleep(self.after).await;
        Ok(answer.to_string().as_str().into())
    }
}

/// The peak memory of this process since sampling began.
pub(crate) struct Peak {
    kib: Arc<AtomicU64>,
    over: Arc<AtomicBool>,
}

impl Peak {
    pub(crate) fn watch() -> Peak {
        let peak = Peak { kib: Arc::default(), over: Arc::default() };
        let (kib, over) = (peak.kib.clone(), peak.over.clone());
        std::thread::spawn(move || {
            while !over.load(Relaxed) {
                kib.fetch_max(memory_kib("self", "VmRSS").unwrap_or(0) as u64, Relaxed);
                std::thread::sleep(LOOKING);
            }
        });
        peak
    }

    pub(crate) fn kib(&self) -> u64 {
        self.kib.load(Relaxed)
    }
}

impl Drop for Peak {
    fn drop(&mut self) {
        self.over.store(true, Relaxed);
    }
}
