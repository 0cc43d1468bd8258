//! Finding runs.

use enact_drama::RunId;
use enact_engine::{
    log::{self, RunSummary, Status},
    store::{Listing, Visible},
};
use sqlx::{PgConnection, Postgres, QueryBuilder, Row, postgres::PgRow};

use super::storage;

/// What lists say of a run. It is being played if its owner's lease is not over.
const SUMMARIES: &str = "
    SELECT runs.id, production, name, started_at, length, reason, parent, account, problem, queued, resting,
        coalesce(nodes.expires_at > clock_timestamp(), false) AS played,
        EXISTS (SELECT FROM rows WHERE rows.run = runs.id AND rows.kind = 'paused') AS paused
    FROM runs LEFT JOIN nodes ON nodes.id = runs.owner
    WHERE ";

/// What is known of one run.
pub(super) async fn find(connection: &mut PgConnection, run: RunId) -> Result<RunSummary, log::Error> {
    let mut query = QueryBuilder::new(SUMMARIES);
    query.push("runs.id = ").push_bind(run.0);
    let row = query.build().fetch_optional(&mut *connection).await.map_err(|e| storage(&e))?;
    row.as_ref().map(summary).ok_or(log::Error::NotFound(run))
}

/// Runs that have begun, newest first.
pub(super) async fn list(
    connection: &mut PgConnection,
    wanted: &Listing,
) -> Result<Vec<RunSummary>, log::Error> {
    let mut query = QueryBuilder::default();
    push(&mut query, wanted);
    let rows = query.build().fetch_all(&mut *connection).await.map_err(|e| storage(&e))?;
    Ok(rows.iter().map(summary).collect())
}

/// Those that wait to be played, counted up to a number. It is bound where it stands, so that counting ends
/// there.
pub(super) const WAITING: &str = "
    SELECT count(*) FROM (
        SELECT FROM runs LEFT JOIN nodes ON nodes.id = runs.owner
        WHERE reason IS NULL AND NOT resting AND queued AND NOT coalesce(nodes.expires_at > clock_timestamp(), false)
        LIMIT $1
    ) AS waiting";

pub(super) async fn waiting(connection: &mut PgConnection, at_most: usize) -> Result<usize, log::Error> {
    let at_most = i64::try_from(at_most).unwrap_or(i64::MAX);
    let count = sqlx::query_scalar::<_, i64>(WAITING).bind(at_most).fetch_one(connection).await;
    count.map(|count| usize::try_from(count).unwrap_or(usize::MAX)).map_err(|e| storage(&e))
}

pub(super) async fn exists(connection: &mut PgConnection, run: RunId) -> Result<bool, log::Error> {
    let found = sqlx::query_scalar("SELECT EXISTS (SELECT FROM runs WHERE id = $1)").bind(run.0);
    found.fetch_one(&mut *connection).await.map_err(|e| storage(&e))
}

/// Writes the query for a list. Only what is asked for is in it: a condition that may or may not hold hides
/// the right index.
pub(super) fn push(query: &mut QueryBuilder<Postgres>, wanted: &Listing) {
    query.push(SUMMARIES).push("length > 0");
    if let Some(production) = &wanted.production {
        query.push(" AND production = ").push_bind(production.clone());
    }
    if let Some(name) = &wanted.name {
        query.push(" AND name = ").push_bind(name.clone());
    }
    if let Some(part) = &wanted.name_holds {
        query.push(" AND strpos(lower(name), ").push_bind(part.to_ascii_lowercase()).push(") > 0");
    }
    if let Some(parent) = wanted.parent {
        query.push(" AND parent = ").push_bind(parent.0);
    }
    if let Some(before) = wanted.before {
        query.push(" AND runs.id < ").push_bind(before.0);
    }
    if let Some(visible) = &wanted.visible {
        push_visible(query, wanted, visible);
    }
    if !wanted.statuses.is_empty() {
        // Said apart, so that the few runs that are neither finished nor resting are found by their index.
        if !wanted.statuses.contains(&Status::Finished) {
            query.push(" AND reason IS NULL");
        }
        if !wanted.statuses.contains(&Status::Resting) && !wanted.statuses.contains(&Status::Paused) {
            query.push(" AND NOT resting");
        }
        let mut any = query.push(" AND (").separated(" OR ");
        for status in &wanted.statuses {
            any.push(condition(*status));
        }
        query.push(")");
    }
    query.push(" ORDER BY runs.id DESC LIMIT ").push_bind(i64::try_from(wanted.most).unwrap_or(i64::MAX));
}

fn push_visible(query: &mut QueryBuilder<Postgres>, wanted: &Listing, visible: &Visible) {
    match &wanted.production {
        Some(production) if visible.productions.contains(production) => {}
        Some(_) => {
            query.push(" AND ");
            push_own(query, visible);
        }
        None => {
            query.push(" AND (");
            push_own(query, visible);
            query.push(" OR production = ANY (").push_bind(visible.productions.clone()).push("))");
        }
    }
}

fn push_own(query: &mut QueryBuilder<Postgres>, visible: &Visible) {
    match &visible.account {
        Some(account) => query.push("account = ").push_bind(account.clone()),
        None => query.push("false"),
    };
}

fn condition(status: Status) -> &'static str {
    match status {
        Status::Finished => "reason IS NOT NULL",
        Status::Playing => {
            "reason IS NULL AND coalesce(nodes.expires_at > clock_timestamp(), false)
                AND NOT EXISTS (SELECT FROM rows WHERE rows.run = runs.id AND rows.kind = 'paused')"
        }
        Status::Resting => {
            "reason IS NULL AND resting
                AND NOT EXISTS (SELECT FROM rows WHERE rows.run = runs.id AND rows.kind = 'paused')"
        }
        Status::Paused => {
            "reason IS NULL AND (resting OR coalesce(nodes.expires_at > clock_timestamp(), false))
                AND EXISTS (SELECT FROM rows WHERE rows.run = runs.id AND rows.kind = 'paused')"
        }
        Status::Waiting => {
            "reason IS NULL AND queued AND NOT coalesce(nodes.expires_at > clock_timestamp(), false)"
        }
        Status::Interrupted => {
            "reason IS NULL AND NOT queued AND NOT resting
                AND NOT coalesce(nodes.expires_at > clock_timestamp(), false)"
        }
    }
}

fn summary(row: &PgRow) -> RunSummary {
    let reason: Option<String> = row.get("reason");
    let status = match reason {
        Some(_) => Status::Finished,
        None if row.get("played") => Status::Playing,
        None if row.get("resting") => Status::Resting,
        None if row.get("queued") => Status::Waiting,
        None => Status::Interrupted,
    };
    let status = if row.get("paused") { status.held_up() } else { status };
    RunSummary {
        run: RunId(row.get("id")),
        production: row.get("production"),
        name: row.get("name"),
        started_at: row.get("started_at"),
        status,
        reason,
        events: row.get::<i64, _>("length") as u64,
        parent: row.get::<Option<_>, _>("parent").map(RunId),
        account: row.get("account"),
        problem: row.get("problem"),
    }
}
