//! A store with the faults of networks and processes: unreachable, slow, silent about what others did, dead
//! after so many appends, frozen while others take over; or with faults that a plan decides call by call.

use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{
        Arc, Mutex,
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
use tokio::sync::broadcast;

use crate::{
    gate::Gate,
    store_faults::{StoreCall as Call, StoreFault, StoreFaults},
};

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
    appending: Gate,
    claiming: Gate,
    posting: Gate,
    appends_left: AtomicUsize,
    /// Shut while the process that uses this store is frozen, or once it is killed.
    running: Gate,
    faults: Option<Arc<dyn StoreFaults>>,
    /// Every claim that was made through this store.
    made: Mutex<Vec<Claim>>,
    /// Claims whose answers were lost. The process gives them up when it next looks for waiting runs.
    unheard: Mutex<Vec<Claim>>,
    reads: AtomicUsize,
    records_read: AtomicUsize,
    claims: AtomicUsize,
    looks: AtomicUsize,
    submits: AtomicUsize,
    deletes: AtomicUsize,
    /// News that never come, in place of those of the store behind it.
    silence: Option<broadcast::Sender<Notification>>,
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
            appending: Gate::open(),
            claiming: Gate::open(),
            posting: Gate::open(),
            appends_left: AtomicUsize::new(usize::MAX),
            running: Gate::open(),
            faults: None,
            made: Mutex::default(),
            unheard: Mutex::default(),
            reads: AtomicUsize::new(0),
            records_read: AtomicUsize::new(0),
            claims: AtomicUsize::new(0),
            looks: AtomicUsize::new(0),
            submits: AtomicUsize::new(0),
            deletes: AtomicUsize::new(0),
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

    /// Has these decide what happens to each call.
    pub fn with_faults(mut self, faults: Arc<dyn StoreFaults>) -> FaultyStore {
        self.faults = Some(faults);
        self
    }

    /// The process stands still: no call of its reaches the store any more, and no answer comes back. If it
    /// never [goes on](FaultyStore::thaw), it was killed: between two calls that others notice, it makes no
    /// difference where it stopped.
    pub fn freeze(&self) {
        self.running.close();
    }

    pub fn thaw(&self) {
        self.running.reopen();
    }

    /// Waits as long as the process is frozen.
    pub async fn running(&self) {
        self.running.pass().await;
    }

    /// The process is taken for dead: other nodes may claim all its runs.
    pub async fn expire_claims(&self) {
        let made = std::mem::take(&mut *self.made.lock().unwrap());
        for claim in made {
            // One that is gone has nothing to give up.
            let _ = self.inner.release(claim).await;
        }
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
        self.appending.close();
    }

    pub fn release_appends(&self) {
        self.appending.reopen();
    }

    /// Calls that look for waiting runs wait from now on.
    pub fn hold_claims(&self) {
        self.claiming.close();
    }

    pub fn release_claims(&self) {
        self.claiming.reopen();
    }

    /// Commands that are posted wait from now on.
    pub fn hold_posts(&self) {
        self.posting.close();
    }

    pub fn release_posts(&self) {
        self.posting.reopen();
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

    /// How often it was to delete a run.
    pub fn deletes(&self) -> usize {
        self.deletes.load(SeqCst)
    }

    /// Makes a call of the store behind it: all faults happen here.
    async fn call<T>(&self, call: Call, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        self.call_with(self.fault(call), call, work, |_| Vec::new()).await
    }

    /// The same for a call that may make claims, which are remembered.
    async fn claiming_call<T>(
        &self,
        call: Call,
        work: impl Future<Output = Result<T, Error>>,
        claims: impl Fn(&T) -> Vec<Claim>,
    ) -> Result<T, Error> {
        self.call_with(self.fault(call), call, work, claims).await
    }

    fn fault(&self, call: Call) -> StoreFault {
        self.faults.as_ref().map_or(StoreFault::None, |faults| faults.on_call(call))
    }

    async fn call_with<T>(
        &self,
        fault: StoreFault,
        call: Call,
        work: impl Future<Output = Result<T, Error>>,
        claims: impl Fn(&T) -> Vec<Claim>,
    ) -> Result<T, Error> {
        if let StoreFault::Slow(time) = fault {
            tokio::time::sleep(time).await;
        }
        self.reach(call).await?;
        if fault == StoreFault::Unreachable {
            return Err(Error::Storage(UNREACHABLE.to_owned()));
        }
        let done = work.await;
        if let Ok(done) = &done {
            let claims = claims(done);
            if let Some(faults) = self.faults.as_ref().filter(|_| !claims.is_empty()) {
                faults.on_claimed(&claims);
            }
            self.made.lock().unwrap().extend(claims);
        }
        if let StoreFault::Slow(time) = fault {
            tokio::time::sleep(time).await;
        }
        self.running().await;
        if fault == StoreFault::AnswerLost {
            if let Ok(done) = &done {
                self.unheard.lock().unwrap().extend(claims(done));
            }
            return Err(Error::Storage("the connection was lost".to_owned()));
        }
        done
    }

    /// Gives up what the process does not know that it has.
    async fn give_up_unheard(&self) {
        let unheard = std::mem::take(&mut *self.unheard.lock().unwrap());
        for claim in unheard {
            let _ = self.inner.release(claim).await;
        }
    }

    /// Waits until the store can be asked, and counts the call.
    async fn reach(&self, call: Call) -> Result<(), Error> {
        self.running().await;
        match call {
            Call::Append => self.appending.pass().await,
            Call::ClaimWaiting => self.claiming.pass().await,
            Call::Post => self.posting.pass().await,
            Call::Read => _ = self.reads.fetch_add(1, SeqCst),
            Call::Submit => _ = self.submits.fetch_add(1, SeqCst),
            Call::Claim | Call::GiveUp | Call::Other => {}
        }
        if self.unreachable.load(SeqCst) {
            return Err(Error::Storage(UNREACHABLE.to_owned()));
        }
        let one_less = |left: usize| left.checked_sub(1);
        if call == Call::Append && self.appends_left.fetch_update(SeqCst, SeqCst, one_less).is_err() {
            return Err(Error::Storage("killed".to_owned()));
        }
        Ok(())
    }

    fn count(&self, records: Vec<Record>) -> Vec<Record> {
        self.records_read.fetch_add(records.len(), SeqCst);
        records
    }
}

#[async_trait]
impl Log for FaultyStore {
    async fn create(&self, run: NewRun) -> Result<Claim, Error> {
        self.claiming_call(Call::Claim, self.inner.create(run), |claim| vec![*claim]).await
    }

    async fn claim(&self, run: RunId) -> Result<Claim, Error> {
        self.claiming_call(Call::Claim, self.inner.claim(run), |claim| vec![*claim]).await
    }

    async fn release(&self, claim: Claim) -> Result<(), Error> {
        self.call(Call::GiveUp, self.inner.release(claim)).await
    }

    async fn rest(&self, claim: Claim, seen: Option<CommandId>) -> Result<bool, Error> {
        self.call(Call::GiveUp, self.inner.rest(claim, seen)).await
    }

    async fn append(&self, claim: &Claim, batch: Batch) -> Result<(), Error> {
        let fault = self.fault(Call::Append);
        if fault == StoreFault::Forgets && !batch.records.is_empty() {
            return self.reach(Call::Append).await;
        }
        let appending = async {
            let records = self.faults.as_ref().map(|_| batch.records.clone());
            self.inner.append(claim, batch).await?;
            if let Some((faults, records)) = self.faults.as_ref().zip(records) {
                faults.on_appended(claim, &records);
            }
            Ok(())
        };
        self.call_with(fault, Call::Append, appending, |()| Vec::new()).await
    }

    async fn read(&self, run: RunId, from: Seq) -> Result<Vec<Record>, Error> {
        Ok(self.count(self.call(Call::Read, self.inner.read(run, from)).await?))
    }

    async fn checkpoint(&self, run: RunId) -> Result<Option<Checkpoint>, Error> {
        self.call(Call::Other, self.inner.checkpoint(run)).await
    }

    async fn runs(&self) -> Result<Vec<RunSummary>, Error> {
        self.call(Call::Other, self.inner.runs()).await
    }
}

#[async_trait]
impl Store for FaultyStore {
    async fn enqueue(&self, submission: Submission) -> Result<Enqueued, Error> {
        self.call(Call::Submit, self.inner.enqueue(submission)).await
    }

    async fn conversation(&self, of: &Conversation) -> Result<Option<ConversationHead>, Error> {
        self.call(Call::Submit, self.inner.conversation(of)).await
    }

    async fn clear(&self, of: &Conversation) -> Result<Option<ConversationHead>, Error> {
        self.call(Call::Other, self.inner.clear(of)).await
    }

    async fn import(
        &self,
        run: NewRun,
        records: Vec<Record>,
        rows: Vec<RowChange>,
        ended: Option<String>,
    ) -> Result<(), Error> {
        self.call(Call::Other, self.inner.import(run, records, rows, ended)).await
    }

    async fn find_submitted(&self, idempotency_key: &IdempotencyKey) -> Result<Option<Enqueued>, Error> {
        self.call(Call::Submit, self.inner.find_submitted(idempotency_key)).await
    }

    async fn waiting(&self, at_most: usize) -> Result<usize, Error> {
        self.call(Call::Submit, self.inner.waiting(at_most)).await
    }

    async fn claim_waiting(&self, most: usize) -> Result<Vec<Claim>, Error> {
        self.looks.fetch_add(1, SeqCst);
        let claiming = async {
            self.give_up_unheard().await;
            self.inner.claim_waiting(most).await
        };
        let claims = self.claiming_call(Call::ClaimWaiting, claiming, Vec::clone).await?;
        self.claims.fetch_add(claims.len(), SeqCst);
        Ok(claims)
    }

    async fn requeue(&self, claim: Claim, problem: &str, pause: Duration) -> Result<(), Error> {
        self.call(Call::GiveUp, self.inner.requeue(claim, problem, pause)).await
    }

    async fn post(&self, run: RunId, command: Arc<str>, wake: Wake) -> Result<Posted, Error> {
        let posting = self.inner.post(run, command, wake);
        self.claiming_call(Call::Post, posting, |posted| Vec::from_iter(posted.claim)).await
    }

    async fn inboxes(&self) -> Result<Vec<PostedCommand>, Error> {
        self.call(Call::Other, self.inner.inboxes()).await
    }

    async fn inbox(&self, run: RunId) -> Result<Vec<PostedCommand>, Error> {
        self.call(Call::Other, self.inner.inbox(run)).await
    }

    async fn find(&self, run: RunId) -> Result<RunSummary, Error> {
        self.call(Call::Read, self.inner.find(run)).await
    }

    async fn list(&self, wanted: &Listing) -> Result<Vec<RunSummary>, Error> {
        self.call(Call::Other, self.inner.list(wanted)).await
    }

    async fn read_some(&self, run: RunId, from: Seq, most: usize) -> Result<Vec<Record>, Error> {
        Ok(self.count(self.call(Call::Read, self.inner.read_some(run, from, most)).await?))
    }

    async fn delete(&self, run: RunId) -> Result<(), Error> {
        self.deletes.fetch_add(1, SeqCst);
        self.call(Call::Other, self.inner.delete(run)).await
    }

    async fn add_to_counter(&self, run: RunId, name: &str, by: i64) -> Result<i64, Error> {
        self.call(Call::Other, self.inner.add_to_counter(run, name, by)).await
    }

    async fn counters(&self, run: RunId) -> Result<BTreeMap<String, i64>, Error> {
        self.call(Call::Other, self.inner.counters(run)).await
    }

    async fn keep_extract(&self, run: RunId, kind: &str, body: &str) -> Result<(), Error> {
        self.call(Call::Other, self.inner.keep_extract(run, kind, body)).await
    }

    async fn extracts(&self, kind: &str, started: Range<i64>) -> Result<Vec<Extract>, Error> {
        self.call(Call::Other, self.inner.extracts(kind, started)).await
    }

    async fn without_extract(&self, kind: &str, most: usize) -> Result<Vec<RunId>, Error> {
        self.call(Call::Other, self.inner.without_extract(kind, most)).await
    }

    async fn rows(&self, wanted: &RowQuery) -> Result<Vec<StoredRow>, Error> {
        self.call(Call::Other, self.inner.rows(wanted)).await
    }

    async fn replace_rows(&self, run: RunId, length: Seq, rows: Vec<Row>) -> Result<bool, Error> {
        self.call(Call::Other, self.inner.replace_rows(run, length, rows)).await
    }

    async fn ready(&self) -> Result<(), Error> {
        self.call(Call::Other, self.inner.ready()).await
    }

    fn name(&self) -> &'static str {
        "faulty"
    }

    fn notifications(&self) -> broadcast::Receiver<Notification> {
        self.silence.as_ref().map_or_else(|| self.inner.notifications(), broadcast::Sender::subscribe)
    }
}
