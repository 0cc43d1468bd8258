//! Minds of other people's games: a thousand of them, each called every three seconds over HTTP.
//!
//! Bar: less than 20 ms at the 99th percentile from the call to its answer. Rules decide, so that all of it is ours: the
//! command is posted, the run wakes, the decision is stored, the run rests. The games sit in the same process, which is the
//! harder case.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::{Duration, Instant},
};

use async_trait::async_trait;
use enact_drama::{Problem, budget::Budget, mind::Mind, production::Player, report::Cards};
use enact_engine::{
    Models, Node, Productions,
    node::{NodeLimits, ResourceProvider},
};
use enact_server::{
    Limits, MindRoutes, access::Access, mind::PrepareMind, productions::ServerProduction, routes, serve,
};
use enact_store::SqliteStore;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::sleep,
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How often a game calls.
const CYCLE: Duration = Duration::from_secs(3);

fn main() {
    let quick = std::env::args().any(|arg| arg == "--test");
    let (minds, cycles, cycle) = if quick { (5, 3, Duration::from_millis(20)) } else { (1_000, 10, CYCLE) };
    tokio::runtime::Runtime::new().expect("a runtime").block_on(over_http(minds, cycles, cycle));
}

async fn over_http(minds: u32, cycles: u32, cycle: Duration) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(SqliteStore::open(folder.path()).await.expect("a store"));
    let productions = Productions::default().with::<Mind>();
    let node = Node::start(store, Arc::new(RulesOnly), productions, NodeLimits::default());
    let address = open_doors(node.clone()).await;
    for mind in 0..minds {
        let made = json!({ "mind_id": format!("m{mind}"), "entity_id": format!("e{mind}") });
        call(address, "/v1/minds", &made).await;
    }
    let begun = Instant::now();
    let games: Vec<_> = (0..minds)
        .map(|mind| tokio::spawn(game(address, mind, cycle * mind / minds, cycles, cycle)))
        .collect();
    let mut took = Vec::new();
    for game in games {
        took.extend(game.await.expect("a game"));
    }
    let rate = took.len() as f64 / begun.elapsed().as_secs_f64();
    println!("{minds} minds, {} calls, {rate:.0} a second, SQLite", took.len());
    println!("  from call to answer: {}", spread(took));
    node.stop().await;
}

/// One NPC of a game that calls in its own time.
async fn game(
    address: SocketAddr,
    mind: u32,
    after: Duration,
    cycles: u32,
    cycle: Duration,
) -> Vec<Duration> {
    sleep(after).await;
    let mut took = Vec::new();
    for turn in 0..cycles {
        let told = observation(mind, turn);
        let begun = Instant::now();
        let answer = call(address, &format!("/v1/minds/m{mind}/decide"), &told).await;
        took.push(begun.elapsed());
        assert_eq!(answer["status"], "success", "{answer}");
        sleep(cycle.saturating_sub(begun.elapsed())).await;
    }
    took
}

/// Twelve things in sight, as in a small room.
fn observation(mind: u32, turn: u32) -> Value {
    let seen = |at: u32| {
        json!({ "entity_id": format!("thing_{at}"), "display_name": format!("Thing {at}"), "position": [at, turn],
                "interactions": { "use": { "name": "use", "description": "Use it", "needs_filled": ["hunger"],
                                           "needs_drained": ["energy"] } } })
    };
    let seen: Vec<Value> = (0..12).map(seen).collect();
    json!({ "observation": {
        "entity_id": format!("e{mind}"), "current_simulation_time": turn,
        "status": { "position": [mind % 20, 3], "movement_locked": false, "current_interaction": {},
                    "activity_state": { "state_name": "idle" } },
        "needs": { "needs": { "hunger": 30, "energy": 70, "fun": 60, "hygiene": 80 }, "max_value": 100 },
        "vision": { "visible_entities": seen },
    }, "events": [] })
}

async fn call(address: SocketAddr, path: &str, body: &Value) -> Value {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.set_nodelay(true).expect("a socket");
    let body = body.to_string();
    let length = body.len();
    let request = format!(
        "POST {path} HTTP/1.0\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.expect("it listens");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let body = answer.split_once("\r\n\r\n").expect("a body").1;
    serde_json::from_str(body).expect("JSON")
}

async fn open_doors(node: Node) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
    let address = listener.local_addr().expect("its address");
    // A machine that is slow is to be measured, and not refused.
    let limits =
        Limits { requests: 100_000, rate_per_second: 100_000, rate_burst: 100_000, ..Limits::default() };
    let access = Access::default().limits(limits.clone());
    let minds: Arc<dyn ServerProduction> = Arc::new(MindRoutes::new(Arc::new(RulesOnly)));
    let router = routes::guarded(node, &[minds], routes::ServerOptions::default(), access);
    tokio::spawn(serve::serve(listener, router, limits, std::future::pending()));
    address
}

/// No model is asked.
#[derive(Debug)]
struct RulesOnly;

#[async_trait]
impl PrepareMind for RulesOnly {
    fn budget(&self) -> Budget {
        Budget::default()
    }

    async fn model(&self, _: Option<&str>) -> Result<(Option<String>, Cards), Problem> {
        Ok((None, Cards::new()))
    }
}

#[async_trait]
impl ResourceProvider for RulesOnly {
    async fn models(&self, _: &[Player]) -> Result<Models, Problem> {
        Ok(Models::new())
    }
}

fn spread(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let at = |share: f64| {
        let place = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times.get(place).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    format!("median {:.2} ms, p99 {:.2} ms, slowest {:.2} ms", at(0.5), at(0.99), at(1.0))
}
