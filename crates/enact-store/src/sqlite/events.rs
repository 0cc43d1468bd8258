//! Records as rows, and checkpoints: what the records of a run have come to.

use std::sync::Arc;

use enact_drama::{Record, RunId, Seq};
use enact_engine::log::{self, Checkpoint};
use serde_json::value::RawValue;
use sqlx::{
    AssertSqlSafe, Row, Sqlite, SqliteConnection, SqlitePool,
    query::Query,
    sqlite::{SqliteArguments, SqliteRow},
};
use uuid::Uuid;

use super::storage;

/// How many rows one `INSERT` takes. Rows bound one by one are several times faster than rows unpacked from
/// JSON; but SQLite binds at most 32,766 values to a statement, and a prepared statement has memory for all
/// of its values.
pub(super) const ROWS_PER_INSERT: usize = 256;

/// The numbers of rows that statements are prepared for and kept. A group of appends is of any length, and to
/// prepare a statement for each took longer than to store its rows.
const KEPT_LENGTHS: [usize; 17] =
    [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, ROWS_PER_INSERT];

/// The length of the kept statement that stores so many rows, where nothing else is bound after them: values
/// that are not bound are null, and rows without a run are passed over.
pub(super) fn kept_length(rows: usize) -> usize {
    KEPT_LENGTHS.into_iter().find(|length| *length >= rows).unwrap_or(rows)
}

/// The SQL that stores at most a number of rows, each as [`bind`] gives it.
///
/// Parameters have no numbers here, unlike elsewhere: to SQLite `$7` is a name, and it looks names up one
/// after the other, which for hundreds of them takes longer than storing the rows.
pub(super) fn insertion(rows: usize) -> String {
    if rows == 0 {
        return String::new();
    }
    let values = vec!["(?, ?, ?, ?, ?, ?)"; rows].join(", ");
    // A run that is not there gets a number that no run has, which the table refuses.
    format!(
        "
    INSERT INTO events (run, seq, at, kind, v, body)
    SELECT coalesce((SELECT number FROM runs WHERE id = column1), 0),
        column2, column3, column4, column5, column6
    FROM (VALUES {values})
    WHERE column1 IS NOT NULL;"
    )
}

pub(super) fn bind<'q>(
    query: Query<'q, Sqlite, SqliteArguments>,
    run: Arc<str>,
    record: &Record,
) -> Query<'q, Sqlite, SqliteArguments> {
    query
        .bind(run)
        .bind(record.seq.0 as i64)
        .bind(record.at)
        .bind(Arc::<str>::from(&*record.kind))
        .bind(record.v)
        .bind(Arc::<str>::from(record.body.get()))
}

/// Stores the records of one run.
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    run: RunId,
    records: &[Record],
) -> sqlx::Result<()> {
    let run: Arc<str> = run.to_string().into();
    for some in records.chunks(ROWS_PER_INSERT) {
        let mut query = sqlx::query(AssertSqlSafe(insertion(kept_length(some.len()))));
        for record in some {
            query = bind(query, run.clone(), record);
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

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
        "SELECT seq, at, kind, v, body FROM events
         WHERE run = (SELECT number FROM runs WHERE id = $1) AND seq >= $2
         ORDER BY seq LIMIT $3",
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

/// A row of [`records`]. Columns go by their places: a log has many rows, and each name would be looked up anew in
/// every one of them.
fn record(row: &SqliteRow) -> Result<Record, log::Error> {
    let seq = Seq(row.get::<i64, _>(0) as u64);
    let body = RawValue::from_string(row.get(4))
        .map_err(|e| log::Error::Storage(format!("the body of event {} is not JSON: {e}", seq.0)))?;
    Ok(Record { seq, at: row.get(1), kind: row.get(2), v: row.get(3), body })
}

/// The newest checkpoint of a run.
pub(super) async fn checkpoint(readers: &SqlitePool, run: RunId) -> Result<Option<Checkpoint>, log::Error> {
    let row = sqlx::query("SELECT next, body FROM checkpoints WHERE run = $1")
        .bind(run.to_string())
        .fetch_optional(readers)
        .await
        .map_err(|e| storage(&e))?;
    match row {
        Some(row) => {
            Ok(Some(Checkpoint { next: Seq(row.get::<i64, _>("next") as u64), body: row.get("body") }))
        }
        None if exists(readers, run).await? => Ok(None),
        None => Err(log::Error::NotFound(run)),
    }
}

/// The SQL that stores a number of checkpoints, each as [`bind_checkpoint`] gives it, in the place of earlier
/// ones. A group has too few of them to reach the limits of a statement.
pub(super) fn checkpoint_replacement(checkpoints: usize) -> String {
    if checkpoints == 0 {
        return String::new();
    }
    let values = vec!["(?, ?, ?)"; checkpoints].join(", ");
    format!(
        "\nINSERT INTO checkpoints (run, next, body) VALUES {values}
         ON CONFLICT (run) DO UPDATE SET next = excluded.next, body = excluded.body;"
    )
}

pub(super) fn bind_checkpoint<'q>(
    query: Query<'q, Sqlite, SqliteArguments>,
    run: Arc<str>,
    checkpoint: &Checkpoint,
) -> Query<'q, Sqlite, SqliteArguments> {
    query.bind(run).bind(checkpoint.next.0 as i64).bind(checkpoint.body.clone())
}
