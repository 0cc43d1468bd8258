//! Language models behind the engine's port: Anthropic, OpenAI, Gemini, Ollama, and servers with OpenAI's
//! interface.
//!
//! `enact_http` has what all services share. Read in this order: [`outgoing_chat`] (what is sent, whichever
//! format it is written in), [`wire`] (the four formats), [`endpoint`] (where to), [`attempt`] (sent once,
//! and read to the end), [`unpack`] and [`frames`] (bytes split into JSON), [`answer`] (what was read),
//! [`live_text`] (passed on meanwhile), [`usage`] (counted), [`optional`] (left out where a model refuses
//! it), [`classify`] and [`error`] (what went wrong), [`structured`] (JSON checked against its schema),
//! [`check`] (before a run begins), [`list`] (what else there is).

mod answer;
mod attempt;
mod check;
mod classify;
mod endpoint;
pub(crate) mod error;
mod frames;
mod list;
mod live_text;
mod optional;
mod outgoing_chat;
pub(crate) mod structured;
mod unpack;
mod usage;
mod wire;

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    Problem,
    model_card::ModelCard,
    production::{Answer, Failure},
    request::Request,
    usage::Usage,
};
use enact_engine::{CallTelemetry, Model, model::LiveText};
use enact_http::RetryPolicy;
use reqwest::header::{CONTENT_TYPE, HeaderValue};
use tokio::time::{Instant, timeout_at};

pub use self::list::{OfferedModel, offered};
use self::{
    attempt::ExpectedAnswer,
    classify::ModelErrors,
    endpoint::ProviderEndpoint,
    error::{AttemptError, Error},
    live_text::LiveFilter,
    optional::{OmittedParameters, RefusedParameters},
    outgoing_chat::{OutgoingChat, SchemaMode},
    usage::{Attempt, CallUsage},
};
use crate::{
    Settings,
    call_queue::{CallPermit, CallQueue, QueueTooLong},
    card,
};

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
    endpoint: ProviderEndpoint,
    /// Holds the settings too, since error messages quote them.
    errors: ModelErrors,
    found_out: ServerQuirks,
    /// Shared with all that are configured alike.
    queue: Arc<CallQueue>,
    /// The largest context asked for so far: an Ollama that is asked for less loads the model anew.
    context_tokens: AtomicU32,
}

/// What calls have found out about the server, so that later ones need not.
#[derive(Debug, Default)]
struct ServerQuirks {
    /// It has refused a JSON schema.
    takes_no_schemas: AtomicBool,
    /// Its model answers in streams only.
    only_streams: AtomicBool,
    /// It is found below a version that the operator's address does not name.
    needs_version: AtomicBool,
    refused: RefusedParameters,
}

/// How a server is asked.
#[derive(Debug, Clone, Copy)]
struct RequestMode {
    schema: SchemaMode,
    stream: bool,
    version: Option<&'static str>,
    left_out: OmittedParameters,
}

impl HttpModel {
    pub(crate) fn connect(settings: Settings) -> Result<HttpModel, Problem> {
        let endpoint = ProviderEndpoint::of(&settings)?;
        let http = enact_http::client()?;
        let queue = CallQueue::shared(&settings, None, None);
        let errors = ModelErrors::new(settings, endpoint.base());
        let (found_out, context_tokens) = (ServerQuirks::default(), AtomicU32::new(0));
        Ok(HttpModel { http, endpoint, errors, found_out, queue, context_tokens })
    }

    fn settings(&self) -> &Settings {
        &self.errors.settings
    }

    /// Calls the model; repeats the call in another mode (no schema, stream, versioned URL) if the server
    /// refuses the first. Such repeats count as attempts.
    async fn call(
        &self,
        manner: &mut RequestMode,
        request: &Request,
        live: &LiveText,
        usage: &CallUsage,
        until: Instant,
    ) -> Result<String, Error> {
        let text = loop {
            let error = match self.call_in(*manner, request, live, usage, until).await {
                Ok(text) => break text,
                Err(error) => error,
            };
            if usage.is_paid_up(request) {
                return Err(error);
            }
            // Other calls may have found out meanwhile, but this one has no answer yet.
            match (&error, self.endpoint.other_version()) {
                (Error::SchemaRejected { .. }, _)
                    if request.schema.is_some() && manner.schema != SchemaMode::Prompt =>
                {
                    self.found_out.takes_no_schemas.store(true, Ordering::Relaxed);
                    manner.schema = SchemaMode::Prompt;
                }
                (Error::StreamOnly { .. }, _) if !manner.stream => {
                    self.found_out.only_streams.store(true, Ordering::Relaxed);
                    manner.stream = true;
                }
                (Error::ParameterRejected { parameter, .. }, _) if !manner.left_out.has(*parameter) => {
                    self.found_out.refused.add(*parameter, self.settings());
                    manner.left_out.add(*parameter);
                }
                (Error::WrongAddress { .. }, version @ Some(_)) if manner.version.is_none() => {
                    manner.version = version;
                }
                _ => return Err(error),
            }
        };
        self.found_out.needs_version.fetch_or(manner.version.is_some(), Ordering::Relaxed);
        match &request.schema {
            Some(schema) => structured::read(&text, schema).map_err(Error::NotJson),
            None => Ok(text),
        }
    }

    async fn call_in(
        &self,
        manner: RequestMode,
        request: &Request,
        live: &LiveText,
        usage: &CallUsage,
        until: Instant,
    ) -> Result<String, Error> {
        let settings = self.settings();
        let (prepared, max_tokens) = self.prepare(manner, request)?;
        enact_http::retry(RetryPolicy { retries: settings.retries, ..RETRY_PAUSES }, until, || {
            let sent = prepared.try_clone();
            async move {
                // A body in memory can always be sent again.
                let Some(sent) = sent else { return Err(AttemptError::of(Error::Garbled)) };
                // The first try has waited for its turn before its time began.
                if usage.tries() > 0 {
                    self.queue.wait_to_send(until).await.map_err(AttemptError::of)?;
                }
                let mut attempt = Attempt::new(usage);
                // An answer that has begun is not asked for again, so each attempt passes on live text from
                // its start.
                let filter = LiveFilter::new(live, self.errors.http.secrets());
                let expected = ExpectedAnswer {
                    wire: self.endpoint.wire(),
                    max_tokens,
                    left_out: manner.left_out,
                    errors: &self.errors,
                };
                let said = attempt::ask(&self.http, sent, expected, &mut attempt, filter).await;
                // What it used is entered now.
                drop(attempt);
                // What may have to be paid is not tried again beyond what the budget has room for.
                let paid_up = usage.is_paid_up(request);
                said.map_err(|failed| AttemptError { is_final: failed.is_final || paid_up, ..failed })
            }
        })
        .await
        .map_err(|failed| failed.error)
    }

    async fn wait_for_turn(&self, until: Instant) -> Result<CallPermit, QueueTooLong> {
        let permit = self.queue.enter(until).await?;
        self.queue.wait_to_send(until).await?;
        Ok(permit)
    }

    /// What is sent, and how many tokens the answer may have.
    fn prepare(&self, manner: RequestMode, request: &Request) -> Result<(reqwest::Request, u32), Error> {
        let mut chat = OutgoingChat::new(self.settings(), request, manner.schema, manner.left_out);
        chat.stream = manner.stream;
        let context = wire::context_tokens(&chat);
        chat.context_tokens = self.context_tokens.fetch_max(context, Ordering::Relaxed).max(context);
        let url = self.endpoint.chat_url(manner.stream, manner.version);
        let sent = self
            .http
            .post(url)
            .headers(self.endpoint.headers().clone())
            .header(CONTENT_TYPE, HeaderValue::from_static("application/json"))
            .body(self.endpoint.wire().body(&chat))
            .build();
        Ok((sent.map_err(|error| self.errors.http.classify_network(&error))?, chat.max_tokens))
    }

    /// Streams are only asked for while they are read: they take more of both sides.
    fn manner(&self, live: &LiveText) -> RequestMode {
        let is = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        RequestMode {
            schema: match is(&self.found_out.takes_no_schemas) {
                true => SchemaMode::Prompt,
                false => SchemaMode::of(self.settings().provider),
            },
            stream: live.is_wanted() || is(&self.found_out.only_streams),
            version: self.endpoint.other_version().filter(|_| is(&self.found_out.needs_version)),
            left_out: self.found_out.refused.left_out(),
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
        // JSON is passed on live only where it is read like that.
        let live = if request.schema.is_some() && !request.live_json { LiveText::none() } else { live };
        let began = Instant::now();
        let deadline = self.settings().deadline(&request);
        let last_moment = began + self.settings().queue_deadline(&request).effective;
        // Held until the call is over.
        let _permit = match self.wait_for_turn(last_moment).await {
            Ok(permit) => permit,
            Err(error) => {
                let error = Error::from(error);
                let (kind, took_ms) = (error.kind(), began.elapsed().as_millis() as u64);
                let error = format!("{}: {error}", self.settings().provider.as_str());
                return Err(Failure { error, kind, usage: Some(Usage::NONE), took_ms });
            }
        };
        let until = last_moment.min(Instant::now() + deadline.effective);
        // Kept outside of what is timed: what was used counts even when time runs out.
        let usage = CallUsage::default();
        let mut manner = self.manner(&live);
        let outcome = timeout_at(until, self.call(&mut manner, &request, &live, &usage, until))
            .await
            .unwrap_or(Err(Error::Timeout { after: deadline.nominal }));
        let took_ms = began.elapsed().as_millis() as u64;
        let details = usage.take_details();
        // Without a subscriber there is nothing to redact.
        if !tracing::Span::current().is_disabled() {
            CallTelemetry {
                server: self.endpoint.server(),
                streamed: Some(manner.stream),
                tries: Some(usage.tries()),
                ..details.telemetry(began, |told| self.errors.http.explanation(told))
            }
            .record();
        }
        match outcome {
            Ok(text) => {
                let text = self.errors.http.redact_speech(&text).into_owned();
                let first_word_ms = details.first_word_at.map(|at| (at - began).as_millis() as u64);
                Ok(Answer { text, usage: usage.total(), took_ms, first_word_ms })
            }
            Err(error) => {
                let kind = error.kind();
                let error = match error {
                    // As the requirements word it.
                    Error::Timeout { .. } => error.to_string(),
                    _ => format!("{}: {error}", self.settings().provider.as_str()),
                };
                Err(Failure { error, kind, usage: usage.total(), took_ms })
            }
        }
    }
}

impl fmt::Debug for HttpModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpModel").field("settings", self.settings()).finish_non_exhaustive()
    }
}
