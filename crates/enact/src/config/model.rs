//! One `[models.<name>]` of the configuration.

use std::{collections::BTreeMap, time::Duration};

use enact_drama::{Problem, model_card::Context, usage::Price};
use enact_models::{Effort, ExtraHeader, PromptCache, Provider, Settings, Thinking, check_body, prices};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::{
    ModelEntry,
    fields::{StrictTable, fields, number, one_of, seconds, url, variable, whole, word, wrong},
    reference::RESERVED,
    source::TableEntry,
};

/// What a base URL looks like: that of a server on this machine.
const BASE_URL: &str = "http://127.0.0.1:8080/v1/";

/// A dollar for a million tokens, in nano-USD for one.
const NANO_USD_PER_TOKEN: f64 = 1_000.0;

/// What may be called what, for the hint.
pub(super) const PLAIN_NAMES: &str =
    "use letters, digits, '-', '_' and '.', starting with a letter or digit, at most 64";

/// Longer names only make tables wide.
const LONGEST_NAME: usize = 64;

/// Everything that may be said of a model.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ModelKeys {
    #[serde(deserialize_with = "provider")]
    provider: Option<Provider>,
    #[serde(deserialize_with = "model")]
    model: Option<String>,
    #[serde(deserialize_with = "temperature")]
    temperature: Option<f64>,
    #[serde(deserialize_with = "top_p")]
    top_p: Option<f64>,
    #[serde(deserialize_with = "stop")]
    stop: Vec<String>,
    #[serde(deserialize_with = "seed")]
    seed: Option<u32>,
    headers: Option<StrictTable<BTreeMap<String, String>>>,
    body: Option<StrictTable<Map<String, Value>>>,
    #[serde(deserialize_with = "max_tokens")]
    max_tokens: Option<u32>,
    #[serde(deserialize_with = "effort")]
    effort: Option<Effort>,
    #[serde(deserialize_with = "thinking")]
    thinking: Option<Thinking>,
    #[serde(deserialize_with = "timeout")]
    timeout_seconds: Option<Duration>,
    #[serde(deserialize_with = "retries")]
    retries: Option<usize>,
    #[serde(deserialize_with = "max_parallel")]
    max_parallel: Option<usize>,
    #[serde(deserialize_with = "base_url")]
    base_url: Option<String>,
    #[serde(deserialize_with = "variable")]
    key_env: Option<String>,
    #[serde(deserialize_with = "context")]
    context: Option<Context>,
    #[serde(deserialize_with = "cache")]
    cache: Option<PromptCache>,
    #[serde(deserialize_with = "thread_tokens")]
    thread_tokens: Option<u32>,
    price: Option<StrictTable<PriceKeys>>,
}

/// In USD for a million tokens. What is read from a cache, or written into one, costs as much as other input
/// unless a price says otherwise.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceKeys {
    #[serde(deserialize_with = "usd")]
    input: Option<f64>,
    #[serde(deserialize_with = "usd")]
    output: Option<f64>,
    #[serde(default, deserialize_with = "usd")]
    cache_read: Option<f64>,
    #[serde(default, deserialize_with = "usd")]
    cache_write: Option<f64>,
}

fields! {
    provider -> Option<Provider> =
        one_of(&Provider::all().map(|provider| (provider.as_str(), provider)).collect::<Vec<_>>());
    model -> Option<String> = word("what the provider calls the model");
    /// No provider takes more.
    temperature -> Option<f64> = number(0.0..=2.0);
    top_p -> Option<f64> = number(0.0..=1.0);
    /// The largest that every provider takes.
    seed -> Option<u32> = whole(0..=2_147_483_647);
    /// No model answers at greater length, and a line of dialogue takes a few dozen.
    max_tokens -> Option<u32> = whole(1..=200_000);
    effort -> Option<Effort> = one_of(&Effort::ALL.map(|effort| (effort.as_str(), effort)));
    /// No production waits longer than an hour for an answer.
    timeout -> Option<Duration> = seconds(0.001..=3_600.0);
    /// A provider that has failed eleven times in a row is not about to answer.
    retries -> Option<usize> = whole(0..=10);
    /// More processes than that do not fit on one machine.
    max_parallel -> Option<usize> = whole(1..=1_000);
    base_url -> Option<String> = url(BASE_URL);
    context -> Option<Context> = one_of(&[("thread", Context::Thread), ("window", Context::Window)]);
    cache -> Option<PromptCache> =
        one_of(&[("5m", PromptCache::FiveMinutes), ("1h", PromptCache::OneHour), ("off", PromptCache::Off)]);
    /// Below a thousand tokens a thread could not hold the rules and one sheet; no model holds ten million.
    thread_tokens -> Option<u32> = whole(1_000..=10_000_000);
    /// A hundred times the dearest there is. More is a price per token, or in cents.
    usd -> Option<f64> = number(0.0..=100_000.0);
}

impl ModelKeys {
    pub(super) fn check(self, entry: &TableEntry<'_>) -> Result<ModelEntry, Problem> {
        check_name(entry)?;
        let provider = self.provider.ok_or_else(|| entry.missing("provider", "\"anthropic\""))?;
        if provider == Provider::OpenAiCompatible && self.base_url.is_none() {
            return Err(entry.missing("base_url", &format!("\"{BASE_URL}\"")));
        }
        check_means_something(provider, entry)?;
        if provider != Provider::ClaudeCode && self.max_parallel.is_some() {
            let hint = "it limits how many processes of claude-code run at once; remove it";
            let refused = format!("max_parallel means nothing to {}", provider.as_str());
            return Err(entry.problem_with("max_parallel", refused, hint));
        }
        self.check_thinking(provider, entry)?;
        let model = self.model.ok_or_else(|| entry.missing("model", &format!("{:?}", example(provider))))?;
        let headers = self.headers.map(|StrictTable(headers)| headers).unwrap_or_default();
        let header = |(name, written): (String, String)| {
            let at = |problem| entry.at(&["headers", &name], problem);
            ExtraHeader::parse(&name, &written).map_err(at)
        };
        let headers = headers.into_iter().map(header).collect::<Result<Vec<_>, Problem>>()?;
        let body = self.body.map(|StrictTable(body)| body).unwrap_or_default();
        check_body(&body).map_err(|problem| entry.at(&["body"], problem))?;
        let standard = Settings::new(provider, model);
        let key_optional = self.base_url.is_some() && self.key_env.is_none();
        let settings = Settings {
            base_url: self.base_url,
            temperature: self.temperature,
            top_p: self.top_p,
            stop: self.stop,
            seed: self.seed,
            headers,
            body,
            max_tokens: self.max_tokens,
            effort: self.effort,
            // No tokens to think with, which only Gemini takes.
            thinking: self.thinking.map(|thinking| match thinking {
                Thinking::Budget(0) => Thinking::Off,
                other => other,
            }),
            timeout: self.timeout_seconds,
            retries: self.retries.unwrap_or(standard.retries),
            max_parallel: self.max_parallel,
            price: self.price.and_then(|StrictTable(price)| price.in_nano_usd()),
            context: self.context.unwrap_or(standard.context),
            cache: self.cache.unwrap_or(standard.cache),
            thread_tokens: self.thread_tokens,
            ..standard
        };
        let key_variable = self.key_env.or_else(|| provider.key_variable().map(str::to_owned));
        Ok(ModelEntry { name: entry.name.to_owned(), settings, key_variable, key_optional })
    }
}

impl ModelKeys {
    fn check_thinking(&self, provider: Provider, entry: &TableEntry<'_>) -> Result<(), Problem> {
        let takes_budget = matches!(provider, Provider::Anthropic | Provider::Gemini | Provider::ClaudeCode);
        let is_gemini = provider == Provider::Gemini;
        let fewest = if is_gemini { FEWEST_GEMINI_THINKING_TOKENS } else { FEWEST_THINKING_TOKENS };
        let is_too_few = |tokens: u32| tokens < fewest && !(is_gemini && tokens == 0);
        let refused = |message: String, hint: &str| Err(entry.problem_with("thinking", message, hint));
        match (provider, self.thinking, self.max_tokens) {
            (Provider::OpenAiCompatible | Provider::Named(_), Some(_), _) => refused(
                format!("thinking means nothing to {}", provider.as_str()),
                "effort may be what you mean",
            ),
            (_, Some(Thinking::Budget(_)), _) if !takes_budget => refused(
                format!("{} takes no number of tokens to think", provider.as_str()),
                "\"off\", \"on\", or effort",
            ),
            (_, Some(Thinking::Budget(tokens)), _) if is_too_few(tokens) => refused(
                format!("{} takes no fewer than {fewest} tokens to think, found {tokens}", provider.as_str()),
                &format!("\"off\", \"on\", or a whole number from {fewest} to {MOST_THINKING_TOKENS}"),
            ),
            (_, Some(Thinking::Budget(tokens)), Some(all)) if tokens >= all => refused(
                format!("thinking ({tokens}) must be less than max_tokens ({all})"),
                "max_tokens counts what is thought and what is said",
            ),
            _ => Ok(()),
        }
    }
}

impl PriceKeys {
    fn in_nano_usd(&self) -> Option<Price> {
        let nano_usd = |usd: f64| (usd * NANO_USD_PER_TOKEN).round() as u64;
        let (uncached, output) = (nano_usd(self.input?), nano_usd(self.output?));
        let or_uncached = |usd: Option<f64>| usd.map_or(uncached, nano_usd);
        let (cache_read, cache_write) = (or_uncached(self.cache_read), or_uncached(self.cache_write));
        Some(Price { uncached, cache_read, cache_write, output })
    }
}

/// The fewest tokens that Anthropic takes as a budget for thinking.
const FEWEST_THINKING_TOKENS: u32 = 1_024;

/// The fewest that some model of Gemini takes; others want more, or take none at all.
const FEWEST_GEMINI_THINKING_TOKENS: u32 = 128;

/// More than any provider takes.
const MOST_THINKING_TOKENS: u32 = 200_000;

fn thinking<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Thinking>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum WrittenThinking {
        Word(String),
        Tokens(u32),
    }
    let most = MOST_THINKING_TOKENS;
    let wrong = || wrong(&format!("\"off\", \"on\" or a whole number of tokens up to {most}"));
    match WrittenThinking::deserialize(field).map_err(|_: D::Error| wrong())? {
        WrittenThinking::Word(word) if word == "off" => Ok(Some(Thinking::Off)),
        WrittenThinking::Word(word) if word == "on" => Ok(Some(Thinking::On)),
        WrittenThinking::Tokens(tokens) if tokens <= most => Ok(Some(Thinking::Budget(tokens))),
        WrittenThinking::Word(_) | WrittenThinking::Tokens(_) => Err(wrong()),
    }
}

/// Every provider takes at most so many texts that end an answer, and most of them fewer.
const MOST_STOPS: usize = 16;

fn stop<'de, D: Deserializer<'de>>(field: D) -> Result<Vec<String>, D::Error> {
    let wrong = || wrong(&format!("a list of 1 to {MOST_STOPS} texts"));
    let stop = Vec::<String>::deserialize(field).map_err(|_: D::Error| wrong())?;
    let fits = (1..=MOST_STOPS).contains(&stop.len()) && stop.iter().all(|text| !text.is_empty());
    if fits { Ok(stop) } else { Err(wrong()) }
}

/// Some keys cannot be told to some providers.
fn check_means_something(provider: Provider, entry: &TableEntry<'_>) -> Result<(), Problem> {
    const OF_HTTP: [&str; 7] = ["base_url", "key_env", "headers", "body", "top_p", "stop", "seed"];
    let (useless, hint): (&[&str], &str) = match provider {
        Provider::ClaudeCode => {
            (&OF_HTTP, "the claude command has a login and an address of its own; remove it")
        }
        Provider::Anthropic => (&["seed"], "its answers cannot be made to repeat themselves; remove it"),
        _ => (&[], ""),
    };
    match useless.iter().find(|key| entry.has(key)) {
        Some(key) => {
            let refused = format!("{key} means nothing to {}", provider.as_str());
            Err(entry.problem_with(key, refused, hint))
        }
        None => Ok(()),
    }
}

fn check_name(entry: &TableEntry<'_>) -> Result<(), Problem> {
    let refused = format!("a model cannot be called '{}'", quoted(entry.name));
    if !is_plain_name(entry.name) {
        return Err(entry.problem(refused, PLAIN_NAMES));
    }
    if RESERVED.contains(&entry.name) {
        return Err(entry.problem(refused, "that name means something already; choose another one"));
    }
    Ok(())
}

/// Whether models and voices may be called that.
pub(super) fn is_plain_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
}

/// As much of a name as a message repeats.
pub(super) fn quoted(name: &str) -> String {
    name.escape_debug().take(LONGEST_NAME).collect()
}

/// What a model of each provider is called, to show how it is written.
fn example(provider: Provider) -> &'static str {
    match provider {
        Provider::Anthropic => prices::current_claude("sonnet").unwrap_or("sonnet"),
        Provider::OpenAi => "gpt-6.1-terra",
        Provider::Gemini => "gemini-3.8-flash",
        Provider::Ollama | Provider::OpenAiCompatible => "llama3.2",
        Provider::ClaudeCode => "sonnet",
        Provider::Named(named) => named.example(),
    }
}

#[cfg(test)]
mod tests;
