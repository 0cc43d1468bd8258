//! The log in a Postgres database, for any number of nodes on any number of machines.
//!
//! **Who owns a run.** Each opened log is a *node*: a row with a lease that a heartbeat renews, in database time. A run whose
//! owner's lease is over belongs to a node that is dead, or might as well be, and may be claimed. Fencing does not rest on
//! that: every append names its claim's epoch, and one that was taken for dead and comes back can write nothing.

mod claims;
mod events;
mod extracts;
mod group;
mod inbox;
mod lease;
mod listing;
mod news;
mod open;
#[cfg(all(test, feature = "postgres-tests"))]
mod plans;
mod queue;
mod removal;
mod store;
mod wire;
mod writer;

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use enact_drama::{Record, RunId, Seq};
use enact_engine::{
    log::{self, Batch, Claim, Log, NewRun, RunSummary},
    store::Listing,
};
use sqlx::PgPool;

use self::{
    group::{Append, Yield},
    lease::{Heartbeat, Lease},
    news::Herald,
    open::Server,
    writer::Writer,
};
pub use open::Error;

/// How a node behaves towards its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How long a node that is not heard of is taken to be alive.
    pub lease: Duration,
    /// How often it lets itself be heard of.
    pub heartbeat: Duration,
    /// How many connections it has at most for reading and for what is rarely written. Appends, heartbeats and news have one
    /// each beside them.
    pub connections: u32,
}

impl Default for Options {
    /// A heartbeat may be lost three times before anybody believes the node dead. A hundred nodes use about what a large
    /// server has in connections; more of them need fewer each.
    fn default() -> Options {
        Options { lease: Duration::from_secs(10), heartbeat: Duration::from_millis(2_500), connections: 8 }
    }
}

/// The runs of a Postgres database.
///
/// Its tasks end, and the runs still claimed are free, when it is closed or dropped; if its process dies or its database
/// cannot be reached any more, when its lease is over. What was lost on the way is opened again by itself.
pub struct PostgresLog {
    server: Server,
    pool: PgPool,
    lease: Arc<Lease>,
    herald: Arc<Herald>,
    writer: Writer,
}

impl PostgresLog {
    /// Opens a database for playing, `postgres://user@host:5432/database`, and brings it up to date.
    pub async fn open(url: &str) -> Result<PostgresLog, Error> {
        PostgresLog::open_with(url, Options::default()).await
    }

    /// Like [`open`](PostgresLog::open), with a choice of how the node behaves.
    pub async fn open_with(url: &str, options: Options) -> Result<PostgresLog, Error> {
        let server = Server::at(url)?;
        let schema = server.prepare().await?;
        // One of them listens.
        let pool = server.pool(options.connections.saturating_add(1));
        let lease = Lease::enter(&pool, options.lease).await.map_err(|e| server.unusable(&e))?;
        let herald =
            Herald::start(&server, &pool, &schema, lease.node).await.map_err(|e| server.unusable(&e))?;
        let herald = Arc::new(herald);
        let heart = Heartbeat::start(lease.clone(), &server, options.heartbeat);
        let writer = Writer::start(&server, lease.clone(), heart, herald.clone());
        Ok(PostgresLog { server, pool, lease, herald, writer })
    }

    /// Stores what waits and gives up all runs. Dropping does the same, a moment later.
    pub async fn close(self) {
        self.writer.close().await;
        self.pool.close().await;
    }

    /// Says which database an error is about.
    fn located<T>(&self, outcome: Result<T, log::Error>) -> Result<T, log::Error> {
        outcome.map_err(|e| match e {
            log::Error::Storage(reason) => log::Error::Storage(format!("{}: {reason}", self.server.shown)),
            other => other,
        })
    }

    async fn ensure_lease(&self) -> Result<(), log::Error> {
        self.located(self.lease.ensure(&self.pool).await.map_err(|e| storage(&e)))
    }
}

/// Without what a connection is opened with: that may be a password.
impl fmt::Debug for PostgresLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresLog")
            .field("server", &self.server.shown)
            .field("lease", &self.lease)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Log for PostgresLog {
    async fn create(&self, run: NewRun) -> Result<Claim, log::Error> {
        self.ensure_lease().await?;
        self.located(claims::create(&self.pool, self.lease.node, run).await)
    }

    async fn claim(&self, run: RunId) -> Result<Claim, log::Error> {
        self.ensure_lease().await?;
        self.located(claims::claim(&self.pool, self.lease.node, run).await)
    }

    async fn release(&self, claim: Claim) -> Result<(), log::Error> {
        self.located(self.writer.give_up(Yield { claim, problem: None }).await)
    }

    async fn append(&self, claim: &Claim, batch: Batch) -> Result<(), log::Error> {
        if !batch.records.is_sorted_by(|a, b| a.seq.next() == b.seq) {
            return Err(log::Error::Conflict(claim.run));
        }
        self.located(self.writer.append(Append { claim: *claim, batch }).await)
    }

    async fn read(&self, run: RunId, from: Seq) -> Result<Vec<Record>, log::Error> {
        self.located(events::records(&self.pool, run, from, usize::MAX).await)
    }

    async fn runs(&self) -> Result<Vec<RunSummary>, log::Error> {
        let all = Listing { most: usize::MAX, ..Listing::default() };
        self.located(listing::list(&self.pool, &all).await)
    }
}

fn storage(error: &sqlx::Error) -> log::Error {
    log::Error::Storage(wire::reason(error))
}
