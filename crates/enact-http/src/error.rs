//! What a status, an error body or a broken connection means.

use std::{borrow::Cow, error::Error as _, io, time::Duration};

use enact_drama::production::FailureKind;
use reqwest::Url;
use serde_json::Value;

use crate::{
    ApiKey, HumanDuration,
    proxy::{self, ProxySettings},
    redact,
    retry::seconds,
};

/// What can go wrong with a call to any service. One line for people, without anything private.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    #[error("too many requests (429){}", wait(*retry_after))]
    RateLimited { retry_after: Option<Duration> },
    #[error("overloaded ({status}){}", wait(*retry_after))]
    Overloaded { status: u16, retry_after: Option<Duration> },
    #[error("server error ({status}), try again later")]
    Server { status: u16 },
    #[error("cannot be reached at {origin} ({reason}){}", after("; ", hint.unwrap_or_default()))]
    Unreachable { origin: String, reason: &'static str, hint: Option<&'static str> },
    #[error("the connection closed before the answer was complete")]
    Dropped,
    #[error("the key was refused ({status}); {hint}")]
    KeyRefused { status: u16, hint: String },
    #[error("the account has no credit left")]
    NoCredit,
    #[error("redirected ({status}), which is not followed; give the final address as 'base_url'")]
    Redirected { status: u16 },
    #[error("the request was rejected ({status}){}", after(": ", explanation))]
    Rejected { status: u16, explanation: String },
}

impl Error {
    /// Whether the same call may well succeed a little later.
    pub fn is_transient(&self) -> bool {
        match self {
            Error::RateLimited { .. }
            | Error::Overloaded { .. }
            | Error::Server { .. }
            | Error::Unreachable { .. }
            | Error::Dropped => true,
            Error::KeyRefused { .. }
            | Error::NoCredit
            | Error::Redirected { .. }
            | Error::Rejected { .. } => false,
        }
    }

    /// How long the service asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Error::RateLimited { retry_after } | Error::Overloaded { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// What it is to rules and telemetry.
    pub fn kind(&self) -> FailureKind {
        match self {
            Error::RateLimited { .. } => FailureKind::RateLimited,
            Error::Overloaded { .. } => FailureKind::Overloaded,
            Error::Server { .. } => FailureKind::Server,
            Error::Unreachable { .. } | Error::Dropped => FailureKind::Connection,
            Error::KeyRefused { .. } => FailureKind::Auth,
            Error::NoCredit | Error::Redirected { .. } | Error::Rejected { .. } => FailureKind::Other,
        }
    }
}

const PROXY_WANTS_LOGIN: &str =
    "the proxy wants a name and a password; they belong into the URL in the variable that 'proxy' names";

fn wait(retry_after: Option<Duration>) -> String {
    match retry_after {
        Some(time) => format!(", asked to wait {}", HumanDuration(time)),
        None => ", try again later".to_owned(),
    }
}

fn after(separator: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{separator}{text}") }
}

/// Classifies what goes wrong with one service.
#[derive(Debug, Clone)]
pub struct ErrorClassifier {
    origin: String,
    key: Option<ApiKey>,
    key_variable: Option<&'static str>,
    unreachable_hint: Option<&'static str>,
    /// What may never be repeated: the key, and whatever else is sent along.
    secrets: Vec<ApiKey>,
}

impl ErrorClassifier {
    /// For a service at this address. `key_variable` is where its key usually is.
    pub fn new(base: &Url, key: Option<ApiKey>, key_variable: Option<&'static str>) -> ErrorClassifier {
        let origin = base.origin().ascii_serialization();
        let secrets = key.iter().cloned().collect();
        ErrorClassifier { origin, key, key_variable, unreachable_hint: None, secrets }
    }

    /// Has more to hide than the key.
    pub fn with_secrets(self, secrets: Vec<ApiKey>) -> ErrorClassifier {
        ErrorClassifier { secrets: self.secrets.into_iter().chain(secrets).collect(), ..self }
    }

    /// What may never be repeated.
    pub fn secrets(&self) -> &[ApiKey] {
        &self.secrets
    }

    /// Says what to look at when the service cannot be reached.
    pub fn with_unreachable_hint(self, hint: &'static str) -> ErrorClassifier {
        ErrorClassifier { unreachable_hint: Some(hint), ..self }
    }

    /// The server, without anything that may be private: for messages.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Classifies a request that got no response, or not all of it.
    pub fn classify_network(&self, error: &reqwest::Error) -> Error {
        match error.is_connect() {
            true => Error::Unreachable {
                origin: self.origin.clone(),
                reason: why_unreachable(error),
                hint: self.proxy_hint().or(self.unreachable_hint),
            },
            false => Error::Dropped,
        }
    }

    /// That a proxy may be at fault, where one is in between.
    fn proxy_hint(&self) -> Option<&'static str> {
        let host = Url::parse(&self.origin).ok().and_then(|url| url.host_str().map(str::to_owned))?;
        proxy::current().filter(|proxy| proxy.is_used_for(&host)).map(ProxySettings::hint)
    }

    /// Classifies a status outside of 2xx by what it means everywhere. Services with meanings of their own
    /// look for those first.
    pub fn classify_status(&self, status: u16, body: &ErrorResponse, retry_after: Option<Duration>) -> Error {
        match status {
            300..=399 => Error::Redirected { status },
            402 => Error::NoCredit,
            401 | 403 => self.key_refused(status),
            407 => Error::Rejected { status, explanation: PROXY_WANTS_LOGIN.to_owned() },
            429 => Error::RateLimited { retry_after },
            498 | 503 | 529 => Error::Overloaded { status, retry_after },
            408 | 409 | 425 | 500..=599 => Error::Server { status },
            _ => Error::Rejected { status, explanation: self.explanation(&body.message) },
        }
    }

    /// A refused key, with where it came from.
    pub fn key_refused(&self, status: u16) -> Error {
        let named = self.key.as_ref().and_then(ApiKey::variable);
        let hint = match (named.or(self.key_variable), &self.key) {
            (Some(variable), Some(_)) => format!("check {variable}"),
            (Some(variable), None) => format!("set {variable}"),
            (None, Some(_)) => "check the variable that 'key_env' names".to_owned(),
            (None, None) => "name the environment variable that holds it as 'key_env'".to_owned(),
        };
        Error::KeyRefused { status, hint }
    }

    /// One short line of what the service says, without secrets.
    pub fn explanation(&self, text: &str) -> String {
        redact::explanation_without(text, &self.secrets)
    }

    /// What a model says, without secrets that are no mere words.
    pub fn redact_speech<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.secrets.iter().fold(Cow::Borrowed(text), |text, secret| {
            match redact::redact(&text, redact::hidden_in_speech(Some(secret))) {
                Cow::Borrowed(_) => text,
                Cow::Owned(redacted) => Cow::Owned(redacted),
            }
        })
    }
}

/// What the body of an error says, whichever service sent it.
#[derive(Debug, Default)]
pub struct ErrorResponse {
    pub is_json: bool,
    /// Its types, codes and reasons, and what a server behind it said, in lower case.
    kind: String,
    pub message: String,
    /// A status within the body, as Gemini and errors within streams have it.
    pub code: Option<u16>,
    /// How long to wait, where the body rather than a header says so (Gemini).
    pub retry_after: Option<Duration>,
}

impl ErrorResponse {
    pub fn parse(body: &[u8]) -> ErrorResponse {
        serde_json::from_slice(body)
            .map_or_else(|_| ErrorResponse::default(), |body| ErrorResponse::from_json(&body))
    }

    /// Anthropic, OpenAI and Gemini have an `error` (Gemini sometimes in a list, OpenAI's streams without the
    /// wrapping), ElevenLabs a `detail`, which may be a list; with Ollama and others it is a sentence.
    pub fn from_json(body: &Value) -> ErrorResponse {
        let first = |value| Value::get(value, 0).unwrap_or(value);
        let body = first(body);
        let error = first(body.get("detail").or_else(|| body.get("error")).unwrap_or(body));
        if let Value::String(message) = error {
            return ErrorResponse { is_json: true, message: message.clone(), ..ErrorResponse::default() };
        }
        let text = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
        let details = error.get("details").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        // What OpenRouter was told by the provider behind it.
        let raw =
            error.get("metadata").and_then(|metadata| metadata.get("raw")?.as_str()).unwrap_or_default();
        let reason = details.iter().find_map(|detail| detail.get("reason")?.as_str()).unwrap_or_default();
        ErrorResponse {
            is_json: true,
            kind: [text("type"), text("code"), text("status"), reason, raw].join(" ").to_lowercase(),
            message: [text("message"), text("msg")].concat(),
            code: error.get("code").and_then(status),
            retry_after: details
                .iter()
                .find_map(|detail| detail.get("retryDelay")?.as_str()?.strip_suffix('s')?.parse().ok())
                .and_then(seconds),
        }
    }

    /// Whether it is of one of these kinds.
    pub fn is_kind(&self, any: &[&str]) -> bool {
        any.iter().any(|words| self.kind.contains(words))
    }

    /// Whether its kind or its message mentions one of these, which are in lower case.
    pub fn mentions<S: AsRef<str>>(&self, any: &[S]) -> bool {
        let message = self.message.to_lowercase();
        any.iter().map(AsRef::as_ref).any(|words| self.kind.contains(words) || message.contains(words))
    }
}

/// The status that a code is, be it in quotes.
fn status(code: &Value) -> Option<u16> {
    let number = code.as_u64().or_else(|| code.as_str()?.parse().ok());
    number.and_then(|number| u16::try_from(number).ok()).filter(|number| (400..600).contains(number))
}

fn why_unreachable(error: &reqwest::Error) -> &'static str {
    if error.is_timeout() {
        return "connection timeout";
    }
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            match error.kind() {
                io::ErrorKind::ConnectionRefused => return "connection refused",
                io::ErrorKind::ConnectionReset => return "connection reset",
                io::ErrorKind::HostUnreachable => return "host unreachable",
                io::ErrorKind::NetworkUnreachable => return "network unreachable",
                _ => {}
            }
        }
        let text = error.to_string();
        if text.contains("dns error") || text.contains("failed to lookup") {
            return "no such host";
        }
        if text.contains("proxy auth") {
            return "the proxy wants a name and a password";
        }
        if text.contains("tunnel") {
            return "the proxy refused";
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
