//! Commands to a run that this program plays: notes and the like, posted by way of a server that shares its store.

use std::{sync::Arc, time::Duration};

use enact_drama::RunId;
use enact_engine::{Store, perform::Signal};
use tokio::{sync::mpsc, task::JoinHandle};

/// How often the inbox is read. Whoever steers a run from elsewhere hardly notices half a second, and a run that is over by then
/// has read nothing.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Brings commands to a run until it is dropped.
#[derive(Debug)]
pub(crate) struct Inbox {
    task: JoinHandle<()>,
}

impl Inbox {
    pub(crate) fn poll(store: Arc<dyn Store>, run: RunId, signals: mpsc::Sender<Signal>) -> Inbox {
        Inbox { task: tokio::spawn(poll(store, run, signals)) }
    }

    /// Ends it, so that the store is free to be closed.
    pub(crate) async fn end(mut self) {
        self.task.abort();
        // It was cut off, as it should be.
        let _ = (&mut self.task).await;
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn poll(store: Arc<dyn Store>, run: RunId, signals: mpsc::Sender<Signal>) {
    let mut last = None;
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        // A store that cannot be reached stops the run itself, with its next append.
        for posted in store.inbox(run).await.unwrap_or_default() {
            // It stays in its inbox until what follows from it is stored, and may be met again until then.
            if Some(posted.id) <= last {
                continue;
            }
            let signal = Signal::Command { command: posted.command, id: Some(posted.id) };
            if signals.send(signal).await.is_err() {
                return;
            }
            last = Some(posted.id);
        }
    }
}
