//! Runs read for callers: the state of one, and for commands that depend on the whole run its log, which is
//! then read once, for the caller, for checking the command, and for playing the run that it wakes.

use std::any::Any;

use enact_drama::{Fact, Production, Record, RunId, Seq, production::fold, record::read_facts};
use tokio::sync::OwnedMutexGuard;

use super::{Error, Node};
use crate::{
    checkpoint::{FIRST_PAGE, Loaded},
    log::CommandId,
    productions::{after_commands, json},
    run_loop,
    store::PostedCommand,
};

/// A run as its log stands. While it is held, no other command to it is checked by this process.
#[derive(Debug)]
pub struct HeldRun<P: Production> {
    pub facts: Vec<Fact<P::Event>>,
    /// Its state: the facts, folded.
    pub state: P,
    first: Record,
    unread: Vec<PostedCommand>,
    checking: OwnedMutexGuard<()>,
}

impl Node {
    /// A run as its log has left it, and the seq of its next record.
    pub async fn load<P: Production>(&self, run: RunId) -> Result<(P, Seq), Error> {
        let store = &*self.inner.store;
        let records = store.read_some(run, Seq(0), FIRST_PAGE).await?;
        let loaded = Loaded::<P>::read(store, run, records).await.map_err(|error| match error {
            run_loop::Error::Log(error) => Error::Log(error),
            run_loop::Error::NoBeginning => Error::NoBeginning(run),
            other => Error::Unplayable(other.to_string()),
        })?;
        Ok((loaded.production, loaded.next))
    }

    /// Reads a run for a caller that is about to post a command. The whole log, because the facts are handed out.
    pub async fn hold<P: Production>(&self, run: RunId) -> Result<HeldRun<P>, Error> {
        let checking = self.inner.checking_lock(run).lock_owned().await;
        let store = &self.inner.store;
        let (records, unread) = tokio::try_join!(store.read(run, Seq(0)), store.inbox(run))?;
        let facts = read_facts(&records)?;
        let first = records.into_iter().next().ok_or(Error::NoBeginning(run))?;
        let state = fold(&facts).ok_or(Error::NoBeginning(run))?;
        Ok(HeldRun { facts, state, first, unread, checking })
    }

    /// Posts a command to a run that is held, as [`command`](Node::command) does.
    pub async fn command_held<P: Production>(
        &self,
        held: HeldRun<P>,
        command: P::Command,
    ) -> Result<CommandId, Error> {
        let HeldRun { facts, state, first, unread, checking } = held;
        let (run, next) = (state.run(), Seq(facts.len() as u64));
        let command = state.check(command).map_err(Box::new)?;
        let at = self.inner.clock.now_ms();
        let then =
            if unread.is_empty() { state.clone() } else { after_commands(state.clone(), next, &unread, at) };
        then.check_now(&command).map_err(Box::new)?;
        let known = KnownRun { first, next, state: Box::new(state) };
        self.inner.clone().post(run, json(&command).into(), Some(checking), Some(known)).await
    }
}

/// A run as it was read just before it was claimed: only what was appended since is read again.
pub(super) struct KnownRun {
    pub(super) first: Record,
    /// The seq of the first record that is not in it.
    pub(super) next: Seq,
    /// The state of its production.
    pub(super) state: Box<dyn Any + Send>,
}
