//! What a message to a session costs the store.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use axum::{Router, body::Body, http::Request};
use enact_drama::{
    Name, Problem, RunId, Seq,
    episode::{Episode, EpisodeCharacter, EpisodeSetup, read_episode},
    production::Player,
};
use enact_engine::{
    Log, Model, Models, Node, Productions,
    log::Status,
    node::{NodeLimits, ResourceProvider, new_run},
};
use enact_models::Improviser;
use enact_server::{
    EpisodeRoutes, ServerOptions, ServerProduction, access::Access, episode::PrepareEpisode, guarded,
};
use enact_testkit::{FaultyStore, until};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;
use uuid::Uuid;

#[derive(Debug)]
struct Evening;

#[async_trait]
impl PrepareEpisode for Evening {
    async fn episodes(&self) -> Vec<Value> {
        Vec::new()
    }

    async fn entry_episode(&self, _: &[String]) -> Option<String> {
        None
    }

    async fn begin(&self, _: &str) -> Result<EpisodeSetup, Problem> {
        let template = read_episode("---\ncharacter: mina\n---\nA bar at night.\n", "evening")?;
        let (name, display) = (Name::new("mina").unwrap(), "Mina".to_owned());
        let character = EpisodeCharacter { name, display, sheet: "# Mina".to_owned() };
        let models = BTreeMap::from([("improviser".to_owned(), Improviser::default().card())]);
        Ok(EpisodeSetup::new(new_run(), template, character, ("improviser", models), "shared".to_owned()))
    }
}

#[async_trait]
impl ResourceProvider for Evening {
    async fn models(&self, _: &[Player]) -> Result<Models, Problem> {
        Ok(Models::from([("improviser".to_owned(), Arc::new(Improviser::default()) as _)]))
    }
}

async fn post(router: &Router, path: &str, body: Value) -> String {
    let request = Request::post(path).header("host", "localhost").header("content-type", "application/json");
    let request = request.body(Body::from(body.to_string())).unwrap();
    let answer = router.clone().oneshot(request).await.unwrap().into_body().collect().await.unwrap();
    String::from_utf8(answer.to_bytes().to_vec()).unwrap()
}

#[tokio::test]
async fn a_message_reads_its_log_once() {
    let store = Arc::new(FaultyStore::default());
    let productions = Productions::default().with::<Episode>();
    let node = Node::start(store.clone(), Arc::new(Evening), productions, NodeLimits::default());
    let episodes: Arc<dyn ServerProduction> = Arc::new(EpisodeRoutes::new(Arc::new(Evening)));
    let router = guarded(node, &[episodes], ServerOptions::default(), Access::default());
    let begun: Value =
        serde_json::from_str(&post(&router, "/v1/sessions", json!({"episode": "evening"})).await).unwrap();
    let session = begun["sessionId"].as_str().unwrap();
    let run = RunId(Uuid::parse_str(session).unwrap());
    let messages = format!("/v1/sessions/{session}/messages");
    for said in ["Quiet night.", "Do you work here?", "I like it."] {
        let told = post(&router, &messages, json!({"text": said})).await;
        assert!(told.contains("event: done"), "{told}");
    }
    until(async || store.inner.runs().await.unwrap()[0].status == Status::Resting).await;
    let log = store.inner.read(run, Seq(0)).await.unwrap().len();
    let before = store.records_read();
    let told = post(&router, &messages, json!({"text": "And you?"})).await;
    assert!(told.contains("\"turn_count\":4"), "{told}");
    assert_eq!(store.records_read() - before, log, "once, by the request; playing it goes on from there");
}
