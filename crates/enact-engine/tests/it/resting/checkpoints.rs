//! What is stored with an append beside its records: rows and checkpoints. And what waking a long run reads.

use std::sync::Arc;

use enact_drama::{RunId, Seq};
use enact_engine::{
    Log, Node, Store,
    log::{Batch, Checkpoint, Status},
};
use enact_testkit::{FaultyStore, until};

use super::counter::{CHECKPOINT_EVERY, CounterCommand, add, node, post, rests, submit, total};

/// How many records a log has before a checkpoint is looked for.
const FIRST_PAGE: usize = 256;
const RECORDS: u64 = 600;

/// The seq up to which the newest checkpoint reaches.
async fn checkpointed(store: &FaultyStore, run: RunId) -> Option<u64> {
    store.inner.checkpoint(run).await.unwrap().map(|checkpoint| checkpoint.next.0)
}

/// Adds a number so many times, and waits until it is done.
async fn adds(node: &Node, store: &FaultyStore, run: RunId, number: u64, times: u32) {
    let before = total(&*store.inner, run).await;
    post(node, run, CounterCommand::Add { number, times }).await;
    until(async || total(&*store.inner, run).await == before + number * u64::from(times)).await;
    rests(&*store.inner, run).await;
    until(async || node.playing() == 0).await;
}

/// A run of so many records that rests.
async fn long(node: &Node, store: &FaultyStore) -> RunId {
    let run = submit(node).await;
    rests(&*store.inner, run).await;
    for _ in 0..RECORDS / 50 {
        adds(node, store, run, 1, 50).await;
    }
    assert!(store.inner.find(run).await.unwrap().events >= RECORDS);
    run
}

/// How many records are read to take one more command.
async fn read_to_wake(node: &Node, store: &FaultyStore, run: RunId) -> usize {
    let before = store.records_read();
    adds(node, store, run, 7, 1).await;
    store.records_read() - before
}

#[tokio::test(start_paused = true)]
async fn rows_and_checkpoints_are_stored_with_what_they_follow_from() {
    let store = Arc::new(FaultyStore::default());
    let node = node(&store, 1);
    let run = submit(&node).await;
    rests(&*store.inner, run).await;
    let mut last = None;
    for number in 1..=20 {
        adds(&node, &store, run, number, 1).await;
        assert_eq!(total(&*store.inner, run).await, number * (number + 1) / 2);
        let events = store.inner.find(run).await.unwrap().events;
        let reaches = checkpointed(&store, run).await;
        assert!(reaches >= last && reaches.is_none_or(|next| next <= events), "{reaches:?} of {events}");
        assert!(events - reaches.unwrap_or(0) <= CHECKPOINT_EVERY, "{reaches:?} of {events}");
        last = reaches;
    }

    // What could not be stored has left no row and no checkpoint either.
    let (before, reached) = (total(&*store.inner, run).await, checkpointed(&store, run).await);
    store.fail_after_appends(0);
    post(&node, run, CounterCommand::Add { number: 100, times: 10 }).await;
    until(async || store.inner.find(run).await.unwrap().problem.is_some()).await;
    assert_eq!((total(&*store.inner, run).await, checkpointed(&store, run).await), (before, reached));
    store.recover();
    until(async || total(&*store.inner, run).await == before + 1_000).await;
    rests(&*store.inner, run).await;
    let events = store.inner.find(run).await.unwrap().events;
    assert_eq!(checkpointed(&store, run).await, Some(events), "ten records at once are enough for one");
}

#[tokio::test(start_paused = true)]
async fn a_long_run_is_woken_from_its_checkpoint() {
    let store = Arc::new(FaultyStore::default());
    let node = node(&store, 1);
    let run = long(&node, &store).await;
    // The first record is read to know the production.
    let most = 1 + FIRST_PAGE + CHECKPOINT_EVERY as usize;
    for more in 1..=6 {
        let read = read_to_wake(&node, &store, run).await;
        assert!(read <= most, "{read} records were read");
        assert_eq!(total(&*store.inner, run).await, RECORDS + 7 * more);
    }
}

#[tokio::test(start_paused = true)]
async fn a_checkpoint_that_cannot_be_read_costs_reading_the_log() {
    let store = Arc::new(FaultyStore::default());
    let node = node(&store, 1);
    let run = long(&node, &store).await;
    let whole = store.inner.checkpoint(run).await.unwrap().unwrap();
    let cut = whole.body[..whole.body.len() / 2].to_vec();
    let mut flipped = whole.body.clone();
    flipped.iter_mut().for_each(|byte| *byte ^= 0x55);
    let mut expected = RECORDS;
    for body in [Vec::new(), b"not compressed at all".to_vec(), cut, flipped] {
        let claim = store.inner.claim(run).await.unwrap();
        let next = Seq(store.inner.find(run).await.unwrap().events);
        let damaged = Some(Checkpoint { next, body });
        store.inner.append(&claim, Batch { checkpoint: damaged, ..Batch::default() }).await.unwrap();
        assert!(store.inner.rest(claim, None).await.unwrap());

        let read = read_to_wake(&node, &store, run).await;
        expected += 7;
        assert!(read as u64 > RECORDS, "only {read} records were read");
        assert_eq!(total(&*store.inner, run).await, expected);
        let again = read_to_wake(&node, &store, run).await;
        expected += 7;
        assert!(again < FIRST_PAGE + 10, "a new one was written: {again} records were read");
    }
    post(&node, run, add(0)).await;
    node.cancel(run).await.unwrap();
    until(async || store.inner.find(run).await.unwrap().status == Status::Finished).await;
}
