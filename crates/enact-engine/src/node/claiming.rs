//! Claiming what waits, as far as there is room.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::{
    Inner, LOOKING,
    inbox::{COMMAND_BUFFER, Playing},
    lock, play,
};
use crate::log::Claim;

/// How many runs are claimed at a time, so that nodes which start together share what waits.
const AT_ONCE: usize = 32;
/// Claims until the node stops.
pub(super) async fn claim(inner: Arc<Inner>) {
    let mut stopping = inner.stopping.subscribe();
    while !*stopping.borrow() {
        let room = inner.room().min(AT_ONCE);
        // Never dropped half-way: runs that were claimed without anybody hearing of it would be played by nobody. Without
        // room it is asked too, because that frees claims whose answers were lost, which others may have room for.
        if inner.claim_some(room).await == room && room > 0 {
            continue;
        }
        tokio::select! {
            _ = tokio::time::timeout(LOOKING, inner.claim.notified()) => {}
            _ = stopping.wait_for(|stopping| *stopping) => {}
        }
    }
}

impl Inner {
    /// Returns how many there were.
    async fn claim_some(self: &Arc<Self>, most: usize) -> usize {
        match self.store.claim_waiting(most).await {
            Ok(claims) => claims.into_iter().map(|claim| self.begin(claim)).count(),
            Err(error) => {
                tracing::error!(%error, "the queue could not be read");
                0
            }
        }
    }

    /// Starts to play a run that was claimed.
    pub(super) fn begin(self: &Arc<Self>, claim: Claim) {
        // One more than there may be commands: a run must stop however many there are.
        let (sender, signals) = mpsc::channel(COMMAND_BUFFER + 1);
        let mut playing = Playing::new(claim, sender);
        let signs = playing.signs.clone();
        {
            let mut all = lock(&self.playing);
            // Whoever stops the node tells those that are there; this one came too late for that.
            if *self.stopping.borrow() {
                playing.stop();
            }
            // A node that was taken for dead may be the one that claims the run next.
            if let Some(mut before) = all.insert(claim.run, playing) {
                before.stop();
            }
        }
        let inner = self.clone();
        tokio::spawn(async move {
            play::play(&inner, claim, signs, signals).await;
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
