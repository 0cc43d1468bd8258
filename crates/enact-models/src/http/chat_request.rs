//! From a request to what `genai` sends: messages, cache breakpoints and options.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use enact_drama::request::{Message, MessageRole, Request};
use genai::chat::{
    CacheControl, ChatFrameSink, ChatMessage, ChatOptions, ChatRequest, ChatResponseFormat, JsonSpec,
    MessageOptions,
};
use serde_json::json;

use super::{endpoint, structured};
use crate::{PromptCache, Provider, Settings};

/// How JSON that fits a schema is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemaMode {
    /// The provider holds the model to the schema.
    Native,
    /// As [`Native`](SchemaMode::Native), and said in words too, since some servers take a schema and ignore
    /// it.
    NativeAndPrompt,
    /// The server knows JSON but no schemas.
    JsonModeAndPrompt,
    Prompt,
}

impl SchemaMode {
    pub(super) fn of(provider: Provider) -> SchemaMode {
        match provider {
            Provider::Anthropic | Provider::OpenAi | Provider::Gemini => SchemaMode::Native,
            Provider::OpenAiCompatible => SchemaMode::NativeAndPrompt,
            Provider::Ollama => SchemaMode::JsonModeAndPrompt,
            Provider::ClaudeCode => SchemaMode::Prompt,
        }
    }

    fn is_in_prompt(self) -> bool {
        self != SchemaMode::Native
    }
}

/// The messages of a request.
pub(super) fn messages(settings: &Settings, request: &Request, mode: SchemaMode) -> ChatRequest {
    let cache = match settings.provider {
        Provider::Anthropic => cache_control(settings.cache),
        // The others cache prefixes by themselves.
        _ => None,
    };
    let mut messages = system(settings.provider, request, mode, cache.as_ref());
    let last = request.thread.len().saturating_sub(1);
    messages.extend(request.thread.iter().enumerate().map(|(place, message)| {
        let cache = cache.as_ref().filter(|_| place == last);
        with_cache(to_message(message), &message.text, cache)
    }));
    ChatRequest::new(messages)
}

/// The options of a request. Frames of the answer go to `sink` as they arrive.
pub(super) fn options(
    settings: &Settings,
    request: &Request,
    mode: SchemaMode,
    sink: Arc<dyn ChatFrameSink>,
) -> ChatOptions {
    let openai = matches!(settings.provider, Provider::OpenAi | Provider::OpenAiCompatible);
    let mut options = ChatOptions::default()
        .with_max_tokens(max_tokens(settings, request))
        // Only OpenAI has to be asked for usage. For the others `genai` adds counts up in 32 bits, which a
        // bad server could make overflow; our own counts come from the raw frames.
        .with_capture_usage(openai)
        .with_raw_frame_sink_arc(sink);
    if let Some(temperature) = settings.temperature {
        options = options.with_temperature(temperature);
    }
    if let Some(format) = response_format(settings.provider, request, mode) {
        options = options.with_response_format(format);
    }
    if endpoint::sends_model_in_body(settings.provider) {
        options = options.with_extra_body(json!({ "model": settings.model }));
    }
    if settings.provider == Provider::OpenAi && settings.cache != PromptCache::Off {
        options = options.with_prompt_cache_key(cache_key(request));
    }
    options
}

/// The longest answer that is allowed: the request says what is of use, the operator how long a line may be.
/// Its limit does not hold for JSON, of which a half would be paid for and worth nothing.
fn max_tokens(settings: &Settings, request: &Request) -> u32 {
    match (settings.max_tokens, &request.schema) {
        (Some(limit), None) => limit.min(request.max_tokens),
        _ => request.max_tokens,
    }
}

/// Anthropic takes the blocks as they are, with breakpoints after those that are shared (the rules and the
/// scene, then the sheet). All others get one message: the templates of many local models accept no second
/// one.
fn system(
    provider: Provider,
    request: &Request,
    mode: SchemaMode,
    cache: Option<&CacheControl>,
) -> Vec<ChatMessage> {
    const SHARED_BLOCKS: usize = 2;

    let mut blocks: Vec<&str> = request.system.iter().map(|block| &**block).collect();
    let words =
        request.schema.as_ref().filter(|_| mode.is_in_prompt()).map(|schema| structured::in_words(schema));
    blocks.extend(words.as_deref());
    // An empty block is an error to Anthropic.
    blocks.retain(|block| !block.trim().is_empty());
    if provider == Provider::Anthropic {
        let mark = |(place, block): (usize, &str)| {
            with_cache(ChatMessage::system(block), block, cache.filter(|_| place < SHARED_BLOCKS))
        };
        return blocks.into_iter().enumerate().map(mark).collect();
    }
    if blocks.is_empty() { Vec::new() } else { vec![ChatMessage::system(blocks.join("\n\n"))] }
}

fn to_message(message: &Message) -> ChatMessage {
    match message.role {
        MessageRole::User => ChatMessage::user(&*message.text),
        MessageRole::Assistant => ChatMessage::assistant(&*message.text),
    }
}

fn with_cache(message: ChatMessage, text: &str, cache: Option<&CacheControl>) -> ChatMessage {
    match cache {
        Some(control) if !text.trim().is_empty() => {
            message.with_options(MessageOptions::default().with_cache_control(control.clone()))
        }
        _ => message,
    }
}

fn cache_control(cache: PromptCache) -> Option<CacheControl> {
    match cache {
        PromptCache::Off => None,
        PromptCache::FiveMinutes => Some(CacheControl::Ephemeral),
        PromptCache::OneHour => Some(CacheControl::Ephemeral1h),
    }
}

fn response_format(provider: Provider, request: &Request, mode: SchemaMode) -> Option<ChatResponseFormat> {
    let schema = request.schema.as_ref()?;
    match mode {
        SchemaMode::Native | SchemaMode::NativeAndPrompt => {
            let json = structured::on_the_wire(provider, &schema.json);
            Some(ChatResponseFormat::JsonSpec(JsonSpec::new(schema.name, json)))
        }
        SchemaMode::JsonModeAndPrompt => Some(ChatResponseFormat::JsonMode),
        SchemaMode::Prompt => None,
    }
}

/// Brings requests with the same beginning to the machine that has it cached: an actor's system blocks never
/// change.
fn cache_key(request: &Request) -> String {
    let mut hasher = DefaultHasher::new();
    request.system.hash(&mut hasher);
    format!("enact-{:016x}", hasher.finish())
}
