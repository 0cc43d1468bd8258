//! What runs that wait for a command cost: how many commands a second wake, are answered and let their runs
//! rest again, and how long polls take beside 100,000 resting runs.
//!
//! `cargo bench -p enact-store --bench resting`; with Postgres, `scripts/postgres cargo bench -p enact-store --features
//! postgres-tests --bench resting`. A plain program, for the reason that `append` has.

#![expect(clippy::print_stdout, reason = "a benchmark reports on the terminal")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot store has nothing to report")]

#[cfg(feature = "postgres-tests")]
#[path = "../tests/it/database.rs"]
mod database;

use std::{
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use enact_drama::{
    Record, RunId, Seq,
    row::{Row, RowChange},
};
use enact_engine::{
    Store,
    log::{Batch, MemoryStore, NewRun, Status},
    store::{Listing, Submission, Wake},
};
use enact_store::SqliteStore;
use serde_json::value::RawValue;
use tokio::task::JoinSet;
use uuid::Uuid;

/// What a busy chat has in a year; a few, where it is only to be seen that this works (`cargo bench -- --test`).
static RESTING_RUNS: LazyLock<usize> = LazyLock::new(|| if only_a_test() { 100 } else { 100_000 });

static MEASURED: LazyLock<Duration> =
    LazyLock::new(|| Duration::from_millis(if only_a_test() { 100 } else { 3_000 }));

fn only_a_test() -> bool {
    std::env::args().any(|argument| argument == "--test")
}

#[tokio::main(worker_threads = 2)]
async fn main() {
    // `cargo test --all-targets` starts benchmarks too, without this argument.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    measure(Arc::new(MemoryStore::default()), *RESTING_RUNS / 100).await;
    let folder = tempfile::tempdir().unwrap();
    measure(Arc::new(SqliteStore::open(folder.path()).await.unwrap()), *RESTING_RUNS).await;
    #[cfg(feature = "postgres-tests")]
    {
        let url = database::fresh().await;
        measure(Arc::new(enact_store::PostgresStore::open(&url).await.unwrap()), *RESTING_RUNS).await;
    }
}

async fn measure(store: Arc<dyn Store>, resting: usize) {
    let runs = rest(&store, resting).await;
    println!("{}, {resting} resting runs:", store.name());
    let page = Listing { most: 50, ..Listing::default() };
    let with = |status| Listing { statuses: vec![status], ..page.clone() };
    let (playing, waiting, finished) = (with(Status::Playing), with(Status::Waiting), with(Status::Finished));
    timed("look at the queue", async || drop(store.claim_waiting(1).await.unwrap())).await;
    timed("count what waits", async || assert_eq!(store.waiting(1_000).await.unwrap(), 0)).await;
    timed("look at the inboxes", async || drop(store.inboxes().await.unwrap())).await;
    timed("list those that are played", async || drop(store.list(&playing).await.unwrap())).await;
    timed("list those that wait", async || drop(store.list(&waiting).await.unwrap())).await;
    timed("list those that are finished", async || drop(store.list(&finished).await.unwrap())).await;
    timed("list those that rest", async || drop(store.list(&with(Status::Resting)).await.unwrap())).await;
    for at_once in [1, 10, 100] {
        let times = converse(&store, &runs, at_once).await;
        let per_s = times.len() as f64 / MEASURED.as_secs_f64();
        let p99 = times[times.len() * 99 / 100];
        let median = times[times.len() / 2];
        println!(
            "  {at_once:>3} at once: {per_s:>7.0} commands/s, median {median:>9.2?}, 99th percentile {p99:>9.2?}"
        );
    }
}

/// Makes runs and lets them rest.
async fn rest(store: &Arc<dyn Store>, runs: usize) -> Vec<RunId> {
    const AT_ONCE: usize = 1_000;
    let mut made = Vec::with_capacity(runs);
    while made.len() < runs {
        let mut resting = JoinSet::new();
        for _ in 0..AT_ONCE.min(runs - made.len()) {
            let store = store.clone();
            resting.spawn(async move {
                let new = new_run();
                let run = new.run;
                let records = vec![record(0)];
                let submission =
                    Submission { run: new, records, rows: Vec::new(), idempotency_key: None, next: None };
                store.enqueue(submission).await.unwrap();
                let claim = store.claim(run).await.unwrap();
                assert!(store.rest(claim, None).await.unwrap());
                run
            });
        }
        made.extend(resting.join_all().await);
    }
    made
}

/// So many talk at once, each to runs of their own. Says how long each command took, sorted.
async fn converse(store: &Arc<dyn Store>, runs: &[RunId], at_once: usize) -> Vec<Duration> {
    let begun = Instant::now();
    let mut talking = JoinSet::new();
    for own in runs.chunks(runs.len().div_ceil(at_once)) {
        let (store, own) = (store.clone(), own.to_owned());
        talking.spawn(async move {
            let mut times = Vec::new();
            for run in own.into_iter().cycle() {
                if begun.elapsed() >= *MEASURED {
                    break;
                }
                let asked = Instant::now();
                answer(&*store, run).await;
                times.push(asked.elapsed());
            }
            times
        });
    }
    let mut times: Vec<_> = talking.join_all().await.into_iter().flatten().collect();
    times.sort();
    times
}

/// What a production does with one command: the run is woken, read and goes on, and rests again.
async fn answer(store: &dyn Store, run: RunId) {
    let posted = store.post(run, r#"{"command":"say","text":"Hello."}"#.into(), Wake::Claim).await.unwrap();
    let claim = posted.claim.unwrap();
    let next = store.read(run, Seq(0)).await.unwrap().len() as u64;
    let row =
        Row { kind: "session".to_owned(), key: String::new(), sort: next as i64, body: "{}".to_owned() };
    let batch = Batch { rows: vec![RowChange::Put(row)], ..Batch::of([record(next), record(next + 1)]) };
    store.append(&claim, batch.taken(posted.id)).await.unwrap();
    assert!(store.rest(claim, Some(posted.id)).await.unwrap());
}

async fn timed(what: &str, ask: impl AsyncFn()) {
    let mut times = Vec::new();
    for _ in 0..21 {
        let start = Instant::now();
        ask().await;
        times.push(start.elapsed());
    }
    times.sort();
    println!("  {what:<28} {:>10.2?}", times[times.len() / 2]);
}

fn new_run() -> NewRun {
    let (name, account) = ("bench".to_owned(), "ann".to_owned());
    NewRun { run: RunId(Uuid::now_v7()), production: "chat", name, at: 0, parent: None, account }
}

fn record(seq: u64) -> Record {
    let body = format!(r#"{{"text":"{}"}}"#, "word ".repeat(60));
    Record {
        seq: Seq(seq),
        at: 0,
        kind: "replied".to_owned(),
        v: 1,
        body: RawValue::from_string(body).unwrap(),
    }
}
