//! The four formats that providers speak. Each has a file with what is sent, as types that borrow from the
//! request, and with what comes back: one type for a frame of a stream and for a whole answer alike, read
//! into an [`IncomingAnswer`].

mod anthropic;
mod gemini;
mod lenient;
mod ollama;
mod openai;
pub(super) mod prompt_json;

use std::ops::Range;

use serde::Serialize;
use serde_json::{Map, Value};

pub(super) use self::{
    anthropic::OpenBlocks,
    lenient::{CountField, MoneyField},
    ollama::context_tokens,
};
use super::{answer::IncomingAnswer, outgoing_chat::OutgoingChat};
use crate::{Provider, Settings, extra_request::merge, reasoning::ModelFamily};

/// A wire format, with what differs between its providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WireFormat {
    Anthropic,
    OpenAi { max_tokens: MaxTokens },
    Gemini,
    Ollama,
}

/// The name of the token limit in OpenAI's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MaxTokens {
    /// `max_tokens`, which every server understands.
    Old,
    /// `max_completion_tokens`, without which OpenAI's newer models refuse.
    New,
}

impl WireFormat {
    /// The format that a provider is spoken to in; none for one that is not reached over HTTP.
    pub(super) fn of(settings: &Settings) -> Option<WireFormat> {
        // Behind a gateway there may be one of OpenAI's own that refuses the old name.
        let newer = |model: &str| {
            let family = ModelFamily::of(Provider::OpenAi, model);
            family.thinks && !family.open_weights
        };
        match settings.provider {
            Provider::Anthropic => Some(WireFormat::Anthropic),
            Provider::Gemini => Some(WireFormat::Gemini),
            Provider::Ollama => Some(WireFormat::Ollama),
            Provider::OpenAiCompatible | Provider::Named(_) if !newer(&settings.model) => {
                Some(WireFormat::OpenAi { max_tokens: MaxTokens::Old })
            }
            Provider::OpenAi | Provider::OpenAiCompatible | Provider::Named(_) => {
                Some(WireFormat::OpenAi { max_tokens: MaxTokens::New })
            }
            Provider::ClaudeCode => None,
        }
    }

    /// The body of a request.
    pub(super) fn body(self, chat: &OutgoingChat<'_>) -> Vec<u8> {
        match self {
            WireFormat::Anthropic => json(chat, &anthropic::body(chat)),
            WireFormat::OpenAi { max_tokens } => json(chat, &openai::body(chat, max_tokens)),
            WireFormat::Gemini => json(chat, &gemini::body(chat)),
            WireFormat::Ollama => json(chat, &ollama::body(chat)),
        }
    }

    /// Reads a frame of a stream, or a whole answer. Fails only if it is no JSON.
    pub(super) fn read(self, json: &[u8], answer: &mut IncomingAnswer) -> serde_json::Result<()> {
        self.read_exactly(json, answer).or_else(|error| match without_half_letters(json) {
            Some(mended) => self.read_exactly(&mended, answer),
            None => Err(error),
        })
    }

    fn read_exactly(self, json: &[u8], answer: &mut IncomingAnswer) -> serde_json::Result<()> {
        match self {
            WireFormat::Anthropic => anthropic::read(json, answer),
            WireFormat::OpenAi { .. } => openai::read(json, answer),
            WireFormat::Gemini => gemini::read(json, answer),
            WireFormat::Ollama => ollama::read(json, answer),
        }
    }
}

fn json(chat: &OutgoingChat<'_>, body: &impl Serialize) -> Vec<u8> {
    let written = prompt_json::to_vec(body, chat.text_bytes() * 9 / 8 + 1024);
    let written = written.and_then(|json| match &chat.extra_fields[..] {
        [] => Ok(json),
        extra => {
            let mut fields: Map<String, Value> = serde_json::from_slice(&json)?;
            extra.iter().for_each(|extra| merge(&mut fields, extra));
            serde_json::to_vec(&fields)
        }
    });
    // Neither the types nor the memory they are written to can fail.
    written.unwrap_or_default()
}

/// JSON in which `\ud83d` and its like, halves of a letter that servers cut in two between frames, are the mark
/// for a broken letter. Nothing if there are none.
fn without_half_letters(json: &[u8]) -> Option<Vec<u8>> {
    const HIGH: Range<u32> = 0xd800..0xdc00;
    const LOW: Range<u32> = 0xdc00..0xe000;
    let code = |at: usize| {
        let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
    };
    let (mut mended, mut at, mut found) = (Vec::with_capacity(json.len()), 0, false);
    while at < json.len() {
        let length = match (code(at), code(at + 6)) {
            (Some(high), Some(low)) if HIGH.contains(&high) && LOW.contains(&low) => 12,
            (Some(half), _) if (HIGH.start..LOW.end).contains(&half) => {
                found = true;
                mended.extend_from_slice(b"\\ufffd");
                at += 6;
                continue;
            }
            // An escaped backslash begins no code.
            _ if json[at] == b'\\' => 2,
            _ => 1,
        };
        mended.extend_from_slice(&json[at..(at + length).min(json.len())]);
        at += length;
    }
    found.then_some(mended)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Behind a gateway there may be any model, OpenAI's own among them.
    #[test]
    fn the_limit_has_the_name_that_the_model_s_family_knows() {
        for (model, name) in [
            ("gpt-6.1-terra", MaxTokens::New),
            ("gpt-7", MaxTokens::New),
            ("o3-mini", MaxTokens::New),
            ("gpt-4.1", MaxTokens::Old),
            ("gpt-3.5-turbo", MaxTokens::Old),
            ("gpt-oss-120b", MaxTokens::Old),
            ("gpt-oss:20b", MaxTokens::Old),
            ("llama3.2", MaxTokens::Old),
            ("openchat", MaxTokens::Old),
        ] {
            let format = WireFormat::of(&Settings::new(Provider::OpenAiCompatible, model));
            assert_eq!(format, Some(WireFormat::OpenAi { max_tokens: name }), "{model}");
        }
    }

    #[test]
    fn half_a_letter_costs_that_letter() {
        for (json, mended) in [
            (r#"{"a":"\ud83d"}"#, Some(r#"{"a":"\ufffd"}"#)),
            (r#"{"a":"x\ude00y"}"#, Some(r#"{"a":"x\ufffdy"}"#)),
            (r#"{"a":"\ud83d\ud83d\ude00"}"#, Some(r#"{"a":"\ufffd\ud83d\ude00"}"#)),
            (r#"{"a":"\ud83d\ude00 \u00e9 \\ud83d"}"#, None),
            (r#"{"a":"\"#, None),
            ("not json", None),
        ] {
            assert_eq!(without_half_letters(json.as_bytes()).as_deref(), mended.map(str::as_bytes), "{json}");
        }
        let mut answer = IncomingAnswer::default();
        for frame in [r#"{"message":{"content":"Oh \ud83d"}}"#, r#"{"message":{"content":"\ude00."}}"#] {
            WireFormat::Ollama.read(frame.as_bytes(), &mut answer).unwrap();
        }
        assert_eq!(answer.text, "Oh \u{fffd}\u{fffd}.");
    }

    /// Which model answered, under which id, why it stopped and how much of it was thought, for frames of each
    /// wire as its provider documents them.
    #[test]
    fn every_wire_tells_who_answered_and_why_it_stopped() {
        let openai = WireFormat::OpenAi { max_tokens: MaxTokens::New };
        type Case<'a> = (WireFormat, &'a [&'a str], [Option<&'a str>; 3], Option<u64>);
        let table: [Case<'_>; 9] = [
            (
                openai,
                &[
                    r#"{"id":"chatcmpl-1","model":"gpt-1","choices":[{"message":{"content":"Yes."},"finish_reason":"stop"}],
                    "usage":{"prompt_tokens":9,"completion_tokens":8,"completion_tokens_details":{"reasoning_tokens":6}}}"#,
                ],
                [Some("gpt-1"), Some("chatcmpl-1"), Some("stop")],
                Some(6),
            ),
            (
                openai,
                &[
                    r#"{"id":"","model":"","choices":[],"prompt_filter_results":[]}"#,
                    r#"{"id":"c-2","model":"gpt-1","choices":[{"delta":{"content":"Yes."},"finish_reason":null}]}"#,
                    r#"{"id":"c-3","model":"gpt-2","choices":[{"delta":{},"finish_reason":"length"}]}"#,
                ],
                [Some("gpt-1"), Some("c-2"), Some("length")],
                None,
            ),
            (openai, &[r#"{"id":7,"choices":[{"message":{"content":"Yes."}}]}"#], [None; 3], None),
            (
                WireFormat::Anthropic,
                &[
                    r#"{"type":"message","id":"msg_1","model":"claude-1","content":[{"type":"text","text":"Yes."}],
                    "stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":8,"output_tokens_details":{"thinking_tokens":5}}}"#,
                ],
                [Some("claude-1"), Some("msg_1"), Some("end_turn")],
                Some(5),
            ),
            (
                WireFormat::Anthropic,
                &[
                    r#"{"type":"message_start","message":{"id":"msg_2","model":"claude-1","content":[],"stop_reason":null}}"#,
                    r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1"}}"#,
                    r#"{"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":8}}"#,
                    r#"{"type":"message_stop"}"#,
                ],
                [Some("claude-1"), Some("msg_2"), Some("max_tokens")],
                None,
            ),
            (
                WireFormat::Gemini,
                &[
                    r#"{"candidates":[{"content":{"parts":[{"text":"Yes."}]},"finishReason":"STOP"}],"modelVersion":"gemini-1",
                    "responseId":"r-1","usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2,"thoughtsTokenCount":4}}"#,
                ],
                [Some("gemini-1"), Some("r-1"), Some("STOP")],
                Some(4),
            ),
            (
                WireFormat::Gemini,
                &[
                    r#"{"candidates":[{"content":{"parts":[{"text":"Yes."}]}}],"modelVersion":"gemini-1","responseId":"r-2"}"#,
                    r#"{"candidates":[{"finishReason":"MAX_TOKENS"}],"modelVersion":"gemini-1","responseId":"r-2"}"#,
                ],
                [Some("gemini-1"), Some("r-2"), Some("MAX_TOKENS")],
                None,
            ),
            (
                WireFormat::Ollama,
                &[
                    r#"{"model":"llama","message":{"content":"Yes."},"done":true,"done_reason":"stop","eval_count":3}"#,
                ],
                [Some("llama"), None, Some("stop")],
                None,
            ),
            (
                WireFormat::Ollama,
                &[
                    r#"{"model":"llama","message":{"content":"Yes."},"done":false}"#,
                    r#"{"model":"llama","message":{"content":""},"done":true,"done_reason":"length"}"#,
                ],
                [Some("llama"), None, Some("length")],
                None,
            ),
        ];
        for (wire, frames, [model, id, finish_reason], reasoning) in table {
            let mut answer = IncomingAnswer::default();
            for frame in frames {
                wire.read(frame.as_bytes(), &mut answer).unwrap();
            }
            let details = &answer.details;
            let told = [&details.model, &details.id, &details.finish_reason].map(Option::as_deref);
            assert_eq!(
                (told, answer.counts.reasoning()),
                ([model, id, finish_reason], reasoning),
                "{frames:?}"
            );
        }
    }
}
