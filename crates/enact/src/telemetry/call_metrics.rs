//! Metrics of calls to models, the two histograms of OpenTelemetry's conventions for generative AI. They are
//! made of the spans of calls, so that both always say the same.

use std::time::Duration;

use opentelemetry::{
    Context, KeyValue, Value,
    metrics::{Histogram, MeterProvider},
};
use opentelemetry_sdk::{
    error::OTelSdkResult,
    metrics::SdkMeterProvider,
    trace::{Span, SpanData, SpanProcessor},
};

use super::OURS;

/// As the conventions advise.
const TOKEN_BOUNDARIES: [f64; 14] = [
    1.,
    4.,
    16.,
    64.,
    256.,
    1024.,
    4096.,
    16384.,
    65536.,
    262_144.,
    1_048_576.,
    4_194_304.,
    16_777_216.,
    67_108_864.,
];
const SECOND_BOUNDARIES: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/// What tells calls apart in metrics: no actor and no run, of which there are without end.
const DIMENSIONS: [&str; 7] = [
    "gen_ai.operation.name",
    "gen_ai.provider.name",
    "gen_ai.request.model",
    "gen_ai.response.model",
    "server.address",
    "server.port",
    "enact.purpose",
];

/// Measures every call whose span ends.
#[derive(Debug)]
pub(super) struct CallMetrics {
    seconds: Histogram<f64>,
    tokens: Histogram<u64>,
}

impl CallMetrics {
    pub(super) fn of(provider: &SdkMeterProvider) -> CallMetrics {
        let meter = provider.meter(OURS);
        CallMetrics {
            seconds: meter
                .f64_histogram("gen_ai.client.operation.duration")
                .with_unit("s")
                .with_boundaries(SECOND_BOUNDARIES.to_vec())
                .build(),
            tokens: meter
                .u64_histogram("gen_ai.client.token.usage")
                .with_unit("{token}")
                .with_boundaries(TOKEN_BOUNDARIES.to_vec())
                .build(),
        }
    }
}

impl SpanProcessor for CallMetrics {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        let attribute = |name: &str| span.attributes.iter().find(|pair| pair.key.as_str() == name);
        if attribute("gen_ai.operation.name").is_none() {
            return;
        }
        let mut about: Vec<KeyValue> =
            DIMENSIONS.iter().filter_map(|name| attribute(name)).cloned().collect();
        for (kind, name) in [("input", "gen_ai.usage.input_tokens"), ("output", "gen_ai.usage.output_tokens")]
        {
            if let Some(Value::I64(tokens)) = attribute(name).map(|pair| &pair.value) {
                let kind = KeyValue::new("gen_ai.token.type", kind);
                let about: Vec<KeyValue> = about.iter().cloned().chain([kind]).collect();
                self.tokens.record(u64::try_from(*tokens).unwrap_or_default(), &about);
            }
        }
        about.extend(attribute("error.type").cloned());
        let took = span.end_time.duration_since(span.start_time).unwrap_or_default();
        self.seconds.record(took.as_secs_f64(), &about);
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}
