//! What can happen to one call of a store, and who decides it.

use std::{fmt::Debug, sync::Arc, time::Duration};

use enact_drama::Record;
use enact_engine::log::Claim;

/// Decides what happens to each call of a [`FaultyStore`](crate::FaultyStore), one after the other.
pub trait StoreFaults: Debug + Send + Sync {
    fn on_call(&self, call: StoreCall) -> StoreFault;

    /// These records were stored for this claim, whether or not its process hears of it.
    fn on_appended(&self, claim: &Claim, records: &[Arc<Record>]) {
        let _ = (claim, records);
    }

    /// These claims were made, whether or not the process hears of it.
    fn on_claimed(&self, claims: &[Claim]) {
        let _ = claims;
    }
}

/// What kind of call a method is, as far as faults differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StoreCall {
    Append,
    /// Looks for runs that wait to be played.
    ClaimWaiting,
    /// Claims one run by name, or makes one that is claimed.
    Claim,
    /// Gives a run up: released, put back or resting.
    GiveUp,
    Read,
    /// Makes a run, or prepares to: looks at the queue, a conversation, an idempotency key.
    Submit,
    Post,
    Other,
}

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreFault {
    None,
    /// The call takes this long to reach the store, and its answer as long to come back.
    Slow(Duration),
    /// The call never reaches the store.
    Unreachable,
    /// The store does what it is asked, but its answer is lost.
    AnswerLost,
    /// The store says that it has appended, and has not. No store may do that: it shows that a test would
    /// notice.
    Forgets,
}
