//! Numbers beside runs that no log tells: how often a result was looked at.

use std::collections::BTreeMap;

use enact_drama::RunId;
use enact_engine::log;
use sqlx::{Row, SqlitePool};

use super::{storage, writer::WriterTask};

/// One statement: two concurrent increments add two.
const ADD: &str = "
    INSERT INTO counters (run, name, value) SELECT id, $2, $3 FROM runs WHERE id = $1
    ON CONFLICT (run, name) DO UPDATE SET value = value + excluded.value
    RETURNING value";

impl WriterTask {
    pub(super) async fn add_to_counter(
        &mut self,
        run: RunId,
        name: String,
        by: i64,
    ) -> Result<i64, log::Error> {
        let added = sqlx::query(ADD).bind(run.to_string()).bind(name).bind(by);
        let added = added.fetch_optional(&mut self.connection).await.map_err(|e| storage(&e))?;
        Ok(added.ok_or(log::Error::NotFound(run))?.get("value"))
    }
}

pub(super) async fn counters(readers: &SqlitePool, run: RunId) -> Result<BTreeMap<String, i64>, log::Error> {
    let rows = sqlx::query("SELECT name, value FROM counters WHERE run = $1").bind(run.to_string());
    let rows = rows.fetch_all(readers).await.map_err(|e| storage(&e))?;
    Ok(rows.iter().map(|row| (row.get("name"), row.get("value"))).collect())
}
