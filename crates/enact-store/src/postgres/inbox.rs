//! Inboxes: commands to runs, read by the node that owns them.

use std::sync::Arc;

use enact_drama::RunId;
use enact_engine::{
    log::{self, Claim, CommandId},
    store::{INBOX_CAPACITY, INBOX_PAGE, Notification, Posted, PostedCommand},
};
use sqlx::{PgConnection, Row, postgres::PgRow};
use uuid::Uuid;

use super::storage;

/// The run's row is locked before the command gets its number. Without that, of two commands to one run the
/// later number could be seen first, and a player that remembers the highest it has seen would never look at
/// the other. A run that is just about to rest is waited for too: it is then seen to rest, and woken up.
///
/// Concurrent posts may not see each other's commands, so that an inbox may hold one or two too many.
const POST: &str = "
    WITH run AS (
        SELECT id, reason IS NOT NULL AS ended, resting, queued OR resting OR EXISTS (
            SELECT FROM nodes WHERE nodes.id = runs.owner AND expires_at > clock_timestamp()
        ) AS read
        FROM runs WHERE id = $1 FOR NO KEY UPDATE
    ), posted AS (
        INSERT INTO inbox (run, body)
        SELECT id, $2 FROM run
        WHERE NOT ended AND read AND (SELECT count(*) FROM inbox WHERE inbox.run = $1) < $3
        RETURNING id
    ), woken AS (
        UPDATE runs
        SET resting = false, queued = true, owner = $4, epoch = runs.epoch + ($4::uuid IS NOT NULL)::int,
            problem = NULL, not_before = NULL
        FROM run, posted
        WHERE runs.id = run.id AND run.resting
        RETURNING runs.epoch
    )
    SELECT ended, read, (SELECT id FROM posted) AS command, (SELECT epoch FROM woken) AS epoch FROM run";

pub(super) const INBOXES: &str = "
    SELECT id, run, body FROM (
        SELECT inbox.id, inbox.run, inbox.body,
            row_number() OVER (PARTITION BY inbox.run ORDER BY inbox.id) AS place
        FROM inbox JOIN runs ON runs.id = inbox.run
        WHERE runs.owner = $1 AND runs.reason IS NULL
    ) AS commands
    WHERE place <= $2
    ORDER BY id";

pub(super) const INBOX: &str = "SELECT id, run, body FROM inbox WHERE run = $1 ORDER BY id LIMIT $2";

/// Puts a command into an inbox, and says what others should hear of it. A resting run wakes up: it is
/// claimed for a node, if one is given, and waits otherwise.
pub(super) async fn post(
    connection: &mut PgConnection,
    run: RunId,
    command: &str,
    node: Option<Uuid>,
) -> Result<(Posted, Option<Notification>), log::Error> {
    let row = sqlx::query(POST)
        .bind(run.0)
        .bind(command)
        .bind(INBOX_CAPACITY as i64)
        .bind(node)
        .fetch_optional(connection)
        .await
        .map_err(|e| storage(&e))?
        .ok_or(log::Error::NotFound(run))?;
    let id = match (row.get("ended"), row.get("read"), row.get::<Option<i64>, _>("command")) {
        (_, _, Some(id)) => CommandId(id as u64),
        (true, ..) => return Err(log::Error::Ended(run)),
        (false, false, None) => return Err(log::Error::Idle(run)),
        (false, true, None) => return Err(log::Error::Full(run)),
    };
    Ok(match (row.get::<Option<i64>, _>("epoch"), node) {
        (None, _) => (Posted { id, claim: None }, Some(Notification::CommandPosted(run))),
        (Some(_), None) => (Posted { id, claim: None }, Some(Notification::RunQueued)),
        (Some(epoch), Some(_)) => (Posted { id, claim: Some(Claim { run, epoch: epoch as u64 }) }, None),
    })
}

/// The commands to all runs that a node plays, oldest first.
pub(super) async fn inboxes(
    connection: &mut PgConnection,
    node: Uuid,
) -> Result<Vec<PostedCommand>, log::Error> {
    commands(connection, INBOXES, node).await
}

/// The commands to one run, oldest first.
pub(super) async fn inbox(
    connection: &mut PgConnection,
    run: RunId,
) -> Result<Vec<PostedCommand>, log::Error> {
    commands(connection, INBOX, run.0).await
}

async fn commands(
    connection: &mut PgConnection,
    sql: &'static str,
    of: Uuid,
) -> Result<Vec<PostedCommand>, log::Error> {
    let rows = sqlx::query(sql).bind(of).bind(INBOX_PAGE as i64).fetch_all(connection).await;
    Ok(rows.map_err(|e| storage(&e))?.iter().map(posted).collect())
}

fn posted(row: &PgRow) -> PostedCommand {
    let command: Arc<str> = row.get::<&str, _>("body").into();
    PostedCommand { id: CommandId(row.get::<i64, _>("id") as u64), run: RunId(row.get("run")), command }
}
