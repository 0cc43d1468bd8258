//! What the command's own words for trouble mean.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use enact_drama::production::FailureKind;
use enact_http::redact::explanation_without_keys;
use serde::Deserialize;
use serde_json::Value;

// As for the models over HTTP: people search for one wording.
use crate::content::{Texts, content};
pub(super) use crate::http::error::{BROKE_OFF, CONTEXT_TOO_LONG, EMPTY, REFUSED};

static WORDS: LazyLock<CommandWords> = LazyLock::new(|| content!("words.toml"));

/// What the command says, by what it means.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandWords {
    logged_out: Texts,
    unreached: Texts,
    broken_connection: Texts,
    too_long: Texts,
}

/// Whether a sentence mentions one of these.
fn mentions(sentence: &str, phrases: &[String]) -> bool {
    let sentence = sentence.to_lowercase();
    phrases.iter().any(|phrase| sentence.contains(phrase.as_str()))
}

/// Whether a sentence says that there was no server to be reached.
pub(super) fn is_unreached(sentence: &str) -> bool {
    mentions(sentence, &WORDS.unreached)
}

/// A trouble as the command tells it: in the result, or when it is about to try again.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct CommandError {
    /// Such as "authentication_failed" or "rate_limit".
    pub(super) code: Option<String>,
    /// The status of the server's answer, if it gave one.
    pub(super) status: Option<u16>,
}

impl CommandError {
    /// Out of a message that names both under these keys.
    pub(super) fn read(message: &Value, code: &str, status: &str) -> CommandError {
        CommandError {
            code: message.get(code).and_then(Value::as_str).map(str::to_owned),
            status: message.get(status).and_then(Value::as_u64).and_then(|status| status.try_into().ok()),
        }
    }

    /// What it is to rules and telemetry. The status is believed first: the code of the last error is often
    /// more general than the one before.
    pub(super) fn kind(&self, reason: &str) -> FailureKind {
        match (self.status, self.code.as_deref()) {
            _ if mentions(reason, &WORDS.too_long) => FailureKind::ContextTooLong,
            (Some(413), _) => FailureKind::ContextTooLong,
            (Some(401 | 403), _) | (_, Some("authentication_failed")) => FailureKind::Auth,
            (Some(429), _) => FailureKind::RateLimited,
            (Some(503 | 529), _) => FailureKind::Overloaded,
            (Some(408 | 409 | 425 | 500..=599), _) => FailureKind::Server,
            _ if mentions(reason, &WORDS.logged_out) => FailureKind::Auth,
            _ if is_unreached(reason) || mentions(reason, &WORDS.broken_connection) => {
                FailureKind::Connection
            }
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
