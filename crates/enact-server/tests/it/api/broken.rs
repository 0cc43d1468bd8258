//! What cannot be reached, and what cannot be read.

use std::{sync::Arc, time::Duration};

use enact_drama::{Record, RunId, Seq};
use enact_engine::{
    Log, Store,
    log::{Batch, NewRun},
    node::NodeLimits,
};
use enact_server::ServerOptions;
use enact_testkit::{FaultyStore, log_lines, run_in_own_process};
use serde_json::{Value, json, value::RawValue};
use uuid::Uuid;

use super::{
    server::{Server, apology, gated},
    stream::{Events, events},
};

#[tokio::test]
async fn a_lost_store_is_said_to_be_lost_until_it_is_back() {
    let store = Arc::new(FaultyStore::default());
    let server =
        Server::on(store.inner.clone(), store.clone(), NodeLimits::default(), ServerOptions::default()).await;
    let run = server.play_out(apology()).await;
    store.fail();
    for (method, path) in [
        ("GET", "/v1/runs".to_owned()),
        ("GET", format!("/v1/runs/{run}")),
        ("GET", format!("/v1/runs/{run}/events")),
        ("GET", format!("/v1/runs/{run}/log")),
        ("GET", format!("/v1/runs/{run}/transcript")),
        ("GET", "/v1/costs".to_owned()),
        ("POST", format!("/v1/runs/{run}/cancel")),
        ("DELETE", format!("/v1/runs/{run}")),
    ] {
        let response = server.request(method, &path).send().await.unwrap();
        assert_eq!(response.status(), 503, "{path}");
        assert_eq!(response.headers()["retry-after"], "1");
        let body: Value = response.json().await.unwrap();
        assert_eq!(body["error"]["code"], "STORE_UNAVAILABLE", "{path}");
        assert!(!body.to_string().contains("secret"), "{body}");
    }
    let health = server.get("/v1/health").await;
    assert_eq!(health.status(), 503);
    let health: Value = health.json().await.unwrap();
    assert_eq!(
        (&health["live"], &health["ready"], &health["store"]["ok"]),
        (&json!(true), &json!(false), &json!(false))
    );

    store.recover();
    assert_eq!(server.get("/v1/health").await.status(), 200);
    assert_eq!(server.get(&format!("/v1/runs/{run}")).await.status(), 200);
}

#[tokio::test]
async fn requests_to_a_lost_store_are_logged_once_a_minute() {
    if run_in_own_process("api::broken::requests_to_a_lost_store_are_logged_once_a_minute") {
        return;
    }
    let lines = log_lines(tracing::Level::INFO);
    let store = Arc::new(FaultyStore::default());
    let server =
        Server::on(store.inner.clone(), store.clone(), NodeLimits::default(), ServerOptions::default()).await;
    store.fail();
    for _ in 0..50 {
        assert_eq!(server.get("/v1/runs").await.status(), 503);
        assert_eq!(server.get("/v1/health").await.status(), 503);
    }
    let errors = lines.with("ERROR");
    assert!(matches!(&errors[..], [line] if line.contains("is unreachable")), "{errors:#?}");
}

#[tokio::test]
async fn a_reader_whose_run_is_deleted_is_sent_away() {
    let server =
        Server::with(NodeLimits { runs: 0, ..NodeLimits::default() }, ServerOptions::default()).await;
    let run = server.play(gated()).await;
    let path = format!("/v1/runs/{run}");
    let mut stream = Events::of(server.get(&format!("{path}/events")).await);
    stream.until("began").await;
    // It waits, so no node plays it.
    assert_eq!(server.request("DELETE", &path).send().await.unwrap().status(), 204);
    assert_eq!(stream.until("closing").await.data, json!({ "from": 1 }));
    assert_eq!(stream.next().await, None);
    assert_eq!(server.get(&format!("{path}/events")).await.status(), 404);
}

#[tokio::test]
async fn why_a_run_is_stuck_is_told_without_the_operator_s_paths() {
    let server =
        Server::with(NodeLimits { runs: 0, ..NodeLimits::default() }, ServerOptions::default()).await;
    let run = server.play(apology()).await;
    let [claim] = server.log.claim_waiting(1).await.unwrap()[..] else { panic!("one waits") };
    let problem = "/home/operator/enact.toml:3:1: the key is missing (see http://10.0.0.5:8080/keys)";
    server.log.requeue(claim, problem, Duration::from_secs(600)).await.unwrap();
    let told = "enact.toml:3:1: the key is missing (see its address)";
    assert_eq!(server.json(&format!("/v1/runs/{run}")).await["problem"], told);
    assert_eq!(server.json("/v1/runs").await["runs"][0]["problem"], told);
}

/// A run that a newer version of enact has played: it holds a fact that this one does not know.
async fn from_the_future(server: &Server) -> RunId {
    let run = RunId(Uuid::now_v7());
    let about = NewRun {
        run,
        production: "scene",
        name: "opera".to_owned(),
        at: 0,
        parent: None,
        account: String::new(),
    };
    let claim = server.log.create(about).await.unwrap();
    let body = RawValue::from_string(r#"{"aria":true}"#.to_owned()).unwrap();
    let sung = Record { seq: Seq(0), at: 0, kind: "sung".to_owned(), v: 1, body };
    server.log.append(&claim, Batch::of([sung]).ended("applause")).await.unwrap();
    server.log.release(claim).await.unwrap();
    run
}

#[tokio::test]
async fn what_a_newer_version_has_played_can_be_kept_and_followed() {
    let server = Server::start().await;
    let run = from_the_future(&server).await;
    let path = format!("/v1/runs/{run}");
    let details = server.json(&path).await;
    assert_eq!((&details["status"], &details["metadata"]), (&json!("finished"), &Value::Null));
    let followed = events(&server.get(&format!("{path}/events")).await.text().await.unwrap());
    assert_eq!(followed.iter().map(|event| event.name.as_str()).collect::<Vec<_>>(), ["sung", "end"]);
    assert_eq!(server.get(&format!("{path}/log")).await.text().await.unwrap().lines().count(), 1);
    for what in ["transcript", "costs"] {
        let response = server.get(&format!("{path}/{what}")).await;
        assert_eq!(response.status(), 409);
        let body: Value = response.json().await.unwrap();
        assert_eq!(body["error"]["code"], "RUN_UNREADABLE", "{body}");
        let message =
            "a log that begins with 'sung' is not known to this enact, which plays: scene, chorus, diary";
        assert_eq!(body["error"]["message"], message);
    }
    for (what, body) in [
        ("cancel", Value::Null),
        ("commands", json!({ "command": "cancel" })),
        ("fork", json!({ "beat": 0 })),
    ] {
        let response = server.post(&format!("{path}/{what}"), body).await;
        assert_eq!(response.status(), 409, "{what}");
        assert_eq!(response.json::<Value>().await.unwrap()["error"]["code"], "RUN_UNREADABLE", "{what}");
    }
    // Twice: looked at, and then kept as unreadable.
    for _ in 0..2 {
        let costs = server.json("/v1/costs").await;
        assert_eq!(
            (&costs["runs"], &costs["unreadable"], &costs["complete"]),
            (&json!(1), &json!(1), &json!(true))
        );
    }
}
