//! A server on a port of its own, with everything in memory.

use std::sync::Arc;

use async_trait::async_trait;
use axum::{Router, body::Body, http};
use enact_drama::{
    Name, Problem, RunId,
    budget::Budget,
    chorus::{self, Agent, Chorus, ChorusRequest},
    scene::{Scene, SceneConfig, SceneSetup},
    usage::{Price, Usage},
    voice::VoiceChain,
};
use enact_engine::{
    Artifacts, Model, Node, Productions, SpeechRecorder, Stage, Store,
    log::MemoryStore,
    model::{Answer, Failure, LiveText, ModelCard, Request},
    node::{NodeLimits, ResourceProvider},
};
use enact_models::{Human, Improviser};
use enact_server::{
    ChorusRoutes, Limits, SceneRoutes, ServerOptions, ServerProduction, access::Access,
    chorus::PrepareChorus, guarded, scene::PrepareScene, serve::serve,
};
use enact_testkit::{
    PATIENCE, in_time,
    test_chorus::{Agents, Comments, TestChorus, TestVoice},
};
use http_body_util::BodyExt;
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::Semaphore, sync::oneshot, task::JoinHandle};
use tower::ServiceExt;
use uuid::Uuid;

use super::diary::{Diaries, Diary};

/// More than any chorus here says.
pub(crate) const ENOUGH: usize = 1_000;

pub(crate) struct Server {
    pub(crate) base: String,
    pub(crate) node: Node,
    pub(crate) log: Arc<MemoryStore>,
    pub(crate) client: Client,
    pub(crate) test_chorus: Arc<TestChorus>,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start() -> Server {
        Server::with(NodeLimits::default(), ServerOptions::default()).await
    }

    pub(crate) async fn with(limits: NodeLimits, options: ServerOptions) -> Server {
        let log = Arc::new(MemoryStore::default());
        Server::on(log.clone(), log, limits, options).await
    }

    /// One that is used by these callers only.
    pub(crate) async fn guarded(access: Access) -> Server {
        let log = Arc::new(MemoryStore::default());
        Server::behind(access, log.clone(), log, NodeLimits::default(), ServerOptions::default()).await
    }

    /// On a store that is more than the log in it.
    pub(crate) async fn on(
        log: Arc<MemoryStore>,
        store: Arc<dyn Store>,
        limits: NodeLimits,
        options: ServerOptions,
    ) -> Server {
        Server::behind(Access::default(), log, store, limits, options).await
    }

    async fn behind(
        access: Access,
        log: Arc<MemoryStore>,
        store: Arc<dyn Store>,
        limits: NodeLimits,
        options: ServerOptions,
    ) -> Server {
        let theatre = theatre();
        let test_chorus = theatre.test_chorus.clone();
        let node = Node::start(store, theatre.clone(), all_productions(), limits);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let routes = guarded(node.clone(), &served(&theatre), options, access);
        let (stop, stopped) = oneshot::channel::<()>();
        let served = tokio::spawn(async move {
            serve(listener, routes, Limits::default(), async {
                let _ = stopped.await;
            })
            .await;
        });
        let client = enact_http::client_builder().timeout(PATIENCE).build().unwrap();
        Server { base, node, log, client, test_chorus, stop: Some(stop), served }
    }

    /// Stops as a server does that is told to.
    pub(crate) async fn stop(mut self) {
        self.node.stop().await;
        self.stop.take().unwrap().send(()).unwrap();
        in_time(self.served).await.unwrap();
    }

    pub(crate) fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        self.client.request(method, format!("{}{path}", self.base))
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.request("GET", path).send().await.unwrap()
    }

    pub(crate) async fn json(&self, path: &str) -> Value {
        let response = self.get(path).await;
        assert_eq!(response.status(), 200, "{path}");
        response.json().await.unwrap()
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Response {
        self.request("POST", path).json(&body).send().await.unwrap()
    }

    /// Begins to play a scene.
    pub(crate) async fn play(&self, config: Value) -> RunId {
        let response = self.post("/v1/scenes", json!({ "config": config })).await;
        let status = response.status();
        let body: Value = response.json().await.unwrap();
        assert_eq!(status, 202, "{body}");
        run_id(&body)
    }

    /// Plays a scene to its end.
    pub(crate) async fn play_out(&self, config: Value) -> RunId {
        let run = self.play(config).await;
        let events = self.get(&format!("/v1/runs/{run}/events")).await.text().await.unwrap();
        assert!(events.contains("\nevent: end\n"), "{events}");
        run
    }

    /// Lets the model `gated` and the agent `patient` answer so many more times.
    pub(crate) fn let_answer(&self, times: usize) {
        self.test_chorus.gate.add_permits(times);
    }

    /// Sends a message to a chorus of these agents.
    pub(crate) async fn chat(&self, message: &str, slots: &[(u8, &str)]) -> Response {
        self.post("/v1/chat", chat(message, slots)).await
    }

    /// Sends a message to a chorus, and waits for its end.
    pub(crate) async fn chat_out(&self, message: &str, slots: &[(u8, &str)]) -> RunId {
        self.test_chorus.let_speak(ENOUGH);
        let response = self.chat(message, slots).await;
        assert_eq!(response.status(), 200);
        let run = session(&response);
        let events = response.text().await.unwrap();
        assert!(events.contains("\nevent: done\n"), "{events}");
        run
    }

    pub(crate) async fn events_of(&self, run: RunId) -> u64 {
        self.log.find(run).await.unwrap().events
    }
}

/// What a chorus takes.
pub(crate) fn chat(message: &str, slots: &[(u8, &str)]) -> Value {
    let slots: Vec<Value> =
        slots.iter().map(|(slot, agent)| json!({ "slotId": slot, "agentId": agent })).collect();
    json!({ "message": message, "slots": slots })
}

/// The run of a chorus, as its answer says.
pub(crate) fn session(response: &Response) -> RunId {
    let location = response.headers()["location"].to_str().unwrap();
    RunId(Uuid::parse_str(location.strip_prefix("/v1/runs/").unwrap()).unwrap())
}

pub(crate) fn run_id(body: &Value) -> RunId {
    serde_json::from_value(body["runId"].clone()).unwrap()
}

/// A scene that the improviser plays in no time.
pub(crate) fn apology() -> Value {
    json!({
        "name": "the-apology",
        "prompt": "Alice and Bob meet at the office.\n\nScene goal: Bob apologizes and Alice accepts.",
        "characters": ["alice", "bob"],
        "maxBeats": 12,
        "seed": 7,
    })
}

/// A scene whose actors only answer when they are let.
pub(crate) fn gated() -> Value {
    let mut scene = apology();
    scene["models"] = json!({ "alice": "gated", "bob": "gated" });
    scene
}

/// Answers in the order of slots, and says nothing aloud until it is let.
fn test_chorus() -> Arc<TestChorus> {
    let agents = Agents::default().simulated().commenting(Comments::OnNext);
    TestChorus::in_own_folder(agents, TestVoice::default().waiting().refusing("HOARSE"))
}

/// What nodes and servers here know.
fn all_productions() -> Productions {
    Productions::default().with::<Scene>().with::<Chorus>().with::<Diary>()
}

fn served(theatre: &Arc<Theatre>) -> Vec<Arc<dyn ServerProduction>> {
    vec![
        Arc::new(SceneRoutes::new(theatre.clone())),
        Arc::new(ChorusRoutes::new(theatre.clone())),
        Arc::new(Diaries),
    ]
}

fn theatre() -> Arc<Theatre> {
    Arc::new(Theatre { test_chorus: test_chorus() })
}

#[derive(Debug)]
struct Theatre {
    test_chorus: Arc<TestChorus>,
}

#[async_trait]
impl PrepareScene for Theatre {
    async fn cast(
        &self,
        scene: SceneConfig,
        sheets: Vec<(Name, String)>,
        _: Budget,
    ) -> Result<SceneSetup, Problem> {
        let stage = self.stage().sheet("alice", "# Alice").sheet("bob", "# Bob");
        let stage = sheets.into_iter().fold(stage, |stage, (name, text)| stage.sheet(name, text));
        stage.cast(scene).map_err(|error| match error {
            enact_engine::Error::Problem(problem) => *problem,
            error => panic!("{error}"),
        })
    }
}

#[async_trait]
impl ResourceProvider for Theatre {
    async fn models(&self, _: &[enact_drama::production::Player]) -> Result<enact_engine::Models, Problem> {
        let mut models = enact_engine::Models::new();
        models.insert("improviser".to_owned(), Arc::new(Improviser::default()));
        models.insert("gated".to_owned(), Arc::new(Gated(self.test_chorus.gate.clone())));
        models.insert("human".to_owned(), Arc::new(Human));
        models.insert("priced".to_owned(), Arc::new(Metered { price: Some(PRICE) }));
        models.insert("unpriced".to_owned(), Arc::new(Metered { price: None }));
        models.extend(self.test_chorus.all_models());
        Ok(models)
    }

    async fn speech(&self, voices: &VoiceChain) -> Result<SpeechRecorder, Problem> {
        self.test_chorus.speech(voices).await
    }

    fn artifacts(&self) -> Option<Artifacts> {
        self.test_chorus.artifacts()
    }
}

#[async_trait]
impl PrepareChorus for Theatre {
    fn agents(&self) -> Vec<Agent> {
        self.test_chorus.agents()
    }

    async fn assemble(&self, chorus: ChorusRequest) -> Result<chorus::ChorusSetup, Problem> {
        let ChorusRequest { message, seats, threads, .. } = chorus;
        self.test_chorus.assemble(message, seats, threads).await
    }
}

impl Theatre {
    fn stage(&self) -> Stage {
        Stage::new("improviser", Arc::new(Improviser::default()))
            .model("gated", Arc::new(Gated(self.test_chorus.gate.clone())))
            .model("human", Arc::new(Human))
            .model("priced", Arc::new(Metered { price: Some(PRICE) }))
            .model("unpriced", Arc::new(Metered { price: None }))
    }
}

/// The API without a socket and with nothing that is played, on what was played before.
pub(crate) fn showing(log: MemoryStore) -> Router {
    showing_store(Arc::new(log))
}

/// The same on any store.
pub(crate) fn showing_store(store: Arc<dyn Store>) -> Router {
    let (theatre, limits) = (theatre(), NodeLimits { runs: 0, ..NodeLimits::default() });
    let node = Node::start(store, theatre.clone(), all_productions(), limits);
    guarded(node, &served(&theatre), ServerOptions::default(), Access::default())
}

/// The API without a socket, and a run that is not played.
pub(crate) async fn quiet_run() -> (Router, RunId) {
    let router = showing(MemoryStore::default());
    let request = http::Request::post("/v1/scenes")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .body(Body::from(json!({ "config": apology() }).to_string()))
        .unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (router, run_id(&serde_json::from_slice(&body).unwrap()))
}

/// Uses ten tokens for each answer, whose price is known or not.
#[derive(Debug)]
struct Metered {
    price: Option<Price>,
}

const PRICE: Price = Price { uncached: 0, cache_read: 0, cache_write: 0, output: 3_000 };

#[async_trait]
impl Model for Metered {
    fn card(&self) -> ModelCard {
        ModelCard { price: self.price, ..ModelCard::free("a model that counts") }
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        let usage = Usage { output: 10, ..Usage::NONE };
        Ok(Answer { usage: Some(usage), ..Answer::from("[TONE: calm] \"And why is that?\"") })
    }
}

/// Says something half aloud, and answers when it is let.
#[derive(Debug)]
struct Gated(Arc<Semaphore>);

#[async_trait]
impl Model for Gated {
    fn card(&self) -> ModelCard {
        ModelCard::free("a model that waits")
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        self.answer_live(request, LiveText::none()).await
    }

    async fn answer_live(&self, _: Request, live: LiveText) -> Result<Answer, Failure> {
        live.push("[TONE: calm] ");
        self.0.acquire().await.unwrap().forget();
        Ok(Answer::from("[TONE: calm] \"And why is that?\""))
    }
}
