//! A server that speaks, as ElevenLabs and OpenAI do: apart from the one that answers, so that each can be
//! late or broken alone.

mod answer;
mod asked;
mod refusal;
mod routes;

use std::{
    ops::Deref,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

pub use self::asked::{SpeechAnswer, SpeechApi, SpeechFault, SpeechRequest};
use self::routes::{SpeechState, router};
use crate::{Running, planned_response::Script};

/// A running server that speaks. It derefs to [`Running`], which says where it listens and how much it
/// serves.
#[derive(Debug)]
pub struct FakeSpeech {
    running: Running,
    asked: Arc<Mutex<Vec<SpeechRequest>>>,
}

impl FakeSpeech {
    /// A server that speaks at once, however many ask.
    ///
    /// # Panics
    ///
    /// If the machine has no port left on the loopback address.
    pub async fn start() -> Self {
        Self::builder().start().await
    }

    pub fn builder() -> SpeechBuilder {
        SpeechBuilder::default()
    }

    /// `http://127.0.0.1:<port>`, below which both services have their `/v1`.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address())
    }

    /// Everything that was asked so far, in order of arrival.
    pub fn asked(&self) -> Vec<SpeechRequest> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Deref for FakeSpeech {
    type Target = Running;

    fn deref(&self) -> &Running {
        &self.running
    }
}

/// A server to be.
#[derive(Debug, Default)]
pub struct SpeechBuilder {
    script: Script<SpeechRequest, SpeechAnswer>,
    key: Option<String>,
    at_once: Option<usize>,
}

impl SpeechBuilder {
    /// What is done with each request that the service accepts.
    pub fn script(self, script: impl Fn(&SpeechRequest) -> SpeechAnswer + Send + Sync + 'static) -> Self {
        Self { script: Script::of(script), ..self }
    }

    /// Speaks well, so long after each request.
    pub fn after(self, latency: Duration) -> Self {
        self.script(move |_| SpeechAnswer::default().after(latency))
    }

    /// Demands this key in the header that each service uses for it.
    pub fn key(self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self }
    }

    /// How many are served at one time. More are answered 429, as the plans of real services have it.
    pub fn at_once(self, at_once: usize) -> Self {
        Self { at_once: Some(at_once), ..self }
    }

    /// # Panics
    ///
    /// If the machine has no port left on the loopback address.
    pub async fn start(self) -> FakeSpeech {
        let service = Arc::new(SpeechState {
            asked: Arc::default(),
            traffic: Arc::default(),
            script: self.script,
            key: self.key,
            at_once: self.at_once,
        });
        let (asked, traffic) = (Arc::clone(&service.asked), Arc::clone(&service.traffic));
        FakeSpeech { running: Running::start("fake-speech", traffic, router(service)), asked }
    }
}
