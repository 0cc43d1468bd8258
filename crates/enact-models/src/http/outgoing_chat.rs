//! From a request to what every wire sends: system blocks, a conversation in which roles alternate, limits.

use std::{
    borrow::Cow,
    fmt,
    hash::{DefaultHasher, Hash, Hasher},
};

use enact_drama::request::{Message, MessageRole, Request, Schema};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::{
    optional::{OmittedParameters, OptionalParameter},
    structured,
    wire::prompt_json,
};
use crate::{Effort, PromptCache, Provider, Settings, Thinking, reasoning::ModelFamily};

/// How JSON that fits a schema is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemaMode {
    /// The provider holds the model to the schema.
    Native,
    /// As [`Native`](SchemaMode::Native), and said in words too, since some servers take a schema and ignore
    /// it.
    NativeAndPrompt,
    Prompt,
}

impl SchemaMode {
    pub(super) fn of(provider: Provider) -> SchemaMode {
        match provider {
            Provider::Anthropic | Provider::OpenAi | Provider::Gemini => SchemaMode::Native,
            Provider::OpenAiCompatible | Provider::Named(_) | Provider::Ollama => SchemaMode::NativeAndPrompt,
            Provider::ClaudeCode => SchemaMode::Prompt,
        }
    }
}

/// A request before it is written in some format. It borrows what it can.
#[derive(Debug)]
pub(super) struct OutgoingChat<'a> {
    pub(super) model: &'a str,
    pub(super) stream: bool,
    /// The blocks that say something: an empty one is an error to Anthropic.
    pub(super) system: Vec<Cow<'a, str>>,
    pub(super) turns: Vec<RoleTurn<'a>>,
    pub(super) max_tokens: u32,
    pub(super) temperature: Option<f64>,
    pub(super) top_p: Option<f64>,
    pub(super) stop: Option<&'a [String]>,
    pub(super) seed: Option<u32>,
    /// The provider calls it `random_seed`.
    pub(super) seed_is_random: bool,
    /// Extra fields of the body: the provider's, then the operator's, which win.
    pub(super) extra_fields: Vec<&'a Map<String, Value>>,
    pub(super) effort: Option<Effort>,
    pub(super) thinking: Option<Thinking>,
    /// What models like this one take.
    pub(super) family: ModelFamily,
    /// What the provider is to hold the model to.
    pub(super) schema: Option<&'a Schema>,
    pub(super) cache: PromptCache,
    /// What brings requests with the same beginning to the machine that has it cached, where that is asked
    /// for.
    pub(super) cache_key: Option<String>,
    /// How much the model has to be able to read and write, where it has to be told.
    pub(super) context_tokens: u32,
}

impl<'a> OutgoingChat<'a> {
    pub(super) fn new(
        settings: &'a Settings,
        request: &'a Request,
        mode: SchemaMode,
        left_out: OmittedParameters,
    ) -> OutgoingChat<'a> {
        let schema = request.schema.as_deref();
        let words = schema.filter(|_| mode != SchemaMode::Native).map(structured::in_words);
        let blocks = request.system.iter().map(|block| Cow::Borrowed(&**block));
        let wants_key = settings.provider == Provider::OpenAi && settings.cache != PromptCache::Off;
        OutgoingChat {
            model: &settings.model,
            stream: false,
            system: blocks
                .chain(words.map(Cow::Owned))
                .filter(|block: &Cow<'_, str>| !block.trim().is_empty())
                .collect(),
            turns: turns(&request.thread),
            max_tokens: settings.longest_answer(request),
            temperature: left_out.keep(OptionalParameter::Temperature, settings.temperature),
            top_p: left_out.keep(OptionalParameter::TopP, settings.top_p),
            stop: left_out
                .keep(OptionalParameter::Stop, Some(settings.stop_for(request)))
                .filter(|stop| !stop.is_empty()),
            seed: left_out.keep(OptionalParameter::Seed, settings.seed),
            seed_is_random: settings.provider.takes_random_seed(),
            extra_fields: settings
                .provider
                .extra_body()
                .into_iter()
                .chain([&settings.body])
                .filter(|fields| !fields.is_empty())
                .collect(),
            effort: left_out.keep(OptionalParameter::Effort, settings.effort_for(request)),
            thinking: left_out.keep(OptionalParameter::Thinking, settings.thinking),
            family: ModelFamily::of(settings.provider, &settings.model),
            schema: schema.filter(|_| mode != SchemaMode::Prompt),
            cache: settings.cache,
            cache_key: wants_key.then(|| cache_key(request)),
            context_tokens: 0,
        }
    }

    /// All system blocks in one, for providers that take only one.
    pub(super) fn joined_system(&self) -> Option<JoinedText<'_>> {
        let blocks: Vec<&str> = self.system.iter().map(|block| &**block).collect();
        (!blocks.is_empty()).then_some(JoinedText(blocks))
    }

    /// How long all that is sent is, nearly.
    pub(super) fn text_bytes(&self) -> usize {
        let system = self.system.iter().map(|block| block.len());
        system.chain(self.turns.iter().flat_map(RoleTurn::texts).map(str::len)).sum()
    }
}

/// Messages of one role that follow each other. Many servers insist that roles alternate; the judge is told
/// the scene in several messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoleTurn<'a> {
    pub(super) role: MessageRole,
    messages: &'a [Message],
}

impl<'a> RoleTurn<'a> {
    /// The messages that say something, or the only one.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let only = self.messages.len() == 1;
        self.messages.iter().map(|message| &*message.text).filter(move |text| only || !text.trim().is_empty())
    }

    pub(super) fn joined(&self) -> JoinedText<'a> {
        JoinedText(self.texts().collect())
    }
}

fn turns(thread: &[Message]) -> Vec<RoleTurn<'_>> {
    let same_role = thread.chunk_by(|one, next| one.role == next.role);
    same_role.map(|messages| RoleTurn { role: messages[0].role, messages }).collect()
}

/// Texts with an empty line between them, written as one.
#[derive(Debug)]
pub(super) struct JoinedText<'a>(Vec<&'a str>);

impl fmt::Display for JoinedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, text) in self.0.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { "\n\n" })?;
            f.write_str(text)?;
        }
        Ok(())
    }
}

impl Serialize for JoinedText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0[..] {
            [text] => prompt_json::serialize(text, serializer),
            _ => prompt_json::serialize(&self.to_string(), serializer),
        }
    }
}

/// An actor's system blocks never change.
fn cache_key(request: &Request) -> String {
    let mut hasher = DefaultHasher::new();
    request.system.hash(&mut hasher);
    format!("enact-{:016x}", hasher.finish())
}
