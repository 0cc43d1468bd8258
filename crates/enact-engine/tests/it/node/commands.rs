//! Commands: each counts once, in the order in which they were posted.

use std::{sync::Arc, time::Duration};

use enact_drama::{
    Record, RunId,
    scene::{Command, SceneEvent},
};
use enact_engine::{Node, Store, log::MemoryStore};
use enact_testkit::{FaultyStore, until};

use super::house::{House, Timed, limited, node, played, scene};
use crate::submitting::{steer, submit};

/// More than a run holds at a time, and no more than a scene takes between two beats.
const MANY: usize = 30;

async fn write(node: &Node, run: RunId, numbers: std::ops::Range<usize>) {
    for number in numbers {
        steer(node, run, Command::Note { to: None, text: number.to_string() }).await;
    }
}

/// The notes that were posted, as the log has them.
fn notes(records: &[Arc<Record>]) -> Vec<usize> {
    let events = records.iter().map(|record| record.fact::<SceneEvent>().unwrap().event);
    events
        .filter_map(|event| match event {
            SceneEvent::Noted { text, .. } => text.parse().ok(),
            _ => None,
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn commands_that_came_before_anybody_played_the_run_are_read_first() {
    let store = Arc::new(MemoryStore::default());
    let desk = limited(&store, &House::empty(), 0);
    let run = submit(&desk, scene(1)).await;
    write(&desk, run, 0..MANY).await;
    let playing = node(&store, &House::with(Timed::seconds(1)));
    assert_eq!(notes(&played(&playing, run).await), Vec::from_iter(0..MANY));
    assert_eq!(store.inbox(run).await.unwrap(), []);
}

#[tokio::test(start_paused = true)]
async fn commands_that_do_not_fit_wait_their_turn_without_anybody_looking_for_them() {
    let store = Arc::new(FaultyStore::default());
    let model = Timed::seconds(20);
    let playing = node(&store, &House::with(model.clone()));
    let run = submit(&playing, scene(1)).await;
    model.asked(2).await;
    store.hold_appends();
    write(&playing, run, 0..MANY).await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    store.release_appends();
    let opened = tokio::time::Instant::now();
    until(async || store.inbox(run).await.unwrap().is_empty()).await;
    assert!(opened.elapsed() < Duration::from_millis(900), "{:?}", opened.elapsed());
    assert_eq!(notes(&played(&playing, run).await), Vec::from_iter(0..MANY));
}

#[tokio::test(start_paused = true)]
async fn a_run_with_more_commands_than_it_holds_stops_and_the_next_node_reads_on() {
    let store = Arc::new(FaultyStore::default());
    let model = Timed::seconds(20);
    let first = node(&store, &House::with(model.clone()));
    let run = submit(&first, scene(1)).await;
    model.asked(2).await;
    store.hold_appends();
    write(&first, run, 0..MANY).await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    let stopping = first.stop();
    let opening = async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        store.release_appends();
    };
    tokio::join!(stopping, opening);
    assert_eq!(first.playing(), 0);

    let second = node(&store, &House::with(Timed::seconds(20)));
    write(&second, run, MANY..MANY + 2).await;
    assert_eq!(notes(&played(&second, run).await), Vec::from_iter(0..MANY + 2));
}

#[tokio::test(start_paused = true)]
async fn a_run_that_moves_from_node_to_node_reads_every_command_once() {
    let store = Arc::new(MemoryStore::default());
    let desk = limited(&store, &House::empty(), 0);
    let run = submit(&desk, scene(500)).await;
    const FEW: usize = MANY / 10;
    for round in 0..10 {
        let playing = node(&store, &House::with(Timed::seconds(1)));
        until(async || playing.playing() == 1).await;
        write(&desk, run, round * FEW..(round + 1) * FEW).await;
        tokio::time::sleep(Duration::from_millis(round as u64)).await;
        playing.stop().await;
    }
    let last = node(&store, &House::with(Timed::default()));
    until(async || store.inbox(run).await.unwrap().is_empty()).await;
    steer(&last, run, Command::Cancel).await;
    assert_eq!(notes(&played(&last, run).await), Vec::from_iter(0..10 * FEW));
}
