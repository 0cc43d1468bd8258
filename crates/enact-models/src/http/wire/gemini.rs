//! Gemini's `generateContent` and `streamGenerateContent`.

use enact_drama::request::MessageRole;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    super::{
        answer::IncomingAnswer,
        outgoing_chat::{JoinedText, OutgoingChat},
    },
    lenient::{CountField, FlagField, ListField, ObjectField, TextField},
    prompt_json,
};
use crate::{Effort, Thinking, reasoning::EffortParameter};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GeminiBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<SystemInstruction<'a>>,
    contents: Vec<GeminiContent<'a>>,
    generation_config: GenerationConfig<'a>,
}

#[derive(Serialize)]
struct SystemInstruction<'a> {
    parts: [JoinedPart<'a>; 1],
}

#[derive(Serialize)]
struct JoinedPart<'a> {
    text: JoinedText<'a>,
}

#[derive(Serialize)]
struct GeminiContent<'a> {
    role: &'static str,
    parts: Vec<GeminiText<'a>>,
}

#[derive(Serialize)]
struct GeminiText<'a> {
    #[serde(serialize_with = "prompt_json::serialize")]
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    top_p: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_sequences: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u32>,
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_json_schema: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_config: Option<ThinkingConfig>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum ThinkingConfig {
    ThinkingLevel(&'static str),
    ThinkingBudget(u32),
}

pub(super) fn body<'a>(chat: &'a OutgoingChat<'_>) -> impl Serialize + 'a {
    let contents = chat.turns.iter().map(|turn| GeminiContent {
        role: match turn.role {
            MessageRole::User => "user",
            MessageRole::Assistant => "model",
        },
        parts: turn.texts().map(|text| GeminiText { text }).collect(),
    });
    GeminiBody {
        system_instruction: chat
            .joined_system()
            .map(|text| SystemInstruction { parts: [JoinedPart { text }] }),
        contents: contents.collect(),
        generation_config: GenerationConfig {
            temperature: chat.temperature,
            top_p: chat.top_p,
            stop_sequences: chat.stop,
            seed: chat.seed,
            max_output_tokens: chat.max_tokens,
            response_mime_type: chat.schema.map(|_| "application/json"),
            response_json_schema: chat.schema.map(|schema| &schema.json),
            thinking_config: thinking(chat),
        },
    }
}

/// The 2.5 generation is told a number of tokens, later ones a level; none of those can be told not to think.
fn thinking(chat: &OutgoingChat<'_>) -> Option<ThinkingConfig> {
    let by_budget = chat.family.dial == Some(EffortParameter::Budget);
    match (chat.thinking, chat.effort) {
        (Some(Thinking::Budget(tokens)), _) => Some(ThinkingConfig::ThinkingBudget(tokens)),
        (Some(Thinking::Off), _) if by_budget => Some(ThinkingConfig::ThinkingBudget(0)),
        (Some(Thinking::Off), _) => Some(ThinkingConfig::ThinkingLevel(Effort::Minimal.as_str())),
        (_, Some(effort)) if by_budget => Some(ThinkingConfig::ThinkingBudget(budget(effort))),
        (_, Some(effort)) => Some(ThinkingConfig::ThinkingLevel(effort.min(Effort::High).as_str())),
        (_, None) => None,
    }
}

/// How many tokens an effort is: the 2.5 generation takes at least 128 of them, and 24,576 at most.
fn budget(effort: Effort) -> u32 {
    match effort {
        Effort::Minimal => 128,
        Effort::Low => 512,
        Effort::Medium => 2_048,
        Effort::High => 8_192,
        Effort::ExtraHigh => 16_384,
        Effort::Max => 24_576,
    }
}

/// A frame of a stream, or a whole answer: they are the same.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct GeminiFrame<'a> {
    #[serde(borrow)]
    candidates: Option<ListField<GeminiCandidate<'a>>>,
    prompt_feedback: ObjectField<PromptFeedback>,
    usage_metadata: ObjectField<UsageMetadata>,
    #[serde(borrow)]
    model_version: TextField<'a>,
    #[serde(borrow)]
    response_id: TextField<'a>,
    error: Option<Value>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct GeminiCandidate<'a> {
    index: CountField,
    #[serde(borrow)]
    content: ObjectField<CandidateContent<'a>>,
    #[serde(borrow)]
    finish_reason: TextField<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct CandidateContent<'a> {
    #[serde(borrow)]
    parts: ListField<CandidatePart<'a>>,
}

/// A part with text, a thought, or one of the many kinds that nothing here asks for.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct CandidatePart<'a> {
    #[serde(borrow)]
    text: TextField<'a>,
    thought: FlagField,
    function_call: FlagField,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct PromptFeedback {
    block_reason: FlagField,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct UsageMetadata {
    prompt_token_count: CountField,
    tool_use_prompt_token_count: CountField,
    cached_content_token_count: CountField,
    candidates_token_count: CountField,
    thoughts_token_count: CountField,
}

pub(super) fn read(json: &[u8], answer: &mut IncomingAnswer) -> serde_json::Result<()> {
    let frame: GeminiFrame<'_> = serde_json::from_slice(json)?;
    if let Some(error) = frame.error {
        answer.fail(error);
    }
    answer.details.record(&frame.model_version.0, &frame.response_id.0);
    if let Some(usage) = frame.usage_metadata.0 {
        answer.recognise();
        // Reported with every frame, growing. Zeros are left out, what is cached is counted in, and thoughts
        // come on top.
        answer.counts.set_inclusive_input(usage.prompt_token_count.plus(usage.tool_use_prompt_token_count));
        answer.counts.set_cache_read(usage.cached_content_token_count);
        let output = usage.candidates_token_count.plus(usage.thoughts_token_count);
        answer.counts.set_reasoning(usage.thoughts_token_count);
        answer.counts.set_output(CountField::Told(0).plus(output));
    }
    if frame.prompt_feedback.0.is_some_and(|feedback| feedback.block_reason.0) {
        answer.refuse();
        answer.end();
    }
    let Some(ListField(candidates)) = frame.candidates else { return Ok(()) };
    answer.recognise();
    // Only one is ever asked for.
    let first = candidates.into_iter().find(|candidate| !matches!(candidate.index, CountField::Told(1..)));
    let Some(candidate) = first else { return Ok(()) };
    for part in candidate.content.0.unwrap_or_default().parts.0 {
        match () {
            () if part.function_call.0 => answer.call_tool(),
            () if part.thought.0 => answer.begin(),
            () => answer.say(&part.text.0),
        }
    }
    answer.stop(&candidate.finish_reason.0);
    Ok(())
}
