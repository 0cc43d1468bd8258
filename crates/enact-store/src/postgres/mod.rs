//! The log in a Postgres database, for any number of nodes on any number of machines.
//!
//! **Who owns a run.** Each opened log is a *node*: a row with a lease that a heartbeat renews, in database
//! time. A run whose owner's lease is over belongs to a node that is dead, or might as well be, and may be
//! claimed. Fencing does not rest on that: every append names its claim's epoch, and one that was taken for
//! dead and comes back can write nothing.

mod append_batch;
mod claim_tracker;
mod claims;
mod conversations;
mod counters;
mod delete;
mod events;
mod extracts;
mod inbox;
mod lease;
mod listing;
mod notify;
mod open;
mod pool;
#[cfg(all(test, feature = "postgres-tests"))]
mod query_plan_tests;
mod queue;
mod reconnect;
mod resting;
mod rows;
mod store;
mod writer;

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use enact_drama::{Record, RunId, Seq};
use enact_engine::{
    log::{self, Batch, Checkpoint, Claim, CommandId, Log, NewRun, RunSummary},
    store::Listing,
};
use sqlx::PgConnection;

use self::{
    append_batch::{Append, Release},
    claim_tracker::{ClaimAttempt, ClaimTracker},
    lease::{Heartbeat, Lease},
    notify::Notifier,
    open::Server,
    pool::Pool,
    resting::Rest,
    writer::Writer,
};
use crate::BoxFuture;
pub use open::Error;

/// How a node behaves towards its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How long a node that is not heard of is taken to be alive.
    pub lease: Duration,
    /// How often it lets itself be heard of.
    pub heartbeat: Duration,
    /// How many connections it has at most for reading and for what is rarely written. Appends, heartbeats
    /// and notifications have one each beside them.
    pub connections: u32,
    /// How long it waits for the answer to a question, before it takes the connection for lost.
    pub answer_timeout: Duration,
}

impl Default for Options {
    /// A heartbeat may be lost three times before the node counts as dead. A hundred nodes use about what a
    /// large server has in connections; more of them need fewer each.
    fn default() -> Options {
        Options {
            lease: Duration::from_secs(10),
            heartbeat: Duration::from_millis(2_500),
            connections: 8,
            // Nothing that is asked takes a second; a busy server may let it wait for a few.
            answer_timeout: Duration::from_secs(10),
        }
    }
}

/// The runs of a Postgres database.
///
/// Its tasks end, and the runs still claimed are free, when it is closed or dropped; if its process dies or
/// its database cannot be reached any more, when its lease is over. What was lost on the way is opened again
/// by itself.
pub struct PostgresStore {
    server: Server,
    pool: Pool,
    claims: ClaimTracker,
    lease: Arc<Lease>,
    notifier: Arc<Notifier>,
    writer: Writer,
}

impl PostgresStore {
    /// Opens a database for playing, `postgres://user@host:5432/database`, and brings it up to date.
    pub fn open(url: &str) -> BoxFuture<'_, Result<PostgresStore, Error>> {
        PostgresStore::open_with(url, Options::default())
    }

    /// Like [`open`](PostgresStore::open), with a choice of how the node behaves.
    pub fn open_with(url: &str, options: Options) -> BoxFuture<'_, Result<PostgresStore, Error>> {
        Box::pin(async move {
            let server = Server::at(url)?;
            let schema = server.prepare().await?;
            let pool = server.pool(options.connections);
            let unusable = |e: sqlx::Error| server.unusable(&e);
            // What writes comes first: a server may allow fewer connections than a node would like to have, and
            // one that cannot write must not claim anything.
            let mut writing = server.reconnecting().before(&pool).open().await.map_err(unusable)?;
            let lease = Lease::enter(&mut writing, options.lease).await.map_err(unusable)?;
            let renewing = server.reconnecting().before(&pool).open().await.map_err(unusable)?;
            let notifier = Notifier::start(&server, &schema, lease.node).await.map_err(unusable)?;
            let notifier = Arc::new(notifier);
            let heartbeat = Heartbeat::start(lease.clone(), renewing, options.heartbeat);
            let writer = Writer::start(writing, lease.clone(), heartbeat, notifier.clone());
            let pool = Pool::new(pool, options.answer_timeout);
            Ok(PostgresStore { server, pool, claims: ClaimTracker::default(), lease, notifier, writer })
        })
    }

    /// Stores what waits and gives up all runs. Dropping does the same, a moment later.
    pub fn close(self) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            self.writer.close().await;
            self.pool.close().await;
        })
    }

    /// Says which database an error is about.
    fn located<T>(&self, outcome: Result<T, log::Error>) -> Result<T, log::Error> {
        outcome.map_err(|e| match e {
            log::Error::Storage(reason) => log::Error::Storage(format!("{}: {reason}", self.server.shown)),
            other => other,
        })
    }

    async fn ask<T>(
        &self,
        question: impl AsyncFnOnce(&mut PgConnection) -> Result<T, log::Error>,
    ) -> Result<T, log::Error> {
        self.located(self.pool.ask(question).await)
    }

    /// Frees what this node has claimed without knowing, if there may be such and this is the turn for it.
    async fn free_lost(
        &self,
        connection: &mut PgConnection,
        attempt: &ClaimAttempt<'_>,
    ) -> Result<(), log::Error> {
        if let Some(held) = attempt.possibly_lost() {
            claims::free_lost(connection, self.lease.node, &held).await?;
            attempt.freed();
        }
        Ok(())
    }

    async fn give_up(&self, given: Release) -> Result<(), log::Error> {
        let claim = given.claim;
        let outcome = self.writer.give_up(given).await;
        match &outcome {
            Ok(()) => self.claims.forget(&claim),
            Err(_) => self.claims.mark_lost(&claim),
        }
        self.located(outcome)
    }
}

/// Without what a connection is opened with: that may be a password.
impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore")
            .field("server", &self.server.shown)
            .field("lease", &self.lease)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Log for PostgresStore {
    async fn create(&self, run: NewRun) -> Result<Claim, log::Error> {
        self.located(self.writer.ensure().await)?;
        self.ask(async |connection| {
            self.lease.ensure(connection).await.map_err(|e| storage(&e))?;
            claims::create(connection, self.lease.node, run).await
        })
        .await
    }

    async fn claim(&self, run: RunId) -> Result<Claim, log::Error> {
        self.located(self.writer.ensure().await)?;
        let attempt = self.claims.begin().await;
        let claim = self
            .ask(async |connection| {
                self.lease.ensure(connection).await.map_err(|e| storage(&e))?;
                self.free_lost(connection, &attempt).await?;
                claims::claim(connection, self.lease.node, run).await
            })
            .await;
        match &claim {
            Ok(claim) => attempt.confirm(&[*claim]),
            // A refused caller has claimed nothing.
            Err(log::Error::Busy(_) | log::Error::NotFound(_)) => attempt.confirm(&[]),
            Err(_) => {}
        }
        claim
    }

    async fn release(&self, claim: Claim) -> Result<(), log::Error> {
        self.give_up(Release { claim, problem: None }).await
    }

    async fn rest(&self, claim: Claim, seen: Option<CommandId>) -> Result<bool, log::Error> {
        let outcome = self.writer.rest(Rest { claim, seen }).await;
        match &outcome {
            Ok(false) => {}
            Ok(true) | Err(log::Error::Conflict(_) | log::Error::NotFound(_)) => self.claims.forget(&claim),
            Err(_) => self.claims.mark_lost(&claim),
        }
        self.located(outcome)
    }

    async fn append(&self, claim: &Claim, batch: Batch) -> Result<(), log::Error> {
        if !batch.records.is_sorted_by(|a, b| a.seq.next() == b.seq) {
            return Err(log::Error::Conflict(claim.run));
        }
        let ends = batch.ended.is_some();
        let outcome = self.writer.append(Append { claim: *claim, batch }).await;
        if match &outcome {
            Ok(()) => ends,
            Err(e) => matches!(e, log::Error::Conflict(_) | log::Error::NotFound(_)),
        } {
            self.claims.forget(claim);
        }
        self.located(outcome)
    }

    async fn read(&self, run: RunId, from: Seq) -> Result<Vec<Record>, log::Error> {
        self.ask(async |connection| events::records(connection, run, from, usize::MAX).await).await
    }

    async fn checkpoint(&self, run: RunId) -> Result<Option<Checkpoint>, log::Error> {
        self.ask(async |connection| events::checkpoint(connection, run).await).await
    }

    async fn runs(&self) -> Result<Vec<RunSummary>, log::Error> {
        let all = Listing { most: usize::MAX, ..Listing::default() };
        self.ask(async |connection| listing::list(connection, &all).await).await
    }
}

fn storage(error: &sqlx::Error) -> log::Error {
    log::Error::Storage(reconnect::reason(error))
}
