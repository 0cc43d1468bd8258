//! An echo over HTTP, on two servers that share a store and are killed.

use enact_testkit::{in_time, until, until_some};
use futures::StreamExt;
use serde_json::{Value, json};

use crate::toy::{ADMIN, ANN, BEN, Server, Toy, json, text};

#[tokio::test]
async fn everything_works_in_sqlite() {
    everything_works(&Toy::in_sqlite()).await;
}

#[cfg(feature = "postgres-tests")]
#[tokio::test]
async fn everything_works_in_postgres() {
    everything_works(&Toy::in_postgres().await).await;
}

async fn everything_works(toy: &Toy) {
    let (one, other) = (toy.serve(), toy.serve());
    let run = begin(&one, ANN).await;
    let path = format!("/v1/runs/{run}");
    rests(&other, &path).await;

    // Followed on one node, steered on the other.
    let mut followed = other.get(ANN, &format!("{path}/events")).send().await.unwrap().bytes_stream();
    call(&one, &path, "Hello").await;
    let mut seen = String::new();
    while !seen.contains("event: answered") {
        seen += &String::from_utf8_lossy(&in_time(followed.next()).await.unwrap().unwrap());
    }
    assert!(seen.contains(r#""text":"Hello""#), "{seen}");
    drop(followed);
    rests(&one, &path).await;
    let listed = json(one.get(ANN, "/v1/runs?status=resting&production=echo"), 200).await;
    assert_eq!(listed["runs"][0]["runId"], json!(run));

    only_its_account_sees_it(&one, &run).await;
    refuses_what_is_no_command(&one, &path).await;

    // A command that was accepted is answered once, whenever a process dies.
    call(&other, &path, "Before the kill").await;
    other.kill();
    one.kill();
    let one = toy.serve();
    answered(&one, &path, 2).await;
    call(&one, &path, "After the kill").await;
    answered(&one, &path, 3).await;
    rests(&one, &path).await;

    is_told_in_every_format(&one, &path).await;
    let costs = json(one.get(ANN, &format!("{path}/costs")), 200).await;
    assert_eq!(costs["costs"]["byPurpose"]["answer"]["calls"], 3, "{costs}");
    assert_eq!(costs["costs"]["byCharacter"]["glen"]["estimatedUSD"], 0.0, "{costs}");

    let fork = json(one.post(ANN, &format!("{path}/fork"), &json!({ "beat": 1 })), 202).await;
    let forked = format!("/v1/runs/{}", fork["runId"].as_str().unwrap());
    rests(&one, &forked).await;
    call(&one, &forked, "Elsewhere").await;
    answered(&one, &forked, 2).await;
    let costs = json(one.get(ANN, &format!("{forked}/costs")), 200).await;
    assert_eq!(
        costs["costs"]["byPurpose"]["answer"]["calls"], 1,
        "the shared call is paid by the parent: {costs}"
    );
    text(one.get(BEN, &forked), 404).await;

    text(one.post(ANN, &format!("{path}/cancel"), &json!({})), 202).await;
    until(async || json(one.get(ANN, &path), 200).await["status"] == "finished").await;
    text(one.post(ANN, &format!("{path}/commands"), &json!({"command": "call", "text": "?"})), 409).await;
    text(one.delete(ADMIN, &path), 204).await;
    text(one.get(ANN, &path), 404).await;
}

async fn begin(server: &Server, token: &str) -> String {
    let begun = json(server.post(token, "/v1/echoes", &json!({ "valley": "glen" })), 202).await;
    begun["runId"].as_str().unwrap().to_owned()
}

async fn call(server: &Server, path: &str, words: &str) {
    let command = json!({ "command": "call", "text": words });
    let accepted = json(server.post(ANN, &format!("{path}/commands"), &command), 202).await;
    assert!(accepted["commandId"].is_u64(), "{accepted}");
}

async fn rests(server: &Server, path: &str) {
    until(async || json(server.get(ANN, path), 200).await["status"] == "resting").await;
}

/// Waits for so many answers, and checks that there is one to each call.
async fn answered(server: &Server, path: &str, times: usize) {
    let lines = until_some(async || {
        let document = json(server.get(ANN, &format!("{path}/transcript?format=json")), 200).await;
        let lines = document["lines"].as_array().unwrap().clone();
        (lines.iter().filter(|line| line["speaker"] == "Echo").count() >= times).then_some(lines)
    });
    let lines = lines.await;
    let said = |who: &str| -> Vec<Value> {
        let lines = lines.iter().filter(|line| line["speaker"] == who);
        lines.map(|line| line["content"].clone()).collect()
    };
    assert_eq!(said("Visitor"), said("Echo"));
    assert_eq!(said("Echo").len(), times);
}

async fn only_its_account_sees_it(server: &Server, run: &str) {
    let path = format!("/v1/runs/{run}");
    for route in ["", "/events", "/log", "/transcript", "/costs"] {
        text(server.get(BEN, &format!("{path}{route}")), 404).await;
    }
    for (route, body) in [
        ("/cancel", json!({})),
        ("/commands", json!({ "command": "call", "text": "Hello" })),
        ("/fork", json!({ "beat": 1 })),
    ] {
        text(server.post(BEN, &format!("{path}{route}"), &body), 404).await;
    }
    let runs = |list: Value| list["runs"].as_array().unwrap().len();
    assert_eq!(runs(json(server.get(BEN, "/v1/runs"), 200).await), 0);
    assert_eq!(runs(json(server.get(ANN, "/v1/runs"), 200).await), 1);
    assert_eq!(runs(json(server.get(ADMIN, "/v1/runs"), 200).await), 1);
    assert_eq!(json(server.get(BEN, "/v1/costs"), 200).await["groups"], json!([]));
    assert_eq!(json(server.get(ANN, "/v1/costs"), 200).await["groups"].as_array().unwrap().len(), 1);
    text(server.get(ADMIN, &path), 200).await;
}

async fn refuses_what_is_no_command(server: &Server, path: &str) {
    for (body, named) in [
        (json!({ "command": "pause" }), "pause"),
        (json!({ "command": "call" }), "text"),
        (json!({ "command": "call", "text": "Hello", "loud": true }), "loud"),
        (json!("call"), "echo"),
    ] {
        let refused = text(server.post(ANN, &format!("{path}/commands"), &body), 400).await;
        assert!(refused.contains(named), "{body}: {refused}");
    }
}

async fn is_told_in_every_format(server: &Server, path: &str) {
    for (format, holds) in [
        ("txt", "Echo \"Hello\""),
        ("md", "**Echo**: Hello"),
        ("json", "\"content\": \"Hello\""),
        ("fountain", "ECHO\nHello"),
        ("vtt", "<v Echo>Hello</v>"),
    ] {
        let told = text(server.get(ANN, &format!("{path}/transcript?format={format}")), 200).await;
        assert!(told.contains(holds), "{format}: {told}");
    }
}
