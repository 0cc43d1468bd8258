//! Why nothing is said, in a service's own words.

use std::time::Duration;

use axum::{body::Body, http::Response};
use serde_json::{Value, json};

use super::asked::{Asked, SpeechApi};
use crate::http;

/// What is wrong with a request, or with the service today.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Problem {
    Status(u16),
    Crowded,
    Busy,
    WrongKey,
    NoCredit,
    Invalid(String),
}

impl Problem {
    pub(crate) fn response(&self, api: SpeechApi, retry_after: Option<Duration>) -> Response<Body> {
        let (status, body) = match api {
            SpeechApi::ElevenLabs => self.elevenlabs(),
            SpeechApi::OpenAi => self.openai(),
        };
        http::error(status, &body, retry_after)
    }

    /// Finds what a service would find wrong with a request.
    pub(crate) fn of(asked: &Asked, key: Option<&str>) -> Option<Self> {
        if key.is_some() && asked.key() != key {
            return Some(Self::WrongKey);
        }
        let invalid = |why: &str| Some(Self::Invalid(why.to_owned()));
        let speed = |value: &Value, least: f64, most: f64| {
            value.as_f64().is_none_or(|speed| (least..=most).contains(&speed))
        };
        match asked.api {
            _ if asked.text().is_empty() => invalid("the text is missing"),
            SpeechApi::ElevenLabs if !speed(&asked.body["voice_settings"]["speed"], 0.7, 1.2) => {
                invalid("speed must be between 0.7 and 1.2")
            }
            SpeechApi::OpenAi if asked.text().chars().count() > 4_096 => {
                invalid("string_above_max_length: input should have at most 4096 characters")
            }
            SpeechApi::OpenAi if !asked.body["model"].is_string() => invalid("the model is missing"),
            SpeechApi::OpenAi if asked.voice().is_empty() => invalid("the voice is missing"),
            SpeechApi::OpenAi if !speed(&asked.body["speed"], 0.25, 4.0) => {
                invalid("speed must be between 0.25 and 4.0")
            }
            _ => None,
        }
    }

    fn elevenlabs(&self) -> (u16, Value) {
        let (status, code, message) = match self {
            Self::Crowded => (
                429,
                "too_many_concurrent_requests",
                "Too many concurrent requests. Your current subscription is associated with a maximum of 2.",
            ),
            Self::Busy | Self::Status(429) => (
                429,
                "system_busy",
                "We are sorry, the system is experiencing heavy traffic, please try again.",
            ),
            Self::WrongKey | Self::Status(401) => (401, "invalid_api_key", "Invalid API key"),
            Self::NoCredit => (401, "quota_exceeded", "This request exceeds your quota."),
            Self::Status(404) => (404, "voice_not_found", "A voice with that voice_id was not found."),
            Self::Invalid(why) => (400, "invalid_request", why.as_str()),
            Self::Status(status) => (*status, "internal_error", "Something went wrong."),
        };
        (status, json!({"detail": {"status": code, "message": message}}))
    }

    fn openai(&self) -> (u16, Value) {
        let (status, kind, code, message) = match self {
            Self::Crowded | Self::Busy | Self::Status(429) => {
                (429, "requests", "rate_limit_exceeded", "Rate limit reached for requests.")
            }
            Self::WrongKey | Self::Status(401) => {
                (401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided: sk-t****.")
            }
            Self::NoCredit => {
                (429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota.")
            }
            Self::Status(404) => {
                (404, "invalid_request_error", "model_not_found", "The model does not exist.")
            }
            Self::Invalid(why) => (400, "invalid_request_error", "", why.as_str()),
            Self::Status(status) => (*status, "server_error", "", "The server had an error."),
        };
        (status, json!({"error": {"message": message, "type": kind, "param": null, "code": code}}))
    }
}
