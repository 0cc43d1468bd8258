//! Runs in one SQLite file, `<data folder>/enact.db`, for any number of processes on one machine.
//!
//! **Who owns a run.** Each opened log that writes is an *owner*: it holds an operating-system lock on a file
//! of its own in `<data folder>/owners/`, and the runs it plays name it. A run whose owner's lock is not held
//! belongs to a dead process and may be claimed at once. Fencing does not rest on that: every append names
//! its claim's epoch.

mod append_batch;
pub mod backup;
mod claims;
mod conversations;
mod counters;
mod delete;
mod events;
mod extracts;
mod file_id;
mod inbox;
mod listing;
mod open;
mod process_lock;
mod queue;
mod rows;
mod store;
mod wal;
mod writer;

#[cfg(test)]
mod query_plan_tests;

use std::path::Path;

use async_trait::async_trait;
use enact_drama::{Record, RunId, Seq};
use enact_engine::{
    log::{self, Batch, Checkpoint, Claim, CommandId, Log, NewRun, RunSummary},
    store::{Listing, Notification, Store},
};
use sqlx::SqlitePool;
use tokio::sync::{OnceCell, broadcast};

use self::{
    append_batch::Append,
    open::{Folder, SchemaState},
    writer::{JobFuture, Writer, WriterTask},
};
use crate::BoxFuture;
pub use open::{Durability, Error};

/// The runs of a data folder.
///
/// Reading needs no lock and works while other processes play. The first write starts a task that writes for
/// all runs; it ends, and the runs still claimed are free, when the log is closed or dropped or its process
/// dies.
#[derive(Debug)]
pub struct SqliteStore {
    folder: Folder,
    durability: Durability,
    readers: SqlitePool,
    writer: OnceCell<Writer>,
    notifications: broadcast::Sender<Notification>,
}

/// Capacity of the channel of notifications; a receiver that lags polls the store instead.
const NOTIFICATION_BUFFER: usize = 1024;

impl SqliteStore {
    /// Opens a data folder for playing, making it where there is none.
    pub fn open(data_dir: &Path) -> BoxFuture<'_, Result<SqliteStore, Error>> {
        SqliteStore::open_with(data_dir, Durability::default())
    }

    /// Like [`open`](SqliteStore::open), with a choice of what appended records survive.
    pub fn open_with(data_dir: &Path, durability: Durability) -> BoxFuture<'_, Result<SqliteStore, Error>> {
        Box::pin(async move {
            let log = SqliteStore::at(data_dir, durability);
            log.writer().await?;
            Ok(log)
        })
    }

    /// Opens a data folder that exists already, changing nothing until something is claimed or created.
    pub fn open_existing(data_dir: &Path) -> BoxFuture<'_, Result<SqliteStore, Error>> {
        Box::pin(async move {
            let log = SqliteStore::at(data_dir, Durability::default());
            if !log.folder.db.exists() {
                return Err(Error::Missing(data_dir.to_owned()));
            }
            if log.folder.check(&log.readers).await? != SchemaState::Current {
                // Older databases are brought up to date even for reading: one way of reading is enough.
                log.writer().await?;
            }
            Ok(log)
        })
    }

    /// Stores what waits and gives up all runs. Dropping does the same, a moment later.
    pub fn close(self) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            if let Some(writer) = self.writer.into_inner() {
                writer.close().await;
            }
            self.readers.close().await;
        })
    }

    fn at(data_dir: &Path, durability: Durability) -> SqliteStore {
        let folder = Folder::at(data_dir);
        let notifications = broadcast::Sender::new(NOTIFICATION_BUFFER);
        SqliteStore { readers: folder.readers(), folder, durability, writer: OnceCell::new(), notifications }
    }

    async fn writer(&self) -> Result<&Writer, Error> {
        let start = async || {
            let opened = self.folder.writer(self.durability).await?;
            Ok(Writer::start(self.folder.clone(), opened, self.durability))
        };
        self.writer.get_or_try_init(start).await
    }

    async fn writing(&self) -> Result<&Writer, log::Error> {
        self.writer().await.map_err(|e| log::Error::Storage(e.to_string()))
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl for<'a> FnOnce(&'a mut WriterTask) -> JobFuture<'a, Result<T, log::Error>> + Send + 'static,
    ) -> Result<T, log::Error> {
        self.located(self.writing().await?.ask(work).await)
    }

    fn notify(&self, notification: Notification) {
        // There may be no receiver.
        let _ = self.notifications.send(notification);
    }

    /// Says which file an error is about: what SQLite says of it ("database or disk is full") does not.
    fn located<T>(&self, outcome: Result<T, log::Error>) -> Result<T, log::Error> {
        outcome.map_err(|e| match e {
            log::Error::Storage(reason) => {
                log::Error::Storage(format!("{}: {reason}", self.folder.db.display()))
            }
            other => other,
        })
    }
}

#[async_trait]
impl Log for SqliteStore {
    async fn create(&self, run: NewRun) -> Result<Claim, log::Error> {
        self.write(|task| Box::pin(task.create(run))).await
    }

    async fn claim(&self, run: RunId) -> Result<Claim, log::Error> {
        self.write(move |task| Box::pin(task.claim(run))).await
    }

    async fn release(&self, claim: Claim) -> Result<(), log::Error> {
        if self.write(move |task| Box::pin(task.release(claim))).await? {
            self.notify(Notification::RunQueued);
        }
        Ok(())
    }

    async fn rest(&self, claim: Claim, seen: Option<CommandId>) -> Result<bool, log::Error> {
        self.write(move |task| Box::pin(task.rest(claim, seen))).await
    }

    async fn append(&self, claim: &Claim, batch: Batch) -> Result<(), log::Error> {
        if !batch.records.is_sorted_by(|a, b| a.seq.next() == b.seq) {
            return Err(log::Error::Conflict(claim.run));
        }
        let append = Append { claim: *claim, batch };
        self.located(self.writing().await?.append(append).await)
    }

    async fn read(&self, run: RunId, from: Seq) -> Result<Vec<Record>, log::Error> {
        self.read_some(run, from, usize::MAX).await
    }

    async fn checkpoint(&self, run: RunId) -> Result<Option<Checkpoint>, log::Error> {
        self.located(events::checkpoint(&self.readers, run).await)
    }

    async fn runs(&self) -> Result<Vec<RunSummary>, log::Error> {
        self.list(&Listing { most: usize::MAX, ..Listing::default() }).await
    }
}

fn storage(error: &sqlx::Error) -> log::Error {
    log::Error::Storage(open::reason(error))
}
