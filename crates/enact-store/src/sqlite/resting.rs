//! Runs that wait for a command: they have no owner, are in no queue, and so cost nothing.

use enact_drama::RunId;
use enact_engine::log::{self, Claim, CommandId};
use sqlx::{Row, SqliteConnection};

use super::{owner::OwnerId, storage, writer::Desk};

/// One statement is a transaction of its own: no command is posted between looking at the inbox and giving the run up.
pub(super) const REST: &str = "
    UPDATE runs SET owner = NULL, queued = 0, resting = reason IS NULL
    WHERE id = $1 AND epoch = $2 AND owner = $3
        AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.run = $1 AND inbox.id > $4)";

impl Desk {
    /// Lets a run rest, unless its inbox holds a command that is newer than `seen`.
    pub(super) async fn rest(&mut self, claim: Claim, seen: Option<CommandId>) -> Result<bool, log::Error> {
        let rested = sqlx::query(REST)
            .bind(claim.run.to_string())
            .bind(claim.epoch as i64)
            .bind(self.owner.id().to_string())
            .bind(seen.map_or(0, |seen| seen.0 as i64))
            .execute(&mut self.connection)
            .await
            .map_err(|e| storage(&e))?;
        if rested.rows_affected() == 1 {
            return Ok(true);
        }
        // Only its owner gives a run up, and that is this process: what is its own now was so a moment ago.
        match self.is_held(claim).await? {
            true => Ok(false),
            false => Err(log::Error::Conflict(claim.run)),
        }
    }

    async fn is_held(&mut self, claim: Claim) -> Result<bool, log::Error> {
        let row = sqlx::query("SELECT epoch, owner FROM runs WHERE id = $1")
            .bind(claim.run.to_string())
            .fetch_optional(&mut self.connection)
            .await
            .map_err(|e| storage(&e))?
            .ok_or(log::Error::NotFound(claim.run))?;
        let owner = row.get::<Option<&str>, _>("owner").and_then(OwnerId::parse);
        Ok(owner == Some(self.owner.id()) && row.get::<i64, _>("epoch") as u64 == claim.epoch)
    }
}

/// Wakes a resting run up, within the transaction that posts a command to it. It is claimed for an owner, if one is given,
/// and waits otherwise; either way it is in the queue from now on.
pub(super) async fn wake(
    connection: &mut SqliteConnection,
    run: RunId,
    owner: Option<OwnerId>,
) -> sqlx::Result<Option<Claim>> {
    let epoch = sqlx::query_scalar::<_, i64>(
        "UPDATE runs
         SET resting = 0, queued = 1, owner = $2, epoch = epoch + ($2 IS NOT NULL),
             problem = NULL, not_before = NULL
         WHERE id = $1 RETURNING epoch",
    )
    .bind(run.to_string())
    .bind(owner.map(|owner| owner.to_string()))
    .fetch_one(connection)
    .await?;
    Ok(owner.map(|_| Claim { run, epoch: epoch as u64 }))
}
