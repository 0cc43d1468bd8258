use std::f32::consts::PI;

use super::*;

fn tone(seconds: f32, rate: u32, loud: f32) -> Pcm {
    let length = (seconds * rate as f32) as usize;
    let samples = (0..length).map(|at| loud * (2.0 * PI * 440.0 * at as f32 / rate as f32).sin()).collect();
    Pcm { samples, rate }
}

/// Mostly quiet with a few high points, as some engines speak.
fn spiky(loud: f32) -> Pcm {
    let mut pcm = tone(2.0, 16_000, loud * 0.1);
    for at in (0..pcm.samples.len()).step_by(1_600) {
        pcm.samples[at] = loud;
    }
    pcm
}

#[test]
fn everything_becomes_equally_loud() {
    for (name, pcm) in [
        ("quiet", tone(2.0, 24_000, 0.01)),
        ("loud", tone(2.0, 24_000, 0.99)),
        ("another rate", tone(2.0, 8_000, 0.3)),
        ("spiky", spiky(0.9)),
        ("too loud", tone(1.0, 44_100, 3.0)),
    ] {
        let level = level(pcm).unwrap();
        let loudness = super::loudness(&level).unwrap();
        assert!((loudness - TARGET_LUFS).abs() < 0.5, "{name}: {loudness}");
        assert!(level.peak() <= CEILING, "{name}: {}", level.peak());
    }
}

#[test]
fn short_clips_have_a_level_too() {
    for ms in [20.0, 100.0, 399.0] {
        let level = level(tone(ms / 1000.0, 16_000, 0.02)).unwrap();
        let loudness = super::loudness(&level).unwrap();
        assert!((loudness - TARGET_LUFS).abs() < 0.5, "{ms} ms: {loudness}");
    }
}

#[test]
fn silence_at_the_ends_goes_and_silence_within_stays() {
    let sound = tone(0.5, 16_000, 0.3).samples;
    let silence = vec![0.0; 16_000];
    let samples = [&silence[..], &sound, &silence, &sound, &silence].concat();
    let level = level(Pcm { samples, rate: 16_000 }).unwrap();
    let seconds = level.samples.len() as f32 / 16_000.0;
    assert!((seconds - 2.16).abs() < 0.01, "{seconds}");
}

#[test]
fn what_cannot_be_heard_is_refused() {
    let silent = |samples| level(Pcm { samples, rate: 16_000 }).map(|_| ());
    assert_eq!(silent(vec![]), Err(Error::Empty));
    assert_eq!(silent(vec![0.0; 16_000]), Err(Error::Silence));
    assert_eq!(silent(vec![0.0005; 16_000]), Err(Error::Silence));
    assert!(matches!(silent(vec![f32::NAN; 9]), Err(Error::BadAudio(_))));
    assert!(matches!(silent(vec![0.5, f32::INFINITY]), Err(Error::BadAudio(_))));
    // A single click is not nothing.
    assert_eq!(silent(vec![0.5]), Ok(()));
}
