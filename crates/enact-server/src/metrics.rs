//! What operators watch, for Prometheus.

use std::{
    sync::{Arc, atomic::AtomicU64},
    time::Instant,
};

use axum::{
    extract::{MatchedPath, Request, State},
    http::Method,
    middleware::Next,
    response::Response,
};
use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram, info::Info},
    registry::{Registry, Unit},
};

use crate::routes::Api;

/// Answers take from a fraction of a millisecond (a run in memory) to seconds (the costs of all runs ever).
const LATENCIES: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// Where requests are counted that no route took: their paths are anything at all, and each would be a series of its own.
const NO_ROUTE: &str = "none";

/// The counters of one server.
#[derive(Debug)]
pub(crate) struct Metrics {
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

impl Metrics {
    pub(crate) fn new() -> Metrics {
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
        Metrics { registry, requests, latencies, playing, readers, events }
    }

    /// Everything, as Prometheus reads it.
    pub(crate) fn text(&self, playing: usize) -> String {
        self.playing.set(i64::try_from(playing).unwrap_or(i64::MAX));
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }

    /// Counts somebody who reads events, for as long as they do.
    pub(crate) fn reader(self: &Arc<Metrics>) -> Reader {
        self.readers.inc();
        Reader(self.clone())
    }
}

/// Somebody who reads events.
#[derive(Debug)]
pub(crate) struct Reader(Arc<Metrics>);

impl Reader {
    pub(crate) fn was_sent(&self, events: usize) {
        self.0.events.inc_by(events as u64);
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.readers.dec();
    }
}

/// Counts a request and how long it took.
pub(crate) async fn count(State(api): State<Api>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = name(request.method());
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or(NO_ROUTE, MatchedPath::as_str).to_owned();
    let response = next.run(request).await;
    let metrics = &api.metrics;
    let status = response.status().as_u16();
    metrics.requests.get_or_create(&Answered { method, route: route.clone(), status }).inc();
    metrics.latencies.get_or_create(&Routed { method, route }).observe(began.elapsed().as_secs_f64());
    response
}

/// Anybody can make up methods, and each would be a series of its own.
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
