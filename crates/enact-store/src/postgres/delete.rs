//! Removing runs.

use enact_drama::RunId;
use enact_engine::log;
use sqlx::{Connection, PgConnection};

use super::storage;

/// Removes a run that is not played, and all that belongs to it.
pub(super) async fn delete(connection: &mut PgConnection, run: RunId) -> Result<(), log::Error> {
    let mut transaction = connection.begin().await.map_err(|e| storage(&e))?;
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
