//! Whether the store takes writes, found out by writing: at most once a second, and never twice at a time,
//! however often health is asked for: health checks must not add to the load of a store that hangs.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use enact_engine::Node;
use tokio::{
    sync::watch,
    time::{Instant, timeout},
};

/// Timeout of the probe. Health checks usually time out after a few seconds.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a success counts. A failure counts for the moment only: that the store is back is told at once.
const SUCCESS_TTL: Duration = Duration::from_secs(1);

/// The probe of one server: a handle.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoreProbe(Arc<Mutex<Probing>>);

#[derive(Debug, Default)]
struct Probing {
    succeeded: Option<Instant>,
    /// The outcome of the write that is under way.
    running: Option<watch::Receiver<Option<bool>>>,
}

impl StoreProbe {
    /// Whether something could be written, now or a moment ago.
    pub(crate) async fn is_ready(&self, node: &Node) -> bool {
        let Some(mut outcome) = self.join_or_start(node) else { return true };
        match timeout(PROBE_TIMEOUT, outcome.wait_for(Option::is_some)).await {
            Ok(Ok(outcome)) => *outcome == Some(true),
            // The task has panicked.
            Ok(Err(_)) => false,
            Err(_) => {
                node.report_outage("the store is not ready", &format!("no answer within {PROBE_TIMEOUT:?}"));
                false
            }
        }
    }

    /// What becomes of the write that is under way, or of a new one. Nothing, if one has just succeeded.
    fn join_or_start(&self, node: &Node) -> Option<watch::Receiver<Option<bool>>> {
        let mut probing = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if probing.succeeded.is_some_and(|at| at.elapsed() < SUCCESS_TTL) {
            return None;
        }
        // One whose task is gone without a word is not waited for.
        if let Some(running) = probing.running.as_ref().filter(|running| running.has_changed().is_ok()) {
            return Some(running.clone());
        }
        let (done, outcome) = watch::channel(None);
        probing.running = Some(outcome.clone());
        let (probe, node) = (self.clone(), node.clone());
        // A task of its own: if the caller gives up, the next one gets its outcome.
        tokio::spawn(async move {
            let ready = match node.store().ready().await {
                Ok(()) => true,
                Err(error) => {
                    node.report_outage("the store is not ready", &error);
                    false
                }
            };
            let mut probing = probe.0.lock().unwrap_or_else(PoisonError::into_inner);
            probing.succeeded = ready.then(Instant::now);
            probing.running = None;
            drop(probing);
            done.send_replace(Some(ready));
        });
        Some(outcome)
    }
}
