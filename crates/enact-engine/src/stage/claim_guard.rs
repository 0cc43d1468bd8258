//! The claim of a run that the caller's own task plays.

use std::sync::Arc;

use enact_drama::Production;

use crate::{
    Store,
    log::{self, Claim},
    run_loop::LoopEnd,
};

/// A claim that is given up whatever happens: even if the future that plays the run is dropped.
pub(super) struct ClaimGuard<'a> {
    store: &'a Arc<dyn Store>,
    claim: Option<Claim>,
}

impl<'a> ClaimGuard<'a> {
    pub(super) fn new(store: &'a Arc<dyn Store>, claim: Claim) -> ClaimGuard<'a> {
        ClaimGuard { store, claim: Some(claim) }
    }

    /// Gives up a run that has stopped; one that waits for a command rests until it comes.
    pub(super) async fn settle<P: Production>(mut self, played: &LoopEnd<P>) -> Result<(), log::Error> {
        let Some(claim) = self.claim else { return Ok(()) };
        let rests = match played {
            LoopEnd::Stopped { production, seen } => {
                production.ended().is_none()
                    && production.pending().is_empty()
                    && self.store.rest(claim, *seen).await?
            }
            LoopEnd::Resting => true,
        };
        self.claim = None;
        if rests { Ok(()) } else { self.store.release(claim).await }
    }
}

impl Drop for ClaimGuard<'_> {
    fn drop(&mut self) {
        // Outside a runtime the process is ending, which gives its claims up too.
        if let (Some(claim), Ok(runtime)) = (self.claim.take(), tokio::runtime::Handle::try_current()) {
            let store = self.store.clone();
            runtime.spawn(async move { store.release(claim).await });
        }
    }
}
