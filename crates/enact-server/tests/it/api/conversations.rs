//! Conversations: what slots remember, for whom, and until when.

use enact_drama::chorus::Turn;
use enact_server::access::{Access, Scope, Token};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

use super::{
    server::{ENOUGH, Server, chat, session},
    stream::Events,
};

const ONE: &str = "one-0123456789abcdef";
const TWO: &str = "two-0123456789abcdef";
const EYES: &str = "eyes-0123456789abcdef";

fn in_conversation(name: &str, message: &str, slots: &[(u8, &str)]) -> Value {
    let mut body = chat(message, slots);
    body["conversationId"] = name.into();
    body
}

async fn played(request: RequestBuilder) {
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let text = response.text().await.unwrap();
    assert!(text.contains("\nevent: done\n"), "{text}");
}

async fn refused(response: Response, status: u16) -> Value {
    assert_eq!(response.status(), status);
    response.json::<Value>().await.unwrap()["error"].take()
}

async fn cleared(request: RequestBuilder) -> Value {
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    response.json().await.unwrap()
}

#[tokio::test]
async fn the_next_message_goes_on_until_a_reset() {
    let server = Server::start().await;
    let slots = [(1, "ada"), (2, "ben")];
    server.chat_out("First?", &slots).await;
    server.chat_out("Second?", &slots).await;
    let told = server.test_chorus.agents.told("slot-1", Turn::Respond);
    assert!(told.contains("ADA has heard: First?") && told.contains("Second?"), "{told}");

    // Who else takes the slot was not there.
    server.chat_out("Third?", &[(1, "ada"), (2, "cleo")]).await;
    assert!(server.test_chorus.agents.told("slot-1", Turn::Respond).contains("First?"));
    let told = server.test_chorus.agents.told("slot-2", Turn::Respond);
    assert!(!told.contains("First?") && !told.contains("Second?"), "{told}");

    // A kiosk's button sends no body, and says nothing about it.
    let answer = cleared(server.request("POST", "/v1/reset")).await;
    assert_eq!(answer, json!({ "status": "ok", "clearedSlots": [1, 2] }));
    assert_eq!(
        cleared(server.request("POST", "/v1/reset")).await["clearedSlots"],
        json!([]),
        "there is nothing left"
    );
    server.chat_out("Fourth?", &slots).await;
    let told = server.test_chorus.agents.told("slot-1", Turn::Respond);
    assert!(told.contains("Fourth?") && !told.contains("First?"), "{told}");
}

#[tokio::test]
async fn a_conversation_takes_one_message_at_a_time() {
    let server = Server::start().await;
    let first = server.chat("First?", &[(1, "patient")]).await;
    let run = session(&first);
    let error = refused(server.chat("Second?", &[(1, "ada")]).await, 409).await;
    assert_eq!(error["code"], "CONVERSATION_BUSY");
    assert_eq!(error["context"]["runId"], run.to_string());

    // Other conversations go on.
    server.test_chorus.let_speak(ENOUGH);
    let elsewhere = in_conversation("elsewhere", "Second?", &[(1, "ada")]);
    played(server.request("POST", "/v1/chat").json(&elsewhere)).await;

    server.let_answer(1);
    Events::of(first).until("done").await;
    server.chat_out("Second?", &[(1, "ada")]).await;
}

#[tokio::test]
async fn a_reset_frees_a_conversation_at_once() {
    let server = Server::start().await;
    server.test_chorus.let_speak(ENOUGH);
    let first = server.chat("First?", &[(1, "patient")]).await;
    // A page that is loaded anew knows nothing of the message that is being answered.
    cleared(server.request("POST", "/v1/reset").json(&json!({}))).await;
    let second = server.chat("Second?", &[(2, "ada")]).await;
    assert_eq!(second.status(), 200);
    assert_eq!(Events::of(second).until("done").await.data.get("reason"), None);
    assert_eq!(Events::of(first).until("done").await.data["reason"], "cancelled", "no answer was let out");
    server.chat_out("Third?", &[(2, "ada")]).await;
    let told = server.test_chorus.agents.told("slot-2", Turn::Respond);
    assert!(told.contains("Second?") && !told.contains("First?"), "{told}");
}

#[tokio::test]
async fn a_reset_frees_a_conversation_that_waits_to_be_played() {
    let server = Server::start().await;
    server.test_chorus.let_speak(ENOUGH);
    for message in ["First?", "Second?", "Third?"] {
        let response = server.chat(message, &[(1, "patient")]).await;
        assert_eq!(response.status(), 200, "{message}");
        cleared(server.request("POST", "/v1/reset")).await;
    }
    server.chat_out("Fourth?", &[(2, "ada")]).await;
    let told = server.test_chorus.agents.told("slot-2", Turn::Respond);
    assert!(!["First?", "Second?", "Third?"].iter().any(|before| told.contains(before)), "{told}");
}

#[tokio::test]
async fn no_caller_reaches_another_s_conversation() {
    let access = [("one", ONE, Scope::Run), ("two", TWO, Scope::Admin), ("eyes", EYES, Scope::Read)]
        .into_iter()
        .fold(Access::default(), |access, (name, secret, scope)| {
            access.token(Token::new(name, secret, scope).unwrap()).unwrap()
        });
    let server = Server::guarded(access).await;
    server.test_chorus.let_speak(ENOUGH);
    let post = |path: &str, token: &str| server.request("POST", path).bearer_auth(token);
    let body = |message: &str| in_conversation("kiosk", message, &[(1, "ada")]);
    played(post("/v1/chat", ONE).json(&body("A secret?"))).await;
    played(post("/v1/chat", TWO).json(&body("Anything?"))).await;
    assert!(!server.test_chorus.agents.told("slot-1", Turn::Respond).contains("A secret?"));

    let kiosk = json!({ "conversationId": "kiosk" });
    assert_eq!(cleared(post("/v1/reset", TWO).json(&kiosk)).await["clearedSlots"], json!([1]), "its own");
    played(post("/v1/chat", ONE).json(&body("Do you remember?"))).await;
    assert!(server.test_chorus.agents.told("slot-1", Turn::Respond).contains("A secret?"));
    assert_eq!(cleared(post("/v1/reset", ONE)).await["clearedSlots"], json!([]), "the one without a name");
    assert_eq!(cleared(post("/v1/reset", ONE).json(&kiosk)).await["clearedSlots"], json!([1]));

    for (path, body) in [("/v1/chat", body("Hello?")), ("/v1/reset", kiosk)] {
        let error = refused(post(path, EYES).json(&body).send().await.unwrap(), 403).await;
        assert_eq!(error["context"]["scope"], "run", "{path}");
    }
    let agents = server.request("GET", "/v1/agents").bearer_auth(EYES).send().await.unwrap();
    assert_eq!(agents.status(), 200);
    for path in ["/v1/agents", "/v1/audio/tts/sessions/x.wav", "/v1/chat/7/events"] {
        refused(server.get(path).await, 401).await;
    }
}

#[tokio::test]
async fn resets_that_make_no_sense() {
    let server = Server::start().await;
    for (kind, body, status, code) in [
        ("application/json", "{", 400, "INVALID_JSON"),
        ("application/json", "[]", 422, "INVALID_REQUEST"),
        ("application/json", r#"{"conversation": "x"}"#, 422, "INVALID_REQUEST"),
        ("application/json", r#"{"conversationId": "a\nb"}"#, 422, "INVALID_REQUEST"),
        ("text/plain", r#"{"conversationId": "x"}"#, 415, "NOT_JSON"),
    ] {
        let request = server.request("POST", "/v1/reset").header("content-type", kind).body(body);
        let error = refused(request.send().await.unwrap(), status).await;
        assert_eq!(error["code"], code, "{body}");
    }
    // What is empty needs no type, and no type makes it something.
    let request = server.request("POST", "/v1/reset").header("content-type", "application/json");
    assert_eq!(cleared(request).await["clearedSlots"], json!([]));
}

#[tokio::test]
async fn pages_of_allowed_origins_may_chat_and_others_may_not() {
    let page = "http://localhost:5173";
    let server = Server::guarded(Access::default().allow_origin(page).unwrap()).await;
    server.test_chorus.let_speak(ENOUGH);
    let asks = server
        .request("OPTIONS", "/v1/chat")
        .header("origin", page)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type,last-event-id,range");
    let allowed = asks.send().await.unwrap();
    assert_eq!(allowed.status(), 200);
    assert_eq!(allowed.headers()["access-control-allow-origin"], page);
    let headers = allowed.headers()["access-control-allow-headers"].to_str().unwrap().to_lowercase();
    assert!(
        ["content-type", "last-event-id", "range"].iter().all(|name| headers.contains(name)),
        "{headers}"
    );

    let body = chat("Hello?", &[(1, "ada")]);
    let post = |origin: &str| server.request("POST", "/v1/chat").header("origin", origin).json(&body).send();
    let response = post(page).await.unwrap();
    assert_eq!(response.headers()["access-control-allow-origin"], page);
    let exposed = response.headers()["access-control-expose-headers"].to_str().unwrap().to_lowercase();
    assert!(exposed.contains("location") && exposed.contains("content-range"), "{exposed}");
    let run = session(&response);
    assert!(response.text().await.unwrap().contains("event: done"));
    let again = server.request("GET", &format!("/v1/chat/{run}/events")).header("origin", page);
    assert_eq!(again.send().await.unwrap().headers()["access-control-allow-origin"], page);

    let error = refused(post("https://elsewhere.example").await.unwrap(), 403).await;
    assert_eq!(error["code"], "ORIGIN_NOT_ALLOWED");
}
