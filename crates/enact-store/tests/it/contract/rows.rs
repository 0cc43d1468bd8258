//! Rows derived from logs.

use enact_drama::{
    Record, RunId, Seq,
    row::{self, Row, RowChange},
};
use enact_engine::{
    Store,
    log::{Batch, Claim, Error, NewRun},
    store::{Enqueued, RowQuery, StoredRow, Submission},
};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::{Stage, begin, idempotency_keys::idempotency_key, new_run, records, submission};

pub(crate) async fn rows_are_stored_with_the_append_they_follow_from(stage: Stage) {
    let claim = begin(&*stage.first).await;
    let body = r#"{ "text" : "Say \"no\" \u0000 \ud800", "é😀": 1.50e+02 }"#;
    let odd = Row { body: body.to_owned(), ..row("b", 2) };
    append(&stage, &claim, 0, vec![put("a", 1), RowChange::Put(odd.clone())]).await;
    assert_eq!(rows(&stage, claim.run).await, [odd, row("a", 1)]);
    // Of several changes to one row the last counts.
    let changes = vec![
        put("a", 5),
        delete("b"),
        put("c", 3),
        delete("c"),
        delete("d"),
        put("d", 4),
        put("e", 1),
        put("e", 9),
        delete("never there"),
    ];
    append(&stage, &claim, 1, changes).await;
    assert_eq!(rows(&stage, claim.run).await, [row("e", 9), row("a", 5), row("d", 4)]);
    // Rows may follow from something that adds no record.
    let batch = Batch { rows: vec![delete("a"), put("z", 0)], ..Batch::default() };
    stage.first.append(&claim, batch).await.unwrap();
    assert_eq!(rows(&stage, claim.run).await, [row("e", 9), row("d", 4), row("z", 0)]);
    append(&stage, &claim, 2, Vec::new()).await;
    assert_eq!(rows(&stage, claim.run).await.len(), 3);
}

pub(crate) async fn a_refused_append_changes_no_rows(stage: Stage) {
    let old = begin(&*stage.first).await;
    append(&stage, &old, 0, vec![put("a", 1), put("b", 1)]).await;
    let changes = || vec![put("a", 7), delete("b"), put("c", 7)];
    let refused = async |claim: &Claim, seq| {
        let batch = Batch { rows: changes(), ..Batch::of(records([seq])) };
        let outcome = stage.first.append(claim, batch).await;
        assert!(matches!(outcome, Err(Error::Conflict(_))), "{outcome:?}");
        assert_eq!(rows(&stage, old.run).await, [row("a", 1), row("b", 1)]);
    };
    refused(&old, 7).await;
    stage.first.release(old).await.unwrap();
    refused(&old, 1).await;
    let new = stage.second.claim(old.run).await.unwrap();
    refused(&old, 1).await;
    stage.second.append(&new, Batch { rows: changes(), ..Batch::of(records([1])) }).await.unwrap();
    assert_eq!(rows(&stage, old.run).await, [row("a", 7), row("c", 7)]);
    let nowhere = Claim { run: RunId(Uuid::now_v7()), ..new };
    let outcome = stage.second.append(&nowhere, Batch { rows: changes(), ..Batch::default() }).await;
    assert!(matches!(outcome, Err(Error::NotFound(_))), "{outcome:?}");
}

pub(crate) async fn only_the_offender_of_a_crowd_changes_no_rows(stage: Stage) {
    let mut playing = JoinSet::new();
    for number in 0..40_u64 {
        let claim = begin(&*stage.first).await;
        // More than fit into one statement, for some.
        let many = if number % 7 == 0 { 150 } else { number % 4 };
        let first: Vec<_> = (0..many).map(|n| put(&format!("{n:03}"), 1)).collect();
        append(&stage, &claim, 0, first).await;
        let (store, offends) = (stage.first.clone(), number % 10 == 7);
        playing.spawn(async move {
            let changes = (0..many)
                .map(|n| if n % 2 == 0 { delete(&format!("{n:03}")) } else { put(&format!("{n:03}"), 2) });
            let batch =
                Batch { rows: changes.collect(), ..Batch::of(records([if offends { 9 } else { 1 }])) };
            let outcome = store.append(&claim, batch).await;
            assert_eq!(outcome.is_err(), offends, "{outcome:?}");
            (claim.run, many, offends)
        });
    }
    for (run, many, offends) in playing.join_all().await {
        let expected: Vec<_> = match offends {
            true => (0..many).map(|n| row(&format!("{n:03}"), 1)).collect(),
            false => (0..many).filter(|n| n % 2 == 1).map(|n| row(&format!("{n:03}"), 2)).collect(),
        };
        assert_eq!(rows(&stage, run).await, expected);
    }
}

pub(crate) async fn rows_are_found_by_kind_account_run_and_key(stage: Stage) {
    let mut runs = Vec::new();
    for account in ["ann", "bob", "", "ann"] {
        let claim = stage.first.create(NewRun { account: account.to_owned(), ..new_run() }).await.unwrap();
        let other = RowChange::Put(Row { kind: "session".to_owned(), ..row("shared", 8) });
        let sort = runs.len() as i64;
        append(&stage, &claim, 0, vec![put("shared", sort), put(&format!("own {sort}"), 9), other]).await;
        runs.push(claim.run);
    }
    let all = RowQuery { kind: "memory".to_owned(), most: 100, ..RowQuery::default() };
    let account = |account: &str| RowQuery { account: Some(account.to_owned()), ..all.clone() };
    let key = |key: &str| RowQuery { key: Some(key.to_owned()), ..all.clone() };
    let own = |n: usize| (runs[n], format!("own {n}"));
    let shared = |n: usize| (runs[n], "shared".to_owned());
    let table = [
        (all.clone(), vec![own(0), own(1), own(2), own(3), shared(3), shared(2), shared(1), shared(0)]),
        (RowQuery { most: 3, ..all.clone() }, vec![own(0), own(1), own(2)]),
        (RowQuery { most: 0, ..all.clone() }, vec![]),
        (RowQuery { kind: "memor".to_owned(), ..all.clone() }, vec![]),
        (RowQuery { kind: "session".to_owned(), ..account("bob") }, vec![shared(1)]),
        (account("ann"), vec![own(0), own(3), shared(3), shared(0)]),
        (account(""), vec![own(2), shared(2)]),
        (account("an"), vec![]),
        (key("shared"), vec![shared(3), shared(2), shared(1), shared(0)]),
        (RowQuery { key: Some("shared".to_owned()), ..account("ann") }, vec![shared(3), shared(0)]),
        (key("nothing"), vec![]),
        (RowQuery { run: Some(runs[1]), ..all.clone() }, vec![own(1), shared(1)]),
        (RowQuery { run: Some(runs[1]), ..key("shared") }, vec![shared(1)]),
        (RowQuery { run: Some(runs[1]), ..account("ann") }, vec![]),
        (RowQuery { run: Some(RunId(Uuid::now_v7())), ..all }, vec![]),
    ];
    for store in [&stage.first, &stage.second] {
        for (wanted, expected) in &table {
            let found = store.rows(wanted).await.unwrap();
            let names: Vec<_> = found.iter().map(|stored| (stored.run, stored.row.key.clone())).collect();
            assert_eq!(names, *expected, "{wanted:?}");
            assert!(found.iter().all(|row| wanted.wants(row)), "{wanted:?}: {found:?}");
        }
    }
}

/// Texts that stores may take for something else, or put elsewhere in the order.
const KEYS: [&str; 16] =
    ["", "\0", "\u{1}", "\u{1}0", "a\0", "a", "A", "b", "ä", "a b", "a-b", "\\", "\\0", "'", "否", "😀"];

pub(crate) async fn pages_of_rows_are_in_a_stable_order(stage: Stage) {
    let mut expected = Vec::new();
    for number in 0..3 {
        let account = if number == 1 { "bob" } else { "ann" };
        let claim = stage.first.create(NewRun { account: account.to_owned(), ..new_run() }).await.unwrap();
        let sorts = [0, 0, 1, -1, i64::MIN, i64::MAX, 0];
        let made: Vec<_> =
            KEYS.iter().zip(sorts.into_iter().cycle()).map(|(key, sort)| row(key, sort)).collect();
        append(&stage, &claim, 0, made.iter().cloned().map(RowChange::Put).collect()).await;
        let stored = |row| StoredRow { run: claim.run, account: account.to_owned(), row };
        expected.extend(made.into_iter().map(stored));
    }
    expected.sort_by(|a, b| {
        let place =
            |stored: &StoredRow| (std::cmp::Reverse(stored.row.sort), stored.row.key.clone(), stored.run);
        place(a).cmp(&place(b))
    });
    let all = RowQuery { kind: "memory".to_owned(), ..RowQuery::default() };
    let filters = [
        all.clone(),
        RowQuery { account: Some("ann".to_owned()), ..all.clone() },
        RowQuery { key: Some("\0".to_owned()), ..all.clone() },
        RowQuery { run: Some(expected[0].run), ..all },
    ];
    for filter in filters {
        let expected: Vec<_> = expected.iter().filter(|row| filter.wants(row)).cloned().collect();
        for page in [1, 7, 100] {
            assert_eq!(turn_pages(&*stage.second, &filter, page).await, expected, "{filter:?} by {page}");
        }
    }
}

async fn turn_pages(store: &dyn Store, filter: &RowQuery, page: usize) -> Vec<StoredRow> {
    let mut seen: Vec<StoredRow> = Vec::new();
    loop {
        let after = seen.last().map(StoredRow::cursor);
        let some = store.rows(&RowQuery { after, most: page, ..filter.clone() }).await.unwrap();
        if some.is_empty() {
            return seen;
        }
        assert!(some.len() <= page);
        seen.extend(some);
    }
}

pub(crate) async fn rows_are_replaced_if_the_log_has_not_grown(stage: Stage) {
    let (claim, other) = (begin(&*stage.first).await, begin(&*stage.first).await);
    append(&stage, &claim, 0, vec![put("a", 1), put("b", 1)]).await;
    append(&stage, &other, 0, vec![put("a", 3)]).await;
    for length in [0, 2, u64::MAX] {
        let replaced = stage.second.replace_rows(claim.run, Seq(length), vec![row("c", 1)]).await;
        assert!(!replaced.unwrap(), "it has one record and not {length}");
    }
    assert_eq!(rows(&stage, claim.run).await, [row("a", 1), row("b", 1)]);
    let new = vec![row("c", 1), row("b", 5), row("d", 2), row("b", 6)];
    assert!(stage.second.replace_rows(claim.run, Seq(1), new).await.unwrap());
    assert_eq!(rows(&stage, claim.run).await, [row("b", 6), row("d", 2), row("c", 1)]);
    assert_eq!(rows(&stage, other.run).await, [row("a", 3)]);
    // The owner of the run is not disturbed.
    append(&stage, &claim, 1, vec![delete("b")]).await;
    assert!(stage.second.replace_rows(claim.run, Seq(2), Vec::new()).await.unwrap());
    assert!(rows(&stage, claim.run).await.is_empty());
    let nowhere = stage.first.replace_rows(RunId(Uuid::now_v7()), Seq(0), Vec::new()).await;
    assert!(matches!(nowhere, Err(Error::NotFound(_))), "{nowhere:?}");
}

/// Rows are made anew while their run is played: in the end they are what the whole log comes to.
pub(crate) async fn rows_that_are_replaced_while_a_run_is_played_are_those_of_its_log(stage: Stage) {
    const APPENDS: u64 = 120;
    let claim = begin(&*stage.first).await;
    let playing = async {
        for seq in 0..APPENDS {
            append(&stage, &claim, seq, change(seq)).await;
        }
    };
    let replacing = async {
        while stage.second.find(claim.run).await.unwrap().events < APPENDS {
            let log = stage.second.read(claim.run, Seq(0)).await.unwrap();
            stage.second.replace_rows(claim.run, Seq(log.len() as u64), fold(&log)).await.unwrap();
        }
    };
    tokio::join!(playing, replacing);
    let mut there = rows(&stage, claim.run).await;
    there.sort_by(|a, b| a.key.cmp(&b.key));
    assert_eq!(there, fold(&stage.first.read(claim.run, Seq(0)).await.unwrap()));
}

/// What each record does to the rows.
fn change(seq: u64) -> Vec<RowChange> {
    let key = (seq * 7 % 5).to_string();
    vec![if seq.is_multiple_of(3) { put(&key, seq as i64) } else { delete(&key) }]
}

fn fold(log: &[Record]) -> Vec<Row> {
    row::settle(log.iter().flat_map(|record| change(record.seq.0)))
}

pub(crate) async fn a_run_is_enqueued_with_its_rows(stage: Stage) {
    let new = NewRun { account: "ann".to_owned(), ..new_run() };
    let made = |new: &NewRun, sort| Submission {
        rows: vec![put("a", 1), delete("a"), put("b", sort), put("c", sort)],
        idempotency_key: Some(idempotency_key("ann", "1", "digest")),
        ..submission(new.clone(), records(0..2))
    };
    assert_eq!(stage.first.enqueue(made(&new, 1)).await.unwrap(), Enqueued::New);
    assert_eq!(rows(&stage, new.run).await, [row("b", 1), row("c", 1)]);
    let wanted = RowQuery {
        kind: "memory".to_owned(),
        account: Some("ann".to_owned()),
        most: 9,
        ..RowQuery::default()
    };
    assert_eq!(stage.second.rows(&wanted).await.unwrap().len(), 2);
    // A repetition and a conflict change nothing.
    let again = new_run();
    assert_eq!(stage.second.enqueue(made(&again, 2)).await.unwrap(), Enqueued::AlreadyQueued(new.run));
    let conflict = stage.second.enqueue(Submission { idempotency_key: None, ..made(&new, 2) }).await;
    assert!(matches!(conflict, Err(Error::Conflict(_))), "{conflict:?}");
    assert_eq!(rows(&stage, new.run).await, [row("b", 1), row("c", 1)]);
    assert!(rows(&stage, again.run).await.is_empty());
}

pub(crate) async fn a_run_is_imported_with_its_rows(stage: Stage) {
    let new = new_run();
    let changes = |sort| vec![put("a", 1), delete("a"), put("b", sort), put("c", sort)];
    stage.first.import(new.clone(), records(0..2), changes(1), None).await.unwrap();
    assert_eq!(rows(&stage, new.run).await, [row("b", 1), row("c", 1)]);
    // What is refused changes nothing.
    let there = stage.second.import(new.clone(), records(0..2), changes(2), None).await;
    assert!(matches!(there, Err(Error::Conflict(_))), "{there:?}");
    assert_eq!(rows(&stage, new.run).await, [row("b", 1), row("c", 1)]);
    let other = new_run();
    let gap = stage.second.import(other.clone(), records([0, 2]), changes(2), None).await;
    assert!(matches!(gap, Err(Error::Conflict(_))), "{gap:?}");
    assert!(rows(&stage, other.run).await.is_empty());
}

pub(crate) async fn rows_go_with_their_run(stage: Stage) {
    let (new, kept) = (new_run(), begin(&*stage.first).await);
    append(&stage, &kept, 0, vec![put("a", 1)]).await;
    let made = Submission { rows: vec![put("a", 1)], ..submission(new.clone(), records([0])) };
    stage.first.enqueue(made).await.unwrap();
    stage.second.delete(new.run).await.unwrap();
    assert!(rows(&stage, new.run).await.is_empty());
    stage.first.enqueue(submission(new.clone(), records([0]))).await.unwrap();
    assert!(rows(&stage, new.run).await.is_empty(), "a run that takes its id inherits nothing");
    assert_eq!(rows(&stage, kept.run).await, [row("a", 1)]);
}

async fn append(stage: &Stage, claim: &Claim, seq: u64, rows: Vec<RowChange>) {
    stage.first.append(claim, Batch { rows, ..Batch::of(records([seq])) }).await.unwrap();
}

fn row(key: &str, sort: i64) -> Row {
    let body = format!(r#"{{"sort":{sort}}}"#);
    Row { kind: "memory".to_owned(), key: key.to_owned(), sort, body }
}

fn put(key: &str, sort: i64) -> RowChange {
    RowChange::Put(row(key, sort))
}

fn delete(key: &str) -> RowChange {
    RowChange::Delete { kind: "memory".to_owned(), key: key.to_owned() }
}

/// The rows of one run, in the order of lists.
async fn rows(stage: &Stage, run: RunId) -> Vec<Row> {
    let wanted =
        RowQuery { kind: "memory".to_owned(), run: Some(run), most: usize::MAX, ..RowQuery::default() };
    let found = stage.first.rows(&wanted).await.unwrap();
    assert_eq!(stage.second.rows(&wanted).await.unwrap(), found, "all see the same");
    found.into_iter().map(|stored| stored.row).collect()
}
