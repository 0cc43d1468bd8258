//! The one task that writes. SQLite takes one writer at a time, so waiting appends are better stored together than
//! made to queue for the lock.

use std::pin::Pin;

use enact_engine::log;
use sqlx::{Connection, Executor, SqliteConnection};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use super::{
    group::{Append, Done, Group, tell},
    open::Folder,
    owner::{Owner, OwnerId},
    storage,
};
use crate::waiting::Waiting;

/// A handle on the writing task, which ends when this is dropped or closed.
#[derive(Debug)]
pub(super) struct Writer {
    owner: OwnerId,
    jobs: mpsc::Sender<Job>,
    task: JoinHandle<()>,
}

/// What the writing task works with.
pub(super) struct Desk {
    pub(super) folder: Folder,
    pub(super) connection: SqliteConnection,
    /// Given up last: while its lock is held, what was queued may still be written.
    pub(super) owner: Owner,
}

/// Something that is done at the desk.
pub(super) type Work<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

type Errand = dyn for<'a> FnOnce(&'a mut Desk) -> Work<'a, ()> + Send;

enum Job {
    Append(Append, Done<()>),
    /// Anything else. It is done on its own: only appends come in crowds.
    Other(Box<Errand>),
}

impl Writer {
    pub(super) fn start(folder: Folder, connection: SqliteConnection, owner: Owner) -> Writer {
        let (jobs, waiting) = Waiting::new();
        let id = owner.id();
        let task = tokio::spawn(Desk { folder, connection, owner }.work(waiting));
        Writer { owner: id, jobs, task }
    }

    /// For whom it writes.
    pub(super) fn owner(&self) -> OwnerId {
        self.owner
    }

    pub(super) async fn append(&self, append: Append) -> Result<(), log::Error> {
        self.send(|done| Job::Append(append, done)).await
    }

    /// Has something done at the desk, after all that was asked for before.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        work: impl for<'a> FnOnce(&'a mut Desk) -> Work<'a, Result<T, log::Error>> + Send + 'static,
    ) -> Result<T, log::Error> {
        self.send(|done| {
            Job::Other(Box::new(move |desk| Box::pin(async move { tell(done, work(desk).await) })))
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

impl Desk {
    async fn work(mut self, mut jobs: Waiting<Job>) {
        while let Some(waiting) = jobs.take().await {
            let mut group = Group::default();
            // In order, and a group never reaches across another job: an append that was sent before a release is
            // stored before it.
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
                    Job::Other(work) => work(&mut self).await,
                }
            }
            self.commit(group).await;
        }
        // Closing in peace lets SQLite fold the write-ahead log into the database. If it cannot, the next one to
        // open the folder does.
        let _ = self.connection.close().await;
    }

    /// Whether it could write now.
    pub(super) async fn ready(&mut self) -> Result<(), log::Error> {
        let begun = self.connection.execute("BEGIN IMMEDIATE; ROLLBACK").await;
        begun.map(drop).map_err(|e| storage(&e))
    }

    async fn commit(&mut self, group: Group) {
        group.commit(&mut self.connection, self.owner.id()).await;
    }
}
