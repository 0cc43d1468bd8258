//! One loudness for everything that is said.
//!
//! Engines differ by seventeen decibels among themselves, and listeners hear one. Silence before and after is trimmed, what
//! is left is brought to one loudness (EBU R 128), and what would be too high for sixteen bits is limited.

#[cfg(test)]
mod tests;

use ebur128::{EbuR128, Mode};

use crate::{audio::Pcm, error::Error};

/// How loud everything is, in LUFS: a little below what podcasts aim at for one channel, so that the peaks of lively voices
/// need hardly any limiting.
pub(crate) const TARGET_LUFS: f64 = -20.0;

/// The highest point of anything, one decibel below the highest there is: resampling for a loudspeaker may go above the
/// samples.
pub(crate) const CEILING: f32 = 0.891;

/// What never rises above this is silence: sixty decibels below the highest, where the noise of cheap microphones lies.
const SILENCE: f32 = 0.001;

/// How far below the peak a sample still counts as silence: fifty decibels. Breaths and soft consonants are louder.
const BELOW_PEAK: f32 = 0.003_16;

/// Silence that is left before the first sound, so that it does not begin with a click.
const LEAD_MS: usize = 40;

/// Silence that is left after the last: a voice dies away more slowly than it begins.
const TAIL_MS: usize = 120;

/// The standard measures blocks of this length, and anything shorter not at all.
const BLOCK_MS: usize = 400;

/// What the standard takes off so that a tone of 997 Hz measures the same in both scales.
const OFFSET_LU: f64 = -0.691;

/// How fast the gain falls before a peak and rises after it, in decibels a second: fast enough that only the peak is held
/// down, slow enough not to be heard.
const SLOPE_DB_PER_S: f32 = 400.0;

/// Limiting takes a little loudness away, so what is left is measured again and made up for. Two rounds come to within a
/// tenth of a decibel, even for voices that need much of it.
const ROUNDS: usize = 2;

/// Brings samples to the loudness of all others.
pub(crate) fn level(pcm: Pcm) -> Result<Pcm, Error> {
    if pcm.samples.is_empty() || pcm.rate == 0 {
        return Err(Error::Empty);
    }
    // One that is no number would spread to everything around it.
    if pcm.samples.iter().any(|sample| !sample.is_finite()) {
        return Err(Error::BadAudio("it contains samples that are no numbers".to_owned()));
    }
    if pcm.peak() < SILENCE {
        return Err(Error::Silence);
    }
    let mut pcm = trimmed(pcm);
    for _ in 0..ROUNDS {
        let loudness = loudness(&pcm).ok_or(Error::Silence)?;
        let gain = 10_f64.powf((TARGET_LUFS - loudness) / 20.0) as f32;
        if amplify(&mut pcm, gain) == Limited::No {
            break;
        }
    }
    Ok(pcm)
}

/// Cuts silence at both ends. Pauses within stay.
fn trimmed(mut pcm: Pcm) -> Pcm {
    let silence = pcm.peak() * BELOW_PEAK;
    let is_sound = |sample: &f32| sample.abs() > silence;
    let first = pcm.samples.iter().position(is_sound).unwrap_or(0);
    let last = pcm.samples.iter().rposition(is_sound).unwrap_or(0);
    let length = |ms: usize| pcm.rate as usize * ms / 1000;
    let end = (last + 1 + length(TAIL_MS)).min(pcm.samples.len());
    let start = first.saturating_sub(length(LEAD_MS));
    pcm.samples.truncate(end);
    pcm.samples.drain(..start);
    pcm
}

/// The loudness in LUFS: measured by the standard if it can, else from the mean power.
pub(crate) fn loudness(pcm: &Pcm) -> Option<f64> {
    let long_enough = pcm.samples.len() * 1000 >= pcm.rate as usize * BLOCK_MS;
    let standard = if long_enough { integrated(pcm) } else { None };
    standard.or_else(|| mean_power(pcm))
}

fn integrated(pcm: &Pcm) -> Option<f64> {
    let mut meter = EbuR128::new(1, pcm.rate, Mode::I).ok()?;
    meter.add_frames_f32(&pcm.samples).ok()?;
    // Very quiet blocks do not count; without any other the result is no number.
    meter.loudness_global().ok().filter(|loudness| loudness.is_finite())
}

fn mean_power(pcm: &Pcm) -> Option<f64> {
    let power: f64 = pcm.samples.iter().map(|&sample| f64::from(sample).powi(2)).sum();
    let mean = power / pcm.samples.len().max(1) as f64;
    (mean > 0.0).then(|| OFFSET_LU + 10.0 * mean.log10())
}

/// Whether a peak had to be held down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limited {
    No,
    Yes,
}

/// Multiplies all samples. Where that would exceed the ceiling the gain goes down towards the peak, and up again after it.
fn amplify(pcm: &mut Pcm, gain: f32) -> Limited {
    if pcm.peak() * gain <= CEILING {
        pcm.samples.iter_mut().for_each(|sample| *sample *= gain);
        return Limited::No;
    }
    let slope = 10_f32.powf(SLOPE_DB_PER_S / 20.0 / pcm.rate.max(1) as f32);
    let mut gains: Vec<f32> = pcm.samples.iter().map(|sample| gain.min(CEILING / sample.abs())).collect();
    // Forwards from each peak, then backwards.
    limit_slope(gains.iter_mut(), slope);
    limit_slope(gains.iter_mut().rev(), slope);
    for (sample, gain) in pcm.samples.iter_mut().zip(gains) {
        *sample = (*sample * gain).clamp(-CEILING, CEILING);
    }
    Limited::Yes
}

/// Lets gains rise only so much from each to the next.
fn limit_slope<'a>(gains: impl Iterator<Item = &'a mut f32>, slope: f32) {
    let mut last = f32::INFINITY;
    for gain in gains {
        *gain = gain.min(last * slope);
        last = *gain;
    }
}
