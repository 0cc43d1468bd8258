//! Paused scenes rest like all that waits for a command.

use std::{
    sync::{Arc, atomic::Ordering::SeqCst},
    time::Duration,
};

use enact_drama::{RunId, Seq, scene::Command};
use enact_engine::{
    Node, Store,
    log::{MemoryStore, Status},
};
use enact_testkit::{FaultyStore, until};
use tokio::time::Instant;

use crate::{
    node::house::{House, Timed, follow_to_end, kinds, limited, node, played, scene},
    submitting::{steer, submit},
};

/// A scene that was paused in its first beat.
async fn paused(node: &Node, model: &Timed, max_beats: i64) -> RunId {
    let run = submit(node, scene(max_beats)).await;
    model.asked(2).await;
    steer(node, run, Command::Pause).await;
    held_up(&**node.store(), run).await;
    until(async || node.playing() == 0).await;
    run
}

/// Until lists show it as paused.
async fn held_up(store: &dyn Store, run: RunId) {
    until(async || store.find(run).await.unwrap().status == Status::Paused).await;
}

#[tokio::test(start_paused = true)]
async fn a_paused_run_is_nobodys_and_goes_on_wherever_somebody_wants_it_to() {
    let log = Arc::new(MemoryStore::default());
    let (here, there) =
        (Arc::new(FaultyStore::before(log.clone())), Arc::new(FaultyStore::before(log.clone())));
    let model = Timed::seconds(1);
    let first = limited(&here, &House::with(model.clone()), 1);
    let run = paused(&first, &model, 2).await;
    let mut follower = first.follow(run, Seq(0)).await.unwrap();
    until(async || first.playing() == 0).await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!((first.playing(), model.asked.load(SeqCst)), (0, 2), "it is paused, and nobody's");
    assert_eq!(log.find(run).await.unwrap().status, Status::Paused);

    here.hold_claims();
    let second_model = Timed::seconds(1);
    let second = node(&there, &House::with(second_model.clone()));
    let woken = Instant::now();
    steer(&second, run, Command::Resume).await;
    let whole = follow_to_end(&mut follower).await;
    let kinds = kinds(&whole);
    assert_eq!((kinds["beat_opened"], kinds["ended"], kinds.get("resumed")), (2, 1, None));
    assert!(woken.elapsed() < Duration::from_millis(1_500), "{:?}", woken.elapsed());
    assert_eq!(model.asked.load(SeqCst), 2, "the other node played on");
    assert_eq!(second_model.checked.load(SeqCst), 0, "its models were checked when it began");
    assert_eq!(model.checked.load(SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_step_is_played_and_the_run_rests_again() {
    let store = Arc::new(MemoryStore::default());
    let model = Timed::seconds(1);
    let node = limited(&store, &House::with(model.clone()), 1);
    let run = paused(&node, &model, 4).await;
    for step in 1..3 {
        steer(&node, run, Command::Step).await;
        model.asked(2 * step + 2).await;
        until(async || node.playing() == 0).await;
        held_up(&*store, run).await;
    }
    until(async || node.playing() == 0).await;
    assert_eq!(model.asked.load(SeqCst), 6);
    steer(&node, run, Command::Resume).await;
    let records = played(&node, run).await;
    let kinds = kinds(&records);
    assert_eq!((kinds["beat_opened"], kinds["ended"], kinds.get("resumed")), (4, 1, None));
}

#[tokio::test(start_paused = true)]
async fn whoever_follows_a_resting_run_hears_of_it_without_news_too() {
    let log = Arc::new(MemoryStore::default());
    let model = Timed::seconds(1);
    let playing = node(&log, &House::with(model.clone()));
    let deaf = Arc::new(FaultyStore::before(log.clone()).silent());
    let audience = limited(&deaf, &House::empty(), 0);
    let run = paused(&playing, &model, 2).await;
    let mut follower = audience.follow(run, Seq(0)).await.unwrap();
    let follow = async { (follow_to_end(&mut follower).await, Instant::now()) };
    let steer = async {
        tokio::time::sleep(Duration::from_secs(600)).await;
        let reads = deaf.reads();
        // One that is played elsewhere is looked at every second.
        assert!(reads < 600 / 2, "a run that rests is looked at less often: {reads}");
        steer(&playing, run, Command::Resume).await;
        played(&playing, run).await;
        Instant::now()
    };
    let ((whole, heard), ended) = tokio::join!(follow, steer);
    assert_eq!(kinds(&whole)["ended"], 1);
    assert!(heard - ended < Duration::from_secs(16), "{:?}", heard - ended);
}

#[tokio::test(start_paused = true)]
async fn paused_runs_take_no_room() {
    let store = Arc::new(FaultyStore::default());
    let desk = limited(&store, &House::empty(), 0);
    let mut paused = Vec::new();
    for _ in 0..6 {
        let run = submit(&desk, scene(2)).await;
        steer(&desk, run, Command::Pause).await;
        paused.push(run);
    }
    let node = limited(&store, &House::with(Timed::seconds(1)), 2);
    for run in &paused {
        held_up(&*store.inner, *run).await;
    }
    until(async || node.playing() == 0).await;
    let run = submit(&desk, scene(2)).await;
    assert_eq!(kinds(&played(&node, run).await)["ended"], 1, "six are paused where two may be played");
    let before = (store.reads(), store.claims());
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!((node.playing(), store.reads(), store.claims()), (0, before.0, before.1));

    steer(&desk, paused[0], Command::Cancel).await;
    until(async || store.inner.find(paused[0]).await.unwrap().status == Status::Finished).await;
    for run in &paused[1..] {
        assert_eq!(store.inner.find(*run).await.unwrap().status, Status::Paused);
        steer(&desk, *run, Command::Resume).await;
    }
    let mut most = 0;
    for run in &paused[1..] {
        until(async || {
            most = node.playing().max(most);
            store.inner.find(*run).await.unwrap().status == Status::Finished
        })
        .await;
        assert_eq!(kinds(&played(&node, *run).await)["ended"], 1);
    }
    assert_eq!(most, 2, "those that go on wait for room");
}

#[tokio::test(start_paused = true)]
async fn however_many_are_woken_at_once_a_node_plays_no_more_than_it_has_room_for() {
    let store = Arc::new(FaultyStore::default());
    let model = Timed::seconds(1);
    let node = limited(&store, &House::with(model.clone()), 2);
    let mut runs = Vec::new();
    for _ in 0..10 {
        let run = submit(&node, scene(2)).await;
        steer(&node, run, Command::Pause).await;
        held_up(&*store.inner, run).await;
        runs.push(run);
    }
    until(async || node.playing() == 0).await;
    // All of them are under way to the store before any of them is woken.
    store.hold_posts();
    let wake = futures::future::join_all(runs.iter().map(|run| steer(&node, *run, Command::Resume)));
    let release = async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        store.release_posts();
    };
    tokio::join!(wake, release);
    let mut most = 0;
    for run in runs {
        until(async || {
            most = node.playing().max(most);
            store.inner.find(run).await.unwrap().status == Status::Finished
        })
        .await;
    }
    assert_eq!(most, 2);
}

#[tokio::test(start_paused = true)]
async fn a_run_that_took_a_note_before_its_model_was_there_is_played_all_the_same() {
    let store = Arc::new(MemoryStore::default());
    let house = House::empty();
    let node = node(&store, &house);
    let run = submit(&node, scene(2)).await;
    until(async || store.find(run).await.unwrap().problem.is_some()).await;
    steer(&node, run, Command::Note { to: None, text: "Be brief.".to_owned() }).await;
    // It is tried again, takes the note, and still lacks its model.
    until(async || store.find(run).await.unwrap().events == 2).await;
    until(async || store.find(run).await.unwrap().problem.is_some()).await;
    assert_eq!(
        store.find(run).await.unwrap().status,
        Status::Waiting,
        "it has not begun, so it does not rest"
    );
    let model = Timed::seconds(1);
    house.hire(model.clone());
    let records = played(&node, run).await;
    assert_eq!((kinds(&records)["beat_opened"], kinds(&records)["ended"]), (2, 1));
    assert_eq!(model.checked.load(SeqCst), 1, "it is checked before it begins");
}

#[tokio::test(start_paused = true)]
async fn what_is_wanted_of_resting_runs_while_their_node_stops_waits_for_the_next() {
    let store = Arc::new(MemoryStore::default());
    let model = Timed::seconds(1);
    let stopping = node(&store, &House::with(model.clone()));
    let run = paused(&stopping, &model, 2).await;
    stopping.stop().await;
    assert_eq!(store.find(run).await.unwrap().status, Status::Paused, "stopping changes nothing about it");
    steer(&stopping, run, Command::Resume).await;
    assert_eq!((stopping.playing(), store.find(run).await.unwrap().status), (0, Status::Waiting));
    let records = played(&node(&store, &House::with(model)), run).await;
    assert_eq!((kinds(&records)["beat_opened"], kinds(&records).get("resumed")), (2, None));
}
