//! The server that answers as language models do.

use std::{ops::Deref, sync::Arc, time::Duration};

use crate::{
    cache::DEFAULT_MINIMUM_TOKENS,
    planned_response::{PlannedResponse, Script},
    routes::{ProviderState, router},
    running::Running,
    seen::{Api, BilledUsage, Seen},
    seen_requests::SeenRequests,
};

/// A running server. It derefs to [`Running`], which says where it listens and how much it serves.
#[derive(Debug)]
pub struct FakeProvider {
    running: Running,
    requests: Arc<SeenRequests>,
}

impl FakeProvider {
    /// A server that gives good replies at once.
    ///
    /// # Panics
    ///
    /// If the machine has no port left on the loopback address.
    pub async fn start() -> Self {
        Self::builder().start().await
    }

    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Where Anthropic's and OpenAI's clients look: `http://127.0.0.1:<port>/v1/`.
    pub fn base_url(&self) -> String {
        self.base_url_for(Api::OpenAi)
    }

    /// Each client puts something else into its base address.
    pub fn base_url_for(&self, api: Api) -> String {
        let folder = match api {
            Api::Anthropic | Api::OpenAi => "v1/",
            Api::Gemini => "v1beta/",
            Api::Ollama => "",
        };
        format!("http://{}/{folder}", self.address())
    }

    /// Every request so far, in order of arrival; none if they are not recorded.
    pub fn seen(&self) -> Vec<Seen> {
        self.requests.seen()
    }

    /// What all answers together have been billed.
    pub fn usage(&self) -> BilledUsage {
        self.requests.usage()
    }

    /// Makes everything in the prompt caches older, as if so much time had passed.
    pub fn let_caches_age(&self, by: Duration) {
        self.requests.let_caches_age(by);
    }
}

impl Deref for FakeProvider {
    type Target = Running;

    fn deref(&self) -> &Running {
        &self.running
    }
}

/// A server to be.
#[derive(Debug, Default)]
pub struct Builder {
    script: Script,
    key: Option<String>,
    models: Option<Vec<String>>,
    cache_minimum_tokens: Option<u64>,
    without_record: bool,
}

impl Builder {
    /// What is done with each request that the provider accepts.
    pub fn script(self, script: impl Fn(&Seen) -> PlannedResponse + Send + Sync + 'static) -> Self {
        self.play(Script::new(script))
    }

    /// The same for a script that exists already.
    pub fn play(self, script: Script) -> Self {
        Self { script, ..self }
    }

    /// Demands this key in the header that each format uses for it; without it every route answers 401.
    pub fn key(self, key: impl Into<String>) -> Self {
        Self { key: Some(key.into()), ..self }
    }

    /// The only models there are: others are answered 404. Without this there are all, and none is listed.
    pub fn models<S: Into<String>>(self, models: impl IntoIterator<Item = S>) -> Self {
        Self { models: Some(models.into_iter().map(Into::into).collect()), ..self }
    }

    /// The shortest prefix that is cached.
    pub fn cache_minimum_tokens(self, tokens: u64) -> Self {
        Self { cache_minimum_tokens: Some(tokens), ..self }
    }

    /// Keeps no request, for benchmarks: usage and counts are still there.
    pub fn without_record(self) -> Self {
        Self { without_record: true, ..self }
    }

    /// # Panics
    ///
    /// If the machine has no port left on the loopback address.
    pub async fn start(self) -> FakeProvider {
        let minimum_tokens = self.cache_minimum_tokens.unwrap_or(DEFAULT_MINIMUM_TOKENS);
        let requests = Arc::new(SeenRequests::new(!self.without_record, minimum_tokens));
        let provider = ProviderState {
            requests: Arc::clone(&requests),
            script: self.script,
            key: self.key,
            models: self.models,
        };
        let traffic = Arc::clone(&requests.traffic);
        let running = Running::start("fake-provider", traffic, router(Arc::new(provider)));
        FakeProvider { running, requests }
    }
}
