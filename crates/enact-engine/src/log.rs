//! Where facts are kept.

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use enact_drama::{Record, RunId, Seq, row::RowChange};
use serde::{Deserialize, Serialize};

pub use crate::memory::MemoryStore;

/// The append-only logs of all runs.
///
/// Implementers promise:
/// * **Atomic:** the records of one append are stored together or not at all, and are durable against the
///   death of the process when `append` returns.
/// * **Fenced:** an append succeeds only at the expected seq and only for the newest claim on the run;
///   otherwise it is a [`Error::Conflict`]: the caller no longer owns the run and must stop.
/// * **Gapless:** the seqs of a run are 0, 1, 2, …
#[async_trait]
pub trait Log: Debug + Send + Sync {
    /// Makes a run known and claims it.
    async fn create(&self, run: NewRun) -> Result<Claim, Error>;

    /// Claims a run that no process plays: one whose owner released it or died, or one that rests. One that
    /// rested is in the queue from then on, as after a [command](crate::Store::post): should its owner be
    /// gone before it rests again, nodes play it.
    async fn claim(&self, run: RunId) -> Result<Claim, Error>;

    /// Gives a run up, so that others may claim it.
    async fn release(&self, claim: Claim) -> Result<(), Error>;

    /// Gives a run up that waits for a command, until one [is posted](crate::Store::post): in the same
    /// transaction the inbox is looked at, and if it holds a command newer than `seen`, nothing is given up
    /// and the answer is `false`. A resting run costs nothing: it has no owner, is in no queue and is found
    /// by no poll.
    async fn rest(&self, claim: Claim, seen: Option<CommandId>) -> Result<bool, Error>;

    /// Appends what belongs together, the first record of which has the seq the run's log has reached. To
    /// append nothing is to ask whether the claim still counts.
    async fn append(&self, claim: &Claim, batch: Batch) -> Result<(), Error>;

    /// The records of a run from a seq on, in order.
    async fn read(&self, run: RunId, from: Seq) -> Result<Vec<Record>, Error>;

    /// The newest checkpoint of a run, if it has any.
    async fn checkpoint(&self, run: RunId) -> Result<Option<Checkpoint>, Error>;

    /// All runs that have begun, newest first. One that was created and has no record yet, because its
    /// process died in between, has nothing to show or to resume.
    async fn runs(&self) -> Result<Vec<RunSummary>, Error>;
}

/// The right to append to a run, until another process claims it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    pub run: RunId,
    /// Grows with every claim: appends with an old one are refused.
    pub epoch: u64,
}

/// What is stored together or not at all.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// With seqs that follow each other. Shared with observers and followers.
    pub records: Vec<Arc<Record>>,
    /// Why the run is over, with the records that end it. Its inbox is emptied. A command that was accepted
    /// must not be lost with it: if the inbox holds one that is newer than `seen` and is not `taken`, nothing
    /// is stored, and the append is refused as [unread](Error::Unread).
    pub ended: Option<String>,
    /// The records refuse what commands may ask for that were accepted before them: as with an end, nothing is
    /// stored while one of them is unread.
    pub after_commands: bool,
    /// The newest command that was read, whether or not anything followed from it. Only what has to be stored
    /// [after all commands](Batch::needs_all_read) looks at it.
    pub seen: Option<CommandId>,
    /// The command from the run's inbox that this follows from; it is taken out of it.
    pub taken: Option<CommandId>,
    /// What the records do to the rows derived from the run, in order.
    pub rows: Vec<RowChange>,
    /// Replaces the run's checkpoint.
    pub checkpoint: Option<Checkpoint>,
}

/// What a log has come to, so that nothing before it has to be read again. It is derived: a run whose
/// checkpoint is lost or cannot be read is folded from its first record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The seq of the first record that is not in it.
    pub next: Seq,
    /// Compressed; stores do not look inside.
    pub body: Vec<u8>,
}

impl Batch {
    pub fn of(records: impl IntoIterator<Item = Record>) -> Batch {
        Batch { records: records.into_iter().map(Arc::new).collect(), ..Batch::default() }
    }

    /// Whether it is stored only if all commands to the run were read.
    pub fn needs_all_read(&self) -> bool {
        self.ended.is_some() || self.after_commands
    }

    pub fn ended(mut self, reason: impl Into<String>) -> Batch {
        self.ended = Some(reason.into());
        self
    }

    pub fn seen(mut self, command: CommandId) -> Batch {
        self.seen = Some(command);
        self
    }

    pub fn taken(mut self, command: CommandId) -> Batch {
        self.taken = Some(command);
        self
    }
}

/// Names a command that was posted to a run. Grows with every command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CommandId(pub u64);

#[derive(Debug, Clone)]
pub struct NewRun {
    pub run: RunId,
    /// What is played: `scene`.
    pub production: &'static str,
    pub name: String,
    /// UTC milliseconds.
    pub at: i64,
    /// The run it was forked from.
    pub parent: Option<RunId>,
    /// Which account (token) made it; empty where callers have no names.
    pub account: String,
}

/// A run as lists show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunSummary {
    pub run: RunId,
    pub production: String,
    pub name: String,
    pub started_at: i64,
    pub status: Status,
    /// The end reason of a finished run.
    pub reason: Option<String>,
    /// How many records its log holds.
    pub events: u64,
    /// The run it was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<RunId>,
    /// Which account made it; empty where callers have no names.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub account: String,
    /// Why it waits, where it was tried and could not be played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Where a run is: `waiting` to be played, `playing`, `resting` (it waits for a command, and costs nothing until
/// one comes), `paused`, `interrupted` (no process plays it; it can be resumed), or `finished`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = RunStatus))]
pub enum Status {
    /// It is in the queue: a node will play it.
    Waiting,
    /// A process is playing it now.
    Playing,
    /// It waits for a command, and is played again once one is posted.
    Resting,
    /// It rests or is still being played, and a person holds it up: its rows say so
    /// ([`PAUSED`](enact_drama::row::PAUSED)).
    Paused,
    /// No process plays it, it is in no queue and has not ended: it can be resumed.
    Interrupted,
    Finished,
}

impl Status {
    /// How a run stands that a person holds up, if it would stand like this otherwise.
    pub fn held_up(self) -> Status {
        match self {
            Status::Playing | Status::Resting => Status::Paused,
            other => other,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no run {0} here")]
    NotFound(RunId),
    /// Another process plays it right now.
    #[error("run {0} is being played by another process")]
    Busy(RunId),
    /// Another process appended or claimed: the caller no longer owns the run.
    #[error("run {0} was taken over by another process")]
    Conflict(RunId),
    /// It would have ended without looking at commands that were accepted before.
    #[error("run {0} has commands in its inbox that were not read yet")]
    Unread(RunId),
    #[error("run {0} has ended")]
    Ended(RunId),
    /// It is in no queue either: no process would read what is posted to it.
    #[error("no process plays run {0}: it has to be resumed first")]
    Idle(RunId),
    #[error("the inbox of run {0} is full")]
    Full(RunId),
    #[error("the store failed: {0}")]
    Storage(String),
}
