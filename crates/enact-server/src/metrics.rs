//! What operators watch, for Prometheus.

use std::{
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use axum::http::{Method, StatusCode};
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
    requests: Family<Answered, Counter>,
    latencies: Family<Routed, Histogram>,
    playing: Gauge,
    readers: Gauge,
    events: Counter<u64, AtomicU64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Routed {
    method: &'static str,
    route: String,
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut registry = Registry::with_prefix("enact");
        let requests = Family::<Answered, Counter>::default();
        let latencies = Family::<Routed, Histogram>::new_with_constructor(|| Histogram::new(LATENCIES));
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
        let version = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "Which enact this is", version);
        Metrics(Arc::new(Counters { registry, requests, latencies, playing, readers, events }))
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
        let answered = Answered { method, route: route.clone(), status: status.as_u16() };
        self.0.requests.get_or_create(&answered).inc();
        self.0.latencies.get_or_create(&Routed { method, route }).observe(took.as_secs_f64());
    }

    /// Everything, as Prometheus reads it.
    pub(crate) fn text(&self, playing: usize) -> String {
        self.0.playing.set(i64::try_from(playing).unwrap_or(i64::MAX));
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.0.registry);
        text
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
