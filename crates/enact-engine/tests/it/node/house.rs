//! Where nodes of tests play: the models, what is played, and ways to look on.

use std::{
    collections::BTreeMap,
    fmt::Debug,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    Record, RunId, Seq,
    scene::{SceneConfig, SceneSetup},
};
use enact_engine::{
    Model, Models, Node, Stage, Store,
    model::{Answer, Failure, LiveText, ModelCard, Problem, Request},
    node::{FollowEvent, Follower, NodeLimits, ResourceProvider},
};
use enact_testkit::{in_time, until};

use crate::submitting::productions;

/// Has the models that it has now.
#[derive(Debug, Default)]
pub(crate) struct House {
    models: Mutex<Models>,
}

impl House {
    pub(crate) fn empty() -> Arc<House> {
        Arc::default()
    }

    pub(crate) fn with(model: impl Model + 'static) -> Arc<House> {
        let house = House::empty();
        house.hire(model);
        house
    }

    pub(crate) fn hire(&self, model: impl Model + 'static) {
        self.models.lock().unwrap().insert("model".to_owned(), Arc::new(model));
    }
}

#[async_trait]
impl ResourceProvider for House {
    async fn models(&self, _: &[enact_drama::production::Player]) -> Result<Models, Problem> {
        Ok(self.models.lock().unwrap().clone())
    }
}

/// A scene of so many beats between two.
pub(crate) fn scene(max_beats: i64) -> SceneSetup {
    let config = SceneConfig {
        name: "test".into(),
        prompt: "Nobody can judge this.".into(),
        characters: ["alice", "bob"].map(str::to_owned).into(),
        max_beats: Some(max_beats),
        ..SceneConfig::default()
    };
    let cast =
        Stage::new("model", Arc::new(Timed::default())).sheet("alice", "# Alice").sheet("bob", "# Bob");
    cast.cast(config).unwrap()
}

pub(crate) fn node(store: &Arc<impl Store + 'static>, house: &Arc<House>) -> Node {
    limited(store, house, NodeLimits::default().runs)
}

pub(crate) fn limited(store: &Arc<impl Store + 'static>, house: &Arc<House>, runs: usize) -> Node {
    Node::start(store.clone(), house.clone(), productions(), NodeLimits { runs, ..NodeLimits::default() })
}

/// Answers after a while, in two pieces.
#[derive(Debug, Clone, Default)]
pub(crate) struct Timed {
    pub(crate) takes: Duration,
    pub(crate) asked: Arc<AtomicUsize>,
    /// How often it was asked whether it could answer.
    pub(crate) checked: Arc<AtomicUsize>,
}

impl Timed {
    pub(crate) fn seconds(seconds: u64) -> Timed {
        Timed { takes: Duration::from_secs(seconds), ..Timed::default() }
    }

    /// Waits until the model has been asked so often.
    pub(crate) async fn asked(&self, times: usize) {
        until(async || self.asked.load(SeqCst) >= times).await;
    }
}

#[async_trait]
impl Model for Timed {
    fn card(&self) -> ModelCard {
        ModelCard::free("timed")
    }

    async fn check(&self) -> Result<(), Problem> {
        self.checked.fetch_add(1, SeqCst);
        Ok(())
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        self.answer_live(request, LiveText::none()).await
    }

    async fn answer_live(&self, request: Request, live: LiveText) -> Result<Answer, Failure> {
        self.asked.fetch_add(1, SeqCst);
        let beat = request.beat.unwrap_or_default();
        let (first, second) = ("[TONE: calm] \"Why, ", format!("{} at {beat}?\"", request.me()));
        tokio::time::sleep(self.takes / 2).await;
        live.push(first);
        tokio::time::sleep(self.takes / 2).await;
        live.push(&second);
        Ok(Answer::from(format!("{first}{second}").as_str()))
    }
}

/// Everything up to the end of a run, checked to be whole and to come once.
pub(crate) async fn follow_to_end(follower: &mut Follower) -> Vec<Arc<Record>> {
    let mut all: Vec<Arc<Record>> = Vec::new();
    loop {
        let next = follower.next_seq();
        match follower.next().await.unwrap() {
            Some(FollowEvent::Records(records)) => {
                assert!(!records.is_empty());
                let seqs: Vec<Seq> = records.iter().map(|record| record.seq).collect();
                let expected: Vec<Seq> = (next.0..).map(Seq).take(records.len()).collect();
                assert_eq!(seqs, expected);
                all.extend(records);
            }
            Some(FollowEvent::Delta(_)) => {}
            Some(FollowEvent::Closed) => panic!("the node has stopped"),
            None => return all,
        }
    }
}

/// All of a run, once it has ended.
pub(crate) async fn played(node: &Node, run: RunId) -> Vec<Arc<Record>> {
    let mut follower = node.follow(run, Seq(0)).await.unwrap();
    in_time(follow_to_end(&mut follower)).await
}

/// How often each kind of record is there.
pub(crate) fn kinds(records: &[Arc<Record>]) -> BTreeMap<&str, usize> {
    let mut kinds = BTreeMap::new();
    for record in records {
        *kinds.entry(record.kind.as_str()).or_default() += 1;
    }
    kinds
}
