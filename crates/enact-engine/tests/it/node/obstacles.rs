//! What keeps a run from being played, and how it gets over it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{Record, RunId, Seq, scene::Scene};
use enact_engine::{
    Model, Models, Node, Store,
    log::{MemoryStore, Status},
    model::{Answer, Failure, ModelCard, Problem, Request},
    node::{NodeLimits, ResourceProvider},
    store::Submission,
};
use enact_testkit::{FaultyStore, until};
use expect_test::expect;

use super::house::{House, Timed, kinds, node, played, scene};
use crate::submitting::{about, first, productions, submit};

#[tokio::test(start_paused = true)]
async fn a_store_that_is_away_for_a_while_holds_a_run_up_and_nothing_more() {
    let store = Arc::new(FaultyStore::default());
    let model = Timed::seconds(1);
    let node = node(&store, &House::with(model.clone()));
    let run = submit(&node, scene(10)).await;
    model.asked(6).await;
    store.fail();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(store.inner.find(run).await.unwrap().status, Status::Playing, "nobody could give it up");
    store.recover();
    let whole = played(&node, run).await;
    let kinds = kinds(&whole);
    assert_eq!((kinds["beat_opened"], kinds["resumed"], kinds["ended"]), (10, 1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_run_whose_model_is_missing_waits_and_says_why_without_being_tried_all_the_time() {
    let store = Arc::new(FaultyStore::default());
    let house = House::empty();
    let node = node(&store, &house);
    let run = submit(&node, scene(1)).await;
    until(async || store.find(run).await.unwrap().problem.is_some()).await;
    let found = store.find(run).await.unwrap();
    assert_eq!(found.problem.as_deref(), Some("it is played by the model 'model', which is missing here"));
    assert_eq!((found.status, found.events), (Status::Waiting, 1));
    tokio::time::sleep(Duration::from_secs(120)).await;
    let tries = store.claims();
    assert!((3..=5).contains(&tries), "{tries}");

    house.hire(Timed::default());
    assert_eq!(kinds(&played(&node, run).await)["ended"], 1);
    assert_eq!(store.find(run).await.unwrap().problem, None);
}

/// Whose key is refused.
#[derive(Debug, Clone, Default)]
struct LockedOut(Arc<AtomicUsize>);

#[async_trait]
impl Model for LockedOut {
    fn card(&self) -> ModelCard {
        ModelCard::free("locked out")
    }

    async fn check(&self) -> Result<(), Problem> {
        self.0.fetch_add(1, SeqCst);
        tokio::time::sleep(Duration::from_secs(1)).await;
        Err(Problem::config("the key was refused").hint("check SOME_KEY"))
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        Err(Failure::new("the key was refused"))
    }
}

#[tokio::test(start_paused = true)]
async fn a_key_that_is_refused_is_found_out_once_and_before_anything_is_played() {
    let store = Arc::new(FaultyStore::default());
    let (house, model) = (House::empty(), LockedOut::default());
    house.hire(model.clone());
    let node = node(&store, &house);
    let mut runs = Vec::new();
    for _ in 0..100 {
        runs.push(submit(&node, scene(1)).await);
    }
    for run in &runs {
        until(async || store.find(*run).await.unwrap().problem.is_some()).await;
        let found = store.find(*run).await.unwrap();
        assert_eq!(found.problem.as_deref(), Some("the key was refused (check SOME_KEY)"));
        assert_eq!(found.events, 1, "nothing was played");
    }
    assert_eq!(model.0.load(SeqCst), 1);
    house.hire(Timed::default());
    for run in runs {
        assert_eq!(kinds(&played(&node, run).await)["ended"], 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_stops_while_it_still_waits_to_hear_about_a_key() {
    let store = Arc::new(FaultyStore::default());
    let node = node(&store, &House::with(LockedOut::default()));
    let run = submit(&node, scene(1)).await;
    until(async || node.playing() == 1).await;
    let began = tokio::time::Instant::now();
    node.stop().await;
    assert!(began.elapsed() < Duration::from_millis(500), "{:?}", began.elapsed());
    let found = store.find(run).await.unwrap();
    assert_eq!((found.status, found.problem), (Status::Waiting, None));
}

/// Trips over everything.
#[derive(Debug)]
struct Clumsy;

#[async_trait]
impl ResourceProvider for Clumsy {
    async fn models(&self, _: &[enact_drama::production::Player]) -> Result<Models, Problem> {
        panic!("as this test wants it")
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_costs_its_run_a_pause_and_nobody_else_anything() {
    let store = Arc::new(FaultyStore::default());
    let node = Node::start(store.clone(), Arc::new(Clumsy), productions(), NodeLimits::default());
    let run = submit(&node, scene(1)).await;
    until(async || store.find(run).await.unwrap().problem.is_some()).await;
    assert_eq!(store.find(run).await.unwrap().problem.as_deref(), Some("playing it panicked"));
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert!(store.claims() <= 3);
    node.stop().await;
}

/// A run in the queue whose log is this, and what is said of it once it was tried.
async fn tried(store: &Arc<MemoryStore>, run: RunId, records: Vec<Record>) -> String {
    let (rows, order, next) = (Vec::new(), None, None);
    store.enqueue(Submission { run: about(run), records, rows, idempotency_key: order, next }).await.unwrap();
    until(async || store.find(run).await.unwrap().problem.is_some()).await;
    let found = store.find(run).await.unwrap();
    assert_eq!(found.status, Status::Waiting, "a node that knows it may come");
    found.problem.unwrap()
}

fn sung(seq: u64) -> Record {
    serde_json::from_str(&format!(r#"{{"seq":{seq},"at":0,"kind":"sung","v":1,"body":{{}}}}"#)).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_log_that_this_version_cannot_read_is_left_to_others() {
    let store = Arc::new(MemoryStore::default());
    let node = node(&store, &House::with(Timed::default()));
    let setup = scene(1);
    let run = setup.run;
    let problem = tried(&store, run, vec![first::<Scene>(Scene::beginning(setup)), sung(1)]).await;
    assert!(problem.starts_with("this run cannot be resumed: event 1 ('sung' v1)"), "{problem}");
    let mut follower = node.follow(run, Seq(0)).await.unwrap();
    assert!(follower.next().await.unwrap().is_some(), "what cannot be played can be shown");
}

#[tokio::test(start_paused = true)]
async fn a_log_of_a_production_that_is_not_known_is_played_as_no_other() {
    let store = Arc::new(MemoryStore::default());
    let model = Timed::default();
    let node = node(&store, &House::with(model.clone()));
    let run = scene(1).run;
    let problem = tried(&store, run, vec![sung(0)]).await;
    expect!["a log that begins with 'sung' is not known to this enact, which plays: scene, chorus"]
        .assert_eq(&problem);
    // No command is taken for it here, and nothing was added to it.
    let refused = node.command(run, r#"{"command":"pause"}"#).await.unwrap_err().to_string();
    assert_eq!(refused, problem);
    assert_eq!(node.cancel(run).await.unwrap_err().to_string(), problem);
    tokio::time::sleep(Duration::from_secs(120)).await;
    assert_eq!((store.find(run).await.unwrap().events, model.asked.load(SeqCst)), (1, 0));
    let mut follower = node.follow(run, Seq(0)).await.unwrap();
    assert!(follower.next().await.unwrap().is_some(), "what cannot be played can be shown");
    until(async || node.playing() == 0).await;
    node.delete(run).await.unwrap();
}
