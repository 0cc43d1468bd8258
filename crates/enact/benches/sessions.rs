//! Episodes: what the server adds to a message, with a thousand sessions at once, and what the rules cost.
//!
//! Bars: a chunk within 2 ms of the model's first character that is shown; less than 5 ms at the 99th
//! percentile for the rules after an answer; less than 20 ms at the 99th percentile of what the server adds
//! to a message, at 1,000 sessions on two cores. The users sit in the same process, which is the harder case.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::{
    collections::{BTreeMap, HashMap},
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use async_trait::async_trait;
use enact_drama::{
    Fact, Name, Problem, Production, Seq,
    dice::Dice,
    episode::{
        Episode, EpisodeCharacter, EpisodeCommand, EpisodeEvent, EpisodeSetup, EpisodeView, read_episode,
    },
    production::{Effect, Happened, Input},
};
use enact_engine::{
    Model, Models, Node, Productions,
    model::{Answer, Failure, LiveText, ModelCard, Request},
    node::{self, ResourceProvider, new_run},
};
use enact_models::improvise_episode;
use enact_server::{
    EpisodeRoutes, Limits, access::Access, episode::PrepareEpisode, productions::ServerProduction, routes,
    serve,
};
use enact_store::SqliteStore;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const EPISODE: &str = include_str!("../../../examples/episodes/episodes/flirt-test.md");
const SHEET: &str = include_str!("../../../examples/episodes/.claude/agents/mina.md");
const MESSAGES: u32 = 4;
/// How long the model thinks before its first word, and between two pieces.
const THINKING: Duration = Duration::from_millis(800);
const PIECE: Duration = Duration::from_millis(10);
/// How long a user reads and types, at most.
const READING_MS: usize = 16_000;

fn main() {
    let quick = std::env::args().any(|arg| arg == "--test");
    rules(if quick { 5 } else { 400 });
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(over_http(if quick { 5 } else { 1_000 }, if quick { 50 } else { READING_MS }));
}

/// What the rules take for what follows from an answer: reading it, the director, the facts.
fn rules(sessions: u64) {
    let mut took = Vec::new();
    for seed in 0..sessions {
        let first = EpisodeEvent::EpisodeBegan { setup: Arc::new(setup(seed)) };
        let first = Fact { seq: Seq(0), at: 0, event: first };
        let mut episode = Episode::begin(&first).expect("an episode");
        let mut next = 1;
        let mut apply = |episode: &mut Episode, events: Vec<EpisodeEvent>| {
            for event in events {
                episode.apply(&Fact { seq: Seq(next), at: 0, event });
                next += 1;
            }
        };
        for turn in 0_u32.. {
            if episode.ended().is_some() {
                break;
            }
            let text = Some("haha, is that a dare? I was going to say the same about you...".to_owned());
            let command = EpisodeCommand::Message { id: turn.to_string(), text, choice_id: None };
            let events = episode.decide(&Input { at: 0, what: Happened::Commanded(command) });
            apply(&mut episode, events);
            let call = episode.pending().into_iter().find_map(|effect| match effect {
                Effect::Ask(ask) => Some(ask.call),
                _ => None,
            });
            let (text, _) = improvise_episode(&EpisodeView::of(&episode));
            let what =
                Happened::Answered { call: call.expect("an ask"), answer: Answer::from(text.as_str()) };
            let started = Instant::now();
            let events = episode.decide(&Input { at: 0, what });
            took.push(started.elapsed());
            apply(&mut episode, events);
        }
    }
    println!("rules after an answer, {} answers", took.len());
    println!("  {}", spread(took));
}

async fn over_http(sessions: usize, reading_ms: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(SqliteStore::open(folder.path()).await.expect("a store"));
    let model = Arc::new(TimedModel::default());
    let project = Arc::new(OneModel(Models::from([("timed".to_owned(), model.clone() as _)])));
    let limits = node::NodeLimits { runs: sessions * 2, ..Default::default() };
    let node = Node::start(store, project, Productions::default().with::<Episode>(), limits);
    let address = open_doors(node.clone()).await;
    let mut users = Vec::new();
    for user in 0..sessions {
        let begun = begin(address).await;
        users.push(tokio::spawn(user_talks(address, begun, user, reading_ms)));
    }
    let mut said = Vec::new();
    for user in users {
        said.extend(user.await.expect("a user"));
    }
    node.stop().await;
    let calls = model.calls.lock().unwrap_or_else(PoisonError::into_inner);
    let (mut added, mut first_chunks, mut before, mut after) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for message in &said {
        let call = calls[&message.text];
        before.push(call.asked - message.sent);
        after.push(message.done - call.answered);
        added.push((call.asked - message.sent) + (message.done - call.answered));
        first_chunks.push(message.first_chunk.expect("a chunk").saturating_duration_since(call.first_shown));
    }
    println!("{sessions} sessions at once, {} messages, SQLite", said.len());
    println!("  added by the server to a message: {}", spread(added));
    println!("    until the model is asked: {}", spread(before));
    println!("    after it has answered:    {}", spread(after));
    println!("  first chunk after the first character that is shown: {}", spread(first_chunks));
}

/// A message of a user, and when what came of it arrived.
struct SaidMessage {
    text: String,
    sent: Instant,
    first_chunk: Option<Instant>,
    done: Instant,
}

async fn user_talks(
    address: SocketAddr,
    session: String,
    user: usize,
    reading_ms: usize,
) -> Vec<SaidMessage> {
    let mut said = Vec::new();
    for turn in 0..MESSAGES {
        let reading = Dice::new(user as u64, "reads", turn).below(reading_ms);
        tokio::time::sleep(Duration::from_millis(reading as u64)).await;
        let text = format!("haha, this is message {turn} of user {user}");
        let body = serde_json::json!({ "text": text }).to_string();
        let mut stream = connect(address).await;
        let sent = Instant::now();
        post(&mut stream, address, &format!("/v1/sessions/{session}/messages"), &body).await;
        let (mut heard, mut buffer, mut first_chunk) = (Vec::new(), vec![0; 8 * 1024], None);
        let done = loop {
            let length = stream.read(&mut buffer).await.expect("an answer");
            let now = Instant::now();
            heard.extend_from_slice(&buffer[..length]);
            let holds = |text: &[u8]| heard.windows(text.len()).any(|part| part == text);
            if first_chunk.is_none() && holds(b"event: chunk") {
                first_chunk = Some(now);
            }
            if holds(b"event: done") {
                break now;
            }
            assert!(length > 0, "{}", String::from_utf8_lossy(&heard));
        };
        said.push(SaidMessage { text, sent, first_chunk, done });
    }
    said
}

async fn begin(address: SocketAddr) -> String {
    let mut stream = connect(address).await;
    post(&mut stream, address, "/v1/sessions", r#"{"episode": "flirt-test"}"#).await;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let body = answer.split_once("\r\n\r\n").expect("a body").1;
    let body: serde_json::Value = serde_json::from_str(body).expect("JSON");
    body["sessionId"].as_str().expect("an id").to_owned()
}

async fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).await.expect("a connection");
    stream.set_nodelay(true).expect("a socket");
    stream
}

async fn post(stream: &mut TcpStream, address: SocketAddr, path: &str, body: &str) {
    let length = body.len();
    let request = format!(
        "POST {path} HTTP/1.0\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.expect("it listens");
}

async fn open_doors(node: Node) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a free port");
    let address = listener.local_addr().expect("its address");
    let limits = Limits { rate_per_second: 100_000, rate_burst: 100_000, ..Limits::default() };
    let access = Access::default().limits(limits.clone());
    let episodes: Arc<dyn ServerProduction> = Arc::new(EpisodeRoutes::new(Arc::new(OneEpisode)));
    let router = routes::guarded(node, &[episodes], routes::ServerOptions::default(), access);
    tokio::spawn(serve::serve(listener, router, limits, std::future::pending()));
    address
}

fn setup(seed: u64) -> EpisodeSetup {
    let (name, display) = (Name::new("mina").expect("a name"), "Mina".to_owned());
    let character = EpisodeCharacter { name, display, sheet: SHEET.to_owned() };
    let template = read_episode(EPISODE, "flirt-test").expect("the flirt test");
    let models = ("timed", BTreeMap::from([("timed".to_owned(), ModelCard::free("timed"))]));
    let run = new_run();
    EpisodeSetup { seed, ..EpisodeSetup::new(run, template, character, models, run.to_string()) }
}

#[derive(Debug)]
struct OneEpisode;

#[async_trait]
impl PrepareEpisode for OneEpisode {
    async fn episodes(&self) -> Vec<serde_json::Value> {
        Vec::new()
    }

    async fn entry_episode(&self, _: &[String]) -> Option<String> {
        None
    }

    async fn begin(&self, _: &str) -> Result<EpisodeSetup, Problem> {
        Ok(setup(1))
    }
}

#[derive(Debug)]
struct OneModel(Models);

#[async_trait]
impl ResourceProvider for OneModel {
    async fn models(&self, _: &[enact_drama::production::Player]) -> Result<Models, Problem> {
        Ok(self.0.clone())
    }
}

/// When a message reached the model, and what became of it there.
#[derive(Debug, Clone, Copy)]
struct TimedCall {
    asked: Instant,
    first_shown: Instant,
    answered: Instant,
}

/// Thinks, and then speaks in pieces.
#[derive(Debug, Default)]
struct TimedModel {
    calls: Mutex<HashMap<String, TimedCall>>,
}

const PIECES: [&str; 6] = [
    r#"{"action": ""#,
    "She looks up",
    r#"", "dialogue": "Depends"#,
    " who is asking.",
    r#"", "mood": "amused", "tension_shift": 0.1"#,
    r#", "internal": "Hm."}"#,
];

#[async_trait]
impl Model for TimedModel {
    fn card(&self) -> ModelCard {
        ModelCard::free("timed")
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        self.answer_live(request, LiveText::none()).await
    }

    async fn answer_live(&self, request: Request, live: LiveText) -> Result<Answer, Failure> {
        let asked = Instant::now();
        let text = request.view::<EpisodeView>().map(|view| view.message.clone()).unwrap_or_default();
        tokio::time::sleep(THINKING).await;
        let mut first_shown = None;
        for (at, piece) in PIECES.iter().enumerate() {
            if at == 1 {
                first_shown = Some(Instant::now());
            }
            live.push(piece);
            tokio::time::sleep(PIECE).await;
        }
        let answered = Instant::now();
        let call = TimedCall { asked, first_shown: first_shown.unwrap_or(answered), answered };
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).insert(text, call);
        Ok(Answer::from(PIECES.concat().as_str()))
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
