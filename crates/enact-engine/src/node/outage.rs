//! What is logged of a store that fails: a line a minute. Everything that a node does asks the store, over
//! and over, and thousands of runs find out at once.

use std::{fmt::Display, sync::Mutex, time::Duration};

use tokio::time::Instant;

use super::{Node, lock};

/// How often it is said.
const LOG_INTERVAL: Duration = Duration::from_secs(60);
/// How long the store has to work before it is said to: one that is full can still be read.
const RECOVERED_AFTER: Duration = Duration::from_secs(5);

/// What was said of the store.
#[derive(Debug, Default)]
pub(super) struct OutageLog {
    state: Mutex<OutageState>,
}

#[derive(Debug, Default)]
struct OutageState {
    told: Option<Instant>,
    /// How many failures were not told since.
    untold: u64,
    /// The last failure, until the store works again.
    failed: Option<Instant>,
}

impl OutageLog {
    /// Something could not be done because the store failed.
    pub(super) fn failed(&self, what: &str, error: &dyn Display) {
        let now = Instant::now();
        let mut state = lock(&self.state);
        state.failed = Some(now);
        if state.told.is_some_and(|told| now.duration_since(told) < LOG_INTERVAL) {
            state.untold += 1;
            return tracing::debug!(%error, "{what}");
        }
        state.told = Some(now);
        let untold = std::mem::take(&mut state.untold);
        drop(state);
        tracing::error!(%error, untold, "{what}");
    }

    /// The store has answered.
    pub(super) fn worked(&self) {
        let mut state = lock(&self.state);
        if state.failed.is_some_and(|at| at.elapsed() >= RECOVERED_AFTER) {
            state.failed = None;
            drop(state);
            tracing::info!("the store works again");
        }
    }
}

impl Node {
    /// Logs that something could not be done because the store failed, with all else that fails for the same
    /// reason: a line a minute.
    pub fn report_outage(&self, what: &str, error: &dyn Display) {
        self.inner.outage.failed(what, error);
    }
}
