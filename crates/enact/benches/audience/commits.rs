//! Notes when the store committed what, which it tells to those who trace it.

use std::{
    fmt::Debug,
    sync::{Arc, Mutex, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    level_filters::LevelFilter,
};
use tracing_subscriber::{
    Layer,
    filter::Targets,
    layer::{Context, SubscriberExt},
    util::SubscriberInitExt,
};

/// So many records of a run, committed at this time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Commit {
    pub(crate) run: String,
    pub(crate) first: u64,
    pub(crate) records: u64,
    pub(crate) at_ns: u64,
}

/// All commits of this process.
#[derive(Debug, Clone, Default)]
pub(crate) struct Commits {
    noted: Arc<Mutex<Vec<Commit>>>,
}

impl Commits {
    /// Begins to note.
    pub(crate) fn note() -> Commits {
        let commits = Commits::default();
        let only = Targets::new().with_target("enact::store", LevelFilter::TRACE);
        tracing_subscriber::registry().with(commits.clone().with_filter(only)).init();
        commits
    }

    /// What was noted since this was last asked.
    pub(crate) fn take(&self) -> Vec<Commit> {
        std::mem::take(&mut *self.noted.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<S: Subscriber> Layer<S> for Commits {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut commit = Commit { at_ns: now_ns(), ..Commit::default() };
        event.record(&mut commit);
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).push(commit);
    }
}

impl Visit for Commit {
    fn record_u64(&mut self, field: &Field, value: u64) {
        match field.name() {
            "first" => self.first = value,
            "records" => self.records = value,
            _ => {}
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "run" {
            self.run = format!("{value:?}");
        }
    }
}

/// The time as another process on this machine tells it too.
pub(crate) fn now_ns() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}
