//! Telemetry: spans for an OpenTelemetry collector, and events on standard error. Both are off unless asked
//! for, and neither ever holds a key or what was said.
//!
//! The spans themselves are the engine's. `destination` says where they go, `exporter` brings them there,
//! `open_spans` waits for the last of them, `stderr` prints.

mod destination;
mod exporter;
mod open_spans;
mod stderr;

use std::{sync::OnceLock, time::Duration};

use anstream::eprintln;
use destination::Destination;
use exporter::CollectorClient;
use open_spans::OpenSpans;
use opentelemetry::{InstrumentationScope, KeyValue, trace::TracerProvider};
use opentelemetry_sdk::{
    Resource,
    resource::{EnvResourceDetector, TelemetryResourceDetector},
    trace::{BatchSpanProcessor, SdkTracerProvider},
};
use tracing::{Metadata, level_filters::LevelFilter};
use tracing_subscriber::{
    Layer, Registry,
    filter::{FilterFn, filter_fn},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

/// How long a finished program stays for its spans to be taken.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);
/// Calls that were dropped at the end need a moment to let go of their spans; a model that blocks its thread
/// never does.
const CLOSING_TIMEOUT: Duration = Duration::from_millis(200);
/// Spans of this program's own crates have targets that begin so.
const OURS: &str = "enact";

/// What is being exported. One for the process, as the subscriber behind it is.
static EXPORT: OnceLock<SpanExport> = OnceLock::new();

#[derive(Debug)]
struct SpanExport {
    provider: SdkTracerProvider,
    client: CollectorClient,
    open: OpenSpans,
}

/// Begins to listen, if the environment or the configuration asks for it: `configured` is a collector's
/// address, or why the one in the configuration is not used, which is only said where it would have been.
/// `unasked` is how much is printed on standard error when the environment says nothing about it. Called
/// once, within the runtime that sends. What cannot be done is said, and is no reason not to play.
pub(crate) fn start(configured: Result<Option<String>, String>, unasked: LevelFilter) {
    let environment = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let mut layers: Vec<Box<dyn Layer<Registry> + Send + Sync>> = Vec::new();
    match stderr::layer(environment, unasked) {
        Ok(layer) => layers.extend(layer),
        Err(why) => eprintln!("note: {why}"),
    }
    let (configured, unused) = match configured {
        Ok(address) => (address, None),
        Err(why) => (None, Some(why)),
    };
    match Destination::find(environment, configured.as_deref())
        .and_then(|to| to.map(SpanExport::to).transpose())
    {
        Ok(Some(export)) => {
            layers.push(export.layer());
            // A second start finds the first one's export in place, and its own subscriber refused below.
            let _ = EXPORT.set(export);
        }
        Ok(None) => unused.iter().for_each(|why| eprintln!("note: telemetry is off: {why}")),
        Err(why) => eprintln!("note: telemetry is off: {why}"),
    }
    if !layers.is_empty() {
        let _ = tracing_subscriber::registry().with(layers).try_init();
    }
}

/// Sends what is left, within bounds, and says so if something was lost.
pub(crate) fn stop() {
    let Some(SpanExport { provider, client, open }) = EXPORT.get() else { return };
    open.wait(CLOSING_TIMEOUT);
    let in_time = provider.shutdown_with_timeout(FLUSH_TIMEOUT).is_ok();
    if let Some(trouble) = client.trouble(in_time) {
        eprintln!("note: {trouble}");
    }
}

impl SpanExport {
    fn to(destination: Destination) -> Result<SpanExport, String> {
        let client = CollectorClient::to(destination)?;
        let provider = SdkTracerProvider::builder()
            .with_resource(resource())
            .with_span_processor(BatchSpanProcessor::builder(client.exporter()?).build())
            .build();
        Ok(SpanExport { provider, client, open: OpenSpans::default() })
    }

    fn layer(&self) -> Box<dyn Layer<Registry> + Send + Sync> {
        let scope = InstrumentationScope::builder(OURS).with_version(env!("CARGO_PKG_VERSION")).build();
        tracing_opentelemetry::layer()
            .with_tracer(self.provider.tracer_with_scope(scope))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_level(false)
            .with_tracked_inactivity(false)
            .with_context_activation(false)
            .and_then(self.open.clone())
            .with_filter(our_spans())
            .boxed()
    }
}

/// Only spans and only our own: what libraries say of their requests may hold what was said, or worse.
fn our_spans() -> FilterFn {
    let ours = |metadata: &Metadata<'_>| metadata.is_span() && metadata.target().starts_with(OURS);
    filter_fn(ours as fn(&Metadata<'_>) -> bool).with_max_level_hint(LevelFilter::DEBUG)
}

/// The name and version in all spans: `enact`, unless the environment sets another name.
fn resource() -> Resource {
    let ours =
        [KeyValue::new("service.name", "enact"), KeyValue::new("service.version", env!("CARGO_PKG_VERSION"))];
    let resource = Resource::builder_empty()
        .with_attributes(ours)
        .with_detectors(&[Box::new(TelemetryResourceDetector), Box::new(EnvResourceDetector::new())]);
    match std::env::var("OTEL_SERVICE_NAME") {
        Ok(name) if !name.is_empty() => resource.with_service_name(name).build(),
        _ => resource.build(),
    }
}
