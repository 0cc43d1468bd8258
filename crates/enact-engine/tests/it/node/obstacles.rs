//! What keeps a run from being played, and how it gets over it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    Name, Record, Seq,
    scene::{SceneConfig, Setup},
};
use enact_engine::{
    Model, Models, Node, Store,
    log::{MemoryLog, NewRun, Status},
    model::{Answer, Failure, ModelCard, Problem, Request},
    node::{Limits, Project},
};
use enact_testkit::{FaultyStore, until};

use super::house::{House, Timed, kinds, node, played, scene};

#[tokio::test(start_paused = true)]
async fn a_store_that_is_away_for_a_while_holds_a_run_up_and_nothing_more() {
    let store = Arc::new(FaultyStore::default());
    let model = Timed::seconds(1);
    let node = node(&store, &House::with(model.clone()));
    let run = node.submit(scene(10), None).await.unwrap().run;
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
    let run = node.submit(scene(1), None).await.unwrap().run;
    until(async || store.find(run).await.unwrap().problem.is_some()).await;
    let found = store.find(run).await.unwrap();
    assert_eq!(found.problem.as_deref(), Some("it is played by the model 'model', which this node lacks"));
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
        runs.push(node.submit(scene(1), None).await.unwrap().run);
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
    let run = node.submit(scene(1), None).await.unwrap().run;
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
impl Project for Clumsy {
    async fn cast(&self, _: SceneConfig, _: Vec<(Name, String)>) -> Result<Setup, Problem> {
        Err(Problem::config("no"))
    }

    async fn models(&self, _: &[enact_drama::production::Player]) -> Result<Models, Problem> {
        panic!("as this test wants it")
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_costs_its_run_a_pause_and_nobody_else_anything() {
    let store = Arc::new(FaultyStore::default());
    let node = Node::start(store.clone(), Arc::new(Clumsy), Limits::default());
    let run = node.submit(scene(1), None).await.unwrap().run;
    until(async || store.find(run).await.unwrap().problem.is_some()).await;
    assert_eq!(store.find(run).await.unwrap().problem.as_deref(), Some("playing it panicked"));
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert!(store.claims() <= 3);
    node.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_log_that_this_version_cannot_read_is_left_to_others() {
    let store = Arc::new(MemoryLog::default());
    let node = node(&store, &House::with(Timed::default()));
    let run = scene(1).run;
    let sung = r#"{"seq":0,"at":0,"kind":"sung","v":1,"body":{}}"#;
    let about = NewRun { run, production: "scene", name: "test".into(), at: 0, parent: None };
    let records: Vec<Record> = vec![serde_json::from_str(sung).unwrap()];
    store.enqueue(about, records, None).await.unwrap();
    until(async || store.find(run).await.unwrap().problem.is_some()).await;
    let problem = store.find(run).await.unwrap().problem.unwrap();
    assert!(problem.starts_with("this run cannot be resumed: event 0 ('sung' v1)"), "{problem}");
    let mut follower = node.follow(run, Seq(0)).await.unwrap();
    assert!(follower.next().await.unwrap().is_some(), "what cannot be played can be shown");
}
