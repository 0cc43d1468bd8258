//! Commands to a run that is not claimed yet, or whose owner is gone.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{RunId, scene::Command};
use enact_engine::{
    Model, Node, Store,
    log::{MemoryStore, Status},
    model::{Answer, Failure, ModelCard, Problem, Request},
};
use enact_testkit::until;

use super::house::{House, Timed, kinds, limited, node, played, scene};
use crate::submitting::{steer, submit};

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

fn note() -> Command {
    Command::Note { to: None, text: "Be brief.".to_owned() }
}

/// A run in the queue of nodes that do not play.
async fn waiting(store: &Arc<MemoryStore>, commands: &[Command]) -> (Node, RunId) {
    let desk = limited(store, &House::empty(), 0);
    let run = submit(&desk, scene(2)).await;
    for command in commands {
        steer(&desk, run, command.clone()).await;
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
        for (commands, expected) in [
            (vec![Command::Cancel], vec!["began", "ended"]),
            // Whatever was accepted is in the log.
            (vec![note(), Command::Cancel, note()], vec!["began", "noted", "noted", "ended"]),
            // The commands in between need no model.
            (
                vec![Command::Pause, Command::Resume, note(), Command::Cancel],
                vec![
                    "began",
                    "paused",
                    "continued",
                    "noted",
                    "beat_opened",
                    "asked",
                    "asked",
                    "noted",
                    "ended",
                ],
            ),
        ] {
            let store = Arc::new(MemoryStore::default());
            let (_, run) = waiting(&store, &commands).await;
            let node = node(&store, &house);
            let records = played(&node, run).await;
            let kinds: Vec<&str> = records.iter().map(|record| record.kind.as_str()).collect();
            assert_eq!(kinds, expected, "a node that {who}, {commands:?}");
            assert_eq!(store.find(run).await.unwrap().reason.as_deref(), Some("cancelled"));
            assert_eq!(store.inbox(run).await.unwrap(), []);
            until(async || node.playing() == 0).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_that_was_paused_before_it_was_played_opens_no_beat() {
    let store = Arc::new(MemoryStore::default());
    let (desk, run) = waiting(&store, &[note(), Command::Pause]).await;
    let model = Timed::seconds(1);
    let node = node(&store, &House::with(model.clone()));
    until(async || store.find(run).await.unwrap().status == Status::Paused).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    let found = store.find(run).await.unwrap();
    assert_eq!((model.asked.load(SeqCst), found.events, found.status), (0, 3, Status::Paused));
    assert_eq!(node.playing(), 0, "it is nobody's until somebody wants something of it");
    steer(&desk, run, Command::Resume).await;
    let records = played(&node, run).await;
    let kinds = kinds(&records);
    assert_eq!((kinds["beat_opened"], kinds["ended"], kinds.get("resumed")), (2, 1, None));
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_was_taken_back_before_anybody_played_is_none() {
    let store = Arc::new(MemoryStore::default());
    let (_, run) = waiting(&store, &[Command::Pause, Command::Resume, note()]).await;
    let records = played(&node(&store, &House::with(Timed::seconds(1))), run).await;
    let kinds = kinds(&records);
    assert_eq!((kinds["beat_opened"], kinds["continued"], kinds.get("resumed")), (2, 1, None));
    assert!(kinds["noted"] > 1 && store.inbox(run).await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_run_whose_players_are_gone_is_cancelled_by_whoever_finds_it() {
    let store = Arc::new(MemoryStore::default());
    let slow = Timed::seconds(20);
    let first = node(&store, &House::with(slow.clone()));
    let run = submit(&first, scene(3)).await;
    slow.asked(2).await;
    first.stop().await;
    let events = store.find(run).await.unwrap().events;
    let desk = limited(&store, &House::empty(), 0);
    steer(&desk, run, note()).await;
    steer(&desk, run, Command::Cancel).await;
    let records = played(&node(&store, &House::empty()), run).await;
    let kinds: Vec<&str> = records[events as usize..].iter().map(|record| record.kind.as_str()).collect();
    assert_eq!(kinds, ["resumed", "noted", "ended"], "the time nobody played it is told apart");
}

#[tokio::test(start_paused = true)]
async fn while_a_key_is_checked_there_is_still_time_to_cancel() {
    let store = Arc::new(MemoryStore::default());
    let model = Guarded::new(true);
    let node = node(&store, &House::with(model.clone()));
    let run = submit(&node, scene(2)).await;
    until(async || model.checked.load(SeqCst) == 1).await;
    steer(&node, run, Command::Cancel).await;
    let records = played(&node, run).await;
    assert_eq!(Vec::from_iter(kinds(&records)), [("began", 1), ("ended", 1)]);
    assert_eq!(model.asked.load(SeqCst), 0);
    assert_eq!(store.find(run).await.unwrap().status, Status::Finished);
}
