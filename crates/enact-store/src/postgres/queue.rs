//! Whole runs that are kept at once: those put into the queue, and those brought from elsewhere.

use enact_drama::{Record, RunId, row::Row};
use enact_engine::{
    log::{self, NewRun},
    store::{Enqueued, IdempotencyKey},
};
use sqlx::{PgConnection, Row as _, error::ErrorKind};

use super::{rows::Columns, storage};

/// Attempts to insert or find a key: each further one needs a run that is deleted between the two.
const MAX_ATTEMPTS: usize = 8;

/// Inserts a run with its records, unless its idempotency key was used before. A key that another transaction is
/// just inserting is waited for.
const INSERT: &str = "
    WITH placed AS (
        INSERT INTO orders (sender, key, digest, run)
        SELECT $8, $9, $10, $1 WHERE $8::text IS NOT NULL
        ON CONFLICT DO NOTHING
        RETURNING run
    ), made AS (
        INSERT INTO runs (id, production, name, started_at, parent, queued, reason, account, epoch, length)
        SELECT $1, $2, $3, $4, $5, $6, $7, $16, 0, cardinality($11::bigint[])
        WHERE $8::text IS NULL OR EXISTS (SELECT FROM placed)
        RETURNING id
    ), stored AS (
        INSERT INTO events (run, seq, at, kind, v, body)
        SELECT made.id, event.*
        FROM made, unnest($11::bigint[], $12::bigint[], $13::text[], $14::bigint[], $15::text[])
            AS event (seq, at, kind, v, body)
    ), derived AS (
        INSERT INTO rows (run, kind, key, sort, body, account)
        SELECT made.id, row.*, $16
        FROM made, unnest($17::text[], $18::text[], $19::bigint[], $20::text[]) AS row (kind, key, sort, body)
    )
    SELECT EXISTS (SELECT FROM made)";

/// A run that is not played, with its whole log so far.
#[derive(Debug)]
pub(super) struct NewRunRows {
    pub(super) about: NewRun,
    pub(super) records: Vec<Record>,
    /// What is derived from them.
    pub(super) rows: Vec<Row>,
    /// Whether it is put into the queue.
    pub(super) queued: bool,
    /// Why it is over, if it is.
    pub(super) ended: Option<String>,
}

/// Keeps a run, unless the order was given before.
pub(super) async fn insert_or_find(
    connection: &mut PgConnection,
    new: &NewRunRows,
    idempotency_key: Option<&IdempotencyKey>,
) -> Result<Enqueued, log::Error> {
    if new.records.iter().zip(0..).any(|(record, seq)| record.seq.0 != seq) {
        return Err(log::Error::Conflict(new.about.run));
    }
    for _ in 0..MAX_ATTEMPTS {
        if arrive(connection, new, idempotency_key).await? {
            return Ok(Enqueued::New);
        }
        // It is there, unless its run was deleted since.
        if let Some(idempotency_key) = idempotency_key
            && let Some(before) = find_by_key(connection, idempotency_key).await?
        {
            return Ok(before);
        }
    }
    let message = format!(
        "gave up after {MAX_ATTEMPTS} attempts: runs with this idempotency key are created and deleted concurrently"
    );
    Err(log::Error::Storage(message))
}

async fn arrive(
    connection: &mut PgConnection,
    new: &NewRunRows,
    idempotency_key: Option<&IdempotencyKey>,
) -> Result<bool, log::Error> {
    let NewRunRows { about, records, rows, queued, ended } = new;
    let columns = Columns::of(rows);
    let made = sqlx::query_scalar(INSERT)
        .bind(about.run.0)
        .bind(about.production)
        .bind(&about.name)
        .bind(about.at)
        .bind(about.parent.map(|parent| parent.0))
        .bind(queued)
        .bind(ended)
        .bind(idempotency_key.map(|idempotency_key| &idempotency_key.from))
        .bind(idempotency_key.map(|idempotency_key| &idempotency_key.key))
        .bind(idempotency_key.map(|idempotency_key| &idempotency_key.digest))
        .bind(records.iter().map(|record| record.seq.0 as i64).collect::<Vec<_>>())
        .bind(records.iter().map(|record| record.at).collect::<Vec<_>>())
        .bind(records.iter().map(|record| &*record.kind).collect::<Vec<_>>())
        .bind(records.iter().map(|record| i64::from(record.v)).collect::<Vec<_>>())
        .bind(records.iter().map(|record| record.body.get()).collect::<Vec<_>>())
        .bind(&about.account)
        .bind(columns.kinds)
        .bind(columns.keys)
        .bind(columns.sorts)
        .bind(columns.bodies)
        .fetch_one(&mut *connection)
        .await;
    made.map_err(|e| match e.as_database_error().map(|e| e.kind()) {
        Some(ErrorKind::UniqueViolation) => log::Error::Conflict(about.run),
        _ => storage(&e),
    })
}

/// What an earlier request with this key led to, if there was one.
pub(super) async fn find_by_key(
    connection: &mut PgConnection,
    idempotency_key: &IdempotencyKey,
) -> Result<Option<Enqueued>, log::Error> {
    let row = sqlx::query("SELECT digest, run FROM orders WHERE sender = $1 AND key = $2")
        .bind(&idempotency_key.from)
        .bind(&idempotency_key.key)
        .fetch_optional(&mut *connection)
        .await
        .map_err(|e| storage(&e))?;
    Ok(row.map(|row| match row.get::<&str, _>("digest") == idempotency_key.digest {
        true => Enqueued::AlreadyQueued(RunId(row.get("run"))),
        false => Enqueued::KeyReused,
    }))
}
