//! What the server that speaks was asked, and how many it serves.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::Value;
use tokio::sync::watch;

/// Whose wire format a request speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpeechApi {
    ElevenLabs,
    OpenAi,
}

/// One request as it arrived.
#[derive(Clone, Debug)]
pub struct Asked {
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

impl Asked {
    /// What is to be said.
    #[must_use]
    pub fn text(&self) -> &str {
        let name = match self.api {
            SpeechApi::ElevenLabs => "text",
            SpeechApi::OpenAi => "input",
        };
        self.body[name].as_str().unwrap_or_default()
    }

    /// Who is to say it.
    #[must_use]
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
    #[must_use]
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

/// Shared by the server's thread, which listens, and the test, which reads.
#[derive(Debug, Default)]
pub(crate) struct Ear {
    asked: Mutex<Vec<Asked>>,
    counts: watch::Sender<Counts>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) arrivals: usize,
    pub(crate) in_flight: usize,
    pub(crate) most: usize,
    pub(crate) dropped: usize,
}

impl Ear {
    /// Enters a request, giving it its number.
    pub(crate) fn arrive(&self, asked: &mut Asked) {
        let mut all = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.number = all.len();
        all.push(asked.clone());
        // Last, so that whoever waits for it finds it entered.
        self.counts.send_modify(|counts| counts.arrivals += 1);
    }

    /// A place among those who are served, if there is one.
    pub(crate) fn place(self: &Arc<Self>, at_once: Option<usize>) -> Option<Place> {
        let free = self.counts.send_if_modified(|counts| {
            let free = at_once.is_none_or(|at_once| counts.in_flight < at_once);
            counts.in_flight += usize::from(free);
            counts.most = counts.most.max(counts.in_flight);
            free
        });
        free.then(|| Place { ear: Arc::clone(self), answered: false })
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn counts(&self) -> Counts {
        *self.counts.borrow()
    }

    pub(crate) async fn wait_for(&self, mut reached: impl FnMut(&Counts) -> bool) {
        // The sender lives here, so the channel cannot close while somebody waits.
        let _ = self.counts.subscribe().wait_for(|counts| reached(counts)).await;
    }
}

/// Somebody is being served. Dropped with the answer, also when the client goes away.
#[derive(Debug)]
pub(crate) struct Place {
    ear: Arc<Ear>,
    answered: bool,
}

impl Place {
    /// Free again, because nothing more is to be sent.
    pub(crate) fn leave(mut self) {
        self.answered = true;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.ear.counts.send_modify(|counts| {
            counts.in_flight -= 1;
            counts.dropped += usize::from(!self.answered);
        });
    }
}
