//! Messages that make a chorus, and those that do not.

use std::{fmt::Write, sync::Arc};

use axum::{Router, body::Body, http::Request};
use enact_engine::{log::MemoryStore, node::NodeLimits};
use enact_server::{ServerOptions, access::Access};
use enact_testkit::{FaultyStore, test_chorus::SIX, until};
use expect_test::expect;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::server::{ENOUGH, Server, chat, showing, showing_store};

#[tokio::test]
async fn agents_are_listed_as_clients_know_them() {
    let server = Server::start().await;
    let agents = server.json("/v1/agents").await;
    let first = json!({
        "id": "ada", "name": "ADA", "provider": "Tests", "description": "Says what it is told to.", "color": "#cc785c",
    });
    let names = agents.as_object().unwrap().keys().collect::<Vec<_>>();
    assert_eq!(names, ["agents"], "clients of this protocol look here");
    assert_eq!(agents["agents"][0], first);
    assert_eq!(agents["agents"].as_array().unwrap().len(), 13);
}

#[tokio::test]
async fn a_repeated_message_makes_one_run() {
    let server = Server::start().await;
    server.test_chorus.let_speak(ENOUGH);
    let ask = async |message: &'static str| {
        let request = server.request("POST", "/v1/chat").header("Idempotency-Key", "monday");
        let response = request.json(&chat(message, &SIX)).send().await.unwrap();
        let again = response.headers().get("idempotent-replayed").is_some_and(|value| value == "true");
        (response.status().as_u16(), again, response.text().await.unwrap())
    };
    let (status, again, first) = ask("Hello?").await;
    assert_eq!((status, again), (200, false));
    assert_eq!(ask("Hello?").await, (200, true, first));
    let (status, _, refused) = ask("Goodbye.").await;
    assert_eq!(status, 422);
    assert!(refused.contains("IDEMPOTENCY_KEY_REUSED"), "{refused}");
    assert_eq!(server.json("/v1/runs").await["runs"].as_array().unwrap().len(), 1);
}

/// The answer is taken without its body: what its reader asks of the store later does not count.
async fn headers_of(router: &Router, key: &str) -> axum::response::Response {
    let request = Request::post("/v1/chat")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("idempotency-key", key);
    let request = request.body(Body::from(chat("And then?", &SIX).to_string())).unwrap();
    router.clone().oneshot(request).await.unwrap()
}

#[tokio::test]
async fn a_message_takes_four_calls_to_the_store_before_its_first_byte() {
    let server = Server::start().await;
    server.test_chorus.let_speak(ENOUGH);
    server.chat_out("Hello?", &SIX).await;
    let store = Arc::new(FaultyStore::before(server.log.clone()));
    let router = showing_store(store.clone());
    let response = headers_of(&router, "monday").await;
    assert_eq!(response.status(), 200);
    assert!(!response.headers().contains_key("idempotent-replayed"));
    // The queue, the conversation and the transaction; and the message before, whose threads this one
    // continues.
    assert_eq!((store.submits(), store.reads()), (3, 1));
    // A repetition finds the conversation busy with itself. Only then its key is looked up alone.
    let response = headers_of(&router, "monday").await;
    assert_eq!(response.headers()["idempotent-replayed"], "true");
    assert_eq!((store.submits(), store.reads()), (5, 3));
}

#[tokio::test]
async fn there_is_an_end_to_waiting() {
    let options = ServerOptions { most_waiting: 1, ..ServerOptions::default() };
    let server = Server::with(NodeLimits { runs: 0, ..NodeLimits::default() }, options).await;
    let waiting = server.chat("Hello?", &SIX).await;
    assert_eq!(waiting.status(), 200);
    let mut other = chat("Hello?", &SIX);
    other["conversationId"] = "another".into();
    let response = server.post("/v1/chat", other).await;
    assert_eq!(response.status(), 429);
    assert_eq!(response.json::<Value>().await.unwrap()["error"]["code"], "QUEUE_FULL");
}

/// It is not played, so nothing happens: time can be paused, which it cannot where sockets are waited for.
#[tokio::test(start_paused = true)]
async fn a_chorus_that_waits_says_that_it_is_alive() {
    let request =
        Request::post("/v1/chat").header("host", "localhost").header("content-type", "application/json");
    let request = request.body(Body::from(chat("Hello?", &SIX).to_string())).unwrap();
    let response = showing(MemoryStore::default()).oneshot(request).await.unwrap();
    assert_eq!(response.status(), 200);
    let (mut body, began) = (response.into_body(), tokio::time::Instant::now());
    for seconds in [15, 30] {
        let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!((&frame[..], began.elapsed().as_secs()), (&b":\n\n"[..], seconds));
    }
}

#[tokio::test]
async fn a_caller_over_the_limit_of_streams_begins_nothing() {
    let limits = enact_server::Limits { readers: 1, ..enact_server::Limits::default() };
    let server = Server::guarded(Access::default().limits(limits)).await;
    let listener = server.chat("Hello?", &[(1, "patient")]).await;
    let mut other = chat("Hello?", &SIX);
    other["conversationId"] = "another".into();
    let refused = server.post("/v1/chat", other.clone()).await;
    assert_eq!(refused.status(), 429);
    assert_eq!(refused.json::<Value>().await.unwrap()["error"]["code"], "TOO_MANY_READERS");
    assert_eq!(server.json("/v1/runs").await["runs"].as_array().unwrap().len(), 1);

    // A stream that ends makes room, and a request that is refused for another reason takes none.
    drop(listener);
    other["message"] = "".into();
    let nonsense = async || server.post("/v1/chat", other.clone()).await.status();
    until(async || nonsense().await != 429).await;
    assert_eq!(nonsense().await, 422);
}

#[tokio::test]
async fn what_clients_say_beside_is_passed_over() {
    let server = Server::start().await;
    server.test_chorus.let_speak(ENOUGH);
    let mut body = chat("Hello?", &[(1, "ada")]);
    body["timestamp"] = 1_772_357_400_000_u64.into();
    body["slots"][0]["label"] = "Left".into();
    let response = server.post("/v1/chat", body).await;
    assert_eq!(response.status(), 200);
    assert!(response.text().await.unwrap().contains("event: done"));
}

#[tokio::test]
async fn messages_that_make_no_chorus() {
    let server = Server::start().await;
    let with = |key: &str, value: Value| {
        let mut body = chat("Hello?", &[(1, "ada")]);
        body[key] = value;
        body.to_string()
    };
    let slots = |slots: &[(i64, &str)]| {
        let slots: Vec<Value> =
            slots.iter().map(|(id, agent)| json!({ "slotId": id, "agentId": agent })).collect();
        with("slots", Value::from(slots))
    };
    let seven: Vec<(i64, &str)> = (1..=7).map(|id| (id.min(6), "ada")).collect();
    let mut answers = String::new();
    for body in [
        "",
        "{",
        "[]",
        "{}",
        &with("message", json!(null)),
        &with("message", json!("")),
        &with("message", json!(" \n ")),
        &with("message", json!("x".repeat(16_001))),
        &with("conversationId", json!(7)),
        &with("conversationId", json!("a\u{0}b")),
        &with("conversationId", json!("x".repeat(129))),
        &slots(&[]),
        &slots(&seven),
        &slots(&[(1, "ada"), (1, "ben")]),
        &slots(&[(0, "ada")]),
        &slots(&[(7, "ada")]),
        &slots(&[(-1, "ada")]),
        &slots(&[(1, "adda")]),
        &slots(&[(1, "../../etc/passwd")]),
        &slots(&[(1, "")]),
        &with("slots", json!([{ "slotId": 1.5, "agentId": "ada" }])),
        &with("slots", json!([{ "slotId": "1", "agentId": "ada" }])),
        &with("slots", json!([{ "slotId": null, "agentId": "ada" }])),
        &with("slots", json!([{ "slotId": [1], "agentId": "ada" }])),
        &with("slots", json!([{ "slotId": 1 }])),
        &with("slots", json!("all")),
    ] {
        let request = server.request("POST", "/v1/chat").header("content-type", "application/json");
        let response = request.body(body.to_owned()).send().await.unwrap();
        let status = response.status().as_u16();
        let answer: Value = response.json().await.unwrap();
        let error = &answer["error"];
        let hint = error["context"]["hint"].as_str().map_or(String::new(), |hint| format!(" ({hint})"));
        let shown: String = body.chars().take(90).collect();
        let (code, message) = (error["code"].as_str().unwrap(), error["message"].as_str().unwrap());
        let _ = writeln!(answers, "{shown}\n    {status} {code} {message}{hint}");
    }
    expect![[r#"

            400 INVALID_JSON the body is no JSON: it is empty
        {
            400 INVALID_JSON the body is no JSON: it ends too early
        []
            422 INVALID_REQUEST the body must be an object with a message and slots, found a list of 0
        {}
            422 INVALID_REQUEST message is missing
        {"message":null,"slots":[{"slotId":1,"agentId":"ada"}]}
            422 INVALID_REQUEST message must be a text, found null
        {"message":"","slots":[{"slotId":1,"agentId":"ada"}]}
            422 INVALID_REQUEST a chorus needs a message (for example "What does rain sound like?")
        {"message":" \n ","slots":[{"slotId":1,"agentId":"ada"}]}
            422 INVALID_REQUEST a chorus needs a message (for example "What does rain sound like?")
        {"message":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
            422 INVALID_REQUEST a message has at most 16000 characters; this one has 16001
        {"message":"Hello?","slots":[{"slotId":1,"agentId":"ada"}],"conversationId":7}
            422 INVALID_REQUEST conversationId must be a text, found 7
        {"message":"Hello?","slots":[{"slotId":1,"agentId":"ada"}],"conversationId":"a\u0000b"}
            422 INVALID_REQUEST conversationId must have at most 128 characters, all on one line
        {"message":"Hello?","slots":[{"slotId":1,"agentId":"ada"}],"conversationId":"xxxxxxxxxxxxx
            422 INVALID_REQUEST conversationId must have at most 128 characters, all on one line
        {"message":"Hello?","slots":[]}
            422 INVALID_REQUEST a chorus takes 1 to 6 slots; none was given
        {"message":"Hello?","slots":[{"slotId":1,"agentId":"ada"},{"slotId":2,"agentId":"ada"},{"s
            422 INVALID_REQUEST a chorus takes 1 to 6 slots; 7 were given
        {"message":"Hello?","slots":[{"slotId":1,"agentId":"ada"},{"slotId":1,"agentId":"ben"}]}
            422 INVALID_REQUEST slot 1 is taken twice
        {"message":"Hello?","slots":[{"slotId":0,"agentId":"ada"}]}
            422 INVALID_REQUEST slotId must be a number from 1 to 6, found 0
        {"message":"Hello?","slots":[{"slotId":7,"agentId":"ada"}]}
            422 INVALID_REQUEST slotId must be a number from 1 to 6, found 7
        {"message":"Hello?","slots":[{"slotId":-1,"agentId":"ada"}]}
            422 INVALID_REQUEST slotId must be a number from 1 to 6, found -1
        {"message":"Hello?","slots":[{"slotId":1,"agentId":"adda"}]}
            422 INVALID_REQUEST there is no agent 'adda' (did you mean 'ada'?)
        {"message":"Hello?","slots":[{"slotId":1,"agentId":"../../etc/passwd"}]}
            422 INVALID_REQUEST there is no agent '../../etc/passwd' (there are ada, ben, cleo, dan, eve, finn, hoarse, patient, offline, late, limited, overloaded, shy)
        {"message":"Hello?","slots":[{"slotId":1,"agentId":""}]}
            422 INVALID_REQUEST there is no agent '' (there are ada, ben, cleo, dan, eve, finn, hoarse, patient, offline, late, limited, overloaded, shy)
        {"message":"Hello?","slots":[{"slotId":1.5,"agentId":"ada"}]}
            422 INVALID_REQUEST slotId must be a number from 1 to 6, found 1.5
        {"message":"Hello?","slots":[{"slotId":"1","agentId":"ada"}]}
            422 INVALID_REQUEST slotId must be a number from 1 to 6, found a text
        {"message":"Hello?","slots":[{"slotId":null,"agentId":"ada"}]}
            422 INVALID_REQUEST slotId must be a number from 1 to 6, found null
        {"message":"Hello?","slots":[{"slotId":[1],"agentId":"ada"}]}
            422 INVALID_REQUEST slotId must be a number from 1 to 6, found an array
        {"message":"Hello?","slots":[{"slotId":1}]}
            422 INVALID_REQUEST slots[0].agentId is missing
        {"message":"Hello?","slots":"all"}
            422 INVALID_REQUEST slots must be a list, found "all"
    "#]].assert_eq(&answers);
    assert_eq!(server.json("/v1/runs").await["runs"].as_array().unwrap().len(), 0, "nothing was begun");
}
