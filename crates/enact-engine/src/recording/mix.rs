//! Lines and pauses, one after the other, in a file.

use std::{
    fs::File,
    io,
    io::BufWriter,
    num::NonZeroU32,
    path::{Path, PathBuf},
};

use enact_drama::report::recording::CueTimes;
use tempfile::NamedTempFile;

use super::{Error, at, rate::Rates};
use crate::{voice::Audio, wav::spec};

/// A WAV file counts its bytes in 32 bits; this leaves room for its header.
const MOST_SAMPLES: u64 = (u32::MAX as u64 - 1_024) / 2;

/// A recording while it is made.
#[derive(Debug)]
pub(super) struct Mix {
    file: NamedTempFile,
    /// What it will be called, for those who are told what is wrong with it.
    name: PathBuf,
    /// That of the first line that is heard, if nothing is known before. What is silent before waits for that.
    rate: Option<NonZeroU32>,
    tape: Option<Tape>,
    /// Silence before the first sound.
    lead_ms: u64,
}

impl Mix {
    pub(super) fn new(file: NamedTempFile, name: PathBuf, rate: Option<NonZeroU32>) -> Mix {
        Mix { file, name, rate, tape: None, lead_ms: 0 }
    }

    /// Whether anything is heard yet.
    pub(super) fn has_begun(&self) -> bool {
        self.tape.is_some()
    }

    /// Adds a pause and then a line, or as much silence as it has instead of a sound. Says when the line is heard.
    pub(super) fn add(
        &mut self,
        pause_ms: u64,
        take: Option<Audio>,
        otherwise_ms: u64,
    ) -> Result<CueTimes, Error> {
        self.silence(pause_ms)?;
        let start_ms = self.now_ms();
        match take {
            Some(audio) => self.sound(audio)?,
            None => self.silence(otherwise_ms)?,
        }
        Ok(CueTimes { start_ms, end_ms: self.now_ms() })
    }

    /// The file, which is known to be whole and only lacks its name, and how long it is.
    pub(super) fn end(mut self) -> Result<(NamedTempFile, u64), Error> {
        let duration_ms = self.now_ms();
        if let Some(tape) = self.tape.take() {
            let samples = tape.samples;
            tape.writer.finalize().map_err(hound_at(&self.name))?;
            read_back(self.file.path(), samples).map_err(at(&self.name))?;
        }
        Ok((self.file, duration_ms))
    }

    fn now_ms(&self) -> u64 {
        self.tape.as_ref().map_or(self.lead_ms, |tape| tape.samples * 1_000 / u64::from(tape.rates.rate))
    }

    fn silence(&mut self, ms: u64) -> Result<(), Error> {
        match &mut self.tape {
            Some(tape) => tape.silence(ms, &self.name),
            None => {
                self.lead_ms += ms;
                Ok(())
            }
        }
    }

    fn sound(&mut self, audio: Audio) -> Result<(), Error> {
        let path = &self.name;
        let tape = match &mut self.tape {
            Some(tape) => tape,
            None => {
                let file = self.file.reopen().map_err(at(path))?;
                let rate = self.rate.map_or(audio.rate, NonZeroU32::get);
                let writer =
                    hound::WavWriter::new(BufWriter::new(file), spec(rate)).map_err(hound_at(path))?;
                let mut tape = Tape { writer, rates: Rates::new(rate), samples: 0 };
                tape.silence(self.lead_ms, path)?;
                self.tape.insert(tape)
            }
        };
        let samples = tape.rates.convert(audio)?;
        tape.write(samples.into_iter(), path)
    }
}

/// What is in the file so far.
struct Tape {
    writer: hound::WavWriter<BufWriter<File>>,
    rates: Rates,
    samples: u64,
}

impl Tape {
    fn silence(&mut self, ms: u64, path: &Path) -> Result<(), Error> {
        let samples = ms * u64::from(self.rates.rate) / 1_000;
        // No longer than the bound that `write` checks.
        self.write(std::iter::repeat_n(0, samples.min(MOST_SAMPLES) as usize), path)
    }

    fn write(&mut self, samples: impl ExactSizeIterator<Item = i16>, path: &Path) -> Result<(), Error> {
        self.samples += samples.len() as u64;
        if self.samples > MOST_SAMPLES {
            return Err(Error::TooLong);
        }
        for sample in samples {
            self.writer.write_sample(sample).map_err(hound_at(path))?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for Tape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tape").field("samples", &self.samples).finish_non_exhaustive()
    }
}

/// Reads every sample: only that finds a file that breaks off.
fn read_back(file: &Path, expected: u64) -> io::Result<()> {
    let broken = |error: String| io::Error::new(io::ErrorKind::InvalidData, error);
    let mut reader = hound::WavReader::open(file).map_err(|error| broken(error.to_string()))?;
    let mut read = 0;
    for sample in reader.samples::<i16>() {
        sample.map_err(|error| broken(error.to_string()))?;
        read += 1;
    }
    if read == expected { Ok(()) } else { Err(broken(format!("{read} of {expected} samples were written"))) }
}

fn hound_at(path: &Path) -> impl FnOnce(hound::Error) -> Error {
    |error| {
        at(path)(match error {
            hound::Error::IoError(error) => error,
            other => io::Error::other(other),
        })
    }
}
