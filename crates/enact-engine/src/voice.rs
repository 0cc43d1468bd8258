//! What turns text into audio, and audio into files that can be announced.

use std::{
    fmt::{Debug, Display},
    io,
    panic::AssertUnwindSafe,
    sync::{Arc, Weak},
    time::Duration,
};

use async_trait::async_trait;
pub use enact_drama::{
    production::Failure,
    voice::{PassedOver, Utterance, VoiceProfile},
};
use enact_drama::{
    production::{FailureKind, Speak},
    voice::Spoken,
};
use futures::FutureExt;

use crate::{
    artifacts::{Artifacts, FileWritten},
    wav,
};

#[cfg(test)]
mod tests;

/// The longest that one thing takes to say: many times what the longest text of any production needs. Beyond
/// it a voice has run away.
const MAX_SPEECH: Duration = Duration::from_secs(600);
/// A recording is silent if nothing in it is louder than this: -60 dB of what there could be.
const SILENCE: u16 = 32;

/// Something that speaks: built in, behind a service, another program, or several of these in turn.
///
/// Implementers promise:
/// * **Cancellation:** dropping the future stops the call; nothing is spent afterwards.
/// * **Patience:** an answer comes within the time that is given, waiting for others included, or a failure
///   does.
/// * **Levels:** all voices are equally loud, and what is spoken is never silent.
/// * **Cuts:** nothing is heard but the `text` of an utterance, whatever else was `meant`.
/// * **Concurrency:** calls may be made in parallel, and what heavy work there is is done off the async
///   threads.
#[async_trait]
pub trait Voice: Debug + Send + Sync {
    /// What this is, for people: `embedded (flite, kal16)`. Never a key.
    fn description(&self) -> String;

    async fn speak(&self, utterance: Arc<Utterance>, timeout: Duration) -> Result<Audio, Failure>;
}

/// Something that was said: one channel, 16 bits a sample.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Audio {
    pub samples: Vec<i16>,
    /// Samples a second.
    pub rate: u32,
    /// Who spoke in the end.
    pub by: String,
    /// Those that were tried before, and why they did not speak.
    pub passed_over: Vec<PassedOver>,
}

impl Audio {
    pub fn duration(&self) -> Duration {
        Duration::from_secs_f64(self.samples.len() as f64 / f64::from(self.rate.max(1)))
    }
}

/// A voice and a folder.
#[derive(Debug, Clone)]
pub struct SpeechRecorder {
    pub voice: Arc<dyn Voice>,
    pub artifacts: Artifacts,
}

impl SpeechRecorder {
    /// Says something into a file. When this returns, the file is there and whole. One that lay there before
    /// stays: it may have been announced, by this process or by the one that plays the run now. Whatever the
    /// voice does costs this one recording. If the future is dropped, nothing is kept, unless it is being
    /// given its name just then.
    pub async fn record(&self, speak: &Speak) -> Result<Spoken, Failure> {
        let audio = self.synthesize(speak).await?;
        self.keep(speak, audio).await
    }

    /// Has the voice say it.
    pub(crate) async fn synthesize(&self, speak: &Speak) -> Result<Audio, Failure> {
        synthesize(&*self.voice, &speak.utterance, Duration::from_millis(speak.timeout_ms)).await
    }

    /// Keeps what was said. When this returns, the file is there and whole.
    pub(crate) async fn keep(&self, speak: &Speak, audio: Audio) -> Result<Spoken, Failure> {
        let (artifacts, path) = (self.artifacts.clone(), speak.path.clone());
        let wanted = Arc::new(());
        let still_wanted = Arc::downgrade(&wanted);
        let kept = tokio::task::spawn_blocking(move || keep(&artifacts, &path, audio, &still_wanted)).await;
        let spoken = kept.unwrap_or_else(|lost| Err(not_kept(&lost)))?;
        match self.artifacts.share(&speak.path).await.map_err(|error| not_kept(&error))? {
            FileWritten::New => Ok(spoken),
            // Another node has shared it before, and may have announced it.
            FileWritten::Existed => self.measure_again(speak, spoken).await,
        }
    }

    async fn measure_again(&self, speak: &Speak, spoken: Spoken) -> Result<Spoken, Failure> {
        let file = self.artifacts.fetch(&speak.path).await.map_err(|error| not_kept(&error))?;
        let measured = tokio::task::spawn_blocking(move || wav::measure(&file)).await;
        let (duration, bytes) =
            measured.map_err(|lost| not_kept(&lost))?.map_err(|error| not_kept(&error))?;
        Ok(Spoken { duration_ms: duration.as_millis() as u64, bytes, ..spoken })
    }
}

/// Has a voice say something, and keeps to the time that is given whether the voice does or not.
pub(crate) async fn synthesize(
    voice: &dyn Voice,
    utterance: &Arc<Utterance>,
    timeout: Duration,
) -> Result<Audio, Failure> {
    let spoken = AssertUnwindSafe(voice.speak(utterance.clone(), timeout)).catch_unwind();
    let audio = match tokio::time::timeout(timeout, spoken).await {
        Ok(Ok(audio)) => audio?,
        Ok(Err(_)) => return Err(Failure::new("the voice panicked")),
        Err(_) => {
            return Err(Failure {
                kind: FailureKind::Timeout,
                took_ms: timeout.as_millis() as u64,
                ..Failure::new(format!("speech timeout after {timeout:?}"))
            });
        }
    };
    audible(&audio)?;
    Ok(audio)
}

/// Refuses what cannot be heard. Voices promise better, but a file is announced to people who wait for it.
fn audible(audio: &Audio) -> Result<(), Failure> {
    let by = &audio.by;
    let refused = |kind, why: &str| Err(Failure { kind, ..Failure::new(format!("{by} gave {why}")) });
    if audio.samples.is_empty() || audio.rate == 0 {
        return refused(FailureKind::Empty, "no audio");
    }
    if audio.samples.iter().all(|sample| sample.unsigned_abs() <= SILENCE) {
        return refused(FailureKind::Empty, "silence");
    }
    if audio.duration() > MAX_SPEECH {
        return refused(FailureKind::Other, "far more audio than its text has words for");
    }
    Ok(())
}

fn keep(artifacts: &Artifacts, path: &str, audio: Audio, wanted: &Weak<()>) -> Result<Spoken, Failure> {
    let bytes = wav::wav(&audio).map_err(|error| not_kept(&error))?;
    let check = |file: &std::path::Path| match wanted.upgrade() {
        Some(_) => wav::verify(file, &audio),
        // Its run may be over by now, or removed with all its files.
        None => Err(io::Error::new(io::ErrorKind::Interrupted, "it is no longer wanted")),
    };
    let kept = artifacts.write_if_absent(path, &bytes, check).map_err(|error| not_kept(&error))?;
    let before = match kept {
        FileWritten::New => None,
        FileWritten::Existed => artifacts.find(path).ok().and_then(|file| wav::measure(&file).ok()),
    };
    if (kept, before) == (FileWritten::Existed, None) {
        // Whatever it is, it was never announced: it cannot be read as audio.
        artifacts.write(path, &bytes, |_| Ok(())).map_err(|error| not_kept(&error))?;
    }
    let (duration, bytes) = before.unwrap_or((audio.duration(), bytes.len() as u64));
    Ok(Spoken {
        duration_ms: duration.as_millis() as u64,
        bytes,
        by: audio.by,
        passed_over: audio.passed_over,
    })
}

fn not_kept(error: &dyn Display) -> Failure {
    Failure::new(format!("the audio could not be kept: {error}"))
}
