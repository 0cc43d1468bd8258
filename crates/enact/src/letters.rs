//! What others want of a run that this program plays: notes and the like, sent by way of a server that shares its store.

use std::{sync::Arc, time::Duration};

use enact_drama::RunId;
use enact_engine::{Store, perform::Wanted};
use tokio::{sync::mpsc, task::JoinHandle};

/// How often the inbox is looked at. Whoever steers a scene from elsewhere hardly notices half a second, and a scene that
/// is over by then has looked at nothing.
const LOOKING: Duration = Duration::from_millis(500);

/// Brings letters to a run until it is dropped.
#[derive(Debug)]
pub(crate) struct Delivery {
    task: JoinHandle<()>,
}

impl Delivery {
    pub(crate) fn start(store: Arc<dyn Store>, run: RunId, wanted: mpsc::Sender<Wanted>) -> Delivery {
        Delivery { task: tokio::spawn(deliver(store, run, wanted)) }
    }

    /// Ends it, so that the store is free to be closed.
    pub(crate) async fn end(mut self) {
        self.task.abort();
        // It was cut off, as it should be.
        let _ = (&mut self.task).await;
    }
}

impl Drop for Delivery {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn deliver(store: Arc<dyn Store>, run: RunId, wanted: mpsc::Sender<Wanted>) {
    let mut last = None;
    loop {
        tokio::time::sleep(LOOKING).await;
        // A store that cannot be reached stops the run itself, with its next append.
        let letters = store.letters().await.unwrap_or_default();
        for letter in letters {
            // It stays in its inbox until what follows from it is stored, and may be met again until then.
            if letter.run != run || Some(letter.id) <= last {
                continue;
            }
            let wish = Wanted::Steered { what: letter.wanted, letter: Some(letter.id) };
            if wanted.send(wish).await.is_err() {
                return;
            }
            last = Some(letter.id);
        }
    }
}
