//! A store as networks make it: sometimes away, slow to write, silent about what others did. And one that counts.

use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{Record, RunId, Seq, Steering};
use enact_engine::{
    Log, Store,
    log::{Batch, Claim, Error, LetterId, MemoryLog, NewRun, RunSummary},
    store::{Conversation, Enqueued, Extract, Letter, Listing, News, Next, Order, Talk},
};
use tokio::sync::{broadcast, watch};

#[derive(Debug)]
pub(crate) struct Rough {
    pub(crate) inner: Arc<MemoryLog>,
    pub(crate) away: AtomicBool,
    /// Appends wait while it is shut.
    pub(crate) gate: watch::Sender<Gate>,
    /// Whoever looks for runs that wait does while it is shut.
    pub(crate) queue: watch::Sender<Gate>,
    pub(crate) reads: AtomicUsize,
    pub(crate) claims: AtomicUsize,
    nothing: Option<broadcast::Sender<News>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    Open,
    Shut,
}

impl Rough {
    pub(crate) fn new() -> Arc<Rough> {
        Rough::on(Arc::default())
    }

    pub(crate) fn on(inner: Arc<MemoryLog>) -> Arc<Rough> {
        Arc::new(Rough::told(inner, None))
    }

    /// Nobody ever hears of anything.
    pub(crate) fn silent(inner: Arc<MemoryLog>) -> Arc<Rough> {
        Arc::new(Rough::told(inner, Some(broadcast::Sender::new(1))))
    }

    fn told(inner: Arc<MemoryLog>, nothing: Option<broadcast::Sender<News>>) -> Rough {
        Rough {
            inner,
            away: AtomicBool::new(false),
            gate: watch::Sender::new(Gate::Open),
            queue: watch::Sender::new(Gate::Open),
            reads: AtomicUsize::new(0),
            claims: AtomicUsize::new(0),
            nothing,
        }
    }

    fn reached(&self) -> Result<(), Error> {
        match self.away.load(SeqCst) {
            true => Err(Error::Storage("nobody answers".to_owned())),
            false => Ok(()),
        }
    }

    fn read(&self) -> Result<(), Error> {
        self.reads.fetch_add(1, SeqCst);
        self.reached()
    }
}

#[async_trait]
impl Log for Rough {
    async fn create(&self, run: NewRun) -> Result<Claim, Error> {
        self.inner.create(run).await
    }

    async fn claim(&self, run: RunId) -> Result<Claim, Error> {
        self.inner.claim(run).await
    }

    async fn release(&self, claim: Claim) -> Result<(), Error> {
        self.reached()?;
        self.inner.release(claim).await
    }

    async fn append(&self, claim: &Claim, batch: Batch) -> Result<(), Error> {
        let _ = self.gate.subscribe().wait_for(|gate| *gate == Gate::Open).await;
        self.reached()?;
        self.inner.append(claim, batch).await
    }

    async fn read(&self, run: RunId, from: Seq) -> Result<Vec<Record>, Error> {
        self.read()?;
        Log::read(&*self.inner, run, from).await
    }

    async fn runs(&self) -> Result<Vec<RunSummary>, Error> {
        self.inner.runs().await
    }
}

#[async_trait]
impl Store for Rough {
    async fn enqueue(
        &self,
        run: NewRun,
        records: Vec<Record>,
        order: Option<Order>,
    ) -> Result<Enqueued, Error> {
        self.reached()?;
        self.inner.enqueue(run, records, order).await
    }

    async fn converse(
        &self,
        next: Next,
        run: NewRun,
        records: Vec<Record>,
        order: Option<Order>,
    ) -> Result<Enqueued, Error> {
        self.inner.converse(next, run, records, order).await
    }

    async fn conversation(&self, of: &Conversation) -> Result<Option<Talk>, Error> {
        self.inner.conversation(of).await
    }

    async fn clear(&self, of: &Conversation) -> Result<Option<Talk>, Error> {
        self.inner.clear(of).await
    }

    async fn import(&self, run: NewRun, records: Vec<Record>, ended: Option<String>) -> Result<(), Error> {
        self.inner.import(run, records, ended).await
    }

    async fn ordered(&self, order: &Order) -> Result<Option<Enqueued>, Error> {
        self.reached()?;
        self.inner.ordered(order).await
    }

    async fn waiting(&self, at_most: usize) -> Result<usize, Error> {
        self.reached()?;
        self.inner.waiting(at_most).await
    }

    async fn claim_waiting(&self, most: usize) -> Result<Vec<Claim>, Error> {
        let _ = self.queue.subscribe().wait_for(|queue| *queue == Gate::Open).await;
        self.reached()?;
        let claims = self.inner.claim_waiting(most).await?;
        self.claims.fetch_add(claims.len(), SeqCst);
        Ok(claims)
    }

    async fn put_back(&self, claim: Claim, problem: &str, pause: Duration) -> Result<(), Error> {
        self.reached()?;
        self.inner.put_back(claim, problem, pause).await
    }

    async fn post(&self, run: RunId, wanted: Steering) -> Result<LetterId, Error> {
        self.reached()?;
        self.inner.post(run, wanted).await
    }

    async fn letters(&self) -> Result<Vec<Letter>, Error> {
        self.reached()?;
        self.inner.letters().await
    }

    async fn find(&self, run: RunId) -> Result<RunSummary, Error> {
        self.read()?;
        self.inner.find(run).await
    }

    async fn list(&self, wanted: &Listing) -> Result<Vec<RunSummary>, Error> {
        self.inner.list(wanted).await
    }

    async fn read_some(&self, run: RunId, from: Seq, most: usize) -> Result<Vec<Record>, Error> {
        self.read()?;
        self.inner.read_some(run, from, most).await
    }

    async fn delete(&self, run: RunId) -> Result<(), Error> {
        self.inner.delete(run).await
    }

    async fn keep_extract(&self, run: RunId, kind: &str, body: &str) -> Result<(), Error> {
        self.inner.keep_extract(run, kind, body).await
    }

    async fn extracts(&self, kind: &str, started: Range<i64>) -> Result<Vec<Extract>, Error> {
        self.inner.extracts(kind, started).await
    }

    async fn without_extract(&self, kind: &str, most: usize) -> Result<Vec<RunId>, Error> {
        self.inner.without_extract(kind, most).await
    }

    async fn ready(&self) -> Result<(), Error> {
        self.reached()
    }

    fn name(&self) -> &'static str {
        "rough"
    }

    fn news(&self) -> broadcast::Receiver<News> {
        self.nothing.as_ref().map_or_else(|| self.inner.news(), broadcast::Sender::subscribe)
    }
}
