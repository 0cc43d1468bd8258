//! Ollama's own chat: lines of JSON instead of events, and options under names of its own.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    super::{answer::IncomingAnswer, outgoing_chat::OutgoingChat},
    lenient::{CountField, FlagField, ObjectField, TextField},
    openai::{OpenAiMessage, messages},
};
use crate::{Effort, Thinking};

/// What Ollama sets aside unless it is told otherwise. It drops the beginning of longer requests without a
/// word, and the rules of the scene with it.
const LEAST_CONTEXT: u32 = 4096;

/// The longest that models are made for today; memory grows with it.
const MOST_CONTEXT: u32 = 128 * 1024;

/// Fewer bytes make a token in languages other than English; too much room costs memory, too little the
/// rules.
const BYTES_PER_TOKEN: usize = 3;

/// How much the model has to be able to read and write for this request: a power of two, because a model is
/// loaded anew for each size.
pub(in super::super) fn context_tokens(chat: &OutgoingChat<'_>) -> u32 {
    let prompt = u32::try_from(chat.text_bytes() / BYTES_PER_TOKEN).unwrap_or(MOST_CONTEXT);
    let tokens = prompt.saturating_add(chat.max_tokens).clamp(LEAST_CONTEXT, MOST_CONTEXT);
    tokens.next_power_of_two()
}

#[derive(Serialize)]
struct OllamaBody<'a> {
    model: &'a str,
    stream: bool,
    options: OllamaOptions<'a>,
    messages: Vec<OpenAiMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    think: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'a Value>,
}

#[derive(Serialize)]
struct OllamaOptions<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u32>,
    num_predict: u32,
    num_ctx: u32,
}

pub(super) fn body<'a>(chat: &'a OutgoingChat<'_>) -> impl Serialize + 'a {
    let options = OllamaOptions {
        temperature: chat.temperature,
        top_p: chat.top_p,
        stop: chat.stop,
        seed: chat.seed,
        num_predict: chat.max_tokens,
        num_ctx: chat.context_tokens,
    };
    OllamaBody {
        model: chat.model,
        stream: chat.stream,
        options,
        messages: messages(chat),
        think: match (chat.thinking, chat.effort) {
            (Some(Thinking::Off), _) => Some(false.into()),
            // It knows three words.
            (_, Some(effort)) => Some(effort.clamp(Effort::Low, Effort::High).as_str().into()),
            (Some(_), None) => Some(true.into()),
            (None, None) => None,
        },
        format: chat.schema.map(|schema| &schema.json),
    }
}

/// A line of a stream, or a whole answer: they are the same.
#[derive(Deserialize, Default)]
#[serde(default)]
struct OllamaFrame<'a> {
    #[serde(borrow)]
    message: ObjectField<OllamaMessage<'a>>,
    #[serde(borrow)]
    model: TextField<'a>,
    done: FlagField,
    #[serde(borrow)]
    done_reason: TextField<'a>,
    prompt_eval_count: CountField,
    prompt_eval_cached_count: CountField,
    eval_count: CountField,
    error: Option<Value>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct OllamaMessage<'a> {
    #[serde(borrow)]
    content: TextField<'a>,
    thinking: FlagField,
    tool_calls: FlagField,
}

pub(super) fn read(json: &[u8], answer: &mut IncomingAnswer) -> serde_json::Result<()> {
    let frame: OllamaFrame<'_> = serde_json::from_slice(json)?;
    if let Some(error) = frame.error {
        answer.fail(error);
    }
    if let Some(message) = frame.message.0 {
        answer.recognise();
        // It gives its answers no ids.
        answer.details.record(&frame.model.0, "");
        if message.thinking.0 {
            answer.begin();
        }
        if message.tool_calls.0 {
            answer.call_tool();
        }
        answer.say(&message.content.0);
    }
    if frame.done.0 {
        answer.stop(&frame.done_reason.0);
        answer.end();
        answer.counts.set_inclusive_input(frame.prompt_eval_count);
        answer.counts.set_cache_read(frame.prompt_eval_cached_count);
        answer.counts.set_output(frame.eval_count);
    }
    Ok(())
}
