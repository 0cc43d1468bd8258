//! Anthropic's Messages.

use std::borrow::Cow;

use enact_drama::request::MessageRole;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    super::{
        answer::IncomingAnswer,
        outgoing_chat::{OutgoingChat, RoleTurn},
        structured::without_limits,
        usage::TokenCounts,
    },
    lenient::{CountField, ListField, ObjectField, TextField},
    prompt_json,
};
use crate::{Effort, PromptCache, Thinking};

/// Breakpoints stand after the blocks that are shared: the rules and the scene, then the sheet. With the one
/// after the last message that makes three, of four that are allowed.
const SHARED_BLOCKS: usize = 2;

/// Servers open one block at a time. Of more than so many the oldest is taken for ended, since each delta is
/// looked up among those that are open.
const MOST_OPEN_BLOCKS: usize = 64;

/// What a budget for thinking is at the least.
const SMALLEST_BUDGET: u32 = 1_024;

#[derive(Serialize)]
struct AnthropicBody<'a> {
    model: &'a str,
    stream: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<TextBlock<'a>>,
    messages: Vec<AnthropicMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_sequences: Option<&'a [String]>,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<AnthropicThinking>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum AnthropicThinking {
    Disabled,
    Adaptive,
    Enabled { budget_tokens: u32 },
}

#[derive(Serialize)]
struct AnthropicMessage<'a> {
    role: MessageRole,
    content: AnthropicContent<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum AnthropicContent<'a> {
    Text(#[serde(serialize_with = "prompt_json::serialize")] &'a str),
    Blocks(Vec<TextBlock<'a>>),
}

#[derive(Serialize)]
struct TextBlock<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(serialize_with = "prompt_json::serialize")]
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

#[derive(Serialize, Clone, Copy)]
struct CacheControl {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl: Option<&'static str>,
}

#[derive(Serialize)]
struct OutputConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<OutputFormat>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum OutputFormat {
    JsonSchema { schema: Value },
}

pub(super) fn body<'a>(chat: &'a OutgoingChat<'_>) -> impl Serialize + 'a {
    let cache = cache_control(chat.cache);
    let format = chat.schema.map(|schema| OutputFormat::JsonSchema { schema: without_limits(&schema.json) });
    // The lowest word it knows is the next one.
    let effort = chat.effort.map(|effort| effort.max(Effort::Low).as_str());
    let has_output = format.is_some() || effort.is_some();
    AnthropicBody {
        model: chat.model,
        stream: chat.stream,
        system: chat
            .system
            .iter()
            .enumerate()
            .map(|(place, text)| block(text, cache.filter(|_| place < SHARED_BLOCKS)))
            .collect(),
        messages: messages(chat, cache),
        temperature: chat.temperature,
        top_p: chat.top_p,
        stop_sequences: chat.stop,
        max_tokens: chat.max_tokens,
        thinking: thinking(chat),
        output_config: has_output.then_some(OutputConfig { effort, format }),
    }
}

/// Older models think when they are given a number of tokens for it, less than the answer may have and a
/// thousand at the least; newer ones as much as they see fit.
fn thinking(chat: &OutgoingChat<'_>) -> Option<AnthropicThinking> {
    let budget = |tokens: u32| {
        let budget_tokens = tokens.min(chat.max_tokens.saturating_sub(1));
        (budget_tokens >= SMALLEST_BUDGET).then_some(AnthropicThinking::Enabled { budget_tokens })
    };
    match chat.thinking? {
        Thinking::Off => Some(AnthropicThinking::Disabled),
        Thinking::On if chat.family.dial.is_some() => Some(AnthropicThinking::Adaptive),
        Thinking::On => budget(chat.max_tokens / 2),
        Thinking::Budget(tokens) => budget(tokens),
    }
}

fn messages<'a>(chat: &'a OutgoingChat<'_>, cache: Option<CacheControl>) -> Vec<AnthropicMessage<'a>> {
    let last = chat.turns.len().saturating_sub(1);
    let message = |(place, turn): (usize, &'a RoleTurn<'a>)| {
        let mut texts = turn.texts();
        if let (Some(text), None, true) = (texts.next(), texts.next(), place < last) {
            return AnthropicMessage { role: turn.role, content: AnthropicContent::Text(text) };
        }
        let mut blocks: Vec<TextBlock<'a>> = turn.texts().map(|text| block(text, None)).collect();
        // Of several messages the last is a question that the next request does not repeat: what is cached ends
        // before it.
        let ends = blocks.len().saturating_sub(if blocks.len() > 1 { 2 } else { 1 });
        if let Some(block) =
            blocks.get_mut(ends).filter(|block| place == last && !block.text.trim().is_empty())
        {
            block.cache_control = cache;
        }
        let content = match blocks[..] {
            [TextBlock { text, cache_control: None, .. }] => AnthropicContent::Text(text),
            _ => AnthropicContent::Blocks(blocks),
        };
        AnthropicMessage { role: turn.role, content }
    };
    chat.turns.iter().enumerate().map(message).collect()
}

fn block(text: &str, cache_control: Option<CacheControl>) -> TextBlock<'_> {
    TextBlock { kind: "text", text, cache_control }
}

fn cache_control(cache: PromptCache) -> Option<CacheControl> {
    let ttl = match cache {
        PromptCache::Off => return None,
        PromptCache::FiveMinutes => None,
        PromptCache::OneHour => Some("1h"),
    };
    Some(CacheControl { kind: "ephemeral", ttl })
}

/// An event of a stream, or a whole message.
#[derive(Deserialize, Default)]
#[serde(default)]
struct AnthropicFrame<'a> {
    #[serde(borrow, rename = "type")]
    kind: TextField<'a>,
    /// Which block of the message it is about.
    index: CountField,
    /// Of `message_start`.
    #[serde(borrow)]
    message: ObjectField<AnthropicAnswer<'a>>,
    /// Of `content_block_start`.
    #[serde(borrow)]
    content_block: ObjectField<ContentBlock<'a>>,
    /// Of `content_block_delta` and `message_delta`.
    #[serde(borrow)]
    delta: ObjectField<ContentBlock<'a>>,
    usage: ObjectField<AnthropicUsage>,
    /// Of a whole message.
    #[serde(borrow)]
    content: ListField<ContentBlock<'a>>,
    #[serde(borrow)]
    stop_reason: TextField<'a>,
    #[serde(borrow)]
    id: TextField<'a>,
    #[serde(borrow)]
    model: TextField<'a>,
    error: Option<Value>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct AnthropicAnswer<'a> {
    #[serde(borrow)]
    content: ListField<ContentBlock<'a>>,
    #[serde(borrow)]
    stop_reason: TextField<'a>,
    #[serde(borrow)]
    id: TextField<'a>,
    #[serde(borrow)]
    model: TextField<'a>,
    usage: ObjectField<AnthropicUsage>,
}

/// A block of a message, or what is added to one. Of all there are, those with text are said: results of the
/// provider's own tools, citations, signatures and what is not known yet are not.
#[derive(Deserialize, Default)]
#[serde(default)]
struct ContentBlock<'a> {
    #[serde(borrow, rename = "type")]
    kind: TextField<'a>,
    #[serde(borrow)]
    text: TextField<'a>,
    /// What `message_delta` adds to the message.
    #[serde(borrow)]
    stop_reason: TextField<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct AnthropicUsage {
    input_tokens: CountField,
    cache_read_input_tokens: CountField,
    cache_creation_input_tokens: CountField,
    output_tokens: CountField,
    output_tokens_details: ObjectField<OutputDetails>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct OutputDetails {
    thinking_tokens: CountField,
}

pub(super) fn read(json: &[u8], answer: &mut IncomingAnswer) -> serde_json::Result<()> {
    let frame: AnthropicFrame<'_> = serde_json::from_slice(json)?;
    let mut blocks = std::mem::take(&mut answer.blocks);
    match &*frame.kind.0 {
        "message" | "message_start" | "message_delta" => answer.recognise(),
        "content_block_start" => {
            answer.recognise();
            let is_text = frame.content_block.0.as_ref().is_some_and(|block| block.kind.0 == "text");
            blocks.open(OpenBlock { index: frame.index, is_text, held: String::new(), ended: false }, answer);
        }
        "content_block_stop" => blocks.end(frame.index, answer),
        "message_stop" => answer.end(),
        "error" if frame.error.is_none() => answer.fail("error".into()),
        _ => {}
    }
    frame.error.into_iter().for_each(|error| answer.fail(error));
    if let Some(message) = frame.message.0 {
        message.content.0.iter().for_each(|block| block.read(answer));
        answer.stop(&message.stop_reason.0);
        answer.details.record(&message.model.0, &message.id.0);
        count(message.usage, &mut answer.counts);
        answer.counts.set_provisional(true);
    }
    for block in [frame.content_block.0, frame.delta.0].into_iter().flatten() {
        if !block.is_text() {
            block.read(answer);
        } else if let Some(text) = blocks.now(frame.index, block.text.0) {
            answer.say(&text);
        }
    }
    frame.content.0.iter().for_each(|block| block.read(answer));
    answer.stop(&frame.stop_reason.0);
    answer.details.record(&frame.model.0, &frame.id.0);
    count(frame.usage, &mut answer.counts);
    if answer.is_complete() {
        blocks.end_all(answer);
    }
    answer.blocks = blocks;
    Ok(())
}

impl ContentBlock<'_> {
    fn is_text(&self) -> bool {
        matches!(&*self.kind.0, "text" | "text_delta")
    }

    fn read(&self, answer: &mut IncomingAnswer) {
        match &*self.kind.0 {
            _ if self.is_text() => answer.say(&self.text.0),
            "tool_use" => answer.call_tool(),
            // What `message_delta` adds to the message.
            "" => {}
            _ => answer.begin(),
        }
        answer.stop(&self.stop_reason.0);
    }
}

/// The blocks of a stream that have begun and not ended, in their order. Text is said in that order, whichever
/// comes first, and only that of text blocks.
#[derive(Debug, Default)]
pub(in super::super) struct OpenBlocks {
    open: Vec<OpenBlock>,
    held_bytes: usize,
}

#[derive(Debug)]
struct OpenBlock {
    index: CountField,
    is_text: bool,
    /// Text that waits for the end of the blocks before this one.
    held: String,
    ended: bool,
}

impl OpenBlocks {
    /// How much text waits.
    pub(in super::super) fn held_bytes(&self) -> usize {
        self.held_bytes
    }

    fn open(&mut self, block: OpenBlock, answer: &mut IncomingAnswer) {
        self.open.push(block);
        if self.open.len() > MOST_OPEN_BLOCKS {
            self.open[0].ended = true;
            self.say_next(answer);
        }
    }

    /// The text of a block, if it is its turn.
    fn now<'t>(&mut self, index: CountField, text: Cow<'t, str>) -> Option<Cow<'t, str>> {
        match self.open.iter().position(|block| block.index == index) {
            Some(place) if !self.open[place].is_text => None,
            Some(place) if place > 0 => {
                self.open[place].held += &text;
                self.held_bytes += text.len();
                None
            }
            _ => Some(text),
        }
    }

    fn end(&mut self, index: CountField, answer: &mut IncomingAnswer) {
        self.open.iter_mut().filter(|block| block.index == index).for_each(|block| block.ended = true);
        self.say_next(answer);
    }

    /// The message has ended, and with it all of its blocks.
    fn end_all(&mut self, answer: &mut IncomingAnswer) {
        self.open.iter_mut().for_each(|block| block.ended = true);
        self.say_next(answer);
    }

    /// Says what waited for blocks that have ended.
    fn say_next(&mut self, answer: &mut IncomingAnswer) {
        while self.open.first().is_some_and(|block| block.ended) {
            self.open.remove(0);
            if let Some(next) = self.open.first_mut() {
                self.held_bytes -= next.held.len();
                answer.say(&std::mem::take(&mut next.held));
            }
        }
    }
}

/// Reported twice: what went in at the beginning, and again with what came out at the end. What is cached is
/// counted apart.
fn count(usage: ObjectField<AnthropicUsage>, counts: &mut TokenCounts) {
    if let Some(usage) = usage.0 {
        counts.set_provisional(false);
        counts.set_exclusive_input(usage.input_tokens);
        counts.set_cache_read(usage.cache_read_input_tokens);
        counts.set_cache_write(usage.cache_creation_input_tokens);
        counts.set_output(usage.output_tokens);
        counts.set_reasoning(
            usage.output_tokens_details.0.map_or(CountField::Missing, |told| told.thinking_tokens),
        );
    }
}

#[cfg(test)]
mod tests;
