//! One run, from the queue to its end or until it rests.

use std::{marker::PhantomData, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use enact_drama::{Fact, Problem, Production, Record, Seq};
use futures::FutureExt;
use tokio::sync::{SemaphorePermit, mpsc};

use super::{Inner, feed::Feed, lock, ownership::Liveness, read_run::KnownRun};
use crate::{
    checkpoint::{FIRST_PAGE, Loaded},
    failures::RunFailures,
    log::{self, Claim},
    productions::UnknownProduction,
    resources::Resources,
    run_loop::{self, ActiveRun, LoopEnd, Observer, Signal},
    spans::play_traced,
    store::PostedCommand,
};

/// How long before the store is tried again.
const STORE_BACKOFF: Duration = Duration::from_secs(1);
/// How long a run waits that this node cannot play, whichever node claims it then: the operator has to do
/// something about it.
const UNPLAYABLE_BACKOFF: Duration = Duration::from_secs(30);
/// How long a run waits that makes the program panic. Each try may add to its log, and only another version
/// helps.
const PANIC_BACKOFF: Duration = Duration::from_secs(300);

/// Why a run could not be played on.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    #[error(transparent)]
    Log(#[from] log::Error),
    /// This node lacks something.
    #[error("{0}")]
    Unplayable(String),
    #[error("playing it panicked")]
    Panicked,
}

impl From<run_loop::Error> for PlayError {
    fn from(error: run_loop::Error) -> PlayError {
        match error {
            run_loop::Error::Log(error) => PlayError::Log(error),
            other => PlayError::Unplayable(other.to_string()),
        }
    }
}

impl From<UnknownProduction> for PlayError {
    fn from(unknown: UnknownProduction) -> PlayError {
        PlayError::Unplayable(unknown.to_string())
    }
}

impl From<Problem> for PlayError {
    fn from(problem: Problem) -> PlayError {
        PlayError::Unplayable(match &problem.hint {
            Some(hint) => format!("{problem} ({hint})"),
            None => problem.to_string(),
        })
    }
}

impl PlayError {
    fn backoff(&self) -> Duration {
        match self {
            PlayError::Log(_) => STORE_BACKOFF,
            PlayError::Unplayable(_) => UNPLAYABLE_BACKOFF,
            PlayError::Panicked => PANIC_BACKOFF,
        }
    }
}

/// Plays a run that was claimed, and gives it up whatever happens.
pub(super) async fn play(
    inner: &Inner,
    claim: Claim,
    known: Option<KnownRun>,
    liveness: Arc<Liveness>,
    signals: mpsc::Receiver<Signal>,
) {
    let run = claim.run;
    let feed = inner.feeds.of(run);
    let played = AssertUnwindSafe(perform(inner, claim, known, liveness, signals)).catch_unwind().await;
    {
        // A newer claim of this node may be playing it; that one reports its own end.
        let playing = lock(&inner.playing);
        if playing.get(&run).is_none_or(|playing| playing.claim == claim) {
            feed.play_elsewhere();
        }
    }
    match played.unwrap_or(Err(PlayError::Panicked)) {
        Ok(PlayOutcome::Resting) => {}
        Ok(PlayOutcome::Stopped) => give_up(inner, claim, None).await,
        Err(PlayError::Log(log::Error::Conflict(_))) => {
            tracing::warn!(%run, "another node has taken this run over");
        }
        Err(PlayError::Log(error @ log::Error::Storage(_))) => {
            inner.outage.failed("runs are requeued: they cannot be played now", &error);
            give_up(inner, claim, Some(PlayError::Log(error))).await;
        }
        Err(error) => {
            tracing::error!(%run, %error, "a run cannot be played");
            give_up(inner, claim, Some(error)).await;
        }
    }
}

/// How playing a run ended here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayOutcome {
    /// It has ended, or the node stops: it is still claimed.
    Stopped,
    /// It waits for a command, and no process owns it.
    Resting,
}

/// As long as a run is claimed no other node can play it: this is tried until it succeeds, or until there is
/// nothing left to give up.
async fn give_up(inner: &Inner, claim: Claim, error: Option<PlayError>) {
    let run = claim.run;
    loop {
        let given_up = match &error {
            None => inner.store.release(claim).await,
            Some(error) => inner.store.requeue(claim, &error.to_string(), error.backoff()).await,
        };
        match given_up {
            Err(error @ log::Error::Storage(_)) => {
                inner.outage.failed("runs could not be given up yet", &error);
                tokio::time::sleep(STORE_BACKOFF).await;
            }
            Err(error) => {
                return tracing::warn!(%run, %error, "the claim to release is gone: the run was deleted or taken over");
            }
            Ok(()) => return,
        }
    }
}

/// Plays to the end, until it rests or until the node stops.
async fn perform(
    inner: &Inner,
    claim: Claim,
    known: Option<KnownRun>,
    liveness: Arc<Liveness>,
    signals: mpsc::Receiver<Signal>,
) -> Result<PlayOutcome, PlayError> {
    let turn = inner.load_permits.acquire().await;
    if *inner.stopping.borrow() {
        return Ok(PlayOutcome::Stopped);
    }
    let from = known.as_ref().map_or(Seq(0), |known| known.next);
    let reading = inner.store.read_some(claim.run, from, FIRST_PAGE);
    let (records, commands) = tokio::try_join!(reading, inner.store.inbox(claim.run))?;
    let first = known.as_ref().map(|known| &known.first).or(records.first());
    let first = first.ok_or_else(|| PlayError::from(run_loop::Error::NoBeginning))?;
    let production = inner.productions.of(first)?;
    let run = ClaimedRun { inner, claim, known, liveness, records, commands, signals, turn: turn.ok() };
    production.play(run).await
}

/// A run that a node has claimed. Only its [production](crate::productions::AnyProduction) knows how to go on
/// with it.
pub struct ClaimedRun<'a> {
    inner: &'a Inner,
    claim: Claim,
    known: Option<KnownRun>,
    liveness: Arc<Liveness>,
    /// The first page of its log, or of what was appended since it was known.
    records: Vec<Record>,
    /// The first page of its inbox.
    commands: Vec<PostedCommand>,
    signals: mpsc::Receiver<Signal>,
    /// Only so many are read at once.
    turn: Option<SemaphorePermit<'a>>,
}

impl std::fmt::Debug for ClaimedRun<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClaimedRun").field("claim", &self.claim).finish_non_exhaustive()
    }
}

impl ClaimedRun<'_> {
    pub(crate) async fn play<P: Production>(self) -> Result<PlayOutcome, PlayError> {
        let ClaimedRun { inner, claim, known, liveness, records, commands, mut signals, turn } = self;
        let mut stopping = inner.stopping.subscribe();
        let known = known.and_then(|known| Some((*known.state.downcast::<P>().ok()?, known.next)));
        let loaded = match known {
            Some(known) => Loaded::go_on(&*inner.store, known, records).await?,
            None => Loaded::<P>::read(&*inner.store, claim.run, records).await?,
        };
        let wakes = loaded.wakes();
        let feed = inner.feeds.of(claim.run);
        inner.show_from_here(claim, &feed, loaded.next);
        let mut observer = FeedObserver::<P> { inner, feed: feed.clone(), liveness, reads: PhantomData };
        let mut active = ActiveRun::<P>::new(
            loaded.production,
            loaded.next,
            claim,
            &*inner.store,
            &*inner.clock,
            &mut observer,
        );
        active.checkpointed_at(loaded.checkpointed);
        active.audience = Some(feed);
        active.may_rest = true;
        // Also a run that is cancelled before anything is said leaves a manifest that says so.
        active.artifacts = active.production.voice().and_then(|_| inner.project.artifacts());
        active.failures = Some(RunFailures { failures: inner.failures.clone(), run: claim.run });
        let mut commands = active.read_inbox(commands).await?;
        drop(turn);
        if active.production.ended().is_some() {
            return Ok(PlayOutcome::Stopped);
        }
        let resources = tokio::select! {
            biased;
            _ = stopping.wait_for(|stopping| *stopping) => return Ok(PlayOutcome::Stopped),
            found = Resources::find(&*inner.project, &inner.checks, &active.production, wakes) => found?,
        };
        if !wakes {
            // To ask about a key takes seconds, in which the run may have been cancelled.
            commands = active.read_inbox(inner.store.inbox(claim.run).await?).await?;
            active.go_on().await?;
        }
        active.take_commands(commands).await?;
        inner.open_inbox(claim, active.seen);
        let (run, production) = (claim.run, P::NAME);
        let name = active.production.title();
        match wakes {
            // At debug level: thousands of runs may wake and rest every minute.
            true => tracing::debug!(%run, production, name, "a run wakes up"),
            false => tracing::info!(%run, production, name, "a run is played"),
        }
        Ok(match play_traced(active, resources, &mut signals).await? {
            LoopEnd::Resting => {
                tracing::debug!(%run, "a run rests until a command comes");
                PlayOutcome::Resting
            }
            LoopEnd::Stopped { production, .. } => {
                match production.ended() {
                    Some(reason) => tracing::info!(%run, reason, "a run has ended"),
                    None => tracing::info!(%run, "a run was released before its end"),
                }
                PlayOutcome::Stopped
            }
        })
    }
}

impl Inner {
    /// Lets a feed take what is stored here for all that happens, if this claim is the newest of this node.
    /// One that was frozen while it read the log may find that a newer claim has played the run since: that
    /// one has sent followers to the store, and no claim would do so again.
    fn show_from_here(&self, claim: Claim, feed: &Feed, next: Seq) {
        let playing = lock(&self.playing);
        if playing.get(&claim.run).is_some_and(|playing| playing.claim == claim) {
            feed.play_here(next);
        }
    }
}

/// Passes stored records on to followers, and tells the node that it still owns the run.
struct FeedObserver<'a, P> {
    inner: &'a Inner,
    feed: Arc<Feed>,
    liveness: Arc<Liveness>,
    reads: PhantomData<fn(P)>,
}

impl<P: Production> Observer<P::Event> for FeedObserver<'_, P> {
    fn on_facts(&mut self, facts: &[Fact<P::Event>]) -> Duration {
        let said = facts.iter().filter(|fact| P::is_said(&fact.event));
        self.inner.limits.pace * said.count() as u32
    }

    fn is_paced(&self) -> bool {
        !self.inner.limits.pace.is_zero()
    }

    fn on_ending(&mut self, ending: bool) {
        self.inner.set_ending(self.feed.run(), ending);
    }

    fn on_records(&mut self, records: &[Arc<Record>], ended: bool) {
        self.liveness.owned();
        self.feed.push(records, ended);
    }
}
