//! What logs have come to.

use enact_drama::{RunId, Seq};
use enact_engine::log::{self, Checkpoint};
use sqlx::{PgConnection, Row};

use super::{listing::exists, storage};

/// The newest checkpoint of a run.
pub(super) async fn read(
    connection: &mut PgConnection,
    run: RunId,
) -> Result<Option<Checkpoint>, log::Error> {
    let row = sqlx::query("SELECT next, body FROM checkpoints WHERE run = $1")
        .bind(run.0)
        .fetch_optional(&mut *connection)
        .await
        .map_err(|e| storage(&e))?;
    match row {
        Some(row) => {
            Ok(Some(Checkpoint { next: Seq(row.get::<i64, _>("next") as u64), body: row.get("body") }))
        }
        None if exists(connection, run).await? => Ok(None),
        None => Err(log::Error::NotFound(run)),
    }
}
