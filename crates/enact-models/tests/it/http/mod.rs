//! Language models over real HTTP, against a server that behaves and misbehaves like the real ones.

mod caching;
mod cancelling;
mod checking;
mod connections;
mod corpus;
mod dialects;
mod extras;
mod failures;
mod fixtures;
mod hazards;
mod listing;
mod live;
mod paying;
mod queueing;
mod raw_server;
mod reasoning;
mod requests;
mod retrying;
mod structure;

use std::{sync::Arc, time::Duration};

use enact_drama::{
    production::{Answer, Failure},
    request::{Message, MessageRole, Request, Schema},
};
use enact_engine::{Model, model::LiveText};
use enact_models::{ApiKey, Provider, Settings, connect};
use fake_provider::{Api, FakeProvider, Fault, PlannedResponse};
use serde_json::json;

/// No part of it may ever be seen anywhere.
const KEY: &str = "sk-test-4711-0815";

/// Everyone who is reached over HTTP, and the wire format they speak.
const PROVIDERS: [(Provider, Api); 5] = [
    (Provider::Anthropic, Api::Anthropic),
    (Provider::OpenAi, Api::OpenAi),
    (Provider::OpenAiCompatible, Api::OpenAi),
    (Provider::Gemini, Api::Gemini),
    (Provider::Ollama, Api::Ollama),
];

fn settings(provider: Provider, base_url: impl Into<String>) -> Settings {
    Settings {
        base_url: Some(base_url.into()),
        key: Some(ApiKey::new(KEY)),
        retries: 0,
        ..Settings::new(provider, "test-model")
    }
}

fn model_at(server: &FakeProvider, (provider, api): (Provider, Api)) -> Arc<dyn Model> {
    connect(settings(provider, server.base_url_for(api))).unwrap()
}

fn request() -> Request {
    let message = |role, text: &str| Message { role, text: text.into() };
    Request {
        system: vec!["The rules and the scene.".into(), "You are Alice.".into()],
        thread: vec![
            message(MessageRole::User, "Beat 0. You begin."),
            message(MessageRole::Assistant, "[TONE: calm] \"Hello, Bob.\""),
            message(MessageRole::User, "Beat 1. Bob says nothing."),
        ],
        max_tokens: 300,
        timeout_ms: 30_000,
        ..Request::default()
    }
}

fn schema() -> Arc<Schema> {
    let json = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["met", "sure"],
        "properties": {
            "met": {"type": "boolean"},
            "sure": {"type": "number", "minimum": 0, "maximum": 1},
        },
    });
    Arc::new(Schema { name: "verdict", json, exact: true })
}

/// How a model is asked: a run that is followed live has streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Delivery {
    Plain,
    Streamed,
}

impl Delivery {
    const BOTH: [Delivery; 2] = [Delivery::Plain, Delivery::Streamed];

    async fn ask(self, model: &dyn Model, request: Request) -> Result<Answer, Failure> {
        match self {
            Delivery::Plain => model.answer(request).await,
            Delivery::Streamed => model.answer_live(request, LiveText::to(|_| {})).await,
        }
    }
}

/// What one call gives when the server does this.
async fn answer_to(
    act: PlannedResponse,
    provider: (Provider, Api),
    delivery: Delivery,
) -> Result<Answer, Failure> {
    let server = FakeProvider::builder().script(move |_| act.clone()).start().await;
    delivery.ask(&*model_at(&server, provider), request()).await
}

async fn failure_of(fault: Fault, provider: (Provider, Api), delivery: Delivery) -> Failure {
    answer_to(PlannedResponse::fault(fault), provider, delivery).await.unwrap_err()
}

const SECOND: Duration = Duration::from_secs(1);
