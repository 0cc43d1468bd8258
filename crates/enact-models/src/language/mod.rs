//! Language models behind the engine's port: Anthropic, OpenAI, Gemini, Ollama, and whoever speaks like OpenAI.
//!
//! `genai` translates between the wire formats, `enact_http` has what all services share. What stands between them: addresses
//! and names that arrive unchanged ([`service`]), messages laid out for caching ([`chat`]), answers listened to until their
//! real end ([`stream`]), said aloud meanwhile ([`speech`]) and counted ([`meter`]), errors made sense of ([`classify`],
//! [`error`]) and answers of a certain shape ([`structured`]).

mod chat;
mod check;
mod classify;
mod error;
mod meter;
mod service;
mod speech;
mod stream;
pub(crate) mod structured;

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
use enact_engine::{Model, model::LiveText};
use enact_http::RetryPolicy;
use genai::ServiceTarget;
use tokio::time::{Instant, timeout_at};

use self::{
    chat::Asking, classify::ModelErrors, error::Error, meter::Bill, service::Service, speech::Speech,
};
use crate::{Settings, connect};

/// How often is the operator's to say ([`Settings::retries`]).
const RETRIES: RetryPolicy = RetryPolicy {
    retries: 0,
    first_pause: Duration::from_millis(400),
    // A beat is over sooner than a longer pause would be.
    longest_pause: Duration::from_secs(20),
};

/// A model of some provider, reached over HTTP.
pub(crate) struct LanguageModel {
    http: reqwest::Client,
    client: genai::Client,
    service: Service,
    /// What `genai` is told of the service, the same for every call.
    target: ServiceTarget,
    /// Holds the settings too: most of what is said about errors comes from them.
    errors: ModelErrors,
    /// Whether the server has turned out to take no JSON schemas.
    without_schemas: AtomicBool,
}

impl LanguageModel {
    pub(crate) fn connect(settings: Settings) -> Result<LanguageModel, Problem> {
        let service = Service::of(&settings)?;
        let http = enact_http::client()?;
        let client = genai::Client::builder()
            .with_reqwest(http.clone())
            .build()
            .map_err(|_| Problem::config(format!("the model '{}' cannot be set up", settings.model)))?;
        let errors = ModelErrors::new(settings, service.base());
        let target = service.target();
        Ok(LanguageModel { http, client, service, target, errors, without_schemas: AtomicBool::new(false) })
    }

    fn settings(&self) -> &Settings {
        &self.errors.settings
    }

    /// Asks, as often as it makes sense until then.
    async fn ask(
        &self,
        request: &Request,
        live: &LiveText,
        bill: &Bill,
        until: Instant,
    ) -> Result<String, Error> {
        let asking = self.asking();
        let mut outcome = self.ask_so(request, asking, live, bill, until).await;
        // Others that were asked at the same time may have found out already, but this one has not been answered.
        if matches!(outcome, Err(Error::SchemaRejected { .. })) && asking != Asking::Words {
            self.without_schemas.store(true, Ordering::Relaxed);
            outcome = self.ask_so(request, Asking::Words, live, bill, until).await;
        }
        let text = outcome?;
        match &request.schema {
            Some(schema) => structured::read(&text, schema).map_err(Error::NotJson),
            None => Ok(text),
        }
    }

    async fn ask_so(
        &self,
        request: &Request,
        asking: Asking,
        live: &LiveText,
        bill: &Bill,
        until: Instant,
    ) -> Result<String, Error> {
        let settings = self.settings();
        enact_http::retry(RetryPolicy { retries: settings.retries, ..RETRIES }, until, || {
            let meter = bill.meter();
            async move {
                let chat = chat::messages(settings, request, asking);
                let options = chat::options(settings, request, asking, meter.clone());
                let target = self.target.clone();
                // Whoever has been heard is not asked again, so each try may speak from the beginning.
                let speech = Speech::new(live, settings.key.as_ref());
                let heard =
                    stream::listen(&self.client, target, (chat, options), &meter, &self.errors, speech).await;
                if heard.as_ref().is_err_and(|broken| !broken.begun && broken.error.is_free()) {
                    meter.turned_away();
                }
                heard
            }
        })
        .await
        .map_err(|broken| broken.error)
    }

    fn asking(&self) -> Asking {
        match self.without_schemas.load(Ordering::Relaxed) {
            true => Asking::Words,
            false => Asking::of(self.settings().provider),
        }
    }
}

#[async_trait]
impl Model for LanguageModel {
    fn card(&self) -> ModelCard {
        connect::card(self.settings())
    }

    async fn check(&self) -> Result<(), Problem> {
        check::check(&self.http, &self.service, &self.errors).await
    }

    async fn answer(&self, request: Request) -> Result<Answer, Failure> {
        self.answer_live(request, LiveText::none()).await
    }

    async fn answer_live(&self, request: Request, live: LiveText) -> Result<Answer, Failure> {
        // What has a certain shape is not for ears.
        let live = if request.schema.is_some() { LiveText::none() } else { live };
        let began = Instant::now();
        let deadline = self.settings().deadline(&request);
        let until = began + deadline.effective;
        // Kept outside of what is timed: what was used counts even when time runs out.
        let bill = Bill::default();
        let outcome = timeout_at(until, self.ask(&request, &live, &bill, until))
            .await
            .unwrap_or(Err(Error::Timeout { after: deadline.nominal }));
        let took_ms = began.elapsed().as_millis() as u64;
        match outcome {
            Ok(text) => {
                let text = self.errors.http.redact(&text).into_owned();
                Ok(Answer { text, usage: bill.of_answer(), took_ms })
            }
            Err(error) => {
                let kind = error.kind();
                let error = match error {
                    // As the requirements word it.
                    Error::Timeout { .. } => error.to_string(),
                    _ => format!("{}: {error}", self.settings().provider.as_str()),
                };
                Err(Failure { error, kind, usage: bill.so_far(), took_ms })
            }
        }
    }
}

impl fmt::Debug for LanguageModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LanguageModel").field("settings", self.settings()).finish_non_exhaustive()
    }
}
