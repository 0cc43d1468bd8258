//! Nodes that share a queue: who plays, who stops, who goes on.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    time::Duration,
};

use enact_drama::{Seq, scene::Command};
use enact_engine::{
    Log, Store,
    log::{Claim, MemoryStore, Status},
    node::FollowEvent,
};
use enact_testkit::{FaultyStore, StoreCall, StoreFault, StoreFaults, in_time, until};
use tokio::time::Instant;

use super::house::{House, Timed, follow_to_end, kinds, limited, node, played, scene};
use crate::submitting::{steer, submit};

#[tokio::test(start_paused = true)]
async fn what_waits_is_played_once_by_whoever_has_room() {
    let store = Arc::new(MemoryStore::default());
    let house = House::with(Timed::seconds(2));
    let nodes = [limited(&store, &house, 2), limited(&store, &house, 2)];
    let mut runs = Vec::new();
    for _ in 0..12 {
        runs.push(submit(&nodes[0], scene(2)).await);
    }
    let mut most = [0, 0];
    while store.runs().await.unwrap().iter().any(|run| run.status != Status::Finished) {
        for (most, node) in most.iter_mut().zip(&nodes) {
            *most = node.playing().max(*most);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(most, [2, 2]);
    for run in runs {
        let records = played(&nodes[1], run).await;
        let kinds = kinds(&records);
        assert_eq!(
            (kinds.get("began"), kinds.get("resumed"), kinds.get("ended")),
            (Some(&1), None, Some(&1))
        );
        assert_eq!(kinds["beat_opened"], 2);
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_that_stops_hands_its_runs_on_at_once_and_says_so() {
    let store = Arc::new(MemoryStore::default());
    let (slow, fast) = (Timed::seconds(20), House::with(Timed::default()));
    let first = node(&store, &House::with(slow.clone()));
    let run = submit(&first, scene(3)).await;
    slow.asked(2).await;
    let mut follower = first.follow(run, Seq(0)).await.unwrap();
    let Some(FollowEvent::Records(seen)) = follower.next().await.unwrap() else { panic!("it has begun") };

    let second = node(&store, &fast);
    let stopped = Instant::now();
    first.stop().await;
    assert!(matches!(follower.next().await.unwrap(), Some(FollowEvent::Closed)));
    let late = first.follow(run, Seq(seen.len() as u64)).await.unwrap().next().await.unwrap();
    assert!(matches!(late, Some(FollowEvent::Closed)), "{late:?}");
    let whole = played(&second, run).await;
    assert!(stopped.elapsed() < Duration::from_millis(500), "{:?}", stopped.elapsed());
    assert_eq!(kinds(&whole)["resumed"], 1);
    assert_eq!(first.playing(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_is_being_written_is_written_before_a_node_has_stopped() {
    let store = Arc::new(FaultyStore::default());
    let model = Timed { takes: Duration::from_millis(50), ..Timed::default() };
    let playing = node(&store, &House::with(model.clone()));
    let mut appends = store.inner.notifications();
    let run = submit(&playing, scene(50)).await;
    model.asked(6).await;
    store.hold_appends();
    let before = store.find(run).await.unwrap().events;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let stopping = tokio::spawn({
        let playing = playing.clone();
        async move { playing.stop().await }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!stopping.is_finished());
    store.release_appends();
    stopping.await.unwrap();
    let found = store.find(run).await.unwrap();
    assert!(found.events > before, "{} {before}", found.events);
    assert_eq!(found.status, Status::Waiting, "for whoever plays it next");
    while appends.try_recv().is_ok() {}
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(appends.try_recv().is_err(), "nothing is written any more");
}

#[tokio::test(start_paused = true)]
async fn a_node_whose_run_was_taken_over_stops_playing_and_goes_on_showing() {
    let store = Arc::new(MemoryStore::default());
    let slow = Timed::seconds(5);
    let frozen = limited(&store, &House::with(slow.clone()), 1);
    let run = submit(&frozen, scene(4)).await;
    slow.asked(2).await;
    let mut follower = frozen.follow(run, Seq(0)).await.unwrap();

    // As if its lease had run out.
    store.release(Claim { run, epoch: 1 }).await.unwrap();
    let second = limited(&store, &House::with(Timed::seconds(1)), 1);
    until(async || second.playing() == 1).await;
    let whole = follow_to_end(&mut follower).await;
    let kinds = kinds(&whole);
    assert_eq!((kinds["beat_opened"], kinds["ended"]), (4, 1));
    until(async || frozen.playing() == 0).await;
    assert_eq!(played(&second, run).await.len(), whole.len());
}

#[tokio::test(start_paused = true)]
async fn a_node_that_comes_back_finds_out_that_a_quiet_run_is_no_longer_its_own() {
    let log = Arc::new(MemoryStore::default());
    let (away, present) =
        (Arc::new(FaultyStore::before(log.clone())), Arc::new(FaultyStore::before(log.clone())));
    let quiet = Timed::seconds(25);
    let cut_off = limited(&away, &House::with(quiet.clone()), 1);
    let run = submit(&cut_off, scene(2)).await;
    quiet.asked(2).await;
    let mut follower = cut_off.follow(run, Seq(0)).await.unwrap();
    away.fail();
    log.release(Claim { run, epoch: 1 }).await.unwrap();
    let second = node(&present, &House::with(Timed::seconds(1)));
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(
        (cut_off.playing(), second.playing()),
        (1, 0),
        "one has played it, the other waits for an answer"
    );
    away.recover();
    let back = Instant::now();
    assert_eq!(kinds(&follow_to_end(&mut follower).await)["ended"], 1);
    assert!(back.elapsed() < Duration::from_millis(1_500), "{:?}", back.elapsed());
    assert_eq!(cut_off.playing(), 0);
}

#[tokio::test(start_paused = true)]
async fn all_of_it_works_without_any_news_only_slower() {
    let log = Arc::new(MemoryStore::default());
    let stores = [
        Arc::new(FaultyStore::before(log.clone()).silent()),
        Arc::new(FaultyStore::before(log.clone()).silent()),
    ];
    let house = House::with(Timed::seconds(3));
    let (elsewhere, here) = (limited(&stores[0], &House::empty(), 0), node(&stores[1], &house));
    let began = Instant::now();
    let run = submit(&elsewhere, scene(100)).await;
    let follow = async {
        let mut follower = elsewhere.follow(run, Seq(0)).await.unwrap();
        follow_to_end(&mut follower).await
    };
    let steer = async {
        until(async || here.playing() == 1).await;
        assert!(began.elapsed() < Duration::from_millis(1_100), "{:?}", began.elapsed());
        tokio::time::sleep(Duration::from_secs(10)).await;
        let cancelled = Instant::now();
        steer(&elsewhere, run, Command::Cancel).await;
        cancelled
    };
    let (whole, cancelled) = tokio::join!(follow, steer);
    assert_eq!(whole.last().unwrap().kind, "ended");
    assert!(cancelled.elapsed() < Duration::from_millis(2_200), "{:?}", cancelled.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_node_that_can_reach_its_store_finds_out_that_a_quiet_run_is_no_longer_its_own() {
    for removed in [false, true] {
        let log = Arc::new(MemoryStore::default());
        let (here, there) =
            (Arc::new(FaultyStore::before(log.clone())), Arc::new(FaultyStore::before(log.clone())));
        let model = Timed::seconds(25);
        let unaware = limited(&here, &House::with(model.clone()), 1);
        let run = submit(&unaware, scene(2)).await;
        model.asked(2).await;
        let mut follower = unaware.follow(run, Seq(0)).await.unwrap();
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert_eq!((unaware.playing(), model.asked.load(SeqCst)), (1, 2), "it waits, and is still its own");

        here.hold_claims();
        log.release(Claim { run, epoch: 1 }).await.unwrap();
        let lost = Instant::now();
        if removed {
            log.delete(run).await.unwrap();
        } else {
            let _second = node(&there, &House::with(Timed::seconds(1)));
            assert_eq!(kinds(&follow_to_end(&mut follower).await)["ended"], 1, "whoever follows goes on");
        }
        until(async || unaware.playing() == 0).await;
        assert!(lost.elapsed() < Duration::from_secs(8), "{:?}", lost.elapsed());
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_that_was_frozen_looks_at_all_its_runs_at_once() {
    let store = Arc::new(FaultyStore::default());
    let model = Timed::seconds(25);
    let frozen = limited(&store, &House::with(model.clone()), 1);
    let run = submit(&frozen, scene(2)).await;
    model.asked(2).await;
    store.hold_claims();
    store.inner.release(Claim { run, epoch: 1 }).await.unwrap();
    tokio::time::advance(Duration::from_millis(2_500)).await;
    let back = Instant::now();
    until(async || frozen.playing() == 0).await;
    assert!(back.elapsed() < Duration::from_millis(100), "{:?}", back.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_node_may_take_a_run_over_from_itself() {
    let store = Arc::new(MemoryStore::default());
    let model = Timed::seconds(20);
    let node = node(&store, &House::with(model.clone()));
    let run = submit(&node, scene(2)).await;
    model.asked(2).await;
    tokio::time::sleep(Duration::from_secs(10)).await;
    store.release(Claim { run, epoch: 1 }).await.unwrap();
    model.asked(4).await;
    assert_eq!(node.playing(), 1);
    let records = played(&node, run).await;
    assert_eq!((kinds(&records)["resumed"], kinds(&records)["beat_opened"]), (1, 2));
    until(async || node.playing() == 0).await;
}

/// The first read takes four seconds, and giving a run up as long.
#[derive(Debug, Default)]
struct SlowFirstRead {
    has_read: AtomicBool,
}

impl StoreFaults for SlowFirstRead {
    fn on_call(&self, call: StoreCall) -> StoreFault {
        let slow = StoreFault::Slow(Duration::from_secs(2));
        match call {
            StoreCall::Read if !self.has_read.swap(true, SeqCst) => slow,
            StoreCall::GiveUp => slow,
            _ => StoreFault::None,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_claim_that_is_late_does_not_say_that_the_run_is_played_here() {
    let log = Arc::new(MemoryStore::default());
    let slow = FaultyStore::before(log.clone()).with_faults(Arc::new(SlowFirstRead::default()));
    let slow = Arc::new(slow);
    let without_models = node(&slow, &House::empty());
    let run = submit(&without_models, scene(2)).await;
    until(async || without_models.playing() == 1).await;
    let mut follower = without_models.follow(run, Seq(0)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    // As if its lease had run out: it claims the run again, cannot play it, and is slow to give it up. While
    // it does, the first claim hears what the log holds.
    log.release(Claim { run, epoch: 1 }).await.unwrap();
    until(async || slow.claims() == 2).await;
    slow.hold_claims();
    until(async || without_models.playing() == 0).await;

    let _second = node(&Arc::new(FaultyStore::before(log)), &House::with(Timed::seconds(1)));
    assert_eq!(kinds(&in_time(follow_to_end(&mut follower)).await)["ended"], 1);
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_does_not_answer_keeps_no_run_from_being_handed_on() {
    let store = Arc::new(FaultyStore::default());
    let slow = Timed::seconds(20);
    let node = node(&store, &House::with(slow.clone()));
    let run = submit(&node, scene(2)).await;
    slow.asked(2).await;
    store.hold_claims();
    let late = submit(&node, scene(2)).await;
    tokio::time::sleep(Duration::from_secs(3)).await;

    let stopping = tokio::spawn({
        let node = node.clone();
        async move { node.stop().await }
    });
    let told = Instant::now();
    until(async || store.find(run).await.unwrap().status == Status::Waiting).await;
    assert!(told.elapsed() < Duration::from_millis(500), "{:?}", told.elapsed());
    assert!(!stopping.is_finished(), "somebody may still be given runs");
    store.release_claims();
    stopping.await.unwrap();
    assert_eq!((node.playing(), store.claims()), (0, 3), "what was given late is released");
    for run in [run, late] {
        assert_eq!(store.find(run).await.unwrap().status, Status::Waiting);
    }
}
