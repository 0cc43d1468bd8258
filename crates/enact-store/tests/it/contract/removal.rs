//! What is left of a run that was removed: nothing.

use enact_drama::Seq;
use enact_engine::{
    log::{Batch, Error},
    store::{Enqueued, Listing, Submission, Wake},
};

use super::{
    Stage, begin, command, enqueue, idempotency_keys::idempotency_key, new_run, records, shown, stored,
    submission,
};

pub(crate) async fn a_run_that_is_played_is_busy(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    let [claim] = stage.first.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    for store in [&stage.first, &stage.second] {
        assert!(matches!(store.delete(run).await, Err(Error::Busy(busy)) if busy == run));
    }
    stage.first.append(&claim, Batch::of(records([1]))).await.unwrap();
    stage.first.release(claim).await.unwrap();
    stage.second.delete(run).await.unwrap();
}

pub(crate) async fn a_removed_run_leaves_nothing_behind(stage: Stage) {
    let new = new_run();
    let ordered = |new, digest| {
        stage.first.enqueue(Submission {
            idempotency_key: Some(idempotency_key("ann", "1", digest)),
            ..submission(new, records(0..2))
        })
    };
    ordered(new.clone(), "a").await.unwrap();
    stage.first.post(new.run, command("pause"), Wake::Queue).await.unwrap();
    stage.first.keep_extract(new.run, "costs", "{}").await.unwrap();
    stage.first.add_to_counter(new.run, "views", 3).await.unwrap();
    let other = enqueue(&*stage.first).await;
    stage.first.delete(new.run).await.unwrap();

    for store in [&stage.first, &stage.second] {
        assert!(matches!(store.find(new.run).await, Err(Error::NotFound(_))));
        assert!(matches!(store.read(new.run, Seq(0)).await, Err(Error::NotFound(_))));
        assert!(matches!(store.claim(new.run).await, Err(Error::NotFound(_))));
        assert!(matches!(store.delete(new.run).await, Err(Error::NotFound(_))));
        assert!(store.extracts("costs", 0..i64::MAX).await.unwrap().is_empty());
        assert!(store.counters(new.run).await.unwrap().is_empty());
        assert!(matches!(store.add_to_counter(new.run, "views", 1).await, Err(Error::NotFound(_))));
        let listed = store.list(&Listing { most: 10, ..Listing::default() }).await.unwrap();
        assert_eq!(listed.iter().map(|run| run.run).collect::<Vec<_>>(), [other]);
    }
    // Its key is free, and a run that takes its id inherits nothing.
    assert_eq!(ordered(new.clone(), "b").await.unwrap(), Enqueued::New);
    stage.first.claim(new.run).await.unwrap();
    assert!(stage.first.inboxes().await.unwrap().is_empty());
    assert_eq!(stored(&*stage.first, new.run).await, shown(&records(0..2)));
}

pub(crate) async fn who_played_a_removed_run_appends_nothing(stage: Stage) {
    let claim = begin(&*stage.first).await;
    stage.first.append(&claim, Batch::of(records([0])).ended("stalled")).await.unwrap();
    // It has ended and was not given up yet.
    stage.second.delete(claim.run).await.unwrap();
    let late = stage.first.append(&claim, Batch::of(records([1]))).await;
    assert!(matches!(late, Err(Error::NotFound(_))), "{late:?}");
    assert!(matches!(stage.first.find(claim.run).await, Err(Error::NotFound(_))));
}

pub(crate) async fn forks_outlive_their_parent(stage: Stage) {
    let parent = enqueue(&*stage.first).await;
    let fork = enact_engine::log::NewRun { parent: Some(parent), ..new_run() };
    stage.first.enqueue(submission(fork.clone(), records([0]))).await.unwrap();
    stage.first.delete(parent).await.unwrap();
    assert_eq!(stage.first.find(fork.run).await.unwrap().parent, Some(parent));
    let forks = Listing { parent: Some(parent), most: 10, ..Listing::default() };
    assert_eq!(stage.first.list(&forks).await.unwrap().len(), 1);
}
