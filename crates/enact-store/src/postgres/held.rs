//! Which claims were handed out.
//!
//! A connection may break after a claim was committed and before its caller heard of it. Such a run is this node's, which
//! lives and so keeps it from all others, and is not played. So after a claim that failed, or whose caller did not wait for
//! it, what this node owns is held against what it has handed out, until that was done long enough after the failure.

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

/// For how long after a failure claims may turn up whose callers did not hear of them: what was sent may reach the database
/// long after the caller has given up.
const DOUBT: Duration = Duration::from_secs(60);

/// What this node plays, as far as it knows.
#[derive(Debug, Default)]
pub(super) struct Held {
    epochs: Mutex<HashMap<RunId, u64>>,
    /// Until when claims may turn up that were lost. They are looked for until they were freed once after that: a doubt that
    /// ended by itself would be forgotten by a node that has no room, and so does not claim, for as long.
    doubt: Mutex<Option<Instant>>,
    /// Shared by all that claim, and taken alone to free lost claims: a claim that is just being made is not a lost one.
    claiming: RwLock<()>,
}

impl Held {
    /// Begins to claim, alone if earlier claims are in doubt. Unless the turn comes to its [end](Turn::hand_out), its own
    /// claims are.
    pub(super) async fn turn(&self) -> Turn<'_> {
        let lock = match self.is_in_doubt() {
            true => Lock::Alone { _guard: self.claiming.write().await },
            false => Lock::Shared { _guard: self.claiming.read().await },
        };
        Turn { held: self, lock, began: Instant::now(), is_over: false }
    }

    /// Begins to claim beside others, whatever is in doubt: for what comes too often to be done one after the other.
    pub(super) async fn shared_turn(&self) -> Turn<'_> {
        let lock = Lock::Shared { _guard: self.claiming.read().await };
        Turn { held: self, lock, began: Instant::now(), is_over: false }
    }

    /// A claim that counts no more: given up, taken over, or its run is over.
    pub(super) fn forget(&self, claim: &Claim) {
        let mut epochs = self.epochs();
        if epochs.get(&claim.run) == Some(&claim.epoch) {
            epochs.remove(&claim.run);
        }
    }

    /// A run that could not be given up: it is not played any more, and the database does not know.
    pub(super) fn lose(&self, claim: &Claim) {
        self.forget(claim);
        self.begin_doubt();
    }

    fn begin_doubt(&self) {
        *self.doubt() = Some(Instant::now() + DOUBT);
    }

    fn is_in_doubt(&self) -> bool {
        self.doubt().is_some()
    }

    fn doubt(&self) -> MutexGuard<'_, Option<Instant>> {
        self.doubt.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn epochs(&self) -> MutexGuard<'_, HashMap<RunId, u64>> {
        self.epochs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to claim.
pub(super) struct Turn<'a> {
    held: &'a Held,
    lock: Lock<'a>,
    began: Instant,
    is_over: bool,
}

enum Lock<'a> {
    Shared { _guard: RwLockReadGuard<'a, ()> },
    Alone { _guard: RwLockWriteGuard<'a, ()> },
}

impl Turn<'_> {
    /// All claims that were handed out, if there may be others and now is the time to free those.
    pub(super) fn doubted(&self) -> Option<Vec<Claim>> {
        match self.lock {
            Lock::Shared { .. } => None,
            Lock::Alone { .. } => {
                let epochs = self.held.epochs();
                Some(epochs.iter().map(|(run, epoch)| Claim { run: *run, epoch: *epoch }).collect())
            }
        }
    }

    /// All others [were freed](Turn::doubted) in this turn. If none can turn up any more, that ends the doubt.
    pub(super) fn freed(&self) {
        // What failed after the turn began is not settled by it.
        self.held.doubt().take_if(|until| *until <= self.began);
    }

    pub(super) fn hand_out(mut self, claims: &[Claim]) {
        self.held.epochs().extend(claims.iter().map(|claim| (claim.run, claim.epoch)));
        self.is_over = true;
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.held.begin_doubt();
        }
    }
}

#[cfg(test)]
mod tests {
    use enact_testkit::pass;

    use super::*;

    /// Whether lost claims were looked for, and so freed.
    async fn frees(held: &Held) -> bool {
        let turn = held.turn().await;
        let is_doubted = turn.doubted().is_some();
        if is_doubted {
            turn.freed();
        }
        turn.hand_out(&[]);
        is_doubted
    }

    #[tokio::test]
    async fn a_doubt_ends_when_lost_claims_were_freed_long_after_the_failure() {
        let held = Held::default();
        assert!(!frees(&held).await);
        drop(held.shared_turn().await);
        for _ in 0..2 {
            assert!(frees(&held).await, "what was sent may still arrive");
        }
        pass(DOUBT).await;
        assert!(frees(&held).await, "it may have arrived since");
        assert!(!frees(&held).await);
    }

    #[tokio::test]
    async fn a_doubt_is_not_forgotten_while_nothing_is_claimed() {
        let held = Held::default();
        held.lose(&Claim { run: RunId(uuid::Uuid::now_v7()), epoch: 1 });
        pass(10 * DOUBT).await;
        assert!(frees(&held).await);
        assert!(!frees(&held).await);
    }

    #[tokio::test]
    async fn a_failure_while_lost_claims_are_freed_is_a_doubt_of_its_own() {
        let held = Held::default();
        drop(held.shared_turn().await);
        pass(2 * DOUBT).await;
        let turn = held.turn().await;
        held.lose(&Claim { run: RunId(uuid::Uuid::now_v7()), epoch: 1 });
        turn.freed();
        turn.hand_out(&[]);
        assert!(frees(&held).await);
        // A turn that does not come to its end has freed nothing for certain.
        pass(2 * DOUBT).await;
        drop(held.turn().await);
        assert!(frees(&held).await);
    }
}
