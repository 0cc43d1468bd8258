//! Putting runs into the queue.

use enact_drama::{Record, RunId, Seq, dice::seed_of, production::Fork};
use uuid::Uuid;

use super::{Error, Follower, Node, Placed};
use crate::{
    log::NewRun,
    perform,
    store::{Enqueued, Next, Order, Submission},
};

/// Who makes a run, and how.
#[derive(Debug, Clone, Default)]
pub struct Submitter {
    /// Which account (token); empty where callers have no names.
    pub account: String,
    /// Names the request, so that a repetition makes no second run.
    pub order: Option<Order>,
    /// The conversation it goes on with.
    pub next: Option<Next>,
}

impl Node {
    /// The run that this order made before, if it did. A repeated request gets it even where nothing new could be made.
    pub async fn ordered(&self, order: &Order) -> Result<Option<Placed>, Error> {
        match self.inner.store.ordered(order).await? {
            Some(Enqueued::Before(run)) => Ok(Some(Placed { run, before: true })),
            Some(Enqueued::Reused) => Err(Error::Reused),
            Some(Enqueued::New | Enqueued::Busy(_)) | None => Ok(None),
        }
    }

    /// Puts a run into the queue that begins with this record, whatever production it is of.
    pub async fn submit(&self, first: Record, by: Submitter) -> Result<Placed, Error> {
        self.enqueue(vec![first], None, by).await
    }

    /// Follows a run that was just submitted, from its first record on. Nothing is asked of the store for it.
    pub fn follow_new(&self, run: RunId) -> Follower {
        Follower::new(self.inner.feeds.of(run), self.inner.store.clone(), Seq(0))
    }

    /// Puts a new run into the queue that shares everything through the end of a beat with another.
    pub async fn fork(
        &self,
        run: RunId,
        beat: u32,
        seed: Option<u64>,
        by: Submitter,
    ) -> Result<Placed, Error> {
        let records = self.inner.store.read(run, Seq(0)).await?;
        let first = records.first().ok_or(Error::NoBeginning(run))?;
        let id = RunId(Uuid::now_v7());
        let seed = seed.unwrap_or_else(|| seed_of(id));
        let fork = Fork { beat, run: id, seed, at: self.inner.clock.now_ms() };
        let forked = self.inner.productions.of(first)?.fork(&records, fork).map_err(Box::new)?;
        self.enqueue(forked, Some(run), by).await
    }

    async fn enqueue(
        &self,
        records: Vec<Record>,
        parent: Option<RunId>,
        by: Submitter,
    ) -> Result<Placed, Error> {
        let first =
            records.first().ok_or_else(|| Error::Unplayable(perform::Error::NoBeginning.to_string()))?;
        let production = self.inner.productions.of(first)?;
        let header = production.header(first)?;
        let header = header.ok_or_else(|| Error::Unplayable(perform::Error::NoBeginning.to_string()))?;
        let run = NewRun {
            run: header.run,
            production: production.name(),
            name: header.title,
            at: records.last().map_or(first.at, |last| last.at),
            parent,
            account: by.account,
        };
        let rows = production.rows(&records)?;
        let submission = Submission { run, records, rows, order: by.order, next: by.next };
        let run = header.run;
        match self.inner.store.enqueue(submission).await? {
            Enqueued::New => {
                self.inner.claim.notify_one();
                Ok(Placed { run, before: false })
            }
            Enqueued::Before(run) => Ok(Placed { run, before: true }),
            Enqueued::Busy(run) => Err(Error::Talking(run)),
            Enqueued::Reused => Err(Error::Reused),
        }
    }
}
