//! Two thousand scenes on one node, each with a reader in another process: how long after an event is
//! committed its reader has it, and how much memory a run and its reader take.
//!
//! The bars are 50 ms at the 99th percentile and 200 KiB. Every actor answers after a second; events are as
//! many as three actors make.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints what it measured")]

#[path = "../cast/mod.rs"]
mod cast;
mod commits;
mod readers;

use std::{
    collections::HashMap,
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, SocketAddr},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use cast::{Timed, config, stage};
use commits::Commits;
use enact_drama::{Fact, Problem, Record, RunId, Seq, scene::Scene};
use enact_engine::{
    Clock, Models, Node, Productions, Stage,
    node::{self, ResourceProvider, Submitter},
};
use enact_server::{Limits, access::Access, routes, serve};
use enact_store::SqliteStore;
use enact_testkit::memory_kib;
use tokio::net::TcpListener;

const ACTORS: usize = 3;
/// More than are played in the time.
const BEATS: u32 = 1_000;
/// Between two scenes, so that their beats do not all begin in the same instant.
const INTERVAL: Duration = Duration::from_millis(1);

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    match std::env::var(readers::ADDRESS) {
        Ok(address) => runtime.block_on(readers::sit(&address)),
        Err(_) => runtime.block_on(measure()),
    }
}

async fn measure() {
    // `cargo bench -- --test` only wants to see that it works.
    let test = std::env::args().any(|arg| arg == "--test");
    let (scenes, time) = if test { (5, Duration::from_secs(3)) } else { (2_000, Duration::from_secs(20)) };

    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(SqliteStore::open(folder.path()).await.expect("a store"));
    let commits = Commits::note();
    let before_kib = memory_kib("self", "VmRSS").unwrap_or(0) as u64;
    let node = Node::start(
        store,
        Arc::new(Timely::new()),
        Productions::default().with::<Scene>(),
        node::NodeLimits { runs: scenes as usize, ..Default::default() },
    );
    let address = open_doors(node.clone()).await;

    let project = Timely::new();
    let mut runs = Vec::new();
    for seed in 0..scenes {
        let setup = project.stage.cast(config(ACTORS, BEATS, seed)).expect("a cast");
        let first = Record::of(&Fact { seq: Seq(0), at: now_ms(), event: Scene::beginning(setup) });
        runs.push(node.submit(first, Submitter::default()).await.expect("a place in the queue").run);
        tokio::time::sleep(INTERVAL).await;
    }
    let mut audience = DeltaSink::seat(address, &runs);
    commits.take();
    tokio::time::sleep(time).await;
    let committed = commits.take();
    let each_kib = (memory_kib("self", "VmRSS").unwrap_or(0) as u64).saturating_sub(before_kib) / scenes;
    // What was committed last gets the time to arrive.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let arrived = audience.leave();
    node.stop().await;

    let (mut delays, mut missing) = (Vec::new(), 0);
    for commit in &committed {
        for seq in commit.first..commit.first + commit.records {
            match arrived.get(&(commit.run.as_str(), seq)) {
                Some(at_ns) => delays.push(at_ns.saturating_sub(commit.at_ns)),
                None => missing += 1,
            }
        }
    }
    let events = delays.len();
    println!("{scenes} scenes and readers, {ACTORS} actors who answer after a second, SQLite");
    println!(
        "  {:.0} events a second, {missing} of {events} not received",
        events as f64 / time.as_secs_f64()
    );
    println!("  from committed to received: {}", spread(delays));
    println!("  memory: {each_kib} KiB a run and its reader");
    assert!(events > 0 && missing == 0, "every event is received");
}

fn now_ms() -> i64 {
    enact_engine::clock::SystemClock.now_ms()
}

/// Serves a node's runs on a free port.
async fn open_doors(node: Node) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
    let address = listener.local_addr().expect("its address");
    let limits = Limits::default();
    let access = Access::default().limits(limits.clone());
    let router = routes::guarded(node, &[], routes::ServerOptions::default(), access);
    tokio::spawn(serve::serve(listener, router, limits, std::future::pending()));
    address
}

/// A project whose actors answer after a second.
#[derive(Debug)]
struct Timely {
    stage: Stage,
    models: Models,
}

impl Timely {
    fn new() -> Timely {
        let delay = |_: u64, _: &str, _: u32| Duration::from_secs(1);
        let models = Models::from([("timed".to_owned(), Arc::new(Timed { delay }) as _)]);
        Timely { stage: stage(delay), models }
    }
}

#[async_trait]
impl ResourceProvider for Timely {
    async fn models(&self, _: &[enact_drama::production::Player]) -> Result<Models, Problem> {
        Ok(self.models.clone())
    }
}

/// The process in which the readers sit.
struct DeltaSink {
    process: Child,
    tell: ChildStdin,
    hear: BufReader<ChildStdout>,
    runs: Vec<String>,
}

impl DeltaSink {
    /// Returns once every reader follows its run.
    fn seat(address: SocketAddr, runs: &[RunId]) -> DeltaSink {
        let mut process = Command::new(std::env::current_exe().expect("this program"))
            .env(readers::ADDRESS, address.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("another process");
        let mut tell = process.stdin.take().expect("its input");
        let mut hear = BufReader::new(process.stdout.take().expect("its output"));
        let ids: Vec<String> = runs.iter().map(RunId::to_string).collect();
        writeln!(tell, "{}", ids.join(" ")).expect("it listens");
        let mut line = String::new();
        tokio::task::block_in_place(|| hear.read_line(&mut line)).expect("it answers");
        assert_eq!(line.trim(), "ready");
        DeltaSink { process, tell, hear, runs: ids }
    }

    /// When everything arrived, by run and seq.
    fn leave(&mut self) -> HashMap<(&str, u64), u64> {
        writeln!(self.tell, "leave").expect("it listens");
        let mut arrived = HashMap::new();
        let DeltaSink { process, hear, runs, .. } = self;
        tokio::task::block_in_place(|| {
            for line in hear.lines() {
                let line = line.expect("what it heard");
                let numbers: Vec<u64> = line.split(' ').filter_map(|number| number.parse().ok()).collect();
                let [reader, seq, at_ns] = numbers[..] else { panic!("{line}") };
                let earlier = arrived.insert((runs[reader as usize].as_str(), seq), at_ns);
                assert!(earlier.is_none(), "event {seq} was received twice");
            }
            process.wait().expect("its end");
        });
        arrived
    }
}

fn spread(mut times_ns: Vec<u64>) -> String {
    times_ns.sort_unstable();
    let at = |share: f64| {
        let place = ((times_ns.len() as f64 * share) as usize).min(times_ns.len().saturating_sub(1));
        times_ns.get(place).map_or(0.0, |ns| *ns as f64 / 1e6)
    };
    format!("median {:.1} ms, p99 {:.1} ms, slowest {:.1} ms", at(0.5), at(0.99), at(1.0))
}
