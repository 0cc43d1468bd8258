//! Letters to those who play.

use enact_drama::{RunId, Steering};
use enact_engine::{
    log::{self, LetterId},
    store::Letter,
};
use sqlx::{Row, SqlitePool, sqlite::SqliteRow};

use super::{owner::OwnerId, rows, storage, writer::Desk};

/// `CROSS JOIN` goes through the letters, which are few, and not through the runs, which are many.
pub(super) const LETTERS: &str = "
    SELECT inbox.id, inbox.run, inbox.wanted
    FROM inbox CROSS JOIN runs ON runs.id = inbox.run
    WHERE runs.owner = $1 AND runs.reason IS NULL
    ORDER BY inbox.id";

impl Desk {
    pub(super) async fn post(&mut self, run: RunId, wanted: Steering) -> Result<LetterId, log::Error> {
        let wanted = serde_json::to_string(&wanted).map_err(|e| log::Error::Storage(e.to_string()))?;
        // One statement, so that the run does not end between looking and posting.
        let posted = sqlx::query_scalar::<_, i64>(
            "INSERT INTO inbox (run, wanted) SELECT id, $2 FROM runs WHERE id = $1 AND reason IS NULL
             RETURNING id",
        )
        .bind(run.to_string())
        .bind(wanted)
        .fetch_optional(&mut self.connection)
        .await
        .map_err(|e| storage(&e))?;
        match posted {
            Some(id) => Ok(LetterId(id as u64)),
            None if rows::exists(&mut self.connection, run).await? => Err(log::Error::Ended(run)),
            None => Err(log::Error::NotFound(run)),
        }
    }
}

/// The letters to all runs of an owner, oldest first.
pub(super) async fn letters(readers: &SqlitePool, owner: OwnerId) -> Result<Vec<Letter>, log::Error> {
    let rows = sqlx::query(LETTERS).bind(owner.to_string()).fetch_all(readers).await;
    rows.map_err(|e| storage(&e))?.iter().map(letter).collect()
}

fn letter(row: &SqliteRow) -> Result<Letter, log::Error> {
    let id = LetterId(row.get::<i64, _>("id") as u64);
    let wanted = serde_json::from_str(row.get("wanted"))
        .map_err(|e| log::Error::Storage(format!("letter {} cannot be read: {e}", id.0)))?;
    Ok(Letter { id, run: rows::run_id(row.get("run"))?, wanted })
}
