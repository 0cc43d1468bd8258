//! The one loop that plays every production, begun or resumed: perform what is pending, store what follows.

mod commit;

use std::{sync::Arc, time::Duration};

use enact_drama::{
    Fact, Happened, Production, Record, Seq, production::Delta, record::Unreadable, row::RowChange,
};
use tokio::{sync::mpsc, time::Instant};

use crate::{
    Artifacts, Clock, Store,
    calls::Calls,
    failures::RunFailures,
    log::{self, Claim, CommandId},
    productions::json,
    resources::Resources,
    store::PostedCommand,
};

use self::commit::Decided;

/// Batching window: an outcome that triggers no new effect waits this long, so that several share one append.
/// Answers of one beat often come together, and a difference of a millisecond cannot be seen.
const BATCH_WINDOW: Duration = Duration::from_millis(1);

/// Observes a run. Sees facts only after they are stored.
pub trait Observer<E>: Send {
    /// Returns how long nothing else should happen, so that a person can read along.
    fn on_facts(&mut self, facts: &[Fact<E>]) -> Duration;

    /// The same facts as stored records, to be passed on, and whether the run has ended with them.
    fn on_records(&mut self, records: &[Arc<Record>], ended: bool) {
        let _ = (records, ended);
    }

    /// Whether the run ends as soon as the commands that are there are read: then no more should be accepted,
    /// or a client that posts without end would keep it from ending.
    fn on_ending(&mut self, ending: bool) {
        let _ = ending;
    }

    /// Whether a person reads along: then outcomes that arrived together are still taken one at a time, with
    /// a pause between them.
    fn is_paced(&self) -> bool {
        false
    }
}

/// Observes nothing.
impl<E> Observer<E> for () {
    fn on_facts(&mut self, _: &[Fact<E>]) -> Duration {
        Duration::ZERO
    }
}

/// Takes the text of answers while they are still coming. It is provisional: a call that fails takes it back.
/// It comes before the fact that ends its call.
pub trait DeltaSink: std::fmt::Debug + Send + Sync {
    /// Whether there are listeners; without any, nothing is sent.
    fn has_listeners(&self) -> bool;

    fn send(&self, delta: Delta);
}

/// What reaches a run from outside while it is played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signal {
    /// For the rules to decide on.
    Command {
        /// JSON of the production's own.
        command: Arc<str>,
        /// Its place in the inbox, out of which it is taken with what follows from it.
        id: Option<CommandId>,
    },
    /// End the run with everything so far.
    Cancel,
    /// Give the run up as soon as it waits for a command: none comes from here any more.
    Rest,
    /// Play no further, so that another process can go on.
    Stop,
}

impl Signal {
    /// A command of a production whose type is known.
    pub fn command<P: Production>(command: &P::Command) -> Signal {
        Signal::Command { command: json(command).into(), id: None }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The log could not be written: the run stops.
    #[error(transparent)]
    Log(#[from] log::Error),
    #[error("this run cannot be resumed: {0}")]
    Unreadable(#[from] Unreadable),
    #[error("this run cannot be resumed: its log does not start as a run of this kind does")]
    NoBeginning,
}

/// One run being played by this process. Always boxed: a future that takes it by value holds it twice, and so
/// does each one around that.
pub(crate) struct ActiveRun<'a, P: Production> {
    pub(crate) production: P,
    pub(crate) claim: Claim,
    pub(crate) store: &'a dyn Store,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) observer: &'a mut dyn Observer<P::Event>,
    pub(crate) audience: Option<Arc<dyn DeltaSink>>,
    /// Where manifests and recordings are kept; nothing where nothing is said aloud.
    pub(crate) artifacts: Option<Artifacts>,
    /// Counts failures for metrics; `None` where a person watches the run.
    pub(crate) failures: Option<RunFailures>,
    /// Whether a run that waits for a command is given up until one comes.
    pub(crate) may_rest: bool,
    /// The newest command that was read, whether or not anything followed from it.
    pub(crate) seen: Option<CommandId>,
    /// The seq of the next fact.
    next: Seq,
    /// What facts that are not stored yet do to the derived rows.
    rows: Vec<RowChange>,
    /// What the newest checkpoint covers.
    checkpointed: Seq,
}

/// How playing a run ended here.
#[derive(Debug)]
pub(crate) enum LoopEnd<P> {
    /// It has ended, or was told to stop.
    Stopped {
        production: P,
        /// The newest command that was read.
        seen: Option<CommandId>,
    },
    /// It waits for a command, and was given up until one comes.
    Resting,
}

impl<'a, P: Production> ActiveRun<'a, P> {
    /// Begins a new run in the state after its first fact. That fact and what follows from it are stored
    /// together, so that there is never a run that has begun and waits for nothing.
    pub(crate) async fn begin(
        (production, first): (P, Fact<P::Event>),
        claim: Claim,
        store: &'a dyn Store,
        clock: &'a dyn Clock,
        observer: &'a mut dyn Observer<P::Event>,
    ) -> Result<Box<ActiveRun<'a, P>>, Error> {
        let mut active = ActiveRun::new(production, Seq(1), claim, store, clock, observer);
        active.open(first).await?;
        Ok(active)
    }

    /// Takes over a run in the state that its log has come to, before the fact `next`.
    pub(crate) fn new(
        production: P,
        next: Seq,
        claim: Claim,
        store: &'a dyn Store,
        clock: &'a dyn Clock,
        observer: &'a mut dyn Observer<P::Event>,
    ) -> Box<ActiveRun<'a, P>> {
        Box::new(ActiveRun {
            checkpointed: next,
            next,
            production,
            claim,
            store,
            clock,
            observer,
            audience: None,
            artifacts: None,
            failures: None,
            may_rest: false,
            seen: None,
            rows: Vec::new(),
        })
    }

    /// Counts records towards the next checkpoint from this seq on.
    pub(crate) fn checkpointed_at(&mut self, next: Seq) {
        self.checkpointed = next;
    }

    /// Lets the rules decide on commands that came while no process played, as far as no model has to be
    /// asked for it: it may turn out that none can be. Gives back the others, for when the run goes on.
    pub(crate) async fn read_inbox(
        &mut self,
        commands: Vec<PostedCommand>,
    ) -> Result<Vec<PostedCommand>, Error> {
        let cancel = P::cancel();
        let cancelled = commands.iter().find(|posted| read::<P>(&posted.command).as_ref() == Some(&cancel));
        let cancelled = cancelled.map(|posted| posted.id);
        let mut commands = commands.into_iter().peekable();
        while let Some(posted) = commands.peek() {
            // What is under way comes first, and is asked for again only by going on.
            if !self.production.pending().is_empty() || self.production.ended().is_some() {
                break;
            }
            let id = posted.id;
            if self.has_read(id) {
                commands.next();
                continue;
            }
            if let Some(command) = read::<P>(&posted.command) {
                let (before, next) = (self.production.clone(), self.next);
                let mut decided = Decided::default();
                self.decide(Happened::Commanded(command), &mut decided);
                if !self.production.pending().is_empty() {
                    (self.production, self.next) = (before, next);
                    self.rows.clear();
                    break;
                }
                self.commit(decided, Some(id)).await?;
            }
            self.seen = self.seen.max(Some(id));
            commands.next();
        }
        // A run that was cancelled does not play what was wanted before.
        if let Some(id) = cancelled.filter(|_| self.production.ended().is_none()) {
            let mut decided = Decided::default();
            if !self.production.pending().is_empty() {
                // Records when a process took the run over.
                self.decide(Happened::Resumed, &mut decided);
            }
            self.decide(Happened::Commanded(cancel), &mut decided);
            self.commit(decided, Some(id)).await?;
            return Ok(Vec::new());
        }
        Ok(commands.collect())
    }

    /// Lets the rules decide on commands before the run is played on.
    pub(crate) async fn take_commands(&mut self, commands: Vec<PostedCommand>) -> Result<(), Error> {
        for PostedCommand { id, command, .. } in commands {
            if self.production.ended().is_some() {
                break;
            }
            if self.has_read(id) {
                continue;
            }
            if let Some(command) = self.receive(&command, Some(id)) {
                self.decide_and_commit(Happened::Commanded(command), Some(id)).await?;
            }
        }
        Ok(())
    }

    /// Begins what was taken over, or asks again for what was under way. A run that has ended stays as it is.
    pub(crate) async fn go_on(&mut self) -> Result<(), Error> {
        self.decide_and_commit(Happened::Resumed, None).await?;
        if let Some((artifacts, folder)) = self.artifacts.clone().zip(self.production.artifact_folder()) {
            remove_temporary_files(artifacts, folder, self.claim).await;
        }
        Ok(())
    }

    /// Lets the rules decide on a command before the run is played on.
    pub(crate) async fn command(&mut self, command: P::Command) -> Result<(), Error> {
        self.decide_and_commit(Happened::Commanded(command), None).await.map(drop)
    }

    /// Plays until the run ends, rests or is told to stop. `signals` carries commands and stop requests.
    /// Within a span, [telemetry](crate::spans) attributes the calls to it.
    pub(crate) async fn play(
        mut self: Box<Self>,
        resources: Resources,
        signals: &mut mpsc::Receiver<Signal>,
    ) -> Result<LoopEnd<P>, Error> {
        let run = (tracing::Span::current(), self.claim.run);
        let mut calls = Calls::new(run, self.audience.clone(), self.failures.clone());
        while self.production.ended().is_none() {
            calls.sync(&self.production, &resources);
            if calls.is_empty() {
                // Nothing is under way, so nothing but a command can change anything.
                let is_alone = signals.is_closed() && signals.is_empty();
                if (self.may_rest || is_alone) && self.store.rest(self.claim, self.seen).await? {
                    return Ok(LoopEnd::Resting);
                }
                if is_alone {
                    break;
                }
            }
            let (what, command) = tokio::select! {
                biased;
                Some(signal) = signals.recv() => match self.signalled(signal) {
                    Signalled::Decide(command, id) => (Happened::Commanded(command), id),
                    Signalled::PassOver => continue,
                    Signalled::Stop => break,
                },
                what = calls.next() => (what, None),
            };
            let mut decided = Decided::default();
            self.decide(what, &mut decided);
            self.collect_batch(&mut calls, &mut decided).await;
            let pause = self.commit(decided, command).await?;
            // Boxed, because few runs have readers to wait for.
            if !pause.is_zero()
                && Box::pin(self.pause(pause, &mut calls, &resources, signals)).await? == PauseEnd::Stopped
            {
                break;
            }
        }
        Ok(LoopEnd::Stopped { production: self.production, seen: self.seen })
    }

    /// Lets people read what was said. Asks of the next beat leave now: a reader's pause is thinking time.
    /// What is said aloud is taken in as it comes, because it is not read; a signal from outside ends the
    /// pause.
    async fn pause(
        &mut self,
        pause: Duration,
        calls: &mut Calls<P::Command>,
        resources: &Resources,
        signals: &mut mpsc::Receiver<Signal>,
    ) -> Result<PauseEnd, Error> {
        let until = Instant::now() + pause;
        while self.production.ended().is_none() {
            calls.sync(&self.production, resources);
            let (what, command) = tokio::select! {
                biased;
                Some(signal) = signals.recv() => match self.signalled(signal) {
                    Signalled::Decide(command, id) => (Happened::Commanded(command), id),
                    Signalled::PassOver => continue,
                    Signalled::Stop => return Ok(PauseEnd::Stopped),
                },
                () = tokio::time::sleep_until(until) => break,
                what = calls.next_speech() => (what, None),
            };
            let commanded = matches!(what, Happened::Commanded(_));
            self.decide_and_commit(what, command).await?;
            if commanded {
                break;
            }
        }
        Ok(PauseEnd::Over)
    }

    fn signalled(&mut self, signal: Signal) -> Signalled<P::Command> {
        match signal {
            Signal::Command { id: Some(id), .. } if self.has_read(id) => Signalled::PassOver,
            Signal::Command { command, id } => match self.receive(&command, id) {
                Some(command) => Signalled::Decide(command, id),
                None => Signalled::PassOver,
            },
            Signal::Cancel => Signalled::Decide(P::cancel(), None),
            Signal::Rest => {
                self.may_rest = true;
                Signalled::PassOver
            }
            Signal::Stop => Signalled::Stop,
        }
    }

    /// Whether a command was read before it came this way, because the run would have ended without it.
    fn has_read(&self, command: CommandId) -> bool {
        Some(command) <= self.seen
    }

    /// Reads a command that has arrived. One that this version does not know stays in the inbox, for a
    /// version that does.
    fn receive(&mut self, command: &str, id: Option<CommandId>) -> Option<P::Command> {
        self.seen = self.seen.max(id);
        let command = read::<P>(command);
        if command.is_none() {
            tracing::warn!(run = %self.claim.run, "a command that this version does not know stays in the inbox");
        }
        command
    }

    /// Takes what else arrives in this moment, to be stored together: one append for a whole beat costs less
    /// than five. As soon as there is something new to be done nothing waits any longer.
    async fn collect_batch(&mut self, calls: &mut Calls<P::Command>, decided: &mut Decided<P>) {
        if self.observer.is_paced() {
            return;
        }
        loop {
            while let Some(what) = calls.next_if_there() {
                self.decide(what, decided);
            }
            let is_over = decided.facts.is_empty() || self.production.ended().is_some();
            if is_over || !calls.is_up_to_date(&self.production) {
                return;
            }
            match tokio::time::timeout(BATCH_WINDOW, calls.next()).await {
                Ok(what) => self.decide(what, decided),
                Err(_) => return,
            }
        }
    }
}

/// What a signal means to the run it reached.
enum Signalled<C> {
    Decide(C, Option<CommandId>),
    PassOver,
    Stop,
}

/// How a pause has ended.
#[derive(PartialEq, Eq)]
enum PauseEnd {
    Over,
    /// The run is to be played no further.
    Stopped,
}

impl<P: Production> std::fmt::Debug for ActiveRun<'_, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ActiveRun").field("claim", &self.claim).finish_non_exhaustive()
    }
}

/// A command of a production, if this version knows it.
fn read<P: Production>(command: &str) -> Option<P::Command> {
    serde_json::from_str(command).ok()
}

/// Removes what an earlier process was writing for a run when it died.
async fn remove_temporary_files(artifacts: Artifacts, folder: String, claim: Claim) {
    let removed = tokio::task::spawn_blocking(move || artifacts.remove_scratch(&folder));
    if let Ok(Err(error)) = removed.await {
        tracing::warn!(run = %claim.run, %error, "could not remove temporary files of a run");
    }
}
