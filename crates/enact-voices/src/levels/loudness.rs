//! How loud a clip is to ears.

use ebur128::{EbuR128, Mode};

use crate::{clip::Clip, error::Error};

/// The standard (EBU R 128) measures blocks of this length, and has no opinion on anything shorter.
const BLOCK_MS: usize = 400;

/// What the standard takes off so that a tone of 997 Hz measures the same in both scales.
const OFFSET_LU: f64 = -0.691;

/// By how much to multiply a clip to make it this loud.
pub(super) fn gain(clip: &Clip, target_lufs: f64) -> Result<f32, Error> {
    let loudness = loudness(clip).ok_or(Error::Silence)?;
    Ok(10_f64.powf((target_lufs - loudness) / 20.0) as f32)
}

/// The loudness of a clip in LUFS: measured by the standard where it has an opinion, else from the mean power.
pub(crate) fn loudness(clip: &Clip) -> Option<f64> {
    let long_enough = clip.samples.len() * 1000 >= clip.rate as usize * BLOCK_MS;
    let standard = if long_enough { integrated(clip) } else { None };
    standard.or_else(|| mean_power(clip))
}

fn integrated(clip: &Clip) -> Option<f64> {
    let mut meter = EbuR128::new(1, clip.rate, Mode::I).ok()?;
    meter.add_frames_f32(&clip.samples).ok()?;
    // Blocks that are very quiet do not count, and of a clip that has no others nothing is known.
    meter.loudness_global().ok().filter(|loudness| loudness.is_finite())
}

fn mean_power(clip: &Clip) -> Option<f64> {
    let power: f64 = clip.samples.iter().map(|&sample| f64::from(sample).powi(2)).sum();
    let mean = power / clip.samples.len().max(1) as f64;
    (mean > 0.0).then(|| OFFSET_LU + 10.0 * mean.log10())
}
