//! Commands and runs that come to rest at the very same moment, held in each order.

use enact_engine::{
    Log, Store,
    log::{Batch, Claim, Status},
    store::Wake,
};
use enact_store::PostgresStore;
use enact_testkit::until_some;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::{command, database, new_run, node, records};

#[tokio::test]
async fn who_waits_to_rest_sees_the_command_it_waited_for() {
    let url = database::fresh().await;
    let store = node(&url).await;
    let claim = begun(&store).await;
    let sql = format!(
        "SELECT FROM runs WHERE id = '{0}' FOR NO KEY UPDATE;
         INSERT INTO inbox (run, body) VALUES ('{0}', '{{}}')",
        claim.run
    );
    let rested = while_blocked(&url, &sql, store.rest(claim, None)).await;
    assert!(!rested.unwrap(), "a command was posted first");
    assert_eq!(store.find(claim.run).await.unwrap().status, Status::Playing);
    assert_eq!(store.inboxes().await.unwrap().len(), 1);
    store.append(&claim, Batch::of(records([1]))).await.unwrap();
}

#[tokio::test]
async fn who_waits_to_post_wakes_the_run_that_came_to_rest() {
    let url = database::fresh().await;
    let store = node(&url).await;
    for wake in [Wake::Claim, Wake::Queue] {
        let claim = begun(&store).await;
        let sql = format!("UPDATE runs SET owner = NULL, resting = true WHERE id = '{}'", claim.run);
        let posted = while_blocked(&url, &sql, store.post(claim.run, command("go"), wake)).await.unwrap();
        assert_eq!(posted.claim.map(|claim| claim.epoch), (wake == Wake::Claim).then_some(claim.epoch + 1));
        let status = if wake == Wake::Claim { Status::Playing } else { Status::Waiting };
        assert_eq!(store.find(claim.run).await.unwrap().status, status);
        assert_eq!(store.inbox(claim.run).await.unwrap().len(), 1);
    }
}

async fn begun(store: &PostgresStore) -> Claim {
    let claim = store.create(new_run()).await.unwrap();
    store.append(&claim, Batch::of(records([0]))).await.unwrap();
    claim
}

/// Begins something, does what has to wait for it, and commits it then.
async fn while_blocked<T>(url: &str, sql: &str, waits: impl Future<Output = T>) -> T {
    let mut first = PgConnection::connect(url).await.unwrap();
    let mut onlooker = PgConnection::connect(url).await.unwrap();
    let pid: i32 = sqlx::query_scalar("SELECT pg_backend_pid()").fetch_one(&mut first).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(format!("BEGIN; {sql}"))).execute(&mut first).await.unwrap();
    let committing = async {
        until_some(async || {
            let blocked =
                "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid)))";
            let blocked = sqlx::query_scalar::<_, bool>(blocked).bind(pid);
            blocked.fetch_one(&mut onlooker).await.unwrap().then_some(())
        })
        .await;
        sqlx::raw_sql("COMMIT").execute(&mut first).await.unwrap();
    };
    tokio::join!(waits, committing).0
}
