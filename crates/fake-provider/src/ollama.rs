//! Ollama's own chat API: JSON lines instead of events, and bare error messages.

use serde_json::{Value, json};

use crate::{
    refusal::Refusal,
    wire::{StopReason, WireAnswer},
};

pub(crate) fn piece(answer: &WireAnswer<'_>, text: &str) -> String {
    format!("{}\n", message(answer, text, false))
}

pub(crate) fn tail(answer: &WireAnswer<'_>) -> String {
    format!("{}\n", ended(answer, ""))
}

pub(crate) fn plain(answer: &WireAnswer<'_>) -> Value {
    ended(answer, answer.text)
}

pub(crate) fn error(problem: &Refusal) -> (u16, Value) {
    let (status, message) = match problem {
        Refusal::UnknownModel(model) => (404, format!("model '{model}' not found")),
        Refusal::WrongKey | Refusal::Status(401) => (401, "unauthorized".to_owned()),
        Refusal::TooLong { tokens, limit } => {
            (400, format!("input length ({tokens} tokens) exceeds the context length of {limit}"))
        }
        Refusal::Invalid(why) => (400, why.clone()),
        Refusal::NoSuchPath(_) => (404, "404 page not found".to_owned()),
        Refusal::Status(status @ (429 | 503 | 529)) => {
            (*status, "server busy, please try again. maximum pending requests exceeded".to_owned())
        }
        Refusal::Status(status @ 400..500) => (*status, "invalid request".to_owned()),
        Refusal::Status(status) => (*status, "model runner has unexpectedly stopped".to_owned()),
    };
    (status, json!({"error": message}))
}

fn ended(answer: &WireAnswer<'_>, text: &str) -> Value {
    let mut body = message(answer, text, true);
    // Ollama knows no refusals: a model that declines says so and stops.
    body["done_reason"] = json!(if answer.stop == StopReason::Length { "length" } else { "stop" });
    body["total_duration"] = json!(0);
    if let Some(claim) = &answer.claim {
        body["prompt_eval_count"] = json!(claim.input());
        body["prompt_eval_cached_count"] = json!(claim.cache_read);
        body["eval_count"] = json!(claim.output);
    }
    body
}

fn message(answer: &WireAnswer<'_>, text: &str, done: bool) -> Value {
    json!({
        "model": answer.model,
        "created_at": "2025-01-01T00:00:00Z",
        "message": {"role": "assistant", "content": text},
        "done": done,
    })
}
