//! Resamples audio to one rate: the voices of a chain may have different ones.

use std::collections::BTreeMap;

use rubato::{
    Async, FixedAsync, Resampler, SincInterpolationParameters, WindowFunction,
    audioadapter_buffers::direct::InterleavedSlice,
};

use super::Error;
use crate::voice::Audio;

/// Filter length in samples; longer filters only sharpen frequencies above speech.
const FILTER_SAMPLES: usize = 128;

/// How much is converted at a time.
const CHUNK_SAMPLES: usize = 1_024;

/// What brings any sound to one rate.
pub(super) struct Resamplers {
    pub(super) rate: u32,
    /// One for each other rate there is: their filters take longer to make than to use.
    converters: BTreeMap<u32, Async<f32>>,
}

impl Resamplers {
    pub(super) fn new(rate: u32) -> Resamplers {
        Resamplers { rate, converters: BTreeMap::new() }
    }

    pub(super) fn convert(&mut self, audio: Audio) -> Result<Vec<i16>, Error> {
        if audio.rate == self.rate {
            return Ok(audio.samples);
        }
        let rate = self.rate;
        self.resampled(&audio).map_err(|error| Error::Rate { rate, error })
    }

    fn resampled(&mut self, audio: &Audio) -> Result<Vec<i16>, String> {
        let input: Vec<f32> = audio.samples.iter().map(|sample| f32::from(*sample)).collect();
        let converter = match self.converters.entry(audio.rate) {
            std::collections::btree_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::btree_map::Entry::Vacant(new) => new.insert(converter(audio.rate, self.rate)?),
        };
        let input = InterleavedSlice::new(&input, 1, input.len()).map_err(|error| error.to_string())?;
        let output = converter.process_all(&input, audio.samples.len(), None);
        let output = output.map_err(|error| error.to_string())?;
        // Beyond the loudest there is, this stays at the loudest.
        let mut samples: Vec<i16> =
            output.take_data().into_iter().map(|sample| sample.round() as i16).collect();
        // Ratios that are no whole numbers may give a sample more than there is time for.
        samples.truncate(
            (audio.samples.len() as u64 * u64::from(self.rate)).div_ceil(u64::from(audio.rate)) as usize
        );
        Ok(samples)
    }
}

fn converter(from: u32, to: u32) -> Result<Async<f32>, String> {
    let filter = SincInterpolationParameters::new(FILTER_SAMPLES, WindowFunction::BlackmanHarris2);
    let ratio = f64::from(to) / f64::from(from);
    Async::new_sinc(ratio, 1.0, &filter, CHUNK_SAMPLES, 1, FixedAsync::Input)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tones_keep_their_pitch_length_and_level() {
        for (from, to) in [(24_000, 16_000), (16_000, 24_000), (22_050, 16_000), (44_100, 24_000)] {
            let wave = |at: u32| (f64::from(at) * 440.0 * std::f64::consts::TAU / f64::from(from)).sin();
            let samples: Vec<i16> = (0..from).map(|at| (wave(at) * 10_000.0) as i16).collect();
            let mut rates = Resamplers::new(to);
            for _ in 0..2 {
                let audio = Audio { samples: samples.clone(), rate: from, ..Audio::default() };
                let there = rates.convert(audio).unwrap();
                assert_eq!(there.len(), to as usize, "{from} to {to}");
                let crossings = there.windows(2).filter(|pair| pair[0] < 0 && pair[1] >= 0).count();
                assert!(crossings.abs_diff(440) <= 1, "{from} to {to}: {crossings}");
                let peak = there[1_000..there.len() - 1_000].iter().map(|s| s.unsigned_abs()).max().unwrap();
                assert!((9_900..10_100).contains(&peak), "{from} to {to}: {peak}");
            }
        }
    }
}
