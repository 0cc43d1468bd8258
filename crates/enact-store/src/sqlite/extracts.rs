//! What was derived from logs and is kept beside them.

use std::ops::Range;

use enact_drama::RunId;
use enact_engine::{log, store::Extract};
use sqlx::{Row, SqlitePool, sqlite::SqliteRow};

use super::{rows, storage, writer::Desk};

pub(super) const EXTRACTS: &str = "
    SELECT run, started_at, body FROM extracts
    WHERE kind = $1 AND started_at >= $2 AND started_at < $3
    ORDER BY run DESC";

pub(super) const WITHOUT: &str = "
    SELECT id FROM runs
    WHERE reason IS NOT NULL AND NOT EXISTS (SELECT 1 FROM extracts WHERE run = id AND kind = $1)
    LIMIT $2";

impl Desk {
    pub(super) async fn keep_extract(
        &mut self,
        run: RunId,
        kind: String,
        body: String,
    ) -> Result<(), log::Error> {
        let kept = sqlx::query(
            "INSERT OR REPLACE INTO extracts (run, kind, started_at, body)
             SELECT id, $2, started_at, $3 FROM runs WHERE id = $1",
        )
        .bind(run.to_string())
        .bind(kind)
        .bind(body)
        .execute(&mut self.connection)
        .await
        .map_err(|e| storage(&e))?;
        match kept.rows_affected() {
            0 => Err(log::Error::NotFound(run)),
            _ => Ok(()),
        }
    }
}

/// What was kept of a kind, newest run first.
pub(super) async fn extracts(
    readers: &SqlitePool,
    kind: &str,
    started: Range<i64>,
) -> Result<Vec<Extract>, log::Error> {
    let rows = sqlx::query(EXTRACTS)
        .bind(kind)
        .bind(started.start)
        .bind(started.end)
        .fetch_all(readers)
        .await
        .map_err(|e| storage(&e))?;
    rows.iter().map(extract).collect()
}

/// Finished runs of which nothing of a kind is kept.
pub(super) async fn without(readers: &SqlitePool, kind: &str, most: usize) -> Result<Vec<RunId>, log::Error> {
    let runs = sqlx::query_scalar::<_, String>(WITHOUT)
        .bind(kind)
        .bind(rows::at_most(most))
        .fetch_all(readers)
        .await
        .map_err(|e| storage(&e))?;
    runs.iter().map(|run| rows::run_id(run)).collect()
}

fn extract(row: &SqliteRow) -> Result<Extract, log::Error> {
    Ok(Extract {
        run: rows::run_id(row.get("run"))?,
        started_at: row.get("started_at"),
        body: row.get("body"),
    })
}
