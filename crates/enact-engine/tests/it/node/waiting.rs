//! What is wanted of a run before anybody plays it, or after whoever did is gone.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{RunId, Steering};
use enact_engine::{
    Model, Node, Store,
    log::{MemoryLog, Status},
    model::{Answer, Failure, ModelCard, Problem, Request},
};
use enact_testkit::until;

use super::house::{House, Timed, kinds, limited, node, played, scene};

/// Whose key takes a second to be checked.
#[derive(Debug, Clone)]
struct Guarded {
    let_in: bool,
    checked: Arc<AtomicUsize>,
    asked: Arc<AtomicUsize>,
}

impl Guarded {
    fn new(let_in: bool) -> Guarded {
        Guarded { let_in, checked: Arc::default(), asked: Arc::default() }
    }
}

#[async_trait]
impl Model for Guarded {
    fn card(&self) -> ModelCard {
        ModelCard::free("guarded")
    }

    async fn check(&self) -> Result<(), Problem> {
        self.checked.fetch_add(1, SeqCst);
        tokio::time::sleep(Duration::from_secs(1)).await;
        if self.let_in { Ok(()) } else { Err(Problem::config("the key was refused")) }
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        self.asked.fetch_add(1, SeqCst);
        Ok(Answer::from("[SILENT]"))
    }
}

fn note() -> Steering {
    Steering::Note { to: None, text: "Be brief.".to_owned() }
}

/// A run in the queue of nodes that do not play.
async fn waiting(store: &Arc<MemoryLog>, letters: &[Steering]) -> (Node, RunId) {
    let desk = limited(store, &House::empty(), 0);
    let run = desk.submit(scene(2), None).await.unwrap().run;
    for letter in letters {
        desk.steer(run, letter.clone()).await.unwrap();
    }
    (desk, run)
}

#[tokio::test(start_paused = true)]
async fn a_run_that_was_cancelled_before_it_was_played_never_is() {
    let houses = [
        ("lacks the model", House::empty()),
        ("is locked out", House::with(Guarded::new(false))),
        ("can play", House::with(Timed::default())),
    ];
    for (who, house) in houses {
        for (letters, expected) in [
            (vec![Steering::Cancel], vec!["began", "ended"]),
            (vec![note(), Steering::Cancel, note()], vec!["began", "noted", "ended"]),
            // Nobody has to be asked for what was wanted in between.
            (
                vec![Steering::Pause, Steering::Resume, note(), Steering::Cancel],
                vec!["began", "paused", "ended"],
            ),
        ] {
            let store = Arc::new(MemoryLog::default());
            let (_, run) = waiting(&store, &letters).await;
            let node = node(&store, &house);
            let records = played(&node, run).await;
            let kinds: Vec<&str> = records.iter().map(|record| record.kind.as_str()).collect();
            assert_eq!(kinds, expected, "a node that {who}, {letters:?}");
            assert_eq!(store.find(run).await.unwrap().reason.as_deref(), Some("cancelled"));
            assert_eq!(store.letters().await.unwrap(), []);
            until(async || node.playing() == 0).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_that_was_paused_before_it_was_played_opens_no_beat() {
    let store = Arc::new(MemoryLog::default());
    let (desk, run) = waiting(&store, &[note(), Steering::Pause]).await;
    let model = Timed::seconds(1);
    let node = node(&store, &House::with(model.clone()));
    until(async || node.playing() == 1).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!((model.asked.load(SeqCst), store.find(run).await.unwrap().events), (0, 3));
    desk.steer(run, Steering::Resume).await.unwrap();
    let records = played(&node, run).await;
    let kinds = kinds(&records);
    assert_eq!((kinds["beat_opened"], kinds["ended"], kinds.get("resumed")), (2, 1, None));
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_was_taken_back_before_anybody_played_is_none() {
    let store = Arc::new(MemoryLog::default());
    let (_, run) = waiting(&store, &[Steering::Pause, Steering::Resume, note()]).await;
    let records = played(&node(&store, &House::with(Timed::seconds(1))), run).await;
    let kinds = kinds(&records);
    assert_eq!((kinds["beat_opened"], kinds["continued"], kinds.get("resumed")), (2, 1, None));
    assert!(kinds["noted"] > 1 && store.letters().await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_run_whose_players_are_gone_is_cancelled_by_whoever_finds_it() {
    let store = Arc::new(MemoryLog::default());
    let slow = Timed::seconds(20);
    let first = node(&store, &House::with(slow.clone()));
    let run = first.submit(scene(3), None).await.unwrap().run;
    slow.asked(2).await;
    first.stop().await;
    let events = store.find(run).await.unwrap().events;
    let desk = limited(&store, &House::empty(), 0);
    desk.steer(run, note()).await.unwrap();
    desk.steer(run, Steering::Cancel).await.unwrap();
    let records = played(&node(&store, &House::empty()), run).await;
    let kinds: Vec<&str> = records[events as usize..].iter().map(|record| record.kind.as_str()).collect();
    assert_eq!(kinds, ["resumed", "ended"], "the time nobody played it is told apart");
}

#[tokio::test(start_paused = true)]
async fn while_a_key_is_checked_there_is_still_time_to_cancel() {
    let store = Arc::new(MemoryLog::default());
    let model = Guarded::new(true);
    let node = node(&store, &House::with(model.clone()));
    let run = node.submit(scene(2), None).await.unwrap().run;
    until(async || model.checked.load(SeqCst) == 1).await;
    node.steer(run, Steering::Cancel).await.unwrap();
    let records = played(&node, run).await;
    assert_eq!(Vec::from_iter(kinds(&records)), [("began", 1), ("ended", 1)]);
    assert_eq!(model.asked.load(SeqCst), 0);
    assert_eq!(store.find(run).await.unwrap().status, Status::Finished);
}
