//! Numbers beside runs that no log tells: how often a result was looked at.

use std::collections::BTreeMap;

use enact_drama::RunId;
use enact_engine::log;
use sqlx::{PgConnection, Row};

use super::storage;

/// One statement: two concurrent increments add two.
const ADD: &str = "
    INSERT INTO counters (run, name, value) SELECT id, $2, $3 FROM runs WHERE id = $1
    ON CONFLICT (run, name) DO UPDATE SET value = counters.value + excluded.value
    RETURNING value";

pub(super) async fn add(
    connection: &mut PgConnection,
    run: RunId,
    name: &str,
    by: i64,
) -> Result<i64, log::Error> {
    let added = sqlx::query(ADD).bind(run.0).bind(name).bind(by);
    let added = added.fetch_optional(&mut *connection).await.map_err(|e| storage(&e))?;
    Ok(added.ok_or(log::Error::NotFound(run))?.get("value"))
}

pub(super) async fn counters(
    connection: &mut PgConnection,
    run: RunId,
) -> Result<BTreeMap<String, i64>, log::Error> {
    let rows = sqlx::query("SELECT name, value FROM counters WHERE run = $1").bind(run.0);
    let rows = rows.fetch_all(&mut *connection).await.map_err(|e| storage(&e))?;
    Ok(rows.iter().map(|row| (row.get("name"), row.get("value"))).collect())
}
