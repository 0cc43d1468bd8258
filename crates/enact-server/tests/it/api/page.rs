//! The page and what it asks for: its addresses and files, names that hold a word, scenes that are checked.

use std::time::Duration;

use enact_server::access::{Access, Scope, Token};
use enact_testkit::until;
use serde_json::json;
use tokio::time::timeout;

use super::server::{ENOUGH, Server, apology};

#[tokio::test]
async fn addresses_of_the_page_are_its_own_and_others_stay_unknown() {
    let server = Server::start().await;
    for (path, status, content_type) in [
        ("/", 200, "text/html; charset=utf-8"),
        ("/runs/anything", 200, "text/html; charset=utf-8"),
        ("/page/app.js", 200, "text/javascript; charset=utf-8"),
        ("/page/styles/base.css", 200, "text/css; charset=utf-8"),
        ("/page/icon.svg", 200, "image/svg+xml"),
        ("/page/nothing.js", 404, "application/json"),
        ("/page/..%2fCargo.toml", 404, "application/json"),
        ("/page/", 404, "application/json"),
        ("/runs", 404, "application/json"),
        ("/v1/", 404, "application/json"),
        ("/v1/nothing", 404, "application/json"),
    ] {
        let response = server.get(path).await;
        assert_eq!(response.status(), status, "{path}");
        assert_eq!(response.headers()["content-type"], content_type, "{path}");
    }
}

#[tokio::test]
async fn the_page_may_run_only_its_own_files_and_is_sent_once() {
    let server = Server::guarded(Access::default()).await;
    let first = server.get("/page/app.js").await;
    let policy = first.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(first.headers()["cache-control"], "no-cache");
    let etag = first.headers()["etag"].clone();
    let again = server.request("GET", "/page/app.js").header("if-none-match", etag).send().await.unwrap();
    assert_eq!(again.status(), 304);
    assert!(again.bytes().await.unwrap().is_empty());
}

#[tokio::test]
async fn the_page_can_be_loaded_without_the_token_that_the_api_needs() {
    let token = Token::new("page", "a-secret-of-sixteen", Scope::Read).unwrap();
    let server = Server::guarded(Access::default().token(token).unwrap()).await;
    assert_eq!(server.get("/").await.status(), 200);
    assert_eq!(server.get("/page/app.js").await.status(), 200);
    assert_eq!(server.get("/v1/runs").await.status(), 401);
    assert_eq!(server.get("/v1/project").await.status(), 401);
}

#[tokio::test]
async fn runs_are_found_by_a_part_of_their_name() {
    let server = Server::start().await;
    server.play_out(apology()).await;
    for (q, found) in [("", 1), ("APOLOGY", 1), ("apolog", 1), ("wedding", 0), ("%25", 0), ("%00", 0)] {
        let page = server.json(&format!("/v1/runs?q={q}")).await;
        assert_eq!(page["runs"].as_array().unwrap().len(), found, "{q}");
    }
}

#[tokio::test]
async fn a_scene_is_checked_and_not_played() {
    let server = Server::start().await;
    let response = server.post("/v1/check", json!({ "config": apology() })).await;
    assert_eq!(response.status(), 200);
    let checked: serde_json::Value = response.json().await.unwrap();
    assert_eq!(checked["roles"].as_array().unwrap().len(), 2, "{checked}");
    assert_eq!(server.json("/v1/runs").await["runs"], json!([]));
    let refused = server.post("/v1/check", json!({ "config": { "prompt": "x", "characters": [] } })).await;
    assert_eq!(refused.status(), 422);
}

#[tokio::test]
async fn a_run_can_be_had_as_one_file() {
    let server = Server::start().await;
    server.test_chorus.let_speak(ENOUGH);
    let run = server.play_out(apology()).await;
    let response = server.get(&format!("/v1/runs/{run}/transcript?format=html")).await;
    assert_eq!(response.headers()["content-type"], "text/html; charset=utf-8");
    let file = response.text().await.unwrap();
    assert!(file.contains("\"production\":\"scene\"") && file.contains("line_added"));
}

/// How long a transcript may take while others are being spoken.
const TRANSCRIPT: Duration = Duration::from_secs(1);

#[tokio::test]
async fn files_that_are_being_spoken_hold_up_no_transcript() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    let export = |_| {
        let request = server.request("GET", &format!("/v1/runs/{run}/transcript?format=html"));
        tokio::spawn(async move { request.send().await.unwrap().text().await.unwrap() })
    };
    let exports: Vec<_> = (0..8).map(export).collect();
    let voice = server.test_chorus.voice.clone().unwrap();
    until(async || voice.asked() >= 2).await;
    let path = format!("/v1/runs/{run}/transcript?format=txt");
    let transcript = server.get(&path);
    assert_eq!(timeout(TRANSCRIPT, transcript).await.expect("it waits for no voice").status(), 200);
    server.test_chorus.let_speak(ENOUGH);
    for export in exports {
        let file = export.await.unwrap();
        assert!(file.contains("line/") && file.contains("\"linesWithoutSound\":0"));
    }
}
