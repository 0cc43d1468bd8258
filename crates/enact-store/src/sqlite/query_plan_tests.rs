//! How SQLite finds what is asked for, among a hundred thousand runs that have ended and as many that rest:
//! not by looking at all of them.

use enact_drama::RunId;
use enact_engine::{
    log::Status,
    store::{Listing, RowCursor, RowQuery, Visible},
};
use sqlx::{AssertSqlSafe, Row};
use uuid::Uuid;

use super::{claims, events, extracts, inbox, listing, open::Folder, rows};
use crate::Durability;

#[tokio::test]
async fn a_listing_finds_its_index() {
    let run = RunId(Uuid::now_v7());
    let all = Listing { most: 50, ..Listing::default() };
    let named = Listing { name: Some("tea".to_owned()), ..all.clone() };
    let of = |account: Option<&str>| {
        Some(Visible { productions: vec!["scene".to_owned()], account: account.map(str::to_owned) })
    };
    let visible = of(Some("ann"));
    let with = |statuses: &[Status]| Listing { statuses: statuses.to_vec(), ..all.clone() };
    let table = [
        // In the order of the table itself, until there are enough.
        (all.clone(), "SCAN runs"),
        (with(&[Status::Finished]), "INDEX awake_runs"),
        (with(&[Status::Finished, Status::Playing]), "INDEX awake_runs"),
        (with(&[Status::Resting]), "INDEX resting_runs"),
        (with(&[Status::Resting, Status::Playing]), "INDEX unfinished_runs"),
        (Listing { before: Some(run), ..all.clone() }, "SEARCH runs USING PRIMARY KEY (id<?)"),
        (named.clone(), "INDEX runs_by_name (name=?)"),
        (Listing { before: Some(run), ..named.clone() }, "INDEX runs_by_name (name=? AND id<?)"),
        (Listing { parent: Some(run), ..all.clone() }, "INDEX forks (parent=?)"),
        (Listing { production: Some("field".to_owned()), ..all.clone() }, "INDEX runs_by_production"),
        (Listing { statuses: vec![Status::Playing], ..named.clone() }, "INDEX runs_by_name (name=?)"),
        (Listing { statuses: vec![Status::Finished], ..named.clone() }, "INDEX runs_by_name (name=?)"),
        (with(&[Status::Playing]), "INDEX active_runs"),
        (with(&[Status::Waiting]), "INDEX active_runs"),
        (with(&[Status::Interrupted]), "INDEX active_runs"),
        (with(&[Status::Waiting, Status::Playing, Status::Interrupted]), "INDEX active_runs"),
        (Listing { visible: visible.clone(), ..all.clone() }, "SCAN runs"),
        (Listing { visible: of(None), ..all.clone() }, "SCAN runs"),
        (
            Listing { production: Some("chat".to_owned()), visible: visible.clone(), ..all.clone() },
            "INDEX runs_by_account (production=? AND account=?)",
        ),
        (
            Listing { production: Some("scene".to_owned()), visible, ..all.clone() },
            "INDEX runs_by_production (production=?)",
        ),
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
    assert!(plan.iter().any(|step| step.contains("INDEX active_runs")), "{plan:?}");
}

#[tokio::test]
async fn nothing_that_nodes_ask_for_looks_at_all_runs() {
    for (sql, index) in [
        (listing::OWNERS, "INDEX active_runs_by_owner"),
        (claims::OWNERS_IN_QUEUE, "INDEX active_runs_by_owner (queued=? AND owner>?)"),
        (claims::IS_ANY_WAITING, "INDEX active_runs_by_owner (queued=? AND owner=?)"),
        (claims::FREE_CLAIMS_OF_DEAD, "INDEX active_runs_by_owner (queued=? AND owner=?)"),
        (claims::CLAIM_WAITING, "INDEX active_runs_by_owner (queued=? AND owner=?)"),
        (inbox::INBOXES, "SEARCH runs USING PRIMARY KEY (id=?)"),
        (inbox::INBOX, "INDEX inbox_by_run (run=?)"),
        (claims::LET_RUN_REST, "SEARCH runs USING PRIMARY KEY (id=?)"),
        (claims::LET_RUN_REST, "INDEX inbox_by_run (run=? AND rowid>?)"),
        (&rows::deletion(2), "INDEX sqlite_autoindex_rows_1 (run=? AND kind=? AND key=?)"),
        (&events::insertion(2), "SEARCH runs USING PRIMARY KEY (id=?)"),
        (&rows::insertion(2), "SEARCH runs USING PRIMARY KEY (id=?)"),
        (extracts::RUNS_WITHOUT_EXTRACT, "INDEX runs_by_extract (extracted>?)"),
        (extracts::EXTRACTS, "INDEX extracts_by_time (kind=? AND started_at>? AND started_at<?)"),
    ] {
        let plan = plan(sql).await;
        assert!(plan.iter().any(|step| step.contains(index)), "{sql}: {plan:?}");
        assert!(!plan.iter().any(|step| step.starts_with("SCAN runs")), "{sql}: {plan:?}");
    }
}

#[tokio::test]
async fn a_list_of_rows_finds_its_index_and_is_in_its_order() {
    let run = RunId(Uuid::now_v7());
    let after = RowCursor { sort: 5, key: "tea".to_owned(), run };
    let all = RowQuery { kind: "session".to_owned(), most: 50, ..RowQuery::default() };
    let mine = RowQuery { account: Some("ann".to_owned()), ..all.clone() };
    let keyed = RowQuery { key: Some("tea".to_owned()), ..all.clone() };
    for (wanted, expected) in [
        (all.clone(), "INDEX rows_by_kind (kind=?)"),
        (RowQuery { after: Some(after.clone()), ..all }, "INDEX rows_by_kind (kind=? AND sort<?)"),
        (mine.clone(), "INDEX rows_by_account (kind=? AND account=?)"),
        (RowQuery { after: Some(after), ..mine }, "INDEX rows_by_account (kind=? AND account=? AND sort<?)"),
        (keyed, "INDEX rows_by_key (kind=? AND key=?)"),
    ] {
        let plan = plan(rows::query(&wanted).sql().as_str()).await;
        assert!(plan[0].contains(expected), "{wanted:?}: {plan:?}");
        assert!(!plan.iter().any(|step| step.contains("FOR ORDER BY")), "{wanted:?}: {plan:?}");
    }
    // The few rows of one run are sorted.
    let of_run = RowQuery { kind: "session".to_owned(), run: Some(run), ..RowQuery::default() };
    let plan = plan(rows::query(&of_run).sql().as_str()).await;
    assert!(plan[0].contains("sqlite_autoindex_rows_1 (run=? AND kind=?"), "{plan:?}");
}

async fn plan(sql: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut connection = Folder::at(folder.path()).writer(Durability::Process).await.unwrap().connection;
    let explained = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")));
    let steps = explained.fetch_all(&mut connection).await.unwrap();
    steps.iter().map(|step| step.get("detail")).collect()
}
