//! Signals: what reaches a run from outside while this program plays it, and what stops a server.

use std::io;

use enact_engine::run_loop::Signal;
use tokio::sync::{mpsc, watch};

use crate::errors::INTERRUPTED;

/// Ctrl-C, and whatever else is [sent](Signals::sender).
pub(crate) struct Signals {
    pub(crate) sender: mpsc::Sender<Signal>,
    pub(crate) received: mpsc::Receiver<Signal>,
}

impl Signals {
    /// `signal` is what the first Ctrl-C means to the run.
    pub(crate) fn new(signal: Signal) -> Signals {
        // Each is taken as soon as the run has time for it; commands beyond wait in their inbox.
        let (sender, received) = mpsc::channel(1);
        let interrupted = sender.clone();
        on_ctrl_c(async move {
            // A run that is over by now needs none.
            let _ = interrupted.send(signal).await;
        });
        Signals { sender, received }
    }
}

/// The first Ctrl-C does what is to be done, the second one ends the program.
pub(crate) fn on_ctrl_c(first: impl Future<Output = ()> + Send + 'static) {
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            first.await;
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(i32::from(INTERRUPTED));
            }
        }
    });
}

/// The first signal asks the server to stop in order, the second one ends the program.
pub(crate) fn stop_signals() -> io::Result<watch::Receiver<bool>> {
    let (asked, stopping) = watch::channel(false);
    let mut wanted = signal()?;
    tokio::spawn(async move {
        wanted.recv().await;
        asked.send_replace(true);
        wanted.recv().await;
        std::process::exit(i32::from(INTERRUPTED));
    });
    Ok(stopping)
}

pub(crate) async fn stop_requested(mut stopping: watch::Receiver<bool>) {
    // The sender lives as long as the program.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

/// Ctrl-C, and what orchestrators send.
struct StopSignal {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
fn signal() -> io::Result<StopSignal> {
    use tokio::signal::unix::{SignalKind, signal};
    Ok(StopSignal {
        terminate: signal(SignalKind::terminate())?,
        interrupt: signal(SignalKind::interrupt())?,
    })
}

#[cfg(not(unix))]
fn signal() -> io::Result<StopSignal> {
    Ok(StopSignal {})
}

impl StopSignal {
    #[cfg(unix)]
    async fn recv(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    #[cfg(not(unix))]
    async fn recv(&mut self) {
        // Without signals there is nothing to wait for.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    }
}
