//! What is asked often is found by an index, however many runs are finished or rest.

use enact_drama::RunId;
use enact_engine::{
    log::Status,
    store::{Listing, RowCursor, RowQuery, Visible},
};
use sqlx::{AssertSqlSafe, Connection, PgConnection, QueryBuilder, Row, postgres::PgRow};
use uuid::Uuid;

use super::{
    PostgresStore,
    claims::CLAIM_WAITING,
    extracts::{EXTRACTS, RUNS_WITHOUT_EXTRACT},
    inbox::{INBOX, INBOXES},
    listing, rows,
};

/// More than any answer is long, and far fewer than there are runs.
const MANY: u64 = 2_000;

/// 100,000 finished runs, a hundred each that wait and are played, and 100,000 newer ones that rest. Every
/// run has a row, and one in a hundred belongs to Ann.
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
    INSERT INTO runs (id, production, name, started_at, epoch, length, queued, resting, account)
    SELECT ('ffffffff-' || substr(gen_random_uuid()::text, 10))::uuid, 'chat', 'chat-' || n % 500, n, 1, 10,
        false, true, 'account-' || n % 100
    FROM generate_series(1, 100000) AS n;
    INSERT INTO rows (run, kind, key, sort, body, account)
    SELECT id, 'session', 'key-' || started_at, started_at, '{}', account FROM runs;
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
    let _node = PostgresStore::open(&format!("{server}?options[search_path]={schema}")).await.unwrap();
    sqlx::raw_sql(FILL).execute(&mut connection).await.unwrap();
    let node: Uuid = sqlx::query_scalar("SELECT id FROM nodes").fetch_one(&mut connection).await.unwrap();

    let waiting = sqlx::query(AssertSqlSafe(format!("EXPLAIN {CLAIM_WAITING}"))).bind(node).bind(10_i64);
    check("waiting", waiting.fetch_all(&mut connection).await);
    let counted = sqlx::query(AssertSqlSafe(format!("EXPLAIN {}", listing::WAITING))).bind(10_000_i64);
    check("counted", counted.fetch_all(&mut connection).await);
    let inboxes = sqlx::query(AssertSqlSafe(format!("EXPLAIN {INBOXES}"))).bind(node).bind(64_i64);
    check("inboxes", inboxes.fetch_all(&mut connection).await);
    let inbox = sqlx::query(AssertSqlSafe(format!("EXPLAIN {INBOX}"))).bind(node).bind(64_i64);
    check("inbox", inbox.fetch_all(&mut connection).await);

    let extracts = sqlx::query(AssertSqlSafe(format!("EXPLAIN {EXTRACTS}")));
    let extracts = extracts.bind("costs").bind(500_i64).bind(1_000_i64);
    check("extracts", extracts.fetch_all(&mut connection).await);
    let without =
        sqlx::query(AssertSqlSafe(format!("EXPLAIN {RUNS_WITHOUT_EXTRACT}"))).bind("costs").bind(10_i64);
    check("without", without.fetch_all(&mut connection).await);

    let (productions, account) = (vec!["scene".to_owned()], Some("account-1".to_owned()));
    let visible = Some(Visible { productions, account });
    let some = RunId(Uuid::from_u128(u128::MAX / 2));
    let page = Listing { most: 50, ..Listing::default() };
    for (name, wanted) in [
        ("the newest", page.clone()),
        ("the next page", Listing { before: Some(some), ..page.clone() }),
        ("by name", Listing { name: Some("scene-5".to_owned()), ..page.clone() }),
        ("forks", Listing { parent: Some(some), ..page.clone() }),
        ("finished", Listing { statuses: vec![Status::Finished], ..page.clone() }),
        ("playing", Listing { statuses: vec![Status::Playing], ..page.clone() }),
        ("unfinished", Listing { statuses: vec![Status::Waiting, Status::Interrupted], ..page.clone() }),
        ("resting", Listing { statuses: vec![Status::Resting], ..page.clone() }),
        (
            "finished or waiting",
            Listing { statuses: vec![Status::Finished, Status::Waiting], ..page.clone() },
        ),
        (
            "one's own",
            Listing { production: Some("chat".to_owned()), visible: visible.clone(), ..page.clone() },
        ),
        ("visible", Listing { visible, ..page }),
    ] {
        let mut query = QueryBuilder::new("EXPLAIN ");
        listing::push(&mut query, &wanted);
        check(name, query.build().fetch_all(&mut connection).await);
    }
    row_lists_find_their_index(&mut connection, some).await;
    resting_runs_are_passed_over(&mut connection, node).await;
}

async fn row_lists_find_their_index(connection: &mut PgConnection, some: RunId) {
    let all = RowQuery { kind: "session".to_owned(), most: 50, ..RowQuery::default() };
    let after = Some(RowCursor { sort: 500, key: "key-500".to_owned(), run: some });
    let mine = RowQuery { account: Some("account-1".to_owned()), ..all.clone() };
    for (name, wanted, index) in [
        ("rows", all.clone(), "rows_by_kind"),
        ("the next rows", RowQuery { after: after.clone(), ..all.clone() }, "rows_by_kind"),
        ("rows of an account", mine.clone(), "rows_by_account"),
        ("the next rows of an account", RowQuery { after, ..mine }, "rows_by_account"),
        ("rows of a key", RowQuery { key: Some("key-7".to_owned()), ..all.clone() }, "rows_by_key"),
        ("rows of a run", RowQuery { run: Some(some), ..all }, "rows_pkey"),
    ] {
        let mut query = QueryBuilder::new("EXPLAIN ");
        rows::push(&mut query, &wanted);
        let plan = check(name, query.build().fetch_all(&mut *connection).await);
        assert!(plan.contains(index), "{name}:\n{plan}");
    }
}

/// What nodes ask again and again reads no row of a resting run, which only running it shows.
async fn resting_runs_are_passed_over(connection: &mut PgConnection, node: Uuid) {
    let waiting = sqlx::query(AssertSqlSafe(format!("{ANALYZE} {CLAIM_WAITING}"))).bind(node).bind(10_i64);
    check_removed("waiting", waiting.fetch_all(&mut *connection).await);
    let counted = sqlx::query(AssertSqlSafe(format!("{ANALYZE} {}", listing::WAITING))).bind(10_000_i64);
    check_removed("counted", counted.fetch_all(&mut *connection).await);
    let inboxes = sqlx::query(AssertSqlSafe(format!("{ANALYZE} {INBOXES}"))).bind(node).bind(64_i64);
    check_removed("inboxes", inboxes.fetch_all(&mut *connection).await);
    use Status::{Finished, Interrupted, Playing, Resting, Waiting};
    for statuses in [
        vec![Waiting],
        vec![Playing],
        vec![Interrupted],
        vec![Resting],
        vec![Finished],
        vec![Waiting, Playing, Interrupted],
        vec![Finished, Playing],
    ] {
        let name = format!("{statuses:?}");
        let mut query = QueryBuilder::new(ANALYZE);
        listing::push(&mut query, &Listing { statuses, most: 50, ..Listing::default() });
        check_removed(&name, query.build().fetch_all(&mut *connection).await);
    }
}

const ANALYZE: &str = "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ";

fn check_removed(name: &str, plan: sqlx::Result<Vec<PgRow>>) {
    let plan = text(plan);
    for step in plan.lines().filter_map(|line| line.split("Rows Removed by Filter: ").nth(1)) {
        let rows: u64 = step.trim().parse().expect("a number of rows");
        assert!(rows < MANY, "{name}:\n{plan}");
    }
    assert!(!plan.contains("Seq Scan on runs"), "{name}:\n{plan}");
}

/// A plan that reads all runs, or sorts many of them, takes longer with every run that was ever played.
fn check(name: &str, plan: sqlx::Result<Vec<PgRow>>) -> String {
    let plan = text(plan);
    assert!(!plan.contains("Seq Scan on runs"), "{name}:\n{plan}");
    assert!(!plan.contains("Seq Scan on rows"), "{name}:\n{plan}");
    assert!(!plan.contains("Seq Scan on extracts"), "{name}:\n{plan}");
    for step in plan.lines().filter(|line| line.contains("Sort  (cost")) {
        let rows = step.split("rows=").nth(1).and_then(|rest| rest.split(' ').next());
        let rows: u64 = rows.and_then(|rows| rows.parse().ok()).expect("a step says how many rows it has");
        assert!(rows < MANY, "{name}:\n{plan}");
    }
    plan
}

fn text(plan: sqlx::Result<Vec<PgRow>>) -> String {
    let plan: Vec<String> = plan.expect("Postgres explains its plans").iter().map(|row| row.get(0)).collect();
    plan.join("\n")
}
