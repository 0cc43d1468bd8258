//! Exports spans to a collector, and remembers what went wrong. A run never waits for it: a thread of its own
//! collects batches, and a full queue drops spans.

use std::{
    error::Error,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use enact_http::{BodyRead, read_body};
use opentelemetry::{Array, KeyValue, Value};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{
    MetricExporter, Protocol, RetryPolicy, SpanExporter, WithExportConfig, WithHttpConfig,
};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    trace::{SpanData, SpanExporter as Exporter},
};
use tokio::runtime::Handle;

use super::{destination::Destination, partial_success};

/// As OpenTelemetry has it by default: one batch, all its tries included.
const BATCH_TIMEOUT: Duration = Duration::from_secs(10);
/// A hiccup is worth another try. More of them would only keep a finished program waiting.
const RETRIES: usize = 2;
/// A collector says little: what was rejected, and why.
const LONGEST_ANSWER: usize = 16 * 1024;

/// The way to a collector.
#[derive(Debug, Clone)]
pub(super) struct CollectorClient {
    destination: Destination,
    client: reqwest::Client,
    runtime: Handle,
    losses: Arc<Mutex<Losses>>,
}

#[derive(Debug, Default)]
struct Losses {
    spans: usize,
    /// What the last failed attempt met.
    why: Option<String>,
    /// What the collector answered when it first refused metrics, or a part of what it was sent.
    refused: Option<String>,
}

impl CollectorClient {
    /// Prepares to send, on the current runtime. Follows no redirects and uses no ambient proxy: spans go
    /// where the operator said, and nowhere else.
    pub(super) fn to(destination: Destination) -> Result<CollectorClient, String> {
        let client = enact_http::client_builder()
            .timeout(BATCH_TIMEOUT)
            .build()
            .map_err(|error| format!("no HTTP client: {}", innermost(&error)))?;
        Ok(CollectorClient { destination, client, runtime: Handle::current(), losses: Arc::default() })
    }

    /// What batches are given to. Headers come from `OTEL_EXPORTER_OTLP_HEADERS`, and are not read here.
    pub(super) fn exporter(&self) -> Result<CountingExporter<SpanExporter>, String> {
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(self.clone())
            .with_endpoint(self.destination.url.as_str())
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(BATCH_TIMEOUT)
            .with_retry_policy(RetryPolicy::default().with_max_retries(RETRIES))
            .build()
            .map_err(|error| error.to_string())?;
        Ok(CountingExporter { exporter, losses: self.losses.clone() })
    }

    /// What metrics are given to, if they are wanted.
    pub(super) fn metric_exporter(&self) -> Result<Option<MetricExporter>, String> {
        let Some(url) = &self.destination.metrics else { return Ok(None) };
        let exporter = MetricExporter::builder()
            .with_http()
            .with_http_client(self.clone())
            .with_endpoint(url.as_str())
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(BATCH_TIMEOUT)
            .with_retry_policy(RetryPolicy::default().with_max_retries(RETRIES))
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Some(exporter))
    }

    /// What there is to say once everything is over: nothing if all arrived.
    pub(super) fn trouble(&self, in_time: bool) -> Option<String> {
        let losses = self.losses.lock().unwrap_or_else(PoisonError::into_inner);
        if in_time && losses.spans == 0 {
            let refused = losses.refused.as_ref()?;
            return Some(format!("the collector at {} {refused}", self.destination.place()));
        }
        let why = losses.why.as_deref().unwrap_or("no answer in time");
        Some(format!("telemetry did not reach the collector at {}: {why}", self.destination.place()))
    }

    fn remember(&self, why: &str) {
        self.losses.lock().unwrap_or_else(PoisonError::into_inner).why = Some(why.to_owned());
    }

    /// Tells of a refusal once, since it is met again with every batch: a server at once, others at their
    /// end.
    fn refused(&self, what: String) {
        let mut losses = self.losses.lock().unwrap_or_else(PoisonError::into_inner);
        if losses.refused.is_none() {
            tracing::warn!(collector = %self.destination.place(), "telemetry: the collector {what}");
            losses.refused = Some(what);
        }
    }

    /// Whether a request carries metrics, and not spans.
    fn has_metrics(&self, request: &Request<Bytes>) -> bool {
        self.destination.metrics.as_ref().is_some_and(|url| url.path() == request.uri().path())
    }
}

/// The exporter's thread has no reactor: requests are sent on the program's own runtime, and only waited for
/// there.
#[async_trait]
impl HttpClient for CollectorClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        let has_metrics = self.has_metrics(&request);
        let sent = self.runtime.spawn(async move {
            let request = reqwest::Request::try_from(request)?;
            let response = client.execute(request).await?;
            let (status, headers) = (response.status(), response.headers().clone());
            // What was taken is taken, also if the rest of the answer does not come.
            let body = match read_body(response, LONGEST_ANSWER).await {
                Ok(BodyRead::Complete(body)) => body,
                Ok(BodyRead::TooLong(_)) | Err(_) => Vec::new(),
            };
            Ok::<_, reqwest::Error>((status, headers, body))
        });
        let (status, headers, body) = match sent.await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => {
                let why = if error.is_timeout() { "no answer in time".to_owned() } else { innermost(&error) };
                self.remember(&why);
                return Err(why.into());
            }
            Err(stopped) => return Err(stopped.into()),
        };
        if !status.is_success() {
            self.remember(&format!("it answered {status}"));
        }
        // An overloaded collector is asked again; what it refuses it will refuse again.
        if status.is_client_error() && has_metrics {
            self.refused(format!("refused metrics: it answered {status}"));
        }
        if let Some(told) = status.is_success().then(|| partial_success::rejected(&body)).flatten() {
            let what = if has_metrics { "metrics" } else { "spans" };
            self.refused(format!("took only a part of the {what}: {told}"));
        }
        // The body was read here: what was refused in part is not sent again.
        let mut answer = Response::builder().status(status).body(Bytes::new())?;
        *answer.headers_mut() = headers;
        Ok(answer)
    }
}

/// Counts what could not be delivered.
pub(super) struct CountingExporter<E> {
    exporter: E,
    losses: Arc<Mutex<Losses>>,
}

impl<E: Exporter> Exporter for CountingExporter<E> {
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        batch.iter_mut().flat_map(|span| &mut span.attributes).for_each(make_list);
        let exported = self.exporter.export(batch).await;
        if exported.is_err() {
            self.losses.lock().unwrap_or_else(PoisonError::into_inner).spans += spans;
        }
        exported
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

/// Without the exporter, which holds the headers.
impl<E> fmt::Debug for CountingExporter<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CountingExporter").field("losses", &self.losses).finish_non_exhaustive()
    }
}

/// Spans of `tracing` have no lists, and the conventions want one here.
fn make_list(attribute: &mut KeyValue) {
    if attribute.key.as_str() == "gen_ai.response.finish_reasons"
        && let Value::String(reason) = &attribute.value
    {
        attribute.value = Value::Array(Array::String(vec![reason.clone()]));
    }
}

/// The cause at the bottom of an error: `Connection refused`, without the address that the layers above
/// repeat.
fn innermost(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}
