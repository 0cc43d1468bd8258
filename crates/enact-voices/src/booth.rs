//! The booth that everything is spoken in: it has so many places, only so much patience, and one level for all.

use std::{
    fmt::Debug,
    sync::{Arc, Mutex, PoisonError},
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

use crate::{error::Error, levels, sound::Sound, text};

/// How long nobody asks again for what nobody can do: a chorus's other slots shall not each find out, and who has mended it
/// shall not wait long.
const REST: Duration = Duration::from_secs(15);

/// Whoever was asked for this long and has not said anything hangs, and the next would find it so. Who had less time may just not
/// have had enough: others were served first, or whoever asks has little patience.
const STALLED: Duration = Duration::from_secs(10);

/// What is said at one time, in characters: ten minutes of speech, far longer than any line.
const LONGEST_TEXT: usize = 10_000;

/// Something that makes sound of text, whatever its level, its silences and its length.
#[async_trait]
pub(crate) trait Speaker: Debug + Send + Sync {
    /// What it is, for people: `flite, kal16`. Never a key.
    fn description(&self) -> String;

    /// Says it. Ends when it is dropped; nobody else looks at the clock, so waits that would end after `until` are not begun.
    async fn say(&self, line: &Line, until: Instant) -> Result<Sound, Error>;
}

/// Something to be said, fit for speech: no markup, nothing that cannot be seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: Arc<str>,
    /// What the text is only the beginning of, if it breaks off. None of the rest may be heard.
    pub(crate) meant: Option<Arc<str>>,
    pub(crate) profile: VoiceProfile,
    pub(crate) shade: u8,
}

/// A speaker behind the engine's port.
#[derive(Debug)]
pub(crate) struct Booth {
    name: String,
    speaker: Box<dyn Speaker>,
    places: Semaphore,
    timeout: Option<Duration>,
    /// What cannot be done, and until when it is not tried again.
    resting: Mutex<Option<(Error, Instant)>>,
}

impl Booth {
    pub(crate) fn new(
        name: String,
        speaker: Box<dyn Speaker>,
        places: usize,
        timeout: Option<Duration>,
    ) -> Booth {
        let places = Semaphore::new(places.clamp(1, Semaphore::MAX_PERMITS));
        Booth { name, speaker, places, timeout, resting: Mutex::default() }
    }

    /// Says it by then, which is after so much time.
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
        let line = Line { text: text.into(), meant, profile: utterance.profile, shade: utterance.shade };
        self.awake()?;
        // Held until the sound is level: that takes a processor too. The semaphore lives as long as the booth and is never closed.
        let place =
            timeout_at(until, self.places.acquire()).await.map_err(|_| Error::QueueTimeout { after })?;
        let _place = place.map_err(|_| Error::Panicked)?;
        // Whoever spoke in the meantime may have found out.
        self.awake()?;
        let sound = self.ask(&line, until, after).await?;
        let by = self.description();
        let leveled = spawn_blocking(move || {
            let level = levels::level(sound.read()?)?;
            Ok::<_, Error>((level.to_i16(), level.rate))
        });
        let leveled = timeout_at(until, leveled).await.map_err(|_| Error::Timeout { after })?;
        let (samples, rate) = leveled.map_err(|_| Error::Panicked)??;
        Ok(Audio { samples, rate, by, passed_over: Vec::new() })
    }

    /// Has the speaker speak, and remembers if that is of no use for now.
    async fn ask(&self, line: &Line, until: Instant, after: Duration) -> Result<Sound, Error> {
        let began = Instant::now();
        let answered = timeout_at(until, self.speaker.say(line, until)).await;
        let is_stalled = answered.is_err() && began.elapsed() >= STALLED;
        let spoken = answered.unwrap_or(Err(Error::Timeout { after }));
        if let Err(error) = &spoken
            && (is_stalled || error.is_permanent())
        {
            *self.resting() = Some((error.clone(), Instant::now() + REST));
        }
        spoken
    }

    fn awake(&self) -> Result<(), Error> {
        match &*self.resting() {
            Some((error, until)) if Instant::now() < *until => Err(error.clone()),
            _ => Ok(()),
        }
    }

    /// A panic elsewhere leaves it as it was between two calls, which is still true.
    fn resting(&self) -> std::sync::MutexGuard<'_, Option<(Error, Instant)>> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Voice for Booth {
    fn description(&self) -> String {
        format!("{} ({})", self.name, self.speaker.description())
    }

    async fn speak(&self, utterance: Arc<Utterance>, patience: Duration) -> Result<Audio, Failure> {
        let began = Instant::now();
        let deadline = CallDeadline::new(patience, self.timeout);
        let spoken = self.say(&utterance, began + deadline.effective, deadline.nominal).await;
        spoken.map_err(|error| Failure { took_ms: began.elapsed().as_millis() as u64, ..error.into() })
    }
}

#[cfg(test)]
mod tests;
