//! A piece of sound on its way from who speaks to who listens.

use crate::error::Error;

/// Sound of one channel, between -1 and 1, as it came: not yet made as loud as others.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Clip {
    pub(crate) samples: Vec<f32>,
    /// Samples a second.
    pub(crate) rate: u32,
}

/// What 1 is in sixteen bits.
const FULL_SCALE: f32 = 32_768.0;

impl Clip {
    pub(crate) fn of(samples: impl IntoIterator<Item = i16>, rate: u32) -> Clip {
        let samples = samples.into_iter().map(|sample| f32::from(sample) / FULL_SCALE).collect();
        Clip { samples, rate }
    }

    /// Rounded; what is too loud becomes as loud as can be.
    pub(crate) fn to_i16(&self) -> Vec<i16> {
        self.samples.iter().map(|sample| (sample * FULL_SCALE).round() as i16).collect()
    }

    /// Goes on with another clip of the same speaker.
    pub(crate) fn append(&mut self, next: Clip) -> Result<(), Error> {
        if self.samples.is_empty() {
            *self = next;
            return Ok(());
        }
        if self.rate != next.rate {
            return Err(Error::BadAudio(format!(
                "it changes from {} to {} samples a second",
                self.rate, next.rate
            )));
        }
        self.samples.extend(next.samples);
        Ok(())
    }

    /// The highest point.
    pub(crate) fn peak(&self) -> f32 {
        self.samples.iter().fold(0.0, |peak, sample| peak.max(sample.abs()))
    }
}
