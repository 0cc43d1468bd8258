//! What the server that speaks was asked, and what it is told to do about it.

use std::{collections::BTreeMap, time::Duration};

use serde_json::Value;

/// Whose wire format a request speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpeechApi {
    ElevenLabs,
    OpenAi,
}

/// One request as it arrived.
#[derive(Clone, Debug)]
pub struct SpeechRequest {
    /// Its place in the order of arrival, from 0.
    pub number: usize,
    pub api: SpeechApi,
    /// With its query, as the client sent it.
    pub path: String,
    /// Names in lower case.
    pub headers: BTreeMap<String, String>,
    /// `Null` where there was none, or none that is JSON.
    pub body: Value,
}

impl SpeechRequest {
    /// What is to be said.
    pub fn text(&self) -> &str {
        let name = match self.api {
            SpeechApi::ElevenLabs => "text",
            SpeechApi::OpenAi => "input",
        };
        self.body[name].as_str().unwrap_or_default()
    }

    /// Who is to say it.
    pub fn voice(&self) -> &str {
        match self.api {
            SpeechApi::ElevenLabs => {
                let path = self.path.split('?').next().unwrap_or_default();
                path.rsplit('/').next().unwrap_or_default()
            }
            SpeechApi::OpenAi => self.body["voice"].as_str().unwrap_or_default(),
        }
    }

    /// The format that is asked for: `pcm_24000`, `wav`.
    pub fn format(&self) -> &str {
        match self.api {
            SpeechApi::ElevenLabs => {
                let query = self.path.split_once('?').map_or("", |(_, query)| query);
                let format = query.split('&').find_map(|pair| pair.strip_prefix("output_format="));
                format.unwrap_or("mp3_44100_128")
            }
            SpeechApi::OpenAi => self.body["response_format"].as_str().unwrap_or("mp3"),
        }
    }

    pub(crate) fn key(&self) -> Option<&str> {
        match self.api {
            SpeechApi::ElevenLabs => self.headers.get("xi-api-key").map(String::as_str),
            SpeechApi::OpenAi => self.headers.get("authorization")?.strip_prefix("Bearer "),
        }
    }
}

/// How one request is answered. The default is a tone as long as the text would take to say, at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpeechAnswer {
    /// From the arrival of the request to the first byte.
    pub latency: Duration,
    pub fault: Option<SpeechFault>,
}

impl SpeechAnswer {
    pub fn fault(fault: SpeechFault) -> Self {
        Self { fault: Some(fault), ..Self::default() }
    }

    /// The first byte leaves this long after the request arrived.
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
