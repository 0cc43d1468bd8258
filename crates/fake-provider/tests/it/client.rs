//! The smallest client that speaks all formats.

use std::time::Duration;

use fake_provider::{Api, FakeProvider};
use futures::StreamExt;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

pub(crate) const KEY: &str = "sk-test";

/// More than any answer takes on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(30);

/// Enough for what is sent at once to have come.
const SHORT_PATIENCE: Duration = Duration::from_secs(1);

/// Whether an answer is asked for piece by piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Streamed,
    Plain,
}

/// A request that every format takes: a system text and one message.
pub(crate) fn ask(server: &FakeProvider, api: Api, mode: Mode) -> RequestBuilder {
    ask_with(server, api, mode, "Cast: Alice, Bob", "BEAT: 1\n\nYou are Bob. Respond.", None)
}

pub(crate) fn ask_with(
    server: &FakeProvider,
    api: Api,
    mode: Mode,
    system: &str,
    message: &str,
    schema: Option<Value>,
) -> RequestBuilder {
    let streamed = mode == Mode::Streamed;
    let messages = json!([{"role": "system", "content": system}, {"role": "user", "content": message}]);
    let (path, mut body) = match api {
        Api::Anthropic => (
            "messages",
            json!({
                "model": "m", "max_tokens": 512, "stream": streamed,
                "system": system, "messages": [{"role": "user", "content": message}],
            }),
        ),
        Api::OpenAi => (
            "chat/completions",
            json!({
                "model": "m", "stream": streamed, "stream_options": {"include_usage": true}, "messages": messages,
            }),
        ),
        Api::Gemini => (
            if streamed { "models/m:streamGenerateContent?alt=sse" } else { "models/m:generateContent" },
            json!({
                "systemInstruction": {"parts": [{"text": system}]},
                "contents": [{"role": "user", "parts": [{"text": message}]}],
            }),
        ),
        Api::Ollama => ("api/chat", json!({"model": "m", "stream": streamed, "messages": messages})),
    };
    if let Some(schema) = schema {
        match api {
            Api::Anthropic => {
                body["output_config"] = json!({"format": {"type": "json_schema", "schema": schema}});
            }
            Api::OpenAi => {
                body["response_format"] = json!({"type": "json_schema", "json_schema": {"name": "s", "strict": true, "schema": schema}});
            }
            Api::Gemini => body["generationConfig"] = json!({"responseJsonSchema": schema}),
            Api::Ollama => body["format"] = schema,
        }
    }
    let url = server.base_url_for(api) + path;
    with_key(client().post(url), api, KEY).json(&body)
}

pub(crate) fn with_key(request: RequestBuilder, api: Api, key: &str) -> RequestBuilder {
    match api {
        Api::Anthropic => request.header("x-api-key", key).header("anthropic-version", "2023-06-01"),
        Api::Gemini => request.header("x-goog-api-key", key),
        Api::OpenAi | Api::Ollama => request.bearer_auth(key),
    }
}

pub(crate) fn client() -> Client {
    enact_http::client_builder().build().expect("a client")
}

/// What came of a request.
#[derive(Debug)]
pub(crate) struct Told {
    /// 0 if no head came.
    pub(crate) status: u16,
    pub(crate) body: String,
    pub(crate) end: End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Clean,
    Broken,
    /// It was still open when its time ran out.
    Open,
}

pub(crate) async fn tell(request: RequestBuilder) -> Told {
    let told = tell_within(PATIENCE, request).await;
    assert_ne!(told.end, End::Open, "no end in sight");
    told
}

/// For answers that never end.
pub(crate) async fn tell_what_comes(request: RequestBuilder) -> Told {
    tell_within(SHORT_PATIENCE, request).await
}

async fn tell_within(timeout: Duration, request: RequestBuilder) -> Told {
    let mut told = Told { status: 0, body: String::new(), end: End::Open };
    let _ = tokio::time::timeout(timeout, read(request, &mut told)).await;
    told
}

async fn read(request: RequestBuilder, told: &mut Told) {
    let Ok(response) = request.send().await else {
        told.end = End::Broken;
        return;
    };
    told.status = response.status().as_u16();
    let mut pieces = response.bytes_stream();
    while let Some(piece) = pieces.next().await {
        let Ok(piece) = piece else {
            told.end = End::Broken;
            return;
        };
        told.body += &String::from_utf8_lossy(&piece);
    }
    told.end = End::Clean;
}

impl Told {
    /// The JSON of every event or line, or of the whole body.
    pub(crate) fn frames(&self) -> Vec<Value> {
        if let Ok(whole) = serde_json::from_str(&self.body) {
            return vec![whole];
        }
        self.body
            .lines()
            .filter_map(|line| serde_json::from_str(line.strip_prefix("data: ").unwrap_or(line)).ok())
            .collect()
    }

    /// The text that a client would put together.
    pub(crate) fn text(&self) -> String {
        const PLACES: [&str; 6] = [
            "/delta/text",
            "/content/0/text",
            "/choices/0/delta/content",
            "/choices/0/message/content",
            "/candidates/0/content/parts/0/text",
            "/message/content",
        ];
        let text =
            |frame: &Value| PLACES.iter().find_map(|place| frame.pointer(place)?.as_str().map(str::to_owned));
        self.frames().iter().filter_map(text).collect()
    }

    /// Why the answer says it ended.
    pub(crate) fn stop(&self) -> Option<String> {
        const PLACES: [&str; 5] = [
            "/delta/stop_reason",
            "/stop_reason",
            "/choices/0/finish_reason",
            "/candidates/0/finishReason",
            "/done_reason",
        ];
        let stop =
            |frame: &Value| PLACES.iter().find_map(|place| frame.pointer(place)?.as_str().map(str::to_owned));
        self.frames().iter().find_map(stop)
    }

    pub(crate) fn error(&self) -> Option<Value> {
        self.frames().iter().find_map(|frame| frame.get("error").cloned())
    }

    /// Whether it ends with what a stream of this format must end with.
    pub(crate) fn is_marked_ended(&self, api: Api) -> bool {
        match api {
            Api::Anthropic => self.body.contains("event: message_stop"),
            Api::OpenAi => self.body.ends_with("data: [DONE]\n\n"),
            Api::Gemini | Api::Ollama => self.stop().is_some(),
        }
    }
}
