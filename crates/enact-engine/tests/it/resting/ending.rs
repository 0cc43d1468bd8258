//! Commands that come while a run ends: in the log, or refused.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use enact_drama::{Record, RunId, Seq};
use enact_engine::{
    Log, Node, Store,
    log::{self, MemoryStore, Status},
    node,
};
use enact_testkit::{FaultyStore, until};
use tokio::task::JoinSet;

use super::counter::{self, Counter, CounterCommand, CounterEvent, add, kinds, post, rests, submit, total};

/// How many commands are posted around the ends of runs.
const COMMANDS: usize = 10_000;
const POSTERS: usize = 4;
/// How many commands a run gets before it is cancelled.
const BEFORE_THE_END: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_accepted_command_vanishes_when_a_run_ends() {
    let store = Arc::new(MemoryStore::default());
    let node = counter::node(&store, 100);
    let (posted, number) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(1)));
    while posted.load(SeqCst) < COMMANDS {
        let run = submit(&node).await;
        let mut posting = JoinSet::new();
        for poster in 0..POSTERS {
            let (node, posted, number) = (node.clone(), posted.clone(), number.clone());
            posting.spawn(async move {
                let mut accepted = Vec::new();
                for turn in 0.. {
                    if poster == 0 && turn == BEFORE_THE_END {
                        // There may be no room for it, and others may have been quicker.
                        while node.cancel(run).await.is_err_and(|error| !has_ended(&error)) {
                            tokio::task::yield_now().await;
                        }
                    }
                    let number = number.fetch_add(1, SeqCst);
                    posted.fetch_add(1, SeqCst);
                    match is_accepted(&node, run, number).await {
                        Some(true) => accepted.push(number),
                        Some(false) => break,
                        None => tokio::task::yield_now().await,
                    }
                }
                accepted
            });
        }
        let mut accepted: Vec<u64> = posting.join_all().await.into_iter().flatten().collect();
        accepted.sort_unstable();
        let mut counted = numbers(&store.read(run, Seq(0)).await.unwrap());
        counted.sort_unstable();
        assert_eq!(counted, accepted, "commands were accepted that are not in the log");
    }
    node.stop().await;
}

fn has_ended(error: &node::Error) -> bool {
    matches!(error, node::Error::Log(log::Error::Ended(_)))
}

/// Nothing, if there was no room for it.
async fn is_accepted(node: &Node, run: RunId, number: u64) -> Option<bool> {
    match crate::submitting::post::<Counter>(node, run, &add(number)).await {
        Ok(_) => Some(true),
        Err(node::Error::Log(log::Error::Ended(_))) => Some(false),
        Err(node::Error::Log(log::Error::Full(_))) => None,
        Err(other) => panic!("{other}"),
    }
}

fn numbers(records: &[Record]) -> Vec<u64> {
    let number = |record: &Record| match record.fact::<CounterEvent>().unwrap().event {
        CounterEvent::Added { number } => Some(number),
        _ => None,
    };
    records.iter().filter_map(number).collect()
}

#[tokio::test(start_paused = true)]
async fn what_comes_while_the_end_is_being_stored_counts_before_it() {
    let store = Arc::new(FaultyStore::default());
    let node = counter::node(&store, 10);
    let run = submit(&node).await;
    rests(&*store, run).await;
    store.hold_appends();
    post(&node, run, CounterCommand::Cancel {}).await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    // More than are read from an inbox at a time, and two more that end the run.
    post(&node, run, CounterCommand::Cancel {}).await;
    for _ in 0..100 {
        post(&node, run, add(1)).await;
    }
    post(&node, run, CounterCommand::Cancel {}).await;
    store.release_appends();
    until(async || store.find(run).await.unwrap().status == Status::Finished).await;
    let kinds = kinds(&*store, run).await;
    assert_eq!(kinds.iter().filter(|kind| *kind == "added").count(), 100);
    assert_eq!(kinds.iter().filter(|kind| *kind == "ended").count(), 1);
    assert_eq!(kinds.last().map(String::as_str), Some("ended"));
    assert_eq!(total(&*store, run).await, 100, "rows follow the facts that were stored");
    assert_eq!(store.inbox(run).await.unwrap(), []);
}

#[tokio::test(start_paused = true)]
async fn what_was_posted_before_a_run_was_cancelled_in_the_queue_is_in_its_log() {
    let store = Arc::new(MemoryStore::default());
    let desk = counter::node(&store, 0);
    let run = submit(&desk).await;
    for command in [add(1), CounterCommand::Cancel {}, add(2), CounterCommand::Cancel {}, add(3)] {
        post(&desk, run, command).await;
    }
    counter::node(&store, 10);
    until(async || store.find(run).await.unwrap().status == Status::Finished).await;
    assert_eq!(numbers(&store.read(run, Seq(0)).await.unwrap()), [1, 2, 3]);
}
