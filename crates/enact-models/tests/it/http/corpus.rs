//! Every answer of `tests/corpus`, as it stands there and in single bytes, and what is read in it.

use std::{collections::BTreeMap, fs, path::Path};

use enact_drama::{
    production::{Answer, Failure, FailureKind},
    request::{Request, Schema},
    usage::{NanoUsd, Usage},
};
use enact_models::{Provider, Settings, connect};
use futures::{StreamExt, stream};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Delivery, raw_server::RawServer, request, settings};

/// Enough to overlap the pauses before another try.
const AT_ONCE: usize = 24;

/// Too short for most of the pauses that servers ask for.
const PATIENCE_TO_WAIT_MS: u64 = 3_000;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Case {
    name: String,
    #[serde(default, rename = "note")]
    _note: Option<String>,
    #[serde(default, rename = "differs")]
    _differs: Option<String>,
    wire: String,
    #[serde(default)]
    streamed: bool,
    #[serde(default)]
    schema: bool,
    #[serde(default = "success")]
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    json: Option<Value>,
    #[serde(default)]
    lines: Option<Vec<String>>,
    #[serde(default)]
    body: Option<String>,
    #[serde(default)]
    chunks: Option<Vec<Piece>>,
    #[serde(default)]
    body_base64: Option<String>,
    #[serde(default)]
    cut: bool,
    #[serde(default)]
    endless: Option<String>,
    expect: Expected,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Piece {
    Text(String),
    Bytes { base64: String },
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Expected {
    #[serde(default)]
    text: Option<String>,
    usage: Option<Tokens>,
    #[serde(default)]
    at_least: Option<Tokens>,
    #[serde(default)]
    fails: Option<String>,
    #[serde(default)]
    retry: bool,
    #[serde(default)]
    wait_seconds: Option<f64>,
    #[serde(default)]
    cost: Option<f64>,
    #[serde(default, rename = "stop")]
    _stop: Option<String>,
}

impl Expected {
    /// Whether a pause that the server asks for is short enough to be waited for. One that is longer than the
    /// call may take is only told.
    fn is_waited_for(&self) -> bool {
        self.wait_seconds.is_none_or(|seconds| seconds * 1e3 < PATIENCE_TO_WAIT_MS as f64)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Tokens {
    input: u64,
    cache_read: u64,
    cache_write: u64,
    output: u64,
    #[serde(rename = "reasoning")]
    _reasoning: u64,
}

impl Tokens {
    fn usage(&self) -> Usage {
        let Tokens { input, cache_read, cache_write, output, .. } = *self;
        Usage { uncached: input, cache_read, cache_write, output, ..Usage::NONE }
    }
}

fn success() -> u16 {
    200
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_is_read_as_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut cases: Vec<Case> = Vec::new();
    for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_some_and(|kind| kind == "json") && !file.ends_with("clients.json") {
            let text = fs::read_to_string(&file).unwrap();
            cases
                .extend(serde_json::from_str::<Vec<Case>>(&text).unwrap_or_else(|e| panic!("{file:?}: {e}")));
        }
    }
    assert!(cases.len() >= 120, "{} answers", cases.len());
    let played = cases.iter().flat_map(|case| {
        // What has no end cannot be cut into bytes.
        let sizes = if case.endless.is_some() { vec![usize::MAX] } else { vec![usize::MAX, 1] };
        sizes.into_iter().map(move |size| async move {
            let wrong = case.play(size).await.err()?;
            let how = if size == 1 { " in single bytes" } else { "" };
            Some(format!("{}{how}: {wrong}", case.name))
        })
    });
    let wrong: Vec<String> =
        stream::iter(played).buffer_unordered(AT_ONCE).filter_map(async |wrong| wrong).collect().await;
    assert!(wrong.is_empty(), "{} are read otherwise:\n{}", wrong.len(), wrong.join("\n"));
}

impl Case {
    /// Plays the answer to a call that may be tried twice, in chunks of this size at most.
    async fn play(&self, chunk_size: usize) -> Result<(), String> {
        let mut answer = vec![self.head()];
        for chunk in self.chunks() {
            for bytes in chunk.chunks(chunk_size.min(chunk.len().max(1))) {
                answer.push([format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat());
            }
        }
        match &self.endless {
            Some(again) => {
                let again = again.repeat(1 + 64 * 1024 / again.len());
                let chunk = [format!("{:x}\r\n", again.len()).as_bytes(), again.as_bytes(), b"\r\n"].concat();
                answer.extend(std::iter::repeat_n(chunk, 1024));
            }
            None if self.cut => {}
            None => answer.push(b"0\r\n\r\n".to_vec()),
        }
        let answer = if chunk_size == 1 { vec![answer.concat()] } else { answer };
        let server = RawServer::in_chunks(vec![answer; 3]).await;
        let provider = match self.wire.as_str() {
            "anthropic" => Provider::Anthropic,
            "openai" => Provider::OpenAiCompatible,
            "gemini" => Provider::Gemini,
            "ollama" => Provider::Ollama,
            other => return Err(format!("there is no wire '{other}'")),
        };
        let settings = Settings { retries: 1, ..settings(provider, server.base_url()) };
        let model = connect(settings).unwrap();
        let delivery = if self.streamed { Delivery::Streamed } else { Delivery::Plain };
        let outcome = delivery.ask(&*model, self.request()).await;
        let asked = server.seen().len();
        self.check(outcome, asked).map_err(|(expected, found)| format!("expected {expected}, found {found}"))
    }

    fn request(&self) -> Request {
        let any = Schema { name: "verdict", json: json!({"type": "object"}), exact: false };
        let schema = self.schema.then(|| any.into());
        let timeout_ms = if self.expect.is_waited_for() { 60_000 } else { PATIENCE_TO_WAIT_MS };
        Request { schema, timeout_ms, ..request() }
    }

    fn head(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} -\r\nconnection: close\r\n", self.status);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if self.status != 204 {
            head += "transfer-encoding: chunked\r\n";
        }
        (head + "\r\n").into_bytes()
    }

    fn chunks(&self) -> Vec<Vec<u8>> {
        if let Some(json) = &self.json {
            return vec![json.to_string().into_bytes()];
        }
        if let Some(lines) = &self.lines {
            return vec![lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes()];
        }
        if let Some(pieces) = &self.chunks {
            return pieces
                .iter()
                .map(|piece| match piece {
                    Piece::Text(text) => text.clone().into_bytes(),
                    Piece::Bytes { base64 } => decode(base64),
                })
                .collect();
        }
        match (&self.body, &self.body_base64) {
            (Some(body), _) if body.is_empty() => vec![],
            (Some(body), _) => vec![body.clone().into_bytes()],
            (None, Some(bytes)) => vec![decode(bytes)],
            (None, None) => vec![],
        }
    }

    /// What was expected and what was found, where they differ.
    fn check(&self, outcome: Result<Answer, Failure>, asked: usize) -> Result<(), (String, String)> {
        let Expected { text, usage, at_least, fails, retry, wait_seconds, cost, .. } = &self.expect;
        let differ = |expected: String, found: String| Err((expected, found));
        let used = match (&outcome, fails) {
            (Ok(answer), None) => {
                let said = text.as_deref().unwrap_or_default();
                // Of an answer that has a shape, that is given without what surrounds it.
                let as_said = answer.text == said || (self.schema && same_json(&answer.text, said));
                if !as_said {
                    return differ(said.to_owned(), answer.text.clone());
                }
                answer.usage
            }
            (Err(failure), Some(kind)) => {
                if !is_of_kind(kind, failure, self.cut) {
                    return differ(kind.clone(), format!("{failure:?}"));
                }
                failure.usage
            }
            (Ok(answer), Some(kind)) => return differ(kind.clone(), format!("{answer:?}")),
            (Err(failure), None) => return differ("an answer".to_owned(), format!("{failure:?}")),
        };
        let used = used.filter(|usage| !usage.tells_nothing());
        let billed = cost.map(|dollars| NanoUsd((dollars * 1e9).round() as u64));
        let fits = match (usage, used) {
            // What was turned away with an error cost nothing.
            (None, Some(Usage::NONE)) => self.status >= 400,
            (None, Some(used)) => {
                used.partial && at_least.as_ref().is_some_and(|least| is_least(least, used))
            }
            (None, None) => at_least.as_ref().is_none_or(|least| least.input == 0 || least.output == 0),
            (Some(tokens), Some(used)) => Usage { billed, ..tokens.usage() } == used,
            (Some(_), None) => false,
        };
        if !fits {
            return differ(format!("{usage:?} {at_least:?} {billed:?}"), format!("{used:?}"));
        }
        if let (Some(seconds), Err(failure)) = (wait_seconds, &outcome)
            && !failure.error.contains(&format!("asked to wait {seconds}s"))
        {
            return differ(format!("{seconds} s"), failure.error.clone());
        }
        let in_words = fails.as_deref() == Some("schema_rejected");
        let again = (*retry && self.expect.is_waited_for()) || in_words;
        match asked == if again { 2 } else { 1 } {
            true => Ok(()),
            false => differ(format!("retry: {retry}"), format!("asked {asked} times, {outcome:?}")),
        }
    }
}

fn is_least(least: &Tokens, used: Usage) -> bool {
    let Usage { uncached, cache_read, cache_write, output, .. } = least.usage();
    (uncached, cache_read, cache_write, output)
        == (used.uncached, used.cache_read, used.cache_write, used.output)
}

fn same_json(one: &str, other: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    read(one).is_some() && read(one) == read(other)
}

fn is_of_kind(kind: &str, failure: &Failure, cut: bool) -> bool {
    let says = |words: &str| failure.error.contains(words);
    match kind {
        "refused" => failure.kind == FailureKind::Refused,
        "too_long" => failure.kind == FailureKind::ContextTooLong,
        "rate_limited" => failure.kind == FailureKind::RateLimited,
        "overloaded" => failure.kind == FailureKind::Overloaded,
        "server" => failure.kind == FailureKind::Server,
        "authentication" => failure.kind == FailureKind::Auth,
        "no_credit" => says("no credit left"),
        "unknown_model" => says("there is no model 'test-model'"),
        "schema_rejected" => says("takes no JSON schemas"),
        "bad_request" => says("the request was rejected") || says("not found at this address"),
        "truncated" if cut => matches!(failure.kind, FailureKind::Connection | FailureKind::Truncated),
        "truncated" => failure.kind == FailureKind::Truncated,
        "empty" => failure.kind == FailureKind::Empty && !says("raise 'max_tokens'"),
        "no_tokens_left" => failure.kind == FailureKind::Empty && says("raise 'max_tokens'"),
        "garbled" => says("unexpected response"),
        "too_large" => says("longer than"),
        _ => false,
    }
}

/// Base64 without line breaks.
fn decode(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits = 0_u32;
    let mut bytes = Vec::new();
    for (place, letter) in text.bytes().filter(|letter| *letter != b'=').enumerate() {
        let value = LETTERS.iter().position(|known| *known == letter).unwrap() as u32;
        bits = (bits << 6) | value;
        if place % 4 != 0 {
            bytes.push((bits >> (6 - 2 * (place % 4))) as u8);
        }
    }
    bytes
}
