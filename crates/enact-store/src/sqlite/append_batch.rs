//! The appends of many runs as one transaction with a constant number of statements.

use std::{collections::HashSet, sync::Arc};

use enact_drama::{Record, RunId, Seq};
use enact_engine::log::{self, Batch, Checkpoint, Claim, CommandId};
use serde::{Serialize, Serializer};
use sqlx::{
    AssertSqlSafe, Sqlite, SqliteConnection, error::ErrorKind, query::Query, sqlite::SqliteArguments,
};

use super::{
    events::{self, ROWS_PER_INSERT},
    process_lock::OwnerId,
    rows, storage,
};
use crate::{
    batch::{self, Changes},
    batch_receiver::{Done, finish},
};

/// A group is closed when its bodies reach this size, so that a thousand runs which begin at once, each with
/// all its sheets, do not become one statement of gigabytes.
const GROUP_BYTES: usize = 4 << 20;

/// Moves the runs on. An append that does not fit (another owner, an old epoch, another length than it
/// expected, not all commands seen where they have to be) sets the length to null, which the table forbids, and so
/// ends the whole batch before anything is committed.
const ADVANCE_RUNS: &str = "
    UPDATE runs
    SET length = CASE
            WHEN runs.owner = ? AND runs.epoch = a.epoch AND runs.length = coalesce(a.first, runs.length)
                AND (a.seen IS NULL OR NOT EXISTS (
                    SELECT 1 FROM inbox WHERE inbox.run = a.run AND inbox.id > a.seen AND inbox.id <> a.taken
                ))
            THEN runs.length + a.added
        END
    FROM (
        SELECT value ->> 0 AS run, value ->> 1 AS epoch, value ->> 2 AS first, value ->> 3 AS added,
            value ->> 4 AS seen, value ->> 5 AS taken
        FROM json_each(?)
    ) AS a
    WHERE runs.id = a.run;";

/// Takes out commands that something followed from.
const CONSUME_COMMANDS: &str = "
    DELETE FROM inbox WHERE id IN (
        SELECT inbox.id FROM json_each(?) AS taken
        CROSS JOIN inbox ON inbox.id = taken.value ->> 0 AND inbox.run = taken.value ->> 1
    );";

/// Ends runs. Not a part of [`ADVANCE_RUNS`], because to set a reason, even to what it was, changes the
/// indexes of the runs that have none.
const END_RUNS: &str = "
    UPDATE runs SET reason = ended.reason
    FROM (SELECT value ->> 0 AS run, value ->> 1 AS reason FROM json_each(?)) AS ended
    WHERE runs.id = ended.run;
    DELETE FROM inbox WHERE run IN (SELECT value ->> 0 FROM json_each(?));";

/// Whether a run stands as an append expects it, so that only commands it has not seen can have kept it from
/// being stored.
const IS_AS_EXPECTED: &str =
    "SELECT EXISTS (SELECT 1 FROM runs WHERE id = $1 AND owner = $2 AND epoch = $3 AND length = $4)";

/// Records that one run wants stored.
#[derive(Debug)]
pub(super) struct Append {
    pub(super) claim: Claim,
    pub(super) batch: Batch,
}

/// Appends that wait to be stored together.
#[derive(Debug, Default)]
pub(super) struct AppendBatch {
    appends: Vec<(Append, Done<()>)>,
    runs: HashSet<RunId>,
    bytes: usize,
}

impl AppendBatch {
    pub(super) fn is_empty(&self) -> bool {
        self.appends.is_empty()
    }

    /// Whether another append of this run may join. Two of one run may not: the second is right only after
    /// the first.
    pub(super) fn has_room_for(&self, run: RunId) -> bool {
        self.bytes < GROUP_BYTES && !self.runs.contains(&run)
    }

    pub(super) fn push(&mut self, append: Append, done: Done<()>) {
        self.runs.insert(append.claim.run);
        self.bytes += batch::bytes(&append.batch);
        self.appends.push((append, done));
    }

    /// Stores all appends together, or, if one of them spoils the group, each on its own, so that only the
    /// offender is refused. Callers are answered only after the commit. Fails as the last one did that failed
    /// at the database.
    pub(super) async fn commit(
        self,
        connection: &mut SqliteConnection,
        owner: OwnerId,
    ) -> Result<(), log::Error> {
        let mut stored = Ok(());
        let together = write(connection, owner, self.appends.iter().map(|(append, _)| append)).await;
        let alone = self.appends.len() == 1;
        for (append, done) in self.appends {
            let run = append.claim.run;
            let outcome = match &together {
                // Nothing was stored, so nothing has found out whether the run is there.
                Ok(()) if append.batch.records.is_empty() => is_there(connection, run).await,
                Ok(()) => Ok(()),
                // A full disk or a locked database is no run's fault, and a try for each run would only make
                // all of them wait as often.
                Err(e) if alone || !is_refusal(e) => Err(refusal(connection, owner, &append, e).await),
                Err(_) => match write(connection, owner, [&append].into_iter()).await {
                    Ok(()) => is_there(connection, run).await,
                    Err(e) => Err(refusal(connection, owner, &append, &e).await),
                },
            };
            match &outcome {
                Ok(()) => append.trace_commit(),
                Err(log::Error::Storage(reason)) => stored = Err(log::Error::Storage(reason.clone())),
                Err(_) => {}
            }
            finish(done, outcome);
        }
        stored
    }

    /// Stores nothing, for one reason for all.
    pub(super) fn refuse(self, reason: &str) {
        for (_, done) in self.appends {
            finish(done, Err(log::Error::Storage(reason.to_owned())));
        }
    }
}

async fn is_there(connection: &mut SqliteConnection, run: RunId) -> Result<(), log::Error> {
    match events::exists(connection, run).await? {
        true => Ok(()),
        false => Err(log::Error::NotFound(run)),
    }
}

async fn write<'a>(
    connection: &mut SqliteConnection,
    owner: OwnerId,
    appends: impl Iterator<Item = &'a Append> + Clone,
) -> sqlx::Result<()> {
    let events: Vec<_> = appends.clone().flat_map(Append::events).collect();
    let taken: Vec<_> = appends.clone().filter_map(Append::taken).collect();
    let ended: Vec<_> = appends.clone().filter_map(Append::ended).collect();
    let derived = Derived::of(appends.clone());

    let mut head = format!("BEGIN IMMEDIATE; {ADVANCE_RUNS}");
    let mut values = Vec::from([owner.to_string(), as_json(appends.map(Append::head))?]);
    if !taken.is_empty() {
        head += CONSUME_COMMANDS;
        values.push(as_json(taken.iter())?);
    }
    if !ended.is_empty() {
        head += END_RUNS;
        let ended = as_json(ended.iter())?;
        values.extend([ended.clone(), ended]);
    }
    // Every run ends; few take commands.
    let head_is_common = taken.is_empty();

    let written = write_all(connection, (head, values, head_is_common), &events, &derived).await;
    if written.is_err() {
        // This fails when the transaction never began, and then there is nothing to undo.
        let _ = sqlx::query("ROLLBACK").execute(connection).await;
    }
    written
}

/// Writes in as few round trips to the connection's thread as possible, mostly one: they are most of what a
/// small append costs. `head` comes first: its SQL, its values, and whether it is one of the usual two.
async fn write_all(
    connection: &mut SqliteConnection,
    head: (String, Vec<String>, bool),
    mut events: &[(Arc<str>, &Record)],
    derived: &Derived<'_>,
) -> sqlx::Result<()> {
    let (mut sql, mut values, mut is_common) = head;
    loop {
        let (now, later) = events.split_at(events.len().min(ROWS_PER_INSERT));
        let is_last = later.is_empty();
        // What is bound after the rows has to find its place.
        let is_alone = !is_last || derived.is_empty();
        sql += &events::insertion(if is_alone { events::kept_length(now.len()) } else { now.len() });
        if is_last {
            sql += &derived.sql();
            sql += "\nCOMMIT";
        }
        // Other statements will hardly come again.
        let mut query = sqlx::query(AssertSqlSafe(sql)).persistent(is_common && is_alone);
        for value in values {
            query = query.bind(value);
        }
        for (run, record) in now {
            query = events::bind(query, run.clone(), record);
        }
        if is_last {
            return derived.bind(query).execute(connection).await.map(drop);
        }
        query.execute(&mut *connection).await?;
        (sql, values, is_common, events) = (String::new(), Vec::new(), true, later);
    }
}

impl Append {
    fn run(&self) -> Arc<str> {
        self.claim.run.to_string().into()
    }

    /// The benchmark `audience` measures from here how long an event takes to its reader.
    fn trace_commit(&self) {
        if let Some(first) = self.batch.records.first() {
            let (first, records) = (first.seq.0, self.batch.records.len());
            tracing::trace!(target: "enact::store", run = %self.claim.run, first, records, "committed");
        }
    }

    /// `[run, epoch, first seq, how many, newest command seen if all have to be, command taken]`, as
    /// [`ADVANCE_RUNS`] reads it. Commands are numbered from 1.
    fn head(&self) -> (RunId, u64, Option<Seq>, usize, Option<u64>, u64) {
        let number = |command: Option<CommandId>| command.map_or(0, |command| command.0);
        let seen = self.batch.needs_all_read().then(|| number(self.batch.seen));
        let taken = number(self.batch.taken);
        (self.claim.run, self.claim.epoch, self.first(), self.batch.records.len(), seen, taken)
    }

    fn first(&self) -> Option<Seq> {
        self.batch.records.first().map(|record| record.seq)
    }

    /// `[command, run]`, as [`CONSUME_COMMANDS`] reads it.
    fn taken(&self) -> Option<(CommandId, RunId)> {
        Some((self.batch.taken?, self.claim.run))
    }

    /// `[run, reason]`, as [`END_RUNS`] reads it.
    fn ended(&self) -> Option<(RunId, &str)> {
        Some((self.claim.run, self.batch.ended.as_deref()?))
    }

    fn events(&self) -> impl Iterator<Item = (Arc<str>, &Record)> {
        let run = self.run();
        self.batch.records.iter().map(move |record| (run.clone(), &**record))
    }
}

/// What follows from the records of a group: rows and checkpoints. Most groups have neither, and then no
/// statement for them.
#[derive(Default)]
struct Derived<'a> {
    changes: Vec<(Arc<str>, Changes<'a>)>,
    checkpoints: Vec<(Arc<str>, &'a Checkpoint)>,
}

impl<'a> Derived<'a> {
    fn of(appends: impl Iterator<Item = &'a Append>) -> Derived<'a> {
        let mut derived = Derived::default();
        for append in appends {
            if !append.batch.rows.is_empty() {
                derived.changes.push((append.run(), Changes::of(&append.batch.rows)));
            }
            if let Some(checkpoint) = &append.batch.checkpoint {
                derived.checkpoints.push((append.run(), checkpoint));
            }
        }
        derived
    }

    fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.checkpoints.is_empty()
    }

    fn sql(&self) -> String {
        let put = self.changes.iter().map(|(_, changes)| changes.put.len()).sum();
        let deleted = self.changes.iter().map(|(_, changes)| changes.deleted.len()).sum();
        let checkpoints = events::checkpoint_replacement(self.checkpoints.len());
        rows::insertion(put) + &rows::deletion(deleted) + &checkpoints
    }

    /// Binds what [`sql`](Derived::sql) stores, in its order.
    fn bind<'q>(&self, mut query: Query<'q, Sqlite, SqliteArguments>) -> Query<'q, Sqlite, SqliteArguments> {
        for (run, changes) in &self.changes {
            for row in &changes.put {
                query = rows::bind(query, run.clone(), row);
            }
        }
        for (run, changes) in &self.changes {
            for (kind, key) in &changes.deleted {
                query = query.bind(run.clone()).bind((*kind).to_owned()).bind((*key).to_owned());
            }
        }
        for (run, checkpoint) in &self.checkpoints {
            query = events::bind_checkpoint(query, run.clone(), checkpoint);
        }
        query
    }
}

fn as_json<T: Serialize>(rows: impl Iterator<Item = T>) -> sqlx::Result<String> {
    let mut text = Vec::new();
    serde_json::Serializer::new(&mut text).collect_seq(rows).map_err(|e| sqlx::Error::Encode(e.into()))?;
    String::from_utf8(text).map_err(|e| sqlx::Error::Encode(e.into()))
}

fn is_refusal(error: &sqlx::Error) -> bool {
    let kind = error.as_database_error().map(|e| e.kind());
    matches!(
        kind,
        Some(ErrorKind::NotNullViolation | ErrorKind::ForeignKeyViolation | ErrorKind::UniqueViolation)
    )
}

async fn refusal(
    connection: &mut SqliteConnection,
    owner: OwnerId,
    append: &Append,
    error: &sqlx::Error,
) -> log::Error {
    let run = append.claim.run;
    match error.as_database_error().map(|e| e.kind()) {
        Some(ErrorKind::NotNullViolation) => match is_as_expected(connection, owner, append).await {
            Ok(true) => log::Error::Unread(run),
            Ok(false) => log::Error::Conflict(run),
            Err(e) => storage(&e),
        },
        Some(ErrorKind::ForeignKeyViolation) => log::Error::NotFound(run),
        _ => storage(error),
    }
}

async fn is_as_expected(
    connection: &mut SqliteConnection,
    owner: OwnerId,
    append: &Append,
) -> sqlx::Result<bool> {
    let (true, Some(first)) = (append.batch.needs_all_read(), append.first()) else { return Ok(false) };
    sqlx::query_scalar(IS_AS_EXPECTED)
        .bind(append.claim.run.to_string())
        .bind(owner.to_string())
        .bind(append.claim.epoch as i64)
        .bind(first.0 as i64)
        .fetch_one(connection)
        .await
}
