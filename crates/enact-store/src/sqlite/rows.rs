//! Reading rows back.

use enact_drama::{Record, RunId, Seq};
use enact_engine::log;
use serde_json::value::RawValue;
use sqlx::{Row, Sqlite, SqlitePool, sqlite::SqliteRow};
use uuid::Uuid;

use super::storage;

/// At most so many records of a run from a seq on, in order.
pub(super) async fn records(
    readers: &SqlitePool,
    run: RunId,
    from: Seq,
    most: usize,
) -> Result<Vec<Record>, log::Error> {
    // SQLite counts to half of what a seq can say; beyond lies nothing.
    let first = i64::try_from(from.0).unwrap_or(i64::MAX);
    let rows = sqlx::query(
        "SELECT seq, at, kind, v, body FROM events WHERE run = $1 AND seq >= $2 ORDER BY seq LIMIT $3",
    )
    .bind(run.to_string())
    .bind(first)
    .bind(at_most(most))
    .fetch_all(readers)
    .await
    .map_err(|e| storage(&e))?;
    if rows.is_empty() && !exists(readers, run).await? {
        return Err(log::Error::NotFound(run));
    }
    rows.iter().map(record).collect()
}

pub(super) async fn exists(
    executor: impl sqlx::Executor<'_, Database = Sqlite>,
    run: RunId,
) -> Result<bool, log::Error> {
    let found = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM runs WHERE id = $1)").bind(run.to_string());
    found.fetch_one(executor).await.map_err(|e| storage(&e))
}

pub(super) fn run_id(text: &str) -> Result<RunId, log::Error> {
    let id = Uuid::parse_str(text);
    id.map(RunId).map_err(|_| log::Error::Storage(format!("'{text}' is not the id of a run")))
}

/// A limit as SQLite counts.
pub(super) fn at_most(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

fn record(row: &SqliteRow) -> Result<Record, log::Error> {
    let seq = Seq(row.get::<i64, _>("seq") as u64);
    let body = RawValue::from_string(row.get("body"))
        .map_err(|e| log::Error::Storage(format!("the body of event {} is not JSON: {e}", seq.0)))?;
    Ok(Record { seq, at: row.get("at"), kind: row.get("kind"), v: row.get("v"), body })
}
