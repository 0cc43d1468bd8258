//! How SQLite finds what is asked for, among a hundred thousand runs that have ended: never by looking at all of them.

use enact_engine::{log::Status, store::Listing};
use sqlx::{AssertSqlSafe, Row, SqliteConnection};

use super::{claims, extracts, inbox, listing, open::Folder};
use crate::Durability;

#[tokio::test]
async fn nothing_asked_often_looks_at_all_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (mut connection, _owner) = Folder::at(folder.path()).writer(Durability::Process).await.unwrap();
    let run = enact_drama::RunId(uuid::Uuid::now_v7());
    let all = Listing { most: 50, ..Listing::default() };
    let with = |statuses: &[Status]| Listing { statuses: statuses.to_vec(), ..all.clone() };
    let unfinished = [Status::Waiting, Status::Playing, Status::Interrupted];
    let listings = [
        ("all", all.clone(), "runs USING PRIMARY KEY"),
        ("next page", Listing { before: Some(run), ..all.clone() }, "runs USING PRIMARY KEY (id<?)"),
        ("name", Listing { name: Some("tea".into()), ..all.clone() }, "runs_by_name (name=?)"),
        (
            "next page of a name",
            Listing { name: Some("tea".into()), before: Some(run), ..all.clone() },
            "runs_by_name (name=? AND id<?)",
        ),
        ("forks", Listing { parent: Some(run), ..all.clone() }, "forks (parent=?)"),
        ("production", Listing { production: Some("field".into()), ..all.clone() }, "runs_by_production"),
        ("unfinished", with(&unfinished), "unfinished_runs"),
        ("playing", with(&[Status::Playing]), "unfinished_runs"),
        ("finished", with(&[Status::Finished]), "runs USING PRIMARY KEY"),
    ];
    let mut found = String::new();
    for (what, wanted, expected) in listings {
        let sql = listing::query(&wanted, &[]).unwrap().sql().as_str().to_owned();
        let plan = plan(&mut connection, sql).await;
        found += &format!("{what}: want {expected}:\n{plan}\n");
    }
    for (what, sql) in [
        ("owners", listing::OWNERS),
        ("in queue", claims::OWNERS_IN_QUEUE),
        ("free", claims::FREE),
        ("claim", claims::CLAIM_WAITING),
        ("letters", inbox::LETTERS),
        ("extracts", extracts::EXTRACTS),
        ("without", extracts::WITHOUT),
    ] {
        found += &format!("{what}:\n{}\n", plan(&mut connection, sql.to_owned()).await);
    }
    panic!("{found}");
}

async fn plan(connection: &mut SqliteConnection, sql: String) -> String {
    let rows =
        sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"))).fetch_all(connection).await.unwrap();
    rows.iter().map(|row| row.get::<String, _>("detail")).collect::<Vec<_>>().join("\n")
}
