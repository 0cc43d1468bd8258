//! How SQLite finds what is asked for, among a hundred thousand runs that have ended: not by looking at all of them.

use enact_drama::RunId;
use enact_engine::{log::Status, store::Listing};
use sqlx::{AssertSqlSafe, Row};
use uuid::Uuid;

use super::{claims, extracts, inbox, listing, open::Folder};
use crate::Durability;

#[tokio::test]
async fn a_listing_finds_its_index() {
    let run = RunId(Uuid::now_v7());
    let all = Listing { most: 50, ..Listing::default() };
    let named = Listing { name: Some("tea".to_owned()), ..all.clone() };
    let with = |statuses: &[Status]| Listing { statuses: statuses.to_vec(), ..all.clone() };
    let table = [
        // In the order of the table itself, until there are enough.
        (all.clone(), "SCAN runs"),
        (with(&[Status::Finished]), "SCAN runs"),
        (Listing { before: Some(run), ..all.clone() }, "SEARCH runs USING PRIMARY KEY (id<?)"),
        (named.clone(), "INDEX runs_by_name (name=?)"),
        (Listing { before: Some(run), ..named }, "INDEX runs_by_name (name=? AND id<?)"),
        (Listing { parent: Some(run), ..all.clone() }, "INDEX forks (parent=?)"),
        (Listing { production: Some("field".to_owned()), ..all.clone() }, "INDEX runs_by_production"),
        (with(&[Status::Playing]), "INDEX unfinished_runs"),
        (with(&[Status::Waiting, Status::Playing, Status::Interrupted]), "INDEX unfinished_runs"),
    ];
    for (wanted, expected) in table {
        let sql = listing::query(&wanted, &[]).unwrap().sql().as_str().to_owned();
        let plan = plan(&sql).await;
        assert!(plan[0].contains(expected), "{wanted:?}: {plan:?}");
        assert!(!plan.iter().any(|step| step.contains("FOR ORDER BY")), "{wanted:?}: {plan:?}");
    }
}

#[tokio::test]
async fn those_who_wait_are_counted_by_their_index() {
    let sql = listing::count(10_000, &[]).unwrap().sql().as_str().to_owned();
    let plan = plan(&sql).await;
    assert!(plan.iter().any(|step| step.contains("INDEX unfinished_runs")), "{plan:?}");
}

#[tokio::test]
async fn nothing_that_nodes_ask_for_looks_at_all_runs() {
    for (sql, index) in [
        (listing::OWNERS, "INDEX unfinished_runs_by_owner"),
        (claims::OWNERS_IN_QUEUE, "INDEX unfinished_runs_by_owner (queued=? AND owner>?)"),
        (claims::WAITS, "INDEX unfinished_runs_by_owner (queued=? AND owner=?)"),
        (claims::FREE, "INDEX unfinished_runs_by_owner (queued=? AND owner=?)"),
        (claims::CLAIM_WAITING, "INDEX unfinished_runs_by_owner (queued=? AND owner=?)"),
        (inbox::LETTERS, "SEARCH runs USING PRIMARY KEY (id=?)"),
        (extracts::WITHOUT, "INDEX runs_by_extract (extracted>?)"),
        (extracts::EXTRACTS, "INDEX extracts_by_time (kind=? AND started_at>? AND started_at<?)"),
    ] {
        let plan = plan(sql).await;
        assert!(plan.iter().any(|step| step.contains(index)), "{sql}: {plan:?}");
        assert!(!plan.iter().any(|step| step.starts_with("SCAN runs")), "{sql}: {plan:?}");
    }
}

async fn plan(sql: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let (mut connection, _owner) = Folder::at(folder.path()).writer(Durability::Process).await.unwrap();
    let explained = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")));
    let steps = explained.fetch_all(&mut connection).await.unwrap();
    steps.iter().map(|step| step.get("detail")).collect()
}
