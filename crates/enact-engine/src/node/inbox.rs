//! Bringing commands to the runs that are played here: each once, in their order.

use std::{collections::HashSet, future, sync::Arc};

use enact_drama::RunId;
use futures::future::select_all;
use tokio::{
    sync::mpsc::{self, OwnedPermit, error::TrySendError},
    time::timeout,
};

use super::{Inner, POLL_INTERVAL, lock, ownership::Liveness};
use crate::{
    log::{Claim, CommandId},
    run_loop::Signal,
    store::PostedCommand,
};

/// How many commands of one run may wait here; the others wait in the store.
pub(super) const COMMAND_BUFFER: usize = 16;

/// A run that is played here, seen from outside.
#[derive(Debug)]
pub(super) struct LocalRun {
    pub(super) claim: Claim,
    signals: mpsc::Sender<Signal>,
    /// The place that is kept for telling it to stop.
    stop: Option<OwnedPermit<Signal>>,
    /// The newest command that was handed over.
    last: Option<CommandId>,
    inbox: InboxReader,
    /// It ends as soon as the commands that are there are read.
    ending: bool,
    pub(super) liveness: Arc<Liveness>,
}

/// What reads the inbox of a run that is played here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InboxReader {
    /// The run itself, before it goes on.
    Run,
    /// The node, from when it reads the inboxes next: of what it has read before, the run or its last owner
    /// may have taken some since.
    Switching,
    Node,
}

impl LocalRun {
    pub(super) fn new(claim: Claim, signals: mpsc::Sender<Signal>) -> LocalRun {
        let stop = signals.clone().try_reserve_owned().ok();
        LocalRun {
            claim,
            signals,
            stop,
            last: None,
            inbox: InboxReader::Run,
            ending: false,
            liveness: Liveness::new(),
        }
    }

    /// From when inboxes are read next.
    fn switch_to_node(&mut self) {
        if self.inbox == InboxReader::Switching {
            self.inbox = InboxReader::Node;
        }
    }

    pub(super) fn stop(&mut self) {
        if let Some(place) = self.stop.take() {
            place.send(Signal::Stop);
        }
    }
}

/// Delivers until it is dropped.
pub(super) async fn deliver_until_dropped(inner: Arc<Inner>) {
    loop {
        for playing in lock(&inner.playing).values_mut() {
            playing.switch_to_node();
        }
        let full = match inner.store.inboxes().await {
            Ok(commands) => inner.dispatch(commands),
            Err(error) => {
                inner.outage.failed("the inboxes could not be read", &error);
                Vec::new()
            }
        };
        let room = async {
            match full.is_empty() {
                true => future::pending().await,
                false => select_all(full.iter().map(|run| Box::pin(run.reserve()))).await.1,
            }
        };
        let reason = async {
            tokio::select! {
                () = inner.inbox.notified() => {}
                _ = room => {}
            }
        };
        let _ = timeout(POLL_INTERVAL, reason).await;
    }
}

impl Inner {
    /// From now on a run gets its commands as they come, from those after the last one it has seen.
    pub(super) fn open_inbox(&self, claim: Claim, seen: Option<CommandId>) {
        if let Some(playing) =
            lock(&self.playing).get_mut(&claim.run).filter(|playing| playing.claim == claim)
        {
            playing.inbox = InboxReader::Switching;
            playing.last = playing.last.max(seen);
        }
        // More may have come meanwhile.
        self.inbox.notify_one();
    }

    /// Says whether a run that is played here ends as soon as the commands that are there are read.
    pub(super) fn set_ending(&self, run: RunId, ending: bool) {
        if let Some(playing) = lock(&self.playing).get_mut(&run) {
            playing.ending = ending;
        }
    }

    /// Whether a run accepts no command just now. A moment later it has ended, or accepts them again.
    pub(super) fn is_ending(&self, run: RunId) -> bool {
        lock(&self.playing).get(&run).is_some_and(|playing| playing.ending)
    }

    /// Returns the runs that have no room for all of theirs.
    fn dispatch(&self, commands: Vec<PostedCommand>) -> Vec<mpsc::Sender<Signal>> {
        let mut full = Vec::new();
        // From the first that does not fit on all commands to a run wait, or they would overtake each other.
        let mut waiting: HashSet<RunId> = HashSet::new();
        let mut playing = lock(&self.playing);
        for PostedCommand { id, run, command } in commands {
            let Some(playing) = playing.get_mut(&run).filter(|playing| playing.inbox == InboxReader::Node)
            else {
                continue;
            };
            if playing.last.is_some_and(|last| id <= last) || waiting.contains(&run) {
                continue;
            }
            match playing.signals.try_send(Signal::Command { command, id: Some(id) }) {
                Ok(()) => playing.last = Some(id),
                Err(refused) => {
                    waiting.insert(run);
                    // One that is closed is no longer played here; its commands are for the next owner.
                    if matches!(refused, TrySendError::Full(_)) {
                        full.push(playing.signals.clone());
                    }
                }
            }
        }
        full
    }
}
