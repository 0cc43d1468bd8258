//! Sound as it came from whoever speaks. Reading it takes a processor, so that is left to whoever has a thread for it.

use crate::{clip::Clip, error::Error, wave};

/// What was said, as it came.
#[derive(Debug)]
pub(crate) enum Sound {
    /// Made here.
    Made(Clip),
    /// Sent by others, in one piece or in several, each with what it should be.
    Sent(Vec<(Vec<u8>, Promise)>),
}

/// What somebody was asked to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Promise {
    /// A WAV, and nothing else will do.
    Wav,
    /// Samples of sixteen bits at this rate, unless they look like something else.
    WavOrBare(u32),
    /// Samples of sixteen bits at this rate, whatever they look like. Some put a header before them.
    Bare(u32),
}

impl Sound {
    /// Reads all of it. Minutes of speech take a while: not for a thread that others wait for.
    pub(crate) fn read(self) -> Result<Clip, Error> {
        match self {
            Sound::Made(clip) => Ok(clip),
            Sound::Sent(pieces) => {
                let mut whole = Clip::default();
                for (bytes, promise) in pieces {
                    whole.append(wave::read(&bytes, promise)?)?;
                }
                Ok(whole)
            }
        }
    }
}
