//! What is stored, and what is refused.

use enact_drama::{
    RunId, Seq,
    row::{Row, RowChange},
};
use enact_engine::{
    log::{Batch, Error, NewRun, RunSummary, Status},
    store::RowQuery,
};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::{Stage, begin, new_run, record, records, shown, stored, with_body};

pub(crate) async fn what_is_appended_is_read_back_byte_for_byte(stage: Stage) {
    let bodies = [
        "{}".to_owned(),
        r#"{ "spaced" :  1.50e+02 , "precise": 123456789012345678901234567890 }"#.to_owned(),
        r#"{"escapes":"\u00e9\/\ud83d\ude00\u0000\ud800","plain":"é😀 שלום 漢字"}"#.to_owned(),
        r#"{"quotes":"\"I don't\" — 'said' \\","same":1,"same":2}"#.to_owned(),
        "[\n\t1,\r\n 2]".to_owned(),
        "null".to_owned(),
        format!(r#""{}""#, "x".repeat(300_000)),
    ];
    let written: Vec<_> = bodies.iter().zip(0..).map(|(body, seq)| with_body(seq, body)).collect();
    let claim = begin(&*stage.first).await;
    stage.first.append(&claim, Batch::of(written.clone())).await.unwrap();
    assert_eq!(stored(&*stage.first, claim.run).await, shown(&written));
    assert_eq!(stored(&*stage.second, claim.run).await, shown(&written));
}

pub(crate) async fn appends_of_any_length_are_stored(stage: Stage) {
    let claim = begin(&*stage.first).await;
    let mut next = 0;
    for length in [1, 2, 5, 7, 33, 64, 65, 193, 255, 256, 257, 512, 513] {
        for with_row in [false, true] {
            let mut batch = Batch::of(records(next..next + length));
            if with_row {
                let (kind, key, body) = ("length".to_owned(), length.to_string(), "{}".to_owned());
                batch.rows = vec![RowChange::Put(Row { kind, key, sort: 0, body })];
            }
            stage.first.append(&claim, batch).await.unwrap();
            next += length;
        }
    }
    stage.first.append(&claim, Batch::of(records(next..next + 300)).ended("goal_achieved")).await.unwrap();
    assert_eq!(stored(&*stage.second, claim.run).await, shown(&records(0..next + 300)));
    let wanted = RowQuery { kind: "length".to_owned(), most: 100, ..RowQuery::default() };
    assert_eq!(stage.second.rows(&wanted).await.unwrap().len(), 13);
}

pub(crate) async fn reading_starts_anywhere(stage: Stage) {
    let claim = begin(&*stage.first).await;
    assert!(stage.first.read(claim.run, Seq(0)).await.unwrap().is_empty(), "a run may have no records yet");
    stage.first.append(&claim, Batch::of(records(0..5))).await.unwrap();
    for (from, expected) in [(0, 0..5), (3, 3..5), (5, 5..5), (u64::MAX, 5..5)] {
        let read = stage.second.read(claim.run, Seq(from)).await.unwrap();
        assert_eq!(shown(&read), shown(&records(expected)), "from {from}");
    }
}

pub(crate) async fn gaps_and_repeats_are_refused(stage: Stage) {
    let claim = begin(&*stage.first).await;
    let log = &*stage.first;
    assert!(
        matches!(log.append(&claim, Batch::of(records([1]))).await, Err(Error::Conflict(_))),
        "a late start"
    );
    log.append(&claim, Batch::of(records(0..3))).await.unwrap();
    for refused in [vec![2], vec![4], vec![0], vec![3, 5], vec![3, 3], vec![4, 3]] {
        let outcome = log.append(&claim, Batch::of(records(refused.clone()))).await;
        assert!(matches!(outcome, Err(Error::Conflict(run)) if run == claim.run), "{refused:?}: {outcome:?}");
    }
    log.append(&claim, Batch::of(records([3]))).await.unwrap();
    assert_eq!(stored(log, claim.run).await, shown(&records(0..4)));
}

pub(crate) async fn an_append_is_stored_whole_or_not_at_all(stage: Stage) {
    let claim = begin(&*stage.first).await;
    let refused = stage.first.append(&claim, Batch::of(records([0, 1, 7])).ended("goal_achieved")).await;
    assert!(matches!(refused, Err(Error::Conflict(_))));
    assert!(stored(&*stage.first, claim.run).await.is_empty());
    assert!(stage.first.runs().await.unwrap().is_empty(), "nor has it begun or ended");
}

pub(crate) async fn a_run_is_created_once(stage: Stage) {
    let new = new_run();
    let claim = stage.first.create(new.clone()).await.unwrap();
    stage.first.append(&claim, Batch::of(records([0]))).await.unwrap();
    assert!(matches!(stage.second.create(new).await, Err(Error::Conflict(run)) if run == claim.run));
    stage.first.append(&claim, Batch::of(records([1]))).await.unwrap();
}

pub(crate) async fn unknown_runs_are_not_found(stage: Stage) {
    let mut claim = begin(&*stage.first).await;
    claim.run = RunId(Uuid::now_v7());
    let log = &*stage.first;
    assert!(matches!(log.read(claim.run, Seq(0)).await, Err(Error::NotFound(_))));
    assert!(matches!(log.claim(claim.run).await, Err(Error::NotFound(_))));
    assert!(matches!(log.append(&claim, Batch::of(records([0]))).await, Err(Error::NotFound(_))));
}

pub(crate) async fn runs_are_listed_newest_first(stage: Stage) {
    let log = &*stage.first;
    assert!(log.runs().await.unwrap().is_empty());
    let mut claims = Vec::new();
    for (name, at) in [("finished", 30), ("interrupted", 20), ("playing", 10)] {
        let new = NewRun {
            run: RunId(Uuid::now_v7()),
            production: "scene",
            name: name.to_owned(),
            at,
            parent: None,
            account: String::new(),
        };
        claims.push(log.create(new).await.unwrap());
    }
    let [finished, interrupted, playing] = claims[..] else { unreachable!() };
    log.append(&finished, Batch::of(records(0..2))).await.unwrap();
    log.append(&finished, Batch::of(records([2])).ended("goal_achieved")).await.unwrap();
    log.append(&interrupted, Batch::of(records(0..2))).await.unwrap();
    log.release(interrupted).await.unwrap();
    assert_eq!(log.runs().await.unwrap().len(), 2, "what has no record has not begun");
    log.append(&playing, Batch::of(records([0]))).await.unwrap();

    let row = |run, name: &str, started_at, status, reason: Option<&str>, events| RunSummary {
        run,
        production: "scene".to_owned(),
        name: name.to_owned(),
        started_at,
        status,
        reason: reason.map(str::to_owned),
        events,
        parent: None,
        account: String::new(),
        problem: None,
    };
    // By id, which is by when they began: clocks of two processes may disagree.
    let expected = [
        row(playing.run, "playing", 10, Status::Playing, None, 1),
        row(interrupted.run, "interrupted", 20, Status::Interrupted, None, 2),
        row(finished.run, "finished", 30, Status::Finished, Some("goal_achieved"), 3),
    ];
    assert_eq!(stage.first.runs().await.unwrap(), expected);
    assert_eq!(stage.second.runs().await.unwrap(), expected);
}

pub(crate) async fn two_hundred_runs_append_at_once(stage: Stage) {
    const RUNS: usize = 200;
    const APPENDS: u64 = 10;
    let mut playing = JoinSet::new();
    for _ in 0..RUNS {
        let log = stage.first.clone();
        playing.spawn(async move {
            let claim = begin(&*log).await;
            for n in 0..APPENDS {
                log.append(&claim, Batch::of(records([2 * n, 2 * n + 1]))).await.unwrap();
            }
            claim.run
        });
    }
    let runs = playing.join_all().await;
    for run in runs {
        assert_eq!(stored(&*stage.second, run).await, shown(&records(0..2 * APPENDS)));
    }
}

pub(crate) async fn only_the_offender_of_a_crowd_is_refused(stage: Stage) {
    let mut playing = JoinSet::new();
    for number in 0..50 {
        let claim = begin(&*stage.first).await;
        let log = stage.first.clone();
        let offends = number % 10 == 7;
        playing.spawn(async move {
            let outcome = log.append(&claim, Batch::of(records([u64::from(offends)]))).await;
            assert_eq!(outcome.is_err(), offends, "{outcome:?}");
            assert_eq!(stored(&*log, claim.run).await.len(), usize::from(!offends));
        });
    }
    playing.join_all().await;
}

pub(crate) async fn appends_sent_together_are_stored_in_order(stage: Stage) {
    let claim = begin(&*stage.first).await;
    let log = &*stage.first;
    let (a, b, released) = tokio::join!(
        log.append(&claim, Batch::of(vec![record(0)])),
        log.append(&claim, Batch::of(vec![record(1)])),
        log.release(claim),
    );
    a.and(b).and(released).unwrap();
    assert_eq!(stored(log, claim.run).await, shown(&records(0..2)));
}

pub(crate) async fn to_append_nothing_is_to_ask_whether_the_claim_counts(stage: Stage) {
    let run = super::enqueue(&*stage.first).await;
    let old = stage.first.claim(run).await.unwrap();
    stage.first.append(&old, Batch::default()).await.unwrap();
    stage.first.release(old).await.unwrap();
    let new = stage.second.claim(run).await.unwrap();
    let stale = stage.first.append(&old, Batch::default()).await;
    assert!(matches!(stale, Err(Error::Conflict(of)) if of == run), "{stale:?}");
    stage.second.append(&new, Batch::default()).await.unwrap();
    assert_eq!(stored(&*stage.first, run).await.len(), 1);

    stage.second.release(new).await.unwrap();
    stage.second.delete(run).await.unwrap();
    for claim in [old, new] {
        let gone = stage.second.append(&claim, Batch::default()).await;
        assert!(matches!(gone, Err(Error::NotFound(of)) if of == run), "{gone:?}");
    }
    // Nor when it comes with others, of which one is refused.
    let (there, other) = (begin(&*stage.second).await, begin(&*stage.second).await);
    let (gap, gone, kept) = tokio::join!(
        stage.second.append(&there, Batch::of(records([7]))),
        stage.second.append(&new, Batch::default()),
        stage.second.append(&other, Batch::of(records([0]))),
    );
    assert!(matches!(gap, Err(Error::Conflict(_))), "{gap:?}");
    assert!(matches!(gone, Err(Error::NotFound(_))), "{gone:?}");
    kept.unwrap();
}
