//! Reading records and checkpoints back.

use enact_drama::{Record, RunId, Seq};
use enact_engine::log::{self, Checkpoint};
use serde_json::value::RawValue;
use sqlx::{PgConnection, Row, postgres::PgRow};

use super::{listing::exists, storage};

/// At most so many records of a run from a seq on, in order.
pub(super) async fn records(
    connection: &mut PgConnection,
    run: RunId,
    from: Seq,
    most: usize,
) -> Result<Vec<Record>, log::Error> {
    // Postgres counts to half of what a seq can say; beyond lies nothing.
    let first = i64::try_from(from.0).unwrap_or(i64::MAX);
    let rows = sqlx::query(
        "SELECT seq, at, kind, v, body FROM events WHERE run = $1 AND seq >= $2 ORDER BY seq LIMIT $3",
    )
    .bind(run.0)
    .bind(first)
    .bind(i64::try_from(most).unwrap_or(i64::MAX))
    .fetch_all(&mut *connection)
    .await
    .map_err(|e| storage(&e))?;
    if rows.is_empty() && !exists(connection, run).await? {
        return Err(log::Error::NotFound(run));
    }
    rows.iter().map(record).collect()
}

/// The newest checkpoint of a run.
pub(super) async fn checkpoint(
    connection: &mut PgConnection,
    run: RunId,
) -> Result<Option<Checkpoint>, log::Error> {
    let row = sqlx::query("SELECT next, body FROM checkpoints WHERE run = $1")
        .bind(run.0)
        .fetch_optional(&mut *connection)
        .await
        .map_err(|e| storage(&e))?;
    match row {
        Some(row) => {
            Ok(Some(Checkpoint { next: Seq(row.get::<i64, _>("next") as u64), body: row.get("body") }))
        }
        None if exists(connection, run).await? => Ok(None),
        None => Err(log::Error::NotFound(run)),
    }
}

fn record(row: &PgRow) -> Result<Record, log::Error> {
    let seq = Seq(row.get::<i64, _>("seq") as u64);
    let body = RawValue::from_string(row.get("body"))
        .map_err(|e| log::Error::Storage(format!("the body of event {} is not JSON: {e}", seq.0)))?;
    let v = u32::try_from(row.get::<i64, _>("v"))
        .map_err(|_| log::Error::Storage(format!("the version of event {} is none", seq.0)))?;
    Ok(Record { seq, at: row.get("at"), kind: row.get("kind"), v, body })
}
