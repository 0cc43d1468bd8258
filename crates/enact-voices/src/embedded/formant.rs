//! The same sound from a smaller or larger throat, which moves its resonances (formants).

use rubato::{
    Async, FixedAsync, Resampler, SincInterpolationParameters, SincInterpolationType, WindowFunction,
    audioadapter_buffers::direct::InterleavedSlice,
};

/// How many samples around each are heard. More would only sharpen what lies above speech.
const FILTER_SAMPLES: usize = 32;

/// How many places between two samples are told apart: rounding to the nearest is below the synthesiser's own
/// noise.
const PLACES: usize = 256;

/// How much is converted at a time.
const CHUNK_SAMPLES: usize = 1_024;

/// Reads the samples at `throat` times their speed, without what would then be too high for their rate.
/// Nothing if the resampler cannot, which no throat of ours makes it.
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
mod tests;
