//! OpenAI's chat completions, as OpenAI and the many servers compatible with it speak them.

use enact_drama::request::{MessageRole, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    super::{
        answer::IncomingAnswer,
        outgoing_chat::{JoinedText, OutgoingChat},
        usage::TokenCounts,
    },
    MaxTokens,
    lenient::{CountField, FlagField, ListField, MoneyField, ObjectField, TextField},
};
use crate::{Effort, Thinking};

#[derive(Serialize)]
struct OpenAiBody<'a> {
    model: &'a str,
    stream: bool,
    messages: Vec<OpenAiMessage<'a>>,
    /// Usage is only sent with a stream if it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u32>,
    /// Mistral's name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    random_seed: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
}

/// The templates of many local models accept one system message and no more.
#[derive(Serialize)]
pub(super) struct OpenAiMessage<'a> {
    role: &'static str,
    content: JoinedText<'a>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ResponseFormat<'a> {
    JsonSchema { json_schema: NamedSchema<'a> },
}

#[derive(Serialize)]
struct NamedSchema<'a> {
    name: &'a str,
    strict: bool,
    schema: &'a Value,
}

pub(super) fn body<'a>(chat: &'a OutgoingChat<'_>, limit: MaxTokens) -> impl Serialize + 'a {
    let named = |schema: &'a Schema| NamedSchema { name: schema.name, strict: true, schema: &schema.json };
    OpenAiBody {
        model: chat.model,
        stream: chat.stream,
        messages: messages(chat),
        stream_options: chat.stream.then_some(StreamOptions { include_usage: true }),
        temperature: chat.temperature,
        top_p: chat.top_p,
        stop: chat.stop,
        seed: chat.seed.filter(|_| !chat.seed_is_random),
        random_seed: chat.seed.filter(|_| chat.seed_is_random),
        max_tokens: (limit == MaxTokens::Old).then_some(chat.max_tokens),
        max_completion_tokens: (limit == MaxTokens::New).then_some(chat.max_tokens),
        reasoning_effort: match chat.thinking {
            Some(Thinking::Off) => Some("none"),
            _ => chat.effort.map(Effort::as_str),
        },
        prompt_cache_key: chat.cache_key.as_deref(),
        response_format: chat.schema.map(|schema| ResponseFormat::JsonSchema { json_schema: named(schema) }),
    }
}

/// The conversation with its system message. Ollama takes the same.
pub(super) fn messages<'a>(chat: &'a OutgoingChat<'_>) -> Vec<OpenAiMessage<'a>> {
    let system = chat.joined_system().map(|content| OpenAiMessage { role: "system", content });
    let turns = chat.turns.iter().map(|turn| OpenAiMessage {
        role: match turn.role {
            MessageRole::User => "user",
            MessageRole::Assistant => "assistant",
        },
        content: turn.joined(),
    });
    system.into_iter().chain(turns).collect()
}

/// A chunk of a stream, or a whole completion.
#[derive(Deserialize, Default)]
#[serde(default)]
struct OpenAiFrame<'a> {
    #[serde(borrow)]
    choices: Option<ListField<OpenAiChoice<'a>>>,
    usage: ObjectField<OpenAiUsage>,
    /// Where Groq puts the usage of a stream.
    x_groq: ObjectField<GroqExtra>,
    #[serde(borrow)]
    object: TextField<'a>,
    #[serde(borrow)]
    id: TextField<'a>,
    #[serde(borrow)]
    model: TextField<'a>,
    error: Option<Value>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct GroqExtra {
    usage: ObjectField<OpenAiUsage>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct OpenAiChoice<'a> {
    index: CountField,
    #[serde(borrow)]
    delta: ObjectField<OpenAiWords<'a>>,
    #[serde(borrow)]
    message: ObjectField<OpenAiWords<'a>>,
    #[serde(borrow)]
    finish_reason: TextField<'a>,
    /// Where Moonshot puts the usage of a stream.
    usage: ObjectField<OpenAiUsage>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct OpenAiWords<'a> {
    #[serde(borrow)]
    content: TextField<'a>,
    refusal: FlagField,
    reasoning: FlagField,
    reasoning_content: FlagField,
    tool_calls: FlagField,
    function_call: FlagField,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct OpenAiUsage {
    prompt_tokens: CountField,
    completion_tokens: CountField,
    total_tokens: CountField,
    prompt_tokens_details: ObjectField<PromptDetails>,
    completion_tokens_details: ObjectField<CompletionDetails>,
    /// DeepSeek's name for what was read from its cache.
    prompt_cache_hit_tokens: CountField,
    /// What OpenRouter has charged, in dollars.
    cost: MoneyField,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct PromptDetails {
    cached_tokens: CountField,
    cache_write_tokens: CountField,
    /// LiteLLM's name for what was written.
    cache_creation_tokens: CountField,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct CompletionDetails {
    reasoning_tokens: CountField,
}

pub(super) fn read(json: &[u8], answer: &mut IncomingAnswer) -> serde_json::Result<()> {
    let frame: OpenAiFrame<'_> = serde_json::from_slice(json)?;
    if let Some(error) = frame.error {
        answer.fail(error);
    } else if frame.object.0 == "error" {
        answer.fail(serde_json::from_slice(json)?);
    }
    for usage in [frame.usage.0, frame.x_groq.0.and_then(|extra| extra.usage.0)].into_iter().flatten() {
        usage.count(&mut answer.counts);
    }
    let Some(ListField(choices)) = frame.choices.filter(|_| !answer.has_failed()) else { return Ok(()) };
    answer.recognise();
    answer.details.record(&frame.model.0, &frame.id.0);
    // Only one is ever asked for.
    let first = choices.into_iter().find(|choice| !matches!(choice.index, CountField::Told(1..)));
    let Some(choice) = first else { return Ok(()) };
    if let Some(usage) = choice.usage.0 {
        usage.count(&mut answer.counts);
    }
    // Some servers repeat in every chunk of a stream all that was said so far, as a message.
    let message = choice.message.0.filter(|_| !answer.has_begun());
    if let Some(words) = choice.delta.0.or(message) {
        if words.reasoning.0 || words.reasoning_content.0 {
            answer.begin();
        }
        if words.tool_calls.0 || words.function_call.0 {
            answer.call_tool();
        }
        if words.refusal.0 {
            answer.refuse();
        }
        answer.say(&words.content.0);
    }
    answer.stop(&choice.finish_reason.0);
    Ok(())
}

impl OpenAiUsage {
    /// What is cached is counted in.
    fn count(&self, counts: &mut TokenCounts) {
        let prompt = self.prompt_tokens_details.0.as_ref();
        let reasoning = self.completion_tokens_details.0.as_ref().map(|details| details.reasoning_tokens);
        counts.set_inclusive_input(self.prompt_tokens);
        counts.set_cache_read(self.prompt_cache_hit_tokens);
        if let Some(details) = prompt {
            counts.set_cache_read(details.cached_tokens);
            counts.set_cache_write(details.cache_creation_tokens);
            counts.set_cache_write(details.cache_write_tokens);
        }
        counts.set_reasoning(reasoning.unwrap_or_default());
        counts.set_output(match (self.prompt_tokens, self.completion_tokens, self.total_tokens, reasoning) {
            // xAI counts reasoning on top, OpenAI within: the sum tells.
            (
                CountField::Told(input),
                CountField::Told(output),
                CountField::Told(total),
                Some(CountField::Told(reasoning)),
            ) if reasoning > 0
                && input.checked_add(output).and_then(|sum| sum.checked_add(reasoning)) == Some(total) =>
            {
                CountField::Told(output + reasoning)
            }
            (_, output, ..) => output,
        });
        counts.set_billed(self.cost);
    }
}
