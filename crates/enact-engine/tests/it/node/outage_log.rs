//! What is logged while the store fails. In a process of its own: a thread without a subscriber would switch
//! lines off for all.

use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use enact_testkit::{FaultyStore, run_in_own_process};
use tracing::Level;

use super::house::{House, Timed, node, played, scene};
use crate::submitting::submit;

const RUNS: usize = 50;
const MINUTES: usize = 10;

#[derive(Debug, Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    fn of(&self, level: &str) -> Vec<String> {
        let lines = self.0.lock().unwrap();
        lines.iter().filter(|line| line.contains(level)).cloned().collect()
    }
}

/// The subscriber writes a whole line at a time.
impl io::Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().push(String::from_utf8_lossy(line).into_owned());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_is_logged_once_a_minute() {
    if run_in_own_process("node::outage_log::a_store_that_fails_is_logged_once_a_minute") {
        return;
    }
    let lines = Lines::default();
    let written = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(Level::INFO)
        .with_ansi(false)
        .with_writer(move || written.clone());
    let _listening = tracing::subscriber::set_default(subscriber.finish());

    let store = Arc::new(FaultyStore::default());
    let model = Timed::seconds(1);
    let node = node(&store, &House::with(model.clone()));
    let mut runs = Vec::new();
    for _ in 0..RUNS {
        runs.push(submit(&node, scene(5)).await);
    }
    model.asked(RUNS).await;
    store.fail();
    tokio::time::sleep(Duration::from_secs(60 * MINUTES as u64)).await;
    let errors = lines.of("ERROR");
    assert!((MINUTES..=MINUTES + 1).contains(&errors.len()), "{}: {errors:#?}", errors.len());
    assert!(errors.iter().all(|line| line.contains("is unreachable")), "{errors:#?}");
    assert_eq!(lines.of("WARN"), Vec::<String>::new());

    store.recover();
    for run in runs {
        played(&node, run).await;
    }
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(lines.of("the store works again").len(), 1);
    assert_eq!(lines.of("ERROR").len(), errors.len());
}
