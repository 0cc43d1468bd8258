//! Bad input of every kind gets an answer that says what is wrong.

use std::fmt::Write;

use expect_test::expect;
use reqwest::Response;
use serde_json::{Value, json};

use super::server::{Server, apology};

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
        ("GET", "/nothing"),
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
    expect![[r#"
        GET /nothing
            404 NO_SUCH_ROUTE there is nothing here (GET /v1/openapi.json lists all there is)
        GET /v2/runs
            404 NO_SUCH_ROUTE there is nothing here (GET /v1/openapi.json lists all there is)
        PUT /v1/scenes
            405 METHOD_NOT_ALLOWED this path takes other methods (see the header Allow)
        GET /v1/scenes
            405 METHOD_NOT_ALLOWED this path takes other methods (see the header Allow)
        PATCH /v1/runs/RUN
            405 METHOD_NOT_ALLOWED this path takes other methods (see the header Allow)
        GET /v1/runs/7
            404 RUN_NOT_FOUND there is no run '7'
        GET /v1/runs/..%2f..%2fetc%2fpasswd
            404 RUN_NOT_FOUND there is no run '../../etc/passwd'
        GET /v1/runs/%ff
            404 RUN_NOT_FOUND there is no run ''
        GET /v1/runs/00000000-0000-7000-8000-000000000000
            404 RUN_NOT_FOUND there is no run '00000000-0000-7000-8000-000000000000'
        GET /v1/runs/00000000-0000-7000-8000-000000000000/events
            404 RUN_NOT_FOUND there is no run '00000000-0000-7000-8000-000000000000'
        DELETE /v1/runs/00000000-0000-7000-8000-000000000000
            404 RUN_NOT_FOUND there is no run '00000000-0000-7000-8000-000000000000'
        POST /v1/runs/00000000-0000-7000-8000-000000000000/cancel
            404 RUN_NOT_FOUND there is no run '00000000-0000-7000-8000-000000000000'
        GET /v1/runs?limit=0
            400 INVALID_PARAMETER limit must be a whole number from 1 to 500
        GET /v1/runs?limit=501
            400 INVALID_PARAMETER limit must be a whole number from 1 to 500
        GET /v1/runs?limit=many
            400 INVALID_PARAMETER limit must be a whole number from 1 to 500
        GET /v1/runs?status=asleep
            400 INVALID_PARAMETER status must be waiting, playing, resting, paused, interrupted or finished
        GET /v1/runs?before=yesterday
            400 INVALID_PARAMETER before must be the id of a run
        GET /v1/runs?statsu=playing
            400 INVALID_PARAMETER there is no parameter 'statsu' here (did you mean 'status'?)
        GET /v1/runs/RUN/transcript?format=pdf
            400 INVALID_PARAMETER format must be txt, md, json, fountain, vtt, metadata, debug or html
        GET /v1/runs/RUN/events?from=-1
            400 INVALID_CURSOR from must be the number of an event, 0 or more
        GET /v1/runs/RUN/events?from=18446744073709551615
            400 INVALID_CURSOR the log of run RUN has 94 events: there is no event 18446744073709551615 yet
        GET /v1/runs/RUN/events?speed=0
            400 INVALID_PARAMETER speed must be a number from 0.1 to 1000
        GET /v1/runs/RUN/events?speed=NaN
            400 INVALID_PARAMETER speed must be a number from 0.1 to 1000
        GET /v1/costs?by=mood
            400 INVALID_PARAMETER by must be run, character, model, purpose or day, found 'mood'
        GET /v1/costs?from=yesterday
            400 INVALID_PARAMETER from must be a day (2026-03-01) or a time (2026-03-01T12:00:00Z)
        POST /v1/runs/RUN/pause
            409 RUN_ENDED run RUN has ended
        POST /v1/runs/RUN/notes
            415 NOT_JSON the body has to be JSON, sent with Content-Type: application/json
    "#]]
    .assert_eq(&answers);
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
    expect![[r#"

            400 INVALID_JSON the body is no JSON: it is empty
        {
            400 INVALID_JSON the body is no JSON: it ends too early
        "scene"
            422 INVALID_REQUEST the body must be an object with a config and perhaps sheets, found "scene"
        {}
            422 INVALID_REQUEST config is missing
        {"config": null}
            422 INVALID_CONFIG a scene must be an object with keys, found nothing
        {"config": 7}
            422 INVALID_CONFIG a scene must be an object with keys, found 7
        {"config": {}}
            422 INVALID_CONFIG Scene prompt is required
        {"config": {}, "sheet": {}}
            422 INVALID_REQUEST there is no field 'sheet' here (did you mean 'sheets'?)
        {"config": {"promt": "x"}}
            422 INVALID_CONFIG unknown key 'promt' (did you mean 'prompt'?)
        {"config": {"name": "a", "name": "b"}}
            422 INVALID_CONFIG 'name' is given twice
        {"config": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
            422 INVALID_CONFIG nested more than 16 levels deep
        {"config":{"name":"../../etc","prompt":"Alice and Bob meet a
            422 INVALID_CONFIG scene name '../../etc' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most 64
        {"config":{"name":"the-apology","prompt":"Alice and Bob meet
            422 INVALID_CONFIG A scene takes 2 to 12 characters, 1 was given
        {"config":{"name":"the-apology","prompt":"Alice and Bob meet
            422 CHARACTER_LOAD_ERROR Character 'alicia' not found. Ensure .claude/agents/alicia.md exists.
        {"config":{"name":"the-apology","prompt":"Alice and Bob meet
            422 INVALID_CONFIG character name '../bob' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most 64
        {"config":{"name":"the-apology","prompt":"Alice and Bob meet
            422 INVALID_CONFIG maxBeats must be at least 1, found 0
        {"config":{"name":"the-apology","prompt":"Alice and Bob meet
            422 INVALID_CONFIG maxBeats must be a whole number, found 1e+300
        {"config":{"name":"the-apology","prompt":"Alice and Bob meet
            422 INVALID_CONFIG character 'alice' asks for the model 'improvisor', which is not known (did you mean 'improviser'?)
        {"config":{"name":"the-apology","prompt":"\u0000","character
            accepted
        {"config":{"name":"the-apology","prompt":"Alice and Bob meet
            422 CHARACTER_LOAD_ERROR sheet name '../alice' is not a plain name: use letters, digits, '-' and '_', starting with a letter or digit, at most 64
        {"config":{"name":"the-apology","prompt":"Alice and Bob meet
            422 CHARACTER_LOAD_ERROR Failed to load character 'alice': alice.md is empty (describe the character in it: personality, way of speaking, background)
        {"config":{"name":"the-apology","prompt":"Alice and Bob meet
            422 INVALID_REQUEST sheets.alice must be a text, found 7
    "#]].assert_eq(&answers);
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
    expect![[r#"
        Last-Event-ID: x
            400 INVALID_CURSOR Last-Event-ID must be the number of an event, 0 or more
        Last-Event-ID: -1
            400 INVALID_CURSOR Last-Event-ID must be the number of an event, 0 or more
        Last-Event-ID: +1
            400 INVALID_CURSOR Last-Event-ID must be the number of an event, 0 or more
        Last-Event-ID: 1.5
            400 INVALID_CURSOR Last-Event-ID must be the number of an event, 0 or more
        Last-Event-ID: 99999
            400 INVALID_CURSOR the log of run RUN has 94 events: there is no event 100000 yet
        Last-Event-ID: 18446744073709551615
            400 INVALID_CURSOR the log of run RUN has 94 events: there is no event 18446744073709551615 yet
        Last-Event-ID: 18446744073709551616
            400 INVALID_CURSOR Last-Event-ID must be the number of an event, 0 or more
        Content-Type: text/plain
            415 NOT_JSON the body has to be JSON, sent with Content-Type: application/json
        Content-Type: application/x-www-form-urlencoded
            415 NOT_JSON the body has to be JSON, sent with Content-Type: application/json
        Content-Type: 
            415 NOT_JSON the body has to be JSON, sent with Content-Type: application/json
        Content-Type: application/jsonp
            415 NOT_JSON the body has to be JSON, sent with Content-Type: application/json
        Idempotency-Key of 0
            400 INVALID_PARAMETER Idempotency-Key must have 1 to 255 characters
        Idempotency-Key of 256
            400 INVALID_PARAMETER Idempotency-Key must have 1 to 255 characters
    "#]]
    .assert_eq(&answers);
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
