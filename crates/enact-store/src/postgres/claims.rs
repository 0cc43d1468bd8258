//! Claims: which node owns which run.

use enact_drama::RunId;
use enact_engine::log::{self, Claim, NewRun};
use sqlx::{PgConnection, Row, postgres::PgRow};
use uuid::Uuid;

use super::{listing::exists, storage};

/// Runs that wait and are due, and those of nodes whose lease is over, oldest first. Rows that another node
/// is just claiming are passed over rather than waited for.
pub(super) const CLAIM_WAITING: &str = "
    WITH free AS (
        SELECT id FROM runs
        WHERE queued AND owner IS NULL AND reason IS NULL
            AND (not_before IS NULL OR not_before <= clock_timestamp())
        ORDER BY id LIMIT $2
        FOR NO KEY UPDATE SKIP LOCKED
    ), orphaned AS (
        SELECT id FROM runs
        WHERE owner = ANY (ARRAY(SELECT id FROM nodes WHERE expires_at <= clock_timestamp()))
            AND queued AND reason IS NULL
        ORDER BY id LIMIT $2
        FOR NO KEY UPDATE SKIP LOCKED
    ), chosen AS (
        SELECT id FROM free UNION ALL SELECT id FROM orphaned ORDER BY id LIMIT $2
    )
    UPDATE runs SET owner = $1, epoch = epoch + 1, problem = NULL, not_before = NULL
    FROM chosen WHERE runs.id = chosen.id
    RETURNING runs.id, runs.epoch";

/// Claims a run that no node plays. Of two that try at once the second waits for the first, and then finds it
/// taken. A resting run is queued as well, so that another node takes it over if this one dies.
const CLAIM: &str = "
    UPDATE runs
    SET owner = $1, epoch = epoch + 1, queued = queued OR resting, resting = false,
        problem = NULL, not_before = NULL
    WHERE id = $2 AND (
        owner IS NULL
        OR EXISTS (SELECT FROM nodes WHERE nodes.id = runs.owner AND expires_at <= clock_timestamp())
    )
    RETURNING epoch";

/// Frees the claims of a node whose answers were lost.
const FREE_LOST: &str = "
    UPDATE runs SET owner = NULL
    WHERE owner = $1 AND queued AND reason IS NULL AND NOT EXISTS (
        SELECT FROM unnest($2::uuid[], $3::bigint[]) AS held (run, epoch)
        WHERE held.run = runs.id AND held.epoch = runs.epoch
    )";

pub(super) async fn create(
    connection: &mut PgConnection,
    node: Uuid,
    new: NewRun,
) -> Result<Claim, log::Error> {
    let created = sqlx::query(
        "INSERT INTO runs (id, production, name, started_at, parent, account, epoch, owner, length, queued)
         VALUES ($1, $2, $3, $4, $5, $6, 1, $7, 0, false)
         ON CONFLICT DO NOTHING",
    )
    .bind(new.run.0)
    .bind(new.production)
    .bind(new.name)
    .bind(new.at)
    .bind(new.parent.map(|parent| parent.0))
    .bind(new.account)
    .bind(node)
    .execute(&mut *connection)
    .await
    .map_err(|e| storage(&e))?;
    match created.rows_affected() {
        1 => Ok(Claim { run: new.run, epoch: 1 }),
        _ => Err(log::Error::Conflict(new.run)),
    }
}

pub(super) async fn claim(
    connection: &mut PgConnection,
    node: Uuid,
    run: RunId,
) -> Result<Claim, log::Error> {
    let taken =
        sqlx::query_scalar::<_, i64>(CLAIM).bind(node).bind(run.0).fetch_optional(&mut *connection).await;
    match taken.map_err(|e| storage(&e))? {
        Some(epoch) => Ok(Claim { run, epoch: epoch as u64 }),
        None if exists(connection, run).await? => Err(log::Error::Busy(run)),
        None => Err(log::Error::NotFound(run)),
    }
}

pub(super) async fn claim_waiting(
    connection: &mut PgConnection,
    node: Uuid,
    most: usize,
) -> Result<Vec<Claim>, log::Error> {
    let rows = sqlx::query(CLAIM_WAITING)
        .bind(node)
        .bind(i64::try_from(most).unwrap_or(i64::MAX))
        .fetch_all(&mut *connection)
        .await
        .map_err(|e| storage(&e))?;
    let claim = |row: &PgRow| Claim { run: RunId(row.get("id")), epoch: row.get::<i64, _>("epoch") as u64 };
    let mut claims: Vec<_> = rows.iter().map(claim).collect();
    claims.sort_by_key(|claim| claim.run);
    Ok(claims)
}

/// Releases this node's queued runs that are not in `held`.
pub(super) async fn free_lost(
    connection: &mut PgConnection,
    node: Uuid,
    held: &[Claim],
) -> Result<(), log::Error> {
    sqlx::query(FREE_LOST)
        .bind(node)
        .bind(held.iter().map(|claim| claim.run.0).collect::<Vec<_>>())
        .bind(held.iter().map(|claim| claim.epoch as i64).collect::<Vec<_>>())
        .execute(connection)
        .await
        .map_err(|e| storage(&e))?;
    Ok(())
}
