//! Three nodes on one Postgres, under load, that are killed and frozen again and again: every run is played
//! to its end, and each follower, through whichever nodes, sees each of its events once.
//!
//! `ENACT_KILLS=100` does it a hundred times; with `--nocapture` it says what came of it.

#![allow(clippy::print_stdout, reason = "numbers, for those who ask for them")]

use std::{
    collections::BTreeSet,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use enact_testkit::waiting::blocking;
use fake_provider::{Api, FakeProvider, PlannedResponse};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::{
    project::Project,
    server::{
        Server,
        client::{Events, Following, call_within},
    },
};

const NODES: usize = 3;
/// How many runs are played at any time.
const LOAD: usize = 12;
/// Short, so that a round is.
const LEASE_SECONDS: f64 = 2.0;
/// A node that does not answer within this time may be frozen: the client asks another.
const UNTIL_ANOTHER_IS_ASKED: Duration = Duration::from_secs(2);
const KEY: &str = "sk-tests-of-many-nodes";

#[test]
fn killed_and_frozen_nodes_lose_nothing_and_repeat_nothing() {
    let rounds = std::env::var("ENACT_KILLS").map_or(10, |rounds| rounds.parse().unwrap());
    let theatre = Theatre::open();
    let mut nodes: Vec<Server> = (0..NODES).map(|_| theatre.serve()).collect();
    let house = Arc::new(House::new(&nodes));
    let load: Vec<_> = (0..LOAD)
        .map(|slot| {
            let house = house.clone();
            std::thread::spawn(move || play_on_and_on(&house, slot))
        })
        .collect();
    let began = Instant::now();
    for round in 0..rounds {
        house.wait_for_more_events();
        let killed = round % NODES;
        nodes.swap_remove(killed).kill();
        nodes.push(theatre.serve());
        nodes.swap(killed, NODES - 1);
        house.addresses.lock().unwrap()[killed] = nodes[killed].address();

        house.wait_for_more_events();
        let (frozen, awake) = ((round + 1) % NODES, (round + 2) % NODES);
        nodes[frozen].signal("STOP");
        // Until others have taken over all that it played: only then has it something to come back to.
        let playing = house.playing(awake);
        blocking::until(|| house.have_moved_on(&playing, awake));
        nodes[frozen].signal("CONT");
    }
    house.closing.store(true, Ordering::SeqCst);
    let played: Vec<Played> = load.into_iter().flat_map(|slot| slot.join().unwrap()).collect();
    let took = began.elapsed();
    for run in &played {
        run.check(&nodes);
    }
    let events: usize = played.iter().map(|run| run.following.events.len()).sum();
    let resumed: usize = played.iter().map(|run| run.count("resumed")).sum();
    let reconnected: usize = played.iter().map(|run| run.connections - 1).sum();
    println!(
        "{rounds} kills and {rounds} freezes in {:.0} s: {} runs played to their end, {events} events, {resumed} times played on \
         by another, {reconnected} times followed elsewhere; 0 events lost, 0 lines repeated",
        took.as_secs_f64(),
        played.len(),
    );
    assert!(resumed > 0, "somebody was in the middle of something");
    for node in nodes {
        let (status, logged) = node.stop();
        assert_eq!(status.code(), Some(0), "{logged}");
        assert!(!logged.contains("panicked"), "{logged}");
    }
}

#[test]
fn what_is_posted_to_one_node_reaches_the_run_on_another() {
    let theatre = Theatre::open();
    let nodes: Vec<Server> = (0..2).map(|_| theatre.serve()).collect();
    // Enough runs that both nodes play some, all of them steered through the first.
    let runs: Vec<String> = (0..6).map(|_| nodes[0].begin(&scene(1_000))).collect();
    for run in &runs {
        let answer =
            nodes[0].post(&format!("/v1/runs/{run}/world-events"), &json!({"text": "The lights go out."}));
        assert_eq!(answer.status, 202, "{}", answer.body);
        let answer = nodes[1].post(&format!("/v1/runs/{run}/cancel"), &json!({}));
        assert_eq!(answer.status, 202, "{}", answer.body);
    }
    for run in &runs {
        let seen = nodes[1].events(run);
        assert_eq!(seen, nodes[0].events(run), "both tell the same");
        let told = |text: &str| seen.iter().filter(|event| event.data.contains(text)).count();
        assert!(told("The lights go out.") > 0 && told("\"reason\":\"cancelled\"") == 1, "{seen:#?}");
    }
}

/// What all nodes share: a project, a database and a provider.
struct Theatre {
    project: Project,
    database: String,
    _provider: FakeProvider,
}

impl Theatre {
    fn open() -> Theatre {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let script = |seen: &fake_provider::Seen| {
            let number = seen.number;
            let text = format!(
                "[TONE: tense] \"Number {number}, and have you thought of {}?\"",
                number * 7919 % 100_003
            );
            PlannedResponse::text(text).after(Duration::from_millis(100 + number * 37 % 100))
        };
        let provider = FakeProvider::builder().key(KEY).script(script).without_record();
        let provider = runtime.block_on(provider.start());
        let project = Project::new();
        let config = format!(
            "default = \"slow\"\n[models.slow]\nprovider = \"openai-compatible\"\nmodel = \"m\"\nbase_url = \"{}\"\n\
             key_env = \"SLOW_KEY\"\n[serve]\nlease_seconds = {LEASE_SECONDS:?}\n",
            provider.base_url_for(Api::OpenAi)
        );
        project.write("enact.toml", config);
        Theatre { project, database: runtime.block_on(fresh_schema()), _provider: provider }
    }

    fn serve(&self) -> Server {
        let mut command = self.project.command(&["serve", "--bind", "127.0.0.1:0", "--config", "enact.toml"]);
        command.env_remove("ENACT_TOKEN").env("ENACT_DATABASE", &self.database).env("SLOW_KEY", KEY);
        command.env("ENACT_LOG", "warn");
        Server::start(command)
    }
}

/// The address of a place of its own in the server that `scripts/postgres` starts.
pub(crate) async fn fresh_schema() -> String {
    let server = std::env::var("ENACT_TEST_POSTGRES").expect("ENACT_TEST_POSTGRES: scripts/test sets it");
    let schema = format!("nodes_{}", std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos());
    let mut connection = PgConnection::connect(&server).await.unwrap();
    let create = format!("CREATE SCHEMA {schema}");
    sqlx::raw_sql(AssertSqlSafe(create)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    format!("{server}?options[search_path]={schema}")
}

/// One that goes on until its beats are used up.
fn scene(beats: u32) -> Value {
    json!({
        "name": "talk",
        "characters": ["alice", "bob", "charlie"],
        "maxBeats": beats,
        "prompt": "They talk about the weather.",
        "goals": ["Charlie hands Bob the seventh golden key"],
    })
}

/// Where the nodes are now, and what is going on.
struct House {
    addresses: Mutex<Vec<SocketAddr>>,
    /// How many events were seen by anybody.
    seen: AtomicUsize,
    /// No more runs are begun.
    closing: AtomicBool,
}

impl House {
    fn new(nodes: &[Server]) -> House {
        let addresses = Mutex::new(nodes.iter().map(Server::address).collect());
        House { addresses, seen: AtomicUsize::new(0), closing: AtomicBool::new(false) }
    }

    fn address(&self, turn: usize) -> SocketAddr {
        let addresses = self.addresses.lock().unwrap();
        addresses[turn % addresses.len()]
    }

    /// A round begins when the load has come back from the last one.
    fn wait_for_more_events(&self) {
        let enough = self.seen.load(Ordering::SeqCst) + LOAD * 20;
        blocking::until(|| self.seen.load(Ordering::SeqCst) >= enough);
    }

    /// All runs that are being played, with how far they are.
    fn playing(&self, asked: usize) -> Vec<(String, u64)> {
        let list = |asked| {
            let path = "/v1/runs?status=playing&limit=500";
            let answer =
                call_within(UNTIL_ANOTHER_IS_ASKED, self.address(asked), "GET", path, &[], "").ok()?;
            let runs = answer.json()["runs"].as_array()?.clone();
            let known = |run: &Value| Some((run["runId"].as_str()?.to_owned(), run["events"].as_u64()?));
            Some(runs.iter().filter_map(known).collect())
        };
        blocking::until_some(|| list(asked))
    }

    /// Whether each of these runs has ended or grown.
    fn have_moved_on(&self, runs: &[(String, u64)], asked: usize) -> bool {
        let now = self.playing(asked);
        runs.iter()
            .all(|(run, then)| now.iter().find(|(known, _)| known == run).is_none_or(|(_, now)| now > then))
    }
}

/// A run that was played, as its follower saw it.
struct Played {
    run: String,
    following: Following,
    connections: usize,
}

/// Begins runs and follows each to its end, through one node after the other.
fn play_on_and_on(house: &House, slot: usize) -> Vec<Played> {
    let mut played = Vec::new();
    let mut turn = slot;
    while !house.closing.load(Ordering::SeqCst) {
        let key = format!("slot-{slot}-run-{}", played.len());
        let run = blocking::until_some(|| {
            turn += 1;
            begin(house.address(turn), &key)
        });
        let mut seen = Played { run, following: Following::default(), connections: 0 };
        blocking::until_some(|| {
            turn += 1;
            seen.connections += 1;
            seen.follow(house, turn);
            seen.following.ended.then_some(())
        });
        played.push(seen);
    }
    played
}

/// Begins a run; without an answer the caller retries with the same key on any node.
fn begin(address: SocketAddr, key: &str) -> Option<String> {
    let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key)];
    let body = json!({ "config": scene(8) }).to_string();
    let answer = call_within(UNTIL_ANOTHER_IS_ASKED, address, "POST", "/v1/scenes", &headers, &body).ok()?;
    match answer.status {
        200 | 202 => Some(answer.json()["runId"].as_str().unwrap().to_owned()),
        503 => None,
        other => panic!("{other}: {}", answer.body),
    }
}

impl Played {
    fn follow(&mut self, house: &House, turn: usize) {
        let opened = Events::open_within(
            UNTIL_ANOTHER_IS_ASKED,
            house.address(turn),
            &self.run,
            self.following.last(),
        );
        // A node that cannot be reached is gone or frozen; the next connection resumes from here.
        for event in opened.into_iter().flatten().map_while(Result::ok) {
            house.seen.fetch_add(1, Ordering::SeqCst);
            self.following.see(event);
        }
    }

    fn count(&self, kind: &str) -> usize {
        self.following.events.iter().filter(|event| event.kind == kind).count()
    }

    /// What was seen is the log, as every node tells it, and nothing in it happened twice.
    fn check(&self, nodes: &[Server]) {
        for node in nodes {
            assert_eq!(node.events(&self.run), self.following.events, "{}", self.run);
        }
        let (mut answered, mut said) = (BTreeSet::new(), BTreeSet::new());
        for event in &self.following.events {
            let body = &serde_json::from_str::<Value>(&event.data).unwrap()["body"];
            match event.kind.as_str() {
                "replied" => {
                    assert!(answered.insert(body["call"].as_u64().unwrap()), "twice: {}", event.data)
                }
                "line_added" if body["by"] == "actor" => {
                    assert!(said.insert(body["reply"].to_string()), "twice: {}", event.data);
                }
                _ => {}
            }
        }
        assert_eq!(self.count("ended"), 1);
        assert!(!said.is_empty());
    }
}
