//! What those who do not play a run want of it.

use enact_drama::{RunId, Steering};
use enact_engine::{
    log::{self, LetterId},
    store::{LETTERS_AT_ONCE, Letter, MOST_LETTERS},
};
use sqlx::{PgConnection, Row, postgres::PgRow};
use uuid::Uuid;

use super::storage;

/// The run's row is locked before the letter gets its number. Without that, of two letters to one run the later number could
/// be seen first, and whoever remembers the highest they have seen would never look at the other.
///
/// Those who post at the very same moment may not see each other's letters, and so one or two too many may be taken.
const POST: &str = "
    WITH run AS (
        SELECT id, reason IS NOT NULL AS ended, queued OR EXISTS (
            SELECT FROM nodes WHERE nodes.id = runs.owner AND expires_at > clock_timestamp()
        ) AS read
        FROM runs WHERE id = $1 FOR NO KEY UPDATE
    ), posted AS (
        INSERT INTO inbox (run, body)
        SELECT id, $2 FROM run
        WHERE NOT ended AND read AND (SELECT count(*) FROM inbox WHERE inbox.run = $1) < $3
        RETURNING id
    )
    SELECT ended, read, (SELECT id FROM posted) AS letter FROM run";

pub(super) const LETTERS: &str = "
    SELECT id, run, body FROM (
        SELECT inbox.id, inbox.run, inbox.body,
            row_number() OVER (PARTITION BY inbox.run ORDER BY inbox.id) AS place
        FROM inbox JOIN runs ON runs.id = inbox.run
        WHERE runs.owner = $1 AND runs.reason IS NULL
    ) AS letters
    WHERE place <= $2
    ORDER BY id";

pub(super) async fn post(
    connection: &mut PgConnection,
    run: RunId,
    wanted: &Steering,
) -> Result<LetterId, log::Error> {
    let body = serde_json::to_string(wanted).map_err(|e| log::Error::Storage(e.to_string()))?;
    let row = sqlx::query(POST)
        .bind(run.0)
        .bind(body)
        .bind(MOST_LETTERS as i64)
        .fetch_optional(connection)
        .await
        .map_err(|e| storage(&e))?
        .ok_or(log::Error::NotFound(run))?;
    match (row.get("ended"), row.get("read"), row.get::<Option<i64>, _>("letter")) {
        (_, _, Some(id)) => Ok(LetterId(id as u64)),
        (true, ..) => Err(log::Error::Ended(run)),
        (false, false, None) => Err(log::Error::Idle(run)),
        (false, true, None) => Err(log::Error::Full(run)),
    }
}

/// The letters to all runs that a node plays, oldest first.
pub(super) async fn letters(connection: &mut PgConnection, node: Uuid) -> Result<Vec<Letter>, log::Error> {
    let rows = sqlx::query(LETTERS)
        .bind(node)
        .bind(LETTERS_AT_ONCE as i64)
        .fetch_all(connection)
        .await
        .map_err(|e| storage(&e))?;
    // One that a newer version wrote waits for a node that can read it, and must not keep the others from being read.
    Ok(rows.iter().filter_map(letter).collect())
}

fn letter(row: &PgRow) -> Option<Letter> {
    let wanted = serde_json::from_str(row.get("body")).ok()?;
    Some(Letter { id: LetterId(row.get::<i64, _>("id") as u64), run: RunId(row.get("run")), wanted })
}
