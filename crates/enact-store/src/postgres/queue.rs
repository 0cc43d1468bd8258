//! How runs come to be, and who gets to play them.

use enact_drama::{Record, RunId};
use enact_engine::{
    log::{self, Claim, NewRun},
    store::{Enqueued, Order},
};
use sqlx::{PgPool, Row, error::ErrorKind};
use uuid::Uuid;

use super::storage;

/// How often an order that was there and then was gone is looked at again: somebody would have to delete runs as fast as
/// others order them.
const LOOKS: usize = 8;

/// Makes a run with its first records, unless there is an order that was given before. One that is just being given by
/// somebody else is waited for.
const ENQUEUE: &str = "
    WITH placed AS (
        INSERT INTO orders (sender, key, digest, run)
        SELECT $6, $7, $8, $1 WHERE $6::text IS NOT NULL
        ON CONFLICT DO NOTHING
        RETURNING run
    ), made AS (
        INSERT INTO runs (id, production, name, started_at, parent, epoch, length, queued)
        SELECT $1, $2, $3, $4, $5, 0, cardinality($9::bigint[]), true
        WHERE $6::text IS NULL OR EXISTS (SELECT FROM placed)
        RETURNING id
    ), stored AS (
        INSERT INTO events (run, seq, at, kind, v, body)
        SELECT made.id, event.*
        FROM made, unnest($9::bigint[], $10::bigint[], $11::text[], $12::bigint[], $13::text[])
            AS event (seq, at, kind, v, body)
    )
    SELECT EXISTS (SELECT FROM made)";

/// Runs that wait and are due, and those of nodes whose lease is over, oldest first. Rows that somebody else is just claiming
/// are passed over rather than waited for.
const CLAIM_WAITING: &str = "
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

/// Takes a run that nobody plays. Of two who try at once the second waits for the first, and then finds it taken.
const CLAIM: &str = "
    UPDATE runs SET owner = $1, epoch = epoch + 1, problem = NULL, not_before = NULL
    WHERE id = $2 AND (
        owner IS NULL
        OR EXISTS (SELECT FROM nodes WHERE nodes.id = runs.owner AND expires_at <= clock_timestamp())
    )
    RETURNING epoch";

pub(super) async fn create(pool: &PgPool, node: Uuid, new: NewRun) -> Result<Claim, log::Error> {
    let created = sqlx::query(
        "INSERT INTO runs (id, production, name, started_at, parent, epoch, owner, length, queued)
         VALUES ($1, $2, $3, $4, $5, 1, $6, 0, false)
         ON CONFLICT DO NOTHING",
    )
    .bind(new.run.0)
    .bind(new.production)
    .bind(new.name)
    .bind(new.at)
    .bind(new.parent.map(|parent| parent.0))
    .bind(node)
    .execute(pool)
    .await
    .map_err(|e| storage(&e))?;
    match created.rows_affected() {
        1 => Ok(Claim { run: new.run, epoch: 1 }),
        _ => Err(log::Error::Conflict(new.run)),
    }
}

pub(super) async fn enqueue(
    pool: &PgPool,
    new: &NewRun,
    records: &[Record],
    order: Option<&Order>,
) -> Result<Enqueued, log::Error> {
    for _ in 0..LOOKS {
        if insert(pool, new, records, order).await? {
            return Ok(Enqueued::New);
        }
        // It is there, unless its run was deleted since.
        if let Some(order) = order
            && let Some(before) = given_before(pool, order).await?
        {
            return Ok(before);
        }
    }
    Err(log::Error::Storage("an order was given and taken back again and again".to_owned()))
}

async fn insert(
    pool: &PgPool,
    new: &NewRun,
    records: &[Record],
    order: Option<&Order>,
) -> Result<bool, log::Error> {
    let made = sqlx::query_scalar(ENQUEUE)
        .bind(new.run.0)
        .bind(new.production)
        .bind(&new.name)
        .bind(new.at)
        .bind(new.parent.map(|parent| parent.0))
        .bind(order.map(|order| &order.from))
        .bind(order.map(|order| &order.key))
        .bind(order.map(|order| &order.digest))
        .bind(records.iter().map(|record| record.seq.0 as i64).collect::<Vec<_>>())
        .bind(records.iter().map(|record| record.at).collect::<Vec<_>>())
        .bind(records.iter().map(|record| &*record.kind).collect::<Vec<_>>())
        .bind(records.iter().map(|record| i64::from(record.v)).collect::<Vec<_>>())
        .bind(records.iter().map(|record| record.body.get()).collect::<Vec<_>>())
        .fetch_one(pool)
        .await;
    made.map_err(|e| match e.as_database_error().map(|e| e.kind()) {
        Some(ErrorKind::UniqueViolation) => log::Error::Conflict(new.run),
        _ => storage(&e),
    })
}

async fn given_before(pool: &PgPool, order: &Order) -> Result<Option<Enqueued>, log::Error> {
    let row = sqlx::query("SELECT digest, run FROM orders WHERE sender = $1 AND key = $2")
        .bind(&order.from)
        .bind(&order.key)
        .fetch_optional(pool)
        .await
        .map_err(|e| storage(&e))?;
    Ok(row.map(|row| match row.get::<&str, _>("digest") == order.digest {
        true => Enqueued::Before(RunId(row.get("run"))),
        false => Enqueued::Reused,
    }))
}

pub(super) async fn claim(pool: &PgPool, node: Uuid, run: RunId) -> Result<Claim, log::Error> {
    let taken = sqlx::query_scalar::<_, i64>(CLAIM).bind(node).bind(run.0).fetch_optional(pool).await;
    match taken.map_err(|e| storage(&e))? {
        Some(epoch) => Ok(Claim { run, epoch: epoch as u64 }),
        None if super::rows::exists(pool, run).await? => Err(log::Error::Busy(run)),
        None => Err(log::Error::NotFound(run)),
    }
}

pub(super) async fn claim_waiting(
    pool: &PgPool,
    node: Uuid,
    most: usize,
) -> Result<Vec<Claim>, log::Error> {
    let rows = sqlx::query(CLAIM_WAITING)
        .bind(node)
        .bind(i64::try_from(most).unwrap_or(i64::MAX))
        .fetch_all(pool)
        .await
        .map_err(|e| storage(&e))?;
    let claim = |row: &sqlx::postgres::PgRow| Claim {
        run: RunId(row.get("id")),
        epoch: row.get::<i64, _>("epoch") as u64,
    };
    let mut claims: Vec<_> = rows.iter().map(claim).collect();
    claims.sort_by_key(|claim| claim.run);
    Ok(claims)
}
