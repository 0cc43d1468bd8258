//! What all wire formats have in common: an answer as data, and its frames as bytes.

use bytes::Bytes;
use serde_json::{Value, json};

use crate::{
    anthropic,
    delivery::AnswerFrame,
    gemini,
    http::GATEWAY_PAGE,
    ollama, openai,
    planned_response::{Lie, Trouble},
    refusal::Refusal,
    seen::{Api, BilledUsage},
};

/// An answer before it is written in a format.
#[derive(Clone, Debug)]
pub(crate) struct WireAnswer<'a> {
    pub(crate) id: &'a str,
    pub(crate) model: &'a str,
    pub(crate) text: &'a str,
    pub(crate) stop: StopReason,
    /// `None`: no usage is sent.
    pub(crate) claim: Option<ClaimedUsage>,
    /// Whether the usage of a stream was asked for.
    pub(crate) wants_usage: bool,
}

/// Why the model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    End,
    /// It reached the limit it was given.
    Length,
    Refused,
}

/// A usage as the answer states it: signed, because liars exist.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClaimedUsage {
    pub(crate) uncached: i64,
    pub(crate) cache_read: i64,
    pub(crate) cache_write: i64,
    pub(crate) cache_write_1h: i64,
    pub(crate) output: i64,
}

impl ClaimedUsage {
    pub(crate) fn of(usage: BilledUsage, lie: Option<Lie>) -> Option<Self> {
        // Four of them fit into 31 bits; of the huge ones not even two do.
        const ABSURD: i64 = 500_000_000;
        const HUGE: i64 = 2_000_000_000;
        let all = |count| Self {
            uncached: count,
            cache_read: count,
            cache_write: count,
            cache_write_1h: 0,
            output: count,
        };
        match lie {
            Some(Lie::Missing) => None,
            Some(Lie::Absurd) => Some(all(ABSURD)),
            Some(Lie::Huge) => Some(all(HUGE)),
            Some(Lie::Negative) => Some(all(-7)),
            None => Some(Self {
                uncached: usage.uncached.cast_signed(),
                cache_read: usage.cache_read.cast_signed(),
                cache_write: usage.cache_write.cast_signed(),
                cache_write_1h: usage.cache_write_1h.cast_signed(),
                output: usage.output.cast_signed(),
            }),
        }
    }

    /// The whole prompt, for formats that count cached tokens as a part of it.
    pub(crate) fn input(&self) -> i64 {
        self.uncached + self.cache_read + self.cache_write + self.cache_write_1h
    }
}

/// A streamed answer: what comes before the text, the text in pieces, and what ends the stream (stop reason,
/// usage and mark).
pub(crate) fn frames(api: Api, answer: &WireAnswer<'_>, pieces: usize) -> (Bytes, Vec<AnswerFrame>, Bytes) {
    let (head, piece, tail): (String, fn(&WireAnswer<'_>, &str) -> String, String) = match api {
        Api::Anthropic => (anthropic::head(answer), anthropic::piece, anthropic::tail(answer)),
        Api::OpenAi => (openai::head(answer), openai::piece, openai::tail(answer)),
        Api::Gemini => (String::new(), gemini::piece, gemini::tail(answer)),
        Api::Ollama => (String::new(), ollama::piece, ollama::tail(answer)),
    };
    let pieces = split(answer.text, pieces).into_iter().enumerate().map(|(index, text)| AnswerFrame {
        bytes: piece(answer, text).into(),
        text_bytes: text.len(),
        paused: index > 0,
    });
    (head.into(), pieces.collect(), tail.into())
}

pub(crate) fn plain(api: Api, answer: &WireAnswer<'_>) -> Value {
    match api {
        Api::Anthropic => anthropic::plain(answer),
        Api::OpenAi => openai::plain(answer),
        Api::Gemini => gemini::plain(answer),
        Api::Ollama => ollama::plain(answer),
    }
}

pub(crate) fn error(api: Api, problem: &Refusal, request_id: &str) -> (u16, Value) {
    match api {
        Api::Anthropic => anthropic::error(problem, request_id),
        Api::OpenAi => openai::error(problem),
        Api::Gemini => gemini::error(problem),
        Api::Ollama => ollama::error(problem),
    }
}

/// An error where a piece was expected.
pub(crate) fn stream_error(api: Api, trouble: Trouble, request_id: &str) -> String {
    let (_, body) = error(api, &Refusal::Status(trouble.status(api)), request_id);
    match api {
        Api::Anthropic => format!("event: error\ndata: {body}\n\n"),
        Api::OpenAi | Api::Gemini => format!("data: {body}\n\n"),
        Api::Ollama => format!("{body}\n"),
    }
}

/// Not JSON where a piece was expected.
pub(crate) fn garbage(api: Api) -> String {
    match api {
        Api::Anthropic => format!("event: content_block_delta\ndata: {GATEWAY_PAGE}\n\n"),
        Api::OpenAi | Api::Gemini => format!("data: {GATEWAY_PAGE}\n\n"),
        Api::Ollama => format!("{GATEWAY_PAGE}\n"),
    }
}

pub(crate) fn stream_type(api: Api) -> &'static str {
    match api {
        Api::Anthropic | Api::OpenAi => "text/event-stream; charset=utf-8",
        Api::Gemini => "text/event-stream",
        Api::Ollama => "application/x-ndjson",
    }
}

/// The models a provider says it has.
pub(crate) fn models(api: Api, names: &[String]) -> Value {
    let entries: Vec<Value> = names
        .iter()
        .map(|name| match api {
            Api::Anthropic => {
                json!({"type": "model", "id": name, "display_name": name, "created_at": "2025-01-01T00:00:00Z"})
            }
            Api::OpenAi => json!({"id": name, "object": "model", "created": CREATED, "owned_by": "system"}),
            Api::Gemini => json!({
                "name": format!("models/{name}"),
                "displayName": name,
                "supportedGenerationMethods": ["generateContent"],
            }),
            Api::Ollama => json!({"name": name, "model": name, "modified_at": "2025-01-01T00:00:00Z", "size": 0}),
        })
        .collect();
    match api {
        Api::Anthropic => {
            json!({"data": entries, "has_more": false, "first_id": names.first(), "last_id": names.last()})
        }
        Api::OpenAi => json!({"object": "list", "data": entries}),
        Api::Gemini | Api::Ollama => json!({"models": entries}),
    }
}

/// Answers are dated the same always, so that they can be compared between runs.
pub(crate) const CREATED: u64 = 1_735_689_600;

/// Near-equal parts on character boundaries; fewer than asked for if there are too few characters.
fn split(text: &str, parts: usize) -> Vec<&str> {
    let mut pieces = Vec::with_capacity(parts);
    let mut rest = text;
    for left in (1..=parts.max(1)).rev() {
        let (piece, later) = rest.split_at(rest.ceil_char_boundary(rest.len().div_ceil(left)));
        if !piece.is_empty() {
            pieces.push(piece);
        }
        rest = later;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::split;

    proptest! {
        #[test]
        fn pieces_are_the_text(text in "\\PC{0,40}", parts in 0_usize..12) {
            let pieces = split(&text, parts);
            prop_assert_eq!(pieces.concat(), text.as_str());
            prop_assert!(pieces.len() <= parts.max(1));
            prop_assert!(pieces.iter().all(|piece| !piece.is_empty()));
        }
    }
}
