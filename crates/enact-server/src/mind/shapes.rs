//! What goes over the wire, in the words of the games that exist: HTTP and MCP send the same.

use std::collections::BTreeMap;

use enact_drama::{
    mind::{Mind, MindAction, MindConfig},
    usage::Usage,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::minds::DecidedCall;

/// What a game says of somebody.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(expecting = "an object with traits")]
pub(super) struct MindConfigShape {
    #[serde(default)]
    #[schema(example = json!(["curious", "active"]))]
    traits: Vec<String>,
    /// One of the operator's models; others are passed over.
    #[schema(example = "rules")]
    pub(super) llm_model: Option<String>,
    /// `situation_assessment`, `active_goals`, `recent_events`, `current_plan`, `emotional_state`, and anything
    /// else.
    #[schema(value_type = Option<Object>)]
    initial_working_memory: Option<Value>,
    initial_long_term_memories: Option<Vec<String>>,
    /// Each from 0 to 1.
    personality_dimensions: Option<BTreeMap<String, f64>>,
}

impl MindConfigShape {
    pub(super) fn read(self) -> MindConfig {
        let percent = |value: f64| (value.clamp(0.0, 1.0) * 100.0) as u8;
        let dimensions = self.personality_dimensions.unwrap_or_default();
        let config = MindConfig {
            traits: self.traits,
            working_memory: Map::new(),
            memories: self.initial_long_term_memories.unwrap_or_default(),
            dimensions: dimensions.into_iter().map(|(name, value)| (name, percent(value))).collect(),
        };
        match self.initial_working_memory {
            Some(Value::Object(working_memory)) => MindConfig { working_memory, ..config },
            Some(Value::String(text)) => config.with_working_memory(&text),
            _ => config,
        }
    }
}

/// The answer to a call of a newer game.
pub(super) fn decision(decided: &DecidedCall) -> Value {
    let go_on = MindAction::go_on();
    let action = decided.decision.as_ref().map_or(&go_on, |decision| &decision.action);
    json!({
        "status": "success",
        "action": action,
        "error_message": null,
        "request_id": decided.request,
        "protocol_version": PROTOCOL,
        "telemetry": telemetry(decided),
    })
}

/// The version of these answers.
pub(super) const PROTOCOL: u32 = 1;

/// What a call used, from the log. What is not known is not zero.
fn telemetry(decided: &DecidedCall) -> Value {
    let decision = decided.decision.as_ref().filter(|decision| decision.call.is_some());
    let calls: Vec<Option<Usage>> = decision
        .map_or_else(Vec::new, |decision| decision.failed.iter().copied().chain([decision.usage]).collect());
    let unreported = calls.iter().filter(|usage| usage.is_none_or(|usage| usage.partial)).count();
    let mut used = Usage::NONE;
    calls.iter().flatten().for_each(|usage| used += *usage);
    let Usage { uncached, cache_read, cache_write, output, .. } = used;
    let model = decision.and_then(|decision| decision.fallback.as_ref()).or(decided.model.as_ref());
    let prompt = uncached + cache_read + cache_write;
    let counts = json!({
        "prompt_tokens": prompt,
        "completion_tokens": output,
        "total_tokens": prompt + output,
        "cached_prompt_tokens": cache_read,
        "cache_write_tokens": cache_write,
    });
    let mut told = counts.clone();
    let more = json!({
        "provenance": if unreported > 0 { "unreported" } else { "metered" },
        "cache_reporting": calls.iter().any(Option::is_some),
        "model_calls": calls.len(),
        "unreported_calls": unreported,
        "model": model,
        "server_ms": decided.server_ms,
        "per_step": if decision.is_some() { json!({ "decide": counts }) } else { json!({}) },
        "per_step_ms": { "decide": decided.server_ms },
    });
    if let (Some(told), Value::Object(more)) = (told.as_object_mut(), more) {
        told.extend(more);
    }
    told
}

/// How a mind stands.
pub(super) fn state(mind: &Mind) -> Value {
    let memory = mind.memory();
    let talks: Vec<&str> = memory.talks.iter().map(|talk| talk.id.as_str()).collect();
    json!({
        "entity_id": mind.entity_id(),
        "traits": mind.setup().config.traits,
        "working_memory": memory.working_memory(mind.told()),
        "daily_memories_count": memory.daily.len(),
        "long_term_memory_count": memory.long_term.len(),
        "active_conversations": talks,
    })
}
