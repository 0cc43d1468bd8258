//! Finished runs: what is kept of them beside their logs, and how they go.

use std::ops::Range;

use enact_drama::RunId;
use enact_engine::{log, store::Extract};
use sqlx::{PgPool, Row};
use uuid::Uuid;

use super::storage;

/// Keeps something of a run that is still there.
pub(super) async fn keep(pool: &PgPool, run: RunId, kind: &str, body: &str) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO extracts (kind, run, body) SELECT $2, id, $3 FROM runs WHERE id = $1
         ON CONFLICT (kind, run) DO UPDATE SET body = excluded.body",
    )
    .bind(run.0)
    .bind(kind)
    .bind(body)
    .execute(pool)
    .await?;
    Ok(())
}

/// Newest run first.
pub(super) async fn extracts(pool: &PgPool, kind: &str, started: Range<i64>) -> sqlx::Result<Vec<Extract>> {
    let rows = sqlx::query(
        "SELECT run, started_at, body FROM extracts JOIN runs ON runs.id = extracts.run
         WHERE kind = $1 AND started_at >= $2 AND started_at < $3
         ORDER BY run DESC",
    )
    .bind(kind)
    .bind(started.start)
    .bind(started.end)
    .fetch_all(pool)
    .await?;
    let extract = |row: &sqlx::postgres::PgRow| Extract {
        run: RunId(row.get("run")),
        started_at: row.get("started_at"),
        body: row.get("body"),
    };
    Ok(rows.iter().map(extract).collect())
}

/// Finished runs of which nothing of a kind is kept yet, oldest first.
pub(super) async fn without(pool: &PgPool, kind: &str, most: usize) -> sqlx::Result<Vec<RunId>> {
    let runs = sqlx::query_scalar::<_, Uuid>(
        "SELECT id FROM runs
         WHERE reason IS NOT NULL
             AND NOT EXISTS (SELECT FROM extracts WHERE extracts.kind = $1 AND extracts.run = runs.id)
         ORDER BY id LIMIT $2",
    )
    .bind(kind)
    .bind(i64::try_from(most).unwrap_or(i64::MAX))
    .fetch_all(pool)
    .await?;
    Ok(runs.into_iter().map(RunId).collect())
}

/// Removes a run that nobody plays, and all that belongs to it.
pub(super) async fn delete(pool: &PgPool, run: RunId) -> Result<(), log::Error> {
    let mut transaction = pool.begin().await.map_err(|e| storage(&e))?;
    // Locked first: an append that is just being stored has to be over before its events are looked for.
    let played = sqlx::query_scalar::<_, bool>(
        "SELECT reason IS NULL AND EXISTS (
             SELECT FROM nodes WHERE nodes.id = runs.owner AND expires_at > clock_timestamp()
         )
         FROM runs WHERE id = $1 FOR UPDATE",
    )
    .bind(run.0)
    .fetch_optional(&mut *transaction)
    .await
    .map_err(|e| storage(&e))?;
    match played {
        None => return Err(log::Error::NotFound(run)),
        Some(true) => return Err(log::Error::Busy(run)),
        Some(false) => {}
    }
    for sql in ["DELETE FROM events WHERE run = $1", "DELETE FROM runs WHERE id = $1"] {
        sqlx::query(sql).bind(run.0).execute(&mut *transaction).await.map_err(|e| storage(&e))?;
    }
    transaction.commit().await.map_err(|e| storage(&e))
}
