//! What is derived from logs and kept beside them.

use enact_drama::RunId;
use enact_engine::{
    log::{Batch, NewRun},
    store::Extract,
};
use uuid::Uuid;

use super::{Stage, begin, enqueue, new_run, records};

pub(crate) async fn extracts_are_found_by_kind_and_time(stage: Stage) {
    let old = finished_at(&stage, 1_000).await;
    let middle = finished_at(&stage, 2_000).await;
    let new = finished_at(&stage, 3_000).await;
    for (run, kind, body) in [
        (new, "costs", "new"),
        (old, "costs", r#"{"usd": "0,1 €"}"#),
        (middle, "costs", "middle"),
        (middle, "words", "many"),
    ] {
        stage.first.keep_extract(run, kind, body).await.unwrap();
    }
    let extract = |run, started_at, body: &str| Extract { run, started_at, body: body.to_owned() };
    let (new, middle, old) = (
        extract(new, 3_000, "new"),
        extract(middle, 2_000, "middle"),
        extract(old, 1_000, r#"{"usd": "0,1 €"}"#),
    );
    let table = [
        ("costs", i64::MIN..i64::MAX, vec![new.clone(), middle.clone(), old.clone()]),
        ("costs", 1_000..3_000, vec![middle.clone(), old.clone()]),
        ("costs", 1_001..3_001, vec![new.clone(), middle.clone()]),
        ("costs", 4_000..5_000, vec![]),
        ("words", 0..i64::MAX, vec![Extract { body: "many".to_owned(), ..middle }]),
        ("lines", 0..i64::MAX, vec![]),
    ];
    for (kind, started, expected) in table {
        assert_eq!(
            stage.second.extracts(kind, started.clone()).await.unwrap(),
            expected,
            "{kind} {started:?}"
        );
    }
}

pub(crate) async fn what_is_kept_again_replaces_what_was_kept(stage: Stage) {
    let run = finished_at(&stage, 1_000).await;
    stage.first.keep_extract(run, "costs", "before").await.unwrap();
    stage.second.keep_extract(run, "costs", "after").await.unwrap();
    let kept = stage.first.extracts("costs", 0..i64::MAX).await.unwrap();
    assert_eq!(kept, [Extract { run, started_at: 1_000, body: "after".to_owned() }]);
}

pub(crate) async fn finished_runs_without_an_extract_are_found(stage: Stage) {
    let mut finished = Vec::new();
    for at in 0..5 {
        finished.push(finished_at(&stage, at).await);
    }
    enqueue(&*stage.first).await;
    let playing = begin(&*stage.first).await;
    stage.first.append(&playing, Batch::of(records([0]))).await.unwrap();
    let without = async |kind, most| {
        let mut runs = stage.second.without_extract(kind, most).await.unwrap();
        runs.sort();
        runs
    };
    assert_eq!(without("costs", 10).await, finished);
    assert_eq!(without("costs", 2).await.len(), 2);
    assert!(without("costs", 0).await.is_empty());
    for run in &finished[..3] {
        stage.first.keep_extract(*run, "costs", "{}").await.unwrap();
    }
    assert_eq!(without("costs", 10).await, finished[3..]);
    assert_eq!(without("words", 10).await, finished, "each kind for itself");

    // What is kept of a run before its end, under a kind of its own, does not pass for what is kept of all of
    // it.
    stage.first.keep_extract(playing.run, "so far", "{}").await.unwrap();
    let so_far = stage.second.extracts("so far", i64::MIN..i64::MAX).await.unwrap();
    assert_eq!(so_far.iter().map(|extract| extract.run).collect::<Vec<_>>(), [playing.run]);
    assert_eq!(without("costs", 10).await, finished[3..], "it has not ended");
    stage.first.append(&playing, Batch::of(records([1])).ended("stalled")).await.unwrap();
    assert_eq!(without("costs", 10).await, [&finished[3..], &[playing.run]].concat());
}

/// A run may be removed between reading its log and keeping what was found in it.
pub(crate) async fn nothing_is_kept_of_a_run_that_is_gone(stage: Stage) {
    let gone = RunId(Uuid::now_v7());
    let outcome = stage.first.keep_extract(gone, "costs", "{}").await;
    assert!(matches!(outcome, Err(enact_engine::log::Error::NotFound(run)) if run == gone), "{outcome:?}");
    assert!(stage.first.extracts("costs", i64::MIN..i64::MAX).await.unwrap().is_empty());
}

async fn finished_at(stage: &Stage, at: i64) -> RunId {
    let claim = stage.first.create(NewRun { at, ..new_run() }).await.unwrap();
    stage.first.append(&claim, Batch::of(records([0])).ended("stalled")).await.unwrap();
    stage.first.release(claim).await.unwrap();
    claim.run
}
