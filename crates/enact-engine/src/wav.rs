//! Audio as files that every player opens: WAV, one channel, 16 bits a sample.

use std::{io, path::Path, time::Duration};

use crate::voice::Audio;

/// What stands in a file before its samples.
const HEADER_BYTES: usize = 44;

/// Audio as the bytes of a file.
pub fn wav(audio: &Audio) -> Result<Vec<u8>, hound::Error> {
    let count = u32::try_from(audio.samples.len()).map_err(|_| hound::Error::TooWide)?;
    let mut bytes = io::Cursor::new(Vec::with_capacity(HEADER_BYTES + 2 * audio.samples.len()));
    let mut writer = hound::WavWriter::new(&mut bytes, spec(audio.rate))?;
    let mut samples = writer.get_i16_writer(count);
    audio.samples.iter().for_each(|sample| samples.write_sample(*sample));
    samples.flush()?;
    writer.finalize()?;
    Ok(bytes.into_inner())
}

/// Reads a file back and compares it with what it should hold: every sample, because only that finds one that
/// breaks off.
pub(crate) fn verify(file: &Path, audio: &Audio) -> io::Result<()> {
    let broken = |error: &str| io::Error::new(io::ErrorKind::InvalidData, error.to_owned());
    let mut reader = hound::WavReader::open(file).map_err(|error| broken(&error.to_string()))?;
    if reader.spec() != spec(audio.rate) || reader.len() as usize != audio.samples.len() {
        return Err(broken("what was written is not what was said"));
    }
    let mut said = audio.samples.iter();
    for sample in reader.samples::<i16>() {
        let sample = sample.map_err(|error| broken(&error.to_string()))?;
        if said.next() != Some(&sample) {
            return Err(broken("what was written is not what was said"));
        }
    }
    match said.len() {
        0 => Ok(()),
        missing => Err(broken(&format!("{missing} of {} samples are missing", audio.samples.len()))),
    }
}

/// How long a file can be heard, and how many bytes it has; nothing if it breaks off.
pub(crate) fn measure(file: &Path) -> Result<(Duration, u64), hound::Error> {
    let mut reader = hound::WavReader::open(file)?;
    let (samples, rate) = (reader.duration(), reader.spec().sample_rate);
    reader.samples::<i32>().try_for_each(|sample| sample.map(drop))?;
    let bytes = file.metadata().map_err(hound::Error::IoError)?.len();
    Ok((Duration::from_secs_f64(f64::from(samples) / f64::from(rate.max(1))), bytes))
}

pub(crate) fn spec(rate: u32) -> hound::WavSpec {
    hound::WavSpec {
        channels: 1,
        sample_rate: rate,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn audio() -> Audio {
        Audio {
            samples: (-400..400).map(|n| n * 80).collect(),
            rate: 16_000,
            by: "test".into(),
            passed_over: vec![],
        }
    }

    fn verified(bytes: &[u8]) -> io::Result<()> {
        let file = tempfile::NamedTempFile::new()?;
        fs::write(file.path(), bytes)?;
        verify(file.path(), &audio())
    }

    #[test]
    fn a_file_holds_what_was_said_and_says_how_it_is_played() {
        let bytes = wav(&audio()).unwrap();
        assert_eq!(bytes.len(), HEADER_BYTES + 1_600);
        assert_eq!((&bytes[..4], &bytes[8..16]), (&b"RIFF"[..], &b"WAVEfmt "[..]));
        verified(&bytes).unwrap();
    }

    #[test]
    fn a_file_that_is_cut_off_or_changed_is_found_out() {
        let bytes = wav(&audio()).unwrap();
        for length in
            [0, 10, HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + 1, bytes.len() - 2, bytes.len() - 1]
        {
            assert!(verified(&bytes[..length]).is_err(), "{length}");
        }
        for changed in [22, 24, 34, HEADER_BYTES, bytes.len() - 1] {
            let mut bytes = bytes.clone();
            bytes[changed] ^= 1;
            assert!(verified(&bytes).is_err(), "{changed}");
        }
        let mut other = audio();
        other.samples.push(1);
        assert!(verified(&wav(&other).unwrap()).is_err());
    }
}
