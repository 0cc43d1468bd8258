//! Where things are said aloud: a voice, and the folder its recordings go to.

use std::{io, path::Path, sync::Arc, time::Duration};

use enact_drama::{
    production::{Failure, FailureKind, Speak},
    voice::Spoken,
};

use crate::{
    artefacts::Artefacts,
    voice::{Audio, Voice},
};

/// A voice and a folder.
#[derive(Debug, Clone)]
pub struct Studio {
    pub voice: Arc<dyn Voice>,
    pub artefacts: Artefacts,
}

impl Studio {
    /// Says something into a file. It is there and whole when this returns, or nothing is.
    pub async fn record(&self, speak: &Speak) -> Result<Spoken, Failure> {
        let patience = Duration::from_millis(speak.patience_ms);
        let spoken = self.voice.speak(speak.utterance.clone(), patience);
        let audio = match tokio::time::timeout(patience, spoken).await {
            Ok(audio) => audio?,
            Err(_) => {
                let error = format!("nothing could be heard within {} s", patience.as_secs());
                return Err(Failure { kind: FailureKind::Timeout, ..Failure::new(error) });
            }
        };
        let (artefacts, path) = (self.artefacts.clone(), speak.path.clone());
        let kept = tokio::task::spawn_blocking(move || keep(&artefacts, &path, audio)).await;
        match kept {
            Ok(kept) => kept,
            Err(_) => Err(Failure::new("the audio could not be kept: writing it panicked")),
        }
    }

    /// Keeps a text beside the audio.
    pub async fn note(&self, path: &str, text: String) -> Result<(), crate::artefacts::Error> {
        let (artefacts, path) = (self.artefacts.clone(), path.to_owned());
        let kept =
            tokio::task::spawn_blocking(move || artefacts.keep(&path, text.as_bytes(), |_| Ok(()))).await;
        match kept {
            Ok(kept) => kept,
            Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
        }
    }
}

fn keep(artefacts: &Artefacts, path: &str, audio: Audio) -> Result<Spoken, Failure> {
    let failed =
        |error: &dyn std::fmt::Display| Failure::new(format!("the audio could not be kept: {error}"));
    let bytes = wav(&audio).map_err(|error| failed(&error))?;
    let samples = audio.samples.len();
    artefacts.keep(path, &bytes, |file| whole(file, samples)).map_err(|error| failed(&error))?;
    Ok(Spoken {
        duration_ms: audio.duration().as_millis() as u64,
        bytes: bytes.len() as u64,
        by: audio.by,
        passed_over: audio.passed_over,
    })
}

/// Audio as a file.
pub fn wav(audio: &Audio) -> Result<Vec<u8>, hound::Error> {
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: audio.rate,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut bytes = io::Cursor::new(Vec::with_capacity(44 + 2 * audio.samples.len()));
    let mut writer = hound::WavWriter::new(&mut bytes, spec)?;
    let mut samples =
        writer.get_i16_writer(u32::try_from(audio.samples.len()).map_err(|_| hound::Error::TooWide)?);
    audio.samples.iter().for_each(|sample| samples.write_sample(*sample));
    samples.flush()?;
    writer.finalize()?;
    Ok(bytes.into_inner())
}

/// Reads a file back: every sample, because only that finds one that breaks off.
fn whole(file: &Path, samples: usize) -> io::Result<()> {
    let broken = |error: String| io::Error::new(io::ErrorKind::InvalidData, error);
    let mut reader = hound::WavReader::open(file).map_err(|error| broken(error.to_string()))?;
    let read = reader.samples::<i16>().try_fold(0, |count: usize, sample| sample.map(|_| count + 1));
    match read {
        Ok(read) if read == samples && read > 0 => Ok(()),
        Ok(read) => Err(broken(format!("{read} of {samples} samples were written"))),
        Err(error) => Err(broken(error.to_string())),
    }
}
