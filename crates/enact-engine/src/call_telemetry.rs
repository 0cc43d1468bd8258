//! What only a model knows of a call that it answers, told to telemetry.

use tracing::Span;

/// How a call went on its way to a provider, as far as it is known. Telemetry only: logs do not hold it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CallTelemetry {
    /// Where the provider is: its host, and its port.
    pub server: Option<(String, u16)>,
    /// Whether the answer was asked for as a stream.
    pub streamed: Option<bool>,
    /// How many tries were made, those among them that were turned away.
    pub tries: Option<u32>,
    /// Which model answered, by the provider's own word.
    pub response_model: Option<String>,
    pub response_id: Option<String>,
    /// Why the answer ended, by the provider's own word.
    pub finish_reason: Option<String>,
    /// From the beginning of the call to the first piece of its answer.
    pub first_chunk_seconds: Option<f64>,
    /// How many of the output's tokens were thoughts.
    pub reasoning_tokens: Option<u64>,
}

impl CallTelemetry {
    /// Tells it of the call that the current task is answering. Called within [`Model::answer`], once its
    /// outcome is known; without a subscriber nothing happens.
    ///
    /// [`Model::answer`]: crate::Model::answer
    pub fn record(&self) {
        let span = Span::current();
        if span.is_disabled() {
            return;
        }
        if let Some((host, port)) = &self.server {
            span.record("server.address", host.as_str());
            span.record("server.port", i64::from(*port));
        }
        if let Some(streamed) = self.streamed {
            span.record("gen_ai.request.stream", streamed);
        }
        if let Some(tries) = self.tries {
            span.record("enact.tries", i64::from(tries));
        }
        for (field, text) in [
            ("gen_ai.response.model", &self.response_model),
            ("gen_ai.response.id", &self.response_id),
            ("gen_ai.response.finish_reasons", &self.finish_reason),
        ] {
            if let Some(text) = text {
                span.record(field, text.as_str());
            }
        }
        if let Some(seconds) = self.first_chunk_seconds {
            span.record("gen_ai.response.time_to_first_chunk", seconds);
        }
        if let Some(tokens) = self.reasoning_tokens {
            span.record("gen_ai.usage.reasoning.output_tokens", number(tokens));
        }
    }
}

/// A count as telemetry takes it: OpenTelemetry has signed numbers only, and its bridge makes texts of
/// others.
pub(crate) fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
