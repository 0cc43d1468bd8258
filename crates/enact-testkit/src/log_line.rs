//! Waiting for a line of the log.

use std::{io, sync::Arc};

use tokio::sync::Notify;
use tracing::{Level, subscriber::DefaultGuard};

use crate::in_time;

/// A line that is listened for until this is dropped.
#[derive(Debug)]
pub struct LogLine {
    written: Arc<Notify>,
    _listening: DefaultGuard,
}

/// Listens for lines with a text that this thread logs, at whatever level. Only for tests in a [process of
/// their own](crate::run_in_own_process): what a thread without a subscriber has met first is switched off
/// for every thread.
pub fn listen_for(text: &'static str) -> LogLine {
    let written = Arc::new(Notify::new());
    let ear = Ear { text, written: written.clone() };
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(Level::TRACE)
        .with_ansi(false)
        .with_writer(move || ear.clone());
    LogLine { written, _listening: tracing::subscriber::set_default(subscriber.finish()) }
}

impl LogLine {
    /// Waits until it is written, unless that has happened since the last time.
    pub async fn written(&self) {
        in_time(self.written.notified()).await;
    }
}

#[derive(Clone)]
struct Ear {
    text: &'static str,
    written: Arc<Notify>,
}

/// The subscriber writes a whole line at a time.
impl io::Write for Ear {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if String::from_utf8_lossy(line).contains(self.text) {
            self.written.notify_one();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
