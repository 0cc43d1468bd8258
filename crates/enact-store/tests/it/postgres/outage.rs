//! A server that goes away and comes back.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use enact_engine::{
    Log, Store,
    log::{Batch, Error},
};
use enact_store::{PostgresStore, postgres::Options};
use enact_testkit::{until, until_some};
use sqlx::{Connection, PgConnection};
use tokio::task::JoinSet;

use super::{database, enqueue, new_run, node, numbers, records};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_go_on_when_the_server_was_restarted_under_load() {
    let mut server = Server::start();
    let url = database::fresh_on(&server.url).await;
    // A server that was killed may take longer to come back than a lease usually lasts.
    let patient = Options { lease: Duration::from_secs(300), ..Options::default() };
    let store = Arc::new(PostgresStore::open_with(&url, patient).await.unwrap());
    let onlooker = node(&url).await;
    let over = Arc::new(AtomicBool::new(false));
    let mut playing = JoinSet::new();
    for _ in 0..20 {
        let (store, over) = (store.clone(), over.clone());
        playing.spawn(async move {
            let claim = store.create(new_run()).await.unwrap();
            let mut seq = 0;
            while !over.load(Ordering::SeqCst) {
                // No error is seen, though connections break at any moment: nothing is lost, and nothing
                // stored twice.
                store.append(&claim, Batch::of(records([seq]))).await.unwrap();
                seq += 1;
            }
            (claim.run, seq)
        });
    }
    for how in ["stop", "kill"] {
        grown(&onlooker).await;
        server.tell(how);
        assert!(matches!(onlooker.ready().await, Err(Error::Storage(_))));
        server.tell("start");
    }
    grown(&onlooker).await;
    over.store(true, Ordering::SeqCst);
    for (run, length) in playing.join_all().await {
        assert_eq!(numbers(&onlooker, run).await, (0..length).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_long_outage_is_told_to_those_who_wait_and_survived() {
    let mut server = Server::start();
    let url = database::fresh_on(&server.url).await;
    let options = Options {
        lease: Duration::from_millis(500),
        heartbeat: Duration::from_millis(100),
        ..Options::default()
    };
    let one = PostgresStore::open_with(&url, options).await.unwrap();
    let other = PostgresStore::open_with(&url, options).await.unwrap();
    let claim = one.create(new_run()).await.unwrap();
    server.tell("stop");
    for outcome in [
        one.append(&claim, Batch::of(records([0]))).await,
        one.release(claim).await,
        one.ready().await,
        one.claim_waiting(1).await.map(drop),
        other.read_some(claim.run, enact_drama::Seq(0), 1).await.map(drop),
    ] {
        assert!(matches!(outcome, Err(Error::Storage(_))), "{outcome:?}");
    }
    server.tell("start");

    // Everything recovers without intervention.
    until_some(async || one.ready().await.ok()).await;
    let mut news = other.notifications();
    let heard = until_some(async || {
        // Until it listens again, what others do is not heard.
        enqueue(&one).await;
        tokio::time::timeout(Duration::from_millis(100), news.recv()).await.ok()
    });
    heard.await.unwrap();
    until_some(async || one.release(claim).await.ok()).await;
    let claim = until_some(async || one.claim(claim.run).await.ok()).await;
    one.append(&claim, Batch::of(records([0]))).await.unwrap();
    until(async || matches!(other.claim(claim.run).await, Err(Error::Busy(_)))).await;
}

/// How soon everything has to be written again once the server is back.
const BACK_AFTER: Duration = Duration::from_secs(5);

#[tokio::test]
async fn a_server_that_takes_no_writes_is_not_ready_and_is_written_again_by_itself() {
    let mut server = Server::start();
    let url = database::fresh_on(&server.url).await;
    let options = Options {
        lease: Duration::from_secs(2),
        heartbeat: Duration::from_millis(500),
        ..Options::default()
    };
    let store = PostgresStore::open_with(&url, options).await.unwrap();
    let claim = store.create(new_run()).await.unwrap();
    for (seq, fault) in ["read-only", "stop", "kill"].into_iter().enumerate() {
        store.append(&claim, Batch::of(records([seq as u64]))).await.unwrap();
        until_some(async || store.ready().await.ok()).await;
        match fault {
            "read-only" => server.set_read_only(true).await,
            stop => server.tell(stop),
        }
        assert!(matches!(store.ready().await, Err(Error::Storage(_))), "{fault}");
        let appended = store.append(&claim, Batch::of(records([seq as u64 + 1]))).await;
        assert!(matches!(appended, Err(Error::Storage(_))), "{fault}: {appended:?}");
        assert!(matches!(store.ready().await, Err(Error::Storage(_))), "{fault}");
        let claimed = store.claim_waiting(1).await;
        assert!(matches!(claimed, Err(Error::Storage(_))), "{fault}: {claimed:?}");

        match fault {
            "read-only" => server.set_read_only(false).await,
            _ => server.tell("start"),
        }
        let began = Instant::now();
        until_some(async || store.append(&claim, Batch::default()).await.ok()).await;
        until_some(async || store.ready().await.ok()).await;
        enqueue(&store).await;
        println!("{fault}: everything was written {:?} after the server was back", began.elapsed());
        assert!(began.elapsed() < BACK_AFTER, "{fault}: {:?}", began.elapsed());
    }
}

/// Waits until more is stored than now.
async fn grown(store: &PostgresStore) {
    let stored = async || {
        let runs = store.runs().await.ok()?;
        Some(runs.iter().map(|run| run.events).sum::<u64>())
    };
    let before = until_some(stored).await;
    until_some(async || stored().await.filter(|now| *now > before + 100)).await;
}

/// A server of one's own, which may be stopped.
struct Server {
    process: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    url: String,
}

impl Server {
    fn start() -> Server {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/postgres");
        let mut process = Command::new(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let orders = process.stdin.take();
        let mut answers = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("ENACT_TEST_POSTGRES=").unwrap().to_owned();
        Server { process, orders, answers, url }
    }

    /// Has it take no writes, as a standby does, or take them again.
    async fn set_read_only(&self, on: bool) {
        let url = format!("{}?options[default_transaction_read_only]=off", self.url);
        database::run_sql(&url, &format!("ALTER SYSTEM SET default_transaction_read_only = {on}")).await;
        database::run_sql(&url, "SELECT pg_reload_conf()").await;
        // Other processes of the server notice a moment later.
        let shown = async || {
            let mut connection = PgConnection::connect(&self.url).await.unwrap();
            let shown = sqlx::query_scalar::<_, String>("SHOW default_transaction_read_only");
            shown.fetch_one(&mut connection).await.unwrap()
        };
        until(async || shown().await == if on { "on" } else { "off" }).await;
    }

    /// Returns when it is done.
    fn tell(&mut self, order: &str) {
        writeln!(self.orders.as_mut().unwrap(), "{order}").unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        assert_eq!(line, "done\n");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It removes itself when nothing more can be ordered.
        drop(self.orders.take());
        let _ = self.process.wait();
    }
}
