//! Gemini's `generateContent` and `streamGenerateContent`.

use serde_json::{Value, json};

use crate::{
    refusal::Refusal,
    wire::{ClaimedUsage, StopReason, WireAnswer},
};

pub(crate) fn piece(answer: &WireAnswer<'_>, text: &str) -> String {
    // Every chunk of the real service states the usage so far, and the last one counts.
    let claim = answer.claim.map(|claim| ClaimedUsage { output: claim.output.min(1), ..claim });
    frame(&body(answer, Some(text), None, claim.as_ref()))
}

pub(crate) fn tail(answer: &WireAnswer<'_>) -> String {
    frame(&body(answer, None, Some(answer.stop), answer.claim.as_ref()))
}

pub(crate) fn plain(answer: &WireAnswer<'_>) -> Value {
    let text = Some(answer.text).filter(|text| !text.is_empty());
    body(answer, text, Some(answer.stop), answer.claim.as_ref())
}

pub(crate) fn error(problem: &Refusal) -> (u16, Value) {
    let code = match problem {
        Refusal::Status(status) => *status,
        Refusal::UnknownModel(_) | Refusal::NoSuchPath(_) => 404,
        // The real service calls a wrong key an invalid argument.
        Refusal::WrongKey | Refusal::TooLong { .. } | Refusal::Invalid(_) => 400,
    };
    let (status, usual) = match code {
        401 => ("UNAUTHENTICATED", "Request had invalid authentication credentials."),
        403 => ("PERMISSION_DENIED", "The caller does not have permission."),
        404 => ("NOT_FOUND", "Requested entity was not found."),
        429 => ("RESOURCE_EXHAUSTED", "You exceeded your current quota. Please retry later."),
        503 | 529 => ("UNAVAILABLE", "The model is overloaded. Please try again later."),
        504 => ("DEADLINE_EXCEEDED", "The request timed out. Please try again."),
        400..500 => ("INVALID_ARGUMENT", "Request contains an invalid argument."),
        _ => ("INTERNAL", "An internal error has occurred. Please retry."),
    };
    let message = match problem {
        Refusal::UnknownModel(model) => {
            format!(
                "models/{model} is not found for API version v1beta, or is not supported for generateContent."
            )
        }
        Refusal::TooLong { tokens, limit } => format!(
            "The input token count ({tokens}) exceeds the maximum number of tokens allowed ({limit})."
        ),
        Refusal::WrongKey => "API key not valid. Please pass a valid API key.".to_owned(),
        Refusal::Invalid(why) => why.clone(),
        Refusal::Status(_) | Refusal::NoSuchPath(_) => usual.to_owned(),
    };
    let mut error = json!({"code": code, "message": message, "status": status});
    if matches!(problem, Refusal::WrongKey) {
        error["details"] = json!([{
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "API_KEY_INVALID",
            "domain": "googleapis.com",
        }]);
    }
    (code, json!({"error": error}))
}

fn body(
    answer: &WireAnswer<'_>,
    text: Option<&str>,
    stop: Option<StopReason>,
    claim: Option<&ClaimedUsage>,
) -> Value {
    let mut candidate = json!({"index": 0});
    match text {
        Some(text) => candidate["content"] = json!({"parts": [{"text": text}], "role": "model"}),
        // What was blocked has no content; what merely ended has an empty part.
        None if stop != Some(StopReason::Refused) => {
            candidate["content"] = json!({"parts": [{"text": ""}], "role": "model"});
        }
        None => {}
    }
    if let Some(stop) = stop {
        candidate["finishReason"] = json!(finish_reason(stop));
    }
    let mut body = json!({"candidates": [candidate], "modelVersion": answer.model, "responseId": answer.id});
    if let Some(claim) = claim {
        body["usageMetadata"] = json!({
            "promptTokenCount": claim.input(),
            "candidatesTokenCount": claim.output,
            "totalTokenCount": claim.input() + claim.output,
            "cachedContentTokenCount": claim.cache_read,
        });
    }
    body
}

fn finish_reason(stop: StopReason) -> &'static str {
    match stop {
        StopReason::End => "STOP",
        StopReason::Length => "MAX_TOKENS",
        StopReason::Refused => "SAFETY",
    }
}

fn frame(body: &Value) -> String {
    format!("data: {body}\n\n")
}
