//! Commands to those who play.

use std::sync::Arc;

use enact_drama::RunId;
use enact_engine::{
    log::{self, CommandId, Status},
    store::{INBOX_CAPACITY, INBOX_PAGE, News, Posted, PostedCommand, Wake},
};
use sqlx::{Connection, Row, SqlitePool, sqlite::SqliteRow};

use super::{listing, owner::OwnerId, resting, rows, storage, writer::Desk};

/// `CROSS JOIN` goes through the commands, which are few, and not through the runs, which are many.
pub(super) const INBOXES: &str = "
    SELECT id, run, command FROM (
        SELECT inbox.id, inbox.run, inbox.command,
            row_number() OVER (PARTITION BY inbox.run ORDER BY inbox.id) AS place
        FROM inbox CROSS JOIN runs ON runs.id = inbox.run
        WHERE runs.owner = $1 AND runs.reason IS NULL
    )
    WHERE place <= $2
    ORDER BY id";

pub(super) const INBOX: &str = "SELECT id, run, command FROM inbox WHERE run = $1 ORDER BY id LIMIT $2";

impl Desk {
    /// Puts a command into an inbox, wakes its run up if that rests, and says what others should hear of it.
    pub(super) async fn post(
        &mut self,
        run: RunId,
        command: Arc<str>,
        wake: Wake,
    ) -> Result<(Posted, Option<News>), log::Error> {
        let failed = |e: sqlx::Error| storage(&e);
        // The right to write first, so that the run neither ends nor is given up between looking and posting.
        let mut transaction = self.connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
        let is_resting = match listing::status(&mut transaction, &self.folder.owners, run).await? {
            Status::Finished => return Err(log::Error::Ended(run)),
            Status::Interrupted => return Err(log::Error::Idle(run)),
            Status::Waiting | Status::Playing => false,
            Status::Resting => true,
        };
        let waiting = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM inbox WHERE run = $1");
        let waiting = waiting.bind(run.to_string()).fetch_one(&mut *transaction).await.map_err(failed)?;
        if waiting >= rows::at_most(INBOX_CAPACITY) {
            return Err(log::Error::Full(run));
        }
        let id =
            sqlx::query_scalar::<_, i64>("INSERT INTO inbox (run, command) VALUES ($1, $2) RETURNING id")
                .bind(run.to_string())
                .bind(command)
                .fetch_one(&mut *transaction)
                .await
                .map_err(failed)?;
        let (claim, news) = match (is_resting, wake) {
            (false, _) => (None, Some(News::Command(run))),
            (true, Wake::Queue) => {
                (resting::wake(&mut transaction, run, None).await.map_err(failed)?, Some(News::Waiting))
            }
            (true, Wake::Claim) => {
                let owner = self.owner.id();
                (resting::wake(&mut transaction, run, Some(owner)).await.map_err(failed)?, None)
            }
        };
        transaction.commit().await.map_err(failed)?;
        Ok((Posted { id: CommandId(id as u64), claim }, news))
    }
}

/// The commands to all runs of an owner, oldest first.
pub(super) async fn inboxes(readers: &SqlitePool, owner: OwnerId) -> Result<Vec<PostedCommand>, log::Error> {
    commands(readers, INBOXES, owner.to_string()).await
}

/// The commands to one run, oldest first.
pub(super) async fn inbox(readers: &SqlitePool, run: RunId) -> Result<Vec<PostedCommand>, log::Error> {
    commands(readers, INBOX, run.to_string()).await
}

async fn commands(
    readers: &SqlitePool,
    sql: &'static str,
    of: String,
) -> Result<Vec<PostedCommand>, log::Error> {
    let rows = sqlx::query(sql)
        .bind(of)
        .bind(rows::at_most(INBOX_PAGE))
        .fetch_all(readers)
        .await
        .map_err(|e| storage(&e))?;
    rows.iter().map(posted).collect()
}

fn posted(row: &SqliteRow) -> Result<PostedCommand, log::Error> {
    let id = CommandId(row.get::<i64, _>("id") as u64);
    Ok(PostedCommand {
        id,
        run: rows::run_id(row.get("run"))?,
        command: row.get::<&str, _>("command").into(),
    })
}
