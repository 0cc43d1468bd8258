//! What the command's own words for trouble mean.

#[cfg(test)]
mod tests;

use enact_drama::production::FailureKind;
use enact_http::redact::explanation_without_keys;
use serde_json::Value;

/// Phrases of the command that mean it is not logged in, where it gives no error code.
const LOGGED_OUT: [&str; 4] = ["/login", "not logged in", "invalid api key", "failed to authenticate"];

/// Phrases for a server that was not reached.
const UNREACHED: [&str; 5] =
    ["econnrefused", "enotfound", "connection refused", "unable to connect", "connection error"];

/// Phrases for more text than the model can read, or than the server takes.
const TOO_LONG: [&str; 3] = ["prompt is too long", "request too large", "context window limit"];

/// As for the models over HTTP: people search for one wording.
pub(super) const CONTEXT_TOO_LONG: &str =
    "the request is longer than the model can read; lower 'thread_tokens', or take another model";
pub(super) const REFUSED: &str = "the model refused to answer";
pub(super) const EMPTY: &str = "the answer was empty";
pub(super) const BROKE_OFF: &str = "the answer broke off before its end";

/// A trouble as the command tells it: in the result, or when it is about to try again.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct ToldError {
    /// Such as "authentication_failed" or "rate_limit".
    pub(super) code: Option<String>,
    /// The status of the server's answer, if it gave one.
    pub(super) status: Option<u16>,
}

impl ToldError {
    /// Out of a message that names both under these keys.
    pub(super) fn read(message: &Value, code: &str, status: &str) -> ToldError {
        ToldError {
            code: message.get(code).and_then(Value::as_str).map(str::to_owned),
            status: message.get(status).and_then(Value::as_u64).and_then(|status| status.try_into().ok()),
        }
    }

    /// What it is to rules and telemetry. The status is believed first: the code of the last error is often
    /// more general than the one before.
    pub(super) fn kind(&self, reason: &str) -> FailureKind {
        let reason = reason.to_lowercase();
        let mentions = |phrases: &[&str]| phrases.iter().any(|phrase| reason.contains(phrase));
        match (self.status, self.code.as_deref()) {
            _ if mentions(&TOO_LONG) => FailureKind::ContextTooLong,
            (Some(413), _) => FailureKind::ContextTooLong,
            (Some(401 | 403), _) | (_, Some("authentication_failed")) => FailureKind::Auth,
            (Some(429), _) => FailureKind::RateLimited,
            (Some(503 | 529), _) => FailureKind::Overloaded,
            (Some(408 | 409 | 425 | 500..=599), _) => FailureKind::Server,
            _ if mentions(&LOGGED_OUT) => FailureKind::Auth,
            _ if mentions(&UNREACHED) => FailureKind::Connection,
            (_, Some("rate_limit")) => FailureKind::RateLimited,
            (_, Some("overloaded")) => FailureKind::Overloaded,
            (_, Some("server_error")) => FailureKind::Server,
            (_, Some("max_output_tokens")) => FailureKind::Empty,
            _ => FailureKind::Other,
        }
    }

    /// One line about it. `model` is what the command has asked for.
    pub(super) fn sentence(&self, model: Option<&str>, reason: &str) -> String {
        match (self.kind(reason), self.status, self.code.as_deref()) {
            (FailureKind::Auth, ..) => log_in(reason),
            (FailureKind::ContextTooLong, ..) => CONTEXT_TOO_LONG.to_owned(),
            (_, Some(402), _) | (_, _, Some("billing_error")) => {
                "Claude Code: the account has no credit left".to_owned()
            }
            (_, Some(404), _) | (_, _, Some("model_not_found")) => {
                let model =
                    model.map_or(String::new(), |model| format!(" '{}'", explanation_without_keys(model)));
                format!("Claude Code finds no model{model} (404); check 'model'")
            }
            (kind @ (FailureKind::Overloaded | FailureKind::Connection), ..) => {
                labelled(kind.as_str(), reason)
            }
            (_, _, None | Some("success" | "unknown" | "invalid_request")) => {
                format!("Claude Code failed: {reason}")
            }
            (_, _, Some(code)) => labelled(code, reason),
        }
    }

    /// The same in a few words, for a sentence about something else.
    pub(super) fn label(&self) -> String {
        let code = self.code.as_deref().filter(|code| *code != "unknown").unwrap_or("no connection");
        let code = explanation_without_keys(&code.replace('_', " "));
        match self.status {
            Some(status) => format!("{code}, {status}"),
            None => code,
        }
    }
}

/// How to log in, and why.
pub(super) fn log_in(reason: &str) -> String {
    format!("Claude Code is not logged in (run `claude` once and log in, or set ANTHROPIC_API_KEY): {reason}")
}

fn labelled(code: &str, reason: &str) -> String {
    format!("Claude Code failed ({}): {reason}", explanation_without_keys(&code.replace('_', " ")))
}
