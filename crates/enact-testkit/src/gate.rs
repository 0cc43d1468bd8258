//! A gate that tasks wait at.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use tokio::sync::Notify;

/// Lets tasks pass while it is open. Those that wait go on in the order in which they came: with tokio's
/// `watch` that order would be random, and what is simulated could not be played again.
#[derive(Debug)]
pub struct Gate {
    is_open: AtomicBool,
    opened: Notify,
}

impl Gate {
    pub fn open() -> Gate {
        Gate { is_open: AtomicBool::new(true), opened: Notify::new() }
    }

    pub fn shut() -> Gate {
        Gate { is_open: AtomicBool::new(false), opened: Notify::new() }
    }

    pub fn is_open(&self) -> bool {
        self.is_open.load(SeqCst)
    }

    pub fn close(&self) {
        self.is_open.store(false, SeqCst);
    }

    pub fn reopen(&self) {
        self.is_open.store(true, SeqCst);
        self.opened.notify_waiters();
    }

    /// Waits until it is open.
    pub async fn pass(&self) {
        loop {
            // Before looking: what is opened in between is heard of.
            let opened = self.opened.notified();
            if self.is_open() {
                return;
            }
            opened.await;
        }
    }
}
