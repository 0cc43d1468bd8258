//! Finding runs.

use std::{collections::BTreeMap, path::Path};

use enact_drama::RunId;
use enact_engine::{
    log::{self, RunSummary, Status},
    store::{Listing, Visible},
};
use sqlx::{QueryBuilder, Row, Sqlite, SqliteConnection, SqlitePool, sqlite::SqliteRow};

use super::{events, process_lock::OwnerId, storage};

const SELECT: &str = "
    SELECT id, production, name, started_at, parent, account, owner, length, reason, queued, resting, problem,
        EXISTS (SELECT 1 FROM rows WHERE rows.run = runs.id AND rows.kind = 'paused') AS paused
    FROM runs";

/// Whether a person holds a run up.
const IS_PAUSED: &str = "EXISTS (SELECT 1 FROM rows WHERE rows.run = runs.id AND rows.kind = 'paused')";

/// All owners of unfinished runs.
pub(super) const OWNERS: &str = "
    SELECT DISTINCT owner FROM runs
    WHERE reason IS NULL AND resting = 0 AND queued IN (0, 1) AND owner IS NOT NULL";

/// What is known of one run.
pub(super) async fn find(readers: &SqlitePool, owners: &Path, run: RunId) -> Result<RunSummary, log::Error> {
    let mut connection = readers.acquire().await.map_err(|e| storage(&e))?;
    look_up(&mut connection, owners, run).await
}

/// How a run stands, from its `owner`, `reason`, `resting` and `queued`.
pub(super) fn status(row: &SqliteRow, owners: &Path) -> Result<Status, log::Error> {
    status_now(row, &mut LivenessCache { owners, known: BTreeMap::new() })
}

async fn look_up(
    connection: &mut SqliteConnection,
    owners: &Path,
    run: RunId,
) -> Result<RunSummary, log::Error> {
    let row = QueryBuilder::<Sqlite>::new(SELECT)
        .push(" WHERE id = ")
        .push_bind(run.to_string())
        .build()
        .fetch_optional(connection)
        .await
        .map_err(|e| storage(&e))?
        .ok_or(log::Error::NotFound(run))?;
    summary(&row, &mut LivenessCache { owners, known: BTreeMap::new() })
}

/// Runs that have begun, newest first.
pub(super) async fn list(
    readers: &SqlitePool,
    owners: &Path,
    wanted: &Listing,
) -> Result<Vec<RunSummary>, log::Error> {
    let failed = |e: sqlx::Error| storage(&e);
    let mut liveness = LivenessCache { owners, known: BTreeMap::new() };
    // Liveness comes from OS locks, ownership from rows: within one read transaction no owner
    // appears in between, which the query would take for dead and the summary for alive.
    let mut transaction = readers.begin().await.map_err(failed)?;
    let living = if wanted.statuses.iter().any(|status| depends_on_owner(*status)) {
        living(&mut transaction, &mut liveness).await?
    } else {
        Vec::new()
    };
    let rows = query(wanted, &living)?.build().fetch_all(&mut *transaction).await.map_err(failed)?;
    rows.iter().map(|row| summary(row, &mut liveness)).collect()
}

/// How many runs wait to be played, counted up to a number.
pub(super) async fn waiting(
    readers: &SqlitePool,
    owners: &Path,
    at_most: usize,
) -> Result<usize, log::Error> {
    let failed = |e: sqlx::Error| storage(&e);
    let mut transaction = readers.begin().await.map_err(failed)?;
    let living = living(&mut transaction, &mut LivenessCache { owners, known: BTreeMap::new() }).await?;
    let count = count(at_most, &living)?.build_query_scalar::<i64>().fetch_one(&mut *transaction).await;
    count.map(|count| usize::try_from(count).unwrap_or(usize::MAX)).map_err(failed)
}

fn depends_on_owner(status: Status) -> bool {
    match status {
        Status::Waiting | Status::Playing | Status::Paused | Status::Interrupted => true,
        Status::Resting | Status::Finished => false,
    }
}

/// The SQL that counts waiting runs.
pub(super) fn count(at_most: usize, living: &[OwnerId]) -> Result<QueryBuilder<Sqlite>, log::Error> {
    let mut query = QueryBuilder::new("SELECT count(*) FROM (SELECT 1 FROM runs WHERE true");
    push_statuses(&mut query, &[Status::Waiting], living)?;
    query.push(" LIMIT ").push_bind(events::at_most(at_most)).push(")");
    Ok(query)
}

/// The SQL for a listing. It holds only the conditions that were asked for, so that each finds its index.
pub(super) fn query(wanted: &Listing, living: &[OwnerId]) -> Result<QueryBuilder<Sqlite>, log::Error> {
    let mut query = QueryBuilder::new(SELECT);
    if is_of_active_runs(wanted) && wanted.name.is_none() && wanted.parent.is_none() {
        // Without statistics SQLite takes the index of all runs that do not rest for as good.
        query.push(" INDEXED BY active_runs");
    }
    query.push(" WHERE length > 0");
    if let Some(production) = &wanted.production {
        query.push(" AND production = ").push_bind(production);
    }
    if let Some(name) = &wanted.name {
        query.push(" AND name = ").push_bind(name);
    }
    if let Some(part) = &wanted.name_holds {
        query.push(" AND instr(lower(name), ").push_bind(part.to_ascii_lowercase()).push(") > 0");
    }
    if let Some(parent) = wanted.parent {
        query.push(" AND parent = ").push_bind(parent.to_string());
    }
    if let Some(before) = wanted.before {
        query.push(" AND id < ").push_bind(before.to_string());
    }
    if let Some(visible) = &wanted.visible {
        push_visible(&mut query, wanted, visible);
    }
    if !wanted.statuses.is_empty() {
        push_statuses(&mut query, &wanted.statuses, living)?;
    }
    query.push(" ORDER BY id DESC LIMIT ").push_bind(events::at_most(wanted.most));
    Ok(query)
}

/// Whether only runs are wanted that neither have ended nor rest.
fn is_of_active_runs(wanted: &Listing) -> bool {
    !wanted.statuses.is_empty()
        && !wanted
            .statuses
            .iter()
            .any(|status| matches!(status, Status::Finished | Status::Resting | Status::Paused))
}

fn push_visible(query: &mut QueryBuilder<Sqlite>, wanted: &Listing, visible: &Visible) {
    match &wanted.production {
        Some(production) if visible.productions.contains(production) => {}
        Some(_) => {
            query.push(" AND ");
            push_own(query, visible);
        }
        None => {
            query.push(" AND (");
            push_own(query, visible);
            // The sign keeps SQLite from an index that is not in the order of ids.
            query.push(" OR +production IN (");
            let mut productions = query.separated(", ");
            for production in &visible.productions {
                productions.push_bind(production.clone());
            }
            query.push("))");
        }
    }
}

fn push_own(query: &mut QueryBuilder<Sqlite>, visible: &Visible) {
    match &visible.account {
        Some(account) => query.push("account = ").push_bind(account.clone()),
        None => query.push("false"),
    };
}

fn push_statuses(
    query: &mut QueryBuilder<Sqlite>,
    statuses: &[Status],
    living: &[OwnerId],
) -> Result<(), log::Error> {
    // Said for themselves, because this is how an index is found that holds nothing else.
    if !statuses.contains(&Status::Finished) {
        query.push(" AND reason IS NULL");
    }
    if !statuses.contains(&Status::Resting) && !statuses.contains(&Status::Paused) {
        query.push(" AND resting = 0");
    }
    let living: Vec<String> = living.iter().map(OwnerId::to_string).collect();
    let living = serde_json::to_string(&living).map_err(|e| log::Error::Storage(e.to_string()))?;
    for (number, status) in statuses.iter().enumerate() {
        query.push(if number == 0 { " AND (" } else { " OR " });
        match status {
            Status::Finished => query.push("reason IS NOT NULL"),
            Status::Playing => query
                .push("reason IS NULL AND owner IN (SELECT value FROM json_each(")
                .push_bind(living.clone())
                .push(")) AND NOT ")
                .push(IS_PAUSED),
            Status::Resting => query.push("reason IS NULL AND resting = 1 AND NOT ").push(IS_PAUSED),
            Status::Paused => query
                .push("reason IS NULL AND (resting = 1 OR owner IN (SELECT value FROM json_each(")
                .push_bind(living.clone())
                .push("))) AND ")
                .push(IS_PAUSED),
            Status::Waiting | Status::Interrupted => query
                .push("reason IS NULL AND resting = 0 AND queued = ")
                .push_bind(*status == Status::Waiting)
                .push(" AND (owner IS NULL OR owner NOT IN (SELECT value FROM json_each(")
                .push_bind(living.clone())
                .push(")))"),
        };
    }
    query.push(")");
    Ok(())
}

async fn living(
    connection: &mut SqliteConnection,
    liveness: &mut LivenessCache<'_>,
) -> Result<Vec<OwnerId>, log::Error> {
    let owners = sqlx::query_scalar::<_, String>(OWNERS).fetch_all(connection).await;
    let mut living = Vec::new();
    for owner in owners.map_err(|e| storage(&e))?.iter().filter_map(|owner| OwnerId::parse(owner)) {
        if liveness.is_alive(owner)? {
            living.push(owner);
        }
    }
    Ok(living)
}

fn summary(row: &SqliteRow, liveness: &mut LivenessCache<'_>) -> Result<RunSummary, log::Error> {
    let parent: Option<&str> = row.get("parent");
    let status = status_now(row, liveness)?;
    Ok(RunSummary {
        run: events::run_id(row.get("id"))?,
        production: row.get("production"),
        name: row.get("name"),
        started_at: row.get("started_at"),
        status: if row.get("paused") { status.held_up() } else { status },
        reason: row.get("reason"),
        events: row.get::<i64, _>("length") as u64,
        parent: parent.map(events::run_id).transpose()?,
        account: row.get("account"),
        problem: row.get("problem"),
    })
}

fn status_now(row: &SqliteRow, liveness: &mut LivenessCache<'_>) -> Result<Status, log::Error> {
    let owner: Option<&str> = row.get("owner");
    let reason: Option<&str> = row.get("reason");
    Ok(match (reason, owner.and_then(OwnerId::parse)) {
        (Some(_), _) => Status::Finished,
        (None, Some(owner)) if liveness.is_alive(owner)? => Status::Playing,
        (None, _) if row.get("resting") => Status::Resting,
        (None, _) if row.get("queued") => Status::Waiting,
        (None, _) => Status::Interrupted,
    })
}

/// Which owners live, each asked once: one owner may play a thousand runs.
struct LivenessCache<'a> {
    owners: &'a Path,
    known: BTreeMap<OwnerId, bool>,
}

impl LivenessCache<'_> {
    fn is_alive(&mut self, owner: OwnerId) -> Result<bool, log::Error> {
        if let Some(alive) = self.known.get(&owner) {
            return Ok(*alive);
        }
        let alive = owner.is_alive(self.owners).map_err(|e| log::Error::Storage(e.to_string()))?;
        self.known.insert(owner, alive);
        Ok(alive)
    }
}
