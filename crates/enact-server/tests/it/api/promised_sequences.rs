//! Sequences of requests that `docs/serve.md` promises something of: repeated, at once, in a bad order.

use std::collections::BTreeSet;

use enact_drama::RunId;
use enact_server::access::{Access, Scope, Token};
use futures::future::join_all;
use serde_json::{Value, json};

use super::{
    promises::code_of,
    server::{ENOUGH, Server, apology, chat, gated, run_id, session},
};

/// Of twenty who ask at once with one key, all are given the one run that was made.
#[tokio::test]
async fn one_key_makes_one_run_however_many_ask_at_once() {
    let server = Server::start().await;
    let ask = || {
        let request = server.request("POST", "/v1/scenes").header("idempotency-key", "key 1");
        request.json(&json!({ "config": apology() })).send()
    };
    let mut runs: BTreeSet<RunId> = BTreeSet::new();
    let mut made = 0;
    for response in join_all((0..20).map(|_| ask())).await {
        let response = response.unwrap();
        assert_eq!(response.status(), 202);
        made += usize::from(response.headers().get("idempotent-replayed").is_none());
        runs.insert(run_id(&response.json().await.unwrap()));
    }
    assert_eq!((runs.len(), made), (1, 1));
    let other = server.request("POST", "/v1/scenes").header("idempotency-key", "key 1");
    let other = other.json(&json!({ "config": gated() })).send().await.unwrap();
    assert_eq!(other.status(), 422);
    assert_eq!(code_of(other, "another body").await, "IDEMPOTENCY_KEY_REUSED");
}

/// A client that resumes with any event's id gets the rest, whole and once.
#[tokio::test]
async fn coming_back_at_any_event_brings_exactly_the_rest() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    let ids = |text: &str| -> Vec<u64> {
        text.lines().filter_map(|line| line.strip_prefix("id: ")).map(|id| id.parse().unwrap()).collect()
    };
    let path = format!("/v1/runs/{run}/events");
    let all = ids(&server.get(&path).await.text().await.unwrap());
    assert_eq!(all, (0..all.len() as u64).collect::<Vec<_>>());
    for &last in &all {
        let back = server.request("GET", &path).header("last-event-id", last.to_string());
        let back = back.send().await.unwrap().text().await.unwrap();
        assert_eq!(ids(&back), all[last as usize + 1..], "after {last}");
        assert!(back.contains("event: end\n"), "after {last}");
    }
}

/// A reset in the middle frees the conversation at once, also if it comes twice, and the old run ends.
#[tokio::test]
async fn a_reset_while_a_chorus_is_under_way_frees_its_conversation() {
    let server = Server::start().await;
    let message = |text: &str| {
        let mut body = chat(text, &[(1, "patient")]);
        body["conversationId"] = "räum \u{202e}1".into();
        body["unknown"] = json!({ "ignored": true });
        body
    };
    let first = server.post("/v1/chat", message("Hello?")).await;
    assert_eq!(first.status(), 200);
    let run = session(&first);
    let busy = server.post("/v1/chat", message("Again?")).await;
    assert_eq!(busy.status(), 409);
    let body: Value = busy.json().await.unwrap();
    assert_eq!(body["error"]["code"], "CONVERSATION_BUSY");
    assert_eq!(body["error"]["context"]["runId"], run.to_string());
    for _ in 0..2 {
        let reset = server.post("/v1/reset", json!({ "conversationId": "räum \u{202e}1" })).await;
        assert_eq!(reset.status(), 200);
    }
    let next = server.post("/v1/chat", message("And now?")).await;
    assert_eq!(next.status(), 200);
    assert_ne!(session(&next), run);
    assert!(first.text().await.unwrap().contains("\nevent: done\n"), "the old one ends");
}

/// No token, a wrong one, one in the address, and each scope at what it does not allow.
#[tokio::test]
async fn a_scope_allows_what_the_table_of_routes_says() {
    const SECRETS: [(&str, &str, Scope); 3] = [
        ("reader", "reader-0123456789abcdef", Scope::Read),
        ("player", "player-0123456789abcdef", Scope::Run),
        ("keeper", "keeper-0123456789abcdef", Scope::Admin),
    ];
    let access = SECRETS.iter().fold(Access::default(), |access, (name, secret, scope)| {
        access.token(Token::new(name, secret, *scope).unwrap()).unwrap()
    });
    let server = Server::guarded(access).await;
    let id = "0199f2a4-6a3e-7cc1-8a55-0f4c9b1d2e3f";
    for (line, needed) in [
        ("POST /v1/scenes", 1),
        ("POST /v1/chat", 1),
        ("POST /v1/reset", 1),
        ("GET /v1/agents", 0),
        ("GET /v1/audio/x.wav", 0),
        ("GET /v1/runs", 0),
        ("GET /v1/runs/{id}", 0),
        ("GET /v1/runs/{id}/events", 0),
        ("GET /v1/runs/{id}/log", 0),
        ("GET /v1/runs/{id}/transcript", 0),
        ("GET /v1/runs/{id}/result", 0),
        ("GET /v1/runs/{id}/costs", 0),
        ("GET /v1/runs/{id}/asks", 0),
        ("GET /v1/chat/{id}/events", 0),
        ("GET /v1/costs", 0),
        ("POST /v1/runs/{id}/commands", 1),
        ("POST /v1/runs/{id}/notes", 1),
        ("POST /v1/runs/{id}/world-events", 1),
        ("POST /v1/runs/{id}/pause", 1),
        ("POST /v1/runs/{id}/resume", 1),
        ("POST /v1/runs/{id}/step", 1),
        ("POST /v1/runs/{id}/cancel", 1),
        ("POST /v1/runs/{id}/fork", 1),
        ("DELETE /v1/runs/{id}", 2),
        ("GET /metrics", 0),
    ] {
        let (method, path) = line.split_once(' ').unwrap();
        let path = path.replace("{id}", id);
        for wrong in
            ["", "Bearer ", "Bearer wrong-0123456789abcdef", "Basic cmVhZGVyOg==", "reader-0123456789abcdef"]
        {
            // Ten wrong tokens a minute are refused as such, and those after them as too many.
            let request = server.request(method, &path);
            let request = if wrong.is_empty() { request } else { request.header("authorization", wrong) };
            let status = request.send().await.unwrap().status().as_u16();
            assert!(matches!(status, 401 | 429), "{line} with {wrong:?}: {status}");
        }
        let in_address = format!("{path}?token={}&access_token={}", SECRETS[2].1, SECRETS[2].1);
        assert_eq!(server.request(method, &in_address).send().await.unwrap().status(), 401, "{line}");
        for (at, (name, secret, _)) in SECRETS.iter().enumerate() {
            let answer = server.request(method, &path).bearer_auth(secret).send().await.unwrap();
            let refused = answer.status() == 403;
            assert_eq!(refused, at < needed, "{line} by {name}: {}", answer.status());
            assert_ne!(answer.status(), 401, "{line} by {name}");
        }
    }
    for open in ["/v1/health", "/v1/openapi.json"] {
        assert_eq!(server.get(open).await.status(), 200, "{open}");
    }
}

/// A key is for one request: on another route, or with another body, it is refused and nothing is made.
#[tokio::test]
async fn a_key_does_not_open_another_route() {
    let server = Server::start().await;
    let over = server.play_out(apology()).await;
    server.test_chorus.let_speak(ENOUGH);
    let message = chat("Hello?", &[(1, "ada")]);
    let ask = |path: String, body: Value| {
        server.request("POST", &path).header("idempotency-key", "one").json(&body).send()
    };
    let first = ask("/v1/chat".to_owned(), message.clone()).await.unwrap();
    let run = session(&first);
    assert!(first.text().await.unwrap().contains("\nevent: done\n"));
    let again = ask("/v1/chat".to_owned(), message).await.unwrap();
    assert_eq!(again.headers()["idempotent-replayed"], "true");
    assert_eq!(session(&again), run);
    let before = server.json("/v1/runs").await["runs"].as_array().unwrap().len();
    for (path, body) in [
        ("/v1/scenes".to_owned(), json!({ "config": apology() })),
        (format!("/v1/runs/{over}/fork"), json!({ "beat": 1 })),
        ("/v1/chat".to_owned(), chat("Hello!", &[(1, "ada")])),
    ] {
        let refused = ask(path.clone(), body).await.unwrap();
        assert_eq!(refused.status(), 422, "{path}");
        assert_eq!(code_of(refused, &path).await, "IDEMPOTENCY_KEY_REUSED");
    }
    assert_eq!(server.json("/v1/runs").await["runs"].as_array().unwrap().len(), before);
}

/// What was deleted is gone by every route, and with it what it cost; its forks stay.
#[tokio::test]
async fn a_deleted_run_is_gone_by_every_route() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    let fork = server.post(&format!("/v1/runs/{run}/fork"), json!({ "beat": 1 })).await;
    let fork = run_id(&fork.json().await.unwrap());
    let deleted = server.request("DELETE", &format!("/v1/runs/{run}")).send().await.unwrap();
    assert!(deleted.status().is_success(), "{}", deleted.status());
    for (method, below) in [
        ("GET", ""),
        ("GET", "/events"),
        ("GET", "/log"),
        ("GET", "/transcript"),
        ("GET", "/result"),
        ("GET", "/costs"),
        ("GET", "/asks"),
        ("POST", "/cancel"),
        ("POST", "/pause"),
        ("DELETE", ""),
    ] {
        let path = format!("/v1/runs/{run}{below}");
        let answer = server.request(method, &path).send().await.unwrap();
        assert_eq!(answer.status(), 404, "{method} {path}");
        assert_eq!(code_of(answer, &path).await, "RUN_NOT_FOUND");
    }
    let listed = server.json("/v1/runs").await.to_string();
    assert!(!listed.contains(&format!("\"runId\":\"{run}\"")), "{listed}");
    let costs = server.json("/v1/costs?by=run").await.to_string();
    assert!(!costs.contains(&run.to_string()), "{costs}");
    let events = server.get(&format!("/v1/runs/{fork}/events")).await.text().await.unwrap();
    assert!(events.contains("\nevent: end\n"), "{events}");
}

/// The list of a chorus's files is sent whole and never cached, whatever a client says it has seen.
#[tokio::test]
async fn the_list_of_files_is_always_whole() {
    let server = Server::start().await;
    let run = server.chat_out("Hello?", &[(1, "ada")]).await;
    let path = format!("/v1/audio/tts/sessions/{run}/session.json");
    let whole = server.get(&path).await;
    let (tag, bytes) = (whole.headers().get("etag").cloned(), whole.bytes().await.unwrap());
    for (name, value) in [
        ("range", "bytes=0-3"),
        ("range", "bytes=999999999-"),
        ("if-modified-since", "Fri, 31 Dec 2100 23:59:59 GMT"),
        ("if-none-match", "*"),
        ("if-none-match", tag.as_ref().and_then(|tag| tag.to_str().ok()).unwrap_or("\"x\"")),
        ("if-range", "\"x\""),
    ] {
        let answer = server.request("GET", &path).header(name, value).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{name}: {value}");
        let cache = answer.headers()["cache-control"].to_str().unwrap().to_owned();
        assert!(cache.contains("no-store"), "{cache}");
        assert_eq!(answer.bytes().await.unwrap(), bytes, "{name}: {value}");
    }
}

/// Commands that contradict each other count in the order in which they came, and the run ends once.
#[tokio::test]
async fn a_storm_of_commands_ends_a_run_once() {
    let server = Server::start().await;
    let run = server.play(gated()).await;
    let post = |what: &'static str| server.request("POST", &format!("/v1/runs/{run}/{what}")).send();
    let storm =
        ["pause", "resume", "step", "pause", "pause", "resume", "cancel", "cancel", "resume", "cancel"];
    for response in join_all(storm.map(post)).await {
        let status = response.unwrap().status().as_u16();
        assert!(matches!(status, 202 | 409), "{status}");
    }
    server.let_answer(ENOUGH);
    let events = server.get(&format!("/v1/runs/{run}/events")).await.text().await.unwrap();
    assert_eq!(events.matches("\nevent: end\n").count(), 1, "{events}");
    let shown = server.json(&format!("/v1/runs/{run}")).await;
    assert_eq!((&shown["status"], &shown["reason"]), (&json!("finished"), &json!("cancelled")));
    for what in storm {
        assert_eq!(post(what).await.unwrap().status(), 409, "{what}");
    }
}

/// Every route that is read answers HEAD as it answers GET, and sends nothing.
#[tokio::test]
async fn head_is_get_without_a_body() {
    let server = Server::start().await;
    let run = server.play_out(apology()).await;
    let chorus = server.chat_out("Hello?", &[(1, "ada")]).await;
    for path in [
        "/v1/health".to_owned(),
        "/metrics".to_owned(),
        "/v1/openapi.json".to_owned(),
        "/v1/agents".to_owned(),
        "/v1/runs".to_owned(),
        "/v1/costs".to_owned(),
        format!("/v1/runs/{run}"),
        format!("/v1/runs/{run}/events"),
        format!("/v1/runs/{run}/log"),
        format!("/v1/runs/{run}/transcript?format=vtt"),
        format!("/v1/runs/{run}/result"),
        format!("/v1/runs/{run}/costs"),
        format!("/v1/runs/{run}/asks"),
        format!("/v1/chat/{chorus}/events"),
        format!("/v1/audio/tts/sessions/{chorus}/session.json"),
    ] {
        let get = server.get(&path).await;
        let head = server.request("HEAD", &path).send().await.unwrap();
        assert_eq!(head.status(), get.status(), "{path}");
        assert_eq!(head.headers().get("content-type"), get.headers().get("content-type"), "{path}");
        assert_eq!(head.bytes().await.unwrap().len(), 0, "{path}");
    }
}
