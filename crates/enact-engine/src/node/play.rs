//! One run, from the queue to its end or until it rests.

use std::{marker::PhantomData, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use enact_drama::{
    Fact, Problem, Production, Record, Seq,
    production::{Player, fold},
    record::read_facts,
    voice::VoiceChain,
};
use futures::FutureExt;
use tokio::sync::{SemaphorePermit, mpsc};

use super::{Inner, feed::Feed, lock, owning::Signs};
use crate::{
    Absent, Store, Studio,
    calls::Models,
    checkpoint,
    log::{self, Claim},
    perform::{self, Performance, Played, Signal, Watcher},
    productions::UnknownProduction,
    resources::Resources,
    spans::play_traced,
};

/// How long before the store is tried again.
const STORE_BACKOFF: Duration = Duration::from_secs(1);
/// How long a run waits that this node cannot play, whichever node claims it then: the operator has to do something about it.
const UNPLAYABLE_BACKOFF: Duration = Duration::from_secs(30);
/// How long a run waits that makes the program panic. Each try may add to its log, and only another version helps.
const PANIC_BACKOFF: Duration = Duration::from_secs(300);
/// How many records are read before a checkpoint is looked for: most runs are not longer.
const FIRST_PAGE: usize = 64;

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

impl From<perform::Error> for PlayError {
    fn from(error: perform::Error) -> PlayError {
        match error {
            perform::Error::Log(error) => PlayError::Log(error),
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
pub(super) async fn play(inner: &Inner, claim: Claim, signs: Arc<Signs>, signals: mpsc::Receiver<Signal>) {
    let run = claim.run;
    let feed = inner.feeds.of(run);
    let played = AssertUnwindSafe(perform(inner, claim, signs, signals)).catch_unwind().await;
    {
        let playing = lock(&inner.playing);
        if playing.get(&run).is_some_and(|playing| playing.claim == claim) {
            feed.play_elsewhere();
        }
    }
    match played.unwrap_or(Err(PlayError::Panicked)) {
        Ok(Outcome::Resting) => {}
        Ok(Outcome::Stopped) => give_up(inner, claim, None).await,
        Err(PlayError::Log(log::Error::Conflict(_))) => {
            tracing::warn!(%run, "another node has taken this run over");
        }
        Err(error) => {
            tracing::error!(%run, %error, "a run could not be played on");
            give_up(inner, claim, Some(error)).await;
        }
    }
}

/// How playing a run ended here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It has ended, or the node stops: it is still claimed.
    Stopped,
    /// It waits for a command, and is nobody's.
    Resting,
}

/// As long as a run is claimed no other node can play it: this is tried until it succeeds, or until there is nothing left to
/// give up.
async fn give_up(inner: &Inner, claim: Claim, error: Option<PlayError>) {
    let run = claim.run;
    let mut told = false;
    loop {
        let given_up = match &error {
            None => inner.store.release(claim).await,
            Some(error) => inner.store.put_back(claim, &error.to_string(), error.backoff()).await,
        };
        match given_up {
            Err(log::Error::Storage(error)) => {
                // Once: a store that is away for a minute is away for thousands of runs.
                if !std::mem::replace(&mut told, true) {
                    tracing::error!(%run, %error, "a run could not be given up yet");
                }
                tokio::time::sleep(STORE_BACKOFF).await;
            }
            Err(error) => return tracing::warn!(%run, %error, "a run was no longer there to be given up"),
            Ok(()) => return,
        }
    }
}

/// Plays to the end, until it rests or until the node stops.
async fn perform(
    inner: &Inner,
    claim: Claim,
    signs: Arc<Signs>,
    signals: mpsc::Receiver<Signal>,
) -> Result<Outcome, PlayError> {
    let turn = inner.beginning.acquire().await;
    if *inner.stopping.borrow() {
        return Ok(Outcome::Stopped);
    }
    let records = inner.store.read_some(claim.run, Seq(0), FIRST_PAGE).await?;
    let first = records.first().ok_or_else(|| PlayError::from(perform::Error::NoBeginning))?;
    let production = inner.productions.of(first)?;
    let run = ClaimedRun { inner, claim, signs, records, signals, turn: turn.ok() };
    production.play(run).await
}

/// A run that a node has claimed. Only its [production](crate::productions::AnyProduction) knows how to go on with it.
pub struct ClaimedRun<'a> {
    inner: &'a Inner,
    claim: Claim,
    signs: Arc<Signs>,
    /// The first page of its log.
    records: Vec<Record>,
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
    pub(crate) async fn play<P: Production>(self) -> Result<Outcome, PlayError> {
        let ClaimedRun { inner, claim, signs, records, mut signals, turn } = self;
        let mut stopping = inner.stopping.subscribe();
        let loaded = load::<P>(&*inner.store, claim, records).await?;
        let wakes = loaded.wakes();
        let feed = inner.feeds.of(claim.run);
        feed.play_here(loaded.next);
        let mut watcher = Fed::<P> { inner, feed: feed.clone(), signs, reads: PhantomData };
        let mut performance = Performance::<P>::new(
            loaded.production,
            loaded.next,
            claim,
            &*inner.store,
            &*inner.clock,
            &mut watcher,
        );
        performance.checkpointed_at(loaded.checkpointed);
        performance.audience = Some(feed);
        performance.may_rest = true;
        // Also a run that is cancelled before anybody speaks leaves a manifest that says so.
        performance.artefacts = performance.production.voice().and_then(|_| inner.project.artefacts());
        let mut commands = performance.read_inbox(inner.store.inbox(claim.run).await?).await?;
        drop(turn);
        if performance.production.ended().is_some() {
            return Ok(Outcome::Stopped);
        }
        let (models, studio) = tokio::select! {
            biased;
            _ = stopping.wait_for(|stopping| *stopping) => return Ok(Outcome::Stopped),
            resources = resources(inner, &performance.production, wakes) => resources?,
        };
        if !wakes {
            // To ask about a key takes seconds, in which the run may have been cancelled.
            commands = performance.read_inbox(inner.store.inbox(claim.run).await?).await?;
            performance.go_on().await?;
        }
        performance.take_commands(commands).await?;
        inner.open_inbox(claim, performance.seen);
        let (run, production) = (claim.run, P::NAME);
        let name = performance.production.title();
        match wakes {
            // Thousands may wake and rest again in a minute: that is their life, and no news.
            true => tracing::debug!(%run, production, name, "a run wakes up"),
            false => tracing::info!(%run, production, name, "a run is played"),
        }
        Ok(match play_traced(performance, Resources { models, studio }, &mut signals).await? {
            Played::Resting => {
                tracing::debug!(%run, "a run rests until a command comes");
                Outcome::Resting
            }
            Played::Stopped { production, .. } => {
                match production.ended() {
                    Some(reason) => tracing::info!(%run, reason, "a run has ended"),
                    None => tracing::info!(%run, "a run was released, and can be played on"),
                }
                Outcome::Stopped
            }
        })
    }
}

/// A run as its log has left it.
struct Loaded<P> {
    production: P,
    /// The seq of the next record.
    next: Seq,
    /// What its newest checkpoint covers, as far as that was looked at.
    checkpointed: Seq,
}

impl<P: Production> Loaded<P> {
    /// Whether nothing was under way, so that only a command sets it going: then it need not be resumed, and its models
    /// were checked when it began.
    fn wakes(&self) -> bool {
        self.next > Seq(1) && self.production.has_begun() && self.production.pending().is_empty()
    }
}

/// Reads a run from its newest checkpoint on, if there is one; short logs are folded as they are.
async fn load<P: Production>(
    store: &dyn Store,
    claim: Claim,
    mut records: Vec<Record>,
) -> Result<Loaded<P>, PlayError> {
    let is_whole = records.len() < FIRST_PAGE;
    if !is_whole
        && P::CHECKPOINT_EVERY.is_some()
        && let Some(loaded) = load_checkpoint(store, claim, &records).await?
    {
        return Ok(loaded);
    }
    if !is_whole {
        records.extend(store.read(claim.run, Seq(records.len() as u64)).await?);
    }
    let facts = read_facts(&records).map_err(perform::Error::from)?;
    let production = fold(&facts).ok_or(perform::Error::NoBeginning)?;
    let next = Seq(records.len() as u64);
    Ok(Loaded { production, next, checkpointed: Seq(0) })
}

/// A run from its newest checkpoint on. Nothing if it has none, or none that can be believed: one that claims to cover
/// more than the log holds cannot.
async fn load_checkpoint<P: Production>(
    store: &dyn Store,
    claim: Claim,
    records: &[Record],
) -> Result<Option<Loaded<P>>, PlayError> {
    let Some(checkpoint) = store.checkpoint(claim.run).await? else { return Ok(None) };
    let (next, Some(first)) = (checkpoint.next, records.first()) else { return Ok(None) };
    let Some(mut production) = checkpoint::read::<P>(first, &checkpoint) else { return Ok(None) };
    if next.0 < records.len() as u64 {
        return Ok(None);
    }
    // From the last record that it covers.
    let rest = store.read(claim.run, Seq(next.0 - 1)).await?;
    let Some((_, after)) = rest.split_first() else { return Ok(None) };
    let facts: Vec<Fact<P::Event>> = read_facts(after).map_err(perform::Error::from)?;
    facts.iter().for_each(|fact| production.apply(fact));
    let next = Seq(next.0 + after.len() as u64);
    Ok(Some(Loaded { production, next, checkpointed: checkpoint.next }))
}

/// What a run is played with: its models, and where it is said aloud.
async fn resources<P: Production>(
    inner: &Inner,
    production: &P,
    wakes: bool,
) -> Result<(Models, Option<Arc<Studio>>), PlayError> {
    let players = production.players();
    let models = match P::REQUIRES_ALL_MODELS {
        true => require_models(inner, &players, wakes).await?,
        false => models_or_stand_ins(inner, &players).await,
    };
    let studio = match production.voice() {
        Some(voices) => studio(inner, voices).await,
        None => None,
    };
    Ok((models, studio))
}

/// All models, none of which may be missing. Those of a run that begins are asked whether they could answer.
async fn require_models(inner: &Inner, players: &[Player], wakes: bool) -> Result<Models, PlayError> {
    let models = inner.project.models(players).await?;
    if let Some(missing) = players.iter().find(|player| !models.contains_key(&player.name)) {
        return Err(PlayError::Unplayable(missing_model(missing).to_string()));
    }
    if !wakes {
        inner.checks.check(&models, players.iter().map(|player| player.name.as_str())).await?;
    }
    Ok(models)
}

/// All models, with a stand-in for each that is missing, so that it costs only those it plays. Asked for one by one: what is
/// wrong with one of them says nothing of the others.
async fn models_or_stand_ins(inner: &Inner, players: &[Player]) -> Models {
    let mut models = Models::new();
    for player in players {
        let made = inner.project.models(std::slice::from_ref(player)).await;
        let made = made.and_then(|mut made| made.remove(&player.name).ok_or_else(|| missing_model(player)));
        let model = made.unwrap_or_else(|problem| {
            tracing::warn!(model = player.name, %problem, hint = problem.hint, "a model is missing");
            Arc::new(Absent::because(player.card.clone(), &problem))
        });
        models.insert(player.name.clone(), model);
    }
    models
}

fn missing_model(player: &Player) -> Problem {
    Problem::config(format!("it is played by the model '{}', which this node lacks", player.name))
}

/// Where it is said aloud. Without a voice nothing can be heard, and every text says why; it was said all the same.
async fn studio(inner: &Inner, voices: &VoiceChain) -> Option<Arc<Studio>> {
    let studio = match inner.project.studio(voices).await {
        Ok(studio) => studio,
        Err(problem) => {
            tracing::warn!(%problem, hint = problem.hint, "a run is played without its voice");
            let voice = Arc::new(Absent::because(voices.0.join(", "), &problem));
            Studio { voice, artefacts: inner.project.artefacts()? }
        }
    };
    Some(Arc::new(studio))
}

/// Passes what is stored on to those who follow, and tells the node that the run is still its own.
struct Fed<'a, P> {
    inner: &'a Inner,
    feed: Arc<Feed>,
    signs: Arc<Signs>,
    reads: PhantomData<fn(P)>,
}

impl<P: Production> Watcher<P::Event> for Fed<'_, P> {
    fn saw(&mut self, facts: &[Fact<P::Event>]) -> Duration {
        let said = facts.iter().filter(|fact| P::is_said(&fact.event));
        self.inner.limits.pace * said.count() as u32
    }

    fn reads_along(&self) -> bool {
        !self.inner.limits.pace.is_zero()
    }

    fn stored(&mut self, records: &[Arc<Record>], ended: bool) {
        self.signs.owned();
        self.feed.grow(records, ended);
    }
}
