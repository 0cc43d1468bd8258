//! One line, spoken; where it was cut, up to there.

use std::{sync::Arc, time::Duration};

use enact_drama::{production::Failure, voice::Utterance};

use crate::{
    studio::hear,
    voice::{Audio, Voice},
};

/// How long a line may take to speak, waiting for a service included. Nobody waits for the next line meanwhile.
const PATIENCE: Duration = Duration::from_secs(120);

/// Sound that stops within a wave clicks; over this long it is only heard to stop.
const FADE: Duration = Duration::from_millis(8);

/// A word's last sound is at least this part of its loudest: -34 dB, where breath and noise begin.
const FAINT: u16 = 50;

/// Speaks a line; nothing, if it has no sound.
pub(super) async fn take(
    voice: &dyn Voice,
    speech: Option<Arc<Utterance>>,
) -> Result<Option<Audio>, Failure> {
    let Some(said) = speech else { return Ok(None) };
    let audio = hear(voice, &said, PATIENCE).await?;
    Ok(Some(if said.meant.is_some() { broken_off(audio) } else { audio }))
}

/// A sound that stops with its last word. Nothing is ever taken from a longer one: where a word ends in it could only be guessed, and
/// a guess that is late lets the next be heard.
fn broken_off(mut audio: Audio) -> Audio {
    let loudest = audio.samples.iter().map(|sample| sample.unsigned_abs()).max().unwrap_or_default();
    let last = audio.samples.iter().rposition(|sample| sample.unsigned_abs() > loudest / FAINT);
    audio.samples.truncate(last.map_or(0, |last| last + 1));
    let fade = (FADE.as_secs_f64() * f64::from(audio.rate)) as usize;
    let fading = audio.samples.len().saturating_sub(fade);
    for (passed, sample) in audio.samples[fading..].iter_mut().enumerate() {
        *sample = (f64::from(*sample) * (1.0 - (passed + 1) as f64 / fade as f64)) as i16;
    }
    audio
}
