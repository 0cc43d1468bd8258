//! What was derived from logs and is kept beside them.

use std::ops::Range;

use enact_drama::RunId;
use enact_engine::{log, store::Extract};
use sqlx::{PgPool, Row};
use uuid::Uuid;

use super::storage;

/// Keeps something of a run that is still there.
pub(super) async fn keep(pool: &PgPool, run: RunId, kind: &str, body: &str) -> Result<(), log::Error> {
    let kept = sqlx::query(
        "INSERT INTO extracts (kind, run, body) SELECT $2, id, $3 FROM runs WHERE id = $1
         ON CONFLICT (kind, run) DO UPDATE SET body = excluded.body",
    )
    .bind(run.0)
    .bind(kind)
    .bind(body)
    .execute(pool)
    .await
    .map_err(|e| storage(&e))?;
    match kept.rows_affected() {
        0 => Err(log::Error::NotFound(run)),
        _ => Ok(()),
    }
}

/// Newest run first.
pub(super) async fn extracts(
    pool: &PgPool,
    kind: &str,
    started: Range<i64>,
) -> Result<Vec<Extract>, log::Error> {
    let rows = sqlx::query(
        "SELECT run, started_at, body FROM extracts JOIN runs ON runs.id = extracts.run
         WHERE kind = $1 AND started_at >= $2 AND started_at < $3
         ORDER BY run DESC",
    )
    .bind(kind)
    .bind(started.start)
    .bind(started.end)
    .fetch_all(pool)
    .await
    .map_err(|e| storage(&e))?;
    let extract = |row: &sqlx::postgres::PgRow| Extract {
        run: RunId(row.get("run")),
        started_at: row.get("started_at"),
        body: row.get("body"),
    };
    Ok(rows.iter().map(extract).collect())
}

/// Finished runs of which nothing of a kind is kept yet, oldest first.
pub(super) async fn without(pool: &PgPool, kind: &str, most: usize) -> Result<Vec<RunId>, log::Error> {
    let runs = sqlx::query_scalar::<_, Uuid>(
        "SELECT id FROM runs
         WHERE reason IS NOT NULL
             AND NOT EXISTS (SELECT FROM extracts WHERE extracts.kind = $1 AND extracts.run = runs.id)
         ORDER BY id LIMIT $2",
    )
    .bind(kind)
    .bind(i64::try_from(most).unwrap_or(i64::MAX))
    .fetch_all(pool)
    .await
    .map_err(|e| storage(&e))?;
    Ok(runs.into_iter().map(RunId).collect())
}
