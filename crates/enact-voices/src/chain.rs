//! Several voices, asked in turn: the first who can, speaks.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use enact_drama::{
    production::Failure,
    voice::{PassedOver, Utterance},
};
use enact_engine::{Voice, voice::Audio};
use tokio::time::Instant;

use crate::{error::Error, text};

/// Of the time that is left a voice may take this part while others wait behind it: whoever stalls to the end would leave them none.
const SHARE: f64 = 0.6;

/// Makes one voice of several. What it says names who spoke, and who was passed over; when nobody can speak, its failure names
/// all of them.
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

    async fn speak(&self, utterance: Arc<Utterance>, patience: Duration) -> Result<Audio, Failure> {
        // Nobody could, and nobody is to blame.
        if !text::has_words(&text::spoken(&utterance.text)) {
            return Err(Error::NothingToSay.into());
        }
        let began = Instant::now();
        let mut passed_over = Vec::new();
        let mut last = Failure::new("there is no voice to speak with");
        for (place, voice) in self.voices.iter().enumerate() {
            let left = patience.saturating_sub(began.elapsed());
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
