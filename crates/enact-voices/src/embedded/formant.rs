//! The same sound from a smaller or larger throat, which moves its resonances (formants).

use rubato::{
    Async, FixedAsync, Resampler, SincInterpolationParameters, SincInterpolationType, WindowFunction,
    audioadapter_buffers::direct::InterleavedSlice,
};

/// How many samples around each are heard. More would only sharpen what lies above speech.
const FILTER_SAMPLES: usize = 32;

/// How many places between two samples are told apart: rounding to the nearest is below the synthesiser's own noise.
const PLACES: usize = 256;

/// How much is converted at a time.
const CHUNK_SAMPLES: usize = 1_024;

/// Reads the samples at `throat` times their speed, without what would then be too high for their rate. Nothing if the
/// resampler cannot, which no throat of ours makes it.
pub(super) fn shift(samples: Vec<f32>, throat: f32) -> Vec<f32> {
    if (throat - 1.0).abs() < 1e-3 || samples.is_empty() {
        return samples;
    }
    resample(&samples, f64::from(throat).recip()).unwrap_or_default()
}

fn resample(samples: &[f32], ratio: f64) -> Option<Vec<f32>> {
    let filter = SincInterpolationParameters::new(FILTER_SAMPLES, WindowFunction::Hann)
        .oversampling_factor(PLACES)
        .interpolation(SincInterpolationType::Nearest);
    let mut resampler = Async::new_sinc(ratio, 1.0, &filter, CHUNK_SAMPLES, 1, FixedAsync::Input).ok()?;
    let input = InterleavedSlice::new(samples, 1, samples.len()).ok()?;
    let mut shifted = resampler.process_all(&input, samples.len(), None).ok()?.take_data();
    shifted.truncate((samples.len() as f64 * ratio) as usize);
    Some(shifted)
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
            let sound = shift(tone(400.0), throat);
            assert!((sound.len() as f32 - 16_000.0 / throat).abs() <= 1.0);
            assert!(crossings(&sound).abs_diff(400) <= 1, "{throat}");
            let power = sound.iter().map(|sample| sample * sample).sum::<f32>() / sound.len() as f32;
            assert!((power - 0.5).abs() < 0.01, "{throat}: {power}");
        }
    }

    #[test]
    fn what_becomes_too_high_is_not_folded_back() {
        let sound = shift(tone(7_800.0), 1.25);
        assert!(sound[100..10_000].iter().all(|sample| sample.abs() < 0.1));
    }

    #[test]
    fn the_own_throat_changes_nothing() {
        assert_eq!(shift(tone(300.0), 1.0), tone(300.0));
        assert!(shift(vec![], 1.2).is_empty());
    }
}
