//! What those who do not play a run want of it.

use enact_drama::{RunId, Steering};
use enact_engine::{
    log::{self, LetterId},
    store::Letter,
};
use sqlx::{PgPool, Row, postgres::PgRow};
use uuid::Uuid;

use super::{listing::exists, storage};

/// The run's row is locked before the letter gets its number. Without that, of two letters to one run the later number could
/// be seen first, and whoever remembers the highest they have seen would never look at the other.
const POST: &str = "
    INSERT INTO inbox (run, body)
    SELECT id, $2 FROM (SELECT id FROM runs WHERE id = $1 AND reason IS NULL FOR NO KEY UPDATE) AS run
    RETURNING id";

pub(super) const LETTERS: &str = "
    SELECT inbox.id, inbox.run, inbox.body
    FROM inbox JOIN runs ON runs.id = inbox.run
    WHERE runs.owner = $1 AND runs.reason IS NULL
    ORDER BY inbox.id";

pub(super) async fn post(pool: &PgPool, run: RunId, wanted: &Steering) -> Result<LetterId, log::Error> {
    let body = serde_json::to_string(wanted).map_err(|e| log::Error::Storage(e.to_string()))?;
    let posted = sqlx::query_scalar::<_, i64>(POST).bind(run.0).bind(body).fetch_optional(pool).await;
    match posted.map_err(|e| storage(&e))? {
        Some(id) => Ok(LetterId(id as u64)),
        None if exists(pool, run).await? => Err(log::Error::Ended(run)),
        None => Err(log::Error::NotFound(run)),
    }
}

/// The letters to all runs that a node plays, oldest first.
pub(super) async fn letters(pool: &PgPool, node: Uuid) -> Result<Vec<Letter>, log::Error> {
    let rows = sqlx::query(LETTERS).bind(node).fetch_all(pool).await.map_err(|e| storage(&e))?;
    // One that a newer version wrote waits for a node that can read it, and must not keep the others from being read.
    Ok(rows.iter().filter_map(letter).collect())
}

fn letter(row: &PgRow) -> Option<Letter> {
    let wanted = serde_json::from_str(row.get("body")).ok()?;
    Some(Letter { id: LetterId(row.get::<i64, _>("id") as u64), run: RunId(row.get("run")), wanted })
}
