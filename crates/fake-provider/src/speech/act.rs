//! What the server that speaks is told to do with a request.

use std::{fmt, sync::Arc, time::Duration};

use super::asked::Asked;

/// How one request is answered. The default is a tone as long as the text would take to say, at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Speech {
    /// From the arrival of the request to the first byte.
    pub latency: Duration,
    pub fault: Option<SpeechFault>,
}

impl Speech {
    #[must_use]
    pub fn fault(fault: SpeechFault) -> Self {
        Self { fault: Some(fault), ..Self::default() }
    }

    /// The first byte leaves this long after the request arrived.
    #[must_use]
    pub fn after(self, latency: Duration) -> Self {
        Self { latency, ..self }
    }
}

/// What goes wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum SpeechFault {
    /// An error in the service's own words, with `Retry-After` if given.
    Status(u16, Option<Duration>),
    /// 429, because the service itself is busy: `system_busy` at ElevenLabs.
    Busy(Option<Duration>),
    /// 429, because too much is being said at one time.
    Crowded,
    /// The account has nothing left, which ElevenLabs says with a 401.
    NoCredit,
    /// 400, with an explanation that repeats the key it was sent.
    RepeatKey,
    /// The page of a proxy in between, with this status.
    Page(u16),
    /// 307 to this address.
    Redirect(String),
    /// Nothing is ever sent.
    Hang,
    /// Half of the sound, after which nothing more comes and the connection stays open.
    HangMidway,
    /// Half of the sound, after which the connection breaks.
    Cut,
    /// Sound that never ends.
    Endless,
    /// Half of the sound and a clean end, with a header that promises all of it.
    Half,
    /// A success without a body.
    Empty,
    /// Bare samples, the last of which is half there.
    Odd,
    /// A success that is an error in JSON.
    Json,
    /// A tone that cannot be heard.
    Silence,
    /// A success with this type and body.
    Body(&'static str, Vec<u8>),
}

/// Decides what is done with each request. Called once for each, in the order of arrival.
#[derive(Clone)]
pub(crate) struct SpeechScript(Arc<dyn Fn(&Asked) -> Speech + Send + Sync>);

impl SpeechScript {
    pub(crate) fn new(decide: impl Fn(&Asked) -> Speech + Send + Sync + 'static) -> Self {
        Self(Arc::new(decide))
    }

    pub(crate) fn decide(&self, asked: &Asked) -> Speech {
        (self.0)(asked)
    }
}

impl Default for SpeechScript {
    fn default() -> Self {
        Self::new(|_| Speech::default())
    }
}

impl fmt::Debug for SpeechScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SpeechScript")
    }
}
