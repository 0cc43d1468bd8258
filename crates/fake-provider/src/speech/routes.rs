//! The two routes that speak, and the way of a request from its arrival to its sound.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::Response,
    routing::post,
};

use super::{
    answer,
    asked::{SpeechAnswer, SpeechApi, SpeechFault, SpeechRequest},
    refusal::SpeechRefusal,
};
use crate::{
    http::{self, GATEWAY_PAGE, ReadRequest},
    planned_response::Script,
    running::{Traffic, wait_until},
};

/// What every request is answered with.
#[derive(Debug)]
pub(crate) struct SpeechState {
    pub(crate) asked: Arc<Mutex<Vec<SpeechRequest>>>,
    pub(crate) traffic: Arc<Traffic>,
    pub(crate) script: Script<SpeechRequest, SpeechAnswer>,
    pub(crate) key: Option<String>,
    pub(crate) at_once: Option<usize>,
}

/// A request that is being answered. Dropped with the answer, also when the client goes away.
#[derive(Debug)]
pub(crate) struct Served {
    traffic: Arc<Traffic>,
    answered: bool,
}

impl Served {
    /// Nothing more is to be sent.
    pub(crate) fn finish(mut self) {
        self.answered = true;
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.traffic.leave(!self.answered);
    }
}

type SharedSpeech = State<Arc<SpeechState>>;

pub(crate) fn router(service: Arc<SpeechState>) -> Router {
    let speech = |api| post(move |State(service): SharedSpeech, request| service.speak(api, request));
    Router::new()
        .route("/v1/text-to-speech/{voice}", speech(SpeechApi::ElevenLabs))
        .route("/v1/audio/speech", speech(SpeechApi::OpenAi))
        .fallback(|| async { page(404) })
        .with_state(service)
}

impl SpeechState {
    async fn speak(self: Arc<Self>, api: SpeechApi, request: Request) -> Response<Body> {
        let arrived = Instant::now();
        let asked = self.meet(api, request).await;
        if let Some(problem) = SpeechRefusal::of(&asked, self.key.as_deref()) {
            return problem.response(api, None);
        }
        if !self.traffic.enter(self.at_once) {
            return SpeechRefusal::Crowded.response(api, None);
        }
        // Held until all is sent, where that takes its time.
        let served = Served { traffic: Arc::clone(&self.traffic), answered: false };
        let speech = self.script.decide(&asked);
        if speech.fault == Some(SpeechFault::Hang) {
            std::future::pending::<()>().await;
        }
        wait_until(arrived + speech.latency).await;
        if let Some(fault) = &speech.fault
            && let Some(response) = refused(&asked, fault)
        {
            served.finish();
            return response;
        }
        let (media_type, body) = answer::sound(&asked, speech.fault.as_ref(), served);
        http::response(200, media_type, body)
    }

    /// Reads a request and enters it.
    async fn meet(&self, api: SpeechApi, request: Request) -> SpeechRequest {
        let ReadRequest { path, headers, body, .. } = ReadRequest::read(request).await;
        let mut all = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = SpeechRequest { number: all.len(), api, path, headers, body };
        all.push(asked.clone());
        // Last, so that a test that waits for it finds it entered.
        self.traffic.0.send_modify(|counts| counts.arrivals += 1);
        asked
    }
}

/// What is sent in place of sound, for faults that are about that.
fn refused(asked: &SpeechRequest, fault: &SpeechFault) -> Option<Response<Body>> {
    Some(match fault {
        SpeechFault::Status(status, wait) => SpeechRefusal::Status(*status).response(asked.api, *wait),
        SpeechFault::Busy(wait) => SpeechRefusal::Busy.response(asked.api, *wait),
        SpeechFault::Crowded => SpeechRefusal::Crowded.response(asked.api, None),
        SpeechFault::NoCredit => SpeechRefusal::NoCredit.response(asked.api, None),
        SpeechFault::RepeatKey => {
            let key = asked.key().unwrap_or_default();
            SpeechRefusal::Invalid(format!("no, not with the key {key}")).response(asked.api, None)
        }
        SpeechFault::Page(status) => page(*status),
        SpeechFault::Redirect(url) => http::redirect(url),
        _ => return None,
    })
}

/// What a proxy in between says.
fn page(status: u16) -> Response<Body> {
    http::response(status, "text/html", GATEWAY_PAGE)
}
