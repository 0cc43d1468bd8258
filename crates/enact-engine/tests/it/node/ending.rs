//! Commands to a scene whose last beat is just being stored.

use std::{sync::Arc, time::Duration};

use enact_drama::scene::{Command, SceneEvent};
use enact_engine::{Store, log::Status};
use enact_testkit::{FaultyStore, until};

use super::house::{House, Timed, node, played, scene};
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
    assert_eq!(model.asked.load(std::sync::atomic::Ordering::SeqCst), 2);
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
