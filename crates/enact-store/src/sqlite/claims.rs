//! Claims: which process owns which run.

use std::time::Duration;

use enact_drama::RunId;
use enact_engine::log::{self, Claim, CommandId, NewRun};
use sqlx::Row;

use super::{events, process_lock::OwnerId, storage, writer::WriterTask};

/// All owners of unfinished runs of the queue; the last row is null. It steps from one owner to the next in
/// the index, because each of them may play a thousand runs and this is asked whenever one of them ends.
pub(super) const OWNERS_IN_QUEUE: &str = "
    WITH RECURSIVE owners (name) AS (
        SELECT (SELECT min(owner) FROM runs WHERE reason IS NULL AND resting = 0 AND queued = 1)
        UNION ALL
        SELECT (
            SELECT min(owner) FROM runs
            WHERE reason IS NULL AND resting = 0 AND queued = 1 AND owner > owners.name
        )
        FROM owners WHERE owners.name IS NOT NULL
    )
    SELECT name FROM owners";

pub(super) const IS_ANY_WAITING: &str = "
    SELECT EXISTS (SELECT 1 FROM runs WHERE reason IS NULL AND resting = 0 AND queued = 1 AND owner IS NULL)";

/// Frees what the dead have claimed, of the queue or not.
pub(super) const FREE_CLAIMS_OF_DEAD: &str = "
    UPDATE runs SET owner = NULL
    WHERE reason IS NULL AND resting = 0 AND queued IN (0, 1)
        AND owner IN (SELECT value FROM json_each($1))";

/// One statement is a transaction of its own: of two processes that claim at once, the second sees what the
/// first has taken.
pub(super) const CLAIM_WAITING: &str = "
    UPDATE runs SET owner = $1, epoch = epoch + 1, problem = NULL, not_before = NULL
    WHERE id IN (
        SELECT id FROM runs
        WHERE reason IS NULL AND resting = 0 AND queued = 1 AND owner IS NULL
            AND coalesce(not_before, 0) <= CAST(unixepoch('subsec') * 1000 AS INTEGER)
        ORDER BY id LIMIT $2
    )
    RETURNING id, epoch";

impl WriterTask {
    pub(super) async fn create(&mut self, new: NewRun) -> Result<Claim, log::Error> {
        let created = sqlx::query(
            "INSERT INTO runs (id, production, name, started_at, parent, account, epoch, owner, length, number)
             VALUES ($1, $2, $3, $4, $5, $6, 1, $7, 0, (SELECT coalesce(max(number), 0) + 1 FROM runs))
             ON CONFLICT DO NOTHING",
        )
        .bind(new.run.to_string())
        .bind(new.production)
        .bind(new.name)
        .bind(new.at)
        .bind(new.parent.map(|parent| parent.to_string()))
        .bind(new.account)
        .bind(self.owner.id().to_string())
        .execute(&mut self.connection)
        .await
        .map_err(|e| storage(&e))?;
        match created.rows_affected() {
            1 => Ok(Claim { run: new.run, epoch: 1 }),
            _ => Err(log::Error::Conflict(new.run)),
        }
    }

    pub(super) async fn claim(&mut self, run: RunId) -> Result<Claim, log::Error> {
        loop {
            let (epoch, owner) = self.claimed(run).await?;
            if let Some(owner) = owner
                && self.is_alive(owner)?
            {
                return Err(log::Error::Busy(run));
            }
            if self.take(run, epoch).await? {
                if let Some(dead) = owner {
                    dead.remove(&self.folder.owners);
                }
                return Ok(Claim { run, epoch: epoch + 1 });
            }
            // Another process claimed it since: look again at who that is.
        }
    }

    /// Claims runs of the queue that are not played.
    pub(super) async fn claim_waiting(&mut self, most: usize) -> Result<Vec<Claim>, log::Error> {
        self.release_claims_of_dead_owners().await?;
        // Mostly nothing waits, and a look alone need not wait for the right to write.
        let waits = sqlx::query_scalar::<_, bool>(IS_ANY_WAITING).fetch_one(&mut self.connection).await;
        if !waits.map_err(|e| storage(&e))? {
            return Ok(Vec::new());
        }
        let claimed = sqlx::query(CLAIM_WAITING)
            .bind(self.owner.id().to_string())
            .bind(events::at_most(most))
            .fetch_all(&mut self.connection)
            .await
            .map_err(|e| storage(&e))?;
        let mut claims = Vec::with_capacity(claimed.len());
        for row in claimed {
            let epoch: i64 = row.get("epoch");
            claims.push(Claim { run: events::run_id(row.get("id"))?, epoch: epoch as u64 });
        }
        // SQLite returns rows in the order in which it has changed them.
        claims.sort_by_key(|claim| claim.run);
        Ok(claims)
    }

    /// Gives a run up, and says whether it is in the queue now.
    pub(super) async fn release(&mut self, claim: Claim) -> Result<bool, log::Error> {
        let waits = sqlx::query_scalar::<_, bool>(
            "UPDATE runs SET owner = NULL WHERE id = $1 AND epoch = $2 AND owner = $3
             RETURNING queued AND reason IS NULL",
        )
        .bind(claim.run.to_string())
        .bind(claim.epoch as i64)
        .bind(self.owner.id().to_string())
        .fetch_optional(&mut self.connection)
        .await
        .map_err(|e| storage(&e))?;
        Ok(waits == Some(true))
    }

    /// Releases a run that is not to be tried again for a while.
    pub(super) async fn requeue(
        &mut self,
        claim: Claim,
        problem: String,
        pause: Duration,
    ) -> Result<(), log::Error> {
        sqlx::query(
            "UPDATE runs
             SET owner = NULL, problem = $4, not_before = CAST(unixepoch('subsec') * 1000 AS INTEGER) + $5
             WHERE id = $1 AND epoch = $2 AND owner = $3",
        )
        .bind(claim.run.to_string())
        .bind(claim.epoch as i64)
        .bind(self.owner.id().to_string())
        .bind(problem)
        // Longer than that is for ever, and leaves room for the time it is added to.
        .bind(i64::try_from(pause.as_millis()).unwrap_or(i64::MAX / 2))
        .execute(&mut self.connection)
        .await
        .map_err(|e| storage(&e))?;
        Ok(())
    }

    /// Whether this owner is alive, and so holds its runs.
    pub(super) fn is_alive(&self, owner: OwnerId) -> Result<bool, log::Error> {
        if owner == self.owner.id() {
            return Ok(true);
        }
        owner.is_alive(&self.folder.owners).map_err(|e| log::Error::Storage(e.to_string()))
    }

    /// Who claimed a run, and how many claims there were.
    async fn claimed(&mut self, run: RunId) -> Result<(u64, Option<OwnerId>), log::Error> {
        let row = sqlx::query("SELECT epoch, owner FROM runs WHERE id = $1")
            .bind(run.to_string())
            .fetch_optional(&mut self.connection)
            .await
            .map_err(|e| storage(&e))?
            .ok_or(log::Error::NotFound(run))?;
        let owner: Option<&str> = row.get("owner");
        Ok((row.get::<i64, _>("epoch") as u64, owner.and_then(OwnerId::parse)))
    }

    /// Takes a run over, unless it was claimed after `epoch`. A single statement is a transaction of its own,
    /// so of two that try one succeeds. A resting run is queued as well, so that another process takes it over if
    /// this one dies.
    async fn take(&mut self, run: RunId, epoch: u64) -> Result<bool, log::Error> {
        let taken = sqlx::query(
            "UPDATE runs
             SET owner = $1, epoch = epoch + 1, queued = queued OR resting, resting = 0,
                 problem = NULL, not_before = NULL
             WHERE id = $2 AND epoch = $3",
        )
        .bind(self.owner.id().to_string())
        .bind(run.to_string())
        .bind(epoch as i64)
        .execute(&mut self.connection)
        .await
        .map_err(|e| storage(&e))?;
        Ok(taken.rows_affected() == 1)
    }

    /// Releases the claims of dead owners. An owner id is never used again, so none of them comes back.
    async fn release_claims_of_dead_owners(&mut self) -> Result<(), log::Error> {
        let owners = sqlx::query_scalar::<_, Option<String>>(OWNERS_IN_QUEUE)
            .fetch_all(&mut self.connection)
            .await
            .map_err(|e| storage(&e))?;
        let mut dead = Vec::new();
        for owner in owners.iter().flatten().filter_map(|owner| OwnerId::parse(owner)) {
            if !self.is_alive(owner)? {
                dead.push(owner);
            }
        }
        if dead.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = dead.iter().map(OwnerId::to_string).collect();
        sqlx::query(FREE_CLAIMS_OF_DEAD)
            .bind(serde_json::to_string(&names).map_err(|e| log::Error::Storage(e.to_string()))?)
            .execute(&mut self.connection)
            .await
            .map_err(|e| storage(&e))?;
        dead.iter().for_each(|owner| owner.remove(&self.folder.owners));
        Ok(())
    }
}

/// Lets a run rest. One statement is a transaction of its own: no command is posted between looking at the
/// inbox and giving the run up.
pub(super) const LET_RUN_REST: &str = "
    UPDATE runs SET owner = NULL, queued = 0, resting = reason IS NULL
    WHERE id = $1 AND epoch = $2 AND owner = $3
        AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.run = $1 AND inbox.id > $4)";

impl WriterTask {
    /// Lets a run rest, unless its inbox holds a command that is newer than `seen`.
    pub(super) async fn rest(&mut self, claim: Claim, seen: Option<CommandId>) -> Result<bool, log::Error> {
        let rested = sqlx::query(LET_RUN_REST)
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
        // If this process still holds it, a newer command kept it from resting.
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
