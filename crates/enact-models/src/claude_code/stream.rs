//! What the command answers: lines of JSON, of which only a few kinds matter and any may be unknown.
//!
//! Fields are looked up one by one rather than declared as types: a field that has changed its shape costs
//! that field, not the answer.

#[cfg(test)]
mod tests;

use enact_drama::{
    production::{Failure, FailureKind},
    request::Schema,
    usage::{NanoUsd, Usage},
};
use enact_engine::model::LiveText;
use enact_http::redact::explanation_without_keys;
use serde_json::{Map, Value};

use super::live_text::LiveWords;
use crate::http::structured;

/// What was read of a stream so far.
#[derive(Debug, Default)]
pub(super) struct ReplyStream {
    /// Where words are passed on while they are still coming.
    live: LiveWords,
    /// The words of the answer, in case the result does not repeat them.
    said: String,
    /// What the messages before the current one used, and the current one, which each of its pieces tells
    /// again.
    before: Usage,
    current: Option<(String, Usage)>,
    /// The error code of the command, such as "authentication_failed" or "rate_limit".
    error_code: Option<String>,
    /// The last line that was no message: commands that fail early write plain text.
    stray: Option<String>,
    result: Option<Value>,
    /// Which model really answers; the operator may have named none, or an alias.
    model: Option<String>,
}

/// Phrases of the command that mean it is not logged in, where it gives no error code.
const LOGGED_OUT: [&str; 3] = ["/login", "not logged in", "invalid api key"];

impl ReplyStream {
    /// Nothing yet; words are passed on to `live` as they come.
    pub(super) fn new(live: LiveText) -> ReplyStream {
        ReplyStream { live: LiveWords::to(live), ..ReplyStream::default() }
    }

    /// Takes in one line.
    pub(super) fn line(&mut self, line: &str) {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            return;
        }
        let Ok(Value::Object(message)) = serde_json::from_str(line) else {
            self.stray = Some(line.to_owned());
            return;
        };
        match message.get("type").and_then(Value::as_str) {
            Some("assistant") => self.assistant(&Value::Object(message)),
            Some("result") => self.result = Some(Value::Object(message)),
            Some("stream_event") if !is_of_a_tool(&message) => {
                self.live.event(message.get("event").unwrap_or(&Value::Null));
            }
            _ => {}
        }
    }

    /// The model that answers, once it is known.
    pub(super) fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// Whether the result is there: nothing of interest follows it.
    pub(super) fn has_result(&self) -> bool {
        self.result.is_some()
    }

    /// What the result says, in words or in the shape that was asked for.
    pub(super) fn answer(&self, schema: Option<&Schema>) -> Result<(String, Option<Usage>), Failure> {
        let Some(result) = &self.result else { return Err(self.cut_short("gave no result", None)) };
        let usage = usage(result);
        let failed = |kind, error: String| Err(Failure { error, kind, usage, took_ms: 0 });
        if let Some((kind, error)) = self.error(result) {
            return failed(kind, error);
        }
        let words = text(result, "result").unwrap_or(&self.said);
        let answer = match (schema, result.get("structured_output")) {
            (None, _) => Ok(words.trim().to_owned()),
            (Some(schema), Some(output)) if !output.is_null() => {
                structured::read(&output.to_string(), schema)
            }
            (Some(schema), _) => structured::read(words, schema),
        };
        match answer {
            Ok(answer) if answer.is_empty() => failed(FailureKind::Empty, "the answer was empty".to_owned()),
            Ok(answer) => Ok((answer, usage)),
            Err(reason) => {
                let error = format!("the answer is not the JSON that was asked for: {reason}");
                failed(FailureKind::Other, error)
            }
        }
    }

    /// The failure of a command that ended before its result; the last line of its standard error says best
    /// why.
    pub(super) fn cut_short(&self, how: &str, stderr: Option<String>) -> Failure {
        let reason = stderr.or_else(|| self.stray.as_deref().map(explanation_without_keys));
        let (kind, error) = match reason {
            Some(reason) if self.is_logged_out(&reason) => (FailureKind::Auth, log_in(&reason)),
            Some(reason) => (self.kind(), format!("Claude Code {how}: {reason}")),
            None => (self.kind(), format!("Claude Code {how}")),
        };
        self.failure(kind, error)
    }

    /// A failure before the result, with the usage that the stream had reported.
    pub(super) fn failure(&self, kind: FailureKind, error: impl Into<String>) -> Failure {
        Failure { kind, usage: self.partial(), ..Failure::new(error) }
    }

    fn assistant(&mut self, message: &Value) {
        if let Some(error_code) = text(message, "error") {
            self.error_code = Some(error_code.to_owned());
        }
        if message.as_object().is_some_and(is_of_a_tool) {
            return;
        }
        let message = &message["message"];
        for piece in message["content"].as_array().into_iter().flatten() {
            if piece["type"] == "text" {
                self.said.push_str(piece["text"].as_str().unwrap_or_default());
            }
        }
        if let Some(model) = text(message, "model") {
            self.model = Some(model.to_owned());
        }
        if let Some(usage) = usage(message) {
            self.count(text(message, "id").unwrap_or_default(), usage);
        }
    }

    fn count(&mut self, id: &str, usage: Usage) {
        if let Some((current, earlier)) = &self.current
            && current != id
        {
            self.before += *earlier;
        }
        self.current = Some((id.to_owned(), usage));
    }

    fn partial(&self) -> Option<Usage> {
        let (_, current) = self.current.as_ref()?;
        let mut sum = self.before;
        sum += *current;
        Some(sum)
    }

    /// What is wrong with a result, if anything is. `is_error` counts whatever the subtype says: a command
    /// that is not logged in reports a "success" that is an error.
    fn error(&self, result: &Value) -> Option<(FailureKind, String)> {
        let subtype = text(result, "subtype").unwrap_or("success");
        if result["is_error"] != true && subtype == "success" {
            let refused = text(result, "stop_reason") == Some("refusal");
            return refused.then(|| (FailureKind::Refused, "the model refused to answer".to_owned()));
        }
        let errors = result["errors"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let reason = text(result, "result")
            .into_iter()
            .chain(errors)
            .map(explanation_without_keys)
            .find(|reason| !reason.is_empty());
        let error = match (subtype, reason) {
            ("error_max_turns", _) => "Claude Code used up its turns without an answer".to_owned(),
            ("error_max_structured_output_retries", _) => {
                "Claude Code found no answer of the shape asked for".to_owned()
            }
            (_, Some(reason)) if self.is_logged_out(&reason) => {
                return Some((FailureKind::Auth, log_in(&reason)));
            }
            (_, Some(reason)) => failed(self.error_code.as_deref(), &reason),
            (subtype, None) => failed(self.error_code.as_deref().or(Some(subtype)), "it gave no reason"),
        };
        Some((self.kind(), error))
    }

    /// What the error code means.
    fn kind(&self) -> FailureKind {
        match self.error_code.as_deref() {
            Some("authentication_failed") => FailureKind::Auth,
            Some("rate_limit") => FailureKind::RateLimited,
            Some("overloaded") => FailureKind::Overloaded,
            Some("server_error") => FailureKind::Server,
            _ => FailureKind::Other,
        }
    }

    fn is_logged_out(&self, reason: &str) -> bool {
        let reason = reason.to_lowercase();
        self.error_code.as_deref() == Some("authentication_failed")
            || LOGGED_OUT.iter().any(|words| reason.contains(words))
    }
}

/// Messages of tools are not the character's words.
fn is_of_a_tool(message: &Map<String, Value>) -> bool {
    message.get("parent_tool_use_id").is_some_and(|parent| !parent.is_null())
}

fn log_in(reason: &str) -> String {
    format!("Claude Code is not logged in (run `claude` once and log in, or set ANTHROPIC_API_KEY): {reason}")
}

fn failed(error_code: Option<&str>, reason: &str) -> String {
    match error_code {
        None | Some("success" | "unknown") => format!("Claude Code failed: {reason}"),
        Some(error_code) => {
            format!(
                "Claude Code failed ({}): {reason}",
                explanation_without_keys(&error_code.replace('_', " "))
            )
        }
    }
}

fn text<'a>(object: &'a Value, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_str)
}

/// The tokens and the cost that a message reports; nothing if it reports neither.
fn usage(message: &Value) -> Option<Usage> {
    let billed = message.get("total_cost_usd").and_then(Value::as_f64).and_then(nano_usd);
    let tokens = |key: &str| message.get("usage").and_then(|usage| usage.get(key)).and_then(Value::as_u64);
    let (input, output) = (tokens("input_tokens"), tokens("output_tokens"));
    if input.is_none() && output.is_none() && billed.is_none() {
        return None;
    }
    Some(Usage {
        uncached: input.unwrap_or_default(),
        cache_read: tokens("cache_read_input_tokens").unwrap_or_default(),
        cache_write: tokens("cache_creation_input_tokens").unwrap_or_default(),
        output: output.unwrap_or_default(),
        billed,
        ..Usage::NONE
    })
}

/// Reported dollars, unless they make no sense.
fn nano_usd(usd: f64) -> Option<NanoUsd> {
    // Casting saturates, so that an absurd sum is an absurd sum and nothing worse.
    (usd.is_finite() && usd >= 0.0).then(|| NanoUsd((usd * 1e9).round() as u64))
}
