//! A backend behind the engine's port: a queue, a deadline, a cool-down after permanent errors, and one
//! loudness for all.

use std::{
    fmt::Debug,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use enact_drama::{
    production::Failure,
    voice::{Utterance, VoiceProfile},
};
use enact_engine::{Voice, voice::Audio};
use enact_http::CallDeadline;
use tokio::{
    sync::Semaphore,
    task::spawn_blocking,
    time::{Instant, timeout_at},
};

use crate::{audio::SpokenAudio, error::Error, loudness, text};

/// Cool-down after a permanent error: other calls fail at once meanwhile, and a fix takes effect within this
/// time.
const COOLDOWN: Duration = Duration::from_secs(15);

/// A backend that was asked for this long without an answer hangs, and counts as a permanent error. A call
/// with less time may just not have had enough.
const STALL_AFTER: Duration = Duration::from_secs(10);

/// What is said at one time, in characters: ten minutes of speech, far longer than any line.
const LONGEST_TEXT: usize = 10_000;

/// Something that makes audio of text, at any loudness and with any silence around it.
#[async_trait]
pub(crate) trait TtsBackend: Debug + Send + Sync {
    /// What it is, for people: `flite, kal16`. Never a key.
    fn description(&self) -> String;

    /// Says it. Dropping the future ends the call; a wait that would end after `until` is not begun.
    async fn say(&self, line: &SpeechText, until: Instant) -> Result<SpokenAudio, Error>;
}

/// Text fit to be spoken: no markup, nothing invisible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SpeechText {
    pub(crate) text: Arc<str>,
    /// The whole sentence, if the text is only its beginning. None of the rest may be heard.
    pub(crate) meant: Option<Arc<str>>,
    pub(crate) profile: VoiceProfile,
    pub(crate) variant: u8,
}

/// A backend behind the engine's port.
#[derive(Debug)]
pub(crate) struct ManagedVoice {
    name: String,
    backend: Box<dyn TtsBackend>,
    permits: Semaphore,
    timeout: Option<Duration>,
    /// The last permanent error, and until when it is answered to every call.
    cooldown: Mutex<Option<(Error, Instant)>>,
}

impl ManagedVoice {
    pub(crate) fn new(
        name: String,
        backend: Box<dyn TtsBackend>,
        at_once: usize,
        timeout: Option<Duration>,
    ) -> ManagedVoice {
        let permits = Semaphore::new(at_once.clamp(1, Semaphore::MAX_PERMITS));
        ManagedVoice { name, backend, permits, timeout, cooldown: Mutex::default() }
    }

    /// Says it until then; `after` is that time for messages.
    async fn say(&self, utterance: &Utterance, until: Instant, after: Duration) -> Result<Audio, Error> {
        let characters = utterance.text.chars().count();
        if characters > LONGEST_TEXT {
            return Err(Error::TooLongToSay { characters, limit: LONGEST_TEXT });
        }
        let text = text::spoken(&utterance.text);
        if !text::has_words(&text) {
            return Err(Error::NothingToSay);
        }
        let meant = utterance.meant.as_deref().map(|meant| text::spoken(meant).into());
        let (profile, variant) = (utterance.profile, utterance.variant);
        let line = SpeechText { text: text.into(), meant, profile, variant };
        self.check_cooldown()?;
        // Held until the loudness is done, which takes a processor too. The semaphore is never closed.
        let permit = timeout_at(until, self.permits.acquire()).await;
        let _permit = permit.map_err(|_| Error::QueueTimeout { after })?.map_err(|_| Error::Panicked)?;
        // Calls that were ahead in the queue may have met a permanent error.
        self.check_cooldown()?;
        let audio = self.call(&line, until, after).await?;
        let by = self.description();
        let leveled = spawn_blocking(move || {
            let leveled = loudness::level(audio.decode()?)?;
            Ok::<_, Error>((leveled.to_i16(), leveled.rate))
        });
        let leveled = timeout_at(until, leveled).await.map_err(|_| Error::Timeout { after })?;
        let (samples, rate) = leveled.map_err(|_| Error::Panicked)??;
        Ok(Audio { samples, rate, by, passed_over: Vec::new() })
    }

    /// Calls the backend, and begins a cool-down if it fails permanently.
    async fn call(&self, line: &SpeechText, until: Instant, after: Duration) -> Result<SpokenAudio, Error> {
        let began = Instant::now();
        let answered = timeout_at(until, self.backend.say(line, until)).await;
        let is_stalled = answered.is_err() && began.elapsed() >= STALL_AFTER;
        let spoken = answered.unwrap_or(Err(Error::Timeout { after }));
        if let Err(error) = &spoken
            && (is_stalled || error.is_permanent())
        {
            *self.cooldown() = Some((error.clone(), Instant::now() + COOLDOWN));
        }
        spoken
    }

    fn check_cooldown(&self) -> Result<(), Error> {
        match &*self.cooldown() {
            Some((error, until)) if Instant::now() < *until => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// A panic while it is held leaves it as it was between two calls, which is still true.
    fn cooldown(&self) -> MutexGuard<'_, Option<(Error, Instant)>> {
        self.cooldown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Voice for ManagedVoice {
    fn description(&self) -> String {
        format!("{} ({})", self.name, self.backend.description())
    }

    async fn speak(&self, utterance: Arc<Utterance>, timeout: Duration) -> Result<Audio, Failure> {
        let began = Instant::now();
        let deadline = CallDeadline::new(timeout, self.timeout);
        let spoken = self.say(&utterance, began + deadline.effective, deadline.nominal).await;
        spoken.map_err(|error| Failure { took_ms: began.elapsed().as_millis() as u64, ..error.into() })
    }
}

#[cfg(test)]
mod tests;
