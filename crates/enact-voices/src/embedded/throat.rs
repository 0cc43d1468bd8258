//! Another throat: the same sound through a smaller or larger one, which moves its resonances.

use std::f64::consts::PI;

/// How far each sample is heard to both sides.
const REACH: usize = 8;

/// How many places between two samples are told apart: rounding to the nearest is below the synthesiser's own noise.
const PLACES: usize = 256;

/// Reads the samples at `throat` times their speed, without what would then be too high for their rate.
pub(super) fn resized(samples: &[f32], throat: f32) -> Vec<f32> {
    let speed = f64::from(throat);
    if (speed - 1.0).abs() < 1e-3 || samples.is_empty() {
        return samples.to_vec();
    }
    let taps = taps(speed);
    let length = (samples.len() as f64 / speed) as usize;
    (0..length)
        .map(|at| {
            let position = at as f64 * speed;
            let mut whole = position as usize;
            let mut place = ((position - whole as f64) * PLACES as f64).round() as usize;
            if place == PLACES {
                (whole, place) = (whole + 1, 0);
            }
            heard(samples, whole, &taps[place])
        })
        .collect()
}

type Taps = [f32; 2 * REACH];

/// The sound around a place; beyond both ends is silence.
fn heard(samples: &[f32], whole: usize, taps: &Taps) -> f32 {
    let first = whole as isize + 1 - REACH as isize;
    if let Ok(start) = usize::try_from(first)
        && let Some(around) = samples.get(start..start + taps.len())
    {
        return around.iter().zip(taps).map(|(sample, tap)| sample * tap).sum();
    }
    let at = |offset: usize| samples.get(usize::try_from(first + offset as isize).ok()?);
    taps.iter().enumerate().filter_map(|(offset, tap)| Some(at(offset)? * tap)).sum()
}

/// How much of each sample around is heard, for each place between two: a low-pass (sinc) under a window (Hann).
fn taps(speed: f64) -> Vec<Taps> {
    let cutoff = speed.recip().min(1.0);
    let tap = |distance: f64| {
        let x = PI * distance * cutoff;
        let sinc = if x.abs() < 1e-9 { 1.0 } else { x.sin() / x };
        let window = (PI * distance / (2.0 * REACH as f64)).cos().powi(2);
        cutoff * sinc * window
    };
    (0..PLACES)
        .map(|place| {
            let between = place as f64 / PLACES as f64;
            let mut taps = [0.0; 2 * REACH];
            for (offset, slot) in taps.iter_mut().enumerate() {
                *slot = tap(offset as f64 + 1.0 - REACH as f64 - between) as f32;
            }
            taps
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(hz: f32) -> Vec<f32> {
        (0..16_000).map(|at| (2.0 * std::f32::consts::PI * hz * at as f32 / 16_000.0).sin()).collect()
    }

    fn crossings(samples: &[f32]) -> usize {
        samples.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count()
    }

    #[test]
    fn sound_becomes_higher_and_shorter_and_stays_as_loud() {
        for throat in [0.85, 0.93, 1.1, 1.25] {
            let sound = resized(&tone(400.0), throat);
            assert!((sound.len() as f32 - 16_000.0 / throat).abs() <= 1.0);
            assert!(crossings(&sound).abs_diff(400) <= 1, "{throat}");
            let power = sound.iter().map(|sample| sample * sample).sum::<f32>() / sound.len() as f32;
            assert!((power - 0.5).abs() < 0.01, "{throat}: {power}");
        }
    }

    #[test]
    fn what_becomes_too_high_is_not_folded_back() {
        let sound = resized(&tone(7_800.0), 1.25);
        assert!(sound[100..10_000].iter().all(|sample| sample.abs() < 0.1));
    }

    #[test]
    fn the_own_throat_changes_nothing() {
        assert_eq!(resized(&tone(300.0), 1.0), tone(300.0));
        assert!(resized(&[], 1.2).is_empty());
    }
}
