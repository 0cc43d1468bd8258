//! What the command answers: lines of JSON, of which only a few kinds matter and any may be unknown.
//!
//! Fields are looked up one by one rather than declared as types: a field that has changed its shape costs
//! that field, not the answer.
//!
//! The command tries again by itself where it may, and asks the model to go on where an answer was cut off,
//! empty or of the wrong shape. Each such message is paid for, and no budget knows of it. So the stream is
//! settled as soon as its first message has ended in a way that the command would not leave alone.

#[cfg(test)]
mod tests;

use enact_drama::{
    production::{Failure, FailureKind},
    request::Schema,
    usage::{UntoldTries, Usage},
};
use enact_engine::model::LiveText;
use enact_http::redact::explanation_without_keys;
use serde_json::{Map, Value};
use tokio::time::Instant;

use super::{
    failure::{self, CommandError},
    live_text::LiveWords,
    usage::{StreamUsage, usage},
};
use crate::{http::structured, response_details::ResponseDetails};

/// What was read of a stream so far.
#[derive(Debug, Default)]
pub(super) struct ReplyStream {
    /// Where words are passed on while they are still coming.
    live: LiveWords,
    limits: CallLimits,
    /// The words of the answer, in case the result does not repeat them.
    said: String,
    /// The structured answer as the model handed it in, in case there is no result.
    handed_in: Option<Value>,
    usage: StreamUsage,
    error: CommandError,
    /// The last line that was no message: commands that fail early write plain text.
    stray: Option<String>,
    result: Option<Value>,
    /// What is told about the answer: first of all which model gives it, since the operator may have named
    /// none, or an alias.
    details: ResponseDetails,
    /// How often the command has asked again by itself.
    retries: u32,
    /// Whether a login answers for the call rather than a key. The command renews one that has expired.
    has_login: bool,
    /// What the command last tried again for.
    retry: Option<CommandError>,
    /// How many tries were lost before anything was answered, and may have been billed all the same.
    lost_tries: u32,
    early_stop: Option<EarlyStop>,
}

/// What one call may do.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct CallLimits {
    pub(super) retries: usize,
    pub(super) max_tokens: u32,
    pub(super) form: AnswerForm,
}

/// What the answer is to be.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerForm {
    #[default]
    Words,
    Json,
}

/// Why a command is ended before its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EarlyStop {
    /// The key was refused: the next try would be, too.
    KeyRefused,
    /// It goes on trying.
    RetriesUsedUp,
    /// The answer broke off: what has begun to be answered is not asked again.
    BrokeOff,
    /// The message has ended, and the command would ask for another.
    AnswerEnded,
}

impl ReplyStream {
    /// Nothing yet; words are passed on to `live` as they come.
    pub(super) fn new(live: LiveText, limits: CallLimits) -> ReplyStream {
        ReplyStream { live: LiveWords::to(live), limits, ..ReplyStream::default() }
    }

    /// Takes in one line.
    pub(super) fn line(&mut self, line: &str) {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || self.is_settled() {
            return;
        }
        let Ok(Value::Object(message)) = serde_json::from_str(line) else {
            self.stray = Some(line.to_owned());
            return;
        };
        let subtype = message.get("subtype").and_then(Value::as_str);
        match (message.get("type").and_then(Value::as_str), subtype) {
            (Some("system"), Some("init")) => self.init(&Value::Object(message)),
            (Some("system"), Some("api_retry")) => self.api_retry(&Value::Object(message)),
            (Some("assistant"), _) => self.assistant(&Value::Object(message)),
            // What the command itself says to the model, to make it go on.
            (Some("user"), _) if message.get("isSynthetic") == Some(&Value::Bool(true)) => {
                self.early_stop = Some(EarlyStop::AnswerEnded);
            }
            (Some("result"), _) => self.result = Some(Value::Object(message)),
            (Some("stream_event"), _) if !is_of_a_tool(&message) => {
                self.event(message.get("event").unwrap_or(&Value::Null));
            }
            _ => {}
        }
    }

    /// The model that answers, once it is known.
    pub(super) fn model(&self) -> Option<&str> {
        self.details.model.as_deref()
    }

    /// What is told about the answer.
    pub(super) fn details(&self) -> &ResponseDetails {
        &self.details
    }

    /// How many tries the command has made, as far as it tells.
    pub(super) fn tries(&self) -> u32 {
        self.retries + 1
    }

    /// Whether the result is there: the command ends by itself.
    pub(super) fn has_result(&self) -> bool {
        self.result.is_some()
    }

    /// Whether all is known that is wanted. Without a result the command has to be ended.
    pub(super) fn is_settled(&self) -> bool {
        self.result.is_some() || self.early_stop.is_some()
    }

    /// What the command was busy with when time ran out, if it was something else than an answer.
    pub(super) fn was_retrying(&self) -> Option<String> {
        let retry = self.retry.as_ref().filter(|_| !self.usage.has_begun())?;
        Some(format!("Claude Code was trying again ({})", retry.label()))
    }

    /// What came of the call, in words or in the shape that was asked for.
    pub(super) fn answer(&self, schema: Option<&Schema>) -> Result<(String, Option<Usage>), Failure> {
        if let Some(stop) = self.early_stop {
            return self.stopped(stop, schema);
        }
        let Some(result) = &self.result else { return Err(self.cut_short("gave no result", None)) };
        let usage = self.usage.with_result(result);
        let failed = |kind, error: String, usage| Failure { error, kind, usage, took_ms: 0 };
        if let Some((kind, error, status)) = self.error(result) {
            let was_refused = kind == FailureKind::Auth || status.is_some();
            let usage = usage.or_else(|| self.is_free(was_refused).then_some(Usage::NONE));
            let lost = match kind {
                // All tries met the same.
                FailureKind::Connection if failure::is_unreached(&error) => 0,
                FailureKind::Connection if !self.usage.has_begun() => self.lost_tries + 1,
                _ => self.lost_tries,
            };
            return Err(failed(kind, error, with_lost(usage, lost)));
        }
        let usage = with_lost(usage, self.lost_tries);
        let words = text(result, "result").unwrap_or(&self.said);
        let structured = result.get("structured_output").filter(|output| !output.is_null());
        match self.read(words, structured, schema) {
            Ok(answer) => Ok((answer, usage)),
            Err((kind, error)) => Err(failed(kind, error, usage)),
        }
    }

    /// The failure of a command that ended before its result; the last line of its standard error says best
    /// why.
    pub(super) fn cut_short(&self, how: &str, stderr: Option<String>) -> Failure {
        let reason = stderr.or_else(|| self.stray.as_deref().map(explanation_without_keys));
        let kind = self.error.kind(reason.as_deref().unwrap_or_default());
        let error = match reason {
            Some(reason) if kind == FailureKind::Auth => failure::log_in(&reason),
            Some(reason) => format!("Claude Code {how}: {reason}"),
            None => format!("Claude Code {how}"),
        };
        self.failure(kind, error)
    }

    /// A failure before the result, with the usage that the stream had reported.
    pub(super) fn failure(&self, kind: FailureKind, error: impl Into<String>) -> Failure {
        let so_far = self.usage.so_far();
        let usage = so_far.or_else(|| self.is_free(kind == FailureKind::Auth).then_some(Usage::NONE));
        Failure { kind, usage: with_lost(usage, self.lost_tries), ..Failure::new(error) }
    }

    /// Whether a call that was refused has cost nothing, as far as its last try goes: no message had begun.
    fn is_free(&self, was_refused: bool) -> bool {
        was_refused && !self.usage.has_begun()
    }

    fn init(&mut self, message: &Value) {
        self.details.model = text(message, "model").map(str::to_owned);
        self.has_login = !matches!(text(message, "apiKeySource"), Some(source) if source.contains("KEY"));
    }

    /// The command says that it is about to try again, and why.
    fn api_retry(&mut self, message: &Value) {
        let told = CommandError::read(message, "error", "error_status");
        let attempt = message["attempt"].as_u64().unwrap_or(1) as usize;
        // A login that has expired is renewed after the first refusal.
        let renewals = usize::from(self.has_login);
        self.retries += 1;
        self.early_stop = match told.kind("") {
            _ if self.usage.has_begun() => Some(EarlyStop::BrokeOff),
            FailureKind::Auth if attempt > renewals => Some(EarlyStop::KeyRefused),
            _ if attempt > self.limits.retries => Some(EarlyStop::RetriesUsedUp),
            _ => None,
        };
        // A server that turns something away says so with a status.
        if told.status.is_none() && !self.usage.has_begun() {
            self.lost_tries += 1;
        }
        self.retry = Some(told);
    }

    fn assistant(&mut self, message: &Value) {
        if let Some(code) = text(message, "error") {
            self.error.code = Some(code.to_owned());
        }
        if message.as_object().is_some_and(is_of_a_tool) {
            return;
        }
        let message = &message["message"];
        // Errors are put into the mouth of a model that does not exist.
        if text(message, "model") == Some("<synthetic>") {
            return;
        }
        for piece in message["content"].as_array().into_iter().flatten() {
            match text(piece, "type") {
                Some("text") => self.said.push_str(text(piece, "text").unwrap_or_default()),
                Some("tool_use") => self.handed_in = piece.get("input").cloned(),
                _ => {}
            }
        }
        if self.details.id.is_none() {
            self.details.id = text(message, "id").map(str::to_owned);
        }
        if let Some(model) = text(message, "model") {
            self.details.model = Some(model.to_owned());
        }
        if let Some(usage) = usage(message) {
            self.usage.count(text(message, "id").unwrap_or_default(), usage);
        }
    }

    /// Takes in an event of the provider.
    fn event(&mut self, event: &Value) {
        match text(event, "type") {
            Some("message_start") if self.usage.has_begun() => {
                let under_way = self.usage.is_under_way();
                self.early_stop = Some(if under_way { EarlyStop::BrokeOff } else { EarlyStop::AnswerEnded });
                return;
            }
            Some("message_start") => {
                let message = &event["message"];
                self.usage.begin(text(message, "id").unwrap_or_default(), usage(message));
                self.details.id = text(message, "id").map(str::to_owned);
                self.details.first_chunk_at = Some(Instant::now());
            }
            Some("content_block_delta")
                if self.details.first_word_at.is_none() && is_word(&event["delta"]) =>
            {
                self.details.first_word_at = Some(Instant::now());
            }
            Some("message_delta") => {
                if let Some(usage) = usage(event) {
                    self.usage.count_current(usage);
                }
                let thought = &event["usage"]["output_tokens_details"]["thinking_tokens"];
                self.details.reasoning_tokens = thought.as_u64().or(self.details.reasoning_tokens);
                self.details.finish_reason = text(&event["delta"], "stop_reason").map(str::to_owned);
                // Of a stream that broke off the command makes up an end, without a reason.
                if self.details.finish_reason.is_some() {
                    self.usage.end();
                }
                if self.would_ask_again() {
                    self.early_stop = Some(EarlyStop::AnswerEnded);
                }
            }
            _ => {}
        }
        self.live.event(event);
    }

    /// Whether the message has ended in a way that makes the command ask for another.
    fn would_ask_again(&self) -> bool {
        match self.details.finish_reason.as_deref() {
            Some("max_tokens" | "model_context_window_exceeded") => true,
            Some("end_turn" | "stop_sequence") => {
                self.limits.form == AnswerForm::Json || self.said.trim().is_empty()
            }
            _ => false,
        }
    }

    /// What came of a call that was ended before its result.
    fn stopped(&self, stop: EarlyStop, schema: Option<&Schema>) -> Result<(String, Option<Usage>), Failure> {
        let retry = self.retry.clone().unwrap_or_default();
        let (kind, error) = match (stop, self.details.finish_reason.as_deref()) {
            (EarlyStop::KeyRefused, _) => {
                let status = retry.status.map_or(String::new(), |status| format!(" ({status})"));
                (FailureKind::Auth, failure::log_in(&format!("the key was refused{status}")))
            }
            (EarlyStop::RetriesUsedUp, _) => {
                let error = format!("Claude Code failed ({}), and so did every further try", retry.label());
                let failure = Failure { kind: retry.kind(""), ..Failure::new(error) };
                // Each of them was announced, as refused or as lost.
                return Err(Failure { usage: with_lost(Some(Usage::NONE), self.lost_tries), ..failure });
            }
            (EarlyStop::BrokeOff, _) => (FailureKind::Truncated, failure::BROKE_OFF.to_owned()),
            (EarlyStop::AnswerEnded, Some("refusal")) => (FailureKind::Refused, failure::REFUSED.to_owned()),
            (EarlyStop::AnswerEnded, Some("model_context_window_exceeded")) => {
                (FailureKind::ContextTooLong, failure::CONTEXT_TOO_LONG.to_owned())
            }
            (EarlyStop::AnswerEnded, _) => match self.read(&self.said, self.handed_in.as_ref(), schema) {
                Ok(answer) => return Ok((answer, with_lost(self.usage.so_far(), self.lost_tries))),
                Err(failed) => failed,
            },
        };
        Err(self.failure(kind, error))
    }

    /// The answer, in words or in the shape that was asked for.
    fn read(
        &self,
        words: &str,
        structured: Option<&Value>,
        schema: Option<&Schema>,
    ) -> Result<String, (FailureKind, String)> {
        let (is_cut, tokens) =
            (self.details.finish_reason.as_deref() == Some("max_tokens"), self.limits.max_tokens);
        let answer = match (schema, structured) {
            (None, _) => words.trim().to_owned(),
            (Some(schema), structured) => {
                let json = structured.map_or_else(|| words.to_owned(), Value::to_string);
                structured::read(&json, schema).map_err(|reason| {
                    let reason =
                        if is_cut { format!("it was cut off after {tokens} tokens") } else { reason };
                    let error = format!("the answer is not the JSON that was asked for: {reason}");
                    (FailureKind::Other, error)
                })?
            }
        };
        match answer.is_empty() {
            false => Ok(answer),
            true if is_cut => {
                let used_up = format!("the {tokens} tokens allowed were used up before anything was said");
                Err((FailureKind::Empty, format!("{used_up}; raise 'max_tokens'")))
            }
            true => Err((FailureKind::Empty, failure::EMPTY.to_owned())),
        }
    }

    /// What is wrong with a result, if anything is, and with which status. `is_error` counts whatever the
    /// subtype says: a command that is not logged in reports a "success" that is an error.
    fn error(&self, result: &Value) -> Option<(FailureKind, String, Option<u16>)> {
        let subtype = text(result, "subtype").unwrap_or("success");
        if text(result, "stop_reason") == Some("refusal") {
            return Some((FailureKind::Refused, failure::REFUSED.to_owned(), None));
        }
        if result["is_error"] != true && subtype == "success" {
            return None;
        }
        let told = CommandError {
            code: self.error.code.clone(),
            ..CommandError::read(result, "error", "api_error_status")
        };
        let errors = result["errors"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let reason = text(result, "result")
            .into_iter()
            .chain(errors)
            .map(explanation_without_keys)
            .find(|reason| !reason.is_empty());
        let sentence = |told: &CommandError, reason: &str| told.sentence(self.model(), reason);
        let error = match (subtype, &reason) {
            ("error_max_turns", _) => "Claude Code used up its turns without an answer".to_owned(),
            ("error_max_structured_output_retries", _) => {
                "Claude Code found no answer of the shape asked for".to_owned()
            }
            (_, Some(reason)) => sentence(&told, reason),
            (subtype, None) => {
                let code = told.code.clone().or_else(|| Some(subtype.to_owned()));
                sentence(&CommandError { code, ..told.clone() }, "it gave no reason")
            }
        };
        let kind = match text(result, "terminal_reason") {
            Some("prompt_too_long") => FailureKind::ContextTooLong,
            _ => told.kind(reason.as_deref().unwrap_or_default()),
        };
        Some((kind, error, told.status))
    }
}

/// What is known to have been used, where so many tries were lost besides.
fn with_lost(usage: Option<Usage>, lost: u32) -> Option<Usage> {
    let Some(told) = usage.filter(|_| lost > 0) else { return usage };
    let untold = UntoldTries { output: u32::from(told.partial), all: lost };
    // That nothing was billed for an answer that did not come says nothing.
    let billed = told.billed.filter(|_| told.total() > 0);
    Some(Usage { partial: true, untold: Some(untold), billed, ..told })
}

/// Messages of tools are not the character's words.
fn is_of_a_tool(message: &Map<String, Value>) -> bool {
    message.get("parent_tool_use_id").is_some_and(|parent| !parent.is_null())
}

fn is_word(delta: &Value) -> bool {
    text(delta, "type") == Some("text_delta") && !text(delta, "text").unwrap_or_default().trim().is_empty()
}

fn text<'a>(object: &'a Value, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_str)
}
