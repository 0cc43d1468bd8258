//! From what a provider, the network or `genai` reports to what it means.

use std::{
    borrow::Cow,
    error::Error as _,
    io,
    time::{Duration, SystemTime},
};

use enact_drama::text::shortened;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::failure::Error;
use crate::{Provider, Settings};

/// What stands where a key was.
pub(super) const HIDDEN: &str = "…";

/// As much of a provider's explanation as fits into a line of a log.
const LONGEST_EXPLANATION: usize = 200;

/// Reads errors for one model.
#[derive(Debug, Clone)]
pub(super) struct Blame {
    pub(super) settings: Settings,
    pub(super) origin: String,
}

impl Blame {
    /// What an error of `genai` is at bottom.
    pub(super) fn genai(&self, error: genai::Error) -> Error {
        match error {
            genai::Error::WebStream { error, .. } => self.boxed(error),
            genai::Error::HttpError { status, body, headers, .. } => {
                self.status(status.as_u16(), &body, &headers)
            }
            genai::Error::WebModelCall { webc_error: genai::webc::Error::Reqwest(error), .. } => {
                self.network(&error)
            }
            genai::Error::ChatResponse { body, .. } => self.reported(&body),
            _ => Error::Garbled,
        }
    }

    /// An error that was reported within a stream.
    pub(super) fn reported(&self, body: &Value) -> Error {
        let report = Report::of(body);
        let overloaded = if self.settings.provider == Provider::Anthropic { 529 } else { 503 };
        let status = report.code.unwrap_or_else(|| match () {
            () if report.says(&["overloaded"]) => overloaded,
            () if report.says(&["rate_limit"]) => 429,
            () if report.says(&["authentication_error"]) => 401,
            () if report.says(&["not_found_error"]) => 404,
            () if report.says(&["invalid_request_error"]) => 400,
            () => 500,
        });
        self.meaning(status, &report, None)
    }

    /// An answer that is none.
    pub(super) fn status(&self, status: u16, body: &str, headers: &HeaderMap) -> Error {
        let body: Value = serde_json::from_str(body).unwrap_or(Value::Null);
        let report = Report::of(&body);
        self.meaning(status, &report, retry_after(headers).or(report.retry_after))
    }

    /// A request that got no answer, or not all of it.
    pub(super) fn network(&self, error: &reqwest::Error) -> Error {
        if error.is_connect() {
            let hint = match self.settings.provider {
                Provider::Ollama => "is `ollama serve` running?",
                Provider::OpenAiCompatible => "is the server running?",
                _ => "is there a network?",
            };
            return Error::Unreachable { origin: self.origin.clone(), reason: why_unreachable(error), hint };
        }
        Error::Dropped
    }

    /// Whether a refusal means that the key may not do this one thing, rather than that it is wrong. Keys can be
    /// limited to asking models.
    pub(super) fn is_about_permission(&self, status: u16, body: &str) -> bool {
        let body: Value = serde_json::from_str(body).unwrap_or(Value::Null);
        status == 403 || Report::of(&body).says(&["permission", "scope"])
    }

    /// Where its key comes from, for people.
    pub(super) fn key_hint(&self) -> String {
        let named = self.settings.key.as_ref().and_then(|key| key.variable());
        match (named.or(self.settings.provider.key_variable()), &self.settings.key) {
            (Some(variable), Some(_)) => format!("check {variable}"),
            (Some(variable), None) => format!("set {variable}"),
            (None, Some(_)) => "check the variable that 'key_env' names".to_owned(),
            (None, None) => "name the environment variable that holds it as 'key_env'".to_owned(),
        }
    }

    /// What to do about a model that is not there.
    pub(super) fn model_hint(&self) -> String {
        match self.settings.provider {
            Provider::Ollama => format!("try `ollama pull {}`", self.settings.model),
            Provider::OpenAiCompatible => "check 'model' and 'base_url'".to_owned(),
            _ => "check 'model'".to_owned(),
        }
    }

    fn boxed(&self, error: genai::BoxError) -> Error {
        let error = match error.downcast::<genai::Error>() {
            Ok(error) => return self.genai(*error),
            Err(error) => error,
        };
        match error.downcast::<reqwest::Error>() {
            Ok(error) => self.network(&error),
            // Bytes that are no text, mostly.
            Err(_) => Error::Garbled,
        }
    }

    fn meaning(&self, status: u16, report: &Report, retry_after: Option<Duration>) -> Error {
        match status {
            300..=399 => Error::Redirected { status },
            _ if report.is_about_credit() || status == 402 => Error::NoCredit,
            _ if report.is_about_length() || status == 413 => Error::ContextTooLong,
            _ if matches!(status, 401 | 403) || report.is_about_the_key() => {
                Error::KeyRefused { status, hint: self.key_hint() }
            }
            404 => {
                Error::UnknownModel { model: self.settings.model.clone(), status, hint: self.model_hint() }
            }
            429 => Error::RateLimited { retry_after },
            503 | 529 => Error::Overloaded { status, retry_after },
            408 | 409 | 500..=599 => Error::Server { status },
            400 | 422 if report.is_about_schemas() => Error::SchemaRejected { status },
            _ => Error::Rejected { status, said: self.explanation(&report.message) },
        }
    }

    /// One line of what the provider says, without the key, should it have been repeated.
    fn explanation(&self, message: &str) -> String {
        let message = self.without_key(message);
        let words: Vec<&str> =
            message.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
        let line = words.join(" ");
        shortened(&line, LONGEST_EXPLANATION).into_owned()
    }

    /// What a server says, without the key, should it have been repeated: errors are logged, and transcripts shared.
    pub(super) fn without_key<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match &self.settings.key {
            Some(key) if !key.reveal().is_empty() && text.contains(key.reveal()) => {
                Cow::Owned(text.replace(key.reveal(), HIDDEN))
            }
            _ => Cow::Borrowed(text),
        }
    }
}

/// What an error's body says, whoever's it is.
#[derive(Debug, Default)]
struct Report {
    kind: String,
    message: String,
    code: Option<u16>,
    retry_after: Option<Duration>,
}

impl Report {
    /// Anthropic and Gemini wrap the error (Gemini sometimes in a list), OpenAI's arrives in a stream without its
    /// wrapping, and Ollama's is a sentence.
    fn of(body: &Value) -> Report {
        let body = body.get(0).unwrap_or(body);
        let error = body.get("error").unwrap_or(body);
        if let Value::String(message) = error {
            return Report { message: message.clone(), ..Report::default() };
        }
        let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
        let details = error.get("details").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let reason = details.iter().find_map(|detail| detail.get("reason")?.as_str()).unwrap_or_default();
        Report {
            kind: [text("type"), text("code"), text("status"), reason]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(" "),
            message: text("message").to_owned(),
            code: error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok()),
            retry_after: details
                .iter()
                .find_map(|detail| detail.get("retryDelay")?.as_str()?.strip_suffix('s')?.parse().ok())
                .and_then(seconds),
        }
    }

    fn says(&self, any: &[&str]) -> bool {
        let (kind, message) = (self.kind.to_lowercase(), self.message.to_lowercase());
        any.iter().any(|words| kind.contains(words) || message.contains(words))
    }

    fn is_about_credit(&self) -> bool {
        self.says(&["insufficient_quota", "credit balance is too low", "billing_error"])
    }

    fn is_about_length(&self) -> bool {
        self.says(&[
            "prompt is too long",
            "context_length_exceeded",
            "maximum context length",
            "exceeds the maximum number of tokens",
            "exceed_context_size",
            "exceeds the available context size",
            "exceeds the context length",
            "request_too_large",
        ])
    }

    fn is_about_the_key(&self) -> bool {
        self.says(&["api_key_invalid", "invalid_api_key", "authentication_error"])
    }

    fn is_about_schemas(&self) -> bool {
        self.says(&["response_format", "json_schema", "json schema", "structured output"])
    }
}

/// Seconds, as all providers give them, OpenAI's milliseconds, or a date, as gateways give it.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| Some(headers.get(name)?.to_str().ok()?.trim());
    let number = |name: &str| text(name)?.parse::<f64>().ok();
    let date = |name: &str| httpdate::parse_http_date(text(name)?).ok();
    let until = || {
        // By the server's own clock where it tells the time: ours may be wrong. What is past is now.
        let now = date("date").unwrap_or_else(SystemTime::now);
        Some(date("retry-after")?.duration_since(now).unwrap_or_default())
    };
    let told = number("retry-after-ms").map(|ms| ms / 1000.0).or_else(|| number("retry-after"));
    told.map_or_else(until, seconds)
}

fn seconds(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

fn why_unreachable(error: &reqwest::Error) -> &'static str {
    if error.is_timeout() {
        return "no connection in time";
    }
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            match error.kind() {
                io::ErrorKind::ConnectionRefused => return "connection refused",
                io::ErrorKind::ConnectionReset => return "connection reset",
                io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
                    return "no way to get there";
                }
                _ => {}
            }
        }
        let text = error.to_string();
        if text.contains("dns error") || text.contains("failed to lookup") {
            return "no such host";
        }
        if text.contains("certificate") {
            return "its certificate is not trusted";
        }
        cause = error.source();
    }
    "no connection"
}

#[cfg(test)]
mod tests;
