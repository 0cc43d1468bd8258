//! Which spans are still open: a span is exported when it closes, and the last ones close on other threads.

use std::{
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::Duration,
};

use tracing::{
    Subscriber,
    span::{Attributes, Id},
};
use tracing_subscriber::{Layer, layer::Context};

/// Counts open spans.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenSpans(Arc<(Mutex<usize>, Condvar)>);

impl OpenSpans {
    /// Waits until every span has closed, but no longer than this.
    pub(super) fn wait(&self, timeout: Duration) {
        let (open, changed) = &*self.0;
        let open = open.lock().unwrap_or_else(PoisonError::into_inner);
        // After the timeout the spans that are still open are lost, and nothing else.
        let _ = changed.wait_timeout_while(open, timeout, |open| *open > 0);
    }

    fn change(&self, by: impl FnOnce(usize) -> usize) {
        let (open, changed) = &*self.0;
        let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
        *open = by(*open);
        if *open == 0 {
            changed.notify_all();
        }
    }
}

impl<S: Subscriber> Layer<S> for OpenSpans {
    fn on_new_span(&self, _: &Attributes<'_>, _: &Id, _: Context<'_, S>) {
        self.change(|open| open + 1);
    }

    fn on_close(&self, _: Id, _: Context<'_, S>) {
        self.change(|open| open.saturating_sub(1));
    }
}
