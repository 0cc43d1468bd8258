//! Commands to a scene whose last beat is just being stored.

use std::{
    sync::{
        Arc,
        atomic::{
            AtomicBool, AtomicUsize,
            Ordering::{Relaxed, SeqCst},
        },
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    Seq,
    scene::{Command, SceneEvent},
};
use enact_engine::{
    Log, Model, Store,
    log::{Claim, MemoryStore, Status},
    model::{Answer, Failure, ModelCard, Problem, Request},
};
use enact_testkit::{FaultyStore, StoreCall, StoreFault, StoreFaults, until};

use super::house::{House, Timed, kinds, node, played, scene};
use crate::submitting::{steer, submit};

/// A scene of one beat whose end cannot be stored yet.
async fn ending() -> (Arc<FaultyStore>, enact_engine::Node, enact_drama::RunId, Timed) {
    let store = Arc::new(FaultyStore::default());
    let model = Timed::seconds(20);
    let node = node(&store, &House::with(model.clone()));
    let run = submit(&node, scene(1)).await;
    model.asked(2).await;
    store.hold_appends();
    tokio::time::sleep(Duration::from_secs(30)).await;
    (store, node, run, model)
}

#[tokio::test(start_paused = true)]
async fn a_note_is_in_the_log_and_no_model_is_asked_again() {
    let (store, node, run, model) = ending().await;
    steer(&node, run, Command::Note { to: None, text: "Wait.".to_owned() }).await;
    store.release_appends();
    let records = played(&node, run).await;
    let events: Vec<SceneEvent> =
        records.iter().map(|record| record.fact::<SceneEvent>().unwrap().event).collect();
    let noted = |event: &SceneEvent| matches!(event, SceneEvent::Noted { text, .. } if text == "Wait.");
    assert_eq!(events.iter().filter(|event| noted(event)).count(), 1);
    assert!(matches!(events.last(), Some(SceneEvent::Ended { .. })), "{:?}", events.last());
    assert!(!events.iter().any(|event| matches!(event, SceneEvent::Resumed { .. })));
    let lines = events.iter().filter(|event| matches!(event, SceneEvent::LineAdded { .. }));
    assert_eq!(lines.count(), 2);
    assert_eq!(model.asked.load(SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn a_pause_keeps_it_from_ending() {
    let (store, node, run, _) = ending().await;
    steer(&node, run, Command::Pause).await;
    store.release_appends();
    until(async || store.find(run).await.unwrap().status == Status::Paused).await;
    steer(&node, run, Command::Resume).await;
    let records = played(&node, run).await;
    assert_eq!(records.last().unwrap().kind, "ended");
}

/// An answer that would have ended the scene, and does not because of a pause that came after it, is taken as
/// any other: it is in the log once, and not in the inbox any more.
#[tokio::test(start_paused = true)]
async fn an_answer_that_a_pause_keeps_from_ending_it_is_taken_once() {
    let store = Arc::new(FaultyStore::default());
    let node = node(&store, &House::with(Timed::default()));
    let mut setup = scene(1);
    setup.models.get_mut("model").unwrap().human = true;
    let run = submit(&node, setup).await;
    until(async || store.find(run).await.is_ok_and(|summary| summary.events >= 5)).await;
    let records = store.read_some(run, Seq(0), 100).await.unwrap();
    let asks = records.iter().filter_map(|record| match record.fact::<SceneEvent>().unwrap().event {
        SceneEvent::Asked { call, .. } => Some(call),
        _ => None,
    });
    let [alice, bob] = asks.collect::<Vec<_>>()[..] else { panic!("{records:?}") };
    steer(&node, run, Command::Answer { ask: alice, text: "Good evening.".to_owned() }).await;
    until(async || store.find(run).await.is_ok_and(|summary| summary.events >= 7)).await;
    store.hold_appends();
    tokio::time::sleep(Duration::from_secs(130)).await;
    steer(&node, run, Command::Answer { ask: bob, text: "Good night.".to_owned() }).await;
    steer(&node, run, Command::Pause).await;
    store.release_appends();
    until(async || store.find(run).await.unwrap().status == Status::Paused).await;
    assert!(store.inbox(run).await.unwrap().is_empty());
    steer(&node, run, Command::Resume).await;
    let records = played(&node, run).await;
    let told = |text: &str| records.iter().filter(|record| record.body.get().contains(text)).count();
    // What was answered, and the line that came of it.
    assert_eq!((told("Good evening."), told("Good night.")), (2, 2));
    assert_eq!(records.last().unwrap().kind, "ended");
}

/// Fails after a second.
#[derive(Debug, Clone, Default)]
struct Failing {
    asked: Arc<AtomicUsize>,
}

#[async_trait]
impl Model for Failing {
    fn card(&self) -> ModelCard {
        ModelCard::free("failing")
    }

    async fn check(&self) -> Result<(), Problem> {
        Ok(())
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        self.asked.fetch_add(1, SeqCst);
        tokio::time::sleep(Duration::from_secs(1)).await;
        Err(Failure::new("it fails"))
    }
}

/// Once it is told to, every append takes five seconds to reach the store, and its answer five to come back.
#[derive(Debug, Clone, Default)]
struct SlowAppends(Arc<AtomicBool>);

impl StoreFaults for SlowAppends {
    fn on_call(&self, call: StoreCall) -> StoreFault {
        match call == StoreCall::Append && self.0.load(Relaxed) {
            true => StoreFault::Slow(Duration::from_secs(5)),
            false => StoreFault::None,
        }
    }
}

/// It hears that there is a command to be read before the end only when another has read it and gone on.
#[tokio::test(start_paused = true)]
async fn a_node_that_has_lost_a_run_as_it_ends_asks_for_nothing_that_the_next_owner_stored() {
    let log = Arc::new(MemoryStore::default());
    let (appends, model) = (SlowAppends::default(), Failing::default());
    let store = Arc::new(FaultyStore::before(log.clone()).with_faults(Arc::new(appends.clone())));
    let first = node(&store, &House::with(model.clone()));
    let run = submit(&first, scene(6)).await;
    // A scene ends when all have failed in three beats.
    until(async || model.asked.load(SeqCst) == 6).await;
    appends.0.store(true, Relaxed);
    store.hold_claims();
    tokio::time::sleep(Duration::from_secs(3)).await;
    steer(&first, run, Command::Note { to: None, text: "Wait.".to_owned() }).await;
    tokio::time::sleep(Duration::from_secs(4)).await;
    // As if its lease had run out.
    log.release(Claim { run, epoch: 1 }).await.unwrap();
    let second = node(&Arc::new(FaultyStore::before(log)), &House::with(Timed::seconds(3)));
    let records = played(&second, run).await;
    let kinds = kinds(&records);
    assert_eq!((kinds["resumed"], kinds["beat_opened"], kinds["ended"]), (1, 6, 1));
    assert_eq!(model.asked.load(SeqCst), 6);
}
