//! Removing runs.

use enact_drama::RunId;
use enact_engine::log;
use sqlx::{Connection, Row};

use super::{process_lock::OwnerId, storage, writer::WriterTask};

/// Everything that belongs to a run, and at last the run that all of it refers to. A conversation of which it
/// is the newest run goes with that by itself.
const DELETE_RUN: [&str; 5] = [
    "DELETE FROM events WHERE run = (SELECT number FROM runs WHERE id = $1)",
    "DELETE FROM inbox WHERE run = $1",
    "DELETE FROM orders WHERE run = $1",
    "DELETE FROM extracts WHERE run = $1",
    "DELETE FROM runs WHERE id = $1",
];

impl WriterTask {
    pub(super) async fn delete(&mut self, run: RunId) -> Result<(), log::Error> {
        let failed = |e: sqlx::Error| storage(&e);
        // The right to write first, so that no process claims the run while its owner is looked for.
        let mut transaction = self.connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
        let row = sqlx::query("SELECT owner, reason FROM runs WHERE id = $1")
            .bind(run.to_string())
            .fetch_optional(&mut *transaction)
            .await
            .map_err(failed)?
            .ok_or(log::Error::NotFound(run))?;
        let ended = row.get::<Option<&str>, _>("reason").is_some();
        let owner = row.get::<Option<&str>, _>("owner").and_then(OwnerId::parse);
        if let (Some(owner), false) = (owner, ended)
            && owner.is_alive(&self.folder.owners).map_err(|e| log::Error::Storage(e.to_string()))?
        {
            return Err(log::Error::Busy(run));
        }
        for part in DELETE_RUN {
            sqlx::query(part).bind(run.to_string()).execute(&mut *transaction).await.map_err(failed)?;
        }
        transaction.commit().await.map_err(failed)
    }
}
