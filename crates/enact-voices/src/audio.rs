//! Audio on its way from a backend to the engine.

use crate::{error::Error, wav_decode::decode};

/// Samples of one channel, between -1 and 1.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Pcm {
    pub(crate) samples: Vec<f32>,
    /// Samples a second.
    pub(crate) rate: u32,
}

/// What 1 is in sixteen bits.
const FULL_SCALE: f32 = 32_768.0;

impl Pcm {
    pub(crate) fn of(samples: impl IntoIterator<Item = i16>, rate: u32) -> Pcm {
        let samples = samples.into_iter().map(|sample| f32::from(sample) / FULL_SCALE).collect();
        Pcm { samples, rate }
    }

    /// Rounded; what is too loud becomes as loud as can be.
    pub(crate) fn to_i16(&self) -> Vec<i16> {
        self.samples.iter().map(|sample| (sample * FULL_SCALE).round() as i16).collect()
    }

    /// The highest point.
    pub(crate) fn peak(&self) -> f32 {
        self.samples.iter().fold(0.0, |peak, sample| peak.max(sample.abs()))
    }

    /// Appends more of the same speaker.
    fn append(&mut self, next: Pcm) -> Result<(), Error> {
        if self.samples.is_empty() {
            *self = next;
        } else if self.rate == next.rate {
            self.samples.extend(next.samples);
        } else {
            let why = format!("it changes from {} to {} samples a second", self.rate, next.rate);
            return Err(Error::BadAudio(why));
        }
        Ok(())
    }
}

/// What a backend said.
#[derive(Debug)]
pub(crate) enum SpokenAudio {
    #[cfg_attr(not(feature = "embedded"), expect(dead_code, reason = "only the embedded voice makes it"))]
    Pcm(Pcm),
    /// Bytes of a service or a program, in one piece or several, each with what it should be.
    Encoded(Vec<(Vec<u8>, ExpectedFormat)>),
}

/// What a backend was asked to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExpectedFormat {
    /// A WAV, and nothing else will do.
    Wav,
    /// Samples of sixteen bits at this rate, unless they look like something else.
    WavOrBare(u32),
    /// Samples of sixteen bits at this rate, whatever they look like. Some services put a WAV's header before
    /// them.
    Bare(u32),
}

impl SpokenAudio {
    /// Decodes all of it. Minutes of speech take a while: not for an async thread.
    pub(crate) fn decode(self) -> Result<Pcm, Error> {
        match self {
            SpokenAudio::Pcm(pcm) => Ok(pcm),
            SpokenAudio::Encoded(pieces) => {
                let mut whole = Pcm::default();
                for (bytes, expected) in pieces {
                    whole.append(decode(&bytes, expected)?)?;
                }
                Ok(whole)
            }
        }
    }
}
