//! Louder, but never louder than there is room.

use crate::clip::Clip;

/// How fast the gain comes back after a peak, and goes down before one, in decibels a second: fast enough that only the peak is held
/// down, slow enough that nobody hears it happen.
const SLOPE_DB_PER_S: f32 = 400.0;

/// Whether there was room for all of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    Enough,
    /// Something had to be held down.
    TooLittle,
}

/// Multiplies a clip. Where that would take it above the ceiling the gain goes down towards the peak, and up again after it.
pub(super) fn amplify(clip: &mut Clip, gain: f32, ceiling: f32) -> Room {
    if clip.peak() * gain <= ceiling {
        clip.samples.iter_mut().for_each(|sample| *sample *= gain);
        return Room::Enough;
    }
    let slope = 10_f32.powf(SLOPE_DB_PER_S / 20.0 / clip.rate.max(1) as f32);
    let mut gains: Vec<f32> = clip.samples.iter().map(|sample| gain.min(ceiling / sample.abs())).collect();
    // From a peak to what follows it, then from what follows to what came before.
    rise(gains.iter_mut(), slope);
    rise(gains.iter_mut().rev(), slope);
    for (sample, gain) in clip.samples.iter_mut().zip(gains) {
        *sample = (*sample * gain).clamp(-ceiling, ceiling);
    }
    Room::TooLittle
}

/// Lets gains rise only so much from each to the next.
fn rise<'a>(gains: impl Iterator<Item = &'a mut f32>, slope: f32) {
    let mut last = f32::INFINITY;
    for gain in gains {
        *gain = gain.min(last * slope);
        last = *gain;
    }
}
