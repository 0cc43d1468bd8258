//! A request's prompt in one shape for all wire formats: blocks of text in the order in which the model reads them.

use std::borrow::Cow;

use serde_json::Value;

use crate::seen::Api;

/// What is asked, borrowed from the request's body.
#[derive(Clone, Debug, Default)]
pub struct Prompt<'a> {
    /// Tools, then system blocks, then messages.
    pub blocks: Vec<Block<'a>>,
    /// The JSON schema that the answer must follow.
    pub schema: Option<&'a Value>,
    pub streamed: bool,
    pub max_tokens: Option<u64>,
    /// OpenAI sends the usage of a stream only to those who ask for it.
    pub wants_usage: bool,
}

/// The smallest part of a prompt that can carry a cache breakpoint.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    pub role: Role,
    pub text: Cow<'a, str>,
    /// The cached prefix may end here, and lives so long.
    pub breakpoint: Option<Ttl>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    Tool,
    System,
    User,
    Assistant,
}

/// How long a cached prefix lives after its last use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ttl {
    FiveMinutes,
    OneHour,
}

impl<'a> Prompt<'a> {
    /// Reads what it understands and passes over the rest: checking requests is the formats' business.
    pub fn read(api: Api, body: &'a Value, path: &str) -> Self {
        match api {
            Api::Anthropic => anthropic(body),
            Api::OpenAi => openai(body),
            Api::Gemini => gemini(body, path),
            Api::Ollama => ollama(body),
        }
    }

    /// All system text, a blank line between blocks.
    pub fn system(&self) -> String {
        let texts: Vec<&str> = self.of(Role::System).map(|block| &*block.text).collect();
        texts.join("\n\n")
    }

    /// The last thing the user said.
    pub fn last_message(&self) -> &str {
        self.of(Role::User).last().map_or("", |block| &*block.text)
    }

    /// The text of all blocks in bytes.
    pub fn bytes(&self) -> usize {
        self.blocks.iter().map(|block| block.text.len()).sum()
    }

    fn of(&self, role: Role) -> impl Iterator<Item = &Block<'a>> {
        self.blocks.iter().filter(move |block| block.role == role)
    }

    fn push_text(&mut self, role: Role, text: &'a str) {
        self.blocks.push(Block { role, text: Cow::Borrowed(text), breakpoint: None });
    }

    /// Content is a string or a list of parts, in every format that calls it content.
    fn push_content(&mut self, role: Role, content: &'a Value) {
        match content {
            Value::String(text) => self.push_text(role, text),
            Value::Array(parts) => self.blocks.extend(parts.iter().map(|part| block(role, part))),
            _ => {}
        }
    }

    fn push_messages(&mut self, body: &'a Value) {
        for message in list(&body["messages"]) {
            let role = match message["role"].as_str() {
                Some("system" | "developer") => Role::System,
                Some("assistant") => Role::Assistant,
                _ => Role::User,
            };
            self.push_content(role, &message["content"]);
        }
    }
}

fn anthropic(body: &Value) -> Prompt<'_> {
    let format = &body["output_config"]["format"];
    let mut prompt = Prompt {
        schema: format.get("schema"),
        streamed: body["stream"] == true,
        max_tokens: body["max_tokens"].as_u64(),
        wants_usage: true,
        ..Prompt::default()
    };
    prompt.blocks.extend(list(&body["tools"]).iter().map(|tool| block(Role::Tool, tool)));
    prompt.push_content(Role::System, &body["system"]);
    prompt.push_messages(body);
    // A breakpoint on the request itself is one on its last block.
    if let (Some(ttl), Some(last)) = (ttl(body), prompt.blocks.last_mut()) {
        last.breakpoint.get_or_insert(ttl);
    }
    prompt
}

fn openai(body: &Value) -> Prompt<'_> {
    let mut prompt = Prompt {
        schema: body["response_format"]["json_schema"].get("schema"),
        streamed: body["stream"] == true,
        max_tokens: body["max_completion_tokens"].as_u64().or_else(|| body["max_tokens"].as_u64()),
        wants_usage: body["stream_options"]["include_usage"] == true,
        ..Prompt::default()
    };
    prompt.push_messages(body);
    prompt
}

fn gemini<'a>(body: &'a Value, path: &str) -> Prompt<'a> {
    let config = &body["generationConfig"];
    let mut prompt = Prompt {
        schema: config.get("responseJsonSchema").or_else(|| config.get("responseSchema")),
        streamed: path.contains(":streamGenerateContent"),
        max_tokens: config["maxOutputTokens"].as_u64(),
        wants_usage: true,
        ..Prompt::default()
    };
    prompt.push_content(Role::System, &body["systemInstruction"]["parts"]);
    for content in list(&body["contents"]) {
        let role = if content["role"] == "model" { Role::Assistant } else { Role::User };
        prompt.push_content(role, &content["parts"]);
    }
    prompt
}

fn ollama(body: &Value) -> Prompt<'_> {
    let mut prompt = Prompt {
        schema: body.get("format").filter(|format| format.is_object()),
        // Ollama streams unless told not to.
        streamed: body["stream"] != false,
        max_tokens: body["options"]["num_predict"].as_u64(),
        wants_usage: true,
        ..Prompt::default()
    };
    prompt.push_messages(body);
    prompt
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A part of a message. What is not text counts with its JSON, without the breakpoint: setting one changes no prefix.
fn block(role: Role, part: &Value) -> Block<'_> {
    let text = match (&part["text"], part) {
        (Value::String(text), _) | (_, Value::String(text)) => Cow::Borrowed(text.as_str()),
        _ => {
            let mut bare = part.clone();
            if let Some(fields) = bare.as_object_mut() {
                fields.remove("cache_control");
            }
            Cow::Owned(bare.to_string())
        }
    };
    Block { role, text, breakpoint: ttl(part) }
}

fn ttl(part: &Value) -> Option<Ttl> {
    let control = part.get("cache_control").filter(|control| control.is_object())?;
    Some(if control["ttl"] == "1h" { Ttl::OneHour } else { Ttl::FiveMinutes })
}

#[cfg(test)]
mod tests;
