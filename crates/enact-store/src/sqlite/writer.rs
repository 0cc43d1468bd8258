//! The one task that writes. SQLite takes one writer at a time, so waiting appends are better stored together
//! than made to queue for the lock.

use std::pin::Pin;

use enact_engine::log;
use sqlx::{Connection, Executor, SqliteConnection};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use super::{
    append_batch::{Append, AppendBatch, Done, tell},
    open::Folder,
    process_lock::{OwnerId, ProcessLock},
    storage,
    wal::WalCopier,
};
use crate::batch_receiver::BatchReceiver;

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
    wal: WalCopier,
    /// Given up last: while its lock is held, what was queued may still be written.
    pub(super) owner: ProcessLock,
}

pub(super) type JobFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

type JobFn = dyn for<'a> FnOnce(&'a mut WriterTask) -> JobFuture<'a, ()> + Send;

pub(super) enum Job {
    Append(Append, Done<()>),
    /// Anything else. It is done on its own: only appends come in crowds.
    Other(Box<JobFn>),
}

impl Writer {
    pub(super) fn start(folder: Folder, connection: SqliteConnection, owner: ProcessLock) -> Writer {
        let (jobs, waiting) = BatchReceiver::new();
        let id = owner.id();
        let wal = WalCopier::start(folder.clone(), jobs.downgrade());
        let task = tokio::spawn(WriterTask { folder, connection, wal, owner }.work(waiting));
        Writer { owner: id, jobs, task }
    }

    /// For whom it writes.
    pub(super) fn owner(&self) -> OwnerId {
        self.owner
    }

    pub(super) async fn append(&self, append: Append) -> Result<(), log::Error> {
        self.send(|done| Job::Append(append, done)).await
    }

    /// Has something done by the writing task, after all that was asked for before.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl for<'a> FnOnce(&'a mut WriterTask) -> JobFuture<'a, Result<T, log::Error>> + Send + 'static,
    ) -> Result<T, log::Error> {
        self.send(|done| {
            Job::Other(Box::new(move |task| Box::pin(async move { tell(done, work(task).await) })))
        })
        .await
    }

    /// Stores what waits, then gives up the owner and all its runs.
    pub(super) async fn close(self) {
        drop(self.jobs);
        // A task that panicked has given its owner up too.
        let _ = self.task.await;
    }

    async fn send<T>(&self, job: impl FnOnce(Done<T>) -> Job) -> Result<T, log::Error> {
        let gone = || log::Error::Storage("the task that writes is gone".to_owned());
        let (done, outcome) = oneshot::channel();
        self.jobs.send(job(done)).await.map_err(|_| gone())?;
        outcome.await.map_err(|_| gone())?
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

    /// Whether it could write now.
    pub(super) async fn ready(&mut self) -> Result<(), log::Error> {
        let begun = self.connection.execute("BEGIN IMMEDIATE; ROLLBACK").await;
        begun.map(drop).map_err(|e| storage(&e))
    }

    async fn commit(&mut self, group: AppendBatch) {
        if !group.is_empty() {
            group.commit(&mut self.connection, self.owner.id()).await;
            self.wal.count();
        }
    }
}
