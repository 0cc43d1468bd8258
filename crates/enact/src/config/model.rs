//! One `[models.<name>]` of the configuration.

use std::{ops::RangeInclusive, time::Duration};

use enact_drama::{
    Place, Problem,
    located::{Group, Key, Located, Value},
    model_card::Context,
    usage::Price,
};
use enact_models::{PromptCache, Provider, Settings};

use super::Entry;

pub(super) const KEYS: [&str; 12] = [
    "provider",
    "model",
    "temperature",
    "max_tokens",
    "timeout_seconds",
    "retries",
    "base_url",
    "key_env",
    "context",
    "cache",
    "thread_tokens",
    "price",
];

/// Words people try that are no misspelling of the key they mean.
const SYNONYMS: [(&str, &str); 7] = [
    ("api_base", "base_url"),
    ("api_key_env", "key_env"),
    ("endpoint", "base_url"),
    ("name", "model"),
    ("timeout", "timeout_seconds"),
    ("tokens", "max_tokens"),
    ("url", "base_url"),
];

/// What a key would be written as.
pub(super) const SECRETS: [&str; 6] = ["key", "api_key", "apikey", "api-key", "secret", "token"];

const PRICE_KEYS: [&str; 4] = ["input", "output", "cache_read", "cache_write"];

/// What a base URL looks like: that of a server on this machine.
const BASE_URL: &str = "http://127.0.0.1:8080/v1/";

/// No provider takes more.
const TEMPERATURES: RangeInclusive<f64> = 0.0..=2.0;

/// No model answers at greater length, and a line of dialogue takes a few dozen.
const MOST_ANSWER_TOKENS: i64 = 200_000;

/// Whoever has failed eleven times in a row is not about to answer.
const MOST_RETRIES: i64 = 10;

/// Below a thousand tokens a thread could not hold the rules and one sheet; no model holds ten million.
const THREAD_TOKENS: RangeInclusive<i64> = 1_000..=10_000_000;

/// A hundred times the dearest there is. More is a price per token, or in cents.
const DEAREST_USD: f64 = 100_000.0;

/// A dollar for a million tokens, in nano-USD for one.
const NANO_USD_PER_TOKEN: f64 = 1_000.0;

pub(super) fn read(name: Key, group: Group) -> Result<Entry, Problem> {
    let place = name.place;
    let whole = Whole::collect(group)?;
    let missing = |key: &str, example: &str| {
        Problem::config(format!("models.{} has no '{key}'", name.text))
            .at(place.line, place.column)
            .hint(format!("for example: {key} = \"{example}\""))
    };
    let provider = whole.provider.ok_or_else(|| missing("provider", "anthropic"))?;
    if provider == Provider::OpenAiCompatible && whole.base_url.is_none() {
        return Err(missing("base_url", BASE_URL));
    }
    if provider == Provider::ClaudeCode {
        whole.check_command()?;
    }
    let model = whole.model.ok_or_else(|| missing("model", example(provider)))?;
    let standard = Settings::new(provider, model);
    let key_optional = whole.base_url.is_some() && whole.key_env.is_none();
    let settings = Settings {
        base_url: whole.base_url.map(|(url, _)| url),
        temperature: whole.temperature,
        max_tokens: whole.max_tokens,
        timeout: whole.timeout,
        retries: whole.retries.unwrap_or(standard.retries),
        price: whole.price,
        context: whole.context.unwrap_or(standard.context),
        cache: whole.cache.unwrap_or(standard.cache),
        thread_tokens: whole.thread_tokens,
        ..standard
    };
    let key_variable =
        whole.key_env.map(|(name, _)| name).or_else(|| provider.key_variable().map(str::to_owned));
    Ok(Entry { name: name.text, settings, key_variable, key_optional, place: Some(place) })
}

/// What may be called what, for the hint.
pub(super) const PLAIN_NAMES: &str =
    "use letters, digits, '-', '_' and '.', starting with a letter or digit, at most 64";

/// Longer names only make tables wide.
const LONGEST_NAME: usize = 64;

/// Whether models and voices may be called that.
pub(super) fn is_plain_name(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
}

/// As much of a name as a complaint repeats.
pub(super) fn quoted(name: &str) -> String {
    name.escape_debug().take(LONGEST_NAME).collect()
}

/// A URL that can be called: http or https, with a host, and without anything secret in it.
pub(super) fn read_url(value: Located, key: &str, example: &str) -> Result<Option<String>, Problem> {
    let place = value.place;
    let Some(url) = value.text(key)? else { return Ok(None) };
    let at = |problem: Problem| problem.at(place.line, place.column);
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    // Not quoted back: what stands before the '@' is a password.
    if host.contains('@') {
        return Err(at(Problem::config(format!("{key} must not hold a name or a password"))
            .hint("keys come from the environment: name the variable with key_env")));
    }
    if host.is_empty() || host.starts_with(':') || url.contains(|c: char| c.is_whitespace() || c.is_control())
    {
        return Err(at(Problem::config(format!("{key} must be a URL that begins with http:// or https://"))
            .hint(format!("for example \"{example}\""))));
    }
    Ok(Some(url))
}

/// Everything that may be said of a model, as far as it is.
#[derive(Default)]
struct Whole {
    provider: Option<Provider>,
    model: Option<String>,
    temperature: Option<f64>,
    max_tokens: Option<u32>,
    timeout: Option<Duration>,
    retries: Option<usize>,
    base_url: Option<(String, Place)>,
    key_env: Option<(String, Place)>,
    context: Option<Context>,
    cache: Option<PromptCache>,
    thread_tokens: Option<u32>,
    price: Option<Price>,
}

impl Whole {
    fn collect(group: Group) -> Result<Whole, Problem> {
        const CONTEXTS: [(&str, Context); 2] = [("thread", Context::Thread), ("window", Context::Window)];
        const CACHES: [(&str, PromptCache); 3] =
            [("5m", PromptCache::FiveMinutes), ("1h", PromptCache::OneHour), ("off", PromptCache::Off)];
        let mut whole = Whole::default();
        for (key, value) in group.0 {
            let place = value.place;
            match key.text.as_str() {
                "provider" => whole.provider = read_provider(value)?,
                "model" => whole.model = read_model_name(value)?,
                "temperature" => whole.temperature = within(value, "temperature", TEMPERATURES)?,
                "max_tokens" => whole.max_tokens = count(value, "max_tokens", 1..=MOST_ANSWER_TOKENS)?,
                "timeout_seconds" => whole.timeout = read_timeout(value)?,
                "retries" => {
                    whole.retries = count(value, "retries", 0..=MOST_RETRIES)?.map(|n| n as usize);
                }
                "base_url" => whole.base_url = read_url(value, "base_url", BASE_URL)?.map(|url| (url, place)),
                "key_env" => whole.key_env = read_variable(value, "key_env")?.map(|name| (name, place)),
                "context" => whole.context = value.one_of("context", &CONTEXTS)?,
                "cache" => whole.cache = value.one_of("cache", &CACHES)?,
                "thread_tokens" => whole.thread_tokens = count(value, "thread_tokens", THREAD_TOKENS)?,
                "price" => whole.price = Some(read_price(value)?),
                secret if SECRETS.contains(&secret.to_ascii_lowercase().as_str()) => {
                    return Err(no_secrets(&key));
                }
                _ => return Err(key.unknown(&KEYS, &SYNONYMS)),
            }
        }
        Ok(whole)
    }

    /// The command line has a login and an address of its own.
    fn check_command(&self) -> Result<(), Problem> {
        let given = [("base_url", &self.base_url), ("key_env", &self.key_env)];
        match given.into_iter().find_map(|(key, value)| Some((key, value.as_ref()?.1))) {
            Some((key, place)) => Err(Problem::config(format!("{key} means nothing to claude-code"))
                .at(place.line, place.column)
                .hint("the claude command has a login and an address of its own; remove it")),
            None => Ok(()),
        }
    }
}

pub(super) fn no_secrets(key: &Key) -> Problem {
    Problem::config(format!("'{}': keys are never written into this file", key.text))
        .at(key.place.line, key.place.column)
        .hint("put the key into an environment variable and name that: key_env = \"MY_KEY\"")
}

fn read_provider(value: Located) -> Result<Option<Provider>, Problem> {
    value.one_of("provider", &Provider::ALL.map(|provider| (provider.as_str(), provider)))
}

fn read_model_name(value: Located) -> Result<Option<String>, Problem> {
    let wrong = value.wrong("model", "what the provider calls the model");
    match value.text("model")? {
        Some(name) if name.trim().is_empty() || name.contains(char::is_control) => Err(wrong),
        name => Ok(name),
    }
}

/// Capital letters only, which is how such variables are written. A key pasted here by mistake has others, and so is
/// refused before it could be quoted as a variable that is not set.
pub(super) fn read_variable(value: Located, key: &str) -> Result<Option<String>, Problem> {
    let place = value.place;
    let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    match value.text(key)? {
        Some(name)
            if name.is_empty()
                || name.starts_with(|c: char| c.is_ascii_digit())
                || !name.chars().all(plain) =>
        {
            Err(Problem::config(format!("{key} must be the name of an environment variable, not a key"))
                .at(place.line, place.column)
                .hint("capital letters, digits and '_', for example \"MY_KEY\""))
        }
        name => Ok(name),
    }
}

fn read_timeout(value: Located) -> Result<Option<Duration>, Problem> {
    const SHORTEST_SECONDS: f64 = 0.001;
    /// No production waits longer for an answer.
    const LONGEST_SECONDS: f64 = 3_600.0;
    let seconds = within(value, "timeout_seconds", SHORTEST_SECONDS..=LONGEST_SECONDS)?;
    Ok(seconds.map(Duration::from_secs_f64))
}

fn read_price(value: Located) -> Result<Price, Problem> {
    let place = value.place;
    let example = "for example: price = { input = 3.0, output = 15.0 }, in USD for a million tokens";
    if !matches!(value.value, Value::Group(_)) {
        return Err(value.wrong("price", "an input and an output price").hint(example));
    }
    let mut prices = [None; PRICE_KEYS.len()];
    for (key, value) in value.group("price")?.0 {
        let Some(index) = PRICE_KEYS.iter().position(|known| *known == key.text) else {
            return Err(key.unknown(&PRICE_KEYS, &[("in", "input"), ("out", "output")]));
        };
        let usd = within(value, &format!("price.{}", key.text), 0.0..=DEAREST_USD)?;
        prices[index] = usd.map(|usd| (usd * NANO_USD_PER_TOKEN).round() as u64);
    }
    let [input, output, cache_read, cache_write] = prices;
    let missing =
        |key| Problem::config(format!("price has no '{key}'")).at(place.line, place.column).hint(example);
    let uncached = input.ok_or_else(|| missing("input"))?;
    Ok(Price {
        uncached,
        cache_read: cache_read.unwrap_or(uncached),
        cache_write: cache_write.unwrap_or(uncached),
        output: output.ok_or_else(|| missing("output"))?,
    })
}

pub(super) fn within(value: Located, key: &str, range: RangeInclusive<f64>) -> Result<Option<f64>, Problem> {
    let wrong = value.wrong(key, &format!("a number from {} to {}", range.start(), range.end()));
    match value.number(key).map_err(|_| wrong.clone())? {
        Some(number) if !range.contains(&number) => Err(wrong),
        number => Ok(number),
    }
}

pub(super) fn count(value: Located, key: &str, range: RangeInclusive<i64>) -> Result<Option<u32>, Problem> {
    let wrong = value.wrong(key, &format!("a whole number from {} to {}", range.start(), range.end()));
    match value.whole(key).map_err(|_| wrong.clone())? {
        None => Ok(None),
        Some(number) if range.contains(&number) => u32::try_from(number).map(Some).map_err(|_| wrong),
        Some(_) => Err(wrong),
    }
}

/// What a model of each provider is called, to show how it is written.
fn example(provider: Provider) -> &'static str {
    match provider {
        Provider::Anthropic => "claude-sonnet-4-5",
        Provider::OpenAi => "gpt-5-mini",
        Provider::Gemini => "gemini-2.5-flash",
        Provider::Ollama | Provider::OpenAiCompatible => "llama3.2",
        Provider::ClaudeCode => "sonnet",
    }
}
