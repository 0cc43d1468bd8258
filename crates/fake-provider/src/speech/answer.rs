//! Sound as bytes: a tone in the format that was asked for, and how it ends.

use std::{f32::consts::PI, io, iter};

use axum::body::Body;
use bytes::Bytes;
use futures::{StreamExt, stream};

use super::{
    asked::{Asked, SpeechApi, SpeechFault},
    routes::Served,
};

const RATE: u32 = 24_000;

/// People say about fifteen characters a second.
const MS_PER_CHARACTER: usize = 65;

/// A minute is enough for every test.
const LONGEST_MS: usize = 60_000;

/// A success with its type.
pub(crate) fn sound(asked: &Asked, fault: Option<&SpeechFault>, served: Served) -> (&'static str, Body) {
    if let Some(SpeechFault::Body(media_type, bytes)) = fault {
        served.finish();
        return (media_type, Body::from(bytes.clone()));
    }
    if fault == Some(&SpeechFault::Json) {
        served.finish();
        return (
            "application/json",
            Body::from(r#"{"detail": {"message": "the voice has lost its tongue"}}"#),
        );
    }
    let loud = if fault == Some(&SpeechFault::Silence) { 0.0 } else { 0.3 };
    let (media_type, whole) = encoded(asked, &tone(asked.text(), loud));
    (media_type, body(whole, fault, served))
}

fn body(whole: Vec<u8>, fault: Option<&SpeechFault>, served: Served) -> Body {
    let half = Bytes::copy_from_slice(&whole[..whole.len() / 2]);
    let sent = |bytes: Bytes| stream::iter([io::Result::Ok(bytes)]);
    match fault {
        Some(SpeechFault::HangMidway) => {
            return Body::from_stream(sent(half).chain(stream::once(async move {
                let _held = served;
                std::future::pending().await
            })));
        }
        Some(SpeechFault::Endless) => {
            let piece = Bytes::from(whole);
            return Body::from_stream(stream::iter(iter::repeat_with(move || {
                let _held = &served;
                io::Result::Ok(piece.clone())
            })));
        }
        _ => served.finish(),
    }
    match fault {
        Some(SpeechFault::Empty) => Body::empty(),
        Some(SpeechFault::Odd) => Body::from(whole[..whole.len() - 1].to_vec()),
        Some(SpeechFault::Half) => Body::from(half),
        Some(SpeechFault::Cut) => Body::from_stream(sent(half).chain(stream::once(async {
            // The HTTP library throws away what it has not flushed when a body fails, and it flushes when it has to wait.
            tokio::task::yield_now().await;
            Err(io::Error::from(io::ErrorKind::ConnectionReset))
        }))),
        _ => Body::from(whole),
    }
}

fn tone(text: &str, loud: f32) -> Vec<i16> {
    let ms = (text.chars().count() * MS_PER_CHARACTER).clamp(MS_PER_CHARACTER, LONGEST_MS);
    let sample = |at: usize| loud * (2.0 * PI * 220.0 * at as f32 / RATE as f32).sin();
    (0..RATE as usize * ms / 1000).map(|at| (sample(at) * f32::from(i16::MAX)) as i16).collect()
}

fn encoded(asked: &Asked, samples: &[i16]) -> (&'static str, Vec<u8>) {
    let pcm = || samples.iter().flat_map(|sample| sample.to_le_bytes());
    match (asked.api, asked.format()) {
        (SpeechApi::ElevenLabs, "pcm_24000") => ("audio/pcm", pcm().collect()),
        (SpeechApi::OpenAi, "pcm") => ("audio/pcm", pcm().collect()),
        (SpeechApi::OpenAi, "wav") => ("audio/wav", header().into_iter().chain(pcm()).collect()),
        // No player could play it.
        _ => ("audio/mpeg", b"ID3\x04".to_vec()),
    }
}

/// The header of a WAV that is streamed, whose lengths are not known yet: OpenAI writes the largest there are.
fn header() -> Vec<u8> {
    let unknown = u32::MAX.to_le_bytes();
    [
        &b"RIFF"[..],
        &unknown,
        b"WAVEfmt ",
        &16_u32.to_le_bytes(),
        &1_u16.to_le_bytes(),
        &1_u16.to_le_bytes(),
        &RATE.to_le_bytes(),
        &(2 * RATE).to_le_bytes(),
        &2_u16.to_le_bytes(),
        &16_u16.to_le_bytes(),
        b"data",
        &unknown,
    ]
    .concat()
}
