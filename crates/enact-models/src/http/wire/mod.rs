//! The four formats that providers speak. Each has a file with what is sent, as types that borrow from the
//! request, and with what comes back: one type for a frame of a stream and for a whole answer alike, read
//! into an [`IncomingAnswer`].

mod anthropic;
mod gemini;
mod lenient;
mod ollama;
mod openai;

use serde::Serialize;

pub(super) use self::{
    anthropic::OpenBlocks,
    lenient::{CountField, MoneyField},
    ollama::context_tokens,
};
use super::{answer::IncomingAnswer, outgoing_chat::OutgoingChat};
use crate::{Provider, Settings};

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
        let newer =
            |model: &str| ["gpt-5", "gpt-6", "o1", "o3", "o4"].iter().any(|family| model.starts_with(family));
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
