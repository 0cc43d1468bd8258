//! Ownership checks: whether the runs that are played here are still this node's own. A run that stores
//! something finds out by itself; one that waits for a slow answer would never notice that another node has
//! taken it over.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::StreamExt;
use tokio::time::{Instant, timeout};

use super::{Inner, POLL_INTERVAL, lock};
use crate::log::{self, Batch, Claim};

/// How long a run may have stored nothing before it is checked: about as long as others take to notice that a
/// node is gone.
const IDLE_AFTER: Duration = Duration::from_secs(3);
/// How many idle runs are checked in one round: on a node full of them each gets its turn within ten seconds,
/// and the store has little to do.
const RUNS_PER_ROUND: usize = 256;
/// How many are checked at once, so that appends come in between.
const MAX_CONCURRENT_CHECKS: usize = 32;
/// How late a round may be. Beyond it the process or the machine was frozen, and every run is checked.
const FREEZE_SLACK: Duration = Duration::from_secs(1);
/// Timeout for one round; runs without an answer are checked again in the next.
const ROUND_TIMEOUT: Duration = Duration::from_secs(5);

/// When a run was last known to be this node's own.
#[derive(Debug)]
pub(super) struct Liveness {
    owned: Mutex<Instant>,
}

impl Liveness {
    pub(super) fn new() -> Arc<Liveness> {
        Arc::new(Liveness { owned: Mutex::new(Instant::now()) })
    }

    /// The store has confirmed the claim, by an append or a check.
    pub(super) fn owned(&self) {
        *lock(&self.owned) = Instant::now();
    }

    fn owned_at(&self) -> Instant {
        *lock(&self.owned)
    }
}

/// Checks until it is dropped.
pub(super) async fn check_until_dropped(inner: Arc<Inner>) {
    loop {
        let began = Instant::now();
        tokio::time::sleep(POLL_INTERVAL).await;
        let frozen = began.elapsed() > POLL_INTERVAL + FREEZE_SLACK;
        let (time, most) = if frozen { (Duration::ZERO, usize::MAX) } else { (IDLE_AFTER, RUNS_PER_ROUND) };
        if timeout(ROUND_TIMEOUT, inner.verify(inner.idle(time, most))).await.is_err() {
            tracing::warn!("checking which runs are still owned by this node timed out");
        }
    }
}

impl Inner {
    /// Runs that have stored nothing for so long, the longest first.
    fn idle(&self, time: Duration, most: usize) -> Vec<Claim> {
        let playing = lock(&self.playing);
        let liveness = playing.values().map(|playing| (playing.liveness.owned_at(), playing.claim));
        let mut idle: Vec<(Instant, Claim)> = liveness.filter(|(at, _)| at.elapsed() >= time).collect();
        drop(playing);
        idle.sort_unstable_by_key(|(at, claim)| (*at, claim.run));
        idle.into_iter().take(most).map(|(_, claim)| claim).collect()
    }

    /// Stops playing what others have taken over or removed.
    async fn verify(&self, claims: Vec<Claim>) {
        let asked = claims.into_iter().map(|claim| async move {
            let answer = self.store.append(&claim, Batch::default()).await;
            let mut playing = lock(&self.playing);
            let Some(playing) = playing.get_mut(&claim.run).filter(|playing| playing.claim == claim) else {
                return;
            };
            match answer {
                Ok(()) => playing.liveness.owned(),
                Err(log::Error::Conflict(_) | log::Error::NotFound(_)) => {
                    tracing::warn!(run = %claim.run, "this run is no longer played here");
                    playing.stop();
                }
                // It is asked about again.
                Err(_) => {}
            }
        });
        futures::stream::iter(asked).buffer_unordered(MAX_CONCURRENT_CHECKS).collect::<()>().await;
    }
}
