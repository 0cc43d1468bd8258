//! A server that speaks, as ElevenLabs and OpenAI do: apart from the one that answers, so that each can be late or broken alone.

mod act;
mod answer;
mod asked;
mod problem;
mod routes;

use std::{
    net::SocketAddr,
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use tokio::sync::oneshot;

use self::{
    act::SpeechScript,
    asked::Ear,
    routes::{Service, router},
};
pub use self::{
    act::{Speech, SpeechFault},
    asked::{Asked, SpeechApi},
};
use crate::{
    alarm::AlarmClock,
    server::{listen, serve},
};

/// A running server that speaks. Dropping it closes its port and every connection before `drop` returns.
#[derive(Debug)]
pub struct FakeSpeech {
    address: SocketAddr,
    ear: Arc<Ear>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
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

    #[must_use]
    pub fn builder() -> SpeechBuilder {
        SpeechBuilder::default()
    }

    /// `http://127.0.0.1:<port>`, below which both services have their `/v1`.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Everything that was asked so far, in order of arrival.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        self.ear.asked()
    }

    /// The most that were being served at one time; those who were turned away for that do not count.
    #[must_use]
    pub fn most_at_once(&self) -> usize {
        self.ear.counts().most
    }

    /// Waits until so many requests have arrived, counted from the start. There is no time limit: tests have their own.
    pub async fn wait_for_arrivals(&self, count: usize) {
        self.ear.wait_for(|counts| counts.arrivals >= count).await;
    }

    /// How many clients went away before their answer had ended.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.ear.counts().dropped
    }

    /// Waits until so many are being served at one moment.
    pub async fn wait_for_in_flight(&self, count: usize) {
        self.ear.wait_for(|counts| counts.in_flight >= count).await;
    }

    /// Waits until nobody is being served.
    pub async fn wait_until_idle(&self) {
        self.ear.wait_for(|counts| counts.in_flight == 0).await;
    }
}

impl Drop for FakeSpeech {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so, and there is nothing left to stop.
            let _ = thread.join();
        }
    }
}

/// A server to be.
#[derive(Debug, Default)]
pub struct SpeechBuilder {
    script: SpeechScript,
    key: Option<String>,
    at_once: Option<usize>,
}

impl SpeechBuilder {
    /// What is done with each request that the service accepts.
    #[must_use]
    pub fn script(self, script: impl Fn(&Asked) -> Speech + Send + Sync + 'static) -> Self {
        Self { script: SpeechScript::new(script), ..self }
    }

    /// Speaks well, so long after each request.
    #[must_use]
    pub fn after(self, latency: Duration) -> Self {
        self.script(move |_| Speech::default().after(latency))
    }

    /// Demands this key in the header that each service uses for it.
    #[must_use]
    pub fn key(self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self }
    }

    /// How many are served at one time. More are answered 429, as the plans of real services have it.
    #[must_use]
    pub fn at_once(self, at_once: usize) -> Self {
        Self { at_once: Some(at_once), ..self }
    }

    /// # Panics
    ///
    /// If the machine has no port left on the loopback address.
    pub async fn start(self) -> FakeSpeech {
        let listener = listen().expect("a free port on the loopback address");
        let address = listener.local_addr().expect("a listener that is bound has an address");
        let ear = Arc::new(Ear::default());
        let service = Service {
            ear: Arc::clone(&ear),
            clock: AlarmClock::start(),
            script: self.script,
            key: self.key,
            at_once: self.at_once,
        };
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new()
            .name("fake-speech".to_owned())
            .spawn(move || serve(listener, router(Arc::new(service)), stopped))
            .expect("a thread for the server");
        FakeSpeech { address, ear, stop: Some(stop), thread: Some(thread) }
    }
}
