//! Decodes what services and programs send: WAVs of all kinds, whatever their headers claim, and bare
//! samples.

use crate::{
    audio::{ExpectedFormat, Pcm},
    error::Error,
};

/// Rates of speech: telephones have 8 kHz, studios 192.
const RATES: std::ops::RangeInclusive<u32> = 4_000..=192_000;

/// More channels than any room has speakers.
const MOST_CHANNELS: u16 = 16;

/// Streamed WAVs have 0 or nearly `u32::MAX` as their length; both mean that it is not known.
const UNKNOWN_LENGTH: usize = 0x7000_0000;

/// Decodes a WAV if the bytes begin like one, else bare samples if those were expected.
pub(crate) fn decode(bytes: &[u8], expected: ExpectedFormat) -> Result<Pcm, Error> {
    if bytes.is_empty() {
        return Err(Error::Empty);
    }
    if bytes.starts_with(b"RIFF") || bytes.starts_with(b"RF64") {
        return wav(bytes);
    }
    not_another_format(bytes, expected)?;
    match expected {
        ExpectedFormat::Wav => Err(Error::BadAudio("it is no WAV".to_owned())),
        ExpectedFormat::WavOrBare(_) | ExpectedFormat::Bare(_) if !bytes.len().is_multiple_of(2) => {
            Err(Error::BadAudio("it ends in the middle of a sample".to_owned()))
        }
        ExpectedFormat::WavOrBare(rate) | ExpectedFormat::Bare(rate) => {
            Ok(Pcm::of(bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])), rate))
        }
    }
}

/// Decodes what begins like a WAV.
fn wav(bytes: &[u8]) -> Result<Pcm, Error> {
    let bad = |why: &str| Error::BadAudio(why.to_owned());
    if bytes.get(8..12) != Some(b"WAVE") {
        return Err(bad("it is no WAV"));
    }
    let mut format = None;
    let mut rest = &bytes[12..];
    while let Some((name, length, body)) = chunk(rest) {
        match name {
            b"fmt " => format = Some(WavFormat::read(body.get(..length).unwrap_or(body))?),
            b"data" => {
                let format = format.ok_or_else(|| bad("its samples come before their format"))?;
                let body = match length {
                    0 | UNKNOWN_LENGTH.. => body,
                    _ => body.get(..length).ok_or_else(|| {
                        Error::BadAudio(format!("it breaks off after {} of {length} bytes", body.len()))
                    })?,
                };
                return match format.samples(body) {
                    samples if samples.is_empty() => Err(Error::Empty),
                    samples => Ok(Pcm { samples, rate: format.rate }),
                };
            }
            _ => {}
        }
        // Chunks are padded to an even length.
        let Some(next) = body.get(length + length % 2..) else { break };
        rest = next;
    }
    Err(bad("there are no samples in it"))
}

/// A chunk at the beginning of some bytes: its name, how long it says it is, and all that follows.
fn chunk(bytes: &[u8]) -> Option<(&[u8; 4], usize, &[u8])> {
    let (name, rest) = bytes.split_first_chunk::<4>()?;
    let (length, body) = rest.split_first_chunk::<4>()?;
    Some((name, u32::from_le_bytes(*length) as usize, body))
}

fn not_another_format(bytes: &[u8], expected: ExpectedFormat) -> Result<(), Error> {
    let name = match bytes {
        [b'I', b'D', b'3', ..] => "MP3",
        // Two bytes are also a sample, and a quiet one: nothing that bare samples may not begin with.
        [0xff, 0xf3 | 0xfb | 0xf2 | 0xfa, ..] if !matches!(expected, ExpectedFormat::Bare(_)) => "MP3",
        [0xff, 0xf1 | 0xf9, ..] if !matches!(expected, ExpectedFormat::Bare(_)) => "AAC",
        [0x1a, 0x45, 0xdf, 0xa3, ..] => "WebM",
        [0x1f, 0x8b, 0x08, ..] => "compressed (gzip)",
        [b'O', b'g', b'g', b'S', ..] => "Ogg",
        [b'f', b'L', b'a', b'C', ..] => "FLAC",
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => "MP4",
        _ => return Ok(()),
    };
    Err(Error::BadAudio(format!("it is {name}, and only WAV is understood")))
}

/// How samples are written.
#[derive(Debug, Clone, Copy)]
struct WavFormat {
    channels: usize,
    rate: u32,
    /// The bytes of one sample.
    width: usize,
    /// Decodes one sample of exactly that many bytes.
    sample: fn(&[u8]) -> f32,
}

impl WavFormat {
    fn read(body: &[u8]) -> Result<WavFormat, Error> {
        let bad = |why: String| Error::BadAudio(why);
        let short = |at: usize| body.get(at..at + 2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let too_short = || Error::BadAudio("its header breaks off".to_owned());
        let (code, channels) = (short(0).ok_or_else(too_short)?, short(2).ok_or_else(too_short)?);
        let rate = body.get(4..8).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
        let (rate, bits) = (rate.ok_or_else(too_short)?, short(14).ok_or_else(too_short)?);
        // The extensible format says further down what it is, in the same numbers.
        let code = if code == 0xfffe { short(24).ok_or_else(too_short)? } else { code };
        const FULL_SCALE: f32 = 2_147_483_648.0;
        let (width, sample): (usize, fn(&[u8]) -> f32) = match (code, bits) {
            // Unsigned, as no other width is.
            (1, 8) => (1, |b| (f32::from(b[0]) - 128.0) / 128.0),
            (1, 16) => (2, |b| f32::from(i16::from_le_bytes([b[0], b[1]])) / 32_768.0),
            (1, 24) => (3, |b| i32::from_le_bytes([0, b[0], b[1], b[2]]) as f32 / FULL_SCALE),
            (1, 32) => (4, |b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]) as f32 / FULL_SCALE),
            (3, 32) => (4, |b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            (3, 64) => (8, |b| f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]) as f32),
            _ => {
                return Err(bad(format!(
                    "its samples are coded in {bits} bits of kind {code}, which is not supported"
                )));
            }
        };
        if channels == 0 || channels > MOST_CHANNELS {
            return Err(bad(format!("it has {channels} channels")));
        }
        if !RATES.contains(&rate) {
            return Err(bad(format!("it has {rate} samples a second")));
        }
        Ok(WavFormat { channels: usize::from(channels), rate, width, sample })
    }

    /// All channels as one. What is left of a frame that breaks off is dropped: padding looks like that.
    fn samples(&self, body: &[u8]) -> Vec<f32> {
        let frames = body.chunks_exact(self.width * self.channels);
        frames
            .map(|frame| {
                let sum: f32 = frame.chunks_exact(self.width).map(self.sample).sum();
                sum / self.channels as f32
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
