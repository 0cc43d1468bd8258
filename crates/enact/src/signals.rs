//! What reaches a run from outside while this program plays it.

use enact_engine::run_loop::Signal;
use tokio::sync::mpsc;

use crate::exit_codes::INTERRUPTED;

/// Ctrl-C, and whatever else is [sent](Signals::sender).
pub(crate) struct Signals {
    pub(crate) sender: mpsc::Sender<Signal>,
    pub(crate) received: mpsc::Receiver<Signal>,
}

impl Signals {
    pub(crate) fn new() -> Signals {
        // Each is taken as soon as the run has time for it; commands beyond wait in their inbox.
        let (sender, received) = mpsc::channel(1);
        tokio::spawn(ctrl_c(sender.clone()));
        Signals { sender, received }
    }
}

/// The first Ctrl-C ends the run with everything so far, the second one ends the program.
async fn ctrl_c(signals: mpsc::Sender<Signal>) {
    if tokio::signal::ctrl_c().await.is_ok() {
        // A run that is over by now needs none.
        let _ = signals.send(Signal::Cancel).await;
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(i32::from(INTERRUPTED));
        }
    }
}
