//! Lines of the log: waiting for one, and looking at all of them. Only for tests in a [process of their
//! own](crate::run_in_own_process): what a thread without a subscriber has met first is switched off for every
//! thread.

use std::{
    io,
    sync::{Arc, Mutex},
};

use tokio::sync::Notify;
use tracing::{Level, subscriber::DefaultGuard};

use crate::in_time;

/// A line that is listened for until this is dropped.
#[derive(Debug)]
pub struct LogLine {
    written: Arc<Notify>,
    _listening: DefaultGuard,
}

/// Listens for lines with a text that this thread logs, at whatever level.
pub fn listen_for(text: &'static str) -> LogLine {
    let written = Arc::new(Notify::new());
    let ear = LogWriter { text, written: written.clone() };
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

/// All that this thread logs until this is dropped.
#[derive(Debug)]
pub struct LogLines {
    lines: WrittenLines,
    _listening: DefaultGuard,
}

/// Takes down what this thread logs at this level and above.
pub fn log_lines(level: Level) -> LogLines {
    let lines = WrittenLines::default();
    let written = lines.clone();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(level).with_ansi(false).with_writer(move || written.clone());
    LogLines { lines, _listening: tracing::subscriber::set_default(subscriber.finish()) }
}

impl LogLines {
    /// Those with a text, such as the name of a level.
    pub fn with(&self, text: &str) -> Vec<String> {
        self.lines.0.lock().unwrap().iter().filter(|line| line.contains(text)).cloned().collect()
    }
}

#[derive(Debug, Clone, Default)]
struct WrittenLines(Arc<Mutex<Vec<String>>>);

/// The subscriber writes a whole line at a time.
impl io::Write for WrittenLines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().push(String::from_utf8_lossy(line).into_owned());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Clone)]
struct LogWriter {
    text: &'static str,
    written: Arc<Notify>,
}

/// The subscriber writes a whole line at a time.
impl io::Write for LogWriter {
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
