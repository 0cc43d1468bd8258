//! Reading rows back.

use std::{collections::BTreeMap, path::Path};

use enact_drama::{Record, RunId, Seq};
use enact_engine::log::{self, RunSummary, Status};
use serde_json::value::RawValue;
use sqlx::{Row, SqlitePool, sqlite::SqliteRow};
use uuid::Uuid;

use super::{owner::OwnerId, storage};

/// The records of a run from a seq on, in order.
pub(super) async fn records(readers: &SqlitePool, run: RunId, from: Seq) -> Result<Vec<Record>, log::Error> {
    // SQLite counts to half of what a seq can say; beyond lies nothing.
    let first = i64::try_from(from.0).unwrap_or(i64::MAX);
    let rows =
        sqlx::query("SELECT seq, at, kind, v, body FROM events WHERE run = $1 AND seq >= $2 ORDER BY seq")
            .bind(run.to_string())
            .bind(first)
            .fetch_all(readers)
            .await
            .map_err(|e| storage(&e))?;
    if rows.is_empty() && !exists(readers, run).await? {
        return Err(log::Error::NotFound(run));
    }
    rows.iter().map(record).collect()
}

/// All runs that have begun, newest first.
pub(super) async fn runs(readers: &SqlitePool, owners: &Path) -> Result<Vec<RunSummary>, log::Error> {
    let rows = sqlx::query(
        "SELECT id, production, name, started_at, owner, length, reason FROM runs
         WHERE length > 0 ORDER BY id DESC",
    )
    .fetch_all(readers)
    .await
    .map_err(|e| storage(&e))?;
    let mut pulse = Pulse { owners, known: BTreeMap::new() };
    rows.iter().map(|row| summary(row, &mut pulse)).collect()
}

async fn exists(readers: &SqlitePool, run: RunId) -> Result<bool, log::Error> {
    let found = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM runs WHERE id = $1)").bind(run.to_string());
    found.fetch_one(readers).await.map_err(|e| storage(&e))
}

fn record(row: &SqliteRow) -> Result<Record, log::Error> {
    let seq = Seq(row.get::<i64, _>("seq") as u64);
    let body = RawValue::from_string(row.get("body"))
        .map_err(|e| log::Error::Storage(format!("the body of event {} is not JSON: {e}", seq.0)))?;
    Ok(Record { seq, at: row.get("at"), kind: row.get("kind"), v: row.get("v"), body })
}

fn summary(row: &SqliteRow, pulse: &mut Pulse<'_>) -> Result<RunSummary, log::Error> {
    let id: &str = row.get("id");
    let run =
        Uuid::parse_str(id).map_err(|_| log::Error::Storage(format!("'{id}' is not the id of a run")))?;
    let owner: Option<&str> = row.get("owner");
    let reason: Option<String> = row.get("reason");
    let status = match (&reason, owner.and_then(OwnerId::parse)) {
        (Some(_), _) => Status::Finished,
        (None, Some(owner)) if pulse.of(owner)? => Status::Playing,
        (None, _) => Status::Interrupted,
    };
    Ok(RunSummary {
        run: RunId(run),
        production: row.get("production"),
        name: row.get("name"),
        started_at: row.get("started_at"),
        status,
        reason,
        events: row.get::<i64, _>("length") as u64,
        parent: None,
        problem: None,
    })
}

/// Which owners live, each asked once: one owner may play a thousand runs.
struct Pulse<'a> {
    owners: &'a Path,
    known: BTreeMap<OwnerId, bool>,
}

impl Pulse<'_> {
    fn of(&mut self, owner: OwnerId) -> Result<bool, log::Error> {
        if let Some(alive) = self.known.get(&owner) {
            return Ok(*alive);
        }
        let alive = owner.is_alive(self.owners).map_err(|e| log::Error::Storage(e.to_string()))?;
        self.known.insert(owner, alive);
        Ok(alive)
    }
}
