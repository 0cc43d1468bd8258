//! What nodes hear of each other.

use std::{collections::BTreeSet, sync::Arc};

use enact_engine::{
    Log, Store,
    log::Batch,
    store::{Notification, Wake},
};
use enact_testkit::in_time;
use tokio::{sync::broadcast, task::JoinSet};

use super::{command, database, enqueue, new_run, node, records};

#[tokio::test]
async fn what_one_node_does_another_hears() {
    let url = database::fresh().await;
    let (one, other) = (node(&url).await, node(&url).await);
    let mut news = other.notifications();

    let run = enqueue(&one).await;
    assert_eq!(next(&mut news).await, Notification::RunQueued);
    let [claim] = one.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    one.append(&claim, Batch::of(records([1]))).await.unwrap();
    assert_eq!(next(&mut news).await, Notification::LogGrew(run));
    one.post(run, command("pause"), Wake::Queue).await.unwrap();
    assert_eq!(next(&mut news).await, Notification::CommandPosted(run));
    one.release(claim).await.unwrap();
    assert_eq!(next(&mut news).await, Notification::RunQueued);
}

#[tokio::test]
async fn others_hear_of_a_run_that_was_woken_for_them() {
    let url = database::fresh().await;
    let (one, other) = (node(&url).await, node(&url).await);
    let mut claim = one.create(new_run()).await.unwrap();
    for (seq, wake) in [(0, Wake::Claim), (1, Wake::Queue)] {
        one.append(&claim, Batch::of(records([seq]))).await.unwrap();
        let seen = one.inbox(claim.run).await.unwrap().last().map(|posted| posted.id);
        assert!(one.rest(claim, seen).await.unwrap());
        let mut news = other.notifications();
        let posted = one.post(claim.run, command("go"), wake).await.unwrap();
        if let Some(woken) = posted.claim {
            claim = woken;
            continue;
        }
        // Whatever was told of before comes before it.
        while next(&mut news).await != Notification::RunQueued {}
        assert_eq!(other.claim_waiting(1).await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn a_node_hears_of_itself_once() {
    let url = database::fresh().await;
    let (one, other) = (node(&url).await, node(&url).await);
    let (mut here, mut there) = (one.notifications(), other.notifications());
    let run = enqueue(&one).await;
    one.post(run, command("pause"), Wake::Queue).await.unwrap();
    while next(&mut there).await != Notification::CommandPosted(run) {}
    // Its own words have come back by now, as they have come to the other.
    other.post(run, command("resume"), Wake::Queue).await.unwrap();
    let heard = [next(&mut here).await, next(&mut here).await, next(&mut here).await];
    assert_eq!(
        heard,
        [Notification::RunQueued, Notification::CommandPosted(run), Notification::CommandPosted(run)]
    );
    assert!(here.is_empty());
}

#[tokio::test]
async fn a_crowd_is_told_of_in_full() {
    let url = database::fresh().await;
    let (one, other) = (Arc::new(node(&url).await), node(&url).await);
    let mut news = other.notifications();
    let mut playing = JoinSet::new();
    // More than fit into one notification.
    for _ in 0..500 {
        let one = one.clone();
        playing.spawn(async move {
            let claim = one.create(new_run()).await.unwrap();
            one.append(&claim, Batch::of(records([0]))).await.unwrap();
            claim.run
        });
    }
    let mut grown: BTreeSet<_> = playing.join_all().await.into_iter().collect();
    while !grown.is_empty() {
        let Notification::LogGrew(run) = next(&mut news).await else { panic!("nothing else happens") };
        assert!(grown.remove(&run), "{run} has grown once");
    }
}

#[tokio::test]
async fn another_schema_has_other_news() {
    let (one, other) = (node(&database::fresh().await).await, node(&database::fresh().await).await);
    let mut news = other.notifications();
    enqueue(&one).await;
    enqueue(&other).await;
    assert_eq!(next(&mut news).await, Notification::RunQueued);
    let run = enqueue(&other).await;
    other.post(run, command("pause"), Wake::Queue).await.unwrap();
    assert_eq!(
        [next(&mut news).await, next(&mut news).await],
        [Notification::RunQueued, Notification::CommandPosted(run)]
    );
}

async fn next(news: &mut broadcast::Receiver<Notification>) -> Notification {
    in_time(news.recv()).await.unwrap()
}
