//! One run, from the queue to its end.

use std::{marker::PhantomData, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use enact_drama::{
    Fact, Problem, Production, Record, Seq,
    chorus::Chorus,
    production::{Kind, Player},
    scene::Scene,
    voice::VoiceChain,
};
use futures::FutureExt;
use tokio::sync::{SemaphorePermit, mpsc};

use super::{Inner, feed::Feed, lock, owning::Signs};
use crate::{
    Absent, Studio,
    calls::Models,
    log::{self, Claim},
    perform::{self, Performance, Wanted, Watcher},
    stage::perform_in_span,
    store::Letter,
};

/// How long before the store is tried again.
const UNTIL_STORE_IS_BACK: Duration = Duration::from_secs(1);
/// How long a run waits that this node cannot play, whoever claims it then: somebody has to do something about it.
const UNTIL_TRIED_AGAIN: Duration = Duration::from_secs(30);
/// How long a run waits that makes the program panic. Each try may add to its log, and only another version helps.
const UNTIL_MENDED: Duration = Duration::from_secs(300);

/// Why a run could not be played on.
#[derive(Debug, thiserror::Error)]
enum Stuck {
    #[error(transparent)]
    Log(#[from] log::Error),
    /// This node lacks something.
    #[error("{0}")]
    Unplayable(String),
    #[error("playing it panicked")]
    Panicked,
}

impl From<perform::Error> for Stuck {
    fn from(error: perform::Error) -> Stuck {
        match error {
            perform::Error::Log(error) => Stuck::Log(error),
            other => Stuck::Unplayable(other.to_string()),
        }
    }
}

impl From<Problem> for Stuck {
    fn from(problem: Problem) -> Stuck {
        Stuck::Unplayable(match &problem.hint {
            Some(hint) => format!("{problem} ({hint})"),
            None => problem.to_string(),
        })
    }
}

impl Stuck {
    fn pause(&self) -> Duration {
        match self {
            Stuck::Log(_) => UNTIL_STORE_IS_BACK,
            Stuck::Unplayable(_) => UNTIL_TRIED_AGAIN,
            Stuck::Panicked => UNTIL_MENDED,
        }
    }
}

/// Plays a run that was claimed, and gives it up whatever happens.
pub(super) async fn play(inner: &Inner, claim: Claim, signs: Arc<Signs>, requests: mpsc::Receiver<Wanted>) {
    let run = claim.run;
    let feed = inner.feeds.of(run);
    let played = AssertUnwindSafe(perform(inner, claim, signs, requests)).catch_unwind().await;
    {
        let playing = lock(&inner.playing);
        if playing.get(&run).is_some_and(|playing| playing.claim == claim) {
            feed.play_elsewhere();
        }
    }
    match played.unwrap_or(Err(Stuck::Panicked)) {
        Ok(()) => give_up(inner, claim, None).await,
        Err(Stuck::Log(log::Error::Conflict(_))) => {
            tracing::warn!(%run, "another node has taken this run over");
        }
        Err(stuck) => {
            tracing::error!(%run, error = %stuck, "a run could not be played on");
            give_up(inner, claim, Some(stuck)).await;
        }
    }
}

/// As long as a run is claimed nobody else can play it: this is tried until it succeeds, or until there is nothing left to
/// give up.
async fn give_up(inner: &Inner, claim: Claim, stuck: Option<Stuck>) {
    let run = claim.run;
    let mut told = false;
    loop {
        let given_up = match &stuck {
            None => inner.store.release(claim).await,
            Some(stuck) => inner.store.put_back(claim, &stuck.to_string(), stuck.pause()).await,
        };
        match given_up {
            Err(log::Error::Storage(error)) => {
                // Once: a store that is away for a minute is away for thousands of runs.
                if !std::mem::replace(&mut told, true) {
                    tracing::error!(%run, %error, "a run could not be given up yet");
                }
                tokio::time::sleep(UNTIL_STORE_IS_BACK).await;
            }
            Err(error) => return tracing::warn!(%run, %error, "a run was no longer there to be given up"),
            Ok(()) => return,
        }
    }
}

/// Plays to the end, or until the node stops.
async fn perform(
    inner: &Inner,
    claim: Claim,
    signs: Arc<Signs>,
    requests: mpsc::Receiver<Wanted>,
) -> Result<(), Stuck> {
    let turn = inner.beginning.acquire().await;
    if *inner.stopping.borrow() {
        return Ok(());
    }
    let records = inner.store.read(claim.run, Seq(0)).await?;
    let taken = Taken { inner, claim, signs, records, turn: turn.ok() };
    match taken.records.first().and_then(Kind::of) {
        Some(Kind::Chorus) => taken.perform::<Chorus>(requests).await,
        // What is nothing that this version knows is no scene either, and says why.
        Some(Kind::Scene) | None => taken.perform::<Scene>(requests).await,
    }
}

/// A run that was claimed, and read.
struct Taken<'a> {
    inner: &'a Inner,
    claim: Claim,
    signs: Arc<Signs>,
    records: Vec<Record>,
    /// Only so many are read at once.
    turn: Option<SemaphorePermit<'a>>,
}

impl Taken<'_> {
    async fn perform<P: Production>(self, mut requests: mpsc::Receiver<Wanted>) -> Result<(), Stuck> {
        let Taken { inner, claim, signs, records, turn } = self;
        let mut stopping = inner.stopping.subscribe();
        let feed = inner.feeds.of(claim.run);
        feed.play_here(Seq(records.len() as u64));
        let mut watcher = Fed::<P> { inner, feed: feed.clone(), signs, reads: PhantomData };
        let mut performance =
            Performance::<P>::take_over(claim, &records, &*inner.store, &*inner.clock, &mut watcher)?;
        drop(records);
        performance.audience = Some(feed);
        // Also what is cancelled before anybody speaks leaves a list that says so.
        performance.artefacts = performance.production.voice().and_then(|_| inner.project.artefacts());
        performance.read_inbox(inbox(inner, claim).await?).await?;
        drop(turn);
        if performance.production.ended().is_some() {
            return Ok(());
        }
        let (models, studio) = tokio::select! {
            biased;
            _ = stopping.wait_for(|stopping| *stopping) => return Ok(()),
            company = company(inner, &performance.production) => company?,
        };
        performance.speak_in(studio);
        // To ask about a key takes seconds, in which somebody may have thought better of it.
        performance.read_inbox(inbox(inner, claim).await?).await?;
        performance.go_on().await?;
        inner.open_inbox(claim);
        let (run, production) = (claim.run, P::NAME);
        tracing::info!(%run, production, name = performance.production.title(), "a run is played");
        let played = perform_in_span(performance, models, &mut requests).await?;
        match played.ended() {
            Some(reason) => tracing::info!(%run, reason, "a run has ended"),
            None => tracing::info!(%run, "a run rests, and can be played on"),
        }
        Ok(())
    }
}

/// The letters to one run, oldest first.
async fn inbox(inner: &Inner, claim: Claim) -> Result<Vec<Letter>, log::Error> {
    let mut letters = inner.store.letters().await?;
    letters.retain(|letter| letter.run == claim.run);
    Ok(letters)
}

/// Those a run is played with, and where it is said aloud.
async fn company<P: Production>(
    inner: &Inner,
    production: &P,
) -> Result<(Models, Option<Arc<Studio>>), Stuck> {
    let players = production.players();
    let models = match P::NEEDS_EVERYBODY {
        true => everybody(inner, &players).await?,
        false => whoever_can(inner, &players).await,
    };
    let studio = match production.voice() {
        Some(voices) => studio(inner, voices).await,
        None => None,
    };
    Ok((models, studio))
}

/// All models, of whom nobody may be missing, and who are asked whether they could answer.
async fn everybody(inner: &Inner, players: &[Player]) -> Result<Models, Stuck> {
    let models = inner.project.models(players).await?;
    if let Some(missing) = players.iter().find(|player| !models.contains_key(&player.name)) {
        return Err(Stuck::Unplayable(lacking(missing).to_string()));
    }
    inner.checks.check(&models, players.iter().map(|player| player.name.as_str())).await?;
    Ok(models)
}

/// All models, with a stand-in for each that is missing, so that it costs only those it plays. Asked for one by one: what is
/// wrong with one of them says nothing of the others.
async fn whoever_can(inner: &Inner, players: &[Player]) -> Models {
    let mut models = Models::new();
    for player in players {
        let made = inner.project.models(std::slice::from_ref(player)).await;
        let made = made.and_then(|mut made| made.remove(&player.name).ok_or_else(|| lacking(player)));
        let model = made.unwrap_or_else(|problem| {
            tracing::warn!(model = player.name, %problem, hint = problem.hint, "a model is missing");
            Arc::new(Absent::because(player.card.clone(), &problem))
        });
        models.insert(player.name.clone(), model);
    }
    models
}

fn lacking(player: &Player) -> Problem {
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

/// Passes what is stored on to those who follow, and tells the node how the run is.
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

    fn rests(&mut self, rests: bool) {
        if self.signs.set_rests(rests) && rests {
            // There may be room for another.
            self.inner.claim.notify_one();
        }
    }
}
