//! Spans on their way to a collector, from the start of the program to its end.

use std::{
    sync::{OnceLock, mpsc},
    thread,
    time::{Duration, Instant},
};

use anstream::eprintln;
use opentelemetry::{InstrumentationScope, KeyValue, trace::TracerProvider};
use opentelemetry_sdk::{
    Resource,
    metrics::{PeriodicReader, SdkMeterProvider},
    resource::{EnvResourceDetector, TelemetryResourceDetector},
    trace::{BatchSpanProcessor, SdkTracerProvider},
};
use tracing::{Metadata, level_filters::LevelFilter};
use tracing_subscriber::{
    Layer,
    filter::{FilterFn, filter_fn},
};

use super::{
    BoxedLayer, OURS, call_metrics::CallMetrics, destination::Destination, exporter::CollectorClient,
    open_spans::OpenSpans,
};

/// How long a finished program stays, in all, for its spans and metrics to be taken.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);
/// Calls that were dropped at the end need a moment to let go of their spans; a model that blocks its thread
/// never does.
const CLOSING_TIMEOUT: Duration = Duration::from_millis(200);

/// What is being exported. One for the process, as the subscriber behind it is.
static EXPORT: OnceLock<SpanExport> = OnceLock::new();

#[derive(Debug)]
struct SpanExport {
    provider: SdkTracerProvider,
    meters: Option<SdkMeterProvider>,
    client: CollectorClient,
    open: OpenSpans,
}

/// Begins to export spans: the layer that collects them.
pub(super) fn export_to(destination: Destination) -> Result<BoxedLayer, String> {
    let export = SpanExport::to(destination)?;
    let layer = export.layer();
    // A second start finds the first one's export in place, and its own subscriber refused.
    let _ = EXPORT.set(export);
    Ok(layer)
}

/// Sends what is left, within bounds, and says so if something was lost.
pub(crate) fn stop() {
    let Some(SpanExport { provider, meters, client, open }) = EXPORT.get() else { return };
    let until = Instant::now() + FLUSH_TIMEOUT;
    let left = || until.saturating_duration_since(Instant::now());
    open.wait(CLOSING_TIMEOUT);
    // The meters' own timeout is longer, so they are waited for from here.
    let (sent, metrics_sent) = mpsc::channel();
    let meters = meters.clone();
    thread::spawn(move || {
        let _ = meters.map(|meters| meters.shutdown());
        let _ = sent.send(());
    });
    let in_time = provider.shutdown_with_timeout(left()).is_ok();
    let _ = metrics_sent.recv_timeout(left());
    if let Some(trouble) = client.trouble(in_time) {
        eprintln!("note: {trouble}");
    }
}

impl SpanExport {
    fn to(destination: Destination) -> Result<SpanExport, String> {
        let client = CollectorClient::to(destination)?;
        let mut provider = SdkTracerProvider::builder()
            .with_resource(resource())
            .with_span_processor(BatchSpanProcessor::builder(client.exporter()?).build());
        let meters = client.metric_exporter()?.map(|exporter| {
            let reader = PeriodicReader::builder(exporter).build();
            SdkMeterProvider::builder().with_resource(resource()).with_reader(reader).build()
        });
        if let Some(meters) = &meters {
            provider = provider.with_span_processor(CallMetrics::of(meters));
        }
        Ok(SpanExport { provider: provider.build(), meters, client, open: OpenSpans::default() })
    }

    fn layer(&self) -> BoxedLayer {
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
