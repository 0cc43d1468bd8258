//! The one task that appends. A commit costs the same for one append as for fifty, so those that wait are
//! stored together.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use enact_drama::RunId;
use enact_engine::{log, store::Notification};
use sqlx::PgConnection;
use tokio::{sync::mpsc, task::JoinHandle};

use super::{
    append_batch::{self, Append, AppendBatch, Release, RunPosition},
    lease::{Heartbeat, Lease},
    notify::{NOTIFY, Notifier},
    reconnect::{Reconnecting, is_transient, reason, with_timeout},
    resting::{self, Rest, Rested},
    storage,
};
use crate::batch_receiver::{BatchReceiver, Done, ask, finish};

/// Initial back-off after a transient error; doubles with each attempt.
const INITIAL_BACKOFF: Duration = Duration::from_millis(20);
const MAX_BACKOFF: Duration = Duration::from_secs(1);

/// How many attempts that are not answered fit into a lease: an attempt on a connection that was cut off must
/// leave time for others on new ones.
const ATTEMPTS_PER_LEASE: u32 = 4;

/// How long a write that failed counts against being ready: runs that cannot be stored are tried again every
/// second.
const FAILURE_TTL: Duration = Duration::from_secs(3);

/// Timeout of an attempt to find out whether anything can be written. There are two: a connection that was
/// cut off while nothing was written is only noticed by using it.
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);

/// Timeout for telling others at shutdown. Without it the lease expires.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// A handle on the writing task, which ends when this is dropped or closed.
#[derive(Debug)]
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
    task: JoinHandle<()>,
    /// Whether the last attempt to write anything has succeeded.
    works: Arc<AtomicBool>,
}

#[derive(Debug)]
enum Job {
    Append(Append, Done<()>),
    Release(Release, Done<()>),
    Rest(Rest, Done<bool>),
    /// Writes something that changes nothing.
    Probe(Done<()>),
}

impl Writer {
    pub(super) fn start(
        reconnecting: Reconnecting,
        lease: Arc<Lease>,
        heartbeat: Heartbeat,
        notifier: Arc<Notifier>,
    ) -> Writer {
        let (jobs, waiting) = BatchReceiver::new();
        let works = Arc::new(AtomicBool::new(true));
        let task = Task { reconnecting, lease, heartbeat, notifier, works: works.clone(), failure: None };
        Writer { jobs, task: tokio::spawn(task.run(waiting)), works }
    }

    pub(super) async fn append(&self, append: Append) -> Result<(), log::Error> {
        ask(&self.jobs, |done| Job::Append(append, done)).await
    }

    /// Gives a run up, after what was appended to it before.
    pub(super) async fn give_up(&self, given: Release) -> Result<(), log::Error> {
        ask(&self.jobs, |done| Job::Release(given, done)).await
    }

    /// Lets a run rest, after what was appended to it before.
    pub(super) async fn rest(&self, rest: Rest) -> Result<bool, log::Error> {
        ask(&self.jobs, |done| Job::Rest(rest, done)).await
    }

    /// Whether something could be written now, found out by writing.
    pub(super) async fn probe(&self) -> Result<(), log::Error> {
        ask(&self.jobs, Job::Probe).await
    }

    /// Fails if nothing can be written: then no run should be claimed, because another node may be able to
    /// play it.
    pub(super) async fn ensure(&self) -> Result<(), log::Error> {
        if self.works.load(Relaxed) {
            return Ok(());
        }
        self.probe().await
    }

    /// Stores what waits, then leaves, which frees all its runs.
    pub(super) async fn close(self) {
        drop(self.jobs);
        // A task that panicked renews nothing any more either.
        let _ = self.task.await;
    }
}

struct Task {
    reconnecting: Reconnecting,
    lease: Arc<Lease>,
    /// Stopped last: while the lease is renewed, what was queued may still be written.
    heartbeat: Heartbeat,
    notifier: Arc<Notifier>,
    works: Arc<AtomicBool>,
    /// The last write that failed though nothing was wrong with what was to be written, and when.
    failure: Option<(Instant, String)>,
}

/// What became of the appends of a group.
struct Written {
    stored: HashSet<RunId>,
    /// How the runs stand whose appends did not fit.
    others: HashMap<RunId, RunPosition>,
    /// Whether an earlier attempt may have succeeded.
    is_doubtful: bool,
}

impl Task {
    async fn run(mut self, mut jobs: BatchReceiver<Job>) {
        while let Some(waiting) = jobs.next_batch().await {
            let mut group = AppendBatch::default();
            for job in waiting {
                let closes = match &job {
                    Job::Append(append, _) => !group.has_room_for(append.claim.run),
                    Job::Release(given, _) => group.gives_up(given.claim.run),
                    Job::Rest(rest, _) => group.gives_up(rest.claim.run),
                    Job::Probe(_) => true,
                };
                if closes {
                    self.commit(std::mem::take(&mut group)).await;
                }
                match job {
                    Job::Append(append, done) => group.append(append, done),
                    Job::Release(given, done) => group.give_up(given, done),
                    Job::Rest(rest, done) => group.rest(rest, done),
                    Job::Probe(done) => finish(done, self.probe().await),
                }
            }
            self.commit(group).await;
        }
        self.heartbeat.stop().await;
        // If this fails the lease expires, and others take the runs over then.
        let _ =
            with_timeout(SHUTDOWN_TIMEOUT, leave(&mut self.reconnecting, &self.lease, &self.notifier)).await;
    }

    async fn commit(&mut self, group: AppendBatch) {
        let AppendBatch { appends, releases, rests, .. } = group;
        if !appends.is_empty() {
            self.append(appends).await;
        }
        if !releases.is_empty() {
            self.give_up(releases).await;
        }
        if !rests.is_empty() {
            self.rest(rests).await;
        }
    }

    /// Tries twice, and not at all if another write has just failed: a database may take small writes and no
    /// large ones.
    async fn probe(&mut self) -> Result<(), log::Error> {
        if let Some((_, reason)) = self.failure.as_ref().filter(|(at, _)| at.elapsed() < FAILURE_TTL) {
            return Err(log::Error::Storage(reason.clone()));
        }
        let mut written = with_timeout(PROBE_TIMEOUT, try_touch(&mut self.reconnecting, &self.lease)).await;
        if written.as_ref().is_err_and(is_transient) {
            written = with_timeout(PROBE_TIMEOUT, try_touch(&mut self.reconnecting, &self.lease)).await;
        }
        self.works.store(written.is_ok(), Relaxed);
        written.map_err(|e| storage(&e))
    }

    fn note<T>(&mut self, outcome: &sqlx::Result<T>) {
        let failure = outcome.as_ref().err().filter(|e| !is_data_error(e));
        self.works.store(failure.is_none(), Relaxed);
        self.failure = failure.map(|e| (Instant::now(), reason(e)));
    }

    /// Stores all appends together, or, if one of them holds something the database cannot, each on its own,
    /// so that only the offender fails. Callers are answered only after the commit.
    async fn append(&mut self, appends: Vec<(Append, Done<()>)>) {
        let together = self.write(&appends.iter().map(|(append, _)| append).collect::<Vec<_>>()).await;
        let alone = appends.len() == 1;
        for (append, done) in appends {
            let outcome = match &together {
                Ok(written) => self.outcome_of(&append, written),
                Err(e) if alone || !is_data_error(e) => Err(storage(e)),
                Err(_) => match self.write(&[&append]).await {
                    Ok(written) => self.outcome_of(&append, &written),
                    Err(e) => Err(storage(&e)),
                },
            };
            if outcome.is_ok() && !append.batch.records.is_empty() {
                self.notifier.notify(Notification::LogGrew(append.claim.run));
            }
            finish(done, outcome);
        }
    }

    fn outcome_of(&self, append: &Append, written: &Written) -> Result<(), log::Error> {
        let run = append.claim.run;
        if written.stored.contains(&run) {
            return Ok(());
        }
        match written.others.get(&run) {
            None => Err(log::Error::NotFound(run)),
            Some(position) if written.is_doubtful && append.is_already_stored(self.lease.node, position) => {
                Ok(())
            }
            Some(position) if append.has_unread(self.lease.node, position) => Err(log::Error::Unread(run)),
            Some(_) => Err(log::Error::Conflict(run)),
        }
    }

    /// A connection that breaks leaves it open whether a statement was committed. Trying it again is safe all
    /// the same, since it fits only once; that it fitted before is seen from how the run stands then.
    async fn write(&mut self, appends: &[&Append]) -> sqlx::Result<Written> {
        let mut attempts = Attempts::new(self.lease.lasts);
        loop {
            match with_timeout(attempts.timeout(), try_write(&mut self.reconnecting, &self.lease, appends))
                .await
            {
                Err(e) if attempts.may_repeat(&e) => {
                    self.works.store(false, Relaxed);
                    attempts.pause().await;
                }
                outcome => {
                    self.note(&outcome);
                    let (stored, others) = outcome?;
                    return Ok(Written { stored, others, is_doubtful: attempts.is_doubtful });
                }
            }
        }
    }

    /// Giving up a run twice gives it up once, so this may be tried again whatever happened.
    async fn give_up(&mut self, releases: Vec<(Release, Done<()>)>) {
        let given: Vec<_> = releases.iter().map(|(given, _)| given).collect();
        let mut attempts = Attempts::new(self.lease.lasts);
        let outcome = loop {
            match with_timeout(attempts.timeout(), try_give_up(&mut self.reconnecting, &self.lease, &given))
                .await
            {
                Err(e) if attempts.may_repeat(&e) => attempts.pause().await,
                outcome => break outcome,
            }
        };
        self.note(&outcome);
        if matches!(outcome, Ok(true)) {
            self.notifier.notify(Notification::RunQueued);
        }
        for (_, done) in releases {
            finish(done, outcome.as_ref().map(|_| ()).map_err(storage));
        }
    }

    /// A run rests only once, as an append fits only once.
    async fn rest(&mut self, rests: Vec<(Rest, Done<bool>)>) {
        let wanted: Vec<_> = rests.iter().map(|(rest, _)| rest).collect();
        let mut attempts = Attempts::new(self.lease.lasts);
        let outcome = loop {
            match with_timeout(attempts.timeout(), try_rest(&mut self.reconnecting, &self.lease, &wanted))
                .await
            {
                Err(e) if attempts.may_repeat(&e) => attempts.pause().await,
                outcome => break outcome,
            }
        };
        self.note(&outcome);
        for (Rest { claim, .. }, done) in rests {
            let rested = match &outcome {
                Ok(rested) => rested.outcome_of(&claim, self.lease.node, attempts.is_doubtful),
                Err(e) => Err(storage(e)),
            };
            finish(done, rested);
        }
    }
}

/// Retries for as long as the lease lasts: after that, other nodes may have taken the runs over, and waiting
/// callers get the error.
struct Attempts {
    begun: Instant,
    lasts: Duration,
    next_pause: Duration,
    /// Whether an earlier attempt may have succeeded.
    is_doubtful: bool,
}

impl Attempts {
    fn new(lasts: Duration) -> Attempts {
        Attempts { begun: Instant::now(), lasts, next_pause: INITIAL_BACKOFF, is_doubtful: false }
    }

    /// How long each may take.
    fn timeout(&self) -> Duration {
        self.lasts / ATTEMPTS_PER_LEASE
    }

    fn may_repeat(&self, error: &sqlx::Error) -> bool {
        is_transient(error) && self.begun.elapsed() + self.next_pause < self.lasts
    }

    async fn pause(&mut self) {
        self.is_doubtful = true;
        tokio::time::sleep(self.next_pause).await;
        self.next_pause = (self.next_pause * 2).min(MAX_BACKOFF);
    }
}

async fn try_write(
    reconnecting: &mut Reconnecting,
    lease: &Lease,
    appends: &[&Append],
) -> sqlx::Result<(HashSet<RunId>, HashMap<RunId, RunPosition>)> {
    let mut connection = reconnecting.take().await?;
    let stored = append_batch::store(&mut connection, lease.node, appends).await?;
    let refused: Vec<RunId> =
        appends.iter().map(|append| append.claim.run).filter(|run| !stored.contains(run)).collect();
    let others = match refused.is_empty() {
        true => HashMap::new(),
        false => append_batch::positions(&mut connection, &refused).await?,
    };
    reconnecting.requeue(connection);
    Ok((stored, others))
}

async fn try_give_up(
    reconnecting: &mut Reconnecting,
    lease: &Lease,
    releases: &[&Release],
) -> sqlx::Result<bool> {
    let mut connection = reconnecting.take().await?;
    let waits = append_batch::give_up(&mut connection, lease.node, releases).await?;
    reconnecting.requeue(connection);
    Ok(waits)
}

async fn try_rest(reconnecting: &mut Reconnecting, lease: &Lease, rests: &[&Rest]) -> sqlx::Result<Rested> {
    let mut connection = reconnecting.take().await?;
    let rested = resting::rest(&mut connection, lease.node, rests).await?;
    reconnecting.requeue(connection);
    Ok(rested)
}

async fn try_touch(reconnecting: &mut Reconnecting, lease: &Lease) -> sqlx::Result<()> {
    let mut connection = reconnecting.take().await?;
    lease.touch(&mut connection).await?;
    reconnecting.requeue(connection);
    Ok(())
}

/// Removes the node, which frees its runs, and lets others know.
async fn leave(reconnecting: &mut Reconnecting, lease: &Lease, notifier: &Notifier) -> sqlx::Result<()> {
    let mut connection: PgConnection = reconnecting.take().await?;
    sqlx::query("DELETE FROM nodes WHERE id = $1").bind(lease.node).execute(&mut connection).await?;
    let (channel, payloads) = notifier.shutdown_payload();
    sqlx::query(NOTIFY).bind(channel).bind(payloads).execute(&mut connection).await?;
    Ok(())
}

/// True for data errors (constraint, encoding), false for errors of connection or server. The
/// key of a row may be longer than an index takes (54).
fn is_data_error(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|e| e.code());
    code.is_some_and(|code| ["22", "23", "54"].iter().any(|class| code.starts_with(class)))
}
