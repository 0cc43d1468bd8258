//! Finding runs, page by page, and reading parts of their logs.

use std::collections::BTreeSet;

use enact_drama::{
    RunId, Seq,
    row::{PAUSED, Row, RowChange},
};
use enact_engine::{
    Store,
    log::{Batch, Claim, Error, NewRun, Status},
    store::{Listing, Wake},
};
use uuid::Uuid;

use super::{Stage, begin, command, enqueue, new_run, records, shown, submission};

const ALL: Listing = Listing {
    production: None,
    name: None,
    name_holds: None,
    statuses: Vec::new(),
    parent: None,
    visible: None,
    before: None,
    most: 1_000,
};

pub(crate) async fn runs_are_found_by_every_filter(stage: Stage) {
    let store = &*stage.first;
    let waiting = made(store, "tea", None).await;
    let stuck = made(store, "tea", Some(waiting)).await;
    let playing = made(store, "rain", Some(waiting)).await;
    let finished = made(store, "rain", None).await;
    let by_hand = begun(store, "tea").await.run;
    let interrupted = begun(store, "snow").await;
    store.release(interrupted).await.unwrap();
    let interrupted = interrupted.run;
    let claim = store.claim(stuck).await.unwrap();
    store.requeue(claim, "no model", std::time::Duration::ZERO).await.unwrap();
    store.claim(playing).await.unwrap();
    let claim = store.claim(finished).await.unwrap();
    store.append(&claim, Batch::of(records([1])).ended("stalled")).await.unwrap();
    let unbegun = begin(store).await.run;

    let name = |name: &str| Listing { name: Some(name.to_owned()), ..ALL };
    let holds = |part: &str| Listing { name_holds: Some(part.to_owned()), ..ALL };
    let with = |statuses: &[Status]| Listing { statuses: statuses.to_vec(), ..ALL };
    let forks = Listing { parent: Some(waiting), ..ALL };
    let table = [
        ("everything", ALL, vec![interrupted, by_hand, finished, playing, stuck, waiting]),
        ("at most two", Listing { most: 2, ..ALL }, vec![interrupted, by_hand]),
        ("none", Listing { most: 0, ..ALL }, vec![]),
        (
            "scenes",
            Listing { production: Some("scene".into()), most: 3, ..ALL },
            vec![interrupted, by_hand, finished],
        ),
        ("another production", Listing { production: Some("chorus".into()), ..ALL }, vec![]),
        ("by name", name("tea"), vec![by_hand, stuck, waiting]),
        ("by no name", name("te"), vec![]),
        ("by a part of a name", holds("e"), vec![by_hand, stuck, waiting]),
        ("in capitals", holds("RAI"), vec![finished, playing]),
        ("by no part of a name", holds("%"), vec![]),
        ("waiting", with(&[Status::Waiting]), vec![stuck, waiting]),
        ("playing", with(&[Status::Playing]), vec![by_hand, playing]),
        ("interrupted", with(&[Status::Interrupted]), vec![interrupted]),
        ("finished", with(&[Status::Finished]), vec![finished]),
        ("finished or playing", with(&[Status::Finished, Status::Playing]), vec![by_hand, finished, playing]),
        ("forks", forks.clone(), vec![playing, stuck]),
        ("forks of a fork", Listing { parent: Some(stuck), ..ALL }, vec![]),
        ("older", Listing { before: Some(finished), ..ALL }, vec![playing, stuck, waiting]),
        ("older, at most one", Listing { before: Some(finished), most: 1, ..ALL }, vec![playing]),
        ("older than all", Listing { before: Some(waiting), ..ALL }, vec![]),
        ("older than one that is not", Listing { before: Some(unbegun), most: 1, ..ALL }, vec![interrupted]),
        (
            "all at once",
            Listing {
                production: Some("scene".into()),
                name: Some("tea".into()),
                statuses: vec![Status::Waiting],
                before: Some(by_hand),
                most: 1,
                ..forks
            },
            vec![stuck],
        ),
    ];
    for store in [&stage.first, &stage.second] {
        for (what, wanted, expected) in &table {
            let listed = store.list(wanted).await.unwrap();
            assert_eq!(listed.iter().map(|run| run.run).collect::<Vec<_>>(), *expected, "{what}");
            for run in listed {
                assert!(wanted.wants(&run), "{what}: {run:?}");
                assert_eq!(store.find(run.run).await.unwrap(), run, "{what}");
            }
        }
    }
}

pub(crate) async fn a_run_is_found_before_it_has_begun(stage: Stage) {
    let claim = begin(&*stage.first).await;
    let found = stage.second.find(claim.run).await.unwrap();
    assert_eq!((found.run, found.status, found.events), (claim.run, Status::Playing, 0));
    assert!(stage.second.list(&ALL).await.unwrap().is_empty(), "but there is nothing to show yet");
    let nobody = RunId(Uuid::now_v7());
    assert!(matches!(stage.first.find(nobody).await, Err(Error::NotFound(run)) if run == nobody));
}

/// A caller that pages while runs are added sees every earlier run once.
pub(crate) async fn pages_miss_and_repeat_nothing_while_runs_are_added(stage: Stage) {
    let mut there = BTreeSet::new();
    for _ in 0..23 {
        there.insert(enqueue(&*stage.first).await);
    }
    for page in [1, 5, 23, 100] {
        let mut seen = Vec::new();
        let mut before = None;
        loop {
            let listed = stage.first.list(&Listing { before, most: page, ..ALL }).await.unwrap();
            let Some(last) = listed.last() else { break };
            assert!(listed.len() <= page);
            before = Some(last.run);
            seen.extend(listed.iter().map(|run| run.run));
            enqueue(&*stage.second).await;
        }
        assert!(seen.is_sorted_by(|a, b| a > b), "newest first, none twice: {seen:?}");
        assert!(there.iter().all(|run| seen.contains(run)), "in pages of {page}");
        there.extend(seen);
    }
}

pub(crate) async fn a_part_of_a_log_is_read(stage: Stage) {
    let claim = begin(&*stage.first).await;
    stage.first.append(&claim, Batch::of(records(0..10))).await.unwrap();
    let table = [
        (0, 3, 0..3),
        (3, 3, 3..6),
        (8, 3, 8..10),
        (10, 3, 10..10),
        (0, 0, 0..0),
        (4, usize::MAX, 4..10),
        (u64::MAX, 3, 10..10),
    ];
    for (from, most, expected) in table {
        let read = stage.second.read_some(claim.run, Seq(from), most).await.unwrap();
        assert_eq!(shown(&read), shown(&records(expected)), "{most} from {from}");
    }
    let nobody = RunId(Uuid::now_v7());
    assert!(matches!(stage.first.read_some(nobody, Seq(0), 5).await, Err(Error::NotFound(_))));
}

pub(crate) async fn a_store_says_that_it_is_there(stage: Stage) {
    stage.first.ready().await.unwrap();
    assert!(!stage.first.name().is_empty());
}

pub(crate) async fn a_run_that_a_person_holds_up_is_listed_as_paused(stage: Stage) {
    let (held, other) = (begun(&*stage.first, "held").await, begun(&*stage.first, "other").await);
    let (kind, key) = (PAUSED.to_owned(), String::new());
    let row = Row { kind: kind.clone(), key: key.clone(), sort: 0, body: "{}".to_owned() };
    let pause = Batch { rows: vec![RowChange::Put(row)], ..Batch::of(records([1])) };
    stage.first.append(&held, pause).await.unwrap();
    assert_status(&stage, held.run, Status::Paused).await;
    assert_status(&stage, other.run, Status::Playing).await;

    let seen = stage.second.post(held.run, command("note"), Wake::Queue).await.unwrap().id;
    assert!(stage.first.rest(held, Some(seen)).await.unwrap());
    assert!(stage.first.rest(other, None).await.unwrap());
    assert_status(&stage, held.run, Status::Paused).await;
    assert_status(&stage, other.run, Status::Resting).await;

    stage.second.post(held.run, command("resume"), Wake::Queue).await.unwrap();
    assert_status(&stage, held.run, Status::Waiting).await;
    let held = stage.first.claim(held.run).await.unwrap();
    let go_on = Batch { rows: vec![RowChange::Delete { kind, key }], ..Batch::of(records([2])) };
    stage.first.append(&held, go_on).await.unwrap();
    assert_status(&stage, held.run, Status::Playing).await;
}

/// A run has this status and no other, whichever way it is looked for.
async fn assert_status(stage: &Stage, run: RunId, expected: Status) {
    for store in [&stage.first, &stage.second] {
        assert_eq!(store.find(run).await.unwrap().status, expected);
        for status in [
            Status::Waiting,
            Status::Playing,
            Status::Resting,
            Status::Paused,
            Status::Interrupted,
            Status::Finished,
        ] {
            let wanted = Listing { statuses: vec![status], most: 10, ..Listing::default() };
            let listed = store.list(&wanted).await.unwrap();
            let is_listed = listed.iter().any(|listed| listed.run == run);
            assert_eq!(is_listed, status == expected, "{status:?} of a run that is {expected:?}");
        }
    }
}

async fn made(store: &dyn Store, name: &str, parent: Option<RunId>) -> RunId {
    let new = NewRun { name: name.to_owned(), parent, ..new_run() };
    store.enqueue(submission(new.clone(), records([0]))).await.unwrap();
    new.run
}

async fn begun(store: &dyn Store, name: &str) -> Claim {
    let claim = store.create(NewRun { name: name.to_owned(), ..new_run() }).await.unwrap();
    store.append(&claim, Batch::of(records([0]))).await.unwrap();
    claim
}
