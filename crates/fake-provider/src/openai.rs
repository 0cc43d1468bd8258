//! OpenAI's Chat Completions, as OpenAI and the many servers compatible with it speak them.

use serde_json::{Value, json};

use crate::{
    prompt::Prompt,
    refusal::Refusal,
    strict,
    wire::{CREATED, ClaimedUsage, StopReason, WireAnswer},
};

/// What the real service refuses, as far as a client of ours could do it.
pub(crate) fn check(body: &Value, prompt: &Prompt<'_>) -> Result<(), String> {
    if prompt.blocks.is_empty() {
        return Err("Invalid 'messages': empty array. Expected an array with minimum length 1.".to_owned());
    }
    let format = &body["response_format"]["json_schema"];
    match (prompt.schema, format["name"].as_str()) {
        (Some(_), None) => Err("Missing required parameter: 'response_format.json_schema.name'.".to_owned()),
        (Some(schema), Some(name)) if format["strict"] == true => strict::check_for_openai(name, schema),
        _ => Ok(()),
    }
}

pub(crate) fn head(answer: &WireAnswer<'_>) -> String {
    delta(answer, json!({"role": "assistant", "content": "", "refusal": null}), Value::Null)
}

pub(crate) fn piece(answer: &WireAnswer<'_>, text: &str) -> String {
    delta(answer, json!({"content": text}), Value::Null)
}

pub(crate) fn tail(answer: &WireAnswer<'_>) -> String {
    let mut tail = delta(answer, json!({}), json!(finish_reason(answer.stop)));
    if let Some(claim) = answer.claim.as_ref().filter(|_| answer.wants_usage) {
        let mut last = chunk(answer, json!([]));
        last["usage"] = usage(claim);
        tail += &format!("data: {last}\n\n");
    }
    tail + "data: [DONE]\n\n"
}

pub(crate) fn plain(answer: &WireAnswer<'_>) -> Value {
    let mut body = json!({
        "id": format!("chatcmpl-{}", answer.id),
        "object": "chat.completion",
        "created": CREATED,
        "model": answer.model,
        "choices": [{
            "index": 0,
            "message": {"role": "assistant", "content": answer.text, "refusal": null},
            "logprobs": null,
            "finish_reason": finish_reason(answer.stop),
        }],
    });
    if let Some(claim) = &answer.claim {
        body["usage"] = usage(claim);
    }
    body
}

pub(crate) fn error(problem: &Refusal) -> (u16, Value) {
    let (status, message, kind, param, code) = match problem {
        Refusal::WrongKey | Refusal::Status(401) => {
            let message = "Incorrect API key provided: sk-t****. You can find your API key in your account.";
            (401, message.to_owned(), "invalid_request_error", Value::Null, json!("invalid_api_key"))
        }
        Refusal::UnknownModel(model) => {
            let message = format!("The model `{model}` does not exist or you do not have access to it.");
            (404, message, "invalid_request_error", Value::Null, json!("model_not_found"))
        }
        Refusal::TooLong { tokens, limit } => {
            let message = format!(
                "This model's maximum context length is {limit} tokens. However, your messages resulted in {tokens} \
                 tokens. Please reduce the length of the messages."
            );
            (400, message, "invalid_request_error", json!("messages"), json!("context_length_exceeded"))
        }
        Refusal::Invalid(why) => (400, why.clone(), "invalid_request_error", Value::Null, Value::Null),
        Refusal::NoSuchPath(path) => {
            (404, format!("Invalid URL ({path})"), "invalid_request_error", Value::Null, Value::Null)
        }
        Refusal::Status(429) => {
            let message = "Rate limit reached for requests. Please try again later.".to_owned();
            (429, message, "requests", Value::Null, json!("rate_limit_exceeded"))
        }
        Refusal::Status(status @ (503 | 529)) => {
            let message = "The engine is currently overloaded, please try again later.".to_owned();
            (*status, message, "server_error", Value::Null, json!("overloaded"))
        }
        Refusal::Status(status @ 400..500) => {
            let message = "The request could not be processed.".to_owned();
            (*status, message, "invalid_request_error", Value::Null, Value::Null)
        }
        Refusal::Status(status) => {
            let message =
                "The server had an error while processing your request. Sorry about that!".to_owned();
            (*status, message, "server_error", Value::Null, Value::Null)
        }
    };
    (status, json!({"error": {"message": message, "type": kind, "param": param, "code": code}}))
}

fn delta(answer: &WireAnswer<'_>, delta: Value, finish_reason: Value) -> String {
    let choice = json!({"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish_reason});
    format!("data: {}\n\n", chunk(answer, json!([choice])))
}

fn chunk(answer: &WireAnswer<'_>, choices: Value) -> Value {
    json!({
        "id": format!("chatcmpl-{}", answer.id),
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": answer.model,
        "choices": choices,
    })
}

fn usage(claim: &ClaimedUsage) -> Value {
    json!({
        "prompt_tokens": claim.input(),
        "completion_tokens": claim.output,
        "total_tokens": claim.input() + claim.output,
        "prompt_tokens_details": {"cached_tokens": claim.cache_read, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0},
    })
}

fn finish_reason(stop: StopReason) -> &'static str {
    match stop {
        StopReason::End => "stop",
        StopReason::Length => "length",
        StopReason::Refused => "content_filter",
    }
}
