//! One process among those that share a store: plays the runs that wait there, and lets clients follow any
//! run.
//!
//! `submit` puts runs into the queue, `claim` takes them from there as far as there is room, `play` plays one
//! of them until it ends or rests, `commands`, `read_run` and `inbox` bring it what is posted to it, `ownership`
//! finds out whether another node has taken it over, `outage` logs that the store fails. `feed` shares the
//! `log_tail` of a run among its followers, `follower` is one of them, `replay_speed` is for runs that were
//! played before.

mod claim;
mod commands;
mod feed;
mod follower;
mod inbox;
mod log_tail;
mod outage;
mod ownership;
mod play;
mod read_run;
mod replay_speed;
mod submit;

use std::{
    collections::HashMap,
    fmt::Debug,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use enact_drama::{Problem, RunId, Seq};
use tokio::{
    sync::{
        Notify, Semaphore,
        broadcast::{self, error::RecvError},
        watch,
    },
    task::JoinHandle,
};

use crate::{
    Clock, Productions, Store,
    artifacts::retention::remove_old_audio,
    clock::SystemClock,
    failures::Failures,
    log::{self, RunSummary},
    productions::UnknownProduction,
    resources::Checks,
    store::Notification,
};

pub use crate::resources::ResourceProvider;

pub(crate) use self::submit::fork;
use self::{feed::Feeds, inbox::LocalRun, outage::OutageLog};
pub use self::{
    follower::{FollowEvent, Follower},
    play::{ClaimedRun, PlayError, PlayOutcome},
    read_run::HeldRun,
    replay_speed::Speed,
    submit::{Submitter, new_run},
};

/// Poll interval of the queue and the inboxes, in case a notification was lost.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Timeout for runs to stop when the node stops: an append takes milliseconds.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);
/// How many runs may be read back from their logs at once. Each takes a few hundred KiB for a moment, and a
/// node that comes back has thousands to go on with.
const MAX_CONCURRENT_LOADS: usize = 16;

/// Enough that commands to a thousand runs at once seldom wait for each other's.
const CHECKING_LOCKS: usize = 64;

/// What a node does at most.
#[derive(Debug, Clone, Copy)]
pub struct NodeLimits {
    /// How many runs it plays at once; the others wait. Resting ones do not count.
    pub runs: usize,
    /// How long each line stays before anything else happens, so that people can read along and steer even
    /// what built-in players play.
    pub pace: Duration,
}

impl Default for NodeLimits {
    /// About 200 MiB of memory when all of them play.
    fn default() -> NodeLimits {
        NodeLimits { runs: 2_000, pace: Duration::ZERO }
    }
}

/// Why something that was wanted of a run could not be done.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Problem(#[from] Box<Problem>),
    #[error(transparent)]
    Log(#[from] log::Error),
    #[error("this run cannot be read: {0}")]
    Unreadable(#[from] enact_drama::record::Unreadable),
    #[error(transparent)]
    Unknown(#[from] UnknownProduction),
    #[error("run {0} has no beginning yet")]
    NoBeginning(RunId),
    #[error("{0}")]
    Unplayable(String),
    /// Its conversation is still at an earlier message.
    #[error("this conversation is busy: run {0} has not ended")]
    ConversationBusy(RunId),
    /// The idempotency key was used for another request.
    #[error("this Idempotency-Key was used before, for another request")]
    KeyReused,
}

/// What became of a request to make a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Submitted {
    pub run: RunId,
    /// An earlier request with the same idempotency key had made it.
    pub repeated: bool,
}

/// A handle; the node plays until [`stop`](Node::stop).
#[derive(Debug, Clone)]
pub struct Node {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    store: Arc<dyn Store>,
    project: Arc<dyn ResourceProvider>,
    productions: Productions,
    clock: Arc<dyn Clock>,
    limits: NodeLimits,
    feeds: Arc<Feeds>,
    checks: Checks,
    failures: Arc<Failures>,
    outage: OutageLog,
    playing: Mutex<HashMap<RunId, LocalRun>>,
    /// How many places are reserved for runs that commands may wake. Changed only under the lock of
    /// `playing`.
    reserved: AtomicUsize,
    load_permits: Semaphore,
    /// Held while a command is checked against its run's log and posted, one at a time for each run: of two
    /// answers to the same question the second is refused. Runs share a few of them.
    checking: [Arc<tokio::sync::Mutex<()>>; CHECKING_LOCKS],
    /// There may be something to claim, or room for it.
    claim: Notify,
    /// There may be commands.
    inbox: Notify,
    /// A run has come to rest.
    rested: Notify,
    stopping: watch::Sender<bool>,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl Node {
    /// Begins to play what waits.
    pub fn start(
        store: Arc<dyn Store>,
        project: Arc<dyn ResourceProvider>,
        productions: Productions,
        limits: NodeLimits,
    ) -> Node {
        Node::start_with_clock(store, project, productions, limits, Arc::new(SystemClock))
    }

    /// The same, with another clock than the machine's.
    pub fn start_with_clock(
        store: Arc<dyn Store>,
        project: Arc<dyn ResourceProvider>,
        productions: Productions,
        limits: NodeLimits,
        clock: Arc<dyn Clock>,
    ) -> Node {
        let inner = Arc::new(Inner {
            store,
            project,
            productions,
            clock,
            limits,
            feeds: Arc::default(),
            checks: Checks::default(),
            failures: Arc::default(),
            outage: OutageLog::default(),
            playing: Mutex::default(),
            reserved: AtomicUsize::new(0),
            load_permits: Semaphore::new(MAX_CONCURRENT_LOADS),
            checking: std::array::from_fn(|_| Arc::default()),
            claim: Notify::new(),
            inbox: Notify::new(),
            rested: Notify::new(),
            stopping: watch::Sender::new(false),
            tasks: Mutex::default(),
        });
        let mut tasks = vec![
            tokio::spawn(until_stopped(inner.clone(), listen(inner.clone(), inner.store.notifications()))),
            tokio::spawn(until_stopped(inner.clone(), inbox::deliver_until_dropped(inner.clone()))),
            tokio::spawn(until_stopped(inner.clone(), ownership::check_until_dropped(inner.clone()))),
            tokio::spawn(claim::claim_until_stopped(inner.clone())),
        ];
        if let Some(artifacts) = inner.project.artifacts()
            && let Some(keep) = artifacts.kept_for()
        {
            tasks.push(tokio::spawn(until_stopped(inner.clone(), remove_old_audio(artifacts, keep))));
        }
        *lock(&inner.tasks) = tasks;
        Node { inner }
    }

    pub fn store(&self) -> &Arc<dyn Store> {
        &self.inner.store
    }

    pub fn project(&self) -> &Arc<dyn ResourceProvider> {
        &self.inner.project
    }

    pub fn productions(&self) -> &Productions {
        &self.inner.productions
    }

    /// What has failed while it played.
    pub fn failures(&self) -> &Failures {
        &self.inner.failures
    }

    /// How many runs it plays now.
    pub fn playing(&self) -> usize {
        lock(&self.inner.playing).len()
    }

    /// Follows a run from a seq on, whichever node plays it.
    pub async fn follow(&self, run: RunId, from: Seq) -> Result<Follower, log::Error> {
        Ok(self.follow_found(&self.inner.store.find(run).await?, from))
    }

    /// The same for a run that was found already.
    pub fn follow_found(&self, found: &RunSummary, from: Seq) -> Follower {
        Follower::new(self.inner.feeds.of(found.run), self.inner.store.clone(), from)
    }

    /// Returns when the node stops: streams that follow no run end then.
    pub fn stopping(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut stopping = self.inner.stopping.subscribe();
        async move {
            // It fails only once the node is gone.
            let _ = stopping.wait_for(|stopping| *stopping).await;
        }
    }

    /// Stops playing: what is being written is written, every run can be claimed by other nodes at once, and
    /// followers are told.
    pub async fn stop(&self) {
        self.inner.stopping.send_replace(true);
        // Runs that have not stopped by then are taken over by other nodes once this process is gone.
        let _ = tokio::time::timeout(STOP_TIMEOUT, self.rest()).await;
        self.inner.feeds.close();
    }

    async fn rest(&self) {
        // First: a store that is slow to say what waits must not keep runs from being handed on.
        lock(&self.inner.playing).values_mut().for_each(LocalRun::stop);
        let tasks = std::mem::take(&mut *lock(&self.inner.tasks));
        for task in tasks {
            // One that panicked has stopped too.
            let _ = task.await;
        }
        loop {
            let rested = self.inner.rested.notified();
            // Commands that are under way to the store may still wake runs here.
            if self.playing() == 0 && self.inner.reserved.load(Relaxed) == 0 {
                return;
            }
            rested.await;
        }
    }
}

/// Works until the node stops, or until there is nothing more to do. What it does may be dropped at any
/// point.
async fn until_stopped(inner: Arc<Inner>, work: impl Future<Output = ()>) {
    let mut stopping = inner.stopping.subscribe();
    tokio::select! {
        () = work => {}
        _ = stopping.wait_for(|stopping| *stopping) => {}
    }
}

/// Passes notifications on to the tasks they concern. Without any, all of them poll.
async fn listen(inner: Arc<Inner>, mut notifications: broadcast::Receiver<Notification>) {
    loop {
        match notifications.recv().await {
            Ok(Notification::RunQueued) => inner.claim.notify_one(),
            Ok(Notification::CommandPosted(run)) if lock(&inner.playing).contains_key(&run) => {
                inner.inbox.notify_one()
            }
            Ok(Notification::CommandPosted(_)) => {}
            Ok(Notification::LogGrew(run)) => inner.feeds.wake(run),
            Err(RecvError::Lagged(_)) => {
                inner.claim.notify_one();
                inner.inbox.notify_one();
                inner.feeds.wake_all();
            }
            Err(RecvError::Closed) => return,
        }
    }
}

/// What a poisoned lock guards is still whole: nothing panics while it changes it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
