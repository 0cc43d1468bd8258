//! The one task that writes. SQLite takes one writer at a time, so waiting appends are better stored together than
//! made to queue for the lock.

use std::time::Duration;

use enact_drama::RunId;
use enact_engine::log::{self, Claim, NewRun};
use sqlx::{Connection, Row, SqliteConnection};
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

/// How many jobs may wait. Each run waits for its own append, so a thousand runs at once fit; those beyond wait for
/// a place, which slows them to the speed of the disk.
const QUEUE: usize = 1024;

/// How long jobs are gathered before they are stored, once several wait at a time: answers of many scenes come in bursts,
/// and a commit costs the same for one append as for fifty. A single scene never waits for this.
const GATHERING: Duration = Duration::from_millis(1);

/// A handle on the writing task, which ends when this is dropped or closed.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
    task: JoinHandle<()>,
}

#[derive(Debug)]
enum Job {
    Create(NewRun, Done<Claim>),
    Claim(RunId, Done<Claim>),
    Release(Claim, Done<()>),
    Append(Append, Done<()>),
}

impl Writer {
    pub(super) fn start(folder: Folder, connection: SqliteConnection, owner: Owner) -> Writer {
        let (jobs, waiting) = mpsc::channel(QUEUE);
        let task = tokio::spawn(Task { folder, connection, owner }.run(waiting));
        Writer { jobs, task }
    }

    pub(super) async fn create(&self, run: NewRun) -> Result<Claim, log::Error> {
        self.ask(|done| Job::Create(run, done)).await
    }

    pub(super) async fn claim(&self, run: RunId) -> Result<Claim, log::Error> {
        self.ask(|done| Job::Claim(run, done)).await
    }

    pub(super) async fn release(&self, claim: Claim) -> Result<(), log::Error> {
        self.ask(|done| Job::Release(claim, done)).await
    }

    pub(super) async fn append(&self, append: Append) -> Result<(), log::Error> {
        self.ask(|done| Job::Append(append, done)).await
    }

    /// Stores what waits, then gives up the owner and all its runs.
    pub(super) async fn close(self) {
        drop(self.jobs);
        // A task that panicked has given its owner up too.
        let _ = self.task.await;
    }

    async fn ask<T>(&self, job: impl FnOnce(Done<T>) -> Job) -> Result<T, log::Error> {
        let gone = || log::Error::Storage("the task that writes is gone".to_owned());
        let (done, outcome) = oneshot::channel();
        self.jobs.send(job(done)).await.map_err(|_| gone())?;
        outcome.await.map_err(|_| gone())?
    }
}

struct Task {
    folder: Folder,
    connection: SqliteConnection,
    /// Given up last: while its lock is held, what was queued may still be written.
    owner: Owner,
}

impl Task {
    async fn run(mut self, mut jobs: mpsc::Receiver<Job>) {
        let mut waiting = Vec::new();
        let mut busy = false;
        while jobs.recv_many(&mut waiting, QUEUE).await > 0 {
            if busy {
                tokio::time::sleep(GATHERING).await;
                while waiting.len() < QUEUE
                    && let Ok(job) = jobs.try_recv()
                {
                    waiting.push(job);
                }
            }
            busy = waiting.len() > 1;
            let mut group = Group::default();
            // In order, and a group never reaches across another job: an append that was sent before a release is
            // stored before it.
            for job in waiting.drain(..) {
                let closes = match &job {
                    Job::Append(append, _) => !group.has_room_for(append.claim.run),
                    _ => true,
                };
                if closes {
                    self.commit(std::mem::take(&mut group)).await;
                }
                match job {
                    Job::Append(append, done) => group.push(append, done),
                    Job::Create(run, done) => tell(done, self.create(run).await),
                    Job::Claim(run, done) => tell(done, self.claim(run).await),
                    Job::Release(claim, done) => tell(done, self.release(claim).await),
                }
            }
            self.commit(group).await;
        }
        // Closing in peace lets SQLite fold the write-ahead log into the database. If it cannot, the next one to
        // open the folder does.
        let _ = self.connection.close().await;
    }

    async fn commit(&mut self, group: Group) {
        group.commit(&mut self.connection, self.owner.id()).await;
    }

    async fn create(&mut self, new: NewRun) -> Result<Claim, log::Error> {
        let created = sqlx::query(
            "INSERT INTO runs (id, production, name, started_at, epoch, owner, length)
             VALUES ($1, $2, $3, $4, 1, $5, 0)
             ON CONFLICT DO NOTHING",
        )
        .bind(new.run.to_string())
        .bind(new.production)
        .bind(new.name)
        .bind(new.at)
        .bind(self.owner.id().to_string())
        .execute(&mut self.connection)
        .await
        .map_err(|e| storage(&e))?;
        match created.rows_affected() {
            1 => Ok(Claim { run: new.run, epoch: 1 }),
            _ => Err(log::Error::Conflict(new.run)),
        }
    }

    async fn claim(&mut self, run: RunId) -> Result<Claim, log::Error> {
        loop {
            let (epoch, owner) = self.claimed(run).await?;
            if let Some(owner) = owner {
                let alive = owner == self.owner.id()
                    || owner.is_alive(&self.folder.owners).map_err(|e| log::Error::Storage(e.to_string()))?;
                if alive {
                    return Err(log::Error::Busy(run));
                }
            }
            if self.take(run, epoch).await? {
                if let Some(dead) = owner {
                    dead.bury(&self.folder.owners);
                }
                return Ok(Claim { run, epoch: epoch + 1 });
            }
            // Somebody else claimed it since we looked: look again at who that is.
        }
    }

    /// Who claimed a run, and how many claims there were.
    async fn claimed(&mut self, run: RunId) -> Result<(u64, Option<OwnerId>), log::Error> {
        let row = sqlx::query("SELECT epoch, owner FROM runs WHERE id = $1")
            .bind(run.to_string())
            .fetch_optional(&mut self.connection)
            .await
            .map_err(|e| storage(&e))?
            .ok_or(log::Error::NotFound(run))?;
        let owner: Option<&str> = row.get("owner");
        Ok((row.get::<i64, _>("epoch") as u64, owner.and_then(OwnerId::parse)))
    }

    /// Takes a run over, unless somebody claimed it after `epoch`. A single statement is a transaction of its own,
    /// so of two who try one succeeds.
    async fn take(&mut self, run: RunId, epoch: u64) -> Result<bool, log::Error> {
        let taken = sqlx::query("UPDATE runs SET owner = $1, epoch = epoch + 1 WHERE id = $2 AND epoch = $3")
            .bind(self.owner.id().to_string())
            .bind(run.to_string())
            .bind(epoch as i64)
            .execute(&mut self.connection)
            .await
            .map_err(|e| storage(&e))?;
        Ok(taken.rows_affected() == 1)
    }

    async fn release(&mut self, claim: Claim) -> Result<(), log::Error> {
        sqlx::query("UPDATE runs SET owner = NULL WHERE id = $1 AND epoch = $2 AND owner = $3")
            .bind(claim.run.to_string())
            .bind(claim.epoch as i64)
            .bind(self.owner.id().to_string())
            .execute(&mut self.connection)
            .await
            .map_err(|e| storage(&e))?;
        Ok(())
    }
}
