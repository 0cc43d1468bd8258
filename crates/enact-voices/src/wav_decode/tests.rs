use std::io::Cursor;

use proptest::prelude::*;

use super::*;

/// A ramp from -½ to ½ as a WAV, as hound writes it.
fn ramp(channels: u16, rate: u32, bits: u16, format: hound::SampleFormat) -> Vec<u8> {
    let spec = hound::WavSpec { channels, sample_rate: rate, bits_per_sample: bits, sample_format: format };
    let mut bytes = Cursor::new(Vec::new());
    let mut writer = hound::WavWriter::new(&mut bytes, spec).unwrap();
    for at in 0..1_000 {
        let value = at as f32 / 1_000.0 - 0.5;
        for _ in 0..channels {
            match format {
                hound::SampleFormat::Float => writer.write_sample(value).unwrap(),
                hound::SampleFormat::Int => {
                    writer.write_sample((f64::from(value) * f64::from(1_u32 << (bits - 1))) as i32).unwrap();
                }
            }
        }
    }
    writer.finalize().unwrap();
    bytes.into_inner()
}

fn plain() -> Vec<u8> {
    ramp(1, 24_000, 16, hound::SampleFormat::Int)
}

/// Where a WAV's samples have their length.
fn length_at(wav: &[u8]) -> usize {
    wav.windows(4).position(|name| name == b"data").unwrap() + 4
}

fn claiming(length: u32) -> Vec<u8> {
    let mut wav = plain();
    let at = length_at(&wav);
    wav[at..at + 4].copy_from_slice(&length.to_le_bytes());
    wav[4..8].copy_from_slice(&length.to_le_bytes());
    wav
}

#[test]
fn every_kind_of_wav_is_read() {
    use hound::SampleFormat::{Float, Int};
    for (channels, rate, bits, format) in [
        (1, 16_000, 16, Int),
        (2, 44_100, 16, Int),
        (1, 8_000, 8, Int),
        (2, 48_000, 24, Int),
        (1, 22_050, 32, Int),
        (6, 24_000, 32, Float),
    ] {
        let pcm = decode(&ramp(channels, rate, bits, format), ExpectedFormat::Wav).unwrap();
        assert_eq!((pcm.rate, pcm.samples.len()), (rate, 1_000), "{bits} {format:?}");
        for (at, sample) in pcm.samples.iter().enumerate() {
            assert!((sample - (at as f32 / 1_000.0 - 0.5)).abs() < 0.01, "{bits} {format:?}: {at} {sample}");
        }
    }
}

/// hound writes no 64-bit floats, but scripts at home do.
#[test]
fn long_floats_are_read() {
    let mut wav = ramp(1, 24_000, 32, hound::SampleFormat::Float);
    let format = wav.windows(4).position(|name| name == b"fmt ").unwrap() + 8;
    wav.truncate(format);
    wav[format - 4..].copy_from_slice(&16_u32.to_le_bytes());
    wav.extend([3, 0, 1, 0]);
    wav.extend(24_000_u32.to_le_bytes());
    wav.extend([0; 4]);
    wav.extend([8, 0, 64, 0]);
    wav.extend(b"data");
    wav.extend(16_u32.to_le_bytes());
    wav.extend(0.5_f64.to_le_bytes());
    wav.extend((-0.25_f64).to_le_bytes());
    let pcm = decode(&wav, ExpectedFormat::Wav).unwrap();
    assert_eq!(pcm, Pcm { samples: vec![0.5, -0.25], rate: 24_000 });
}

#[test]
fn lengths_that_cannot_be_meant_are_not_believed() {
    for length in [u32::MAX, 0x7fff_ffff, u32::MAX - 44, 0] {
        assert_eq!(
            decode(&claiming(length), ExpectedFormat::Wav).unwrap().samples.len(),
            1_000,
            "{length:x}"
        );
    }
}

#[test]
fn bare_samples_are_read() {
    let pcm = decode(&[0, 0x40, 0, 0xc0], ExpectedFormat::WavOrBare(24_000)).unwrap();
    assert_eq!(pcm, Pcm { samples: vec![0.5, -0.5], rate: 24_000 });
}

#[test]
fn bare_samples_may_begin_like_an_mp3() {
    for first in [0xf3, 0xfb, 0xf2, 0xfa] {
        let bytes = [0xff, first, 0, 0];
        let pcm = decode(&bytes, ExpectedFormat::Bare(24_000)).unwrap();
        assert_eq!(pcm, Pcm::of([i16::from_le_bytes([0xff, first]), 0], 24_000));
        for expected in [ExpectedFormat::Wav, ExpectedFormat::WavOrBare(24_000)] {
            assert_eq!(
                decode(&bytes, expected).unwrap_err().to_string(),
                "what came back is no audio that can be read: it is MP3, and only WAV is understood"
            );
        }
    }
}

#[test]
fn what_cannot_be_read_says_why() {
    let with = |at: usize, bytes: &[u8]| {
        let mut wav = plain();
        wav[at..at + bytes.len()].copy_from_slice(bytes);
        wav
    };
    for (bytes, expected) in [
        (vec![], "what came back was empty"),
        (vec![1, 2, 3], "it ends in the middle of a sample"),
        (b"ID3\x04 and so on".to_vec(), "it is MP3, and only WAV is understood"),
        (b"OggS".to_vec(), "it is Ogg, and only WAV is understood"),
        (claiming(2_002), "it breaks off after 2000 of 2002 bytes"),
        (plain()[..44].to_vec(), "it breaks off after 0 of 2000 bytes"),
        (plain()[..30].to_vec(), "its header breaks off"),
        (plain()[..40].to_vec(), "there are no samples in it"),
        (with(22, &[0, 0]), "it has 0 channels"),
        (with(24, &[1, 0, 0, 0]), "it has 1 samples a second"),
        (with(20, &[7, 0]), "its samples are coded in 16 bits of kind 7, which is not supported"),
        (with(8, b"AVI "), "it is no WAV"),
    ] {
        let error = decode(&bytes, ExpectedFormat::Bare(24_000)).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
    }
    for (bytes, name) in [
        (&[0xff, 0xf1, 0x50, 0x80][..], "AAC"),
        (&[0x1a, 0x45, 0xdf, 0xa3], "WebM"),
        (&[0x1f, 0x8b, 0x08, 0], "compressed (gzip)"),
    ] {
        let error = decode(bytes, ExpectedFormat::Wav).unwrap_err().to_string();
        assert!(error.ends_with(&format!("it is {name}, and only WAV is understood")), "{error}");
    }
    for bytes in [with(0, b"RIFX"), with(0, b"RFFF"), b"hello".to_vec(), vec![0x40; 48_000]] {
        let error = decode(&bytes, ExpectedFormat::Wav).unwrap_err().to_string();
        assert!(error.ends_with("it is no WAV"), "{error}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(mut bytes in prop::collection::vec(any::<u8>(), 0..300), is_wav: bool) {
        if is_wav {
            bytes.splice(0..0, *b"RIFF\xff\xff\xff\xffWAVEfmt ");
        }
        for expected in [ExpectedFormat::Wav, ExpectedFormat::WavOrBare(24_000), ExpectedFormat::Bare(24_000)] {
            let _ = decode(&bytes, expected);
        }
    }

    #[test]
    fn damaged_wavs_are_read_or_refused(at in 0_usize..100, byte: u8, end in 0_usize..2_100) {
        let mut wav = plain();
        wav[at] = byte;
        wav.truncate(end);
        let _ = decode(&wav, ExpectedFormat::WavOrBare(24_000));
    }
}
