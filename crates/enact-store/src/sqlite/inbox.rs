//! Inboxes: commands to runs, read by the process that owns them.

use std::sync::Arc;

use enact_drama::RunId;
use enact_engine::{
    log::{self, Claim, CommandId, Status},
    store::{INBOX_CAPACITY, INBOX_PAGE, Notification, Posted, PostedCommand, Wake},
};
use sqlx::{Row, SqlitePool, sqlite::SqliteRow};

use super::{events, listing, process_lock::OwnerId, storage, writer::WriterTask};

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

/// The right to write comes first, so that the run neither ends nor is given up between looking and posting.
const FIND_RUN_AND_COUNT_WAITING: &str = "
    BEGIN IMMEDIATE;
    SELECT owner, reason, queued, resting, (SELECT count(*) FROM inbox WHERE run = $1) AS posted
    FROM runs WHERE id = $1";

const POST: &str = "INSERT INTO inbox (run, command) VALUES ($1, $2) RETURNING id; COMMIT";

/// Also wakes a resting run up: it is in the queue from now on, and claimed at once if an owner is given.
const POST_AND_WAKE: &str = "
    INSERT INTO inbox (run, command) VALUES ($1, $2) RETURNING id;
    UPDATE runs
    SET resting = 0, queued = 1, owner = $3, epoch = epoch + ($3 IS NOT NULL), problem = NULL, not_before = NULL
    WHERE id = $1 RETURNING epoch;
    COMMIT";

impl WriterTask {
    /// Puts a command into an inbox, wakes its run up if that rests, and says what others should hear of it.
    pub(super) async fn post(
        &mut self,
        run: RunId,
        command: Arc<str>,
        wake: Wake,
    ) -> Result<(Posted, Option<Notification>), log::Error> {
        let posted = self.look_and_post(run, command, wake).await;
        if posted.is_err() {
            // This fails when the transaction never began, and then there is nothing to undo.
            let _ = sqlx::query("ROLLBACK").execute(&mut self.connection).await;
        }
        posted
    }

    /// Two round trips to the connection's thread, which are most of what posting costs.
    async fn look_and_post(
        &mut self,
        run: RunId,
        command: Arc<str>,
        wake: Wake,
    ) -> Result<(Posted, Option<Notification>), log::Error> {
        let failed = |e: sqlx::Error| storage(&e);
        let id = run.to_string();
        let found = sqlx::query(FIND_RUN_AND_COUNT_WAITING)
            .bind(&id)
            .fetch_optional(&mut self.connection)
            .await
            .map_err(failed)?;
        let found = found.ok_or(log::Error::NotFound(run))?;
        let is_resting = match listing::status(&found, &self.folder.owners)? {
            Status::Finished => return Err(log::Error::Ended(run)),
            Status::Interrupted => return Err(log::Error::Idle(run)),
            Status::Waiting | Status::Playing => false,
            Status::Resting | Status::Paused => true,
        };
        if found.get::<i64, _>("posted") >= events::at_most(INBOX_CAPACITY) {
            return Err(log::Error::Full(run));
        }
        let owner = self.owner.id();
        let (sql, notification) = match (is_resting, wake) {
            (false, _) => (POST, Some(Notification::CommandPosted(run))),
            (true, Wake::Queue) => (POST_AND_WAKE, Some(Notification::RunQueued)),
            (true, Wake::Claim) => (POST_AND_WAKE, None),
        };
        let claims = is_resting && wake == Wake::Claim;
        let posting = sqlx::query(sql).bind(id).bind(command).bind(claims.then(|| owner.to_string()));
        let answers = posting.fetch_all(&mut self.connection).await.map_err(failed)?;
        let mut answers = answers.iter().map(|row| row.get::<i64, _>(0) as u64);
        let id = answers.next().map(CommandId).ok_or(sqlx::Error::RowNotFound).map_err(failed)?;
        let claim = answers.next().filter(|_| claims).map(|epoch| Claim { run, epoch });
        Ok((Posted { id, claim }, notification))
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
        .bind(events::at_most(INBOX_PAGE))
        .fetch_all(readers)
        .await
        .map_err(|e| storage(&e))?;
    rows.iter().map(posted).collect()
}

fn posted(row: &SqliteRow) -> Result<PostedCommand, log::Error> {
    let id = CommandId(row.get::<i64, _>("id") as u64);
    Ok(PostedCommand {
        id,
        run: events::run_id(row.get("run"))?,
        command: row.get::<&str, _>("command").into(),
    })
}
