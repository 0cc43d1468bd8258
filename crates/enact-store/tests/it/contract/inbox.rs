//! Letters to those who play.

use std::time::Duration;

use enact_drama::{Name, RunId, Steering};
use enact_engine::{
    Store,
    log::{Batch, Claim, Error, LetterId, Status},
    store::{LETTERS_AT_ONCE, Letter, MOST_LETTERS},
};
use enact_store::SqliteLog;
use sqlx::{Connection, SqliteConnection};
use uuid::Uuid;

use super::{Stage, begin, enqueue, new_run, record, records, shown, stored};

pub(crate) async fn letters_come_in_order_and_as_they_were_written(stage: Stage) {
    let (one, other) = (playing(&stage).await, playing(&stage).await);
    let note = |to: Option<&str>, text: &str| Steering::Note {
        to: to.map(|to| Name::new(to).unwrap()),
        text: text.to_owned(),
    };
    let written = [
        (one.run, note(Some("alice"), "Say \"no\", \\ or 'non' — 否 \u{1f600}")),
        (other.run, Steering::Pause),
        (one.run, Steering::WorldEvent { text: "The lights go out".to_owned() }),
        (other.run, Steering::Step),
        (one.run, note(None, "faster")),
        (other.run, Steering::Resume),
        (one.run, Steering::Cancel),
    ];
    let mut posted = Vec::new();
    for (run, wanted) in written {
        // Anybody may write.
        let id = stage.second.post(run, wanted.clone()).await.unwrap();
        posted.push(Letter { id, run, wanted });
    }
    assert!(posted.is_sorted_by(|a, b| a.id < b.id), "{posted:?}");
    assert_eq!(stage.first.letters().await.unwrap(), posted);
    assert_eq!(stage.first.letters().await.unwrap(), posted, "reading takes nothing");
}

pub(crate) async fn letters_are_read_by_whoever_plays(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    let id = stage.first.post(run, Steering::Pause).await.unwrap();
    assert!(ids(&*stage.first).await.is_empty(), "nobody plays it yet");
    let [claim] = stage.second.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    assert_eq!(ids(&*stage.second).await, [id]);
    if stage.knows_owners() {
        assert!(ids(&*stage.first).await.is_empty(), "it is another's");
    }
    stage.second.release(claim).await.unwrap();
    assert!(ids(&*stage.second).await.is_empty());
    // It waits for whoever plays next.
    stage.first.claim(run).await.unwrap();
    assert_eq!(ids(&*stage.first).await, [id]);
}

pub(crate) async fn a_letter_is_taken_with_what_follows_from_it(stage: Stage) {
    let claim = playing(&stage).await;
    let first = stage.first.post(claim.run, Steering::Pause).await.unwrap();
    let second = stage.first.post(claim.run, Steering::Resume).await.unwrap();
    let gap = stage.first.append(&claim, Batch::of(records([7])).taken(first)).await;
    assert!(matches!(gap, Err(Error::Conflict(_))), "{gap:?}");
    assert_eq!(ids(&*stage.first).await, [first, second], "a refused batch leaves the letter");
    stage.first.append(&claim, Batch::of(records([1])).taken(first)).await.unwrap();
    assert_eq!(ids(&*stage.first).await, [second]);
    assert_eq!(stored(&*stage.first, claim.run).await, shown(&records(0..2)));

    // Something may be wanted that changes nothing.
    stage.first.append(&claim, Batch::default().taken(second)).await.unwrap();
    assert!(ids(&*stage.first).await.is_empty());
    let third = stage.first.post(claim.run, Steering::Pause).await.unwrap();
    assert!(third > second, "ids grow, though the inbox was empty");
}

pub(crate) async fn many_letters_are_taken_at_once(stage: Stage) {
    let mut taking = tokio::task::JoinSet::new();
    let (mut kept, mut claims) = (Vec::new(), Vec::new());
    for _ in 0..40 {
        let claim = playing(&stage).await;
        let id = stage.first.post(claim.run, Steering::Pause).await.unwrap();
        kept.push(stage.first.post(claim.run, Steering::Resume).await.unwrap());
        claims.push((claim, id));
    }
    for (number, (claim, id)) in claims.into_iter().enumerate() {
        let store = stage.first.clone();
        let offends = number % 10 == 3;
        if offends {
            kept.push(id);
        }
        taking.spawn(async move {
            let seq = if offends { 9 } else { 1 };
            let outcome = store.append(&claim, Batch::of([record(seq)]).taken(id)).await;
            assert_eq!(outcome.is_err(), offends, "{outcome:?}");
        });
    }
    taking.join_all().await;
    kept.sort();
    assert_eq!(ids(&*stage.first).await, kept);
}

pub(crate) async fn a_run_takes_no_letter_of_another(stage: Stage) {
    let (one, other) = (playing(&stage).await, playing(&stage).await);
    let id = stage.first.post(other.run, Steering::Pause).await.unwrap();
    stage.first.append(&one, Batch::of(records([1])).taken(id)).await.unwrap();
    assert_eq!(ids(&*stage.first).await, [id]);
}

pub(crate) async fn an_old_claim_takes_no_letter(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    let [old] = stage.first.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    let id = stage.second.post(run, Steering::Cancel).await.unwrap();
    stage.first.release(old).await.unwrap();
    let new = stage.second.claim(run).await.unwrap();
    for late in [Batch::of(records([1])), Batch::default(), Batch::of(records([1])).ended("cancelled")] {
        let outcome = stage.first.append(&old, late.taken(id)).await;
        assert!(matches!(outcome, Err(Error::Conflict(_))), "{outcome:?}");
    }
    assert_eq!(ids(&*stage.second).await, [id]);
    stage.second.append(&new, Batch::of(records([1])).taken(id)).await.unwrap();
    assert!(ids(&*stage.second).await.is_empty());
}

pub(crate) async fn the_end_of_a_run_empties_its_inbox(stage: Stage) {
    let (ending, going_on) = (playing(&stage).await, playing(&stage).await);
    let taken = stage.first.post(ending.run, Steering::Cancel).await.unwrap();
    stage.first.post(ending.run, Steering::Pause).await.unwrap();
    let kept = stage.first.post(going_on.run, Steering::Pause).await.unwrap();
    let end = Batch::of(records([1])).ended("cancelled").taken(taken);
    stage.first.append(&ending, end).await.unwrap();
    assert_eq!(ids(&*stage.first).await, [kept]);
    for store in [&stage.first, &stage.second] {
        let late = store.post(ending.run, Steering::Pause).await;
        assert!(matches!(late, Err(Error::Ended(run)) if run == ending.run), "{late:?}");
    }
}

pub(crate) async fn nobody_writes_to_a_run_that_is_not(stage: Stage) {
    let nobody = RunId(Uuid::now_v7());
    let outcome = stage.first.post(nobody, Steering::Pause).await;
    assert!(matches!(outcome, Err(Error::NotFound(run)) if run == nobody), "{outcome:?}");
}

pub(crate) async fn nobody_writes_to_a_run_that_nobody_plays(stage: Stage) {
    let by_hand = playing(&stage).await;
    stage.second.post(by_hand.run, Steering::Pause).await.unwrap();
    stage.first.release(by_hand).await.unwrap();
    let imported = new_run();
    stage.first.import(imported.clone(), records([0]), None).await.unwrap();
    for run in [by_hand.run, imported.run] {
        for store in [&stage.first, &stage.second] {
            let outcome = store.post(run, Steering::Resume).await;
            assert!(matches!(outcome, Err(Error::Idle(idle)) if idle == run), "{outcome:?}");
            assert_eq!(store.find(run).await.unwrap().status, Status::Interrupted);
        }
    }
    // What was written before is read by whoever plays it on.
    stage.second.claim(by_hand.run).await.unwrap();
    stage.first.post(by_hand.run, Steering::Resume).await.unwrap();
    assert_eq!(ids(&*stage.second).await.len(), 2);
}

pub(crate) async fn an_inbox_takes_only_so_many(stage: Stage) {
    let run = enqueue(&*stage.first).await;
    for _ in 0..MOST_LETTERS {
        stage.first.post(run, Steering::Pause).await.unwrap();
    }
    let one_more = stage.second.post(run, Steering::Pause).await;
    assert!(matches!(one_more, Err(Error::Full(full)) if full == run), "{one_more:?}");
    let other = enqueue(&*stage.first).await;
    stage.first.post(other, Steering::Pause).await.unwrap();

    let claim = stage.first.claim(run).await.unwrap();
    let oldest = ids(&*stage.first).await[0];
    stage.first.append(&claim, Batch::default().taken(oldest)).await.unwrap();
    stage.second.post(run, Steering::Pause).await.unwrap();
}

pub(crate) async fn one_full_inbox_is_read_bit_by_bit(stage: Stage) {
    let (busy, other) = (playing(&stage).await, playing(&stage).await);
    let mut posted = Vec::new();
    for _ in 0..LETTERS_AT_ONCE + 2 {
        posted.push(stage.first.post(busy.run, Steering::Pause).await.unwrap());
    }
    let last = stage.first.post(other.run, Steering::Pause).await.unwrap();
    let read = ids(&*stage.first).await;
    assert_eq!(read, [&posted[..LETTERS_AT_ONCE], &[last]].concat());
    stage.first.append(&busy, Batch::default().taken(posted[0])).await.unwrap();
    assert_eq!(ids(&*stage.first).await, [&posted[1..=LETTERS_AT_ONCE], &[last]].concat());
}

#[tokio::test]
async fn what_a_newer_version_wrote_is_left_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteLog::open(folder.path()).await.unwrap();
    let claim = begin(&store).await;
    let database = format!("sqlite://{}", folder.path().join("enact.db").display());
    let mut connection = SqliteConnection::connect(&database).await.unwrap();
    sqlx::query("INSERT INTO inbox (run, wanted) VALUES ($1, '{\"sing\":\"louder\"}')")
        .bind(claim.run.to_string())
        .execute(&mut connection)
        .await
        .unwrap();
    let readable = store.post(claim.run, Steering::Pause).await.unwrap();
    assert_eq!(ids(&store).await, [readable]);
}

pub(crate) async fn who_waits_for_news_finds_letters(stage: Stage) {
    let claim = playing(&stage).await;
    let mut news = stage.first.news();
    let looking = stage.first.clone();
    let found = tokio::spawn(async move {
        loop {
            if let [letter] = &looking.letters().await.unwrap()[..] {
                return letter.id;
            }
            let _ = tokio::time::timeout(Duration::from_millis(200), news.recv()).await;
        }
    });
    let id = stage.second.post(claim.run, Steering::Pause).await.unwrap();
    assert_eq!(found.await.unwrap(), id);
}

/// A run with one record, played by the first.
async fn playing(stage: &Stage) -> Claim {
    let claim = begin(&*stage.first).await;
    stage.first.append(&claim, Batch::of(records([0]))).await.unwrap();
    claim
}

async fn ids(store: &dyn Store) -> Vec<LetterId> {
    store.letters().await.unwrap().iter().map(|letter| letter.id).collect()
}
