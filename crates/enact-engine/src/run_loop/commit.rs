//! Deciding, and storing what was decided.
//!
//! Two facts count only after all commands that were accepted before them: the end of a run, and the silence of
//! a person who was asked. Inputs that lead to one of these are called *closing* here. The store refuses to append
//! such facts as long as the inbox holds a command that this process has not read (`log::Error::Unread`). Then
//! [`commit`](ActiveRun::commit) goes back to what is stored, decides on the commands first and on the closing
//! input last, and tries again.

use std::{sync::Arc, time::Duration};

use enact_drama::{Fact, Happened, Input, Production, Record, Seq, production::Manifest};

use super::{ActiveRun, Error};
use crate::{
    Artifacts,
    checkpoint::{self, FIRST_PAGE, Loaded},
    failures::RunFailures,
    log::{self, Batch, Claim, CommandId},
};

/// What was decided and is not stored yet.
pub(super) struct Decided<P: Production> {
    /// What it was decided on, in order.
    inputs: Vec<Happened<P::Command>>,
    /// What follows.
    pub(super) facts: Vec<Fact<P::Event>>,
}

/// What happened and is not decided on yet.
struct Undecided<P: Production> {
    what: Happened<P::Command>,
    /// Of a command: its place in the inbox. It leaves the inbox in the append that stores what follows from it;
    /// otherwise another process would take it again.
    id: Option<CommandId>,
}

impl<P: Production> Default for Decided<P> {
    fn default() -> Decided<P> {
        Decided { inputs: Vec::new(), facts: Vec::new() }
    }
}

impl<P: Production> ActiveRun<'_, P> {
    /// Stores the first fact of a run with what follows from it.
    pub(super) async fn open(&mut self, first: Fact<P::Event>) -> Result<(), Error> {
        let begun = self.production.clone();
        self.rows = self.production.rows(&first);
        let mut decided = Decided { inputs: Vec::new(), facts: vec![first.clone()] };
        self.decide(Happened::Started, &mut decided);
        match self.store_and_show(&decided.facts, None).await {
            Err(Error::Log(log::Error::Unread(_))) => {
                // The run ends as it begins. Its first fact is stored alone, because going back to what is stored
                // takes a log that has begun.
                (self.production, self.next) = (begun, Seq(1));
                self.rows = self.production.rows(&first);
                self.store_and_show(&[first], None).await?;
                self.commit_after_commands(decided.inputs, None).await.map(drop)
            }
            stored => stored.map(drop),
        }
    }

    /// Decides on an input and folds what follows. Nothing of it is shown or performed before it is
    /// [stored](Self::commit); if it cannot be stored, the run stops and this state is gone.
    pub(super) fn decide(&mut self, what: Happened<P::Command>, decided: &mut Decided<P>) {
        let input = Input { at: self.clock.now_ms(), what };
        for event in self.production.decide(&input) {
            let fact = Fact { seq: self.next, at: input.at, event };
            self.next = fact.seq.next();
            self.production.apply(&fact);
            self.rows.extend(self.production.rows(&fact));
            decided.facts.push(fact);
        }
        decided.inputs.push(input.what);
    }

    /// Decides on one input, stores what follows and shows it.
    pub(super) async fn decide_and_commit(
        &mut self,
        what: Happened<P::Command>,
        taken: Option<CommandId>,
    ) -> Result<Duration, Error> {
        let mut decided = Decided::default();
        self.decide(what, &mut decided);
        self.commit(decided, taken).await
    }

    /// Stores what was decided, then shows it. Says how long to pause for its readers.
    pub(super) async fn commit(
        &mut self,
        decided: Decided<P>,
        taken: Option<CommandId>,
    ) -> Result<Duration, Error> {
        match self.store_and_show(&decided.facts, taken).await {
            Err(Error::Log(log::Error::Unread(_))) => {
                // Boxed, because it is rare and large.
                Box::pin(self.commit_after_commands(decided.inputs, taken)).await
            }
            stored => stored,
        }
    }

    /// Commands have come that count before a closing input: they are decided on first, and then that input
    /// once more. A pause may keep the run from ending, an answer the person from being silent.
    ///
    /// This is repeated for as long as new commands come. A node accepts none from its own clients meanwhile;
    /// those of other nodes that post without end can delay the end, but what they post is then in the log.
    async fn commit_after_commands(
        &mut self,
        inputs: Vec<Happened<P::Command>>,
        taken: Option<CommandId>,
    ) -> Result<Duration, Error> {
        // Of inputs that were decided on together at most one is a command.
        let id_of = |what: &Happened<P::Command>| taken.filter(|_| matches!(what, Happened::Commanded(_)));
        let inputs = inputs.into_iter().map(|what| Undecided { id: id_of(&what), what }).collect();
        self.observer.on_ending(true);
        let stored = self.commit_closing_last(inputs).await;
        self.observer.on_ending(false);
        stored
    }

    /// Stores everything but closing inputs, then the first of those; and all again if commands have come
    /// meanwhile, or if the run goes on and others are left. Each input is stored by itself, with the place in the
    /// inbox that it leaves: a closing command may close nothing once others are read, and is then one like any
    /// other.
    async fn commit_closing_last(&mut self, mut waiting: Vec<Undecided<P>>) -> Result<Duration, Error> {
        loop {
            self.reload().await?;
            waiting = self.store_all_but_closing(waiting).await?;
            if waiting.is_empty() {
                return Ok(Duration::ZERO);
            }
            let Undecided { what, id } = waiting.remove(0);
            let mut decided = Decided::default();
            self.decide(what, &mut decided);
            match self.store_and_show(&decided.facts, id).await {
                Err(Error::Log(log::Error::Unread(_))) => {
                    let refused = decided.inputs.into_iter().map(|what| Undecided { id, what });
                    waiting.splice(0..0, refused);
                }
                Ok(_) if self.production.ended().is_none() && !waiting.is_empty() => {}
                stored => return stored,
            }
        }
    }

    /// Stores what follows from these inputs and from the commands that were not read yet, in this order. Gives
    /// back the closing ones. A person's answer is the first of those, because it comes before the silence for want
    /// of it or a cancellation; of two answers it is the one that came first.
    async fn store_all_but_closing(
        &mut self,
        mut inputs: Vec<Undecided<P>>,
    ) -> Result<Vec<Undecided<P>>, Error> {
        for posted in self.store.inbox(self.claim.run).await? {
            let id = Some(posted.id);
            if id > self.seen && inputs.iter().all(|input| input.id != id) {
                let command = self.receive(&posted.command, id);
                inputs.extend(command.map(|command| Undecided { what: Happened::Commanded(command), id }));
            }
        }
        // All that are older were read by now, so that one of these does not count as unread to the others.
        self.seen = self.seen.max(inputs.iter().filter_map(|input| input.id).max());
        // One that came later may keep those before it from closing: a pause does. So they are decided on again
        // for as long as that changes anything.
        loop {
            let (decided_on, mut closing) = (inputs.len(), Vec::new());
            for input in inputs {
                closing.extend(self.store_unless_closing(input).await?);
            }
            if closing.len() == decided_on {
                closing.sort_by_key(|input| !is_answer::<P>(&input.what));
                return Ok(closing);
            }
            inputs = closing;
        }
    }

    /// Stores what follows from an input. Gives back a closing one: of that nothing has happened.
    async fn store_unless_closing(&mut self, input: Undecided<P>) -> Result<Option<Undecided<P>>, Error> {
        let mut decided = Decided::default();
        match self.decide_unless_closing(input.what, &mut decided) {
            Some(what) => Ok(Some(Undecided { what, ..input })),
            None => self.store_and_show(&decided.facts, input.id).await.map(|_| None),
        }
    }

    /// Decides on an input. Gives back a closing one: of that nothing has happened.
    fn decide_unless_closing(
        &mut self,
        what: Happened<P::Command>,
        decided: &mut Decided<P>,
    ) -> Option<Happened<P::Command>> {
        let (production, next) = (self.production.clone(), self.next);
        let (facts, rows) = (decided.facts.len(), self.rows.len());
        self.decide(what, decided);
        let is_closing =
            self.production.ended().is_some() || yields_to_commands::<P>(&decided.facts[facts..]);
        if !is_closing {
            return None;
        }
        (self.production, self.next) = (production, next);
        self.rows.truncate(rows);
        decided.facts.truncate(facts);
        decided.inputs.pop()
    }

    /// Goes back to what is stored, if this process still owns the run. If it does not, another process may have
    /// stored asks since; this one would make them a second time, and no fact would count them.
    async fn reload(&mut self) -> Result<(), Error> {
        let run = self.claim.run;
        let records = self.store.read_some(run, Seq(0), FIRST_PAGE).await?;
        let loaded = Loaded::<P>::read(self.store, run, records).await?;
        // After the log was read: as long as this claim holds, no other process appends.
        self.store.append(&self.claim, Batch::default()).await?;
        (self.production, self.next) = (loaded.production, loaded.next);
        self.checkpointed = loaded.checkpointed;
        self.rows.clear();
        Ok(())
    }

    /// Stores facts, then shows them. Says how long to pause for their readers.
    async fn store_and_show(
        &mut self,
        facts: &[Fact<P::Event>],
        taken: Option<CommandId>,
    ) -> Result<Duration, Error> {
        if facts.is_empty() && taken.is_none() {
            return Ok(Duration::ZERO);
        }
        let records: Vec<Arc<Record>> = facts.iter().map(Record::of).map(Arc::new).collect();
        let ended = self.production.ended();
        let batch = Batch {
            records: records.clone(),
            ended: ended.map(str::to_owned),
            after_commands: yields_to_commands::<P>(facts),
            seen: self.seen,
            taken,
            rows: std::mem::take(&mut self.rows),
            checkpoint: self.checkpoint_if_due(),
        };
        self.store.append(&self.claim, batch).await?;
        if let Some((artifacts, manifest)) = self.artifacts.clone().zip(self.production.manifest(facts)) {
            // After the facts are stored: a process that has lost this run finds it out by storing, and must
            // not replace the manifest of the process that plays it now. Before they are shown: readers who
            // hear that a run is over find a list of everything it left.
            write_manifest(&artifacts, manifest, self.claim, self.failures.as_ref()).await;
        }
        self.observer.on_records(&records, ended.is_some());
        let pause = self.observer.on_facts(facts);
        if self.audience.as_ref().is_some_and(|audience| audience.has_listeners()) {
            // Followers get it before this run goes on: of hundreds that were stored together, the
            // readers of the last would otherwise wait until all the others have decided what comes next.
            tokio::task::yield_now().await;
        }
        Ok(pause)
    }

    fn checkpoint_if_due(&mut self) -> Option<log::Checkpoint> {
        if self.next.0.saturating_sub(self.checkpointed.0) < P::CHECKPOINT_EVERY? {
            return None;
        }
        self.checkpointed = self.next;
        checkpoint::write(&self.production, self.next)
    }
}

/// Whether this is a command that is worth something only in the state it was posted in: a person's answer.
fn is_answer<P: Production>(what: &Happened<P::Command>) -> bool {
    matches!(what, Happened::Commanded(command) if P::depends_on_state(command))
}

/// Whether facts are stored only after all commands were read: the end of a run aside, which the store knows.
fn yields_to_commands<P: Production>(facts: &[Fact<P::Event>]) -> bool {
    facts.iter().any(|fact| P::yields_to_commands(&fact.event))
}

/// Failing to write a manifest does not stop a run.
async fn write_manifest(
    artifacts: &Artifacts,
    manifest: Manifest,
    claim: Claim,
    failures: Option<&RunFailures>,
) {
    if let Err(error) = artifacts.write_text(&manifest.path, manifest.text).await {
        match failures {
            Some(failures) => failures.artifacts(&error.to_string()),
            None => tracing::warn!(run = %claim.run, %error, "could not write the manifest of a run"),
        }
    }
}
