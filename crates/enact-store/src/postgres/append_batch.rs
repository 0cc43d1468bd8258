//! The appends of many runs as one statement, and the runs that are given up as another.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use enact_drama::{Record, RunId};
use enact_engine::log::{Batch, Claim};
use sqlx::{Connection, PgConnection, Postgres, Row, postgres::PgArguments, query::QueryScalar};
use uuid::Uuid;

use super::{
    resting::Rest,
    rows::{Columns, escape_nul},
};
use crate::{
    batch::{self, Changes},
    batch_receiver::Done,
};

/// A group is closed when its bodies reach this size, so that a thousand runs which begin at once, each with
/// all its sheets, do not become one statement of gigabytes.
const GROUP_BYTES: usize = 4 << 20;

/// The longest a run can be made to wait. Beyond some hundred thousand years, Postgres has no times.
const LONGEST_PAUSE: Duration = Duration::from_secs(366 * 24 * 3600);

/// Moves on the runs whose appends fit (this owner, this epoch, this length, all commands seen where they
/// have to be), stores the events of those and of no others, and takes out of their inboxes what was
/// answered. What does not fit is left out and spoils nothing.
macro_rules! append {
    ($($derived:literal)?) => {
        concat!(
            "
    WITH wanted AS (
        SELECT *
        FROM unnest(
            $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::bigint[], $14::bigint[]
        ) AS wanted (run, epoch, first, added, reason, command, seen)
    ), advanced AS (
        UPDATE runs
        SET length = runs.length + wanted.added, reason = coalesce(wanted.reason, runs.reason)
        FROM wanted
        WHERE runs.id = wanted.run AND runs.owner = $1 AND runs.epoch = wanted.epoch
            AND runs.length = coalesce(wanted.first, runs.length)
            AND (wanted.seen IS NULL OR NOT EXISTS (
                SELECT FROM inbox
                WHERE inbox.run = wanted.run AND inbox.id > wanted.seen
                    AND inbox.id IS DISTINCT FROM wanted.command
            ))
        RETURNING runs.id, runs.account, wanted.reason, wanted.command
    ), taken AS (
        DELETE FROM inbox USING advanced
        WHERE inbox.run = advanced.id AND (inbox.id = advanced.command OR advanced.reason IS NOT NULL)
    ), stored AS (
        INSERT INTO events (run, seq, at, kind, v, body)
        SELECT event.*
        FROM unnest($8::uuid[], $9::bigint[], $10::bigint[], $11::text[], $12::bigint[], $13::text[])
            AS event (run, seq, at, kind, v, body)
        JOIN advanced ON advanced.id = event.run
    )",
            $($derived,)?
            "
    SELECT id FROM advanced"
        )
    };
}

const APPEND: &str = append!();

/// With rows and checkpoints, which most appends lack.
const APPEND_DERIVED: &str = append!(
    ", put AS (
        INSERT INTO rows (run, kind, key, sort, body, account)
        SELECT row.*, advanced.account
        FROM unnest($15::uuid[], $16::text[], $17::text[], $18::bigint[], $19::text[])
            AS row (run, kind, key, sort, body)
        JOIN advanced ON advanced.id = row.run
        ON CONFLICT (run, kind, key) DO UPDATE SET sort = excluded.sort, body = excluded.body
    ), removed AS (
        DELETE FROM rows
        USING advanced, unnest($20::uuid[], $21::text[], $22::text[]) AS gone (run, kind, key)
        WHERE advanced.id = gone.run AND rows.run = gone.run AND rows.kind = gone.kind AND rows.key = gone.key
    ), checkpointed AS (
        INSERT INTO checkpoints (run, next, body)
        SELECT made.* FROM unnest($23::uuid[], $24::bigint[], $25::bytea[]) AS made (run, next, body)
        JOIN advanced ON advanced.id = made.run
        ON CONFLICT (run) DO UPDATE SET next = excluded.next, body = excluded.body
    )"
);

/// Gives up runs that are still this owner's. A command to a run that has ended goes with it: one that an
/// older version has let in is never read.
const RELEASE_RUNS: &str = "
    WITH yielded AS (
        UPDATE runs
        SET owner = NULL, problem = coalesce(given.problem, runs.problem),
            not_before = coalesce(clock_timestamp() + make_interval(secs => given.pause_s), runs.not_before)
        FROM unnest($2::uuid[], $3::bigint[], $4::text[], $5::float8[]) AS given (run, epoch, problem, pause_s)
        WHERE runs.id = given.run AND runs.owner = $1 AND runs.epoch = given.epoch
        RETURNING runs.id, runs.queued, runs.reason, given.pause_s
    ), unread AS (
        DELETE FROM inbox USING yielded WHERE inbox.run = yielded.id AND yielded.reason IS NOT NULL
    )
    SELECT coalesce(bool_or(queued AND reason IS NULL AND pause_s IS NULL), false) FROM yielded";

/// Records that one run wants stored.
#[derive(Debug)]
pub(super) struct Append {
    pub(super) claim: Claim,
    pub(super) batch: Batch,
}

/// A run that is given up.
#[derive(Debug)]
pub(super) struct Release {
    pub(super) claim: Claim,
    /// Why it cannot be played now, and how long to wait before the next try.
    pub(super) problem: Option<(String, Duration)>,
}

/// What waits to be stored together: appends, and after them what is given up or rests.
#[derive(Debug, Default)]
pub(super) struct AppendBatch {
    pub(super) appends: Vec<(Append, Done<()>)>,
    pub(super) releases: Vec<(Release, Done<()>)>,
    pub(super) rests: Vec<(Rest, Done<bool>)>,
    appending: HashSet<RunId>,
    yielding: HashSet<RunId>,
    resting: HashSet<RunId>,
    bytes: usize,
}

impl AppendBatch {
    /// Whether another append of this run may join. Two of one run may not: the second is right only after
    /// the first.
    pub(super) fn has_room_for(&self, run: RunId) -> bool {
        self.bytes < GROUP_BYTES && !self.appending.contains(&run) && !self.gives_up(run)
    }

    /// Whether a run is given up or rests. What is asked for it then has to wait for the next group.
    pub(super) fn gives_up(&self, run: RunId) -> bool {
        self.yielding.contains(&run) || self.resting.contains(&run)
    }

    pub(super) fn append(&mut self, append: Append, done: Done<()>) {
        self.appending.insert(append.claim.run);
        self.bytes += batch::bytes(&append.batch);
        self.appends.push((append, done));
    }

    pub(super) fn give_up(&mut self, given: Release, done: Done<()>) {
        self.yielding.insert(given.claim.run);
        self.releases.push((given, done));
    }

    pub(super) fn rest(&mut self, rest: Rest, done: Done<bool>) {
        self.resting.insert(rest.claim.run);
        self.rests.push((rest, done));
    }
}

/// Stores what fits and says which runs it was.
pub(super) async fn store(
    connection: &mut PgConnection,
    node: Uuid,
    appends: &[&Append],
) -> sqlx::Result<HashSet<RunId>> {
    let derived = Derived::of(appends);
    if !derived.deletes_rows() && appends.iter().all(|append| !append.batch.needs_all_read()) {
        return advance(connection, node, appends, derived).await;
    }
    // Rows may just be replaced by others of the same names, or commands be posted to a run that ends, which
    // a statement that had to wait for that would not see. One that begins when the runs are locked sees
    // them.
    let mut transaction = connection.begin().await?;
    let runs: Vec<RunId> = appends.iter().map(|append| append.claim.run).collect();
    lock(&mut transaction, &runs).await?;
    let stored = advance(&mut transaction, node, appends, derived).await?;
    transaction.commit().await?;
    Ok(stored)
}

/// Locks the rows of runs, so that nothing is posted, appended or replaced until the transaction is over.
pub(super) async fn lock(connection: &mut PgConnection, runs: &[RunId]) -> sqlx::Result<()> {
    let lock = sqlx::query("SELECT FROM runs WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE");
    lock.bind(runs.iter().map(|run| run.0).collect::<Vec<_>>()).execute(connection).await.map(drop)
}

async fn advance(
    connection: &mut PgConnection,
    node: Uuid,
    appends: &[&Append],
    derived: Derived<'_>,
) -> sqlx::Result<HashSet<RunId>> {
    let heads = appends.iter();
    let events: Vec<(Uuid, &Record)> = appends
        .iter()
        .flat_map(|append| append.batch.records.iter().map(|record| (append.claim.run.0, &**record)))
        .collect();
    let events = events.iter();
    let sql = if derived.is_empty() { APPEND } else { APPEND_DERIVED };
    let query = sqlx::query_scalar::<_, Uuid>(sql)
        .bind(node)
        .bind(heads.clone().map(|a| a.claim.run.0).collect::<Vec<_>>())
        .bind(heads.clone().map(|a| a.claim.epoch as i64).collect::<Vec<_>>())
        .bind(heads.clone().map(|a| a.first()).collect::<Vec<_>>())
        .bind(heads.clone().map(|a| a.added()).collect::<Vec<_>>())
        .bind(heads.clone().map(|a| a.batch.ended.as_deref()).collect::<Vec<_>>())
        .bind(heads.map(|a| a.batch.taken.map(|command| command.0 as i64)).collect::<Vec<_>>())
        .bind(events.clone().map(|(run, _)| *run).collect::<Vec<_>>())
        .bind(events.clone().map(|(_, record)| record.seq.0 as i64).collect::<Vec<_>>())
        .bind(events.clone().map(|(_, record)| record.at).collect::<Vec<_>>())
        .bind(events.clone().map(|(_, record)| &*record.kind).collect::<Vec<_>>())
        .bind(events.clone().map(|(_, record)| i64::from(record.v)).collect::<Vec<_>>())
        .bind(events.map(|(_, record)| record.body.get()).collect::<Vec<_>>())
        .bind(appends.iter().map(|a| a.seen_if_needed()).collect::<Vec<_>>());
    let query = if derived.is_empty() { query } else { derived.bind(query) };
    let advanced = query.fetch_all(connection).await?;
    Ok(advanced.into_iter().map(RunId).collect())
}

/// What follows from the records of a group, as the arrays that [`APPEND_DERIVED`] takes.
#[derive(Default)]
struct Derived<'a> {
    /// The runs of the rows that are put.
    put: Vec<Uuid>,
    rows: Columns<'a>,
    /// The runs, kinds and keys of the rows that are removed.
    removed: (Vec<Uuid>, Vec<String>, Vec<String>),
    checkpoints: (Vec<Uuid>, Vec<i64>, Vec<&'a [u8]>),
}

impl<'a> Derived<'a> {
    fn of(appends: &[&'a Append]) -> Derived<'a> {
        let mut derived = Derived::default();
        for append in appends {
            let (run, changes) = (append.claim.run.0, Changes::of(&append.batch.rows));
            for row in changes.put {
                derived.put.push(run);
                derived.rows.push(row);
            }
            for (kind, key) in changes.deleted {
                derived.removed.0.push(run);
                derived.removed.1.push(escape_nul(kind));
                derived.removed.2.push(escape_nul(key));
            }
            if let Some(checkpoint) = &append.batch.checkpoint {
                derived.checkpoints.0.push(run);
                derived.checkpoints.1.push(checkpoint.next.0 as i64);
                derived.checkpoints.2.push(&checkpoint.body);
            }
        }
        derived
    }

    fn is_empty(&self) -> bool {
        self.put.is_empty() && !self.deletes_rows() && self.checkpoints.0.is_empty()
    }

    fn deletes_rows(&self) -> bool {
        !self.removed.0.is_empty()
    }

    fn bind(
        self,
        query: QueryScalar<'a, Postgres, Uuid, PgArguments>,
    ) -> QueryScalar<'a, Postgres, Uuid, PgArguments> {
        let rows = self.rows;
        let query = query.bind(self.put).bind(rows.kinds).bind(rows.keys).bind(rows.sorts).bind(rows.bodies);
        let query = query.bind(self.removed.0).bind(self.removed.1).bind(self.removed.2);
        query.bind(self.checkpoints.0).bind(self.checkpoints.1).bind(self.checkpoints.2)
    }
}

/// Gives runs up, and says whether any of them is in the queue now.
pub(super) async fn give_up(
    connection: &mut PgConnection,
    node: Uuid,
    releases: &[&Release],
) -> sqlx::Result<bool> {
    let pause_s = |given: &Release| {
        let (_, pause) = given.problem.as_ref()?;
        Some((*pause).min(LONGEST_PAUSE).as_secs_f64())
    };
    // Postgres keeps any character in a text but this one.
    let problem = |given: &Release| Some(given.problem.as_ref()?.0.replace('\0', ""));
    sqlx::query_scalar(RELEASE_RUNS)
        .bind(node)
        .bind(releases.iter().map(|given| given.claim.run.0).collect::<Vec<_>>())
        .bind(releases.iter().map(|given| given.claim.epoch as i64).collect::<Vec<_>>())
        .bind(releases.iter().map(|given| problem(given)).collect::<Vec<_>>())
        .bind(releases.iter().map(|given| pause_s(given)).collect::<Vec<_>>())
        .fetch_one(connection)
        .await
}

/// How a run stands of which an append did not fit.
#[derive(Debug, PartialEq)]
pub(super) struct RunPosition {
    owner: Option<Uuid>,
    epoch: i64,
    length: i64,
}

impl RunPosition {
    /// Whether it is as this claim has left it, with this owner.
    pub(super) fn is_held(&self, claim: &Claim, owner: Option<Uuid>) -> bool {
        self.epoch == claim.epoch as i64 && self.owner == owner
    }
}

pub(super) async fn positions(
    connection: &mut PgConnection,
    runs: &[RunId],
) -> sqlx::Result<HashMap<RunId, RunPosition>> {
    let rows = sqlx::query("SELECT id, owner, epoch, length FROM runs WHERE id = ANY ($1)")
        .bind(runs.iter().map(|run| run.0).collect::<Vec<_>>())
        .fetch_all(connection)
        .await?;
    let position = |row: &sqlx::postgres::PgRow| RunPosition {
        owner: row.get("owner"),
        epoch: row.get("epoch"),
        length: row.get("length"),
    };
    Ok(rows.iter().map(|row| (RunId(row.get("id")), position(row))).collect())
}

impl Append {
    fn first(&self) -> Option<i64> {
        self.batch.records.first().map(|record| record.seq.0 as i64)
    }

    /// The newest command that was seen, where all have to be.
    fn seen_if_needed(&self) -> Option<i64> {
        self.batch.needs_all_read().then(|| self.batch.seen.map_or(0, |seen| seen.0 as i64))
    }

    fn added(&self) -> i64 {
        self.batch.records.len() as i64
    }

    /// Whether a run stands as it does before this append: then only commands that were not read can have
    /// kept it from being stored.
    pub(super) fn has_unread(&self, node: Uuid, position: &RunPosition) -> bool {
        let expected = |length| RunPosition { owner: Some(node), epoch: self.claim.epoch as i64, length };
        self.batch.needs_all_read() && self.first().is_some_and(|first| *position == expected(first))
    }

    /// Whether a run stands as it does after this append: then it was stored before, by an attempt whose
    /// success was not seen. No other process can have done it, because only this owner appends under this
    /// epoch, and one append at a time.
    pub(super) fn is_already_stored(&self, node: Uuid, position: &RunPosition) -> bool {
        let length = self.first().map_or(position.length, |first| first + self.added());
        *position == RunPosition { owner: Some(node), epoch: self.claim.epoch as i64, length }
    }
}
