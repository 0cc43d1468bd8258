//! What `docs/serve.md` promises, tried with hostile requests that need only that page: a table of
//! requests, and what each must be answered with. `promised_sequences` has those that only go wrong together.

use reqwest::{RequestBuilder, Response};
use serde_json::{Value, json};

use super::server::{Server, apology, gated};

/// One request: method, path with `{over}`, `{playing}`, `{chorus}` and `{none}` for runs, headers, body, and
/// the status and the code that it is answered with.
type Row = (&'static str, &'static str, &'static [(&'static str, &'static str)], Body, u16, &'static str);

#[derive(Debug, Clone)]
enum Body {
    None,
    Json(Value),
    Raw(&'static [u8]),
    Long(usize),
}

use Body::{Json, Long, None as Empty, Raw};

const JSON: (&str, &str) = ("content-type", "application/json");
const NO_CODE: &str = "";
const LONG_KEY: &str = concat!(
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789",
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789",
    "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789",
);

fn rows() -> Vec<Row> {
    let scene = |change: Value| {
        let mut config = apology();
        change.as_object().unwrap().iter().for_each(|(key, value)| config[key] = value.clone());
        Json(json!({ "config": config }))
    };
    let note = |text: String| Json(json!({ "text": text }));
    let chat = |slots: Value| Json(json!({ "message": "Hello?", "slots": slots }));
    vec![
        // Paths, methods and runs that are not there.
        ("GET", "/nothing", &[], Empty, 404, "NO_SUCH_ROUTE"),
        ("GET", "/v1", &[], Empty, 404, "NO_SUCH_ROUTE"),
        ("GET", "/v1/runs/", &[], Empty, 404, "NO_SUCH_ROUTE"),
        ("GET", "/v2/runs", &[], Empty, 404, "NO_SUCH_ROUTE"),
        ("GET", "/V1/RUNS", &[], Empty, 404, "NO_SUCH_ROUTE"),
        ("GET", "/v1/runs/{none}", &[], Empty, 404, "RUN_NOT_FOUND"),
        ("GET", "/v1/runs/%00", &[], Empty, 404, "RUN_NOT_FOUND"),
        ("GET", "/v1/runs/%F0%9F%92%A5", &[], Empty, 404, "RUN_NOT_FOUND"),
        ("GET", "/v1/runs/..%2f..%2fetc%2fpasswd", &[], Empty, 404, "RUN_NOT_FOUND"),
        ("GET", "/v1/runs/{none}/events", &[], Empty, 404, "RUN_NOT_FOUND"),
        ("GET", "/v1/runs/{none}/result", &[], Empty, 404, "RUN_NOT_FOUND"),
        ("GET", "/v1/chat/{none}/events", &[], Empty, 404, "RUN_NOT_FOUND"),
        ("POST", "/v1/runs/{none}/cancel", &[], Empty, 404, "RUN_NOT_FOUND"),
        ("DELETE", "/v1/runs/{none}", &[], Empty, 404, "RUN_NOT_FOUND"),
        ("PUT", "/v1/runs", &[], Empty, 405, "METHOD_NOT_ALLOWED"),
        ("DELETE", "/v1/runs", &[], Empty, 405, "METHOD_NOT_ALLOWED"),
        ("POST", "/v1/runs/{over}", &[], Empty, 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/v1/scenes", &[], Empty, 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/v1/chat", &[], Empty, 405, "METHOD_NOT_ALLOWED"),
        ("HEAD", "/v1/reset", &[], Empty, 405, NO_CODE),
        ("TRACE", "/v1/health", &[], Empty, 405, "METHOD_NOT_ALLOWED"),
        ("OPTIONS", "/v1/runs", &[], Empty, 405, "METHOD_NOT_ALLOWED"),
        ("HEAD", "/v1/runs/{none}", &[], Empty, 404, NO_CODE),
        ("HEAD", "/v1/runs/{over}/log", &[], Empty, 200, NO_CODE),
        ("HEAD", "/v1/runs/{playing}/events", &[], Empty, 200, NO_CODE),
        // Bodies.
        ("POST", "/v1/scenes", &[("content-type", "text/plain")], Raw(b"{}"), 415, "NOT_JSON"),
        ("POST", "/v1/scenes", &[], Raw(b"{}"), 415, "NOT_JSON"),
        (
            "POST",
            "/v1/scenes",
            &[("content-type", "application/x-www-form-urlencoded")],
            Raw(b"a=b"),
            415,
            "NOT_JSON",
        ),
        ("POST", "/v1/scenes", &[JSON], Raw(b""), 400, "INVALID_JSON"),
        ("POST", "/v1/scenes", &[JSON], Raw(b"{\"config\":"), 400, "INVALID_JSON"),
        ("POST", "/v1/scenes", &[JSON], Raw(b"\xff\xfe{}"), 400, "INVALID_JSON"),
        ("POST", "/v1/scenes", &[JSON], Raw(b"{\"config\": {\"name\": \"\xc3\x28\"}}"), 400, "INVALID_JSON"),
        ("POST", "/v1/scenes", &[JSON], Raw(b"{} {}"), 400, "INVALID_JSON"),
        ("POST", "/v1/scenes", &[JSON], Raw(b"[]"), 422, "INVALID_REQUEST"),
        ("POST", "/v1/scenes", &[JSON], Raw(b"null"), 422, "INVALID_REQUEST"),
        ("POST", "/v1/scenes", &[JSON], Raw(b"{}"), 422, "INVALID_REQUEST"),
        ("POST", "/v1/scenes", &[JSON], Long(1_048_577), 413, "TOO_LARGE"),
        ("POST", "/v1/runs/{playing}/notes", &[JSON], Long(1_048_577), 413, "TOO_LARGE"),
        ("POST", "/v1/chat", &[JSON], Long(1_048_577), 413, "TOO_LARGE"),
        // Scenes: nothing in a request is a path, an address or a key.
        ("POST", "/v1/scenes", &[], scene(json!({ "name": null })), 422, "INVALID_CONFIG"),
        (
            "POST",
            "/v1/scenes",
            &[],
            scene(json!({ "characters": ["nobody", "bob"] })),
            422,
            "CHARACTER_LOAD_ERROR",
        ),
        (
            "POST",
            "/v1/scenes",
            &[],
            scene(json!({ "characters": ["../alice", "bob"] })),
            422,
            "INVALID_CONFIG",
        ),
        (
            "POST",
            "/v1/scenes",
            &[],
            scene(json!({ "characters": ["/etc/passwd", "bob"] })),
            422,
            "INVALID_CONFIG",
        ),
        (
            "POST",
            "/v1/scenes",
            &[],
            scene(json!({ "models": { "alice": "script:/etc/passwd" } })),
            422,
            "INVALID_CONFIG",
        ),
        (
            "POST",
            "/v1/scenes",
            &[],
            scene(json!({ "models": { "alice": "http://127.0.0.1/" } })),
            422,
            "INVALID_CONFIG",
        ),
        ("POST", "/v1/scenes", &[], scene(json!({ "maxBeats": -1 })), 422, "INVALID_CONFIG"),
        ("POST", "/v1/scenes", &[], scene(json!({ "maxBeats": 1e300 })), 422, "INVALID_CONFIG"),
        ("POST", "/v1/scenes", &[], scene(json!({ "characters": [] })), 422, "INVALID_CONFIG"),
        (
            "POST",
            "/v1/scenes",
            &[],
            Json(json!({ "config": apology(), "sheets": { "../x": "# X" } })),
            422,
            "CHARACTER_LOAD_ERROR",
        ),
        // Commands.
        (
            "POST",
            "/v1/runs/{playing}/commands",
            &[],
            Json(json!({ "command": "explode" })),
            400,
            "INVALID_COMMAND",
        ),
        ("POST", "/v1/runs/{playing}/commands", &[], Json(json!({})), 400, "INVALID_COMMAND"),
        (
            "POST",
            "/v1/runs/{playing}/commands",
            &[],
            Json(json!({ "command": "answer", "ask": 1, "text": "x" })),
            400,
            "INVALID_COMMAND",
        ),
        (
            "POST",
            "/v1/runs/{playing}/commands",
            &[],
            Json(json!({ "command": "note", "text": "é".repeat(2_001) })),
            400,
            "INVALID_COMMAND",
        ),
        (
            "POST",
            "/v1/runs/{playing}/commands",
            &[],
            Json(json!({ "command": "world_event", "text": "é".repeat(501) })),
            400,
            "INVALID_COMMAND",
        ),
        (
            "POST",
            "/v1/runs/{playing}/commands",
            &[],
            Json(json!({ "command": "note", "text": "x", "to": "nobody" })),
            400,
            "INVALID_COMMAND",
        ),
        (
            "POST",
            "/v1/runs/{playing}/commands",
            &[],
            Json(json!({ "command": "Cancel" })),
            400,
            "INVALID_COMMAND",
        ),
        ("POST", "/v1/runs/{playing}/commands", &[], Json(json!(["cancel"])), 400, "INVALID_COMMAND"),
        ("POST", "/v1/runs/{playing}/commands", &[], Json(json!("cancel")), 400, "INVALID_COMMAND"),
        ("POST", "/v1/runs/{playing}/notes", &[], Json(json!(["x"])), 422, "INVALID_REQUEST"),
        ("POST", "/v1/runs/{playing}/notes", &[], Json(json!(["x", "alice"])), 422, "INVALID_REQUEST"),
        ("POST", "/v1/runs/{playing}/world-events", &[], Json(json!(["x"])), 422, "INVALID_REQUEST"),
        ("POST", "/v1/runs/{over}/fork", &[], Json(json!([1, null, null])), 422, "INVALID_REQUEST"),
        ("POST", "/v1/scenes", &[], Json(json!([apology(), {}])), 422, "INVALID_REQUEST"),
        (
            "POST",
            "/v1/chat",
            &[],
            Json(json!(["Hello?", [{ "slotId": 1, "agentId": "ada" }], null])),
            422,
            "INVALID_REQUEST",
        ),
        ("POST", "/v1/reset", &[], Json(json!([null])), 422, "INVALID_REQUEST"),
        ("POST", "/v1/runs/{playing}/notes", &[], note("é".repeat(2_001)), 422, "INVALID_REQUEST"),
        ("POST", "/v1/runs/{playing}/notes", &[], note("é".repeat(2_000)), 202, NO_CODE),
        ("POST", "/v1/runs/{playing}/notes", &[], note(String::new()), 422, "INVALID_REQUEST"),
        (
            "POST",
            "/v1/runs/{playing}/notes",
            &[],
            Json(json!({ "text": "x", "to": "nobody" })),
            422,
            "INVALID_REQUEST",
        ),
        ("POST", "/v1/runs/{playing}/world-events", &[], note("é".repeat(501)), 422, "INVALID_REQUEST"),
        ("POST", "/v1/runs/{playing}/world-events", &[], note("é".repeat(500)), 202, NO_CODE),
        (
            "POST",
            "/v1/runs/{over}/commands",
            &[],
            Json(json!({ "command": "note", "text": "x" })),
            409,
            "RUN_ENDED",
        ),
        ("POST", "/v1/runs/{over}/notes", &[], note("x".to_owned()), 409, "RUN_ENDED"),
        ("POST", "/v1/runs/{over}/world-events", &[], note("x".to_owned()), 409, "RUN_ENDED"),
        ("POST", "/v1/runs/{over}/pause", &[], Empty, 409, "RUN_ENDED"),
        ("POST", "/v1/runs/{over}/step", &[], Empty, 409, "RUN_ENDED"),
        ("POST", "/v1/runs/{over}/cancel", &[], Empty, 409, "RUN_ENDED"),
        (
            "POST",
            "/v1/runs/{chorus}/commands",
            &[],
            Json(json!({ "command": "note", "text": "x" })),
            400,
            "INVALID_COMMAND",
        ),
        ("DELETE", "/v1/runs/{playing}", &[], Empty, 409, "RUN_PLAYING"),
        // Forks.
        ("POST", "/v1/runs/{over}/fork", &[], Json(json!({ "beat": 9_999 })), 422, "BEAT_NOT_PLAYED"),
        (
            "POST",
            "/v1/runs/{over}/fork",
            &[],
            Json(json!({ "beat": 1, "line": 9_999 })),
            422,
            "BEAT_NOT_PLAYED",
        ),
        ("POST", "/v1/runs/{over}/fork", &[], Json(json!({ "beat": -1 })), 422, "INVALID_REQUEST"),
        ("POST", "/v1/runs/{over}/fork", &[], Json(json!({ "beat": 1.5 })), 422, "INVALID_REQUEST"),
        ("POST", "/v1/runs/{over}/fork", &[], Json(json!({})), 422, "INVALID_REQUEST"),
        // Results, forms, lists and costs.
        ("GET", "/v1/runs/{playing}/result", &[], Empty, 409, "RUN_UNFINISHED"),
        ("GET", "/v1/runs/{over}/transcript?format=exe", &[], Empty, 400, "INVALID_PARAMETER"),
        ("GET", "/v1/runs/{over}/transcript?format=..%2f..", &[], Empty, 400, "INVALID_PARAMETER"),
        ("GET", "/v1/runs/{over}/recording?line=first", &[], Empty, 400, "INVALID_PARAMETER"),
        ("GET", "/v1/runs/{over}/recording?line=0", &[], Empty, 404, "AUDIO_NOT_FOUND"),
        ("POST", "/v1/check", &[], Empty, 415, "NOT_JSON"),
        ("POST", "/v1/check", &[], Json(json!({ "config": {} })), 422, "INVALID_CONFIG"),
        ("POST", "/v1/check", &[], Json(json!({})), 422, "INVALID_REQUEST"),
        ("GET", "/v1/runs?limit=0", &[], Empty, 400, "INVALID_PARAMETER"),
        ("GET", "/v1/runs?limit=501", &[], Empty, 400, "INVALID_PARAMETER"),
        ("GET", "/v1/runs?limit=99999999999999999999", &[], Empty, 400, "INVALID_PARAMETER"),
        ("GET", "/v1/runs?status=dead", &[], Empty, 400, "INVALID_PARAMETER"),
        ("GET", "/v1/runs?status=playing,finished&status=paused", &[], Empty, 200, NO_CODE),
        ("GET", "/v1/runs?before=yesterday", &[], Empty, 400, "INVALID_PARAMETER"),
        ("GET", "/v1/runs?parent=%FF", &[], Empty, 400, "INVALID_PARAMETER"),
        ("GET", "/v1/costs?by=zodiac", &[], Empty, 400, "INVALID_PARAMETER"),
        ("GET", "/v1/costs?from=tomorrow", &[], Empty, 400, "INVALID_PARAMETER"),
        // Places in a log.
        ("GET", "/v1/runs/{over}/events?from=99999", &[], Empty, 400, "INVALID_CURSOR"),
        ("GET", "/v1/runs/{over}/events?from=-1", &[], Empty, 400, "INVALID_CURSOR"),
        ("GET", "/v1/runs/{over}/events", &[("last-event-id", "99999")], Empty, 400, "INVALID_CURSOR"),
        ("GET", "/v1/runs/{over}/events", &[("last-event-id", "twelve")], Empty, 400, "INVALID_CURSOR"),
        (
            "GET",
            "/v1/runs/{over}/events",
            &[("last-event-id", "18446744073709551615")],
            Empty,
            400,
            "INVALID_CURSOR",
        ),
        ("GET", "/v1/runs/{over}/events?speed=0", &[], Empty, 400, "INVALID_PARAMETER"),
        ("GET", "/v1/runs/{over}/events?speed=-2", &[], Empty, 400, "INVALID_PARAMETER"),
        ("GET", "/v1/runs/{over}/events?speed=NaN", &[], Empty, 400, "INVALID_PARAMETER"),
        ("GET", "/v1/runs/{over}/events?speed=inf", &[], Empty, 400, "INVALID_PARAMETER"),
        ("GET", "/v1/chat/{chorus}/events?from=99999", &[], Empty, 400, "INVALID_CURSOR"),
        // Choruses.
        ("POST", "/v1/chat", &[], chat(json!([])), 422, "INVALID_REQUEST"),
        ("POST", "/v1/chat", &[], chat(json!([{ "slotId": 0, "agentId": "ada" }])), 422, "INVALID_REQUEST"),
        ("POST", "/v1/chat", &[], chat(json!([{ "slotId": 7, "agentId": "ada" }])), 422, "INVALID_REQUEST"),
        (
            "POST",
            "/v1/chat",
            &[],
            chat(json!([{ "slotId": 1, "agentId": "../ada" }])),
            422,
            "INVALID_REQUEST",
        ),
        (
            "POST",
            "/v1/chat",
            &[],
            chat(json!([{ "slotId": 1, "agentId": "ada" }, { "slotId": 1, "agentId": "ben" }])),
            422,
            "INVALID_REQUEST",
        ),
        (
            "POST",
            "/v1/chat",
            &[],
            Json(json!({ "message": "", "slots": [{ "slotId": 1, "agentId": "ada" }] })),
            422,
            "INVALID_REQUEST",
        ),
        ("POST", "/v1/reset", &[], Json(json!({ "conversationId": 7 })), 422, "INVALID_REQUEST"),
        ("POST", "/v1/reset", &[JSON], Raw(b"{"), 400, "INVALID_JSON"),
        ("POST", "/v1/reset", &[], Empty, 200, NO_CODE),
        ("POST", "/v1/runs/{chorus}/pause", &[], Empty, 422, "INVALID_REQUEST"),
        ("POST", "/v1/runs/{chorus}/notes", &[], note("x".to_owned()), 422, "INVALID_REQUEST"),
        ("POST", "/v1/runs/{chorus}/fork", &[], Json(json!({ "beat": 1 })), 422, "INVALID_REQUEST"),
        // Audio: nothing outside its folder, whatever a path is like.
        ("GET", "/v1/audio/", &[], Empty, 404, NO_CODE),
        ("GET", "/v1/audio/%2e%2e%2f%2e%2e%2fetc%2fpasswd", &[], Empty, 404, "AUDIO_NOT_FOUND"),
        ("GET", "/v1/audio/tts/sessions/%00.wav", &[], Empty, 404, "AUDIO_NOT_FOUND"),
        ("GET", "/v1/audio/tts%5c..%5cx.wav", &[], Empty, 404, "AUDIO_NOT_FOUND"),
        ("GET", "/v1/audio/%2fetc%2fpasswd", &[], Empty, 404, "AUDIO_NOT_FOUND"),
        // Idempotency keys.
        ("POST", "/v1/scenes", &[("idempotency-key", "")], scene(json!({})), 400, "INVALID_PARAMETER"),
        (
            "POST",
            "/v1/scenes",
            &[("idempotency-key", "schlüssel")],
            scene(json!({})),
            400,
            "INVALID_PARAMETER",
        ),
        (
            "POST",
            "/v1/chat",
            &[("idempotency-key", LONG_KEY)],
            chat(json!([{ "slotId": 1, "agentId": "ada" }])),
            400,
            "INVALID_PARAMETER",
        ),
        // Hosts and pages.
        ("GET", "/v1/runs", &[("host", "evil.example")], Empty, 421, "HOST_NOT_ALLOWED"),
        ("GET", "/v1/health", &[("host", "evil.example")], Empty, 421, "HOST_NOT_ALLOWED"),
        ("GET", "/v1/runs", &[("host", "a b")], Empty, 400, "INVALID_HOST"),
        ("POST", "/v1/reset", &[("origin", "https://evil.example")], Empty, 403, "ORIGIN_NOT_ALLOWED"),
        ("POST", "/v1/reset", &[("origin", "null")], Empty, 403, "ORIGIN_NOT_ALLOWED"),
    ]
}

fn with_body(request: RequestBuilder, body: &Body) -> RequestBuilder {
    match body {
        Body::None => request,
        Body::Json(value) => request.json(value),
        Body::Raw(bytes) => request.body(*bytes),
        Body::Long(length) => request.body(vec![b' '; *length]),
    }
}

/// The code of a refusal, which has all that every error has.
pub(super) async fn code_of(response: Response, what: &str) -> String {
    let body: Value = response.json().await.unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(body["success"], false, "{what}: {body}");
    assert!(body["error"]["message"].is_string() && body["error"]["context"].is_object(), "{what}: {body}");
    body["error"]["code"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn every_promise_about_single_requests_holds() {
    let server = Server::start().await;
    let over = server.play_out(apology()).await;
    let playing = server.play(gated()).await;
    let chorus = server.chat_out("Hello?", &[(1, "ada"), (2, "ben")]).await;
    let mut broken = Vec::new();
    for (method, path, headers, body, status, code) in rows() {
        let none = "0199f2a4-6a3e-7cc1-8a55-0f4c9b1d2e3f";
        let path = [("{over}", over), ("{playing}", playing), ("{chorus}", chorus)]
            .iter()
            .fold(path.replace("{none}", none), |path, (name, run)| path.replace(name, &run.to_string()));
        let request = with_body(server.request(method, &path), &body);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let what = format!("{method} {path} {headers:?} {}", short(&body));
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) => {
                broken.push(format!("{what}: {error:?}"));
                continue;
            }
        };
        let got = response.status().as_u16();
        assert!(response.headers().contains_key("x-request-id"), "{what}");
        if got == 405 {
            assert!(response.headers().contains_key("allow"), "{what}");
        }
        let got_code = if got < 400 || method == "HEAD" || code.is_empty() {
            String::new()
        } else {
            code_of(response, &what).await
        };
        if (got, got_code.as_str()) != (status, code) {
            broken.push(format!("{what}: {got} {got_code}, and not {status} {code}"));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert_eq!(server.json("/v1/health").await["ready"], true);
}

fn short(body: &Body) -> String {
    format!("{body:?}").chars().take(120).collect()
}
