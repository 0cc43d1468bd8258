//! What logs have come to.

use std::sync::Arc;

use enact_drama::{RunId, Seq};
use enact_engine::log::{self, Checkpoint};
use sqlx::{Row, Sqlite, SqlitePool, query::Query, sqlite::SqliteArguments};

use super::{rows, storage};

/// The newest checkpoint of a run.
pub(super) async fn read(readers: &SqlitePool, run: RunId) -> Result<Option<Checkpoint>, log::Error> {
    let row = sqlx::query("SELECT next, body FROM checkpoints WHERE run = $1")
        .bind(run.to_string())
        .fetch_optional(readers)
        .await
        .map_err(|e| storage(&e))?;
    match row {
        Some(row) => {
            Ok(Some(Checkpoint { next: Seq(row.get::<i64, _>("next") as u64), body: row.get("body") }))
        }
        None if rows::exists(readers, run).await? => Ok(None),
        None => Err(log::Error::NotFound(run)),
    }
}

/// The SQL that stores a number of checkpoints, each as [`bind`] gives it, in the place of earlier ones. A group has too few
/// of them to reach the limits of a statement.
pub(super) fn replacement(checkpoints: usize) -> String {
    if checkpoints == 0 {
        return String::new();
    }
    let values = vec!["(?, ?, ?)"; checkpoints].join(", ");
    format!(
        "\nINSERT INTO checkpoints (run, next, body) VALUES {values}
         ON CONFLICT (run) DO UPDATE SET next = excluded.next, body = excluded.body;"
    )
}

pub(super) fn bind<'q>(
    query: Query<'q, Sqlite, SqliteArguments>,
    run: Arc<str>,
    checkpoint: &Checkpoint,
) -> Query<'q, Sqlite, SqliteArguments> {
    query.bind(run).bind(checkpoint.next.0 as i64).bind(checkpoint.body.clone())
}
