//! Nodes that die, freeze, come back or leave.

use std::time::Duration;

use enact_engine::{
    Log, Store,
    log::{Batch, Error, Status},
    store::Wake,
};
use enact_store::{PostgresStore, postgres::Options};
use enact_testkit::until_some;

use super::{command, database, enqueue, expire_leases, frozen, new_run, node, numbers, record, records};

#[tokio::test]
async fn the_runs_of_a_node_that_is_not_heard_of_go_to_another() {
    let url = database::fresh().await;
    let lease = Duration::from_millis(300);
    let silent = Options { lease, heartbeat: Duration::from_secs(3600), ..Options::default() };
    let dying = PostgresStore::open_with(&url, silent).await.unwrap();
    let other = node(&url).await;
    let runs = [enqueue(&dying).await, enqueue(&dying).await];
    assert_eq!(dying.claim_waiting(9).await.unwrap().len(), 2);

    // Its lease is over when the database says so, and not before.
    let claims =
        until_some(async || Some(other.claim_waiting(9).await.unwrap()).filter(|c| !c.is_empty())).await;
    assert_eq!(claims.iter().map(|claim| claim.run).collect::<Vec<_>>(), runs);
    for claim in claims {
        assert_eq!(numbers(&other, claim.run).await, [0]);
        other.append(&claim, Batch::of(records([1]))).await.unwrap();
    }
}

#[tokio::test]
async fn a_node_that_is_heard_of_keeps_its_runs() {
    let url = database::fresh().await;
    let lease = Duration::from_millis(600);
    let options = Options { lease, heartbeat: Duration::from_millis(50), ..Options::default() };
    let living = PostgresStore::open_with(&url, options).await.unwrap();
    let other = node(&url).await;
    let run = enqueue(&living).await;
    let [claim] = living.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    let begun = std::time::Instant::now();
    while begun.elapsed() < 3 * lease {
        assert!(other.claim_waiting(1).await.unwrap().is_empty());
        assert!(matches!(other.claim(run).await, Err(Error::Busy(_))));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    living.append(&claim, Batch::of(records([1]))).await.unwrap();
}

#[tokio::test]
async fn a_frozen_node_that_comes_back_can_change_nothing() {
    let url = database::fresh().await;
    let (icy, other) = (frozen(&url).await, node(&url).await);
    let run = enqueue(&icy).await;
    let [old] = icy.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    icy.append(&old, Batch::of(records([1]))).await.unwrap();
    let posted = other.post(run, command("pause"), Wake::Queue).await.unwrap().id;
    assert_eq!(icy.inboxes().await.unwrap().len(), 1);

    expire_leases(&url).await;
    assert_eq!(other.find(run).await.unwrap().status, Status::Waiting);
    let new = until_some(async || other.claim_waiting(1).await.unwrap().first().copied()).await;
    assert!(new.epoch > old.epoch);
    assert!(icy.inboxes().await.unwrap().is_empty());

    let stale = icy.append(&old, Batch::of([record(2, 666)]).taken(posted).ended("stalled")).await;
    assert!(matches!(stale, Err(Error::Conflict(_))), "{stale:?}");
    icy.requeue(old, "it was frozen", Duration::from_secs(60)).await.unwrap();
    icy.release(old).await.unwrap();
    let summary = other.find(run).await.unwrap();
    assert_eq!((summary.status, summary.problem), (Status::Playing, None));
    assert_eq!(other.inboxes().await.unwrap().len(), 1, "the command is not lost");

    other.append(&new, Batch::of(records([2])).taken(posted)).await.unwrap();
    assert!(matches!(icy.append(&old, Batch::of([record(3, 666)])).await, Err(Error::Conflict(_))));
    assert_eq!(numbers(&icy, run).await, [0, 1, 2]);
}

#[tokio::test]
async fn a_resting_run_outlives_the_node_that_resumed_it() {
    let url = database::fresh().await;
    let (icy, other) = (frozen(&url).await, node(&url).await);
    let old = icy.create(new_run()).await.unwrap();
    icy.append(&old, Batch::of(records([0]))).await.unwrap();
    assert!(icy.rest(old, None).await.unwrap());
    let by_name = icy.claim(old.run).await.unwrap();
    assert!(other.claim_waiting(9).await.unwrap().is_empty(), "it is played");
    expire_leases(&url).await;
    assert_eq!(other.find(old.run).await.unwrap().status, Status::Waiting);
    let posted = other.post(old.run, command("go"), Wake::Queue).await.unwrap();
    let [new] = other.claim_waiting(9).await.unwrap()[..] else { panic!("it waits for others") };
    assert!(new.run == old.run && new.epoch > by_name.epoch, "{new:?} after {by_name:?}");
    other.append(&new, Batch::of(records([1])).taken(posted.id)).await.unwrap();
}

#[tokio::test]
async fn a_command_outlives_the_node_that_woke_its_run() {
    let url = database::fresh().await;
    let (icy, other) = (frozen(&url).await, node(&url).await);
    let old = icy.create(new_run()).await.unwrap();
    icy.append(&old, Batch::of(records([0]))).await.unwrap();
    assert!(icy.rest(old, None).await.unwrap());
    let posted = icy.post(old.run, command("go"), Wake::Claim).await.unwrap();
    let woken = posted.claim.unwrap();
    assert!(other.claim_waiting(9).await.unwrap().is_empty(), "it is played");
    expire_leases(&url).await;
    assert_eq!(other.find(old.run).await.unwrap().status, Status::Waiting);
    assert_eq!(other.waiting(9).await.unwrap(), 1);
    let [new] = other.claim_waiting(9).await.unwrap()[..] else { panic!("it waits for others") };
    assert_eq!(other.inbox(old.run).await.unwrap()[0].id, posted.id);
    for late in [
        icy.append(&woken, Batch::of([record(1, 666)]).taken(posted.id)).await,
        icy.rest(woken, Some(posted.id)).await.map(drop),
        icy.rest(old, Some(posted.id)).await.map(drop),
    ] {
        assert!(matches!(late, Err(Error::Conflict(_))), "{late:?}");
    }
    other.append(&new, Batch::of(records([1])).taken(posted.id)).await.unwrap();
    assert!(other.rest(new, Some(posted.id)).await.unwrap());
    // A resting run is no node's, so it outlives all of them.
    other.close().await;
    let later = node(&url).await;
    assert_eq!(later.find(old.run).await.unwrap().status, Status::Resting);
    assert!(later.post(old.run, command("go"), Wake::Claim).await.unwrap().claim.is_some());
}

#[tokio::test]
async fn a_frozen_node_whose_runs_nobody_took_goes_on() {
    let url = database::fresh().await;
    let icy = frozen(&url).await;
    let claim = icy.create(new_run()).await.unwrap();
    expire_leases(&url).await;
    icy.append(&claim, Batch::of(records([0]))).await.unwrap();
    assert_eq!(numbers(&icy, claim.run).await, [0]);
}

#[tokio::test]
async fn a_run_in_no_queue_is_interrupted_when_its_node_is_dead() {
    let url = database::fresh().await;
    let (dying, other) = (frozen(&url).await, node(&url).await);
    let claim = dying.create(new_run()).await.unwrap();
    dying.append(&claim, Batch::of(records([0]))).await.unwrap();
    assert!(matches!(other.claim(claim.run).await, Err(Error::Busy(_))));
    assert!(matches!(other.delete(claim.run).await, Err(Error::Busy(_))));
    expire_leases(&url).await;
    assert_eq!(other.runs().await.unwrap()[0].status, Status::Interrupted);
    assert!(other.claim_waiting(9).await.unwrap().is_empty());
    assert!(other.claim(claim.run).await.unwrap().epoch > claim.epoch);
}

#[tokio::test]
async fn who_leaves_in_peace_leaves_its_runs_at_once() {
    let url = database::fresh().await;
    let (leaving, dropped, other) = (frozen(&url).await, frozen(&url).await, node(&url).await);
    let mut news = other.notifications();
    let mut runs = Vec::new();
    for node in [&leaving, &dropped] {
        runs.push(enqueue(node).await);
        assert_eq!(node.claim_waiting(1).await.unwrap().len(), 1);
    }
    assert!(other.claim_waiting(9).await.unwrap().is_empty());
    leaving.close().await;
    assert_eq!(other.claim_waiting(9).await.unwrap().len(), 1);
    while news.try_recv().is_ok() {}
    drop(dropped);
    // Others are told, so they need not look all the time.
    until_some(async || {
        news.recv().await.unwrap();
        other.claim_waiting(9).await.unwrap().first().copied()
    })
    .await;
}

#[tokio::test]
async fn a_node_that_was_buried_enters_again() {
    let url = database::fresh().await;
    let options = Options { heartbeat: Duration::from_millis(20), ..Options::default() };
    let node = PostgresStore::open_with(&url, options).await.unwrap();
    let claim = node.create(new_run()).await.unwrap();
    database::run_sql(&url, "DELETE FROM nodes").await;
    let lost = node.append(&claim, Batch::of(records([0]))).await;
    assert!(matches!(lost, Err(Error::Conflict(_))), "{lost:?}");
    let again = until_some(async || node.claim(claim.run).await.ok()).await;
    node.append(&again, Batch::of(records([0]))).await.unwrap();
}
