//! What is logged while the store fails. In a process of its own: a thread without a subscriber would switch
//! lines off for all.

use std::{sync::Arc, time::Duration};

use enact_testkit::{FaultyStore, log_lines, run_in_own_process};
use tracing::Level;

use super::house::{House, Timed, node, played, scene};
use crate::submitting::submit;

const RUNS: usize = 50;
const MINUTES: usize = 10;

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_is_logged_once_a_minute() {
    if run_in_own_process("node::outage_log::a_store_that_fails_is_logged_once_a_minute") {
        return;
    }
    let lines = log_lines(Level::INFO);
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
    let errors = lines.with("ERROR");
    assert!((MINUTES..=MINUTES + 1).contains(&errors.len()), "{}: {errors:#?}", errors.len());
    assert!(errors.iter().all(|line| line.contains("is unreachable")), "{errors:#?}");
    assert_eq!(lines.with("WARN"), Vec::<String>::new());

    store.recover();
    for run in runs {
        played(&node, run).await;
    }
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(lines.with("the store works again").len(), 1);
    assert_eq!(lines.with("ERROR").len(), errors.len());
}
