use serde_json::json;

use super::*;
use crate::ApiKey;

const KEY: &str = "sk-very-secret";

fn errors(provider: Provider) -> ModelErrors {
    let settings = Settings { key: Some(ApiKey::new(KEY)), ..Settings::new(provider, "m") };
    ModelErrors::new(settings, &Url::parse("http://h:1").unwrap())
}

fn meaning(provider: Provider, status: u16, body: Value) -> String {
    let error = errors(provider)
        .classify_status(status, body.to_string().as_bytes(), &HeaderMap::new(), OmittedParameters::default())
        .to_string();
    assert!(!error.contains(KEY) && !error.contains('\n'), "{error}");
    error
}

#[test]
fn statuses_and_bodies_mean_something() {
    use Provider::{Anthropic, Gemini, Ollama, OpenAi, OpenAiCompatible};
    let error = |kind: &str, message: &str| json!({"error": {"type": kind, "message": message}});
    let google = |status: &str, message: &str, reason: &str| json!([{"error": {"code": 400, "status": status, "message": message, "details": [{"reason": reason}]}}]);
    let quota = json!({"error": {"message": "You exceeded", "type": "insufficient_quota", "code": "insufficient_quota"}});
    for (provider, status, body, meant) in [
        (
            Anthropic,
            401,
            error("authentication_error", "invalid x-api-key"),
            "the key was refused (401); check ANTHROPIC_API_KEY",
        ),
        (OpenAi, 401, error("invalid_request_error", KEY), "the key was refused (401); check OPENAI_API_KEY"),
        (
            Gemini,
            400,
            google("INVALID_ARGUMENT", "API key not valid.", "API_KEY_INVALID"),
            "the key was refused (400); check GEMINI_API_KEY",
        ),
        (
            OpenAiCompatible,
            403,
            json!(null),
            "the key was refused (403); check the variable that 'key_env' names",
        ),
        (Anthropic, 404, error("not_found_error", "model: m"), "there is no model 'm' (404); check 'model'"),
        (
            Ollama,
            404,
            json!({"error": "model 'm' not found"}),
            "there is no model 'm' (404); try `ollama pull m`",
        ),
        (Anthropic, 400, error("invalid_request_error", "prompt is too long: 9 tokens > 8 maximum"), LONG),
        (Anthropic, 413, error("request_too_large", ""), LONG),
        (OpenAi, 400, json!({"error": {"code": "context_length_exceeded"}}), LONG),
        (
            Gemini,
            400,
            google(
                "INVALID_ARGUMENT",
                "The input token count exceeds the maximum number of tokens allowed",
                "",
            ),
            LONG,
        ),
        (OpenAi, 429, quota, "the account has no credit left"),
        (
            Anthropic,
            400,
            error("invalid_request_error", "Your credit balance is too low to access"),
            "the account has no credit left",
        ),
        (OpenAi, 429, error("requests", "Rate limit reached"), "too many requests (429), try again later"),
        (Anthropic, 529, error("overloaded_error", "Overloaded"), "overloaded (529), try again later"),
        (Anthropic, 500, error("api_error", ""), "server error (500), try again later"),
        (OpenAi, 502, json!("<html>"), "server error (502), try again later"),
        (
            OpenAi,
            301,
            json!(null),
            "redirected (301), which is not followed; give the final address as 'base_url'",
        ),
        (
            OpenAi,
            400,
            error("x", &format!("no {KEY}\n\u{1b}[31mhere")),
            "the request was rejected (400): no … here",
        ),
        (OpenAi, 418, json!(null), "the request was rejected (418)"),
        (
            OpenAiCompatible,
            400,
            error("", "response_format is not supported"),
            "the server takes no JSON schemas (400)",
        ),
    ] {
        assert_eq!(meaning(provider, status, body), meant);
    }
}

const LONG: &str =
    "the request is longer than the model can read; lower 'thread_tokens', or take another model";

#[test]
fn waiting_times_are_read_from_bodies_too() {
    let body = json!({"error": {"code": 429, "details": [{"reason": "x"}, {"retryDelay": "34.5s"}]}});
    let error = errors(Provider::Gemini).classify_status(
        429,
        body.to_string().as_bytes(),
        &HeaderMap::new(),
        OmittedParameters::default(),
    );
    let retry_after = Some(Duration::from_millis(34_500));
    assert_eq!(error, enact_http::Error::RateLimited { retry_after }.into());
}

#[test]
fn errors_within_streams_mean_the_same() {
    for (provider, body, meant) in [
        (
            Provider::Anthropic,
            json!({"type": "error", "error": {"type": "overloaded_error"}}),
            "overloaded (529), try again later",
        ),
        (
            Provider::OpenAi,
            json!({"type": "server_error", "code": "overloaded"}),
            "overloaded (503), try again later",
        ),
        (
            Provider::OpenAi,
            json!({"code": "rate_limit_exceeded"}),
            "too many requests (429), try again later",
        ),
        (
            Provider::Gemini,
            json!({"error": {"code": 503, "status": "UNAVAILABLE"}}),
            "overloaded (503), try again later",
        ),
        (Provider::Ollama, json!("llama runner died"), "server error (500), try again later"),
        (Provider::OpenAi, Value::Null, "server error (500), try again later"),
    ] {
        assert_eq!(errors(provider).classify_stream(&body, OmittedParameters::default()).to_string(), meant);
    }
}

proptest::proptest! {
    #[test]
    fn any_body_is_one_line_without_the_key(status in 100..=599_u16, before in ".*", after in ".*") {
        let body = json!({"error": {"message": format!("{before}{KEY}{after}")}});
        meaning(Provider::Anthropic, status, body);
        errors(Provider::OpenAi).classify_status(status, before.as_bytes(), &HeaderMap::new(), OmittedParameters::default());
    }
}
