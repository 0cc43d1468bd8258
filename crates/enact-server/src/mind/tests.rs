//! Minds of a server in this process, whose model answers when it is let.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request as HttpRequest, header},
};
use enact_drama::{
    Problem, RunId,
    budget::Budget,
    call::{Answer, Failure},
    mind::{Mind, MindObservation},
    model_card::ModelCard,
    production::Player,
    report::Cards,
    request::Request,
};
use enact_engine::{
    Model, Models, Node, Productions,
    node::{NodeLimits, ResourceProvider},
};
use enact_testkit::{FaultyStore, in_time, until};
use serde_json::{Value, json};
use tokio::{sync::Semaphore, time::Instant};
use tower::ServiceExt;
use uuid::Uuid;

use super::{
    MIND_NOT_FOUND, MindRoutes, PrepareMind,
    mcp::project::ProjectTools,
    mind_queue::IDLE,
    minds::{DecidedCall, MindKey, Minds, NewMind},
};
use crate::{
    ApiState, ServerOptions, ServerProduction,
    access::{Access, Scope, Token},
    error::ApiError,
    guarded,
};

/// How many calls of a game are made twice at once.
const REPEATS: usize = 500;

/// A model that wanders, once it is let.
#[derive(Debug)]
struct HeldModel {
    asked: Semaphore,
    answers: Semaphore,
}

#[async_trait]
impl Model for HeldModel {
    fn card(&self) -> ModelCard {
        ModelCard::free("a model of a test")
    }

    async fn answer(&self, _: Request) -> Result<Answer, Failure> {
        self.asked.add_permits(1);
        self.answers.acquire().await.expect("it is not closed").forget();
        Ok(Answer::from(r#"{"action":"wander"}"#))
    }
}

/// Who decides: rules or the model.
#[derive(Debug, Clone)]
struct TestProject(Option<Arc<HeldModel>>);

#[async_trait]
impl ResourceProvider for TestProject {
    async fn models(&self, _: &[Player]) -> Result<Models, Problem> {
        let model = self.0.clone().map(|model| ("m".to_owned(), model as Arc<dyn Model>));
        Ok(model.into_iter().collect())
    }
}

#[async_trait]
impl PrepareMind for TestProject {
    async fn model(&self, _: Option<&str>) -> Result<(Option<String>, Cards), Problem> {
        let card = |model: &Arc<HeldModel>| ("m".to_owned(), model.card());
        Ok((self.0.as_ref().map(|_| "m".to_owned()), self.0.iter().map(card).collect()))
    }

    fn budget(&self) -> Budget {
        Budget::default()
    }
}

struct TestServer {
    store: Arc<FaultyStore>,
    node: Node,
    api: ApiState,
    minds: Minds,
    model: Arc<HeldModel>,
}

impl TestServer {
    fn with(has_model: bool) -> TestServer {
        let store = Arc::new(FaultyStore::default());
        let model = Arc::new(HeldModel { asked: Semaphore::new(0), answers: Semaphore::new(0) });
        let project = TestProject(has_model.then(|| model.clone()));
        let productions = Productions::default().with::<Mind>();
        let limits = NodeLimits::default();
        let node = Node::start(store.clone(), Arc::new(project.clone()), productions, limits);
        let api = ApiState::new(node.clone(), ServerOptions::default());
        let minds = Minds::new(&api, Arc::new(project));
        TestServer { store, node, api, minds, model }
    }

    async fn create(&self) -> RunId {
        let new = NewMind { entity_id: "npc_1".to_owned(), ..NewMind::default() };
        self.minds.create(&key(), new).await.unwrap()
    }

    async fn decide(&self, request: &str) -> Result<DecidedCall, ApiError> {
        in_time(self.minds.decide(&key(), Some(request.to_owned()), None, idle("npc_1", &[]))).await
    }

    async fn action(&self, request: &str) -> String {
        action(self.decide(request).await)
    }

    /// A command to the run itself, as anybody may post one who may steer it.
    async fn post(&self, run: RunId, command: Value) {
        let before = self.node.store().find(run).await.unwrap().events;
        self.node.command(run, &command.to_string()).await.unwrap();
        until(async || self.node.store().find(run).await.unwrap().events > before).await;
    }
}

fn key() -> MindKey {
    MindKey::new("", "ada").unwrap()
}

fn idle(entity: &str, events: &[Value]) -> MindObservation {
    let status = json!({ "position": [0, 0], "activity_state": { "state_name": "idle" } });
    MindObservation::read(&json!({ "entity_id": entity, "status": status }), events)
}

/// What a call was answered with; nothing decided is `continue`.
fn action(decided: Result<DecidedCall, ApiError>) -> String {
    let decision = decided.unwrap().decision;
    decision.map_or("continue".to_owned(), |decision| decision.action.action)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_sent_twice_at_once_has_one_answer_and_holds_up_nothing() {
    let server = Arc::new(TestServer::with(false));
    server.create().await;
    for number in 0..REPEATS {
        let request = format!("r-{number}");
        let ask = || {
            let (server, request) = (server.clone(), request.clone());
            tokio::spawn(async move { server.action(&request).await })
        };
        let (one, other) = tokio::join!(ask(), ask());
        assert_eq!(one.unwrap(), other.unwrap(), "{request}");
        // Another one is answered as if nothing had been.
        server.decide(&format!("other-{number}")).await.unwrap();
    }
    in_time(server.create()).await;
}

#[tokio::test]
async fn a_call_that_is_sent_again_while_a_model_thinks_has_the_same_answer() {
    let server = TestServer::with(true);
    server.create().await;
    let again = async {
        server.model.asked.acquire().await.unwrap().forget();
        let again = server.action("r");
        let later = async {
            // Once both wait for the same.
            tokio::task::yield_now().await;
            server.model.answers.add_permits(1);
        };
        tokio::join!(again, later).0
    };
    let (first, again) = tokio::join!(server.action("r"), again);
    assert_eq!((first.as_str(), again.as_str()), ("wander", "wander"));
    assert_eq!(server.action("r").await, "wander", "and so has one that is sent afterwards");
    server.model.answers.add_permits(1);
    assert_eq!(server.action("other").await, "wander");
}

#[tokio::test]
async fn a_call_that_was_passed_by_a_newer_one_stays_passed() {
    let server = TestServer::with(true);
    let run = server.create().await;
    let newer = async {
        server.model.asked.acquire().await.unwrap().forget();
        let before = server.node.store().find(run).await.unwrap().events;
        let let_go = async {
            until(async || server.node.store().find(run).await.unwrap().events > before).await;
            server.model.answers.add_permits(1);
        };
        tokio::join!(server.action("newer"), let_go).0
    };
    let (older, newer) = tokio::join!(server.action("older"), newer);
    assert_eq!((older.as_str(), newer.as_str()), ("continue", "wander"));
    assert_eq!(server.action("older").await, "continue");
}

#[tokio::test(start_paused = true)]
async fn a_mind_that_is_not_called_leaves_memory_and_comes_back() {
    let server = TestServer::with(false);
    let run = server.create().await;
    server.decide("r").await.unwrap();
    assert_eq!(server.minds.in_memory(), 1);
    tokio::time::sleep(IDLE + Duration::from_secs(1)).await;
    assert_eq!(server.minds.in_memory(), 0);
    assert_eq!(server.minds.get(&key()).await.unwrap().mind().setup().run, run);
}

#[tokio::test(start_paused = true)]
async fn a_mind_is_forgotten_while_its_model_thinks() {
    let server = TestServer::with(true);
    let run = server.create().await;
    let forget = async {
        server.model.asked.acquire().await.unwrap().forget();
        let began = Instant::now();
        assert!(server.minds.forget(&key()).await.unwrap());
        began.elapsed()
    };
    let (decided, took) = tokio::join!(server.decide("r"), forget);
    assert!(decided.is_err(), "{decided:?}");
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert!(server.store.deletes() <= 5, "{} deletes", server.store.deletes());
    assert!(server.node.store().find(run).await.is_err());
    assert!(!server.minds.forget(&key()).await.unwrap());
}

#[tokio::test]
async fn what_is_posted_to_the_run_itself_is_known_to_the_next_call() {
    let server = TestServer::with(false);
    let run = server.create().await;
    server.decide("r").await.unwrap();
    server.post(run, json!({ "command": "release" })).await;
    assert_eq!(server.decide("released").await.unwrap_err().code, MIND_NOT_FOUND);
    server.post(run, json!({ "command": "link", "entity_id": "npc_2" })).await;
    server.minds.decide(&key(), None, None, idle("npc_2", &[])).await.unwrap();
    assert!(server.decide("misrouted").await.is_err(), "it drives another body now");
}

#[tokio::test]
async fn a_mind_whose_run_was_deleted_is_gone_at_once() {
    let server = TestServer::with(false);
    let run = server.create().await;
    server.decide("r").await.unwrap();
    until(async || server.node.delete(run).await.is_ok()).await;
    assert!(server.minds.find(&key()).await.unwrap().is_none());
    // And one of the same name can be made.
    assert_ne!(server.create().await, run);
    server.decide("r").await.unwrap();
}

#[tokio::test]
async fn while_a_model_thinks_a_mind_is_read_from_memory() {
    let server = TestServer::with(true);
    server.create().await;
    let read = async {
        server.model.asked.acquire().await.unwrap().forget();
        let before = server.store.reads();
        server.minds.get(&key()).await.unwrap();
        assert_eq!(server.store.reads(), before);
        server.model.answers.add_permits(1);
    };
    tokio::join!(server.action("r"), read);
}

#[tokio::test]
async fn what_was_consolidated_is_counted_by_the_log() {
    let server = TestServer::with(false);
    let run = server.create().await;
    server.decide("r").await.unwrap();
    let finished = json!({ "event_type": "INTERACTION_FINISHED", "payload": { "interaction_name": "sit" } });
    let told = json!([{ "request": "elsewhere", "observation": idle("npc_1", &[finished]) }]);
    server.post(run, json!({ "command": "decide", "told": told })).await;
    assert_eq!(server.minds.consolidate(&key()).await.unwrap(), 1);
    assert_eq!(server.minds.consolidate(&key()).await.unwrap(), 0);
}

#[tokio::test]
async fn only_a_run_that_has_ended_is_said_to_have() {
    let server = TestServer::with(false);
    let tools = ProjectTools::new(server.api.clone());
    let run = server.create().await;
    assert!(!tools.ended(RunId(Uuid::from_u128(9))).await, "there is no such run");
    server.post(run, json!({ "command": "cancel" })).await;
    assert!(in_time(tools.ended(run)).await);
    let run = server.create().await;
    let stop = async {
        tokio::task::yield_now().await;
        server.node.stop().await;
    };
    let (ended, ()) = tokio::join!(in_time(tools.ended(run)), stop);
    assert!(!ended, "the server has stopped, and the run goes on elsewhere");
}

const ANN: &str = "ann-0123456789abcdef";
const BEN: &str = "ben-0123456789abcdef";
const ROOT: &str = "root-0123456789abcdef";

async fn asked(router: &Router, token: &str, path: &str, body: Option<Value>) -> Value {
    let request = HttpRequest::builder()
        .method(if body.is_some() { "POST" } else { "GET" })
        .uri(path)
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::AUTHORIZATION, format!("Bearer {token}"));
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    let response = router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
    assert!(response.status().is_success(), "{path}: {}", response.status());
    serde_json::from_slice(&to_bytes(response.into_body(), 1 << 20).await.unwrap()).unwrap()
}

#[tokio::test]
async fn the_recent_log_shows_everybody_their_own_minds() {
    let server = TestServer::with(false);
    let tokens = [("ann", ANN, Scope::Run), ("ben", BEN, Scope::Run), ("root", ROOT, Scope::Admin)];
    let access = tokens.into_iter().try_fold(Access::default(), |access, (name, secret, scope)| {
        access.token(Token::new(name, secret, scope)?)
    });
    let routes: Arc<dyn ServerProduction> =
        Arc::new(MindRoutes::new(Arc::new(TestProject(None))).with_legacy(true));
    let router = guarded(server.node.clone(), &[routes], ServerOptions::default(), access.unwrap());
    for (token, mind) in [(ANN, "mind_of_ann"), (BEN, "mind_of_ben")] {
        let new = json!({ "mind_id": mind, "entity_id": mind });
        asked(&router, token, "/v1/minds", Some(new)).await;
        let told = json!({ "observation": { "status": {} } });
        asked(&router, token, &format!("/v1/minds/{mind}/decide"), Some(told)).await;
    }
    let lines = async |token: &str| {
        let logs = asked(&router, token, "/logs", None).await["logs"].clone();
        let lines: Vec<String> = logs.as_array().unwrap().iter().map(Value::to_string).collect();
        lines
    };
    for (token, own) in [(ANN, "mind_of_ann"), (BEN, "mind_of_ben")] {
        let seen = lines(token).await;
        assert_eq!(seen.len(), 2, "{seen:?}");
        assert!(seen.iter().all(|line| line.contains(own)), "{seen:?}");
    }
    assert_eq!(lines(ROOT).await.len(), 4);
}
