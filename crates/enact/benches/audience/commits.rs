//! A store that notes when each append was committed.

use std::{
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use async_trait::async_trait;
use enact_drama::{Record, RunId, Seq, Steering};
use enact_engine::{
    Log, Store,
    log::{Batch, Claim, Error, LetterId, NewRun, RunSummary},
    store::{Enqueued, Extract, Letter, Listing, News, Order},
};
use tokio::sync::broadcast;

/// Passes everything on to another store.
#[derive(Debug)]
pub(crate) struct Commits {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) noted: Mutex<Vec<Commit>>,
}

/// So many records of a run, committed at this time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Commit {
    pub(crate) run: RunId,
    pub(crate) first: u64,
    pub(crate) records: usize,
    /// When the rules decided on the first of them.
    pub(crate) decided_ms: i64,
    pub(crate) at_ns: u64,
}

/// The time as another process on this machine tells it too.
pub(crate) fn now_ns() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}

#[async_trait]
impl Log for Commits {
    async fn append(&self, claim: &Claim, batch: Batch) -> Result<(), Error> {
        let first = batch.records.first().map(|record| (record.seq.0, record.at));
        let records = batch.records.len();
        self.store.append(claim, batch).await?;
        if let Some((first, decided_ms)) = first {
            let commit = Commit { run: claim.run, first, records, decided_ms, at_ns: now_ns() };
            self.noted.lock().unwrap_or_else(PoisonError::into_inner).push(commit);
        }
        Ok(())
    }

    async fn create(&self, run: NewRun) -> Result<Claim, Error> {
        self.store.create(run).await
    }

    async fn claim(&self, run: RunId) -> Result<Claim, Error> {
        self.store.claim(run).await
    }

    async fn release(&self, claim: Claim) -> Result<(), Error> {
        self.store.release(claim).await
    }

    async fn read(&self, run: RunId, from: Seq) -> Result<Vec<Record>, Error> {
        self.store.read(run, from).await
    }

    async fn runs(&self) -> Result<Vec<RunSummary>, Error> {
        self.store.runs().await
    }
}

#[async_trait]
impl Store for Commits {
    async fn enqueue(
        &self,
        run: NewRun,
        records: Vec<Record>,
        order: Option<Order>,
    ) -> Result<Enqueued, Error> {
        self.store.enqueue(run, records, order).await
    }

    async fn claim_waiting(&self, most: usize) -> Result<Vec<Claim>, Error> {
        self.store.claim_waiting(most).await
    }

    async fn put_back(&self, claim: Claim, problem: &str, pause: Duration) -> Result<(), Error> {
        self.store.put_back(claim, problem, pause).await
    }

    async fn post(&self, run: RunId, wanted: Steering) -> Result<LetterId, Error> {
        self.store.post(run, wanted).await
    }

    async fn letters(&self) -> Result<Vec<Letter>, Error> {
        self.store.letters().await
    }

    async fn find(&self, run: RunId) -> Result<RunSummary, Error> {
        self.store.find(run).await
    }

    async fn list(&self, wanted: &Listing) -> Result<Vec<RunSummary>, Error> {
        self.store.list(wanted).await
    }

    async fn read_some(&self, run: RunId, from: Seq, most: usize) -> Result<Vec<Record>, Error> {
        self.store.read_some(run, from, most).await
    }

    async fn delete(&self, run: RunId) -> Result<(), Error> {
        self.store.delete(run).await
    }

    async fn keep_extract(&self, run: RunId, kind: &str, body: &str) -> Result<(), Error> {
        self.store.keep_extract(run, kind, body).await
    }

    async fn extracts(&self, kind: &str, started: Range<i64>) -> Result<Vec<Extract>, Error> {
        self.store.extracts(kind, started).await
    }

    async fn without_extract(&self, kind: &str, most: usize) -> Result<Vec<RunId>, Error> {
        self.store.without_extract(kind, most).await
    }

    async fn ready(&self) -> Result<(), Error> {
        self.store.ready().await
    }

    fn name(&self) -> &'static str {
        self.store.name()
    }

    fn news(&self) -> broadcast::Receiver<News> {
        self.store.news()
    }
}
