//! What telemetry sees of speech: who spoke and for how long, never what was said.

use enact_drama::{
    production::{Failure, Speak},
    voice::Spoken,
};
use tracing::{Span, field::Empty};

use super::{RunSpans, error_type, failed};
use crate::call_telemetry::number;

impl RunSpans {
    /// Something is about to be said aloud. That runs beside beats and outlasts them, so it belongs to the
    /// run.
    pub(crate) fn speech(&self, speak: &Speak) -> SpeechSpan {
        if self.run.is_disabled() {
            return SpeechSpan { span: Span::none(), waiting: false };
        }
        let span = tracing::debug_span!(
            parent: &self.run,
            "speech",
            otel.name = %format_args!("speak {}", speak.utterance.profile.as_str()),
            otel.status_code = Empty,
            // The conventions have a word for what comes out, and none yet for the operation.
            gen_ai.output.type = "speech",
            error.type = Empty,
            enact.call = number(speak.call.0),
            enact.voice.profile = speak.utterance.profile.as_str(),
            enact.voice.spoken_by = Empty,
            enact.voice.passed_over = Empty,
            enact.audio.duration_ms = Empty,
            enact.audio.bytes = Empty,
        );
        SpeechSpan { span, waiting: true }
    }
}

/// Speech as telemetry sees it, from before it begins until something came of it or it is dropped.
#[derive(Debug)]
pub(crate) struct SpeechSpan {
    span: Span,
    /// Whether it has no outcome yet, and a subscriber.
    waiting: bool,
}

impl SpeechSpan {
    pub(crate) fn span(&self) -> Span {
        self.span.clone()
    }

    pub(crate) fn record_outcome(mut self, outcome: &Result<Spoken, Failure>) {
        self.waiting = false;
        match outcome {
            Ok(spoken) => {
                self.span.record("enact.voice.spoken_by", spoken.by.as_str());
                self.span.record("enact.voice.passed_over", number(spoken.passed_over.len() as u64));
                self.span.record("enact.audio.duration_ms", number(spoken.duration_ms));
                self.span.record("enact.audio.bytes", number(spoken.bytes));
            }
            Err(failure) => failed(&self.span, error_type(failure.kind)),
        }
    }
}

impl Drop for SpeechSpan {
    fn drop(&mut self) {
        if self.waiting {
            failed(&self.span, "cancelled");
        }
    }
}
