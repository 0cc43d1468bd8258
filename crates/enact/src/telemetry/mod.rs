//! Telemetry: spans for an OpenTelemetry collector, and events on standard error. Both are off unless asked
//! for, and neither ever holds a key or what was said.
//!
//! The spans themselves are the engine's. `destination` says where they go, `span_export` collects them,
//! `call_metrics` measures calls by them, `exporter` brings both there, `open_spans` waits for the last of
//! them, `stderr` prints.

#[cfg(feature = "telemetry")]
mod call_metrics;
mod destination;
#[cfg(feature = "telemetry")]
mod exporter;
#[cfg(feature = "telemetry")]
mod open_spans;
#[cfg(feature = "telemetry")]
mod partial_success;
#[cfg(feature = "telemetry")]
mod span_export;
mod stderr;

use anstream::eprintln;
use destination::Destination;
#[cfg(feature = "telemetry")]
use span_export::export_to;
#[cfg(feature = "telemetry")]
pub(crate) use span_export::stop;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::{Layer, Registry, layer::SubscriberExt, util::SubscriberInitExt};

type BoxedLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// Spans of this program's own crates have targets that begin so.
const OURS: &str = "enact";

/// Begins to listen, if the environment or the configuration asks for it: `configured` is a collector's
/// address, or why the one in the configuration is not used, which is only said where it would have been.
/// `unasked` is how much is printed on standard error when the environment says nothing about it. Called
/// once, within the runtime that sends. What cannot be done is said, and is no reason not to play.
pub(crate) fn start(configured: Result<Option<String>, String>, unasked: LevelFilter) {
    let environment = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let mut layers: Vec<BoxedLayer> = Vec::new();
    match stderr::layer(environment, unasked) {
        Ok(layer) => layers.extend(layer),
        Err(why) => eprintln!("note: {why}"),
    }
    let (configured, unused) = match configured {
        Ok(address) => (address, None),
        Err(why) => (None, Some(why)),
    };
    match Destination::find(environment, configured.as_deref()).and_then(|to| to.map(export_to).transpose()) {
        Ok(Some(layer)) => layers.push(layer),
        Ok(None) => unused.iter().for_each(|why| eprintln!("note: telemetry is off: {why}")),
        Err(why) => eprintln!("note: telemetry is off: {why}"),
    }
    if !layers.is_empty() {
        let _ = tracing_subscriber::registry().with(layers).try_init();
    }
}

#[cfg(not(feature = "telemetry"))]
fn export_to(_: Destination) -> Result<BoxedLayer, String> {
    Err("this program was built without the feature `telemetry`".to_owned())
}

#[cfg(not(feature = "telemetry"))]
pub(crate) fn stop() {}
