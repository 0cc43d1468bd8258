//! From what a provider or the network reports to what it means.

use std::{sync::LazyLock, time::Duration};

use enact_http::{ErrorClassifier, ErrorResponse, retry_after};
use reqwest::{Url, header::HeaderMap};
use serde::Deserialize;
use serde_json::Value;

use super::{
    error::Error,
    optional::{OmittedParameters, OptionalParameter},
};
use crate::{
    Provider, Settings, Thinking,
    content::{Texts, content},
};

static WORDS: LazyLock<ErrorWords> = LazyLock::new(|| content!("provider_words.toml"));

/// What errors say, by what they mean.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ErrorWords {
    too_long: Texts,
    no_credit: Texts,
    key: Texts,
    unknown_model: Texts,
    schema: Texts,
    refused: Texts,
    stream_only: Texts,
    overloaded: Texts,
    rate_limit: Texts,
    temperature: Texts,
    top_p: Texts,
    stop: Texts,
    seed: Texts,
    effort: Texts,
    thinking: Texts,
}

impl ErrorWords {
    fn of(&self, parameter: OptionalParameter) -> &Texts {
        match parameter {
            OptionalParameter::Temperature => &self.temperature,
            OptionalParameter::TopP => &self.top_p,
            OptionalParameter::Stop => &self.stop,
            OptionalParameter::Seed => &self.seed,
            OptionalParameter::Effort => &self.effort,
            OptionalParameter::Thinking => &self.thinking,
        }
    }
}

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
            .with_unreachable_hint(hint)
            .with_secrets(settings.header_secrets());
        ModelErrors { settings, http }
    }

    /// Classifies an error that was reported within a stream.
    pub(super) fn classify_stream(&self, body: &Value, left_out: OmittedParameters) -> Error {
        let response = ErrorResponse::from_json(body);
        let overloaded = if self.settings.provider == Provider::Anthropic { 529 } else { 503 };
        let status = response.code.unwrap_or_else(|| match () {
            () if response.mentions(&WORDS.overloaded) => overloaded,
            () if response.mentions(&WORDS.rate_limit) => 429,
            () if response.mentions(&["authentication_error"]) => 401,
            () if response.mentions(&["not_found_error"]) => 404,
            () if response.mentions(&["invalid_request_error"]) => 400,
            () => 500,
        });
        self.classify(status, &response, None, left_out)
    }

    /// Classifies a response outside of 2xx.
    pub(super) fn classify_status(
        &self,
        status: u16,
        body: &[u8],
        headers: &HeaderMap,
        left_out: OmittedParameters,
    ) -> Error {
        let response = ErrorResponse::parse(body);
        self.classify(status, &response, retry_after(headers).or(response.retry_after), left_out)
    }

    /// Whether a refusal means that the key may not do this one thing, rather than that it is wrong. Keys can
    /// be limited to asking models.
    pub(super) fn is_about_permission(&self, status: u16, body: &[u8]) -> bool {
        status == 403 || ErrorResponse::parse(body).mentions(&["permission", "scope"])
    }

    /// Whether there is no such model. Servers that have no such path know nothing of models.
    fn is_about_the_model(&self, status: u16, response: &ErrorResponse) -> bool {
        let model = self.settings.model.to_lowercase();
        response.mentions(&WORDS.unknown_model) || (status == 404 && response.mentions(&["model", &model]))
    }

    /// What to do about a model that is not there.
    fn model_hint(&self) -> String {
        match self.settings.provider {
            Provider::Ollama => format!("try `ollama pull {}`", self.settings.model),
            Provider::OpenAiCompatible => "check 'model' and 'base_url'".to_owned(),
            _ => "check 'model'".to_owned(),
        }
    }

    /// The parameter that was refused, of those that this request had.
    fn refused_parameter(
        &self,
        response: &ErrorResponse,
        left_out: OmittedParameters,
    ) -> Option<OptionalParameter> {
        use OptionalParameter::{Effort, Thinking as Thinks};
        // All but Anthropic say in one field how much to think and whether to, and name it by either.
        let in_one_field = self.settings.provider != Provider::Anthropic;
        let thinks_decides = matches!(self.settings.thinking, Some(Thinking::Off | Thinking::Budget(_)));
        let had = |parameter: &OptionalParameter| match parameter {
            Effort if in_one_field && thinks_decides => left_out.has(Thinks) && !left_out.has(Effort),
            other => !left_out.has(*other),
        };
        let is_named = |parameter: &OptionalParameter| match parameter {
            Effort | Thinks if in_one_field => {
                response.mentions(&WORDS.effort) || response.mentions(&WORDS.thinking)
            }
            other => response.mentions(WORDS.of(*other)),
        };
        let sent = |parameter: &OptionalParameter| match parameter {
            OptionalParameter::Effort => self.settings.may_say_effort(),
            other => other.is_asked_for(&self.settings),
        };
        let all = OptionalParameter::ALL.into_iter().filter(sent);
        all.filter(had).find(is_named)
    }

    fn classify(
        &self,
        status: u16,
        response: &ErrorResponse,
        retry_after: Option<Duration>,
        left_out: OmittedParameters,
    ) -> Error {
        match status {
            300..=399 => {}
            _ if response.mentions(&WORDS.no_credit) => return enact_http::Error::NoCredit.into(),
            402 => {}
            _ if response.mentions(&WORDS.too_long) || status == 413 => return Error::ContextTooLong,
            _ if response.mentions(&WORDS.key) => return self.http.key_refused(status).into(),
            _ if response.mentions(&WORDS.refused) => return Error::Refused,
            429 if response.mentions(&WORDS.overloaded) => {
                return enact_http::Error::Overloaded { status, retry_after }.into();
            }
            400..=499 if self.is_about_the_model(status, response) => {
                let (model, hint) = (self.settings.model.clone(), self.model_hint());
                return Error::UnknownModel { model, status, hint };
            }
            404 | 405 => return Error::WrongAddress { status },
            400 | 422 if let Some(parameter) = self.refused_parameter(response, left_out) => {
                return Error::ParameterRejected { parameter, status };
            }
            400 | 422 | 500 if response.mentions(&WORDS.schema) => return Error::SchemaRejected { status },
            400 | 422 if response.mentions(&WORDS.stream_only) => return Error::StreamOnly { status },
            _ => {}
        }
        self.http.classify_status(status, response, retry_after).into()
    }
}

#[cfg(test)]
mod tests;
