//! Anthropic's Messages API: its events, its errors, and the rules it holds requests to.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    cache::MAX_BREAKPOINTS,
    prompt::{Prompt, PromptRole, Ttl},
    refusal::Refusal,
    strict,
    wire::{ClaimedUsage, StopReason, WireAnswer},
};

/// What the real service refuses, as far as a client of ours could do it.
pub(crate) fn check(
    headers: &BTreeMap<String, String>,
    body: &Value,
    prompt: &Prompt<'_>,
) -> Result<(), String> {
    if !headers.contains_key("anthropic-version") {
        return Err("anthropic-version: header is required".to_owned());
    }
    if prompt.max_tokens.is_none_or(|max| max == 0) {
        return Err("max_tokens: Field required".to_owned());
    }
    if !prompt.blocks.iter().any(|block| matches!(block.role, PromptRole::User | PromptRole::Assistant)) {
        return Err("messages: at least one message is required".to_owned());
    }
    if body["messages"][0]["role"] != "user" {
        return Err("messages: first message must use the \"user\" role".to_owned());
    }
    if let Some(block) = prompt.blocks.iter().find(|block| block.text.is_empty()) {
        return Err(match block.breakpoint {
            Some(_) => "cache_control cannot be set for empty text blocks".to_owned(),
            None => "messages: text content blocks must be non-empty".to_owned(),
        });
    }
    let breakpoints: Vec<Ttl> = prompt.blocks.iter().filter_map(|block| block.breakpoint).collect();
    if breakpoints.len() > MAX_BREAKPOINTS {
        return Err(format!(
            "A maximum of {MAX_BREAKPOINTS} blocks with cache_control may be provided. Found {}.",
            breakpoints.len()
        ));
    }
    if breakpoints.windows(2).any(|pair| pair == [Ttl::FiveMinutes, Ttl::OneHour]) {
        return Err(
            "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that \
                    blocks are processed in the following order: `tools`, `system`, `messages`."
                .to_owned(),
        );
    }
    prompt.schema.map_or(Ok(()), strict::check_for_anthropic)
}

pub(crate) fn head(answer: &WireAnswer<'_>) -> String {
    // What has been put out when the stream begins is the first token, and clients must not add it to the
    // last count.
    let usage = answer.claim.map(|claim| usage(&ClaimedUsage { output: claim.output.min(1), ..claim }));
    let mut message = message(answer, json!([]), Value::Null);
    if let Some(usage) = usage {
        message["usage"] = usage;
    }
    let start = event("message_start", json!({"message": message}));
    let block =
        event("content_block_start", json!({"index": 0, "content_block": {"type": "text", "text": ""}}));
    start + &block + &event("ping", json!({}))
}

pub(crate) fn piece(_: &WireAnswer<'_>, text: &str) -> String {
    event("content_block_delta", json!({"index": 0, "delta": {"type": "text_delta", "text": text}}))
}

pub(crate) fn tail(answer: &WireAnswer<'_>) -> String {
    let delta = json!({"stop_reason": stop_reason(answer.stop), "stop_sequence": null});
    let mut end = json!({"delta": delta});
    if let Some(claim) = &answer.claim {
        end["usage"] = usage(claim);
    }
    event("content_block_stop", json!({"index": 0}))
        + &event("message_delta", end)
        + &event("message_stop", json!({}))
}

pub(crate) fn plain(answer: &WireAnswer<'_>) -> Value {
    // A model with nothing to say sends no block at all.
    let content =
        if answer.text.is_empty() { json!([]) } else { json!([{"type": "text", "text": answer.text}]) };
    let mut message = message(answer, content, json!(stop_reason(answer.stop)));
    if let Some(claim) = &answer.claim {
        message["usage"] = usage(claim);
    }
    message
}

pub(crate) fn error(problem: &Refusal, request_id: &str) -> (u16, Value) {
    let status = match problem {
        Refusal::Status(status) => *status,
        Refusal::WrongKey => 401,
        Refusal::UnknownModel(_) | Refusal::NoSuchPath(_) => 404,
        Refusal::TooLong { .. } | Refusal::Invalid(_) => 400,
    };
    let kind = match status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        504 => "timeout_error",
        529 => "overloaded_error",
        400..500 => "invalid_request_error",
        _ => "api_error",
    };
    let message = match problem {
        Refusal::UnknownModel(model) => format!("model: {model}"),
        Refusal::TooLong { tokens, limit } => {
            format!("prompt is too long: {tokens} tokens > {limit} maximum")
        }
        Refusal::Invalid(why) => why.clone(),
        Refusal::NoSuchPath(_) => "Not Found".to_owned(),
        Refusal::WrongKey | Refusal::Status(_) => match status {
            401 => "invalid x-api-key",
            403 => "Your API key does not have permission to use the specified resource.",
            429 => "This request would exceed your organization's rate limit. Please try again later.",
            529 => "Overloaded",
            400..500 => "The request could not be processed.",
            _ => "Internal server error",
        }
        .to_owned(),
    };
    let body =
        json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": request_id});
    (status, body)
}

fn message(answer: &WireAnswer<'_>, content: Value, stop_reason: Value) -> Value {
    json!({
        "id": format!("msg_{}", answer.id),
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": null,
    })
}

fn usage(claim: &ClaimedUsage) -> Value {
    json!({
        "input_tokens": claim.uncached,
        "cache_creation_input_tokens": claim.cache_write + claim.cache_write_1h,
        "cache_read_input_tokens": claim.cache_read,
        "cache_creation": {
            "ephemeral_5m_input_tokens": claim.cache_write,
            "ephemeral_1h_input_tokens": claim.cache_write_1h,
        },
        "output_tokens": claim.output,
        "service_tier": "standard",
    })
}

fn stop_reason(stop: StopReason) -> &'static str {
    match stop {
        StopReason::End => "end_turn",
        StopReason::Length => "max_tokens",
        StopReason::Refused => "refusal",
    }
}

fn event(name: &str, fields: Value) -> String {
    let mut data = json!({"type": name});
    if let (Value::Object(data), Value::Object(fields)) = (&mut data, fields) {
        data.extend(fields);
    }
    format!("event: {name}\ndata: {data}\n\n")
}
