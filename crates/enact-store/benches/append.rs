//! How fast the logs take events from 1, 100 and 1,000 runs at once, how long a data folder takes to open,
//! and how long it takes to find something among 100,000 runs.
//!
//! `cargo bench -p enact-store --bench append`; with Postgres, `scripts/postgres cargo bench -p enact-store --features
//! postgres-tests --bench append`. A plain program rather than a statistical harness: what counts here is throughput of
//! many tasks over seconds, not the time of one call.

#![expect(clippy::print_stdout, reason = "a benchmark reports on the terminal")]
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot store has nothing to report")]

#[cfg(feature = "postgres-tests")]
#[path = "../tests/it/database.rs"]
mod database;

use std::{
    path::Path,
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use enact_drama::{Record, RunId, Seq};
use enact_engine::{
    Log, Store,
    log::{Batch, MemoryStore, NewRun, Status},
    store::{Listing, Submission},
};
use enact_store::{Durability, SqliteStore};
use serde_json::value::RawValue;
use tokio::task::JoinSet;
use uuid::Uuid;

/// Answers that come together are stored together: two replies with their lines, and what the last of them settles.
const RECORDS_PER_APPEND: u64 = 5;

/// More than the mean in logs of scenes, which is 190: a reply with its parsed form takes as much, a settled
/// beat a tenth.
const BODY_BYTES: usize = 300;

/// What a busy server has played in a year; a few, where it is only to be seen that this works (`cargo bench
/// -- --test`).
static FINISHED_RUNS: LazyLock<usize> = LazyLock::new(|| if only_a_test() { 100 } else { 100_000 });

/// What it plays at once.
static PLAYING_RUNS: LazyLock<usize> = LazyLock::new(|| if only_a_test() { 20 } else { 2_000 });

/// Long enough for checkpoints to happen, short enough to be run.
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
    opening().await;
    finding().await;
    for runs in [1, 100, 1_000] {
        let memory = Arc::new(MemoryStore::default());
        report("memory", runs, append_all(memory, runs).await);
        for (name, durability) in [("sqlite", Durability::Process), ("sqlite, FULL", Durability::Power)] {
            let folder = tempfile::tempdir().unwrap();
            let log = Arc::new(SqliteStore::open_with(folder.path(), durability).await.unwrap());
            report(name, runs, append_all(log, runs).await);
        }
        #[cfg(feature = "postgres-tests")]
        {
            let url = database::fresh().await;
            let log = Arc::new(enact_store::PostgresStore::open(&url).await.unwrap());
            report("postgres", runs, append_all(log, runs).await);
        }
    }
}

async fn opening() {
    let mut fresh = Vec::new();
    let mut existing = Vec::new();
    let mut looking = Vec::new();
    for _ in 0..21 {
        let folder = tempfile::tempdir().unwrap();
        fresh.push(timed_open(folder.path()).await);
        existing.push(timed_open(folder.path()).await);
        let start = Instant::now();
        let log = SqliteStore::open_existing(folder.path()).await.unwrap();
        log.runs().await.unwrap();
        looking.push(start.elapsed());
        log.close().await;
    }
    println!("open a fresh folder      {:>10.2?}", median(fresh));
    println!("open an existing folder  {:>10.2?}", median(existing));
    println!("open one and list runs   {:>10.2?}", median(looking));
}

/// What nodes and lists ask for, with many finished runs beside those that are played.
async fn finding() {
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteStore::open(folder.path()).await.unwrap();
    for _ in 0..*FINISHED_RUNS {
        log.import(new_run(), vec![record(0)], Vec::new(), Some("stalled".to_owned())).await.unwrap();
    }
    for run in log.without_extract("costs", *FINISHED_RUNS).await.unwrap() {
        log.keep_extract(run, "costs", "{}").await.unwrap();
    }
    for _ in 0..*PLAYING_RUNS {
        log.enqueue(submission()).await.unwrap();
    }
    log.claim_waiting(*PLAYING_RUNS).await.unwrap();
    let page = Listing { most: 50, ..Listing::default() };
    let with = |status| Listing { statuses: vec![status], ..page.clone() };
    let (playing, waiting, finished) = (with(Status::Playing), with(Status::Waiting), with(Status::Finished));
    let nobody = Listing { name: Some("nobody".to_owned()), ..page.clone() };
    println!("of {} finished runs and {} that are played:", *FINISHED_RUNS, *PLAYING_RUNS);
    timed("look at the queue", async || drop(log.claim_waiting(1).await.unwrap())).await;
    timed("look at the inboxes", async || drop(log.inboxes().await.unwrap())).await;
    timed("list the newest", async || drop(log.list(&page).await.unwrap())).await;
    timed("list those that are played", async || drop(log.list(&playing).await.unwrap())).await;
    timed("list those that wait", async || drop(log.list(&waiting).await.unwrap())).await;
    timed("list those that are finished", async || drop(log.list(&finished).await.unwrap())).await;
    timed("list those of one name", async || drop(log.list(&nobody).await.unwrap())).await;
    timed("find those without extract", async || drop(log.without_extract("costs", 50).await.unwrap())).await;
    log.close().await;
}

async fn timed(what: &str, ask: impl AsyncFn()) {
    let mut times = Vec::new();
    for _ in 0..21 {
        let start = Instant::now();
        ask().await;
        times.push(start.elapsed());
    }
    println!("  {what:<28} {:>10.2?}", median(times));
}

fn submission() -> Submission {
    Submission {
        run: new_run(),
        records: vec![record(0)],
        rows: Vec::new(),
        idempotency_key: None,
        next: None,
    }
}

fn new_run() -> NewRun {
    let (name, account) = ("bench".to_owned(), String::new());
    NewRun { run: RunId(Uuid::now_v7()), production: "scene", name, at: 0, parent: None, account }
}

async fn timed_open(folder: &Path) -> Duration {
    let start = Instant::now();
    let log = SqliteStore::open(folder).await.unwrap();
    let took = start.elapsed();
    log.close().await;
    took
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// How many appends the runs get done.
async fn append_all(log: Arc<dyn Log>, runs: usize) -> u64 {
    let mut playing = JoinSet::new();
    let start = Instant::now();
    for _ in 0..runs {
        let log = log.clone();
        playing.spawn(async move {
            let claim = log.create(new_run()).await.unwrap();
            let mut appends = 0;
            while start.elapsed() < *MEASURED {
                let first = appends * RECORDS_PER_APPEND;
                let records: Vec<_> = (first..first + RECORDS_PER_APPEND).map(record).collect();
                log.append(&claim, Batch::of(records)).await.unwrap();
                appends += 1;
            }
            appends
        });
    }
    playing.join_all().await.iter().sum()
}

fn record(seq: u64) -> Record {
    let body = format!(r#"{{"text":"{}"}}"#, "\\\"word\\\" ".repeat(BODY_BYTES / 9));
    Record {
        seq: Seq(seq),
        at: 0,
        kind: "replied".to_owned(),
        v: 1,
        body: RawValue::from_string(body).unwrap(),
    }
}

fn report(log: &str, runs: usize, appends: u64) {
    let events_per_s = (appends * RECORDS_PER_APPEND) as f64 / MEASURED.as_secs_f64();
    // With many runs at once an append costs less than it lasts: they share their transactions.
    let lasts = *MEASURED * runs as u32 / u32::try_from(appends).unwrap();
    println!("{runs:>5} runs, {log:<13} {events_per_s:>10.0} events/s, an append lasts {lasts:>9.2?}");
}
