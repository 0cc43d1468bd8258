//! Several voices, tried in turn until one speaks.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use enact_drama::{
    production::Failure,
    voice::{PassedOver, Utterance},
};
use enact_engine::{Voice, voice::Audio};
use tokio::time::Instant;

use crate::{error::Error, text};

/// Share of the remaining time that each voice but the last may use, so that a stalled one leaves time for
/// fallbacks.
const SHARE: f64 = 0.6;

/// Makes one voice of several. Its audio names the voice that spoke and those that were passed over; if all
/// fail, its error names all of them.
pub fn chain(voices: Vec<Arc<dyn Voice>>) -> Arc<dyn Voice> {
    Arc::new(Chain { voices })
}

#[derive(Debug)]
struct Chain {
    voices: Vec<Arc<dyn Voice>>,
}

#[async_trait]
impl Voice for Chain {
    fn description(&self) -> String {
        let names: Vec<String> = self.voices.iter().map(|voice| voice.description()).collect();
        names.join(", then ")
    }

    async fn speak(&self, utterance: Arc<Utterance>, timeout: Duration) -> Result<Audio, Failure> {
        // No voice could say it, so none is named in the error.
        if !text::has_words(&text::spoken(&utterance.text)) {
            return Err(Error::NothingToSay.into());
        }
        let began = Instant::now();
        let mut passed_over = Vec::new();
        let mut last = Failure::new("there is no voice to speak with");
        for (place, voice) in self.voices.iter().enumerate() {
            let left = timeout.saturating_sub(began.elapsed());
            let is_last = place + 1 == self.voices.len();
            let share = if is_last { left } else { left.mul_f64(SHARE) };
            match voice.speak(utterance.clone(), share).await {
                Ok(audio) => {
                    return Ok(Audio { passed_over: [passed_over, audio.passed_over].concat(), ..audio });
                }
                Err(failure) => {
                    passed_over.push(PassedOver { voice: voice.description(), error: failure.error.clone() });
                    last = failure;
                }
            }
        }
        let errors: Vec<String> =
            passed_over.iter().map(|PassedOver { voice, error }| format!("{voice}: {error}")).collect();
        if !errors.is_empty() {
            last.error = errors.join("; ");
        }
        last.took_ms = began.elapsed().as_millis() as u64;
        Err(last)
    }
}
