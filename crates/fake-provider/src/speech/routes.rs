//! The two routes that speak, and the way of a request from its arrival to its sound.

use std::{sync::Arc, time::Instant};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderValue, Response, StatusCode, header},
    routing::post,
};

use super::{
    act::{SpeechFault, SpeechScript},
    answer,
    asked::{Asked, Ear, SpeechApi},
    problem::{self, Problem},
};
use crate::alarm::AlarmClock;

/// What every request is answered with.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) ear: Arc<Ear>,
    pub(crate) clock: AlarmClock,
    pub(crate) script: SpeechScript,
    pub(crate) key: Option<String>,
    pub(crate) at_once: Option<usize>,
}

/// Far more than anybody wants said.
const MAX_REQUEST_BYTES: usize = 1024 * 1024;

type Shared = State<Arc<Service>>;

pub(crate) fn router(service: Arc<Service>) -> Router {
    let speech = |api| post(move |State(service): Shared, request| service.speak(api, request));
    Router::new()
        .route("/v1/text-to-speech/{voice}", speech(SpeechApi::ElevenLabs))
        .route("/v1/audio/speech", speech(SpeechApi::OpenAi))
        .fallback(|| async { problem::page(404) })
        .with_state(service)
}

impl Service {
    async fn speak(self: Arc<Self>, api: SpeechApi, request: Request) -> Response<Body> {
        let arrived = Instant::now();
        let asked = self.meet(api, request).await;
        if let Some(problem) = Problem::of(&asked, self.key.as_deref()) {
            return problem.response(api, None);
        }
        // Held until all is sent, where that takes its time.
        let Some(place) = self.ear.place(self.at_once) else { return Problem::Crowded.response(api, None) };
        let speech = self.script.decide(&asked);
        if speech.fault == Some(SpeechFault::Hang) {
            std::future::pending::<()>().await;
        }
        self.clock.wait_until(arrived + speech.latency).await;
        if let Some(fault) = &speech.fault
            && let Some(response) = refused(&asked, fault)
        {
            place.leave();
            return response;
        }
        let (media_type, body) = answer::sound(&asked, speech.fault.as_ref(), place);
        let mut response = Response::new(body);
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        response
    }

    /// Reads a request and enters it.
    async fn meet(&self, api: SpeechApi, request: Request) -> Asked {
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, MAX_REQUEST_BYTES).await.unwrap_or_default();
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let mut asked = Asked {
            number: 0,
            api,
            path: parts.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned(),
            headers: parts
                .headers
                .iter()
                .map(|(name, value)| (name.as_str().to_owned(), text(value)))
                .collect(),
            body: serde_json::from_slice(&body).unwrap_or_default(),
        };
        self.ear.arrive(&mut asked);
        asked
    }
}

/// What is sent in place of sound, for faults that are about that.
fn refused(asked: &Asked, fault: &SpeechFault) -> Option<Response<Body>> {
    Some(match fault {
        SpeechFault::Status(status, wait) => Problem::Status(*status).response(asked.api, *wait),
        SpeechFault::Busy(wait) => Problem::Busy.response(asked.api, *wait),
        SpeechFault::Crowded => Problem::Crowded.response(asked.api, None),
        SpeechFault::NoCredit => Problem::NoCredit.response(asked.api, None),
        SpeechFault::RepeatKey => {
            let key = asked.key().unwrap_or_default();
            Problem::Invalid(format!("no, not with the key {key}")).response(asked.api, None)
        }
        SpeechFault::Page(status) => problem::page(*status),
        SpeechFault::Redirect(url) => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::TEMPORARY_REDIRECT;
            let url = HeaderValue::from_str(url).expect("a script redirects to what fits into a header");
            response.headers_mut().insert(header::LOCATION, url);
            response
        }
        _ => return None,
    })
}
