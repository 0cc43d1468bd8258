//! From what a provider, the network or `genai` reports to what it means.

use std::time::Duration;

use enact_http::{ErrorClassifier, ErrorResponse, retry_after};
use reqwest::{Url, header::HeaderMap};
use serde_json::Value;

use super::error::Error;
use crate::{Provider, Settings};

/// Classifies the errors of one model.
#[derive(Debug, Clone)]
pub(super) struct ModelErrors {
    pub(super) settings: Settings,
    /// What errors mean whichever service they come from.
    pub(super) http: ErrorClassifier,
}

impl ModelErrors {
    pub(super) fn new(settings: Settings, base: &Url) -> ModelErrors {
        let hint = match settings.provider {
            Provider::Ollama => "is `ollama serve` running?",
            Provider::OpenAiCompatible => "is the server running?",
            _ => "is there a network?",
        };
        let http = ErrorClassifier::new(base, settings.key.clone(), settings.provider.key_variable())
            .with_unreachable_hint(hint);
        ModelErrors { settings, http }
    }

    /// Classifies an error of `genai` by its cause.
    pub(super) fn classify_genai(&self, error: genai::Error) -> Error {
        match error {
            genai::Error::WebStream { error, .. } => self.classify_boxed(error),
            genai::Error::HttpError { status, body, headers, .. } => {
                self.classify_status(status.as_u16(), &body, &headers)
            }
            genai::Error::WebModelCall { webc_error: genai::webc::Error::Reqwest(error), .. } => {
                self.http.classify_network(&error).into()
            }
            genai::Error::ChatResponse { body, .. } => self.classify_stream(&body),
            _ => Error::Garbled,
        }
    }

    /// Classifies an error that was reported within a stream.
    pub(super) fn classify_stream(&self, body: &Value) -> Error {
        let response = ErrorResponse::from_json(body);
        let overloaded = if self.settings.provider == Provider::Anthropic { 529 } else { 503 };
        let status = response.code.unwrap_or_else(|| match () {
            () if response.mentions(&["overloaded"]) => overloaded,
            () if response.mentions(&["rate_limit"]) => 429,
            () if response.mentions(&["authentication_error"]) => 401,
            () if response.mentions(&["not_found_error"]) => 404,
            () if response.mentions(&["invalid_request_error"]) => 400,
            () => 500,
        });
        self.classify(status, &response, None)
    }

    /// Classifies a response outside of 2xx.
    pub(super) fn classify_status(&self, status: u16, body: &str, headers: &HeaderMap) -> Error {
        let response = ErrorResponse::parse(body.as_bytes());
        self.classify(status, &response, retry_after(headers).or(response.retry_after))
    }

    /// Whether a refusal means that the key may not do this one thing, rather than that it is wrong. Keys can
    /// be limited to asking models.
    pub(super) fn is_about_permission(&self, status: u16, body: &str) -> bool {
        status == 403 || ErrorResponse::parse(body.as_bytes()).mentions(&["permission", "scope"])
    }

    /// What to do about a model that is not there.
    fn model_hint(&self) -> String {
        match self.settings.provider {
            Provider::Ollama => format!("try `ollama pull {}`", self.settings.model),
            Provider::OpenAiCompatible => "check 'model' and 'base_url'".to_owned(),
            _ => "check 'model'".to_owned(),
        }
    }

    fn classify_boxed(&self, error: genai::BoxError) -> Error {
        let error = match error.downcast::<genai::Error>() {
            Ok(error) => return self.classify_genai(*error),
            Err(error) => error,
        };
        match error.downcast::<reqwest::Error>() {
            Ok(error) => self.http.classify_network(&error).into(),
            // Bytes that are no text, mostly.
            Err(_) => Error::Garbled,
        }
    }

    fn classify(&self, status: u16, response: &ErrorResponse, retry_after: Option<Duration>) -> Error {
        match status {
            300..=399 => {}
            _ if is_about_credit(response) => return enact_http::Error::NoCredit.into(),
            402 => {}
            _ if is_about_length(response) || status == 413 => return Error::ContextTooLong,
            _ if is_about_the_key(response) => return self.http.key_refused(status).into(),
            404 => {
                let (model, hint) = (self.settings.model.clone(), self.model_hint());
                return Error::UnknownModel { model, status, hint };
            }
            400 | 422 if is_about_schemas(response) => return Error::SchemaRejected { status },
            _ => {}
        }
        self.http.classify_status(status, response, retry_after).into()
    }
}

fn is_about_credit(response: &ErrorResponse) -> bool {
    response.mentions(&["insufficient_quota", "credit balance is too low", "billing_error"])
}

fn is_about_length(response: &ErrorResponse) -> bool {
    response.mentions(&[
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

fn is_about_the_key(response: &ErrorResponse) -> bool {
    response.mentions(&["api_key_invalid", "invalid_api_key", "authentication_error"])
}

fn is_about_schemas(response: &ErrorResponse) -> bool {
    response.mentions(&["response_format", "json_schema", "json schema", "structured output"])
}

#[cfg(test)]
mod tests;
