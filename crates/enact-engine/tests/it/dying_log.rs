//! A log whose process dies after so many appends.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use enact_drama::{Record, RunId, Seq};
use enact_engine::{
    Log,
    log::{Batch, Claim, Error, MemoryLog, NewRun, RunSummary},
};

#[derive(Debug)]
pub(crate) struct DyingLog {
    inner: MemoryLog,
    left: AtomicUsize,
}

impl DyingLog {
    pub(crate) fn after(appends: usize) -> DyingLog {
        DyingLog { inner: MemoryLog::default(), left: AtomicUsize::new(appends) }
    }

    /// Appends work again, as for another process that comes.
    pub(crate) fn revive(&self) {
        self.live_for(usize::MAX);
    }

    /// The same, for a process that dies after so many.
    pub(crate) fn live_for(&self, appends: usize) {
        self.left.store(appends, Ordering::SeqCst);
    }
}

#[async_trait]
impl Log for DyingLog {
    async fn create(&self, run: NewRun) -> Result<Claim, Error> {
        self.inner.create(run).await
    }

    async fn claim(&self, run: RunId) -> Result<Claim, Error> {
        self.inner.claim(run).await
    }

    async fn release(&self, claim: Claim) -> Result<(), Error> {
        self.inner.release(claim).await
    }

    async fn append(&self, claim: &Claim, batch: Batch) -> Result<(), Error> {
        let lives = |left: usize| left.checked_sub(1);
        match self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, lives) {
            Ok(_) => self.inner.append(claim, batch).await,
            Err(_) => Err(Error::Storage("killed".to_owned())),
        }
    }

    async fn read(&self, run: RunId, from: Seq) -> Result<Vec<Record>, Error> {
        self.inner.read(run, from).await
    }

    async fn runs(&self) -> Result<Vec<RunSummary>, Error> {
        self.inner.runs().await
    }
}
