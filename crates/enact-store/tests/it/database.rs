//! A place in a Postgres server for one test.

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use uuid::Uuid;

/// Names the server. `scripts/postgres` starts one and sets it.
const SERVER: &str = "ENACT_TEST_POSTGRES";

/// The address of the server itself.
pub(crate) fn server() -> String {
    std::env::var(SERVER).unwrap_or_else(|_| {
        panic!("{SERVER} is not set: run scripts/test, or `scripts/postgres cargo test --features postgres-tests`")
    })
}

/// The address of an empty schema of its own.
pub(crate) async fn fresh() -> String {
    fresh_on(&server()).await
}

pub(crate) async fn fresh_on(server: &str) -> String {
    let schema = format!("test_{}", Uuid::now_v7().simple());
    run_sql(server, &format!("CREATE SCHEMA {schema}")).await;
    format!("{server}?options[search_path]={schema}")
}

pub(crate) async fn run_sql(url: &str, sql: &str) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}
