//! Claiming what waits, as far as there is room.

use std::sync::Arc;

use futures::future::join_all;
use tokio::sync::mpsc;

use super::{
    Inner, LOOKING,
    letters::{LETTERS, Playing},
    lock, play,
};
use crate::log::{self, Batch, Claim};

/// How many runs are claimed at a time, so that nodes which start together share what waits.
const AT_ONCE: usize = 32;

/// Claims until the node stops.
pub(super) async fn claim(inner: Arc<Inner>) {
    let mut stopping = inner.stopping.subscribe();
    while !*stopping.borrow() {
        let room = inner.limits.runs.saturating_sub(lock(&inner.playing).len()).min(AT_ONCE);
        // Never dropped half-way: runs that were claimed without anybody hearing of it would be played by nobody.
        if room > 0 && inner.claim_some(room).await == room {
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

    /// Stops playing what others have taken over. A run that has something to store finds out by itself; one that is paused
    /// would be shown as it was for good.
    pub(super) async fn verify(&self) {
        let claims: Vec<Claim> = lock(&self.playing).values().map(|playing| playing.claim).collect();
        let asked = claims.into_iter().map(|claim| async move {
            match self.store.append(&claim, Batch::default()).await {
                Err(log::Error::Conflict(_)) => Some(claim),
                _ => None,
            }
        });
        let lost = join_all(asked).await;
        let mut playing = lock(&self.playing);
        for claim in lost.into_iter().flatten() {
            tracing::warn!(run = %claim.run, "another node has taken this run over");
            if let Some(playing) = playing.get_mut(&claim.run).filter(|playing| playing.claim == claim) {
                playing.stop();
            }
        }
    }

    /// Starts to play a run that was claimed.
    fn begin(self: &Arc<Self>, claim: Claim) {
        // One more than there may be letters: a run must stop however many there are.
        let (wanted, requests) = mpsc::channel(LETTERS + 1);
        lock(&self.playing).insert(claim.run, Playing::new(claim, wanted));
        let inner = self.clone();
        tokio::spawn(async move {
            play::play(&inner, claim, requests).await;
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
