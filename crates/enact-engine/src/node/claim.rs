//! Claims queued runs as far as there is room, starts claimed ones, and reserves room for runs that a command
//! wakes: those are claimed as the command is posted. That only one process gets a run is the store's doing
//! (`claims` in `enact-store`).

use std::sync::{Arc, atomic::Ordering::Relaxed};

use tokio::sync::mpsc;

use super::{
    Inner, POLL_INTERVAL,
    inbox::{COMMAND_BUFFER, LocalRun},
    lock, play,
    read_run::KnownRun,
};
use crate::log::Claim;

/// How many runs are claimed at a time, so that nodes which start together share what waits.
const CLAIM_BATCH: usize = 32;

/// Claims until the node stops.
pub(super) async fn claim_until_stopped(inner: Arc<Inner>) {
    let mut stopping = inner.stopping.subscribe();
    while !*stopping.borrow() {
        let room = inner.room().min(CLAIM_BATCH);
        // Never dropped half-way: a run whose claim this node did not hear of would be played by no node. The
        // store is asked without room too: that gives up claims whose answers were lost, which other nodes
        // may have room for.
        if inner.claim_some(room).await == room && room > 0 {
            continue;
        }
        tokio::select! {
            _ = tokio::time::timeout(POLL_INTERVAL, inner.claim.notified()) => {}
            _ = stopping.wait_for(|stopping| *stopping) => {}
        }
    }
}

impl Inner {
    /// Returns how many there were.
    async fn claim_some(self: &Arc<Self>, most: usize) -> usize {
        match self.store.claim_waiting(most).await {
            Ok(claims) => {
                self.outage.worked();
                claims.into_iter().map(|claim| self.start_playing(claim, None)).count()
            }
            Err(error) => {
                self.outage.failed("the queue could not be read", &error);
                0
            }
        }
    }

    /// Starts to play a run that was claimed, and that may be known from just before.
    pub(super) fn start_playing(self: &Arc<Self>, claim: Claim, known: Option<KnownRun>) {
        // One more than there may be commands: a run must stop however many there are.
        let (sender, signals) = mpsc::channel(COMMAND_BUFFER + 1);
        let mut playing = LocalRun::new(claim, sender);
        let liveness = playing.liveness.clone();
        {
            let mut all = lock(&self.playing);
            // Stopping the node tells the runs that are there; this one came too late for that.
            if *self.stopping.borrow() {
                playing.stop();
            }
            // This node may claim again a run that it lost and still plays: the older play stops.
            if let Some(mut before) = all.insert(claim.run, playing) {
                before.stop();
            }
        }
        let inner = self.clone();
        tokio::spawn(async move {
            play::play(&inner, claim, known, liveness, signals).await;
            {
                let mut playing = lock(&inner.playing);
                // It may have been claimed again before this was over.
                if playing.get(&claim.run).is_some_and(|playing| playing.claim == claim) {
                    playing.remove(&claim.run);
                }
            }
            inner.rested.notify_waiters();
            inner.claim.notify_one();
        });
    }
}

/// A place for a run that a command may be about to wake. It is reserved before the command is posted: of
/// hundreds of commands that are under way to the store each would otherwise find the same place free.
#[derive(Debug)]
pub(super) struct Reservation {
    inner: Arc<Inner>,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let was_full = {
            let playing = lock(&self.inner.playing);
            let reserved = self.inner.reserved.fetch_sub(1, Relaxed);
            playing.len() + reserved >= self.inner.limits.runs
        };
        if was_full {
            // A queued run may be waiting for this place.
            self.inner.claim.notify_one();
        }
        self.inner.rested.notify_waiters();
    }
}

impl Inner {
    /// How many more may be played.
    ///
    /// Those that are being claimed from the queue in this moment are not reserved, because most often there
    /// are none: together with commands that arrive just then there may be a few too many for once.
    pub(super) fn room(&self) -> usize {
        let taken = lock(&self.playing).len() + self.reserved.load(Relaxed);
        self.limits.runs.saturating_sub(taken)
    }

    /// Reserves a place, if there is room.
    pub(super) fn reserve(self: &Arc<Self>) -> Option<Reservation> {
        // The lock guards the count too: between looking and reserving no other may reserve.
        let playing = lock(&self.playing);
        let has_room = playing.len() + self.reserved.load(Relaxed) < self.limits.runs;
        has_room.then(|| {
            self.reserved.fetch_add(1, Relaxed);
            Reservation { inner: self.clone() }
        })
    }
}
