//! What runs that wait for a command cost: a server with a hundred thousand of them, and commands that wake them.
//!
//! `cargo bench -p enact-toy --bench resting` takes about two minutes; `ENACT_RESTING` and `ENACT_COMMANDS`
//! change its size. The bars: 100,000 resting runs add less than 50 MB and nothing that is done again and
//! again, of 10,000 commands in a minute 99 of 100 are accepted within 20 ms, and a run with 200 events is
//! awake within 2 ms.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark that cannot go on says so")]

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use enact_drama::{
    CallId, Fact, Name, Problem, Record, RunId, Seq, model_card::ModelCard, production::Player,
    request::Request,
};
use enact_engine::{
    Log, Model, Models, Node, Productions, Stage, Store,
    log::{NewRun, Status},
    model::{Answer, Failure},
    node::{FollowEvent, NodeLimits, ResourceProvider},
    run_loop::Signal,
    store::{Listing, Submission},
};
use enact_models::Improviser;
use enact_store::SqliteStore;
use enact_testkit::memory_kib;
use enact_toy::{Echo, EchoCommand, EchoEvent};
use futures::{StreamExt, stream};
use serde_json::json;
use tokio::sync::Notify;
use uuid::Uuid;

/// How many commands a second: 10,000 a minute.
const RATE: u64 = 167;
/// How long a server is watched while nothing is asked of it.
const IDLE: Duration = Duration::from_secs(5);

fn main() {
    // `cargo bench -- --test` only wants to see that it works.
    let (runs, commands) = match std::env::args().any(|argument| argument == "--test") {
        true => (200, 50),
        false => (size("ENACT_RESTING", 100_000), size("ENACT_COMMANDS", 10_000)),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(measure(runs, commands));
    runtime.block_on(wake_long_logs(commands.min(500)));
    runtime.block_on(answer_many_at_once(commands.min(5_000)));
}

fn size(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

async fn measure(runs: usize, commands: usize) {
    let (empty, full) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let ids = lay_to_rest(full.path(), runs).await;
    let alone = Server::start(empty.path());
    tokio::time::sleep(IDLE).await;
    let (memory, work) = (alone.memory_kib(), alone.work_ms());
    drop(alone);
    let server = Server::start(full.path());
    tokio::time::sleep(IDLE).await;
    println!(
        "{runs} resting runs: {:+.1} MB, {:+} ms of processor time in {IDLE:?} (without any: {:.1} MB, {work} ms)",
        (server.memory_kib() as f64 - memory as f64) / 1024.0,
        server.work_ms() as i64 - work as i64,
        memory as f64 / 1024.0,
    );
    wake(&server, &ids, commands).await;
}

/// Makes runs that rest, as a node leaves them.
async fn lay_to_rest(folder: &Path, runs: usize) -> Vec<RunId> {
    let store = Arc::new(SqliteStore::open(&folder.join("data")).await.unwrap());
    let began = Instant::now();
    let ids: Vec<RunId> = (0..runs).map(|_| RunId(Uuid::now_v7())).collect();
    let enqueued = stream::iter(ids.clone()).map(|run| {
        let store = store.clone();
        async move { store.enqueue(submission(run, 0)).await.unwrap() }
    });
    enqueued.buffer_unordered(64).collect::<Vec<_>>().await;
    rest_all(&store).await;
    println!("{runs} runs made in {:.1} s", began.elapsed().as_secs_f64());
    ids
}

async fn rest_all(store: &SqliteStore) {
    loop {
        let claims = store.claim_waiting(512).await.unwrap();
        if claims.is_empty() {
            return;
        }
        for claim in claims {
            assert!(store.rest(claim, None).await.unwrap());
        }
    }
}

/// A run that was called so many times, and answered.
fn submission(run: RunId, calls: u64) -> Submission {
    let models = [("improviser".to_owned(), Improviser::default().card())].into();
    let mut events = vec![EchoEvent::EchoBegan { run, valley: Name::new("glen").unwrap(), models }];
    for call in (0..calls).map(CallId) {
        let text = "Is there anybody in this valley?".to_owned();
        events.push(EchoEvent::Called { call, text: text.clone() });
        events.push(EchoEvent::Answered { call, text, usage: None });
    }
    let at = 1_700_000_000_000;
    let facts = events.into_iter().zip(0..).map(|(event, seq)| Fact { seq: Seq(seq), at, event });
    let records = facts.map(|fact| Record::of(&fact)).collect();
    let (parent, account) = (None, String::new());
    let about = NewRun { run, production: "echo", name: "echo".to_owned(), at, parent, account };
    Submission { run: about, records, rows: Vec::new(), idempotency_key: None, next: None }
}

/// How long it takes from a command to a run with 200 events until what follows from it is stored: the
/// command is posted and the run claimed, its log read and folded, and the first fact appended.
async fn wake_long_logs(runs: usize) {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(folder.path()).await.unwrap());
    let ids: Vec<RunId> = (0..runs).map(|_| RunId(Uuid::now_v7())).collect();
    for run in &ids {
        store.enqueue(submission(*run, 100)).await.unwrap();
    }
    rest_all(&store).await;
    let productions = Productions::default().with::<Echo>();
    let node = Node::start(store, Arc::new(OnlyImproviser), productions, NodeLimits::default());
    let mut took = Vec::new();
    for run in &ids {
        let mut follower = node.follow(*run, Seq(201)).await.unwrap();
        let began = Instant::now();
        node.command(*run, r#"{"command":"call","text":"Hello"}"#).await.unwrap();
        while !matches!(follower.next().await.unwrap(), Some(FollowEvent::Records(_))) {}
        took.push(began.elapsed());
    }
    node.stop().await;
    took.sort_unstable();
    let at = |part: f64| took[((took.len() - 1) as f64 * part) as usize].as_secs_f64() * 1_000.0;
    println!("a run of 200 events answers a command after {:.2} ms (median), {:.2} (p99)", at(0.5), at(0.99));
}

/// What an answer costs while thousands of calls are in flight, each answered at another moment.
async fn answer_many_at_once(calls: usize) {
    let (sender, mut signals) = tokio::sync::mpsc::channel(calls);
    for number in 0..calls {
        let call = EchoCommand::Call { text: number.to_string() };
        sender.try_send(Signal::command::<Echo>(&call)).unwrap();
    }
    drop(sender);
    let slow = Slow { calls, asked: AtomicUsize::new(0), all: Notify::new() };
    let stage = Stage::new("slow", Arc::new(slow));
    let models = [("slow".to_owned(), ModelCard::free("slow"))].into();
    let run = RunId(Uuid::now_v7());
    let first = EchoEvent::EchoBegan { run, valley: Name::new("glen").unwrap(), models };
    let began = Instant::now();
    stage.play::<Echo>(first, &mut (), &mut signals).await.unwrap();
    let each = began.elapsed().as_secs_f64() * 1e6 / calls as f64;
    println!("{calls} calls in flight: {each:.0} µs from a command to its stored answer, in memory");
}

/// Answers once all calls are in flight, one after the other.
#[derive(Debug)]
struct Slow {
    calls: usize,
    asked: AtomicUsize,
    all: Notify,
}

#[async_trait]
impl Model for Slow {
    fn card(&self) -> ModelCard {
        ModelCard::free("slow")
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        let all = self.all.notified();
        if self.asked.fetch_add(1, SeqCst) + 1 == self.calls {
            self.all.notify_waiters();
        } else {
            all.await;
        }
        Ok(Answer::from(&*request.thread[0].text))
    }
}

/// The models of a node without a configuration.
#[derive(Debug)]
struct OnlyImproviser;

#[async_trait]
impl ResourceProvider for OnlyImproviser {
    async fn models(&self, players: &[Player]) -> Result<Models, Problem> {
        let improviser: Arc<dyn Model> = Arc::new(Improviser::default());
        Ok(players.iter().map(|player| (player.name.clone(), improviser.clone())).collect())
    }
}

/// Sends commands at a steady rate, each to another run, and waits until all of them rest again.
async fn wake(server: &Server, ids: &[RunId], commands: usize) {
    let client = enact_http::client().expect("a client");
    let mut clock = tokio::time::interval(Duration::from_micros(1_000_000 / RATE));
    let began = Instant::now();
    let mut posted = Vec::new();
    for number in 0..commands {
        clock.tick().await;
        // Spread over all of them, so that no page of the database is warm by accident.
        let run = ids[number.wrapping_mul(7_919) % ids.len()];
        let request = client.post(format!("{}/v1/runs/{run}/commands", server.address));
        let request = request.json(&json!({ "command": "call", "text": "Hello" }));
        posted.push(tokio::spawn(async move {
            let began = Instant::now();
            let status = request.send().await.unwrap().status();
            assert_eq!(status.as_u16(), 202);
            began.elapsed()
        }));
    }
    let mut took = Vec::new();
    for posted in posted {
        took.push(posted.await.unwrap());
    }
    let seconds = began.elapsed().as_secs_f64();
    took.sort_unstable();
    let at = |part: f64| took[((took.len() - 1) as f64 * part) as usize].as_secs_f64() * 1_000.0;
    println!(
        "{commands} commands in {seconds:.1} s: accepted after {:.1} ms (median), {:.1} (p99), {:.1} (slowest)",
        at(0.5),
        at(0.99),
        at(1.0)
    );
    let store = SqliteStore::open(&server.folder.join("data")).await.unwrap();
    let awake = Listing { statuses: vec![Status::Playing, Status::Waiting], most: 1, ..Listing::default() };
    while !store.list(&awake).await.unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    println!("all of them rest again {:.1} s after the first", began.elapsed().as_secs_f64());
    let mut answered = 0;
    for run in ids.iter().take(commands.min(ids.len())) {
        let records = store.read(*run, Seq(0)).await.unwrap();
        let count = |kind: &str| records.iter().filter(|record| record.kind == kind).count();
        assert_eq!(count("called"), count("answered"), "run {run}");
        answered += count("answered");
    }
    println!("{answered} answers in the logs that were looked at, one to each call");
}

/// The toy's server, as a process of its own.
struct Server {
    address: String,
    folder: std::path::PathBuf,
    child: Child,
}

impl Server {
    fn start(folder: &Path) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_enact-toy"));
        let command = command.args(["serve", "--bind", "127.0.0.1:0"]).current_dir(folder);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let address = said.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();
        Server { address, folder: folder.to_owned(), child }
    }

    fn memory_kib(&self) -> u64 {
        memory_kib(&self.child.id().to_string(), "VmRSS").unwrap() as u64
    }

    /// Processor time so far, in milliseconds: user and system, in hundredths of a second.
    fn work_ms(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        [11, 12].iter().map(|at| fields[*at].parse::<u64>().unwrap() * 10).sum()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
