//! The one task that writes. SQLite takes one writer at a time, so waiting appends are better stored together
//! than made to queue for the lock.

use std::{
    pin::Pin,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use enact_engine::log;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use tokio::{sync::mpsc, task::JoinHandle};

use super::{
    append_batch::{Append, AppendBatch},
    file_id::FileId,
    open::{Durability, Folder},
    process_lock::{OwnerId, ProcessLock},
    storage,
    wal::WalCopier,
};
use crate::batch_receiver::{BatchReceiver, Done, ask, finish};

/// How long a write that failed counts against being [ready](WriterTask::ready). A node asks for something at
/// least every second: as long as nothing can be written, there is always a failure that is younger.
const FAILURE_TTL: Duration = Duration::from_secs(2);

/// A handle on the writing task, which ends when this is dropped or closed.
#[derive(Debug)]
pub(super) struct Writer {
    owner: OwnerId,
    jobs: mpsc::Sender<Job>,
    task: JoinHandle<()>,
}

/// What the writing task works with.
pub(super) struct WriterTask {
    pub(super) folder: Folder,
    pub(super) connection: SqliteConnection,
    durability: Durability,
    /// The file that the connection writes.
    file: FileId,
    /// The last write that failed at the database, and when.
    failure: Option<(Instant, String)>,
    /// Whether the connection is opened again before it is used: after a failed write it may still be within
    /// a transaction that cannot be ended any more.
    is_suspect: bool,
    wal: WalCopier,
    /// Given up last: while its lock is held, what was queued may still be written.
    pub(super) owner: ProcessLock,
}

/// What a writer works with, once it is opened.
pub(super) struct WriterConnection {
    pub(super) connection: SqliteConnection,
    pub(super) file: FileId,
    pub(super) owner: ProcessLock,
}

pub(super) type JobFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

type JobFn = dyn for<'a> FnOnce(&'a mut WriterTask) -> JobFuture<'a, ()> + Send;

pub(super) enum Job {
    Append(Append, Done<()>),
    /// Any other write, done on its own: only appends are frequent enough to batch.
    Other(Box<JobFn>),
}

impl Writer {
    pub(super) fn start(folder: Folder, opened: WriterConnection, durability: Durability) -> Writer {
        let WriterConnection { connection, file, owner } = opened;
        let (jobs, waiting) = BatchReceiver::new();
        let id = owner.id();
        let wal = WalCopier::start(folder.clone(), jobs.downgrade());
        let task =
            WriterTask { folder, connection, durability, file, failure: None, is_suspect: false, wal, owner };
        Writer { owner: id, jobs, task: tokio::spawn(task.work(waiting)) }
    }

    /// For whom it writes.
    pub(super) fn owner(&self) -> OwnerId {
        self.owner
    }

    pub(super) async fn append(&self, append: Append) -> Result<(), log::Error> {
        ask(&self.jobs, |done| Job::Append(append, done)).await
    }

    /// Has something done by the writing task, after all that was asked for before.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl for<'a> FnOnce(&'a mut WriterTask) -> JobFuture<'a, Result<T, log::Error>> + Send + 'static,
    ) -> Result<T, log::Error> {
        ask(&self.jobs, |done| {
            Job::Other(Box::new(move |task| {
                Box::pin(async move {
                    let outcome = match task.prepare().await {
                        Ok(()) => work(task).await,
                        Err(error) => Err(error),
                    };
                    task.note(&outcome);
                    finish(done, outcome);
                })
            }))
        })
        .await
    }

    /// Whether something could be written now, found out by writing.
    pub(super) async fn ready(&self) -> Result<(), log::Error> {
        ask(&self.jobs, |done| {
            Job::Other(Box::new(move |task| Box::pin(async move { finish(done, task.ready().await) })))
        })
        .await
    }

    /// Stores what waits, then gives up the owner and all its runs.
    pub(super) async fn close(self) {
        drop(self.jobs);
        // A task that panicked has given its owner up too.
        let _ = self.task.await;
    }
}

impl WriterTask {
    async fn work(mut self, mut jobs: BatchReceiver<Job>) {
        while let Some(waiting) = jobs.next_batch().await {
            let mut group = AppendBatch::default();
            // In order, and a group never reaches across another job: an append that was sent before a
            // release is stored before it.
            for job in waiting {
                let closes = match &job {
                    Job::Append(append, _) => !group.has_room_for(append.claim.run),
                    Job::Other(_) => true,
                };
                if closes {
                    self.commit(std::mem::take(&mut group)).await;
                }
                match job {
                    Job::Append(append, done) => group.push(append, done),
                    Job::Other(work) => {
                        work(&mut self).await;
                        self.wal.count();
                    }
                }
            }
            self.commit(group).await;
        }
        self.wal.close().await;
        // Closing in peace lets SQLite fold the write-ahead log into the database. If it cannot, the next one
        // to open the folder does.
        let _ = self.connection.close().await;
    }

    /// Writes something, and says whether that works; also not if another write has just failed. A write that
    /// is taken back would not do: it reaches no disk. The number it writes means nothing to any reader.
    async fn ready(&mut self) -> Result<(), log::Error> {
        if let Some((_, reason)) = self.failure.as_ref().filter(|(at, _)| at.elapsed() < FAILURE_TTL) {
            return Err(log::Error::Storage(reason.clone()));
        }
        self.prepare().await?;
        let second = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() & 0xffff);
        let write = AssertSqlSafe(format!("PRAGMA user_version = {second}"));
        let written = sqlx::query(write).persistent(false).execute(&mut self.connection).await;
        self.is_suspect = written.is_err();
        written.map(drop).map_err(|e| storage(&e))
    }

    async fn commit(&mut self, group: AppendBatch) {
        if group.is_empty() {
            return;
        }
        if let Err(error) = self.prepare().await {
            return group.refuse(&error.to_string());
        }
        let stored = group.commit(&mut self.connection, self.owner.id()).await;
        self.note(&stored);
        self.wal.count();
    }

    /// Opens the connection again if the last write has failed. Refuses to write to a file that is no longer
    /// the database: what was written there would be gone with this process.
    async fn prepare(&mut self) -> Result<(), log::Error> {
        if self.folder.file()? != self.file {
            let reason = "the file was removed or replaced while it was in use; put it back, or restart";
            return Err(log::Error::Storage(reason.to_owned()));
        }
        if self.is_suspect {
            let opened = self.folder.reopen(self.durability).await.map_err(|e| storage(&e))?;
            let suspect = std::mem::replace(&mut self.connection, opened);
            // It may hold the right to write, which it gives back when it is closed, in peace or not.
            let _ = suspect.close().await;
            self.is_suspect = false;
        }
        Ok(())
    }

    fn note<T>(&mut self, outcome: &Result<T, log::Error>) {
        if let Err(log::Error::Storage(reason)) = outcome {
            self.is_suspect = true;
            self.failure = Some((Instant::now(), reason.clone()));
        }
    }
}
