//! Bad input of every kind gets an answer that says what is wrong.

use std::fmt::Write;

use expect_test::expect;
use reqwest::Response;
use serde_json::{Value, json};

use crate::server::{Server, apology};

/// Status, code, message and hint of a refusal, on one line.
async fn refusal(response: Response) -> String {
    let status = response.status().as_u16();
    let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
    assert_eq!(kind, "application/json");
    let body: Value = response.json().await.unwrap();
    let error = &body["error"];
    assert!(error["context"].is_object(), "{body}");
    let hint = error["context"]["hint"].as_str().map_or(String::new(), |hint| format!(" ({hint})"));
    format!("{status} {} {}{hint}", error["code"].as_str().unwrap(), error["message"].as_str().unwrap())
}

#[tokio::test]
async fn requests_that_make_no_sense() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    let id = run.to_string();
    let mut answers = String::new();
    for (method, path) in [
        ("GET", "/"),
        ("GET", "/v2/runs"),
        ("PUT", "/v1/scenes"),
        ("GET", "/v1/scenes"),
        ("PATCH", "/v1/runs/RUN"),
        ("GET", "/v1/runs/7"),
        ("GET", "/v1/runs/..%2f..%2fetc%2fpasswd"),
        ("GET", "/v1/runs/%ff"),
        ("GET", "/v1/runs/00000000-0000-7000-8000-000000000000"),
        ("GET", "/v1/runs/00000000-0000-7000-8000-000000000000/events"),
        ("DELETE", "/v1/runs/00000000-0000-7000-8000-000000000000"),
        ("POST", "/v1/runs/00000000-0000-7000-8000-000000000000/cancel"),
        ("GET", "/v1/runs?limit=0"),
        ("GET", "/v1/runs?limit=501"),
        ("GET", "/v1/runs?limit=many"),
        ("GET", "/v1/runs?status=asleep"),
        ("GET", "/v1/runs?before=yesterday"),
        ("GET", "/v1/runs?statsu=playing"),
        ("GET", "/v1/runs/RUN/transcript?format=pdf"),
        ("GET", "/v1/runs/RUN/events?from=-1"),
        ("GET", "/v1/runs/RUN/events?from=18446744073709551615"),
        ("GET", "/v1/runs/RUN/events?speed=0"),
        ("GET", "/v1/runs/RUN/events?speed=NaN"),
        ("GET", "/v1/costs?by=mood"),
        ("GET", "/v1/costs?from=yesterday"),
        ("POST", "/v1/runs/RUN/pause"),
        ("POST", "/v1/runs/RUN/notes"),
    ] {
        let response = server.request(method, &path.replace("RUN", &id)).send().await.unwrap();
        let answer = refusal(response).await.replace(&id, "RUN");
        let _ = writeln!(answers, "{method} {path}\n    {answer}");
    }
    expect![[r#""#]].assert_eq(&answers);
}

#[tokio::test]
async fn bodies_that_make_no_scene() {
    let server = Server::start().await;
    let with = |key: &str, value: Value| {
        let mut scene = apology();
        scene[key] = value;
        json!({ "config": scene }).to_string()
    };
    let deep = format!("{{\"config\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let mut answers = String::new();
    for body in [
        "",
        "{",
        "\"scene\"",
        "{}",
        r#"{"config": null}"#,
        r#"{"config": 7}"#,
        r#"{"config": {}}"#,
        r#"{"config": {}, "sheet": {}}"#,
        r#"{"config": {"promt": "x"}}"#,
        r#"{"config": {"name": "a", "name": "b"}}"#,
        &deep,
        &with("name", json!("../../etc")),
        &with("characters", json!(["alice"])),
        &with("characters", json!(["alice", "alicia"])),
        &with("characters", json!(["alice", "../bob"])),
        &with("maxBeats", json!(0)),
        &with("maxBeats", json!(1e300)),
        &with("models", json!({ "alice": "improvisor" })),
        &with("prompt", json!("\u{0}")),
        &json!({ "config": apology(), "sheets": { "../alice": "# A" } }).to_string(),
        &json!({ "config": apology(), "sheets": { "alice": "" } }).to_string(),
        &json!({ "config": apology(), "sheets": { "alice": 7 } }).to_string(),
    ] {
        let request = server.request("POST", "/v1/scenes").header("content-type", "application/json");
        let response = request.body(body.to_owned()).send().await.unwrap();
        let shown: String = body.chars().take(60).collect();
        if response.status() == 202 {
            let _ = writeln!(answers, "{shown}\n    accepted");
        } else {
            let _ = writeln!(answers, "{shown}\n    {}", refusal(response).await);
        }
    }
    expect![[r#""#]].assert_eq(&answers);
}

#[tokio::test]
async fn headers_that_make_no_sense() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    let events = format!("/v1/runs/{run}/events");
    let scene = json!({ "config": apology() });
    let mut answers = String::new();
    for id in ["x", "-1", "+1", "1.5", "99999", "18446744073709551615", "18446744073709551616"] {
        let response = server.request("GET", &events).header("last-event-id", id).send().await.unwrap();
        let answer = refusal(response).await.replace(&run.to_string(), "RUN");
        let _ = writeln!(answers, "Last-Event-ID: {id}\n    {answer}");
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"] {
        let request = server.request("POST", "/v1/scenes").header("content-type", kind);
        let response = request.body(scene.to_string()).send().await.unwrap();
        let _ = writeln!(answers, "Content-Type: {kind}\n    {}", refusal(response).await);
    }
    for key in ["".to_owned(), "k".repeat(256)] {
        let request = server.request("POST", "/v1/scenes").header("idempotency-key", &key);
        let response = request.json(&scene).send().await.unwrap();
        let _ = writeln!(answers, "Idempotency-Key of {}\n    {}", key.len(), refusal(response).await);
    }
    expect![[r#""#]].assert_eq(&answers);
}

#[tokio::test]
async fn other_methods_are_named() {
    let server = Server::start().await;
    let response = server.request("PUT", "/v1/runs/7").send().await.unwrap();
    assert_eq!(response.status(), 405);
    let mut allowed: Vec<String> =
        response.headers()["allow"].to_str().unwrap().split(',').map(str::to_owned).collect();
    allowed.sort_unstable();
    assert_eq!(allowed, ["DELETE", "GET", "HEAD"]);
}
