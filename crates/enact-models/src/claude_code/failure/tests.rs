use super::*;

fn told(code: Option<&str>, status: Option<u16>) -> CommandError {
    CommandError { code: code.map(str::to_owned), status }
}

#[test]
fn the_status_is_believed_before_the_code_and_the_code_before_the_words() {
    use FailureKind::*;
    for (code, status, reason, kind) in [
        (Some("server_error"), Some(529), "Overloaded", Overloaded),
        (Some("server_error"), Some(503), "", Overloaded),
        (Some("server_error"), Some(500), "Unable to connect to the database", Server),
        (Some("server_error"), None, "Connection refused (ECONNREFUSED)", Connection),
        (Some("unknown"), None, "API Error: Unable to connect to API (ENOTFOUND)", Connection),
        (Some("rate_limit"), None, "", RateLimited),
        (Some("overloaded"), None, "", Overloaded),
        (None, Some(401), "", Auth),
        (None, None, "Invalid API key · Fix external API key", Auth),
        (
            Some("invalid_request"),
            Some(400),
            "Prompt is too long · the request is ~213462 tokens",
            ContextTooLong,
        ),
        (None, Some(413), "", ContextTooLong),
        (
            Some("max_output_tokens"),
            None,
            "API Error: The model has reached its context window limit.",
            ContextTooLong,
        ),
        (Some("max_output_tokens"), None, "exceeded the 500 output token maximum", Empty),
        (Some("brand_new"), Some(418), "I am a teapot", Other),
        (None, None, "", Other),
    ] {
        assert_eq!(told(code, status).kind(reason), kind, "{code:?} {status:?} {reason}");
    }
}

#[test]
fn what_is_said_names_the_thing_to_be_changed() {
    for (error, reason, expected) in [
        (
            told(Some("model_not_found"), Some(404)),
            "Run --model",
            "Claude Code finds no model 'x' (404); check 'model'",
        ),
        (told(Some("billing_error"), Some(400)), "Credit", "Claude Code: the account has no credit left"),
        (told(Some("brand_new"), None), "no", "Claude Code failed (brand new): no"),
        (told(None, None), "no", "Claude Code failed: no"),
    ] {
        assert_eq!(error.sentence(Some("x"), reason), expected);
    }
    assert_eq!(told(Some("rate_limit"), Some(429)).label(), "rate limit, 429");
    assert_eq!(told(Some("unknown"), None).label(), "no connection");
}
