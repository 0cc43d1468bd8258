//! What is asked often is found by an index, however many runs are finished.

use enact_drama::RunId;
use enact_engine::{log::Status, store::Listing};
use sqlx::{AssertSqlSafe, Connection, PgConnection, QueryBuilder, Row, postgres::PgRow};
use uuid::Uuid;

use super::{
    PostgresLog,
    claims::CLAIM_WAITING,
    extracts::{EXTRACTS, WITHOUT},
    inbox::LETTERS,
    listing,
};

/// More than any answer is long, and far fewer than there are runs.
const MANY: u64 = 2_000;

/// 100,000 finished runs, and a hundred each that wait and are played.
const FILL: &str = "
    INSERT INTO runs (id, production, name, started_at, epoch, owner, length, reason, queued, parent, extracted)
    SELECT gen_random_uuid(), 'scene', 'scene-' || n % 500, n, 1,
        CASE WHEN n % 1000 = 7 THEN (SELECT id FROM nodes LIMIT 1) END,
        10,
        CASE WHEN n % 1000 NOT IN (3, 7) THEN 'stalled' END,
        true,
        CASE WHEN n % 100 = 0 THEN gen_random_uuid() END,
        CASE WHEN n % 5000 <> 1 THEN 'costs' ELSE '' END
    FROM generate_series(1, 100200) AS n;
    INSERT INTO inbox (run, body) SELECT id, '{}' FROM runs WHERE owner IS NOT NULL;
    INSERT INTO extracts (kind, run, started_at, body)
    SELECT 'costs', id, started_at, '{}' FROM runs WHERE reason IS NOT NULL AND extracted = 'costs';
    ANALYZE";

#[tokio::test]
async fn what_is_asked_often_is_found_by_an_index() {
    let server = std::env::var("ENACT_TEST_POSTGRES").expect("scripts/postgres sets ENACT_TEST_POSTGRES");
    let schema = format!("test_{}", Uuid::now_v7().simple());
    let mut connection = PgConnection::connect(&server).await.unwrap();
    let own = format!("CREATE SCHEMA {schema}; SET search_path = {schema}");
    sqlx::raw_sql(AssertSqlSafe(own)).execute(&mut connection).await.unwrap();
    let _node = PostgresLog::open(&format!("{server}?options[search_path]={schema}")).await.unwrap();
    sqlx::raw_sql(FILL).execute(&mut connection).await.unwrap();
    let node: Uuid = sqlx::query_scalar("SELECT id FROM nodes").fetch_one(&mut connection).await.unwrap();

    let waiting = sqlx::query(AssertSqlSafe(format!("EXPLAIN {CLAIM_WAITING}"))).bind(node).bind(10_i64);
    check("waiting", waiting.fetch_all(&mut connection).await);
    let counted = sqlx::query(AssertSqlSafe(format!("EXPLAIN {}", listing::WAITING))).bind(10_000_i64);
    check("counted", counted.fetch_all(&mut connection).await);
    let letters = sqlx::query(AssertSqlSafe(format!("EXPLAIN {LETTERS}"))).bind(node).bind(64_i64);
    check("letters", letters.fetch_all(&mut connection).await);

    let extracts = sqlx::query(AssertSqlSafe(format!("EXPLAIN {EXTRACTS}")));
    let extracts = extracts.bind("costs").bind(500_i64).bind(1_000_i64);
    check("extracts", extracts.fetch_all(&mut connection).await);
    let without = sqlx::query(AssertSqlSafe(format!("EXPLAIN {WITHOUT}"))).bind("costs").bind(10_i64);
    check("without", without.fetch_all(&mut connection).await);

    let some = RunId(Uuid::from_u128(u128::MAX / 2));
    let page = Listing { most: 50, ..Listing::default() };
    for (name, wanted) in [
        ("the newest", page.clone()),
        ("the next page", Listing { before: Some(some), ..page.clone() }),
        ("by name", Listing { name: Some("scene-5".to_owned()), ..page.clone() }),
        ("forks", Listing { parent: Some(some), ..page.clone() }),
        ("finished", Listing { statuses: vec![Status::Finished], ..page.clone() }),
        ("playing", Listing { statuses: vec![Status::Playing], ..page.clone() }),
        ("unfinished", Listing { statuses: vec![Status::Waiting, Status::Interrupted], ..page }),
    ] {
        let mut query = QueryBuilder::new("EXPLAIN ");
        listing::push(&mut query, &wanted);
        check(name, query.build().fetch_all(&mut connection).await);
    }
}

/// A plan that reads all runs, or sorts many of them, takes longer with every run that was ever played.
fn check(name: &str, plan: sqlx::Result<Vec<PgRow>>) {
    let plan: Vec<String> = plan.expect("Postgres explains its plans").iter().map(|row| row.get(0)).collect();
    let plan = plan.join("\n");
    assert!(!plan.contains("Seq Scan on runs"), "{name}:\n{plan}");
    assert!(!plan.contains("Seq Scan on extracts"), "{name}:\n{plan}");
    for step in plan.lines().filter(|line| line.contains("Sort  (cost")) {
        let rows = step.split("rows=").nth(1).and_then(|rest| rest.split(' ').next());
        let rows: u64 = rows.and_then(|rows| rows.parse().ok()).expect("a step says how many rows it has");
        assert!(rows < MANY, "{name}:\n{plan}");
    }
}
