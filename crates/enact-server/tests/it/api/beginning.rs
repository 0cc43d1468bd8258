//! Runs that begin.

use enact_engine::node::NodeLimits;
use enact_server::ServerOptions;
use serde_json::{Value, json};

use super::server::{Server, apology, gated, run_id};

#[tokio::test]
async fn a_scene_is_played_from_beginning_to_end() {
    let server = Server::start().await;
    let response = server.post("/v1/scenes", json!({ "config": apology() })).await;
    assert_eq!(response.status(), 202);
    let location = response.headers()["location"].to_str().unwrap().to_owned();
    assert!(!response.headers().contains_key("idempotent-replayed"));
    let run = run_id(&response.json().await.unwrap());
    assert_eq!(location, format!("/v1/runs/{run}"));

    let events = server.get(&format!("{location}/events")).await.text().await.unwrap();
    assert!(events.contains("\nevent: end\n"));
    let details = server.json(&location).await;
    assert_eq!(details["status"], "finished");
    assert_eq!(details["name"], "the-apology");
    assert_eq!(details["production"], "scene");
    assert_eq!(details["reason"], details["metadata"]["reason"]);
    assert_eq!(details["metadata"]["runId"], details["runId"]);
    assert_eq!(details["metadata"]["seed"], 7);
    assert_eq!(
        details["metadata"]["startedAt"].as_str().unwrap().len(),
        details["startedAt"].as_str().unwrap().len()
    );
}

#[tokio::test]
async fn sheets_may_come_with_the_scene() {
    let server = Server::start().await;
    let mut scene = apology();
    scene["characters"] = json!(["alice", "carol"]);
    let sheets = json!({ "alice": "# Alicia - Manager", "carol": "# Carol - Engineer" });
    let response = server.post("/v1/scenes", json!({ "config": scene, "sheets": sheets })).await;
    assert_eq!(response.status(), 202);
    let run = run_id(&response.json().await.unwrap());
    let events = server.get(&format!("/v1/runs/{run}/events")).await.text().await.unwrap();
    // The sheet of the request comes before the project's own.
    assert!(events.contains("# Alicia - Manager") && events.contains("# Carol - Engineer"));
    assert!(!events.contains(r##""sheet":"# Alice""##));
}

#[tokio::test]
async fn a_repeated_request_makes_one_run() {
    let server = Server::start().await;
    let ask = |key: &'static str, scene: Value| {
        let request = server.request("POST", "/v1/scenes").header("Idempotency-Key", key);
        async move {
            let response = request.json(&json!({ "config": scene })).send().await.unwrap();
            let again = response.headers().get("idempotent-replayed").is_some_and(|value| value == "true");
            (response.status().as_u16(), again, response.json::<Value>().await.unwrap())
        }
    };
    let (status, again, first) = ask("monday", apology()).await;
    assert_eq!((status, again), (202, false));
    let (status, again, second) = ask("monday", apology()).await;
    assert_eq!((status, again), (202, true));
    assert_eq!(first, second);
    let (status, _, other) = ask("monday", gated()).await;
    assert_eq!((status, other["error"]["code"].as_str()), (422, Some("IDEMPOTENCY_KEY_REUSED")));
    let (_, again, third) = ask("tuesday", apology()).await;
    assert!(!again);
    assert_ne!(first, third);
    assert_eq!(server.json("/v1/runs").await["runs"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn the_same_request_many_times_at_once_makes_one_run() {
    let server = Server::start().await;
    let asks = (0..8).map(|_| async {
        let request = server.request("POST", "/v1/scenes").header("Idempotency-Key", "once");
        let response = request.json(&json!({ "config": apology() })).send().await.unwrap();
        run_id(&response.json().await.unwrap())
    });
    let runs = futures::future::join_all(asks).await;
    assert!(runs.iter().all(|run| *run == runs[0]), "{runs:?}");
}

#[tokio::test]
async fn there_is_an_end_to_waiting() {
    let server = Server::with(
        NodeLimits { runs: 0, ..NodeLimits::default() },
        ServerOptions { most_waiting: 2, ..ServerOptions::default() },
    )
    .await;
    server.play(apology()).await;
    server.play(apology()).await;
    let response = server.post("/v1/scenes", json!({ "config": apology() })).await;
    assert_eq!(response.status(), 429);
    assert!(response.headers()["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    let body: Value = response.json().await.unwrap();
    assert_eq!(body["error"]["code"], "QUEUE_FULL");
    let waiting = server.json("/v1/runs?status=waiting").await;
    assert_eq!(waiting["runs"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_repeated_request_gets_its_run_though_the_queue_is_full() {
    let server = Server::with(
        NodeLimits { runs: 0, ..NodeLimits::default() },
        ServerOptions { most_waiting: 1, ..ServerOptions::default() },
    )
    .await;
    let ask = async |key: &'static str| {
        let request = server.request("POST", "/v1/scenes").header("Idempotency-Key", key);
        let response = request.json(&json!({ "config": apology() })).send().await.unwrap();
        (response.status().as_u16(), response.json::<Value>().await.unwrap())
    };
    let (status, first) = ask("monday").await;
    assert_eq!(status, 202);
    assert_eq!(ask("tuesday").await.0, 429);
    assert_eq!(ask("monday").await, (202, first));
}

#[tokio::test]
async fn a_branch_that_is_asked_for_twice_is_made_once() {
    let server = Server::start().await;
    let parent = server.play_out(apology()).await;
    let ask = async |beat: u32| {
        let request =
            server.request("POST", &format!("/v1/runs/{parent}/fork")).header("Idempotency-Key", "one");
        let response = request.json(&json!({ "beat": beat })).send().await.unwrap();
        let again = response.headers().get("idempotent-replayed").is_some_and(|value| value == "true");
        (response.status().as_u16(), again, response.json::<Value>().await.unwrap())
    };
    let (status, again, first) = ask(0).await;
    assert_eq!((status, again), (202, false));
    assert_eq!(ask(0).await, (202, true, first));
    let (status, _, other) = ask(1).await;
    assert_eq!((status, other["error"]["code"].as_str()), (422, Some("IDEMPOTENCY_KEY_REUSED")));
}

#[tokio::test]
async fn a_run_is_branched() {
    let server = Server::start().await;
    let parent = server.play_out(apology()).await;
    let response = server.post(&format!("/v1/runs/{parent}/fork"), json!({ "beat": 0, "seed": 8 })).await;
    assert_eq!(response.status(), 202);
    let location = response.headers()["location"].to_str().unwrap().to_owned();
    let fork = run_id(&response.json().await.unwrap());
    let events = server.get(&format!("{location}/events")).await.text().await.unwrap();
    assert!(events.contains("\nevent: forked\n") && events.contains("\nevent: end\n"));
    let details = server.json(&location).await;
    assert_eq!(details["parent"], parent.to_string());
    assert_eq!(details["metadata"]["seed"], 8);
    let forks = server.json(&format!("/v1/runs?parent={parent}")).await;
    assert_eq!(forks["runs"][0]["runId"], fork.to_string());
    assert_eq!(forks["runs"].as_array().unwrap().len(), 1);

    for (body, status, code) in [
        (json!({ "beat": 999 }), 422, "BEAT_NOT_PLAYED"),
        (json!({ "beat": 0, "line": 999 }), 422, "BEAT_NOT_PLAYED"),
        (json!({ "beat": 0, "line": 0 }), 422, "BEAT_NOT_PLAYED"),
        (json!({}), 422, "INVALID_REQUEST"),
        (json!({ "beat": -1 }), 422, "INVALID_REQUEST"),
        (json!({ "beat": 1, "sed": 2 }), 422, "INVALID_REQUEST"),
    ] {
        let response = server.post(&format!("/v1/runs/{parent}/fork"), body.clone()).await;
        assert_eq!(response.status(), status, "{body}");
        let answer: Value = response.json().await.unwrap();
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
}
