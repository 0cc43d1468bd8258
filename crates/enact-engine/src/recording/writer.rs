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

use super::{Error, at, resample::Resamplers};
use crate::{voice::Audio, wav::spec};

/// A WAV file counts its bytes in 32 bits; this leaves room for its header.
const MOST_SAMPLES: u64 = (u32::MAX as u64 - 1_024) / 2;

/// A recording while it is made.
#[derive(Debug)]
pub(super) struct RecordingWriter {
    file: NamedTempFile,
    /// The name it will have, for error messages.
    name: PathBuf,
    /// That of the first line that is heard, if nothing is known before. What is silent before waits for
    /// that.
    rate: Option<NonZeroU32>,
    wav: Option<OpenWav>,
    /// Silence before the first sound.
    lead_ms: u64,
}

impl RecordingWriter {
    pub(super) fn new(file: NamedTempFile, name: PathBuf, rate: Option<NonZeroU32>) -> RecordingWriter {
        RecordingWriter { file, name, rate, wav: None, lead_ms: 0 }
    }

    /// Whether anything is heard yet.
    pub(super) fn has_begun(&self) -> bool {
        self.wav.is_some()
    }

    /// Adds a pause and then a line, or as much silence as it has instead of a sound. Says when the line is
    /// heard.
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
        if let Some(wav) = self.wav.take() {
            let samples = wav.samples;
            wav.writer.finalize().map_err(hound_at(&self.name))?;
            read_back(self.file.path(), samples).map_err(at(&self.name))?;
        }
        Ok((self.file, duration_ms))
    }

    fn now_ms(&self) -> u64 {
        self.wav.as_ref().map_or(self.lead_ms, |wav| wav.samples * 1_000 / u64::from(wav.rates.rate))
    }

    fn silence(&mut self, ms: u64) -> Result<(), Error> {
        match &mut self.wav {
            Some(wav) => wav.silence(ms, &self.name),
            None => {
                self.lead_ms += ms;
                Ok(())
            }
        }
    }

    fn sound(&mut self, audio: Audio) -> Result<(), Error> {
        let path = &self.name;
        let wav = match &mut self.wav {
            Some(wav) => wav,
            None => {
                let file = self.file.reopen().map_err(at(path))?;
                let rate = self.rate.map_or(audio.rate, NonZeroU32::get);
                let writer =
                    hound::WavWriter::new(BufWriter::new(file), spec(rate)).map_err(hound_at(path))?;
                let mut wav = OpenWav { writer, rates: Resamplers::new(rate), samples: 0 };
                wav.silence(self.lead_ms, path)?;
                self.wav.insert(wav)
            }
        };
        let samples = wav.rates.convert(audio)?;
        wav.write(samples.into_iter(), path)
    }
}

/// What is in the file so far.
struct OpenWav {
    writer: hound::WavWriter<BufWriter<File>>,
    rates: Resamplers,
    samples: u64,
}

impl OpenWav {
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

impl std::fmt::Debug for OpenWav {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenWav").field("samples", &self.samples).finish_non_exhaustive()
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
