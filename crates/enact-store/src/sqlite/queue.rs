//! Whole runs that are kept at once: those put into the queue, and those brought from elsewhere.

use enact_drama::{Record, RunId, row::Row};
use enact_engine::{
    log::{self, NewRun},
    store::{Enqueued, IdempotencyKey},
};
use sqlx::{Connection, Executor, Row as _, Sqlite, SqliteConnection};

use super::{events, rows, storage, writer::WriterTask};

/// A run that is not played, with its whole log so far.
#[derive(Debug)]
pub(super) struct NewRunRows {
    pub(super) about: NewRun,
    pub(super) records: Vec<Record>,
    /// What is derived from them.
    pub(super) rows: Vec<Row>,
    /// Whether nodes shall play it.
    pub(super) queued: bool,
    /// Why it is over, if it is.
    pub(super) ended: Option<String>,
}

impl WriterTask {
    /// Keeps a run, or finds the one that the same order made before. Either way it is one transaction: a
    /// process that dies in between leaves neither a run without records nor a key without a run.
    pub(super) async fn insert_or_find(
        &mut self,
        new: NewRunRows,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<Enqueued, log::Error> {
        let failed = |e: sqlx::Error| storage(&e);
        // `BEGIN IMMEDIATE`: two requests with the same key must not both miss it and insert.
        let mut transaction = self.connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
        if let Some(idempotency_key) = &idempotency_key
            && let Some(outcome) = find_submitted(&mut *transaction, idempotency_key).await?
        {
            return Ok(outcome);
        }
        insert(&mut transaction, new, idempotency_key).await?;
        transaction.commit().await.map_err(failed)?;
        Ok(Enqueued::New)
    }
}

/// Inserts a run and its idempotency key, in the caller's transaction.
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    new: NewRunRows,
    idempotency_key: Option<IdempotencyKey>,
) -> Result<(), log::Error> {
    let run = new.about.run;
    let failed = |e: sqlx::Error| storage(&e);
    let gapless = new.records.iter().zip(0..).all(|(record, seq)| record.seq.0 == seq);
    if !gapless || !insert_run(&mut *connection, &new).await.map_err(failed)? {
        return Err(log::Error::Conflict(run));
    }
    events::insert(&mut *connection, run, &new.records).await.map_err(failed)?;
    rows::insert(&mut *connection, run, &new.rows).await.map_err(failed)?;
    if let Some(idempotency_key) = idempotency_key {
        insert_key(connection, idempotency_key, run).await.map_err(failed)?;
    }
    Ok(())
}

/// Whether there was no such run before.
async fn insert_run(connection: &mut SqliteConnection, new: &NewRunRows) -> sqlx::Result<bool> {
    let about = &new.about;
    let inserted = sqlx::query(
        "INSERT INTO runs
             (id, production, name, started_at, parent, account, epoch, length, queued, reason, number)
         VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9, (SELECT coalesce(max(number), 0) + 1 FROM runs))
         ON CONFLICT DO NOTHING",
    )
    .bind(about.run.to_string())
    .bind(about.production)
    .bind(&about.name)
    .bind(about.at)
    .bind(about.parent.map(|parent| parent.to_string()))
    .bind(&about.account)
    .bind(new.records.len() as i64)
    .bind(new.queued)
    .bind(&new.ended)
    .execute(connection)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// What an earlier request with this key led to, if there was one.
pub(super) async fn find_submitted(
    connection: impl Executor<'_, Database = Sqlite>,
    idempotency_key: &IdempotencyKey,
) -> Result<Option<Enqueued>, log::Error> {
    let before = sqlx::query("SELECT digest, run FROM orders WHERE sender = $1 AND key = $2")
        .bind(&idempotency_key.from)
        .bind(&idempotency_key.key)
        .fetch_optional(connection)
        .await
        .map_err(|e| storage(&e))?;
    let Some(before) = before else { return Ok(None) };
    if before.get::<&str, _>("digest") != idempotency_key.digest {
        return Ok(Some(Enqueued::KeyReused));
    }
    Ok(Some(Enqueued::AlreadyQueued(events::run_id(before.get("run"))?)))
}

async fn insert_key(
    connection: &mut SqliteConnection,
    idempotency_key: IdempotencyKey,
    run: RunId,
) -> sqlx::Result<()> {
    sqlx::query("INSERT INTO orders (sender, key, digest, run) VALUES ($1, $2, $3, $4)")
        .bind(idempotency_key.from)
        .bind(idempotency_key.key)
        .bind(idempotency_key.digest)
        .bind(run.to_string())
        .execute(connection)
        .await
        .map(drop)
}
