//! What the operator says about a language model, and the model made from it.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use enact_drama::{
    Problem,
    model_card::{Context, ModelCard},
    request::Request,
    usage::Price,
};
use enact_engine::Model;
use enact_http::{ApiKey, CallDeadline};
use serde_json::{Map, Value, json};

use crate::{
    Provider,
    claude_code::ClaudeCode,
    extra_request::{ExtraHeader, shown_body},
    http::HttpModel,
    prices,
    reasoning::{Effort, ModelFamily, Thinking},
};

/// A language model to be connected to.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub provider: Provider,
    /// What the provider calls it. Reaches the provider unchanged.
    pub model: String,
    /// Where the provider is, if not at its usual address. Comes from the operator, never from a request.
    pub base_url: Option<String>,
    /// Read from the environment; nothing for providers that want none.
    pub key: Option<ApiKey>,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    /// What ends a line where the model writes it. Answers of a certain shape are not ended by it.
    pub stop: Vec<String>,
    pub seed: Option<u32>,
    /// Headers that every request carries.
    pub headers: Vec<ExtraHeader>,
    /// Fields that every request says besides.
    pub body: Map<String, Value>,
    /// The longest a line may be, with what was thought about it.
    pub max_tokens: Option<u32>,
    /// How much it deliberates; little for lines if nothing is said.
    pub effort: Option<Effort>,
    /// Whether it thinks; as it does by itself if nothing is said.
    pub thinking: Option<Thinking>,
    /// The longest a single call may take, retries included; the beat's deadline holds as well.
    pub timeout: Option<Duration>,
    /// How often a call that failed before its first token is tried again.
    pub retries: usize,
    /// How many calls are under way at once, in all runs of this process; the others wait.
    pub max_parallel: Option<usize>,
    /// How many tries leave in a minute, in all runs of this process; the others wait.
    pub requests_per_minute: Option<usize>,
    /// Instead of the published price.
    pub price: Option<Price>,
    /// The published price, where the project knows a newer one than this program.
    pub published: Option<Price>,
    pub context: Context,
    pub cache: PromptCache,
    /// How long threads may grow before they are trimmed.
    pub thread_tokens: Option<u32>,
    /// The models that are asked where it has failed for good, by their names, in this order.
    pub fallback: Vec<String>,
}

impl Settings {
    pub fn new(provider: Provider, model: impl Into<String>) -> Settings {
        Settings {
            provider,
            model: model.into(),
            base_url: None,
            key: None,
            temperature: None,
            top_p: None,
            stop: Vec::new(),
            seed: None,
            headers: Vec::new(),
            body: Map::new(),
            max_tokens: None,
            effort: None,
            thinking: None,
            timeout: None,
            retries: DEFAULT_RETRIES,
            max_parallel: None,
            requests_per_minute: None,
            price: None,
            published: None,
            context: provider.context(),
            cache: PromptCache::default(),
            thread_tokens: None,
            fallback: Vec::new(),
        }
    }

    /// The longest answer that is allowed: the request says what is of use, the operator how long a line may
    /// be. The operator's limit does not hold for JSON, of which a half would be paid for and worth nothing.
    pub(crate) fn longest_answer(&self, request: &Request) -> u32 {
        match (self.max_tokens, &request.schema) {
            (Some(limit), None) => limit.min(request.max_tokens),
            _ => request.max_tokens,
        }
    }

    /// How often a program that tries again by itself may do so: no more often than may be paid for, since it
    /// does not say beforehand whether what it tries again is billed.
    pub(crate) fn retries_within(&self, request: &Request) -> usize {
        let paid = request.paid_tries.map_or(usize::MAX, |tries| tries.saturating_sub(1) as usize);
        self.retries.min(paid)
    }

    /// How much the model is told to deliberate, if anything is said about it. A line of dialogue takes
    /// little of it, and waiting for it costs a beat; what a judge makes of a scene is worth more, so that
    /// hidden calls are left to what the provider does by itself.
    pub(crate) fn effort_for(&self, request: &Request) -> Option<Effort> {
        let is_line = request.schema.is_none();
        let family = ModelFamily::of(self.provider, &self.model);
        let low = is_line && family.dial.is_some() && self.thinking.is_none();
        self.effort.or(low.then_some(Effort::Low))
    }

    /// Whether anything is said about how much to deliberate, in some request.
    pub(crate) fn may_say_effort(&self) -> bool {
        self.effort.is_some() || self.effort_for(&Request::default()).is_some()
    }

    /// The longest answer, if the operator says so or what is thought needs room beside what is said.
    fn answer_limit(&self) -> Option<u32> {
        let family = ModelFamily::of(self.provider, &self.model);
        let with_room = match self.thinking {
            Some(Thinking::Off) => None,
            Some(Thinking::Budget(tokens)) => Some(tokens.saturating_add(ROOM_FOR_WORDS)),
            Some(Thinking::On) => Some(ROOM_TO_THINK),
            None => family.thinks.then_some(ROOM_TO_THINK),
        };
        self.max_tokens.or(with_room)
    }

    /// What ends the answer to a request.
    pub(crate) fn stop_for(&self, request: &Request) -> &[String] {
        if request.schema.is_none() { &self.stop } else { &[] }
    }

    /// What may never be repeated beside the key.
    pub(crate) fn header_secrets(&self) -> Vec<ApiKey> {
        self.headers.iter().flat_map(ExtraHeader::secrets).cloned().collect()
    }

    /// What the operator has set, for logs: without anything secret.
    fn parameters(&self) -> BTreeMap<String, Value> {
        let mut set = BTreeMap::new();
        let mut add = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                set.insert(key.to_owned(), value);
            }
        };
        add("temperature", self.temperature.map(Value::from));
        add("top_p", self.top_p.map(Value::from));
        add("stop", (!self.stop.is_empty()).then(|| json!(self.stop)));
        add("seed", self.seed.map(Value::from));
        add("effort", self.effort.map(|effort| effort.as_str().into()));
        add(
            "thinking",
            self.thinking.map(|thinking| match thinking {
                Thinking::Off => "off".into(),
                Thinking::On => "on".into(),
                Thinking::Budget(tokens) => tokens.into(),
            }),
        );
        let headers: Map<String, Value> =
            self.headers.iter().map(|header| (header.name().to_owned(), header.shown().into())).collect();
        add("headers", (!headers.is_empty()).then(|| headers.into()));
        add("body", (!self.body.is_empty()).then(|| shown_body(&Value::Object(self.body.clone()))));
        set
    }

    /// How long one call may take.
    pub(crate) fn deadline(&self, request: &Request) -> CallDeadline {
        CallDeadline::new(Duration::from_millis(request.timeout_ms), self.timeout)
    }

    /// Timeout in the queue; the operator's timeout starts after it.
    pub(crate) fn queue_deadline(&self, request: &Request) -> CallDeadline {
        CallDeadline::new(Duration::from_millis(request.timeout_ms), None)
    }
}

/// Makes the model that settings describe. Nothing is sent yet.
///
/// What cannot work is a problem here: a bad address, a missing key. Whether the key is the
/// right one only the provider knows; [`Model::check`] asks.
pub fn connect(settings: Settings) -> Result<Arc<dyn Model>, Problem> {
    match settings.provider {
        Provider::ClaudeCode => Ok(Arc::new(ClaudeCode::new(&settings)?)),
        _ => Ok(Arc::new(HttpModel::connect(settings)?)),
    }
}

/// What logs say of the model that settings describe, whether or not it can be made.
pub fn card(settings: &Settings) -> ModelCard {
    let Settings { provider, model, cache, context, price, published, thread_tokens, .. } = settings;
    let (description, published) = match provider {
        // What a subscription is worth is the operator's to say.
        Provider::ClaudeCode => (format!("{model} through Claude Code"), None),
        _ => {
            let published = published.or_else(|| prices::published(*provider, model, *cache));
            (format!("{model} ({})", provider.as_str()), published)
        }
    };
    ModelCard {
        human: false,
        hidden_calls: Vec::new(),
        description,
        context: *context,
        price: price.or(published),
        provider: Some(provider.as_str().to_owned()),
        model: Some(model.clone()),
        label: None,
        max_tokens: settings.answer_limit(),
        thread_tokens: *thread_tokens,
        own_tokens: (*provider == Provider::ClaudeCode).then_some(CLAUDE_CODE_TOKENS),
        parameters: settings.parameters(),
        fallback: settings.fallback.clone(),
    }
}

/// How many tokens a model that thinks may use for an answer, unless the operator says otherwise: a line
/// takes a hundred, and with little effort a thought takes some hundreds.
const ROOM_TO_THINK: u32 = 4_096;

/// How many tokens are left for words beside a budget for thinking.
const ROOM_FOR_WORDS: u32 = 1_024;

/// What the `claude` command adds to each request of its own accord: some 250 tokens in version 2.1.
const CLAUDE_CODE_TOKENS: u32 = 250;

/// Two more tries get past most hiccups; a third would mostly meet the beat's deadline.
pub const DEFAULT_RETRIES: usize = 2;

/// How long a provider keeps what was sent, where it lets us say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PromptCache {
    Off,
    #[default]
    FiveMinutes,
    /// For runs that pause: writing costs more, and waiting less.
    OneHour,
}

#[cfg(test)]
mod tests;
