//! What logs have come to.

use enact_drama::{RunId, Seq};
use enact_engine::log::{Batch, Checkpoint, Error};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::{Stage, begin, enqueue, new_run, records, submission};

pub(crate) async fn a_checkpoint_is_replaced_by_a_newer_one(stage: Stage) {
    let claim = begin(&*stage.first).await;
    assert_eq!(read(&stage, claim.run).await, None);
    let large: Vec<u8> = (0..500_000_u64).map(|n| (n * n) as u8).collect();
    for (seq, body) in [vec![0, 255, b'\'', 0], Vec::new(), large].into_iter().enumerate() {
        let checkpoint = Some(Checkpoint { next: Seq(seq as u64 + 1), body });
        let batch = Batch { checkpoint: checkpoint.clone(), ..Batch::of(records([seq as u64])) };
        stage.first.append(&claim, batch).await.unwrap();
        assert_eq!(read(&stage, claim.run).await, checkpoint);
    }
    let before = read(&stage, claim.run).await;
    stage.first.append(&claim, Batch::of(records([3]))).await.unwrap();
    assert_eq!(read(&stage, claim.run).await, before, "it stays until there is another");
    let checkpoint = Some(Checkpoint { next: Seq(4), body: vec![4] });
    stage.first.append(&claim, Batch { checkpoint: checkpoint.clone(), ..Batch::default() }).await.unwrap();
    assert_eq!(read(&stage, claim.run).await, checkpoint);
}

pub(crate) async fn a_refused_append_leaves_the_checkpoint(stage: Stage) {
    let old = begin(&*stage.first).await;
    let with = |next, seqs: &[u64]| Batch {
        checkpoint: Some(Checkpoint { next: Seq(next), body: vec![next as u8] }),
        ..Batch::of(records(seqs.iter().copied()))
    };
    stage.first.append(&old, with(1, &[0])).await.unwrap();
    let before = read(&stage, old.run).await;
    assert!(matches!(stage.first.append(&old, with(9, &[8])).await, Err(Error::Conflict(_))));
    stage.first.release(old).await.unwrap();
    stage.second.claim(old.run).await.unwrap();
    for late in [with(2, &[1]), with(2, &[])] {
        assert!(matches!(stage.first.append(&old, late).await, Err(Error::Conflict(_))));
    }
    assert_eq!(read(&stage, old.run).await, before);
}

pub(crate) async fn many_checkpoints_are_stored_at_once(stage: Stage) {
    let mut playing = JoinSet::new();
    for number in 0..40_u8 {
        let claim = begin(&*stage.first).await;
        let (store, offends) = (stage.first.clone(), number % 10 == 3);
        playing.spawn(async move {
            let checkpoint = Some(Checkpoint { next: Seq(1), body: vec![number] });
            let batch = Batch { checkpoint: checkpoint.clone(), ..Batch::of(records([u64::from(offends)])) };
            assert_eq!(store.append(&claim, batch).await.is_err(), offends);
            (claim.run, checkpoint.filter(|_| !offends))
        });
    }
    for (run, expected) in playing.join_all().await {
        assert_eq!(read(&stage, run).await, expected);
    }
}

pub(crate) async fn a_checkpoint_goes_with_its_run(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    let claim = stage.first.claim(run).await.unwrap();
    let checkpoint = Some(Checkpoint { next: Seq(1), body: vec![1] });
    stage.first.append(&claim, Batch { checkpoint, ..Batch::default() }).await.unwrap();
    stage.first.release(claim).await.unwrap();
    stage.second.delete(run).await.unwrap();
    for nowhere in [run, RunId(Uuid::now_v7())] {
        let outcome = stage.first.checkpoint(nowhere).await;
        assert!(matches!(outcome, Err(Error::NotFound(run)) if run == nowhere), "{outcome:?}");
    }
    let again = enact_engine::log::NewRun { run, ..new_run() };
    stage.first.enqueue(submission(again, records([0]))).await.unwrap();
    assert_eq!(read(&stage, run).await, None);
}

pub(crate) async fn a_checkpoint_is_dropped_when_rows_are_replaced(stage: Stage) {
    let (claim, other) = (begin(&*stage.first).await, begin(&*stage.first).await);
    let with = |seq| Batch {
        checkpoint: Some(Checkpoint { next: Seq(seq + 1), body: vec![seq as u8] }),
        ..Batch::of(records([seq]))
    };
    for claim in [&claim, &other] {
        stage.first.append(claim, with(0)).await.unwrap();
    }
    assert!(!stage.second.replace_rows(claim.run, Seq(2), Vec::new()).await.unwrap());
    assert_eq!(read(&stage, claim.run).await, with(0).checkpoint, "nothing was replaced");
    assert!(stage.second.replace_rows(claim.run, Seq(1), Vec::new()).await.unwrap());
    assert_eq!(read(&stage, claim.run).await, None);
    assert_eq!(read(&stage, other.run).await, with(0).checkpoint);
    // Its player is not disturbed, and stores the next one.
    stage.first.append(&claim, with(1)).await.unwrap();
    assert_eq!(read(&stage, claim.run).await, with(1).checkpoint);
}

async fn read(stage: &Stage, run: RunId) -> Option<Checkpoint> {
    let found = stage.first.checkpoint(run).await.unwrap();
    assert_eq!(stage.second.checkpoint(run).await.unwrap(), found, "all see the same");
    found
}
