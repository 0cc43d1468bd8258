//! Making runs: new ones and forks, put into the queue.

use enact_drama::{
    Record, RunId, Seq,
    dice::seed_of,
    production::{Fork, ForkPoint},
};

use super::{Error, Follower, Inner, Node, Submitted};
use crate::{
    Productions,
    clock::unique_id,
    log::NewRun,
    run_loop,
    store::{Enqueued, IdempotencyKey, NextRun, Submission},
};

/// Who makes a run, and how.
#[derive(Debug, Clone, Default)]
pub struct Submitter {
    /// Which account (token); empty where callers have no names.
    pub account: String,
    /// Names the request, so that a repetition makes no second run.
    pub idempotency_key: Option<IdempotencyKey>,
    /// The conversation it goes on with.
    pub next: Option<NextRun>,
}

impl Node {
    /// The run that an earlier request with this key made, if any. A repeated request gets it even when the
    /// queue is full.
    pub async fn find_submitted(&self, idempotency_key: &IdempotencyKey) -> Result<Option<Submitted>, Error> {
        match self.inner.store.find_submitted(idempotency_key).await? {
            Some(Enqueued::AlreadyQueued(run)) => Ok(Some(Submitted { run, repeated: true })),
            Some(Enqueued::KeyReused) => Err(Error::KeyReused),
            Some(Enqueued::New | Enqueued::Busy(_)) | None => Ok(None),
        }
    }

    /// Puts a run into the queue that begins with this record, whatever production it is of.
    pub async fn submit(&self, first: Record, by: Submitter) -> Result<Submitted, Error> {
        self.enqueue(submission(&self.inner.productions, vec![first], None)?, by).await
    }

    /// Follows a run that was just submitted, from its first record on. Nothing is asked of the store for it.
    pub fn follow_new(&self, run: RunId) -> Follower {
        Follower::new(self.inner.feeds.of(run), self.inner.store.clone(), Seq(0))
    }

    /// Puts a new run into the queue that shares everything through the end of a beat, or of one of its lines,
    /// with another.
    pub async fn fork(
        &self,
        run: RunId,
        at: impl Into<ForkPoint>,
        seed: Option<u64>,
        by: Submitter,
    ) -> Result<Submitted, Error> {
        let Inner { store, productions, clock, .. } = &*self.inner;
        let records = store.read(run, Seq(0)).await?;
        self.enqueue(fork(productions, run, &records, at.into(), seed, clock.now_ms())?, by).await
    }

    async fn enqueue(&self, made: Submission, by: Submitter) -> Result<Submitted, Error> {
        let run = made.run.run;
        let about = NewRun { account: by.account, ..made.run };
        let submission =
            Submission { run: about, idempotency_key: by.idempotency_key, next: by.next, ..made };
        match self.inner.store.enqueue(submission).await? {
            Enqueued::New => {
                self.inner.claim.notify_one();
                Ok(Submitted { run, repeated: false })
            }
            Enqueued::AlreadyQueued(run) => Ok(Submitted { run, repeated: true }),
            Enqueued::Busy(run) => Err(Error::ConversationBusy(run)),
            Enqueued::KeyReused => Err(Error::KeyReused),
        }
    }
}

/// An id that no other run has.
pub fn new_run() -> RunId {
    RunId(unique_id())
}

/// A new run that shares everything through the end of a beat, or of one of its lines, with the run of these
/// records, and goes its own way from there: with this seed or, where none is wanted, with one of its own.
pub(crate) fn fork(
    productions: &Productions,
    parent: RunId,
    records: &[Record],
    point: ForkPoint,
    seed: Option<u64>,
    at: i64,
) -> Result<Submission, Error> {
    let first = records.first().ok_or(Error::NoBeginning(parent))?;
    let run = new_run();
    let random = [uuid::Uuid::new_v4().as_u128(), uuid::Uuid::new_v4().as_u128()];
    let fork = Fork { point, run, seed: seed.unwrap_or_else(|| seed_of(run)), at, random };
    let forked = productions.of(first)?.fork(records, fork).map_err(Box::new)?;
    submission(productions, forked, Some(parent))
}

/// A run that begins with these records, made by no account.
fn submission(
    productions: &Productions,
    records: Vec<Record>,
    parent: Option<RunId>,
) -> Result<Submission, Error> {
    let no_beginning = || Error::Unplayable(run_loop::Error::NoBeginning.to_string());
    let first = records.first().ok_or_else(no_beginning)?;
    let production = productions.of(first)?;
    let header = production.header(first)?.ok_or_else(no_beginning)?;
    let run = NewRun {
        run: header.run,
        production: production.name(),
        name: header.title,
        at: records.last().map_or(first.at, |last| last.at),
        parent,
        account: String::new(),
    };
    let rows = production.rows(&records)?;
    Ok(Submission { run, records, rows, idempotency_key: None, next: None })
}
