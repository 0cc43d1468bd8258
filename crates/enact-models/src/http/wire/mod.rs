//! The four formats that providers speak. Each has a file with what is sent, as types that borrow from the
//! request, and with what comes back: one type for a frame of a stream and for a whole answer alike, read
//! into an [`IncomingAnswer`].

mod anthropic;
mod gemini;
mod lenient;
mod ollama;
mod openai;

use std::ops::Range;

use serde::Serialize;

pub(super) use self::{
    anthropic::OpenBlocks,
    lenient::{CountField, MoneyField},
    ollama::context_tokens,
};
use super::{answer::IncomingAnswer, outgoing_chat::OutgoingChat};
use crate::{Provider, Settings, reasoning::ModelFamily};

/// A wire format, with what differs between those who speak it.
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
            Provider::OpenAiCompatible if !newer(&settings.model) => {
                Some(WireFormat::OpenAi { max_tokens: MaxTokens::Old })
            }
            Provider::OpenAi | Provider::OpenAiCompatible => {
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
    let mut bytes = Vec::with_capacity(chat.text_bytes() * 9 / 8 + 1024);
    // Neither the types nor the memory they are written to can fail.
    let _ = serde_json::to_writer(&mut bytes, body);
    bytes
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
}
