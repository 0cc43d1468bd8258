//! Letters to those who play.

use enact_drama::{RunId, Steering};
use enact_engine::{
    log::{self, LetterId, Status},
    store::{LETTERS_AT_ONCE, Letter, MOST_LETTERS},
};
use sqlx::{Connection, Row, SqlitePool, sqlite::SqliteRow};

use super::{listing, owner::OwnerId, rows, storage, writer::Desk};

/// `CROSS JOIN` goes through the letters, which are few, and not through the runs, which are many.
pub(super) const LETTERS: &str = "
    SELECT id, run, wanted FROM (
        SELECT inbox.id, inbox.run, inbox.wanted,
            row_number() OVER (PARTITION BY inbox.run ORDER BY inbox.id) AS place
        FROM inbox CROSS JOIN runs ON runs.id = inbox.run
        WHERE runs.owner = $1 AND runs.reason IS NULL
    )
    WHERE place <= $2
    ORDER BY id";

impl Desk {
    pub(super) async fn post(&mut self, run: RunId, wanted: Steering) -> Result<LetterId, log::Error> {
        let failed = |e: sqlx::Error| storage(&e);
        let wanted = serde_json::to_string(&wanted).map_err(|e| log::Error::Storage(e.to_string()))?;
        // The right to write first, so that the run neither ends nor is released between looking and posting.
        let mut transaction = self.connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
        match listing::status(&mut transaction, &self.folder.owners, run).await? {
            Status::Finished => return Err(log::Error::Ended(run)),
            Status::Interrupted => return Err(log::Error::Idle(run)),
            Status::Waiting | Status::Playing => {}
        }
        let waiting = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM inbox WHERE run = $1");
        let waiting = waiting.bind(run.to_string()).fetch_one(&mut *transaction).await.map_err(failed)?;
        if waiting >= rows::at_most(MOST_LETTERS) {
            return Err(log::Error::Full(run));
        }
        let id = sqlx::query_scalar::<_, i64>("INSERT INTO inbox (run, wanted) VALUES ($1, $2) RETURNING id")
            .bind(run.to_string())
            .bind(wanted)
            .fetch_one(&mut *transaction)
            .await
            .map_err(failed)?;
        transaction.commit().await.map_err(failed)?;
        Ok(LetterId(id as u64))
    }
}

/// The letters to all runs of an owner, oldest first.
pub(super) async fn letters(readers: &SqlitePool, owner: OwnerId) -> Result<Vec<Letter>, log::Error> {
    let rows = sqlx::query(LETTERS)
        .bind(owner.to_string())
        .bind(rows::at_most(LETTERS_AT_ONCE))
        .fetch_all(readers)
        .await
        .map_err(|e| storage(&e))?;
    // One that a newer version wrote waits for a process that can read it, and must not keep the others from being read.
    Ok(rows.iter().filter_map(letter).collect())
}

fn letter(row: &SqliteRow) -> Option<Letter> {
    let wanted = serde_json::from_str(row.get("wanted")).ok()?;
    let id = LetterId(row.get::<i64, _>("id") as u64);
    Some(Letter { id, run: rows::run_id(row.get("run")).ok()?, wanted })
}
