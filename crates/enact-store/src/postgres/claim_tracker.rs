//! Tracks claims whose answers may have been lost.
//!
//! A connection may break after a claim was committed and before its caller heard of it. Such a run is this
//! node's, which lives and so keeps it from all others, and is not played. So after a claim that failed, or
//! whose caller did not wait for it, what this node owns is checked against what it has handed out, until
//! that was done long enough after the failure.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use enact_drama::RunId;
use enact_engine::log::Claim;
use tokio::{
    sync::{RwLock, RwLockReadGuard, RwLockWriteGuard},
    time::Instant,
};

/// For how long after a failure claims may turn up whose callers did not hear of them: what was sent may
/// reach the database long after the caller has given up.
const LOST_CLAIM_WINDOW: Duration = Duration::from_secs(60);

/// What this node plays, as far as it knows.
#[derive(Debug, Default)]
pub(super) struct ClaimTracker {
    epochs: Mutex<HashMap<RunId, u64>>,
    /// Until when lost claims may turn up. Cleared only by freeing them once after that, never by time alone: a
    /// node without room may not claim for longer than that.
    unconfirmed_until: Mutex<Option<Instant>>,
    /// Shared by all that claim, and taken alone to free lost claims: a claim that is just being made is not
    /// a lost one.
    claiming: RwLock<()>,
}

impl ClaimTracker {
    /// Starts a claim, exclusively while lost claims are possible. An attempt that is dropped before it is
    /// [confirmed](ClaimAttempt::confirm) may itself be lost.
    pub(super) async fn begin(&self) -> ClaimAttempt<'_> {
        let lock = match self.is_in_doubt() {
            true => Lock::Alone { _guard: self.claiming.write().await },
            false => Lock::Shared { _guard: self.claiming.read().await },
        };
        ClaimAttempt { tracker: self, lock, began: Instant::now(), is_over: false }
    }

    /// Begins to claim beside others, whatever is in doubt: for what comes too often to be done one after the
    /// other.
    pub(super) async fn begin_shared(&self) -> ClaimAttempt<'_> {
        let lock = Lock::Shared { _guard: self.claiming.read().await };
        ClaimAttempt { tracker: self, lock, began: Instant::now(), is_over: false }
    }

    /// A claim that counts no more: given up, taken over, or its run is over.
    pub(super) fn forget(&self, claim: &Claim) {
        let mut epochs = self.epochs();
        if epochs.get(&claim.run) == Some(&claim.epoch) {
            epochs.remove(&claim.run);
        }
    }

    /// A run that could not be given up: it is not played any more, and the database does not know.
    pub(super) fn mark_lost(&self, claim: &Claim) {
        self.forget(claim);
        self.mark_unconfirmed();
    }

    fn mark_unconfirmed(&self) {
        *self.unconfirmed_until() = Some(Instant::now() + LOST_CLAIM_WINDOW);
    }

    fn is_in_doubt(&self) -> bool {
        self.unconfirmed_until().is_some()
    }

    fn unconfirmed_until(&self) -> MutexGuard<'_, Option<Instant>> {
        self.unconfirmed_until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn epochs(&self) -> MutexGuard<'_, HashMap<RunId, u64>> {
        self.epochs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to claim.
pub(super) struct ClaimAttempt<'a> {
    tracker: &'a ClaimTracker,
    lock: Lock<'a>,
    began: Instant,
    is_over: bool,
}

enum Lock<'a> {
    Shared { _guard: RwLockReadGuard<'a, ()> },
    Alone { _guard: RwLockWriteGuard<'a, ()> },
}

impl ClaimAttempt<'_> {
    /// All claims that were handed out, if there may be others and now is the time to free those.
    pub(super) fn possibly_lost(&self) -> Option<Vec<Claim>> {
        match self.lock {
            Lock::Shared { .. } => None,
            Lock::Alone { .. } => {
                let epochs = self.tracker.epochs();
                Some(epochs.iter().map(|(run, epoch)| Claim { run: *run, epoch: *epoch }).collect())
            }
        }
    }

    /// All claims that were not handed out [were freed](ClaimAttempt::possibly_lost) by this attempt. Clears
    /// the lost-claim window if it has passed.
    pub(super) fn freed(&self) {
        // What failed after the turn began is not settled by it.
        self.tracker.unconfirmed_until().take_if(|until| *until <= self.began);
    }

    pub(super) fn confirm(mut self, claims: &[Claim]) {
        self.tracker.epochs().extend(claims.iter().map(|claim| (claim.run, claim.epoch)));
        self.is_over = true;
    }
}

impl Drop for ClaimAttempt<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.tracker.mark_unconfirmed();
        }
    }
}

#[cfg(test)]
mod tests {
    use enact_testkit::pass;

    use super::*;

    /// Whether lost claims were looked for, and so freed.
    async fn frees(tracker: &ClaimTracker) -> bool {
        let attempt = tracker.begin().await;
        let is_doubted = attempt.possibly_lost().is_some();
        if is_doubted {
            attempt.freed();
        }
        attempt.confirm(&[]);
        is_doubted
    }

    #[tokio::test]
    async fn a_doubt_ends_when_lost_claims_were_freed_long_after_the_failure() {
        let tracker = ClaimTracker::default();
        assert!(!frees(&tracker).await);
        drop(tracker.begin_shared().await);
        for _ in 0..2 {
            assert!(frees(&tracker).await, "what was sent may still arrive");
        }
        pass(LOST_CLAIM_WINDOW).await;
        assert!(frees(&tracker).await, "it may have arrived since");
        assert!(!frees(&tracker).await);
    }

    #[tokio::test]
    async fn a_doubt_is_not_forgotten_while_nothing_is_claimed() {
        let tracker = ClaimTracker::default();
        tracker.mark_lost(&Claim { run: RunId(uuid::Uuid::now_v7()), epoch: 1 });
        pass(10 * LOST_CLAIM_WINDOW).await;
        assert!(frees(&tracker).await);
        assert!(!frees(&tracker).await);
    }

    #[tokio::test]
    async fn a_failure_while_lost_claims_are_freed_is_a_doubt_of_its_own() {
        let tracker = ClaimTracker::default();
        drop(tracker.begin_shared().await);
        pass(2 * LOST_CLAIM_WINDOW).await;
        let attempt = tracker.begin().await;
        tracker.mark_lost(&Claim { run: RunId(uuid::Uuid::now_v7()), epoch: 1 });
        attempt.freed();
        attempt.confirm(&[]);
        assert!(frees(&tracker).await);
        // A turn that does not come to its end has freed nothing for certain.
        pass(2 * LOST_CLAIM_WINDOW).await;
        drop(tracker.begin().await);
        assert!(frees(&tracker).await);
    }
}
