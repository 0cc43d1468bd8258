//! One level for everything that is said, whoever says it.
//!
//! Engines differ by seventeen decibels among themselves, and listeners hear one. Silence before and after goes ([`trim`]), what is
//! left is brought to one loudness ([`loudness`]), and what would be too high for sixteen bits is held down ([`limit`]).

mod limit;
mod loudness;
mod trim;

#[cfg(test)]
mod tests;

use self::limit::Room;
#[cfg(test)]
pub(crate) use self::loudness::loudness;
use crate::{clip::Clip, error::Error};

/// How loud everything is, in LUFS: a little below what podcasts aim at for one channel, so that the peaks of lively voices need
/// hardly any holding down.
pub(crate) const TARGET_LUFS: f64 = -20.0;

/// The highest point of anything, one decibel below the highest there is: resampling for a loudspeaker may go above the samples.
pub(crate) const CEILING: f32 = 0.891;

/// What never rises above this is silence: sixty decibels below the highest, where the noise of cheap microphones lies.
const SILENCE: f32 = 0.001;

/// Brings a clip to the level of all others.
pub(crate) fn level(clip: Clip) -> Result<Clip, Error> {
    if clip.samples.is_empty() || clip.rate == 0 {
        return Err(Error::Empty);
    }
    // What is no number would make everything around it no number as well.
    if clip.samples.iter().any(|sample| !sample.is_finite()) {
        return Err(Error::BadAudio("it contains samples that are no numbers".to_owned()));
    }
    if clip.peak() < SILENCE {
        return Err(Error::Silence);
    }
    let mut clip = trim::trimmed(clip);
    for _ in 0..ROUNDS {
        let gain = loudness::gain(&clip, TARGET_LUFS)?;
        if limit::amplify(&mut clip, gain, CEILING) == Room::Enough {
            break;
        }
    }
    Ok(clip)
}

/// Holding peaks down takes a little loudness away, so what is left is measured again and made up for. Two rounds come to within a tenth
/// of a decibel, even for voices of which much has to be held down.
const ROUNDS: usize = 2;
