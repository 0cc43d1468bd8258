//! Every route, and the way of a request from its arrival to its answer.

use std::{
    future,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderName, HeaderValue, Response},
    routing::{get, post},
};

use crate::{
    anthropic,
    cache::{CacheAccount, tokens},
    call::OpenCall,
    delivery::{self, AnswerFrames},
    http::{self, ReadRequest},
    openai,
    planned_response::{Fault, PlannedResponse, Script},
    prompt::Prompt,
    refusal::Refusal,
    reply,
    seen::{Api, BilledUsage, RequestOutcome, Seen},
    seen_requests::SeenRequests,
    wire::{self, ClaimedUsage, StopReason, WireAnswer},
};

/// What every request is answered with.
#[derive(Debug)]
pub(crate) struct ProviderState {
    pub(crate) requests: Arc<SeenRequests>,
    pub(crate) script: Script,
    pub(crate) key: Option<String>,
    /// `None`: every name is a model.
    pub(crate) models: Option<Vec<String>>,
}

type Shared = State<Arc<ProviderState>>;

pub(crate) fn router(provider: Arc<ProviderState>) -> Router {
    let chat = |api| post(move |State(provider): Shared, request| provider.chat(api, request));
    let models = |api| get(move |State(provider): Shared, request| provider.list(api, request));
    Router::new()
        .route("/v1/messages", chat(Api::Anthropic))
        .route("/v1/chat/completions", chat(Api::OpenAi))
        .route("/v1beta/models/{*call}", chat(Api::Gemini))
        .route("/api/chat", chat(Api::Ollama))
        .route("/v1/models", get(either))
        .route("/v1beta/models", models(Api::Gemini))
        .route("/api/tags", models(Api::Ollama))
        .fallback(lost)
        .method_not_allowed_fallback(lost)
        .with_state(provider)
}

/// Two providers list their models at the same path; only one of them wants a version.
async fn either(State(provider): Shared, request: Request) -> Response<Body> {
    let api = if request.headers().contains_key("anthropic-version") { Api::Anthropic } else { Api::OpenAi };
    provider.list(api, request).await
}

async fn lost(State(provider): Shared, request: Request) -> Response<Body> {
    let (call, seen) = provider.meet(Api::OpenAi, request).await;
    refuse(call, &seen, &Refusal::NoSuchPath(format!("{} {}", seen.method, seen.path)), None)
}

impl ProviderState {
    async fn chat(self: Arc<Self>, api: Api, request: Request) -> Response<Body> {
        let (call, seen) = self.meet(api, request).await;
        let prompt = seen.prompt();
        if let Err(problem) = self.admit(&seen, &prompt) {
            return refuse(call, &seen, &problem, None);
        }
        let act = self.script.decide(&seen);
        match &act.fault {
            Some(Fault::Hang) => future::pending().await,
            Some(Fault::Redirect(url)) => {
                call.wait(act.latency).await;
                call.begin(&CacheAccount::default());
                call.finish(RequestOutcome::Failed);
                return http::redirect(url);
            }
            Some(fault) => {
                if let Some(problem) = delivery::refusal(fault, &seen, &prompt) {
                    call.wait(act.latency).await;
                    let retry_after = if let Fault::Status(_, wait) = fault { *wait } else { None };
                    return refuse(call, &seen, &problem, retry_after);
                }
            }
            None => {}
        }
        let account = self.requests.account(api, &seen.model, &prompt);
        let delivery = compose(&seen, &prompt, &act, &account);
        call.wait(act.latency).await;
        call.begin(&account);
        answered(&seen, delivery.content_type, call.deliver(delivery, act.pause))
    }

    async fn list(self: Arc<Self>, api: Api, request: Request) -> Response<Body> {
        let (call, seen) = self.meet(api, request).await;
        if !self.knows_key(&seen) {
            return refuse(call, &seen, &Refusal::Status(401), None);
        }
        call.begin(&CacheAccount::default());
        call.finish(RequestOutcome::Answered);
        let names = self.models.as_deref().unwrap_or_default();
        answered(&seen, "application/json", Body::from(wire::models(api, names).to_string()))
    }

    /// Reads a request and adds it to those seen.
    async fn meet(&self, api: Api, request: Request) -> (OpenCall, Seen) {
        let arrived = Instant::now();
        let mut seen = see(api, ReadRequest::read(request).await, arrived);
        self.requests.arrive(&mut seen);
        (OpenCall::new(Arc::clone(&self.requests), seen.number, arrived), seen)
    }

    fn admit(&self, seen: &Seen, prompt: &Prompt<'_>) -> Result<(), Refusal> {
        if !self.knows_key(seen) {
            return Err(Refusal::Status(401));
        }
        if !seen.body.is_object() {
            return Err(Refusal::Invalid("the request body is not a JSON object".to_owned()));
        }
        match seen.api {
            Api::Anthropic => anthropic::check(&seen.headers, &seen.body, prompt),
            Api::OpenAi => openai::check(&seen.body, prompt),
            Api::Gemini | Api::Ollama if prompt.blocks.is_empty() => Err("nothing was asked".to_owned()),
            Api::Gemini | Api::Ollama => Ok(()),
        }
        .map_err(Refusal::Invalid)?;
        if self.models.as_ref().is_some_and(|models| !models.contains(&seen.model)) {
            return Err(Refusal::UnknownModel(seen.model.clone()));
        }
        Ok(())
    }

    fn knows_key(&self, seen: &Seen) -> bool {
        let Some(key) = &self.key else { return true };
        let header = match seen.api {
            Api::Anthropic => "x-api-key",
            Api::Gemini => "x-goog-api-key",
            Api::OpenAi | Api::Ollama => "authorization",
        };
        let given = seen.headers.get(header);
        given.is_some_and(|given| given.strip_prefix("Bearer ").unwrap_or(given) == key)
    }
}

/// The answer in bytes, ready before its time has come so that making it costs no latency.
fn compose(seen: &Seen, prompt: &Prompt<'_>, act: &PlannedResponse, account: &CacheAccount) -> AnswerFrames {
    let text = match (&act.fault, &act.text) {
        (Some(Fault::Empty), _) => String::new(),
        (Some(Fault::Refuse), _) if seen.api == Api::Ollama => "I can't help with that.".to_owned(),
        (Some(Fault::Refuse), _) => String::new(),
        (Some(Fault::Malformed), _) => reply::malformed(prompt),
        (_, Some(text)) => text.clone(),
        (_, None) => match prompt.schema {
            Some(schema) => reply::structured(prompt, schema).to_string(),
            None => reply::default_reply(prompt),
        },
    };
    let (text, stop) = match prompt.max_tokens {
        _ if act.fault == Some(Fault::Refuse) => (text.as_str(), StopReason::Refused),
        Some(limit) if tokens(text.len()) > limit => {
            // The limit is below the text's own tokens, so four bytes for each end within it.
            let end = usize::try_from(limit).map_or(text.len(), |limit| limit.saturating_mul(4));
            (&text[..text.floor_char_boundary(end)], StopReason::Length)
        }
        _ => (text.as_str(), StopReason::End),
    };
    let lie = if let Some(Fault::Lie(lie)) = act.fault { Some(lie) } else { None };
    let usage = BilledUsage { output: tokens(text.len()), ..account.usage };
    let answer = WireAnswer {
        id: &id(seen),
        model: &seen.model,
        text,
        stop,
        claim: ClaimedUsage::of(usage, lie),
        wants_usage: prompt.wants_usage,
    };
    if prompt.streamed != (act.fault == Some(Fault::OtherDelivery)) {
        AnswerFrames::streamed(seen.api, &answer, act)
    } else {
        AnswerFrames::plain(seen.api, &answer, act)
    }
}

fn see(api: Api, arrival: ReadRequest, arrived: Instant) -> Seen {
    let ReadRequest { method, path, headers, body } = arrival;
    let model = match api {
        Api::Gemini => model_in(path.split('?').next().unwrap_or_default()),
        Api::Anthropic | Api::OpenAi | Api::Ollama => body["model"].as_str().unwrap_or_default(),
    };
    Seen {
        number: 0,
        api,
        method: method.to_string(),
        model: model.to_owned(),
        path,
        headers,
        body: Arc::new(body),
        arrived,
        began: None,
        finished: None,
        in_flight: 0,
        outcome: RequestOutcome::InFlight,
        usage: BilledUsage::default(),
    }
}

/// Gemini names the model in the path: `/v1beta/models/<model>:<method>`.
fn model_in(path: &str) -> &str {
    let call = path.split_once("/models/").map_or("", |(_, call)| call);
    call.rsplit_once(':').map_or(call, |(model, _)| model)
}

fn refuse(call: OpenCall, seen: &Seen, problem: &Refusal, retry_after: Option<Duration>) -> Response<Body> {
    call.begin(&CacheAccount::default());
    call.finish(RequestOutcome::Failed);
    problem.response(seen.api, retry_after, &format!("req_{}", id(seen)))
}

/// A success with the id that support would ask for.
fn answered(seen: &Seen, content_type: &'static str, body: Body) -> Response<Body> {
    let name = if seen.api == Api::Anthropic { "request-id" } else { "x-request-id" };
    let mut response = http::response(200, content_type, body);
    if let Ok(id) = HeaderValue::from_str(&format!("req_{}", id(seen))) {
        response.headers_mut().insert(HeaderName::from_static(name), id);
    }
    response
}

fn id(seen: &Seen) -> String {
    format!("fake{:08}", seen.number)
}
