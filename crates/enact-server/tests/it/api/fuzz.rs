//! Whatever is asked, the server has an answer that is no fault of its own.

use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use serde_json::Value;

use super::server::{Server, apology, chat, gated};

/// How many requests are made up. Each takes less than a millisecond.
const REQUESTS: u32 = 1_500;

#[derive(Debug, Clone)]
struct Made {
    method: &'static str,
    path: String,
    query: Option<String>,
    headers: Vec<(&'static str, String)>,
    body: Option<Vec<u8>>,
}

fn path(runs: Vec<String>) -> impl Strategy<Value = String> {
    let run = prop_oneof![4 => prop::sample::select(runs), 1 => "[a-z0-9%.-]{0,40}"];
    let below = prop::sample::select(vec![
        "",
        "/events",
        "/log",
        "/transcript",
        "/costs",
        "/commands",
        "/cancel",
        "/pause",
        "/resume",
        "/step",
        "/notes",
        "/world-events",
        "/fork",
        "/x",
    ]);
    prop_oneof![
        6 => (run.clone(), below).prop_map(|(run, below)| format!("/v1/runs/{run}{below}")),
        1 => run.clone().prop_map(|run| format!("/v1/chat/{run}/events")),
        1 => "(tts|sessions|[a-zA-Z0-9._%-]{0,12})(/[a-zA-Z0-9._%-]{0,12}){0,4}(\\.wav|\\.json)?"
            .prop_map(|path| format!("/v1/audio/{path}")),
        3 => prop::sample::select(vec!["/v1/chat", "/v1/reset", "/v1/agents", "/v1/scenes", "/v1/runs", "/v1/costs", "/v1/health", "/metrics", "/v1/openapi.json"])
            .prop_map(str::to_owned),
        1 => "(/[a-zA-Z0-9._~%{}-]{0,12}){0,5}".prop_map(|path| format!("/{path}")),
    ]
}

fn query() -> impl Strategy<Value = Option<String>> {
    let key = prop::sample::select(vec![
        "from",
        "to",
        "speed",
        "format",
        "by",
        "limit",
        "before",
        "status",
        "name",
        "production",
        "parent",
        "x",
    ]);
    let value = prop_oneof![
        "[0-9]{1,25}",
        "-?[0-9.e]{0,6}",
        "[a-z,]{0,12}",
        "[ -~&&[^#&=]]{0,12}",
        prop::sample::select(vec![
            "txt",
            "day",
            "finished",
            "2026-01-01",
            "NaN",
            "inf",
            "%00",
            "%ff",
            "%f0%9f%98%80"
        ])
        .prop_map(str::to_owned),
    ];
    let pair = (key, value).prop_map(|(key, value)| format!("{key}={value}"));
    prop::option::of(prop::collection::vec(pair, 0..4).prop_map(|pairs| pairs.join("&").replace(' ', "+")))
}

fn json(depth: u32) -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "\\PC{0,20}",
        prop::sample::select(vec!["alice", "bob", "gated", "\u{0}", "\r\n", "../x", "retry"])
            .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (0_i64..5).prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    let key = prop::sample::select(vec![
        "config",
        "sheets",
        "name",
        "prompt",
        "characters",
        "initialSpeaker",
        "maxBeats",
        "setting",
        "goals",
        "events",
        "replyTimeoutSeconds",
        "humanTimeoutSeconds",
        "window",
        "seed",
        "language",
        "stageDirections",
        "onMalformed",
        "models",
        "judge",
        "to",
        "text",
        "beat",
        "alice",
    ]);
    leaf.prop_recursive(depth, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key.clone().prop_map(str::to_owned), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A scene in which some of the keys are something else.
fn scene() -> impl Strategy<Value = Value> {
    let key = prop::sample::select(vec![
        "name",
        "prompt",
        "characters",
        "initialSpeaker",
        "maxBeats",
        "goals",
        "events",
        "replyTimeoutSeconds",
        "humanTimeoutSeconds",
        "window",
        "seed",
        "language",
        "stageDirections",
        "onMalformed",
        "models",
        "judge",
    ]);
    prop::collection::vec((key, json(2)), 0..3).prop_map(|changes| {
        let mut scene = apology();
        scene["maxBeats"] = 2.into();
        for (key, value) in changes {
            scene[key] = value;
        }
        serde_json::json!({ "config": scene })
    })
}

/// A message to a chorus in which some of the keys are something else.
fn message() -> impl Strategy<Value = Value> {
    let key = prop::sample::select(vec!["message", "slots", "conversationId", "x"]);
    let slots =
        prop::collection::vec((0_u8..8, prop::sample::select(vec!["ada", "ben", "shy", "nobody"])), 0..7);
    (slots, prop::collection::vec((key, json(2)), 0..2)).prop_map(|(slots, changes)| {
        let mut message = chat("Hello?", &slots);
        for (key, value) in changes {
            message[key] = value;
        }
        message
    })
}

fn body() -> impl Strategy<Value = Option<Vec<u8>>> {
    prop_oneof![
        2 => Just(None),
        4 => json(4).prop_map(|value| Some(value.to_string().into_bytes())),
        3 => scene().prop_map(|value| Some(value.to_string().into_bytes())),
        2 => message().prop_map(|value| Some(value.to_string().into_bytes())),
        1 => prop::collection::vec(any::<u8>(), 0..200).prop_map(Some),
    ]
}

fn headers() -> impl Strategy<Value = Vec<(&'static str, String)>> {
    let name = prop::sample::select(vec![
        "last-event-id",
        "idempotency-key",
        "content-type",
        "accept",
        "range",
        "if-range",
        "if-modified-since",
        "if-none-match",
        "x-request-id",
    ]);
    let value = prop_oneof![
        "[0-9]{1,25}",
        "[!-~]{0,20}",
        prop::sample::select(vec!["application/json", "text/plain", "0", "5"]).prop_map(str::to_owned),
    ];
    prop::collection::vec((name, value), 0..3)
}

fn made(runs: Vec<String>) -> impl Strategy<Value = Made> {
    let method = prop::sample::select(vec![
        "GET", "GET", "POST", "POST", "POST", "HEAD", "PUT", "PATCH", "OPTIONS", "BREW",
    ]);
    (method, path(runs), query(), headers(), body()).prop_map(|(method, path, query, headers, body)| Made {
        method,
        path,
        query,
        headers,
        body,
    })
}

#[tokio::test]
async fn no_request_is_a_fault_of_the_server() {
    let server = Server::start().await;
    let finished = server.play_out(apology()).await;
    let playing = server.play(gated()).await;
    let chorus = server.chat_out("Hello?", &[(1, "ada"), (2, "ben")]).await;
    let made = made(vec![finished.to_string(), playing.to_string(), chorus.to_string()]);
    let mut runner = TestRunner::new(Config::default());
    for _ in 0..REQUESTS {
        let made = made.new_tree(&mut runner).unwrap().current();
        let query = made.query.as_ref().map_or(String::new(), |query| format!("?{query}"));
        // What reqwest itself does not take for a URL, no client could send.
        let Ok(url) = reqwest::Url::parse(&format!("{}{}{query}", server.base, made.path)) else { continue };
        let method = reqwest::Method::from_bytes(made.method.as_bytes()).unwrap();
        let mut request = server.client.request(method, url);
        if made.body.is_some() && !made.headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in &made.headers {
            request = request.header(*name, value);
        }
        if let Some(body) = &made.body {
            request = request.body(body.clone());
        }
        let response = request.send().await.unwrap();
        let status = response.status();
        assert!(status.as_u16() < 500, "{status} for {made:?}");
        // Some streams never end; what was refused says why.
        if status.is_client_error() && made.method != "HEAD" {
            let body: Value = response.json().await.unwrap_or_else(|error| panic!("{error} for {made:?}"));
            assert!(body["error"]["code"].is_string() && body["error"]["message"].is_string(), "{body}");
        }
    }
    // It is still well.
    assert_eq!(server.json("/v1/health").await["ready"], true);
    server.play_out(apology()).await;
}
