//! A store with the faults of networks and processes: unreachable, slow, silent about what others did, dead
//! after so many appends.

use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    Record, RunId, Seq,
    row::{Row, RowChange},
};
use enact_engine::{
    Log, Store,
    log::{Batch, Checkpoint, Claim, CommandId, Error, MemoryStore, NewRun, RunSummary},
    store::{
        Conversation, ConversationHead, Enqueued, Extract, IdempotencyKey, Listing, Notification, Posted,
        PostedCommand, RowQuery, StoredRow, Submission, Wake,
    },
};
use tokio::sync::{broadcast, watch};

/// What an unreachable store says. It holds a secret, as such messages do, so that tests can see that it is
/// not passed on.
const UNREACHABLE: &str = "postgres://user:secret@elsewhere is unreachable";

/// A store in memory whose faults are switched on and off. It counts what it is asked for.
#[derive(Debug)]
pub struct FaultyStore {
    /// The store behind it, where no fault is met. Several may stand before one: each is the way of one node
    /// to it.
    pub inner: Arc<MemoryStore>,
    unreachable: AtomicBool,
    appending: watch::Sender<Gate>,
    claiming: watch::Sender<Gate>,
    posting: watch::Sender<Gate>,
    appends_left: AtomicUsize,
    reads: AtomicUsize,
    records_read: AtomicUsize,
    claims: AtomicUsize,
    looks: AtomicUsize,
    submits: AtomicUsize,
    /// News that never come, in place of those of the store behind it.
    silence: Option<broadcast::Sender<Notification>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gate {
    Open,
    Shut,
}

/// What kind of call a method is, as far as faults differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Append,
    /// Looks for runs that wait to be played.
    ClaimWaiting,
    Read,
    /// Makes a run, or prepares to: looks at the queue, a conversation, an idempotency key.
    Submit,
    Post,
    Other,
}

impl Default for FaultyStore {
    fn default() -> FaultyStore {
        FaultyStore::before(Arc::default())
    }
}

impl FaultyStore {
    /// Stands before a store that others use too.
    pub fn before(inner: Arc<MemoryStore>) -> FaultyStore {
        FaultyStore {
            inner,
            unreachable: AtomicBool::new(false),
            appending: watch::Sender::new(Gate::Open),
            claiming: watch::Sender::new(Gate::Open),
            posting: watch::Sender::new(Gate::Open),
            appends_left: AtomicUsize::new(usize::MAX),
            reads: AtomicUsize::new(0),
            records_read: AtomicUsize::new(0),
            claims: AtomicUsize::new(0),
            looks: AtomicUsize::new(0),
            submits: AtomicUsize::new(0),
            silence: None,
        }
    }

    /// Fails every append after so many, as if the process had been killed then.
    pub fn failing_after_appends(appends: usize) -> FaultyStore {
        let store = FaultyStore::default();
        store.fail_after_appends(appends);
        store
    }

    /// Has no news of what others do.
    pub fn silent(mut self) -> FaultyStore {
        self.silence = Some(broadcast::Sender::new(1));
        self
    }

    /// Cannot be reached, until it [recovers](FaultyStore::recover).
    pub fn fail(&self) {
        self.unreachable.store(true, SeqCst);
    }

    /// Fails every append after so many more.
    pub fn fail_after_appends(&self, appends: usize) {
        self.appends_left.store(appends, SeqCst);
    }

    /// Can be reached again, and appended to.
    pub fn recover(&self) {
        self.unreachable.store(false, SeqCst);
        self.fail_after_appends(usize::MAX);
    }

    /// Appends wait from now on.
    pub fn hold_appends(&self) {
        self.appending.send_replace(Gate::Shut);
    }

    pub fn release_appends(&self) {
        self.appending.send_replace(Gate::Open);
    }

    /// Calls that look for waiting runs wait from now on.
    pub fn hold_claims(&self) {
        self.claiming.send_replace(Gate::Shut);
    }

    pub fn release_claims(&self) {
        self.claiming.send_replace(Gate::Open);
    }

    /// Commands that are posted wait from now on.
    pub fn hold_posts(&self) {
        self.posting.send_replace(Gate::Shut);
    }

    pub fn release_posts(&self) {
        self.posting.send_replace(Gate::Open);
    }

    /// How many calls have read a run.
    pub fn reads(&self) -> usize {
        self.reads.load(SeqCst)
    }

    /// How many records those that have read a log were given.
    pub fn records_read(&self) -> usize {
        self.records_read.load(SeqCst)
    }

    /// How many runs were claimed from the queue.
    pub fn claims(&self) -> usize {
        self.claims.load(SeqCst)
    }

    /// How often waiting runs were looked for.
    pub fn looks(&self) -> usize {
        self.looks.load(SeqCst)
    }

    /// How many calls have made a run, or prepared to.
    pub fn submits(&self) -> usize {
        self.submits.load(SeqCst)
    }

    /// The store behind it, if this call reaches it: all faults happen here.
    async fn reach(&self, call: Call) -> Result<&MemoryStore, Error> {
        match call {
            Call::Append => opened(&self.appending).await,
            Call::ClaimWaiting => opened(&self.claiming).await,
            Call::Post => opened(&self.posting).await,
            Call::Read => _ = self.reads.fetch_add(1, SeqCst),
            Call::Submit => _ = self.submits.fetch_add(1, SeqCst),
            Call::Other => {}
        }
        if self.unreachable.load(SeqCst) {
            return Err(Error::Storage(UNREACHABLE.to_owned()));
        }
        let one_less = |left: usize| left.checked_sub(1);
        if call == Call::Append && self.appends_left.fetch_update(SeqCst, SeqCst, one_less).is_err() {
            return Err(Error::Storage("killed".to_owned()));
        }
        Ok(&self.inner)
    }

    fn count(&self, records: Vec<Record>) -> Vec<Record> {
        self.records_read.fetch_add(records.len(), SeqCst);
        records
    }
}

async fn opened(gate: &watch::Sender<Gate>) {
    gate.subscribe().wait_for(|gate| *gate == Gate::Open).await.unwrap();
}

#[async_trait]
impl Log for FaultyStore {
    async fn create(&self, run: NewRun) -> Result<Claim, Error> {
        self.reach(Call::Other).await?.create(run).await
    }

    async fn claim(&self, run: RunId) -> Result<Claim, Error> {
        self.reach(Call::Other).await?.claim(run).await
    }

    async fn release(&self, claim: Claim) -> Result<(), Error> {
        self.reach(Call::Other).await?.release(claim).await
    }

    async fn rest(&self, claim: Claim, seen: Option<CommandId>) -> Result<bool, Error> {
        self.reach(Call::Other).await?.rest(claim, seen).await
    }

    async fn append(&self, claim: &Claim, batch: Batch) -> Result<(), Error> {
        self.reach(Call::Append).await?.append(claim, batch).await
    }

    async fn read(&self, run: RunId, from: Seq) -> Result<Vec<Record>, Error> {
        Ok(self.count(self.reach(Call::Read).await?.read(run, from).await?))
    }

    async fn checkpoint(&self, run: RunId) -> Result<Option<Checkpoint>, Error> {
        self.reach(Call::Other).await?.checkpoint(run).await
    }

    async fn runs(&self) -> Result<Vec<RunSummary>, Error> {
        self.reach(Call::Other).await?.runs().await
    }
}

#[async_trait]
impl Store for FaultyStore {
    async fn enqueue(&self, submission: Submission) -> Result<Enqueued, Error> {
        self.reach(Call::Submit).await?.enqueue(submission).await
    }

    async fn conversation(&self, of: &Conversation) -> Result<Option<ConversationHead>, Error> {
        self.reach(Call::Submit).await?.conversation(of).await
    }

    async fn clear(&self, of: &Conversation) -> Result<Option<ConversationHead>, Error> {
        self.reach(Call::Other).await?.clear(of).await
    }

    async fn import(
        &self,
        run: NewRun,
        records: Vec<Record>,
        rows: Vec<RowChange>,
        ended: Option<String>,
    ) -> Result<(), Error> {
        self.reach(Call::Other).await?.import(run, records, rows, ended).await
    }

    async fn find_submitted(&self, order: &IdempotencyKey) -> Result<Option<Enqueued>, Error> {
        self.reach(Call::Submit).await?.find_submitted(order).await
    }

    async fn waiting(&self, at_most: usize) -> Result<usize, Error> {
        self.reach(Call::Submit).await?.waiting(at_most).await
    }

    async fn claim_waiting(&self, most: usize) -> Result<Vec<Claim>, Error> {
        self.looks.fetch_add(1, SeqCst);
        let claims = self.reach(Call::ClaimWaiting).await?.claim_waiting(most).await?;
        self.claims.fetch_add(claims.len(), SeqCst);
        Ok(claims)
    }

    async fn requeue(&self, claim: Claim, problem: &str, pause: Duration) -> Result<(), Error> {
        self.reach(Call::Other).await?.requeue(claim, problem, pause).await
    }

    async fn post(&self, run: RunId, command: Arc<str>, wake: Wake) -> Result<Posted, Error> {
        self.reach(Call::Post).await?.post(run, command, wake).await
    }

    async fn inboxes(&self) -> Result<Vec<PostedCommand>, Error> {
        self.reach(Call::Other).await?.inboxes().await
    }

    async fn inbox(&self, run: RunId) -> Result<Vec<PostedCommand>, Error> {
        self.reach(Call::Other).await?.inbox(run).await
    }

    async fn find(&self, run: RunId) -> Result<RunSummary, Error> {
        self.reach(Call::Read).await?.find(run).await
    }

    async fn list(&self, wanted: &Listing) -> Result<Vec<RunSummary>, Error> {
        self.reach(Call::Other).await?.list(wanted).await
    }

    async fn read_some(&self, run: RunId, from: Seq, most: usize) -> Result<Vec<Record>, Error> {
        Ok(self.count(self.reach(Call::Read).await?.read_some(run, from, most).await?))
    }

    async fn delete(&self, run: RunId) -> Result<(), Error> {
        self.reach(Call::Other).await?.delete(run).await
    }

    async fn keep_extract(&self, run: RunId, kind: &str, body: &str) -> Result<(), Error> {
        self.reach(Call::Other).await?.keep_extract(run, kind, body).await
    }

    async fn extracts(&self, kind: &str, started: Range<i64>) -> Result<Vec<Extract>, Error> {
        self.reach(Call::Other).await?.extracts(kind, started).await
    }

    async fn without_extract(&self, kind: &str, most: usize) -> Result<Vec<RunId>, Error> {
        self.reach(Call::Other).await?.without_extract(kind, most).await
    }

    async fn rows(&self, wanted: &RowQuery) -> Result<Vec<StoredRow>, Error> {
        self.reach(Call::Other).await?.rows(wanted).await
    }

    async fn replace_rows(&self, run: RunId, length: Seq, rows: Vec<Row>) -> Result<bool, Error> {
        self.reach(Call::Other).await?.replace_rows(run, length, rows).await
    }

    async fn ready(&self) -> Result<(), Error> {
        self.reach(Call::Other).await?.ready().await
    }

    fn name(&self) -> &'static str {
        "faulty"
    }

    fn notifications(&self) -> broadcast::Receiver<Notification> {
        self.silence.as_ref().map_or_else(|| self.inner.notifications(), broadcast::Sender::subscribe)
    }
}
