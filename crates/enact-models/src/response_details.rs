//! What a provider tells about an answer beside its words and what it is billed by.

use enact_engine::CallTelemetry;
use tokio::time::Instant;

/// What is told about an answer. Every field is missing where it was not told.
#[derive(Debug, Default)]
pub(crate) struct ResponseDetails {
    /// Which model answered: often a dated one where an alias was asked for.
    pub(crate) model: Option<String>,
    pub(crate) id: Option<String>,
    /// Why the model stopped, in the provider's word.
    pub(crate) finish_reason: Option<String>,
    /// When the first piece of a stream came; nothing for an answer in one piece.
    pub(crate) first_chunk_at: Option<Instant>,
    /// When the first word of a stream came: later than the first piece where a model thinks.
    pub(crate) first_word_at: Option<Instant>,
    /// How many of the output's tokens were thoughts.
    pub(crate) reasoning_tokens: Option<u64>,
}

impl ResponseDetails {
    /// Takes in who answered and under which id. Every frame of a stream may repeat it: the first one counts,
    /// and an empty text is none.
    pub(crate) fn record(&mut self, model: &str, id: &str) {
        for (field, told) in [(&mut self.model, model), (&mut self.id, id)] {
            if field.is_none() && !told.is_empty() {
                *field = Some(told.to_owned());
            }
        }
    }

    /// The part of it that telemetry is told, for a call that began then. What a server says of itself could
    /// be anything: `explain` makes it short and redacts secrets.
    pub(crate) fn telemetry(&self, began: Instant, explain: impl Fn(&str) -> String) -> CallTelemetry {
        let text = |told: &Option<String>| told.as_deref().map(&explain);
        CallTelemetry {
            response_model: text(&self.model),
            response_id: text(&self.id),
            finish_reason: text(&self.finish_reason),
            first_chunk_seconds: self.first_chunk_at.map(|at| (at - began).as_secs_f64()),
            reasoning_tokens: self.reasoning_tokens,
            ..CallTelemetry::default()
        }
    }
}

#[cfg(test)]
mod tests;
