//! Runs that wait for a command: they have no owner, are in no queue, and so cost nothing.

use std::collections::{HashMap, HashSet};

use enact_drama::RunId;
use enact_engine::log::{self, Claim, CommandId};
use sqlx::{Connection, PgConnection, Row};
use uuid::Uuid;

use super::append_batch::{self, RunPosition};

/// Lets the runs rest that are still this owner's and have no command they did not see. One that has ended is
/// only given up, and commands that came too late go with it.
const REST: &str = "
    WITH rested AS (
        UPDATE runs SET owner = NULL, queued = false, resting = (reason IS NULL)
        FROM unnest($2::uuid[], $3::bigint[], $4::bigint[]) AS given (run, epoch, seen)
        WHERE runs.id = given.run AND runs.owner = $1 AND runs.epoch = given.epoch
            AND (reason IS NOT NULL OR NOT EXISTS (
                SELECT FROM inbox WHERE inbox.run = given.run AND inbox.id > given.seen
            ))
        RETURNING runs.id, runs.epoch, runs.reason
    ), unread AS (
        DELETE FROM inbox USING rested WHERE inbox.run = rested.id AND rested.reason IS NOT NULL
    )
    SELECT id, epoch FROM rested";

/// A run that wants to rest.
#[derive(Debug)]
pub(super) struct Rest {
    pub(super) claim: Claim,
    /// The newest command that its player has seen.
    pub(super) seen: Option<CommandId>,
}

/// What became of runs that want to rest.
pub(super) struct Rested {
    /// Runs and epochs.
    rested: HashSet<(RunId, u64)>,
    /// How the others stand.
    others: HashMap<RunId, RunPosition>,
}

impl Rested {
    /// What became of one of them. An earlier attempt whose success was not seen counts.
    pub(super) fn outcome_of(
        &self,
        claim: &Claim,
        node: Uuid,
        is_doubtful: bool,
    ) -> Result<bool, log::Error> {
        if self.rested.contains(&(claim.run, claim.epoch)) {
            return Ok(true);
        }
        match self.others.get(&claim.run) {
            None => Err(log::Error::NotFound(claim.run)),
            Some(position) if position.is_held(claim, Some(node)) => Ok(false),
            Some(position) if is_doubtful && position.is_held(claim, None) => Ok(true),
            Some(_) => Err(log::Error::Conflict(claim.run)),
        }
    }
}

/// Lets runs rest.
///
/// Their rows are locked by a statement of its own: the next one sees all commands that were posted by then.
/// In a single one, a command that was posted while it waited for a row would not be seen, and stay in the
/// inbox of a resting run.
pub(super) async fn rest(connection: &mut PgConnection, node: Uuid, rests: &[&Rest]) -> sqlx::Result<Rested> {
    let mut transaction = connection.begin().await?;
    let runs: Vec<RunId> = rests.iter().map(|rest| rest.claim.run).collect();
    append_batch::lock(&mut transaction, &runs).await?;
    let rows = sqlx::query(REST)
        .bind(node)
        .bind(runs.iter().map(|run| run.0).collect::<Vec<_>>())
        .bind(rests.iter().map(|rest| rest.claim.epoch as i64).collect::<Vec<_>>())
        .bind(rests.iter().map(|rest| rest.seen.map_or(0, |seen| seen.0 as i64)).collect::<Vec<_>>())
        .fetch_all(&mut *transaction)
        .await?;
    let rested: HashSet<(RunId, u64)> =
        rows.iter().map(|row| (RunId(row.get("id")), row.get::<i64, _>("epoch") as u64)).collect();
    let others = match rested.len() == rests.len() {
        true => HashMap::new(),
        false => append_batch::positions(&mut transaction, &runs).await?,
    };
    transaction.commit().await?;
    Ok(Rested { rested, others })
}
