//! The one loop that plays every production, begun or resumed: perform what is pending, store what follows.

use std::{sync::Arc, time::Duration};

use enact_drama::{
    CallId, Fact, Happened, Input, Name, Production, Record, Steering, chorus, production::Paper,
    record::Unreadable,
};
use tokio::{sync::mpsc, time::Instant};

use crate::{
    Artefacts, Clock, Log,
    calls::{Calls, Crew, Models},
    log::{self, Batch, Claim, LetterId},
    store::Letter,
    studio::Studio,
};

/// How long an outcome after which nothing new is to be done waits for others before it is stored. Answers of one beat
/// often come together, and nobody can see a difference of a millisecond.
const COMPANY: Duration = Duration::from_millis(1);

/// Somebody who looks on. Sees facts only after they are stored.
pub trait Watcher<E>: Send {
    /// Returns how long nothing else should happen, so that a person can read along.
    fn saw(&mut self, facts: &[Fact<E>]) -> Duration;

    /// The same facts as they are stored, for those who pass them on, and whether the run has ended with them.
    fn stored(&mut self, records: &[Arc<Record>], ended: bool) {
        let _ = (records, ended);
    }

    /// Whether nothing is under way and nothing will be, until something is wanted from outside.
    fn rests(&mut self, rests: bool) {
        let _ = rests;
    }

    /// Whether somebody reads along: then outcomes that arrived together are still taken one at a time, so that there
    /// is a pause between them.
    fn reads_along(&self) -> bool {
        false
    }
}

/// Nobody looks on.
impl<E> Watcher<E> for () {
    fn saw(&mut self, _: &[Fact<E>]) -> Duration {
        Duration::ZERO
    }
}

/// Somebody who hears actors while they are still speaking. What is heard is provisional: a call that fails takes it back.
/// It comes before the fact that ends its call.
pub trait Audience: Send + Sync {
    /// Whether somebody is there. Nothing is said to nobody.
    fn listens(&self) -> bool;

    fn hears(&self, delta: Delta);
}

/// A piece of an answer that is still coming.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Delta {
    pub call: CallId,
    pub actor: Name,
    pub text: String,
}

/// What is wanted of whoever plays a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// For the rules to decide on.
    Steered {
        what: Steering,
        /// Where it was posted; it is taken out of the inbox with what follows from it.
        letter: Option<LetterId>,
    },
    /// Play no further, so that somebody else can go on.
    Stop,
}

impl From<Steering> for Wanted {
    fn from(what: Steering) -> Wanted {
        Wanted::Steered { what, letter: None }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The run cannot go on: what happens next could not be made to last.
    #[error(transparent)]
    Log(#[from] log::Error),
    #[error("this run cannot be resumed: {0}")]
    Unreadable(#[from] Unreadable),
    #[error("this run cannot be resumed: its log does not start as a run of this kind does")]
    NoBeginning,
}

/// One run being played by this process.
pub(crate) struct Performance<'a, P: Production> {
    pub(crate) production: P,
    pub(crate) claim: Claim,
    pub(crate) log: &'a dyn Log,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) watcher: &'a mut dyn Watcher<P::Event>,
    pub(crate) audience: Option<Arc<dyn Audience>>,
    pub(crate) studio: Option<Arc<Studio>>,
    /// Where lists of what is said aloud are kept, also while nobody speaks.
    pub(crate) artefacts: Option<Artefacts>,
}

impl<'a, P: Production> Performance<'a, P> {
    /// Begins a new run: its first fact and what follows from it are stored together, so that there is never a run
    /// that has begun and waits for nothing.
    pub(crate) async fn begin(
        first: P::Event,
        claim: Claim,
        log: &'a dyn Log,
        clock: &'a dyn Clock,
        watcher: &'a mut dyn Watcher<P::Event>,
    ) -> Result<Performance<'a, P>, Error> {
        let at = clock.now_ms();
        let first = Fact { seq: enact_drama::Seq(0), at, event: first };
        let production = P::begin(&first).ok_or(Error::NoBeginning)?;
        let mut performance = Performance::new(production, claim, log, clock, watcher);
        let mut facts = vec![first];
        performance.decide(Happened::Started, &mut facts);
        performance.keep(facts, None).await?;
        Ok(performance)
    }

    /// Takes over a run from its log, as it stands there. [`go_on`](Self::go_on) sets it going.
    pub(crate) fn take_over(
        claim: Claim,
        records: &[Record],
        log: &'a dyn Log,
        clock: &'a dyn Clock,
        watcher: &'a mut dyn Watcher<P::Event>,
    ) -> Result<Performance<'a, P>, Error> {
        let facts = read_facts(records)?;
        let production = folded(&facts)?;
        watcher.saw(&facts);
        Ok(Performance::new(production, claim, log, clock, watcher))
    }

    fn new(
        production: P,
        claim: Claim,
        log: &'a dyn Log,
        clock: &'a dyn Clock,
        watcher: &'a mut dyn Watcher<P::Event>,
    ) -> Performance<'a, P> {
        Performance { production, claim, log, clock, watcher, audience: None, studio: None, artefacts: None }
    }

    /// Has it said aloud.
    pub(crate) fn speak_in(&mut self, studio: Option<Arc<Studio>>) {
        self.artefacts = studio.as_ref().map(|studio| studio.artefacts.clone()).or(self.artefacts.take());
        self.studio = studio;
    }

    /// Lets the rules decide on what was wanted while nobody played, as far as nobody has to be asked for it: it may turn
    /// out that nobody can be. The rest stays in the inbox, for when the run goes on.
    pub(crate) async fn read_inbox(&mut self, letters: Vec<Letter>) -> Result<(), Error> {
        let cancel = letters.iter().find(|letter| letter.wanted == Steering::Cancel).map(|letter| letter.id);
        for Letter { id, wanted, .. } in letters {
            // What is under way comes first, and is asked for again only by going on.
            if !self.production.pending().is_empty() || self.production.ended().is_some() {
                break;
            }
            let before = self.production.clone();
            let mut facts = Vec::new();
            self.decide(Happened::Steered(wanted), &mut facts);
            if !self.production.pending().is_empty() {
                self.production = before;
                break;
            }
            self.keep(facts, Some(id)).await?;
        }
        // Whoever has cancelled the run does not want played what was wanted before.
        if let Some(cancel) = cancel.filter(|_| self.production.ended().is_none()) {
            let mut facts = Vec::new();
            if !self.production.pending().is_empty() {
                // Says from when on it was in somebody's hands again.
                self.decide(Happened::Resumed, &mut facts);
            }
            self.decide(Happened::Steered(Steering::Cancel), &mut facts);
            self.keep(facts, Some(cancel)).await?;
        }
        Ok(())
    }

    /// Begins what was taken over, or asks again for what was under way. A run that has ended stays as it is.
    pub(crate) async fn go_on(&mut self) -> Result<(), Error> {
        let mut facts = Vec::new();
        self.decide(Happened::Resumed, &mut facts);
        self.keep(facts, None).await?;
        if let Some(artefacts) = self.artefacts.clone() {
            sweep(artefacts, self.claim).await;
        }
        Ok(())
    }

    /// Lets the rules decide on what somebody wants, before it is played on.
    pub(crate) async fn steer(&mut self, wanted: Steering) -> Result<(), Error> {
        let mut facts = Vec::new();
        self.decide(Happened::Steered(wanted), &mut facts);
        self.keep(facts, None).await?;
        Ok(())
    }

    /// Plays to the end, or until it is told to stop. `requests` brings what is wanted from outside. Whoever wants to tell
    /// the run's calls apart in telemetry plays it within a [span](crate::spans::run).
    pub(crate) async fn play(
        mut self,
        models: Models,
        requests: &mut mpsc::Receiver<Wanted>,
    ) -> Result<P, Error> {
        let crew = Crew { models, studio: self.studio.clone() };
        let mut calls = Calls::new(tracing::Span::current(), self.audience.clone());
        while self.production.ended().is_none() {
            calls.keep_up(&self.production, &crew);
            self.watcher.rests(calls.is_empty());
            let (what, letter) = tokio::select! {
                biased;
                Some(request) = requests.recv() => match request {
                    Wanted::Steered { what, letter } => (Happened::Steered(what), letter),
                    Wanted::Stop => break,
                },
                what = calls.next() => (what, None),
            };
            let mut facts = Vec::new();
            self.decide(what, &mut facts);
            self.gather(&mut calls, &mut facts).await;
            let pause = self.keep(facts, letter).await?;
            if !pause.is_zero() && self.pause(pause, &mut calls, &crew, requests).await? == Pause::Stopped {
                break;
            }
        }
        Ok(self.production)
    }

    /// Lets people read what was said. Asks of the next beat leave now: a reader's pause is thinking time. What is said aloud is
    /// taken in as it comes, because nobody reads that; whatever is wanted from outside ends the pause.
    async fn pause(
        &mut self,
        pause: Duration,
        calls: &mut Calls,
        crew: &Crew,
        requests: &mut mpsc::Receiver<Wanted>,
    ) -> Result<Pause, Error> {
        let until = Instant::now() + pause;
        while self.production.ended().is_none() {
            calls.keep_up(&self.production, crew);
            let (what, letter) = tokio::select! {
                biased;
                Some(request) = requests.recv() => match request {
                    Wanted::Steered { what, letter } => (Happened::Steered(what), letter),
                    Wanted::Stop => return Ok(Pause::Stopped),
                },
                () = tokio::time::sleep_until(until) => break,
                what = calls.next_heard() => (what, None),
            };
            let steered = matches!(what, Happened::Steered(_));
            let mut facts = Vec::new();
            self.decide(what, &mut facts);
            self.keep(facts, letter).await?;
            if steered {
                break;
            }
        }
        Ok(Pause::Over)
    }

    /// Takes what else arrives in this moment, to be stored together: one append for a whole beat costs less than five.
    /// As soon as there is something new to be done nobody waits any longer.
    async fn gather(&mut self, calls: &mut Calls, facts: &mut Vec<Fact<P::Event>>) {
        if self.watcher.reads_along() {
            return;
        }
        loop {
            while let Some(what) = calls.next_if_there() {
                self.decide(what, facts);
            }
            if facts.is_empty() || self.production.ended().is_some() || !calls.is_up_to_date(&self.production)
            {
                return;
            }
            match tokio::time::timeout(COMPANY, calls.next()).await {
                Ok(what) => self.decide(what, facts),
                Err(_) => return,
            }
        }
    }

    /// Decides on an input and folds what follows. Nothing is shown or performed before it is [kept](Self::keep);
    /// if it cannot be, the run stops and this state is gone.
    fn decide(&mut self, what: Happened, facts: &mut Vec<Fact<P::Event>>) {
        let at = self.clock.now_ms();
        for event in self.production.decide(&Input { at, what }) {
            let fact = Fact { seq: self.production.next_seq(), at, event };
            self.production.apply(&fact);
            facts.push(fact);
        }
    }

    /// Stores facts, then shows them.
    async fn keep(&mut self, facts: Vec<Fact<P::Event>>, taken: Option<LetterId>) -> Result<Duration, Error> {
        if facts.is_empty() && taken.is_none() {
            return Ok(Duration::ZERO);
        }
        let records: Vec<Arc<Record>> = facts.iter().map(Record::of).map(Arc::new).collect();
        let ended = self.production.ended();
        let batch = Batch { records: records.clone(), ended: ended.map(str::to_owned), taken };
        self.log.append(&self.claim, batch).await?;
        if let Some((artefacts, paper)) = self.artefacts.clone().zip(self.production.paper(&facts)) {
            // After they are stored: who has lost this run finds it out by storing, and must not replace the list of whoever
            // plays it now. Before they are shown: who hears that a run is over finds a list of everything it left.
            lay_down(&artefacts, paper, self.claim).await;
        }
        self.watcher.stored(&records, ended.is_some());
        let pause = self.watcher.saw(&facts);
        if self.audience.as_ref().is_some_and(|audience| audience.listens()) {
            // Those who follow get it before this run goes on: of hundreds that were stored together, the readers of the last
            // would otherwise wait until all the others have decided what comes next.
            tokio::task::yield_now().await;
        }
        Ok(pause)
    }
}

/// How a pause has ended.
#[derive(PartialEq, Eq)]
enum Pause {
    Over,
    /// The run is to be played no further.
    Stopped,
}

impl<P: Production> std::fmt::Debug for Performance<'_, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Performance").field("claim", &self.claim).finish_non_exhaustive()
    }
}

/// Keeps a text beside the artefacts. Failing to does not stop a run.
async fn lay_down(artefacts: &Artefacts, paper: Paper, claim: Claim) {
    if let Err(error) = artefacts.note(&paper.path, paper.text).await {
        tracing::warn!(run = %claim.run, %error, "a run goes on without its list of artefacts");
    }
}

/// Removes what whoever played a run before was writing when it died.
async fn sweep(artefacts: Artefacts, claim: Claim) {
    let run = claim.run;
    let swept = tokio::task::spawn_blocking(move || artefacts.sweep(&chorus::folder_of(run)));
    if let Ok(Err(error)) = swept.await {
        tracing::warn!(%run, %error, "a run goes on beside what was left of it");
    }
}

/// What a log has come to, by its facts.
pub fn folded<P: Production>(facts: &[Fact<P::Event>]) -> Result<P, Error> {
    let (first, rest) = facts.split_first().ok_or(Error::NoBeginning)?;
    let mut production = P::begin(first).ok_or(Error::NoBeginning)?;
    rest.iter().for_each(|fact| production.apply(fact));
    Ok(production)
}

/// What can be understood of a log: viewing goes on past what a newer version wrote.
pub fn known_facts<E: serde::de::DeserializeOwned>(records: &[Record]) -> Vec<Fact<E>> {
    records.iter().filter_map(|record| record.fact().ok()).collect()
}

/// Reads a log back into facts; one that this version cannot read in full cannot be played on.
pub fn read_facts<E: serde::de::DeserializeOwned>(records: &[Record]) -> Result<Vec<Fact<E>>, Unreadable> {
    records.iter().map(Record::fact).collect()
}
