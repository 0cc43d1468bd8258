//! Which claims were handed out.
//!
//! A connection may break after a claim was committed and before anybody heard of it. Such a run is this node's, which lives
//! and so keeps it from all others, and nobody plays it. So after a claim that failed, or whose caller did not wait for it,
//! what this node owns is held against what it has handed out.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use enact_drama::RunId;
use enact_engine::log::Claim;
use tokio::sync;

/// For how long after a failure claims may turn up that nobody heard of: what was sent may reach the database long after
/// whoever sent it has given up.
const DOUBT: Duration = Duration::from_secs(60);

/// What this node plays, as far as it knows.
#[derive(Debug, Default)]
pub(super) struct Held {
    epochs: Mutex<HashMap<RunId, u64>>,
    /// Until when lost claims are looked for. Locked by whoever claims: a claim that is just being made is not a lost one.
    doubt: sync::Mutex<Option<Instant>>,
}

impl Held {
    /// Begins to claim. Until the turn is [over](Turn::hand_out), its claims are in doubt.
    pub(super) async fn turn(&self) -> Turn<'_> {
        let mut doubt = self.doubt.lock().await;
        let before = doubt.filter(|until| *until > Instant::now());
        *doubt = Some(Instant::now() + DOUBT);
        Turn { held: self, doubt, before }
    }

    /// A claim that counts no more: given up, taken over, or its run is over.
    pub(super) fn forget(&self, claim: &Claim) {
        let mut epochs = self.epochs();
        if epochs.get(&claim.run) == Some(&claim.epoch) {
            epochs.remove(&claim.run);
        }
    }

    /// A run that could not be given up: nobody plays it any more, and the database does not know.
    pub(super) async fn lose(&self, claim: &Claim) {
        self.forget(claim);
        *self.doubt.lock().await = Some(Instant::now() + DOUBT);
    }

    fn epochs(&self) -> MutexGuard<'_, HashMap<RunId, u64>> {
        self.epochs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to claim: one at a time.
pub(super) struct Turn<'a> {
    held: &'a Held,
    doubt: sync::MutexGuard<'a, Option<Instant>>,
    /// Whether earlier claims were in doubt when the turn began.
    before: Option<Instant>,
}

impl Turn<'_> {
    /// All claims that were handed out, if there may be others.
    pub(super) fn doubted(&self) -> Option<Vec<Claim>> {
        self.before?;
        Some(self.held.epochs().iter().map(|(run, epoch)| Claim { run: *run, epoch: *epoch }).collect())
    }

    pub(super) fn hand_out(mut self, claims: &[Claim]) {
        self.held.epochs().extend(claims.iter().map(|claim| (claim.run, claim.epoch)));
        *self.doubt = self.before;
    }
}
