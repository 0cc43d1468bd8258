//! Language models behind the engine's port: Anthropic, OpenAI, Gemini, Ollama, and servers with OpenAI's
//! interface.
//!
//! `genai` translates between the wire formats, `enact_http` has what all services share. What stands between
//! them: addresses and names that arrive unchanged ([`endpoint`]), messages laid out for caching
//! ([`chat_request`]), answers read to their real end ([`stream`]), passed on meanwhile ([`live_text`]) and
//! counted ([`usage`]), errors classified ([`classify`], [`error`]) and JSON checked against its schema
//! ([`structured`]).

mod chat_request;
mod check;
mod classify;
mod endpoint;
mod error;
mod live_text;
mod stream;
pub(crate) mod structured;
mod usage;

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    Problem,
    model_card::ModelCard,
    production::{Answer, Failure},
    request::Request,
};
use enact_engine::{CallTelemetry, Model, model::LiveText};
use enact_http::RetryPolicy;
use genai::ServiceTarget;
use tokio::time::{Instant, timeout_at};

use self::{
    chat_request::SchemaMode,
    classify::ModelErrors,
    endpoint::ProviderEndpoint,
    error::{AttemptError, Error},
    live_text::LiveFilter,
    usage::CallUsage,
};
use crate::{Settings, card};

/// Pauses between attempts. How many there are is the operator's to say ([`Settings::retries`]).
const RETRY_PAUSES: RetryPolicy = RetryPolicy {
    retries: 0,
    first_pause: Duration::from_millis(400),
    // A beat is over sooner than a longer pause would be.
    longest_pause: Duration::from_secs(20),
};

/// A model of some provider, reached over HTTP.
pub(crate) struct HttpModel {
    http: reqwest::Client,
    client: genai::Client,
    endpoint: ProviderEndpoint,
    /// What `genai` is told of the endpoint, the same for every call.
    target: ServiceTarget,
    /// Holds the settings too, since error messages quote them.
    errors: ModelErrors,
    /// Set once the server has refused a JSON schema.
    without_schemas: AtomicBool,
}

impl HttpModel {
    pub(crate) fn connect(settings: Settings) -> Result<HttpModel, Problem> {
        let endpoint = ProviderEndpoint::of(&settings)?;
        let http = enact_http::client()?;
        let client = genai::Client::builder()
            .with_reqwest(http.clone())
            .build()
            .map_err(|_| Problem::config(format!("the model '{}' cannot be set up", settings.model)))?;
        let errors = ModelErrors::new(settings, endpoint.base());
        let target = endpoint.target();
        Ok(HttpModel { http, client, endpoint, target, errors, without_schemas: AtomicBool::new(false) })
    }

    fn settings(&self) -> &Settings {
        &self.errors.settings
    }

    /// Calls the model, and once more without a schema if the server refuses those.
    async fn call(
        &self,
        request: &Request,
        live: &LiveText,
        usage: &CallUsage,
        until: Instant,
    ) -> Result<String, Error> {
        let mode = self.mode();
        let mut outcome = self.call_with(request, mode, live, usage, until).await;
        // Other calls may have set the flag meanwhile, but this one has no answer yet.
        if matches!(outcome, Err(Error::SchemaRejected { .. })) && mode != SchemaMode::Prompt {
            self.without_schemas.store(true, Ordering::Relaxed);
            outcome = self.call_with(request, SchemaMode::Prompt, live, usage, until).await;
        }
        let text = outcome?;
        match &request.schema {
            Some(schema) => structured::read(&text, schema).map_err(Error::NotJson),
            None => Ok(text),
        }
    }

    async fn call_with(
        &self,
        request: &Request,
        mode: SchemaMode,
        live: &LiveText,
        usage: &CallUsage,
        until: Instant,
    ) -> Result<String, Error> {
        let settings = self.settings();
        enact_http::retry(RetryPolicy { retries: settings.retries, ..RETRY_PAUSES }, until, || {
            let meter = usage.meter();
            async move {
                let chat = chat_request::messages(settings, request, mode);
                let options = chat_request::options(settings, request, mode, meter.clone());
                let target = self.target.clone();
                // An answer that has begun is not asked for again, so each attempt passes on live text from
                // its start.
                let filter = LiveFilter::new(live, settings.key.as_ref());
                let heard =
                    stream::read_stream(&self.client, target, (chat, options), &meter, &self.errors, filter)
                        .await;
                if heard.as_ref().is_err_and(|failed| !failed.begun && failed.error.is_free()) {
                    meter.rejected();
                }
                // What may have to be paid is not tried again beyond what the budget has room for.
                let paid_up = request.paid_tries.is_some_and(|most| usage.paid_tries() >= most as usize);
                heard.map_err(|failed| AttemptError { begun: failed.begun || paid_up, ..failed })
            }
        })
        .await
        .map_err(|failed| failed.error)
    }

    fn mode(&self) -> SchemaMode {
        match self.without_schemas.load(Ordering::Relaxed) {
            true => SchemaMode::Prompt,
            false => SchemaMode::of(self.settings().provider),
        }
    }
}

#[async_trait]
impl Model for HttpModel {
    fn card(&self) -> ModelCard {
        card(self.settings())
    }

    async fn check(&self) -> Result<(), Problem> {
        check::check(&self.http, &self.endpoint, &self.errors).await
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        self.answer_live(request, LiveText::none()).await
    }

    async fn answer_live(&self, request: Request, live: LiveText) -> Result<Answer, Failure> {
        // JSON is not passed on live.
        let live = if request.schema.is_some() { LiveText::none() } else { live };
        let began = Instant::now();
        let deadline = self.settings().deadline(&request);
        let until = began + deadline.effective;
        // Kept outside of what is timed: what was used counts even when time runs out.
        let usage = CallUsage::default();
        let outcome = timeout_at(until, self.call(&request, &live, &usage, until))
            .await
            .unwrap_or(Err(Error::Timeout { after: deadline.nominal }));
        let took_ms = began.elapsed().as_millis() as u64;
        CallTelemetry {
            server: self.endpoint.server(),
            streamed: Some(true),
            tries: Some(usage.tries()),
            ..CallTelemetry::default()
        }
        .tell();
        match outcome {
            Ok(text) => {
                let text = self.errors.http.redact_speech(&text).into_owned();
                Ok(Answer { text, usage: usage.total(), took_ms })
            }
            Err(error) => {
                let kind = error.kind();
                let error = match error {
                    // As the requirements word it.
                    Error::Timeout { .. } => error.to_string(),
                    _ => format!("{}: {error}", self.settings().provider.as_str()),
                };
                Err(Failure { error, kind, usage: usage.partial_total(), took_ms })
            }
        }
    }
}

impl fmt::Debug for HttpModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpModel").field("settings", self.settings()).finish_non_exhaustive()
    }
}
