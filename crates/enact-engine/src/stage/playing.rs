//! A run of any production on a stage, from its claim to its release.

use std::{collections::BTreeSet, sync::Arc};

use enact_drama::{Fact, Production, RunId, Seq, production::fold, record::read_facts};
use tokio::sync::mpsc;
use tracing::Instrument;

use super::{Error, Stage};
use crate::{
    Artefacts, Log, Studio,
    calls::Models,
    log::{self, Claim, NewRun},
    model,
    perform::{self, Performance, Played, Signal, Watcher},
    spans,
};

impl Stage {
    /// Begins a run of any production and plays it. One that waits for a command when it is told to stop rests from then on.
    pub async fn play_production<P: Production>(
        &self,
        run: RunId,
        first: P::Event,
        watcher: &mut dyn Watcher<P::Event>,
        signals: &mut mpsc::Receiver<Signal>,
    ) -> Result<(), Error> {
        let at = self.clock.now_ms();
        let production = P::begin(&Fact { seq: Seq(0), at, event: first.clone() });
        let production = production.ok_or(perform::Error::NoBeginning)?;
        let studio = self.company(&production).await?;
        let name = production.title().to_owned();
        let claim = self
            .log
            .create(NewRun { run, production: P::NAME, name, at, parent: None, account: String::new() })
            .await?;
        let held = Held::new(&self.log, claim);
        let mut performance =
            Performance::<P>::begin(first, claim, &*self.log, &*self.clock, watcher).await?;
        performance.speak_in(studio);
        let played = perform_in_span(performance, self.models.clone(), signals).await?;
        held.settle(&played).await?;
        Ok(())
    }

    /// Plays on from where a run's log ends, whether or not it was paused. One that has ended stays as it is.
    pub async fn resume_production<P: Production>(
        &self,
        run: RunId,
        watcher: &mut dyn Watcher<P::Event>,
        signals: &mut mpsc::Receiver<Signal>,
    ) -> Result<(), Error> {
        let claim = self.log.claim(run).await?;
        let held = Held::new(&self.log, claim);
        let records = self.log.read(run, Seq(0)).await?;
        // Before anybody is shown what it has come to: it may be that it cannot go on.
        let facts = read_facts(&records).map_err(perform::Error::from)?;
        let production: P = fold(&facts).ok_or(perform::Error::NoBeginning)?;
        let studio = match production.ended() {
            Some(_) => None,
            None => self.company(&production).await?,
        };
        let mut performance =
            Performance::<P>::take_over(claim, &records, &*self.log, &*self.clock, watcher)?;
        performance.speak_in(studio);
        performance.go_on().await?;
        // A run that is resumed by hand goes on: there may be no other way to say so.
        if let Some(command) = P::go_on() {
            performance.command(command).await?;
        }
        let played = perform_in_span(performance, self.models.clone(), signals).await?;
        held.settle(&played).await?;
        Ok(())
    }

    /// Makes sure that everybody is there whom a run cannot do without, and can be asked. Who else is missing costs those it plays.
    /// Gives the place where it is said aloud, if it is.
    async fn company<P: Production>(&self, production: &P) -> Result<Option<Arc<Studio>>, Error> {
        if P::REQUIRES_ALL_MODELS {
            let players = production.players();
            if let Some(missing) = players.iter().find(|player| !self.models.contains_key(&player.name)) {
                return Err(Error::MissingModel(missing.name.clone()));
            }
            self.check_models(players.iter().map(|player| player.name.as_str())).await?;
        }
        let Some(wanted) = production.voice() else { return Ok(None) };
        match (&self.voice, &self.data_dir) {
            (Some(voice), Some(data_dir)) => {
                let artefacts = Artefacts::of_data_folder(data_dir);
                Ok(Some(Arc::new(Studio { voice: voice.clone(), artefacts })))
            }
            _ => Err(Error::MissingVoice(wanted.0.join(", "))),
        }
    }

    /// A key that is refused should stop a run before it begins, not at its seventh beat. Asks all at once.
    async fn check_models<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<(), Error> {
        let names: BTreeSet<&str> = names.into_iter().collect();
        let models = names.into_iter().filter_map(|name| self.models.get(name));
        let checks = models.map(|model| model::check(&**model));
        let problem = futures::future::join_all(checks).await.into_iter().find_map(Result::err);
        problem.map_or(Ok(()), |problem| Err(Error::Problem(Box::new(problem))))
    }
}

/// A claim that is given up whatever happens: even if the future that plays the run is dropped.
pub(super) struct Held<'a> {
    log: &'a Arc<dyn Log>,
    claim: Option<Claim>,
}

impl<'a> Held<'a> {
    pub(super) fn new(log: &'a Arc<dyn Log>, claim: Claim) -> Held<'a> {
        Held { log, claim: Some(claim) }
    }

    /// Releases a run that has stopped; one that waits for a command rests until it comes.
    async fn settle<P: Production>(mut self, played: &Played<P>) -> Result<(), log::Error> {
        let rests = match (played, self.claim) {
            (Played::Stopped { production, seen }, Some(claim)) => {
                production.ended().is_none()
                    && production.pending().is_empty()
                    && self.log.rest(claim, *seen).await?
            }
            (Played::Resting, _) => true,
            (Played::Stopped { .. }, None) => false,
        };
        if rests {
            self.claim = None;
        }
        self.release().await
    }

    pub(super) async fn release(mut self) -> Result<(), log::Error> {
        match self.claim.take() {
            Some(claim) => self.log.release(claim).await,
            None => Ok(()),
        }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        // Outside a runtime the process is ending, which gives its claims up too.
        if let (Some(claim), Ok(runtime)) = (self.claim.take(), tokio::runtime::Handle::try_current()) {
            let log = self.log.clone();
            runtime.spawn(async move { log.release(claim).await });
        }
    }
}

/// Plays what has begun or was taken over, and lets telemetry see it.
pub(crate) async fn perform_in_span<P: Production>(
    performance: Performance<'_, P>,
    models: Models,
    signals: &mut mpsc::Receiver<Signal>,
) -> Result<Played<P>, perform::Error> {
    let run = spans::run(&performance);
    let played = performance.play(models, signals).instrument(run.clone()).await;
    spans::ended(&run, &played);
    played
}
