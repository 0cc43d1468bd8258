//! Making sure that runs are still this node's own. One that stores something finds out by itself; one that waits for a slow
//! answer would be shown as it was for good.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use futures::StreamExt;
use tokio::time::{Instant, timeout};

use super::{Inner, LOOKING, lock};
use crate::log::{self, Batch, Claim};

/// How long a run may have stored nothing before it is asked about: about as long as others take to notice that a node is
/// gone.
const QUIET: Duration = Duration::from_secs(3);
/// How many quiet runs are asked about each time: of a node full of them each gets its turn within ten seconds, and the
/// store has little to do.
const AT_A_TIME: usize = 256;
/// How many are asked about at once, so that those who have something to store come in between.
const AT_ONCE: usize = 32;
/// How much longer than usual the time since the last look may be. Beyond it the process was frozen, or the machine, and
/// nothing is sure any more.
const LATE: Duration = Duration::from_secs(1);
/// How long is waited for the answers. Whoever got none is asked about again.
const PATIENCE: Duration = Duration::from_secs(5);

/// What can be told of a run from outside, while it is played.
#[derive(Debug)]
pub(super) struct Signs {
    /// When it last was this node's own for certain.
    owned: Mutex<Instant>,
}

impl Signs {
    pub(super) fn new() -> Arc<Signs> {
        Arc::new(Signs { owned: Mutex::new(Instant::now()) })
    }

    /// Something was stored, or could have been.
    pub(super) fn owned(&self) {
        *lock(&self.owned) = Instant::now();
    }

    fn owned_at(&self) -> Instant {
        *lock(&self.owned)
    }
}

/// Looks until it is dropped.
pub(super) async fn look(inner: Arc<Inner>) {
    loop {
        let looked = Instant::now();
        tokio::time::sleep(LOOKING).await;
        let frozen = looked.elapsed() > LOOKING + LATE;
        let (time, most) = if frozen { (Duration::ZERO, usize::MAX) } else { (QUIET, AT_A_TIME) };
        if timeout(PATIENCE, inner.verify(inner.quiet(time, most))).await.is_err() {
            tracing::warn!("the store does not say whether runs are still played here");
        }
    }
}

impl Inner {
    /// Those that have stored nothing for so long, the longest first.
    fn quiet(&self, time: Duration, most: usize) -> Vec<Claim> {
        let playing = lock(&self.playing);
        let signs = playing.values().map(|playing| (playing.signs.owned_at(), playing.claim));
        let mut quiet: Vec<(Instant, Claim)> = signs.filter(|(at, _)| at.elapsed() >= time).collect();
        drop(playing);
        quiet.sort_unstable_by_key(|(at, claim)| (*at, claim.run));
        quiet.into_iter().take(most).map(|(_, claim)| claim).collect()
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
                Ok(()) => playing.signs.owned(),
                Err(log::Error::Conflict(_) | log::Error::NotFound(_)) => {
                    tracing::warn!(run = %claim.run, "this run is no longer played here");
                    playing.stop();
                }
                // It is asked about again.
                Err(_) => {}
            }
        });
        futures::stream::iter(asked).buffer_unordered(AT_ONCE).collect::<()>().await;
    }
}
