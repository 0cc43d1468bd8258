//! What only the Postgres store promises: leases, nodes that die or freeze, news, and servers that go away.

mod cut;
mod leases;
mod news;
mod opening;
mod outage;
mod resting;
mod rivals;
mod role_limit;
mod rows;

use std::{sync::Arc, time::Duration};

use enact_drama::{Record, RunId, Seq};
use enact_engine::{Log, Store, log::NewRun, store::Submission};
use enact_store::{PostgresStore, postgres::Options};
use uuid::Uuid;

use crate::database;

const HOUR: Duration = Duration::from_secs(3600);

/// A node that is never heard of again after it has entered.
const FROZEN: Options =
    Options { lease: HOUR, heartbeat: HOUR, connections: 4, answer_timeout: Duration::from_secs(10) };

async fn node(url: &str) -> PostgresStore {
    PostgresStore::open(url).await.unwrap()
}

async fn frozen(url: &str) -> PostgresStore {
    PostgresStore::open_with(url, FROZEN).await.unwrap()
}

/// Lets the leases of [frozen](FROZEN) nodes expire.
async fn expire_leases(url: &str) {
    let sql = "UPDATE nodes SET expires_at = clock_timestamp()
               WHERE expires_at > clock_timestamp() + interval '1 minute'";
    database::run_sql(url, sql).await;
}

/// A run with one record that waits.
async fn enqueue(store: &PostgresStore) -> RunId {
    let new = new_run();
    store.enqueue(submission(new.clone(), records([0]))).await.unwrap();
    new.run
}

fn submission(run: NewRun, records: Vec<Record>) -> Submission {
    Submission { run, records, rows: Vec::new(), idempotency_key: None, next: None }
}

fn command(name: &str) -> Arc<str> {
    format!(r#"{{"command":"{name}"}}"#).into()
}

fn new_run() -> NewRun {
    NewRun {
        run: RunId(Uuid::now_v7()),
        production: "scene",
        name: "the-apology".to_owned(),
        at: 1_000,
        parent: None,
        account: String::new(),
    }
}

fn records(seqs: impl IntoIterator<Item = u64>) -> Vec<Record> {
    seqs.into_iter().map(|seq| record(seq, seq)).collect()
}

/// A record whose body is a number.
fn record(seq: u64, body: u64) -> Record {
    let body = serde_json::value::to_raw_value(&body).unwrap();
    Record { seq: Seq(seq), at: 1_000, kind: "noted".to_owned(), v: 1, body }
}

/// The numbers in a log, whose seqs have no gaps.
async fn numbers(log: &PostgresStore, run: RunId) -> Vec<u64> {
    let records = log.read(run, Seq(0)).await.unwrap();
    assert!(records.iter().zip(0..).all(|(record, seq)| record.seq.0 == seq), "{records:?}");
    records.iter().map(|record| record.body.get().parse().unwrap()).collect()
}
