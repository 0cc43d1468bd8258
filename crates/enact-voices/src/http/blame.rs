//! From what a service or the network reports to what it means.

use std::{
    borrow::Cow,
    error::Error as _,
    io,
    time::{Duration, SystemTime},
};

use enact_drama::text::shortened;
use enact_engine::Key;
use reqwest::header::HeaderMap;
use serde_json::Value;

use super::Body;
use crate::error::Error;

/// What stands where a key was.
const HIDDEN: &str = "…";

/// As much of an explanation as fits into a line of a log.
const LONGEST_EXPLANATION: usize = 200;

/// Reads errors of one service.
#[derive(Debug)]
pub(super) struct Blame {
    /// The server, without anything that may be private.
    pub(super) origin: String,
    pub(super) key: Option<Key>,
    /// Where its key usually is.
    pub(super) key_variable: &'static str,
}

impl Blame {
    /// A request that got no answer.
    pub(super) fn network(&self, error: &reqwest::Error) -> Error {
        match error.is_connect() {
            true => Error::Unreachable { origin: self.origin.clone(), reason: why_unreachable(error) },
            false => Error::Dropped,
        }
    }

    /// An answer that is none.
    pub(super) fn status(&self, status: u16, body: &[u8], headers: &HeaderMap, voice: &str) -> Error {
        let report = Report::of(body);
        let retry_after = retry_after(headers);
        match status {
            300..=399 => Error::Redirected { status },
            // ElevenLabs refuses with 401 here, which is not about the key.
            _ if status == 402 || report.says(&["quota_exceeded", "insufficient_quota"]) => Error::NoCredit,
            _ if report.says(&["voice_not_found", "model_not_found"]) => self.no_voice(status, voice),
            401 | 403 => Error::KeyRefused { status, hint: self.key_hint() },
            404 | 405 if !report.is_json => Error::NoSuchAddress { status },
            404 => self.no_voice(status, voice),
            429 if report.says(&["too_many_concurrent", "concurrent_limit"]) => {
                Error::Crowded { retry_after }
            }
            429 if report.says(&["system_busy"]) => Error::Overloaded { status, retry_after },
            429 => Error::RateLimited { retry_after },
            503 | 529 => Error::Overloaded { status, retry_after },
            408 | 425 | 500..=599 => Error::Server { status },
            _ => Error::Rejected { status, said: self.explanation(&report.message) },
        }
    }

    /// Services that succeed at sending an error, and pages of whatever stands in between.
    pub(super) fn unless_text(&self, body: Body) -> Result<Body, Error> {
        let start = body.bytes.trim_ascii_start();
        let is_text = body.media_type == "application/json" || body.media_type.starts_with("text/");
        // Samples that are text by chance, from their first to their last, do not happen.
        if !(is_text || start.starts_with(b"{") || start.starts_with(b"<")) {
            return Ok(body);
        }
        let Ok(text) = std::str::from_utf8(start) else { return Ok(body) };
        if text.is_empty() {
            return Ok(body);
        }
        let report = Report::of(text.as_bytes());
        Err(Error::NoAudio(match (report.is_json, text.starts_with('<')) {
            (true, _) if report.message.is_empty() => "JSON".to_owned(),
            (true, _) => format!("an error: {}", self.explanation(&report.message)),
            (false, true) => "a web page; is 'base_url' right?".to_owned(),
            (false, false) => format!("text: {}", self.explanation(text)),
        }))
    }

    fn no_voice(&self, status: u16, voice: &str) -> Error {
        Error::UnknownVoice { voice: self.explanation(voice), status }
    }

    fn key_hint(&self) -> String {
        match &self.key {
            Some(key) => format!("check {}", key.variable().unwrap_or(self.key_variable)),
            None => format!("set {}", self.key_variable),
        }
    }

    /// One line of what a service says, without the key, should it have been repeated.
    fn explanation(&self, message: &str) -> String {
        let message = self.without_key(message);
        let words: Vec<&str> =
            message.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
        shortened(&words.join(" "), LONGEST_EXPLANATION).into_owned()
    }

    fn without_key<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match &self.key {
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
    is_json: bool,
    kind: String,
    message: String,
}

impl Report {
    /// ElevenLabs has a `detail`, which may be a list of what is wrong with a request; OpenAI has an `error`; others have either
    /// as a sentence.
    fn of(body: &[u8]) -> Report {
        let Ok(body) = serde_json::from_slice::<Value>(body) else { return Report::default() };
        let error = body.get("detail").or_else(|| body.get("error")).unwrap_or(&body);
        let error = error.get(0).unwrap_or(error);
        if let Value::String(message) = error {
            return Report { is_json: true, message: message.clone(), ..Report::default() };
        }
        let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
        Report {
            is_json: true,
            kind: [text("status"), text("type"), text("code")].join(" ").to_lowercase(),
            message: [text("message"), text("msg")].concat(),
        }
    }

    fn says(&self, any: &[&str]) -> bool {
        any.iter().any(|words| self.kind.contains(words))
    }
}

/// Seconds, as services give them, OpenAI's milliseconds, or a date, as gateways give it.
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
    told.map_or_else(until, |seconds| Duration::try_from_secs_f64(seconds).ok())
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
