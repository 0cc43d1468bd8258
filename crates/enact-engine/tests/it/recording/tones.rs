//! A voice that says words as tones: the speaker's own, or one that must never be heard.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::voice::{Utterance, VoiceProfile};
use enact_engine::{
    Voice,
    voice::{Audio, Failure},
};

pub(crate) const ALICE_HZ: f64 = 500.0;
pub(crate) const BOB_HZ: f64 = 1_200.0;
pub(crate) const NARRATOR_HZ: f64 = 2_000.0;
/// Words in capitals.
pub(crate) const SECRET_HZ: f64 = 3_500.0;

/// How long each word takes.
const WORD_MS: usize = 200;

const LEVEL: f64 = 8_000.0;

#[derive(Debug, Default)]
pub(crate) struct Tones {
    /// Texts with this word cannot be said.
    pub(crate) cannot_say: Option<&'static str>,
    /// Bob speaks through something with another rate.
    pub(crate) bobs_rate: Option<u32>,
    pub(crate) calls: Arc<AtomicUsize>,
    pub(crate) in_flight: Arc<AtomicUsize>,
    pub(crate) most_in_flight: Arc<AtomicUsize>,
}

#[async_trait]
impl Voice for Tones {
    fn description(&self) -> String {
        "tones".into()
    }

    async fn speak(&self, said: Arc<Utterance>, _: Duration) -> Result<Audio, Failure> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let now = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_in_flight.fetch_max(now, Ordering::SeqCst);
        // Time is paused: everyone who speaks at once is there at once.
        tokio::time::sleep(Duration::from_millis(10)).await;
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
        if self.cannot_say.is_some_and(|word| said.text.contains(word)) {
            return Err(Failure::new("no tone for that"));
        }
        let (hz, own_rate) = match said.profile {
            VoiceProfile::FriendlyCasual => (ALICE_HZ, None),
            VoiceProfile::WarmProfessional => (BOB_HZ, self.bobs_rate),
            _ => (NARRATOR_HZ, None),
        };
        let rate = own_rate.unwrap_or(16_000);
        let word_samples = rate as usize * WORD_MS / 1_000;
        let samples = said.text.split_whitespace().flat_map(|word| {
            let hz = if word.chars().all(|c| c.is_uppercase() || c == '.') { SECRET_HZ } else { hz };
            (0..word_samples).map(move |at| {
                let wave = (at as f64 * hz * std::f64::consts::TAU / f64::from(rate)).sin();
                (wave * LEVEL) as i16
            })
        });
        Ok(Audio { samples: samples.collect(), rate, by: "tones".into(), passed_over: vec![] })
    }
}

/// How much of a tone is in some samples: 1 where they are nothing else, at its level.
pub(crate) fn strength(samples: &[i16], rate: u32, hz: f64) -> f64 {
    let (mut real, mut imaginary) = (0.0, 0.0);
    for (at, sample) in samples.iter().enumerate() {
        let angle = at as f64 * hz * std::f64::consts::TAU / f64::from(rate);
        real += f64::from(*sample) * angle.cos();
        imaginary += f64::from(*sample) * angle.sin();
    }
    2.0 * real.hypot(imaginary) / samples.len().max(1) as f64 / LEVEL
}
