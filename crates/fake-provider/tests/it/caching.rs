//! Caches seen from outside: what is claimed is what is billed, and failures write nothing.

use std::time::Duration;

use fake_provider::{Api, BilledUsage, FakeProvider, Fault, PlannedResponse, Script};
use serde_json::{Value, json};

use crate::client::{KEY, client, tell, with_key};

/// A system block of 2000 tokens and a message of 10, each with a breakpoint if wanted.
fn request(system: &Value, message: &Value) -> Value {
    let block = |text: String, control: &Value| match control {
        Value::Null => json!({"type": "text", "text": text}),
        control => json!({"type": "text", "text": text, "cache_control": control}),
    };
    json!({
        "model": "m",
        "max_tokens": 100,
        "system": [block("rule".repeat(2000), system)],
        "messages": [{"role": "user", "content": [block("beat".repeat(10), message)]}],
    })
}

async fn post(server: &FakeProvider, body: &Value) -> (u16, Value) {
    let request = client().post(server.base_url() + "messages");
    let told = tell(with_key(request, Api::Anthropic, KEY).json(body)).await;
    (told.status, serde_json::from_str(&told.body).expect("JSON"))
}

#[tokio::test]
async fn what_is_claimed_is_what_is_billed() {
    let server = FakeProvider::builder().script(|_| PlannedResponse::text("[SILENT]")).start().await;
    let ephemeral = json!({"type": "ephemeral"});
    let body = request(&ephemeral, &Value::Null);
    let (_, first) = post(&server, &body).await;
    assert_eq!(first["usage"]["cache_creation_input_tokens"], 2000);
    assert_eq!(first["usage"]["cache_read_input_tokens"], 0);
    let (_, second) = post(&server, &body).await;
    assert_eq!(second["usage"]["cache_creation_input_tokens"], 0);
    assert_eq!(second["usage"]["cache_read_input_tokens"], 2000);
    assert_eq!(second["usage"]["input_tokens"], 10);
    server.let_caches_age(Duration::from_secs(5 * 60));
    let (_, third) = post(&server, &body).await;
    assert_eq!(third["usage"]["cache_read_input_tokens"], 0);

    let billed: Vec<BilledUsage> = server.seen().iter().map(|seen| seen.usage).collect();
    let written = BilledUsage { uncached: 10, cache_write: 2000, output: 2, ..BilledUsage::default() };
    let read = BilledUsage { uncached: 10, cache_read: 2000, output: 2, ..BilledUsage::default() };
    assert_eq!(billed, [written, read, written]);
    let total = BilledUsage {
        uncached: 30,
        cache_read: 2000,
        cache_write: 4000,
        output: 6,
        ..BilledUsage::default()
    };
    assert_eq!(server.usage(), total);
}

#[tokio::test]
async fn an_hour_is_told_apart() {
    let server = FakeProvider::start().await;
    let body = request(&json!({"type": "ephemeral", "ttl": "1h"}), &json!({"type": "ephemeral"}));
    let (_, answer) = post(&server, &body).await;
    let expected = json!({"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 2000});
    assert_eq!(answer["usage"]["cache_creation"], expected);
}

#[tokio::test]
async fn failures_write_nothing() {
    let script = Script::sequence(vec![PlannedResponse::fault(Fault::Status(529, None))]);
    let server = FakeProvider::builder().play(script).start().await;
    let body = request(&json!({"type": "ephemeral"}), &Value::Null);
    assert_eq!(post(&server, &body).await.0, 529);
    let (_, answer) = post(&server, &body).await;
    assert_eq!(answer["usage"]["cache_read_input_tokens"], 0);
    assert_eq!(server.seen()[0].usage, BilledUsage::default());
}

#[tokio::test]
async fn readable_as_soon_as_the_first_answer_has_begun() {
    // The first answer begins and never ends.
    let script = Script::sequence(vec![PlannedResponse::reply().with_fault(Fault::HangAfter(1))]);
    let server = FakeProvider::builder().play(script).start().await;
    let body = request(&json!({"type": "ephemeral"}), &Value::Null);
    let mut streamed = body.clone();
    streamed["stream"] = json!(true);
    let request = client().post(server.base_url() + "messages");
    let mut open = with_key(request, Api::Anthropic, KEY).json(&streamed).send().await.expect("a head");
    let begun = open.chunk().await.expect("a piece");
    assert!(begun.is_some());
    let (_, answer) = post(&server, &body).await;
    assert_eq!(answer["usage"]["cache_read_input_tokens"], 2000);
    assert_eq!(server.in_flight(), 1);
}

#[tokio::test]
async fn rules_of_the_messages_api() {
    let ephemeral = json!({"type": "ephemeral"});
    let good = request(&ephemeral, &ephemeral);
    let with = |place: &str, value: Value| {
        let mut body = good.clone();
        *body.pointer_mut(place).expect("a place") = value;
        body
    };
    let text = |text: &str| json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}});
    let cases = [
        (with("/max_tokens", Value::Null), "max_tokens: Field required"),
        (with("/messages", json!([])), "messages: at least one message is required"),
        (with("/messages/0/role", json!("assistant")), "messages: first message must use the \"user\" role"),
        (
            with("/messages/0/content", json!([{"type": "text", "text": ""}])),
            "messages: text content blocks must be non-empty",
        ),
        (with("/messages/0/content", json!([text("")])), "cache_control cannot be set for empty text blocks"),
        (
            with("/messages/0/content", json!([text("a"), text("b"), text("c"), text("d")])),
            "A maximum of 4 blocks with cache_control may be provided. Found 5.",
        ),
        (
            with("/messages/0/content/0/cache_control", json!({"type": "ephemeral", "ttl": "1h"})),
            "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are \
             processed in the following order: `tools`, `system`, `messages`.",
        ),
    ];
    let server = FakeProvider::start().await;
    assert_eq!(post(&server, &good).await.0, 200);
    for (body, message) in cases {
        let (status, answer) = post(&server, &body).await;
        assert_eq!(status, 400, "{message}");
        let error = json!({"type": "invalid_request_error", "message": message});
        assert_eq!(answer["error"], error);
    }
}
