//! What failed while a node played: counted for metrics, and logged often enough to be seen.
//!
//! A failing model or voice costs a reply or a recording and never a run, so that nothing else tells an
//! operator of it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use enact_drama::{
    RunId,
    production::{Failure, FailureKind},
};
use tokio::time::Instant;

use crate::node::lock;

#[cfg(test)]
mod tests;

/// The same thing that keeps failing is logged once in this time: a service that is down fails for every line
/// of every run.
const LOG_INTERVAL: Duration = Duration::from_secs(60);
/// Maximum number of distinct sources; further ones are counted as `others`. An operator configures fewer,
/// but stories can bring any number of names.
const MAX_SOURCES: usize = 256;
/// What further ones are called.
const OTHERS: &str = "others";

/// What has failed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailureSource {
    /// A model, and in which way.
    Model { name: String, kind: &'static str },
    /// A voice. Another one may have spoken instead.
    Voice { name: String },
    /// Something that was said aloud, or the list of it, could not be kept: a full disk.
    Artifacts,
}

impl FailureSource {
    fn without_name(&self) -> FailureSource {
        match self {
            FailureSource::Model { kind, .. } => FailureSource::Model { name: OTHERS.to_owned(), kind },
            FailureSource::Voice { .. } => FailureSource::Voice { name: OTHERS.to_owned() },
            FailureSource::Artifacts => FailureSource::Artifacts,
        }
    }
}

/// How often what has failed since the node began.
#[derive(Debug, Default)]
pub struct Failures(Mutex<BTreeMap<FailureSource, FailureTally>>);

#[derive(Debug, Default)]
struct FailureTally {
    total: u64,
    /// Since the last line.
    unlogged: u64,
    logged_at: Option<Instant>,
}

impl FailureTally {
    /// Counts one more. Says how many there were since the last line, if it is time for another.
    fn count(&mut self, now: Instant) -> Option<u64> {
        self.total += 1;
        self.unlogged += 1;
        if self.logged_at.is_some_and(|at| now.duration_since(at) < LOG_INTERVAL) {
            return None;
        }
        self.logged_at = Some(now);
        Some(std::mem::take(&mut self.unlogged))
    }
}

impl Failures {
    pub fn counts(&self) -> Vec<(FailureSource, u64)> {
        lock(&self.0).iter().map(|(source, tally)| (source.clone(), tally.total)).collect()
    }

    fn record(&self, run: RunId, source: FailureSource, error: &str) {
        let mut tallies = lock(&self.0);
        let counted = match tallies.contains_key(&source) || tallies.len() < MAX_SOURCES {
            true => source.clone(),
            false => source.without_name(),
        };
        let due = tallies.entry(counted).or_default().count(Instant::now());
        drop(tallies);
        let Some(count) = due else { return };
        // Outside all spans: what went wrong in words is for the operator's log, not for traces.
        match source {
            FailureSource::Model { name, kind } => {
                tracing::warn!(parent: None, %run, model = name, kind, error, count, "a model failed");
            }
            FailureSource::Voice { name } => {
                tracing::warn!(parent: None, %run, voice = name, error, count, "a voice failed");
            }
            FailureSource::Artifacts => {
                tracing::warn!(parent: None, %run, error, count, "audio could not be written");
            }
        }
    }
}

/// Takes note of what fails while one run is played.
#[derive(Debug, Clone)]
pub(crate) struct RunFailures {
    pub(crate) failures: Arc<Failures>,
    pub(crate) run: RunId,
}

impl RunFailures {
    pub(crate) fn model(&self, name: &str, failure: &Failure) {
        let source = FailureSource::Model { name: name.to_owned(), kind: failure.kind.as_str() };
        self.failures.record(self.run, source, &failure.error);
    }

    /// A model that gave no answer before it was too late.
    pub(crate) fn model_timeout(&self, name: &str) {
        let late = Failure { kind: FailureKind::Timeout, ..Failure::new("no answer before the timeout") };
        self.model(name, &late);
    }

    pub(crate) fn voice(&self, name: String, error: &str) {
        self.failures.record(self.run, FailureSource::Voice { name }, error);
    }

    pub(crate) fn artifacts(&self, error: &str) {
        self.failures.record(self.run, FailureSource::Artifacts, error);
    }
}
