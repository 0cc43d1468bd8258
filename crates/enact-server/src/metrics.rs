//! What operators watch, for Prometheus.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::http::{Method, StatusCode};
use enact_engine::failures::{FailureSource, Failures};
use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram, info::Info},
    registry::{Registry, Unit},
};

/// Answers take from a fraction of a millisecond (a run in memory) to seconds (the costs of all runs ever).
const LATENCIES: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// The route of requests that match none: their paths are arbitrary, and each would be a series of its own.
const NO_ROUTE: &str = "none";

/// The counters of one server: a handle.
#[derive(Debug, Clone)]
pub(crate) struct Metrics(Arc<Counters>);

#[derive(Debug)]
struct Counters {
    registry: Registry,
    requests: Family<ResponseLabels, Counter>,
    latencies: Family<RouteLabels, Histogram>,
    playing: Gauge,
    readers: Gauge,
    events: Counter<u64, AtomicU64>,
    model_failures: Family<ModelLabels, FailureCounter>,
    voice_failures: Family<VoiceLabels, FailureCounter>,
    artifact_failures: FailureCounter,
}

/// The node counts; this only shows what it has counted.
type FailureCounter = Counter<u64, AtomicU64>;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ModelLabels {
    model: String,
    kind: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct VoiceLabels {
    voice: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ResponseLabels {
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    method: &'static str,
    route: String,
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut registry = Registry::with_prefix("enact");
        let requests = Family::<ResponseLabels, Counter>::default();
        let latencies = Family::<RouteLabels, Histogram>::new_with_constructor(|| Histogram::new(LATENCIES));
        let (playing, readers, events) = (Gauge::default(), Gauge::default(), Counter::default());
        registry.register("http_requests", "Requests answered", requests.clone());
        registry.register_with_unit(
            "http_request_duration",
            "Time until an answer began; event streams go on after that",
            Unit::Seconds,
            latencies.clone(),
        );
        registry.register("runs_playing", "Runs that this node plays now", playing.clone());
        registry.register("event_readers", "Event streams open now", readers.clone());
        registry.register("events_served", "Events of runs sent to readers", events.clone());
        let model_failures = Family::<ModelLabels, FailureCounter>::default();
        let voice_failures = Family::<VoiceLabels, FailureCounter>::default();
        let artifact_failures = FailureCounter::default();
        registry.register("model_failures", "Calls of models that failed", model_failures.clone());
        registry.register("voice_failures", "Texts that a voice could not say", voice_failures.clone());
        registry.register(
            "artifact_failures",
            "Recordings, and lists of them, that could not be written",
            artifact_failures.clone(),
        );
        let version = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "Which enact this is", version);
        Metrics(Arc::new(Counters {
            registry,
            requests,
            latencies,
            playing,
            readers,
            events,
            model_failures,
            voice_failures,
            artifact_failures,
        }))
    }
}

impl Metrics {
    /// Counts an answered request and how long it took, including those that the access checks refuse.
    pub(crate) fn record_response(
        &self,
        method: &Method,
        route: Option<&str>,
        status: StatusCode,
        took: Duration,
    ) {
        let (method, route) = (name(method), route.unwrap_or(NO_ROUTE).to_owned());
        let answered = ResponseLabels { method, route: route.clone(), status: status.as_u16() };
        self.0.requests.get_or_create(&answered).inc();
        self.0.latencies.get_or_create(&RouteLabels { method, route }).observe(took.as_secs_f64());
    }

    /// Everything, as Prometheus reads it.
    pub(crate) fn text(&self, playing: usize, failures: &Failures) -> String {
        self.0.playing.set(i64::try_from(playing).unwrap_or(i64::MAX));
        for (source, count) in failures.counts() {
            self.show_failures(source, count);
        }
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.0.registry);
        text
    }

    fn show_failures(&self, source: FailureSource, count: u64) {
        let show = |counter: &FailureCounter| counter.inner().fetch_max(count, Ordering::Relaxed);
        match source {
            FailureSource::Model { name, kind } => {
                show(&self.0.model_failures.get_or_create(&ModelLabels { model: name, kind }))
            }
            FailureSource::Voice { name } => {
                show(&self.0.voice_failures.get_or_create(&VoiceLabels { voice: name }))
            }
            FailureSource::Artifacts => show(&self.0.artifact_failures),
        };
    }

    /// Counts an event stream until the guard is dropped.
    pub(crate) fn stream(&self) -> StreamGuard {
        self.0.readers.inc();
        StreamGuard(self.clone())
    }
}

/// An event stream that is open.
#[derive(Debug)]
pub(crate) struct StreamGuard(Metrics);

impl StreamGuard {
    pub(crate) fn count_events(&self, events: usize) {
        self.0.0.events.inc_by(events as u64);
    }
}

impl Drop for StreamGuard {
    fn drop(&mut self) {
        self.0.0.readers.dec();
    }
}

/// Clients can make up methods, and each would be a series of its own.
fn name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
