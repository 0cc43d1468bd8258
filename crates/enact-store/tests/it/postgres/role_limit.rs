//! A server that allows a node fewer connections than it would like to have.

use std::time::Duration;

use enact_engine::{
    Log, Store,
    log::{Batch, Error},
};
use enact_store::{PostgresStore, postgres::Options};
use enact_testkit::until_some;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use uuid::Uuid;

use super::{database, enqueue, new_run, node, records};

/// More than a node has at most.
const MANY: u32 = 20;

/// The address of a schema for a role that may have so many connections, and the name of the role.
async fn limited(connections: u32) -> (String, String) {
    let role = format!("role_{}", Uuid::now_v7().simple());
    let schema = format!("test_{}", Uuid::now_v7().simple());
    let server = database::server();
    let sql = format!(
        "CREATE ROLE {role} LOGIN CONNECTION LIMIT {connections}; CREATE SCHEMA {schema} AUTHORIZATION {role}"
    );
    database::run_sql(&server, &sql).await;
    let url = server.replace("://enact@", &format!("://{role}@"));
    (format!("{url}?options[search_path]={schema}"), role)
}

async fn limit(role: &str, connections: u32) {
    database::run_sql(&database::server(), &format!("ALTER ROLE {role} CONNECTION LIMIT {connections}"))
        .await;
}

#[tokio::test]
async fn what_a_node_claims_it_can_write() {
    let options = Options { lease: Duration::from_secs(4), ..Options::default() };
    let mut claimed = 0;
    for connections in 1..=7 {
        let (url, role) = limited(MANY).await;
        let desk = node(&url).await;
        let run = enqueue(&desk).await;
        desk.close().await;
        gone(&role).await;
        limit(&role, connections).await;
        // One that cannot even be opened claims nothing.
        let Ok(store) = PostgresStore::open_with(&url, options).await else { continue };
        let Ok(claims) = store.claim_waiting(5).await else { continue };
        for claim in claims {
            assert_eq!(claim.run, run);
            let appended = store.append(&claim, Batch::of(records([1])).ended("goal")).await;
            assert!(appended.is_ok(), "with {connections} connections: {appended:?}");
            claimed += 1;
        }
    }
    assert!(claimed > 0, "no node could do anything");
}

#[tokio::test]
async fn a_writer_that_lost_its_connection_comes_before_those_who_read() {
    let (url, role) = limited(MANY).await;
    let store = node(&url).await;
    let claim = store.create(new_run()).await.unwrap();
    store.append(&claim, Batch::of(records([0]))).await.unwrap();
    // The pool has as many connections as it ever has.
    tokio::try_join!(store.waiting(1), store.waiting(1), store.waiting(1), store.waiting(1)).unwrap();
    limit(&role, 1).await;
    cut_writer(&role).await;
    store.append(&claim, Batch::of(records([1]))).await.unwrap();
    until_some(async || store.ready().await.ok()).await;
    limit(&role, MANY).await;
}

#[tokio::test]
async fn a_node_without_a_writer_claims_nothing() {
    let (url, role) = limited(MANY).await;
    let options = Options { lease: Duration::from_secs(1), connections: 1, ..Options::default() };
    let store = PostgresStore::open_with(&url, options).await.unwrap();
    let claim = store.create(new_run()).await.unwrap();
    enqueue(&store).await;
    limit(&role, 0).await;
    // The only connection that could be given up is in use for as long.
    let mut other = PgConnection::connect(&database::server()).await.unwrap();
    let mut locked = other.begin().await.unwrap();
    let sql = format!("LOCK TABLE {}.runs IN ACCESS EXCLUSIVE MODE", schema(&url));
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *locked).await.unwrap();
    let reading = store.waiting(1);
    let checked = async {
        cut_writer(&role).await;
        let appended = store.append(&claim, Batch::of(records([0]))).await;
        assert!(matches!(appended, Err(Error::Storage(_))), "{appended:?}");
        let claims = store.claim_waiting(5).await;
        assert!(matches!(claims, Err(Error::Storage(_))), "{claims:?}");
        let woken = store.claim(claim.run).await;
        assert!(matches!(woken, Err(Error::Storage(_))), "{woken:?}");
        locked.rollback().await.unwrap();
    };
    let _ = tokio::join!(reading, checked);
    limit(&role, MANY).await;
    until_some(async || store.ready().await.ok()).await;
    assert_eq!(store.claim_waiting(5).await.unwrap().len(), 1);
}

fn schema(url: &str) -> &str {
    url.rsplit_once('=').unwrap().1
}

/// Ends the connection that appends: it has written to `nodes` or `runs` last, and reads nothing.
async fn cut_writer(role: &str) {
    let sql = format!(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE usename = '{role}' AND query ~ 'WITH wanted AS|expires_at = expires_at'"
    );
    database::run_sql(&database::server(), &sql).await;
}

/// Waits until a role has no connection any more.
async fn gone(role: &str) {
    let mut connection = PgConnection::connect(&database::server()).await.unwrap();
    until_some(async || {
        let count = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM pg_stat_activity WHERE usename = $1");
        let count = count.bind(role).fetch_one(&mut connection).await.unwrap();
        (count == 0).then_some(())
    })
    .await;
}
