//! What those see who watch over a server.

use enact_server::{
    Limits,
    access::{Access, Scope, Token},
};
use reqwest::RequestBuilder;
use serde_json::Value;

use super::{
    server::{Server, apology, gated},
    stream::Events,
};

const SECRET: &str = "secret-0123456789abcdef";

#[tokio::test]
async fn a_server_says_that_it_is_well() {
    let server = Server::start().await;
    let health = server.json("/v1/health").await;
    let expected = serde_json::json!({
        "status": "ok", "live": true, "ready": true, "store": { "name": "memory", "ok": true },
        "playing": 0, "version": env!("CARGO_PKG_VERSION"),
    });
    assert_eq!(health, expected);
}

#[tokio::test]
async fn the_document_can_be_fetched() {
    let server = Server::start().await;
    let document = server.json("/v1/openapi.json").await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3."));
    assert!(document["paths"]["/v1/scenes"]["post"].is_object());
}

/// The value of one series.
fn value(metrics: &str, series: &str) -> f64 {
    let line =
        metrics.lines().find(|line| line.strip_prefix(series).is_some_and(|rest| rest.starts_with(' ')));
    line.unwrap_or_else(|| panic!("no {series} in\n{metrics}")).rsplit(' ').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn what_happens_is_counted() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    server.get("/nothing/here").await;
    server.get("/v1/runs/7").await;
    let playing = server.play(gated()).await;
    let mut events = Events::of(server.get(&format!("/v1/runs/{playing}/events")).await);
    events.until("asked").await;

    let response = server.get("/metrics").await;
    assert!(response.headers()["content-type"].to_str().unwrap().starts_with("application/openmetrics-text"));
    let metrics = response.text().await.unwrap();
    let count = |labels: &str| value(&metrics, &format!("enact_http_requests_total{{{labels}}}"));
    assert_eq!(count(r#"method="POST",route="/v1/scenes",status="202""#), 2.0);
    assert_eq!(count(r#"method="GET",route="/v1/runs/{id}",status="404""#), 1.0);
    assert_eq!(count(r#"method="GET",route="none",status="404""#), 1.0);
    assert_eq!(value(&metrics, "enact_runs_playing"), 1.0);
    assert_eq!(value(&metrics, "enact_event_readers"), 1.0);
    assert!(value(&metrics, "enact_events_served_total") >= server.events_of(run).await as f64);
    let latency = r#"enact_http_request_duration_seconds_count{method="POST",route="/v1/scenes"}"#;
    assert_eq!(value(&metrics, latency), 2.0);
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(value(&metrics, &format!("enact_build_info{{version=\"{version}\"}}")), 1.0);
}

#[tokio::test]
async fn what_fails_is_counted() {
    let server = Server::start().await;
    let slots = [(1, "ada"), (2, "offline"), (3, "hoarse"), (4, "offline")];
    server.chat_out("Hello?", &slots).await;
    let metrics = server.get("/metrics").await.text().await.unwrap();
    assert_eq!(value(&metrics, r#"enact_model_failures_total{model="offline",kind="connection"}"#), 2.0);
    let voice = metrics.lines().find(|line| line.starts_with("enact_voice_failures_total{")).unwrap();
    assert!(voice.ends_with("} 3"), "in each turn: {voice}");
    assert_eq!(value(&metrics, "enact_artifact_failures_total"), 0.0);

    // A disk that takes nothing.
    let root = server.test_chorus.artifacts.root();
    std::fs::remove_dir_all(root).unwrap();
    std::fs::write(root, "in the way").unwrap();
    server.chat_out("Hello again?", &[(1, "ada")]).await;
    let metrics = server.get("/metrics").await.text().await.unwrap();
    assert!(value(&metrics, "enact_artifact_failures_total") >= 2.0, "a recording and its list");
}

#[tokio::test]
async fn what_is_refused_is_counted_too() {
    let token = |name, secret| Token::new(name, secret, Scope::Read).unwrap();
    let access = Access::default().token(token("eyes", SECRET)).unwrap();
    let limits = Limits { failures_per_minute: 1, ..Limits::default() };
    let server = Server::guarded(access.limits(limits)).await;
    let metrics = server.request("GET", "/metrics").bearer_auth(SECRET);
    for (path, secret, status) in [
        ("/v1/runs", None, 401),
        ("/v1/runs", Some("wrong"), 401),
        ("/v1/runs", Some("wrong again"), 429),
        ("/nothing", None, 401),
    ] {
        let request = server.request("GET", path);
        let request = secret.into_iter().fold(request, RequestBuilder::bearer_auth);
        assert_eq!(request.send().await.unwrap().status(), status);
        if secret.is_none() {
            // A token that was right before still passes after others were wrong.
            assert_eq!(
                server.request("GET", "/v1/runs").bearer_auth(SECRET).send().await.unwrap().status(),
                200
            );
        }
    }
    let metrics = metrics.send().await.unwrap().text().await.unwrap();
    let count = |labels: &str| value(&metrics, &format!("enact_http_requests_total{{{labels}}}"));
    assert_eq!(count(r#"method="GET",route="/v1/runs",status="401""#), 2.0);
    assert_eq!(count(r#"method="GET",route="/v1/runs",status="429""#), 1.0);
    assert_eq!(count(r#"method="GET",route="/v1/runs",status="200""#), 2.0);
    assert_eq!(count(r#"method="GET",route="none",status="401""#), 1.0);
}

#[tokio::test]
async fn only_those_who_may_know_are_told_more() {
    // The router alone, without a door that says who calls.
    use enact_engine::{Node, log::MemoryStore, node::NodeLimits};
    use tower::ServiceExt;
    #[derive(Debug)]
    struct Nothing;
    #[async_trait::async_trait]
    impl enact_engine::ResourceProvider for Nothing {
        async fn models(
            &self,
            _: &[enact_drama::production::Player],
        ) -> Result<enact_engine::Models, enact_drama::Problem> {
            Ok(enact_engine::Models::new())
        }
    }
    let node = Node::start(
        std::sync::Arc::new(MemoryStore::default()),
        std::sync::Arc::new(Nothing),
        enact_engine::Productions::default(),
        NodeLimits::default(),
    );
    let router = enact_server::router(node, &[], enact_server::ServerOptions::default());
    let request = axum::http::Request::get("/v1/health").body(axum::body::Body::empty()).unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    let body = axum::body::to_bytes(response.into_body(), 10_000).await.unwrap();
    let health: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(health, serde_json::json!({ "status": "ok", "live": true, "ready": true }));
}
