//! Bringing letters to the runs that are played here: each once, in their order.

use std::{collections::HashSet, future, sync::Arc};

use enact_drama::RunId;
use futures::future::select_all;
use tokio::{
    sync::mpsc::{self, OwnedPermit, error::TrySendError},
    time::timeout,
};

use super::{Inner, LOOKING, lock, owning::Signs};
use crate::{
    log::{Claim, LetterId},
    perform::Wanted,
    store::Letter,
};

/// How many letters of one run may wait here; the others wait in their inbox.
pub(super) const LETTERS: usize = 16;

/// A run that is played here, seen from outside.
#[derive(Debug)]
pub(super) struct Playing {
    pub(super) claim: Claim,
    wanted: mpsc::Sender<Wanted>,
    /// The place that is kept for telling it to stop.
    stop: Option<OwnedPermit<Wanted>>,
    /// The newest letter that was handed over.
    last: Option<LetterId>,
    inbox: Inbox,
    pub(super) signs: Arc<Signs>,
}

/// Who reads what is posted to a run that is played here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inbox {
    /// The run itself, before it goes on.
    Own,
    /// This node, from when it reads the inboxes next: what it has read before the run may have taken since, or whoever
    /// played it then.
    Opened,
    Read,
}

impl Playing {
    pub(super) fn new(claim: Claim, wanted: mpsc::Sender<Wanted>) -> Playing {
        let stop = wanted.clone().try_reserve_owned().ok();
        Playing { claim, wanted, stop, last: None, inbox: Inbox::Own, signs: Signs::new() }
    }

    /// From when inboxes are read next.
    fn settle(&mut self) {
        if self.inbox == Inbox::Opened {
            self.inbox = Inbox::Read;
        }
    }

    pub(super) fn stop(&mut self) {
        if let Some(place) = self.stop.take() {
            place.send(Wanted::Stop);
        }
    }
}

/// Delivers until it is dropped.
pub(super) async fn deliver(inner: Arc<Inner>) {
    loop {
        for playing in lock(&inner.playing).values_mut() {
            playing.settle();
        }
        let full = match inner.store.letters().await {
            Ok(letters) => inner.hand_over(letters),
            Err(error) => {
                tracing::error!(%error, "the inboxes could not be read");
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
                () = inner.letters.notified() => {}
                _ = room => {}
            }
        };
        let _ = timeout(LOOKING, reason).await;
    }
}

impl Inner {
    /// From now on a run gets its letters as they come.
    pub(super) fn open_inbox(&self, claim: Claim) {
        if let Some(playing) =
            lock(&self.playing).get_mut(&claim.run).filter(|playing| playing.claim == claim)
        {
            playing.inbox = Inbox::Opened;
        }
        // Somebody may have written meanwhile.
        self.letters.notify_one();
    }

    /// Returns the runs that have no room for all of theirs.
    fn hand_over(&self, letters: Vec<Letter>) -> Vec<mpsc::Sender<Wanted>> {
        let mut full = Vec::new();
        // From the first that does not fit on all of a run's letters wait, or they would overtake each other.
        let mut waiting: HashSet<RunId> = HashSet::new();
        let mut playing = lock(&self.playing);
        for Letter { id, run, wanted } in letters {
            let Some(playing) = playing.get_mut(&run).filter(|playing| playing.inbox == Inbox::Read) else {
                continue;
            };
            if playing.last.is_some_and(|last| id <= last) || waiting.contains(&run) {
                continue;
            }
            match playing.wanted.try_send(Wanted::Steered { what: wanted, letter: Some(id) }) {
                Ok(()) => playing.last = Some(id),
                Err(refused) => {
                    waiting.insert(run);
                    // One that is closed has come to rest; its letters are for whoever plays it next.
                    if matches!(refused, TrySendError::Full(_)) {
                        full.push(playing.wanted.clone());
                    }
                }
            }
        }
        full
    }
}
