//! Where things are said aloud: a voice, and the folder its recordings go to.

use std::{
    fmt::Display,
    io,
    panic::AssertUnwindSafe,
    sync::{Arc, Weak},
    time::Duration,
};

use enact_drama::{
    production::{Failure, FailureKind, Speak},
    voice::{Spoken, Utterance},
};
use futures::FutureExt;

use crate::{
    artefacts::{Artefacts, Kept},
    voice::{Audio, Voice},
    wav,
};

#[cfg(test)]
mod tests;

/// The longest that one thing takes to say: many times what the longest text of any production needs. Beyond it a voice has run
/// away.
const LONGEST: Duration = Duration::from_secs(600);
/// A recording is silent if nothing in it is louder than this: -60 dB of what there could be.
const SILENCE: u16 = 32;

/// A voice and a folder.
#[derive(Debug, Clone)]
pub struct Studio {
    pub voice: Arc<dyn Voice>,
    pub artefacts: Artefacts,
}

impl Studio {
    /// Says something into a file. When this returns, the file is there and whole. One that lay there before stays: somebody may
    /// have been told of it, by whoever plays this run if it is not this process any more. Whatever the voice does costs this one
    /// recording; if the future is dropped, nothing is kept that is not being given its name just then.
    pub async fn record(&self, speak: &Speak) -> Result<Spoken, Failure> {
        let patience = Duration::from_millis(speak.patience_ms);
        let audio = hear(&*self.voice, &speak.utterance, patience).await?;
        let (artefacts, path) = (self.artefacts.clone(), speak.path.clone());
        let wanted = Arc::new(());
        let still_wanted = Arc::downgrade(&wanted);
        let kept = tokio::task::spawn_blocking(move || keep(&artefacts, &path, audio, &still_wanted)).await;
        kept.unwrap_or_else(|lost| Err(not_kept(&lost)))
    }
}

/// Has a voice say something, and keeps to the time that is given whether the voice does or not.
pub(crate) async fn hear(
    voice: &dyn Voice,
    utterance: &Arc<Utterance>,
    patience: Duration,
) -> Result<Audio, Failure> {
    let spoken = AssertUnwindSafe(voice.speak(utterance.clone(), patience)).catch_unwind();
    let audio = match tokio::time::timeout(patience, spoken).await {
        Ok(Ok(audio)) => audio?,
        Ok(Err(_)) => return Err(Failure::new("the voice panicked")),
        Err(_) => {
            return Err(Failure {
                kind: FailureKind::Timeout,
                took_ms: patience.as_millis() as u64,
                ..Failure::new(format!("nothing could be heard within {patience:?}"))
            });
        }
    };
    audible(&audio)?;
    Ok(audio)
}

/// Refuses what nobody could hear. Voices promise better, but a file is announced to people who wait for it.
fn audible(audio: &Audio) -> Result<(), Failure> {
    let by = &audio.by;
    let refused = |kind, why: &str| Err(Failure { kind, ..Failure::new(format!("{by} gave {why}")) });
    if audio.samples.is_empty() || audio.rate == 0 {
        return refused(FailureKind::Empty, "no audio");
    }
    if audio.samples.iter().all(|sample| sample.unsigned_abs() <= SILENCE) {
        return refused(FailureKind::Empty, "silence");
    }
    if audio.duration() > LONGEST {
        return refused(FailureKind::Other, "far more audio than its text has words for");
    }
    Ok(())
}

fn keep(artefacts: &Artefacts, path: &str, audio: Audio, wanted: &Weak<()>) -> Result<Spoken, Failure> {
    let bytes = wav::wav(&audio).map_err(|error| not_kept(&error))?;
    let check = |file: &std::path::Path| match wanted.upgrade() {
        Some(_) => wav::verify(file, &audio),
        // Its run may be over by now, or removed with all its files.
        None => Err(io::Error::new(io::ErrorKind::Interrupted, "nobody waits for it any more")),
    };
    let kept = artefacts.keep_first(path, &bytes, check).map_err(|error| not_kept(&error))?;
    let before = match kept {
        Kept::New => None,
        Kept::Before => artefacts.find(path).ok().and_then(|file| wav::measure(&file).ok()),
    };
    if (kept, before) == (Kept::Before, None) {
        // Whatever it is, nobody was told that it could be heard.
        artefacts.keep(path, &bytes, |_| Ok(())).map_err(|error| not_kept(&error))?;
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
