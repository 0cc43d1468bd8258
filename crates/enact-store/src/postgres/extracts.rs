//! One text for each finished run, such as what it cost, so that totals need not read logs.

use std::ops::Range;

use enact_drama::RunId;
use enact_engine::{log, store::Extract};
use sqlx::{PgConnection, Row};
use uuid::Uuid;

use super::storage;

pub(super) const EXTRACTS: &str = "
    SELECT run, started_at, body FROM extracts
    WHERE kind = $1 AND started_at >= $2 AND started_at < $3
    ORDER BY run DESC";

/// Runs of which something of this kind was the last to be kept need not be looked at, and those are nearly
/// all. Two ranges rather than "another than this": only a range is found by an index.
pub(super) const RUNS_WITHOUT_EXTRACT: &str = "
    SELECT id FROM (
        (SELECT id FROM runs
         WHERE reason IS NOT NULL AND extracted < $1
             AND NOT EXISTS (SELECT FROM extracts WHERE extracts.kind = $1 AND extracts.run = runs.id)
         ORDER BY extracted, id LIMIT $2)
        UNION ALL
        (SELECT id FROM runs
         WHERE reason IS NOT NULL AND extracted > $1
             AND NOT EXISTS (SELECT FROM extracts WHERE extracts.kind = $1 AND extracts.run = runs.id)
         ORDER BY extracted, id LIMIT $2)
    ) AS without LIMIT $2";

/// Keeps something of a run that is still there.
pub(super) async fn keep(
    connection: &mut PgConnection,
    run: RunId,
    kind: &str,
    body: &str,
) -> Result<(), log::Error> {
    let kept = sqlx::query(
        "WITH marked AS (UPDATE runs SET extracted = $2 WHERE id = $1 RETURNING id, started_at)
         INSERT INTO extracts (kind, run, started_at, body) SELECT $2, id, started_at, $3 FROM marked
         ON CONFLICT (kind, run) DO UPDATE SET body = excluded.body",
    )
    .bind(run.0)
    .bind(kind)
    .bind(body)
    .execute(&mut *connection)
    .await
    .map_err(|e| storage(&e))?;
    match kept.rows_affected() {
        0 => Err(log::Error::NotFound(run)),
        _ => Ok(()),
    }
}

/// Newest run first.
pub(super) async fn extracts(
    connection: &mut PgConnection,
    kind: &str,
    started: Range<i64>,
) -> Result<Vec<Extract>, log::Error> {
    let rows = sqlx::query(EXTRACTS)
        .bind(kind)
        .bind(started.start)
        .bind(started.end)
        .fetch_all(&mut *connection)
        .await
        .map_err(|e| storage(&e))?;
    let extract = |row: &sqlx::postgres::PgRow| Extract {
        run: RunId(row.get("run")),
        started_at: row.get("started_at"),
        body: row.get("body"),
    };
    Ok(rows.iter().map(extract).collect())
}

/// Finished runs of which nothing of a kind is kept yet.
pub(super) async fn without(
    connection: &mut PgConnection,
    kind: &str,
    most: usize,
) -> Result<Vec<RunId>, log::Error> {
    let runs = sqlx::query_scalar::<_, Uuid>(RUNS_WITHOUT_EXTRACT)
        .bind(kind)
        .bind(i64::try_from(most).unwrap_or(i64::MAX))
        .fetch_all(&mut *connection)
        .await
        .map_err(|e| storage(&e))?;
    Ok(runs.into_iter().map(RunId).collect())
}
