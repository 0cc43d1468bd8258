//! Gemini's `generateContent` and `streamGenerateContent`.

use serde_json::{Value, json};

use crate::{
    problem::Problem,
    wire::{Answer, Claim, Stop},
};

pub(crate) fn piece(answer: &Answer<'_>, text: &str) -> String {
    // Every chunk of the real service states the usage so far, and the last one counts.
    let claim = answer.claim.map(|claim| Claim { output: claim.output.min(1), ..claim });
    frame(&body(answer, Some(text), None, claim.as_ref()))
}

pub(crate) fn tail(answer: &Answer<'_>) -> String {
    frame(&body(answer, None, Some(answer.stop), answer.claim.as_ref()))
}

pub(crate) fn plain(answer: &Answer<'_>) -> Value {
    let text = Some(answer.text).filter(|text| !text.is_empty());
    body(answer, text, Some(answer.stop), answer.claim.as_ref())
}

pub(crate) fn error(problem: &Problem) -> (u16, Value) {
    let code = match problem {
        Problem::Status(status) => *status,
        Problem::UnknownModel(_) | Problem::NoSuchPath(_) => 404,
        // The real service calls a wrong key an invalid argument.
        Problem::WrongKey | Problem::TooLong { .. } | Problem::Invalid(_) => 400,
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
        Problem::UnknownModel(model) => {
            format!(
                "models/{model} is not found for API version v1beta, or is not supported for generateContent."
            )
        }
        Problem::TooLong { tokens, limit } => format!(
            "The input token count ({tokens}) exceeds the maximum number of tokens allowed ({limit})."
        ),
        Problem::WrongKey => "API key not valid. Please pass a valid API key.".to_owned(),
        Problem::Invalid(why) => why.clone(),
        Problem::Status(_) | Problem::NoSuchPath(_) => usual.to_owned(),
    };
    let mut error = json!({"code": code, "message": message, "status": status});
    if matches!(problem, Problem::WrongKey) {
        error["details"] = json!([{
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "API_KEY_INVALID",
            "domain": "googleapis.com",
        }]);
    }
    (code, json!({"error": error}))
}

fn body(answer: &Answer<'_>, text: Option<&str>, stop: Option<Stop>, claim: Option<&Claim>) -> Value {
    let mut candidate = json!({"index": 0});
    match text {
        Some(text) => candidate["content"] = json!({"parts": [{"text": text}], "role": "model"}),
        // What was blocked has no content; what merely ended has an empty part.
        None if stop != Some(Stop::Refused) => {
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

fn finish_reason(stop: Stop) -> &'static str {
    match stop {
        Stop::End => "STOP",
        Stop::Length => "MAX_TOKENS",
        Stop::Refused => "SAFETY",
    }
}

fn frame(body: &Value) -> String {
    format!("data: {body}\n\n")
}
