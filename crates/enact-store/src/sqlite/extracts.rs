//! One text for each finished run, such as what it cost, so that totals need not read logs.

use std::ops::Range;

use enact_drama::RunId;
use enact_engine::{log, store::Extract};
use sqlx::{Connection, Row, SqlitePool, sqlite::SqliteRow};

use super::{events, storage, writer::WriterTask};

pub(super) const EXTRACTS: &str = "
    SELECT run, started_at, body FROM extracts
    WHERE kind = $1 AND started_at >= $2 AND started_at < $3
    ORDER BY run DESC";

/// Runs of which something of this kind was the last to be kept need not be looked at, and those are nearly
/// all. Two ranges rather than "another than this": only a range is found by an index.
pub(super) const RUNS_WITHOUT_EXTRACT: &str = "
    SELECT id FROM runs
    WHERE reason IS NOT NULL AND extracted < $1
        AND NOT EXISTS (SELECT 1 FROM extracts WHERE run = id AND kind = $1)
    UNION ALL
    SELECT id FROM runs
    WHERE reason IS NOT NULL AND extracted > $1
        AND NOT EXISTS (SELECT 1 FROM extracts WHERE run = id AND kind = $1)
    LIMIT $2";

impl WriterTask {
    pub(super) async fn keep_extract(
        &mut self,
        run: RunId,
        kind: String,
        body: String,
    ) -> Result<(), log::Error> {
        let failed = |e: sqlx::Error| storage(&e);
        let mut transaction = self.connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
        let kept = sqlx::query(
            "INSERT OR REPLACE INTO extracts (run, kind, started_at, body)
             SELECT id, $2, started_at, $3 FROM runs WHERE id = $1",
        )
        .bind(run.to_string())
        .bind(&kind)
        .bind(body)
        .execute(&mut *transaction)
        .await
        .map_err(failed)?;
        if kept.rows_affected() == 0 {
            return Err(log::Error::NotFound(run));
        }
        sqlx::query("UPDATE runs SET extracted = $2 WHERE id = $1")
            .bind(run.to_string())
            .bind(kind)
            .execute(&mut *transaction)
            .await
            .map_err(failed)?;
        transaction.commit().await.map_err(failed)
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
    let runs = sqlx::query_scalar::<_, String>(RUNS_WITHOUT_EXTRACT)
        .bind(kind)
        .bind(events::at_most(most))
        .fetch_all(readers)
        .await
        .map_err(|e| storage(&e))?;
    runs.iter().map(|run| events::run_id(run)).collect()
}

fn extract(row: &SqliteRow) -> Result<Extract, log::Error> {
    Ok(Extract {
        run: events::run_id(row.get("run"))?,
        started_at: row.get("started_at"),
        body: row.get("body"),
    })
}
