//! What tokens cost at published prices, and which models Claude's aliases stand for today.
//!
//! Prices change without a release of enact: the table says when it was true, `enact models` shows that date, and the
//! operator's own price wins. A model that is not in the table has no price: costs are then unknown, never guessed.

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, sync::LazyLock};

use enact_drama::usage::Price;
use serde::Deserialize;

use crate::{Cache, Provider, content::content};

static TABLE: LazyLock<Table> = LazyLock::new(|| content!("prices.toml"));

/// The prices of all models, by provider and name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    date: String,
    aliases: BTreeMap<String, String>,
    anthropic: BTreeMap<String, Row>,
    openai: BTreeMap<String, Row>,
    gemini: BTreeMap<String, Row>,
}

/// What one model's tokens cost.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    input: u64,
    cache_read: u64,
    cache_write: Option<u64>,
    hour_write: Option<u64>,
    output: u64,
}

impl Row {
    fn price(&self, cache: Cache) -> Price {
        let cache_write = self.cache_write.unwrap_or(self.input);
        let cache_write = match cache {
            Cache::Off | Cache::FiveMinutes => cache_write,
            Cache::OneHour => self.hour_write.unwrap_or(cache_write),
        };
        Price { uncached: self.input, cache_read: self.cache_read, cache_write, output: self.output }
    }
}

/// The day on which the providers' pages said so.
pub fn date() -> &'static str {
    &TABLE.date
}

/// What a provider asks for a model's tokens, if it is known.
///
/// Prices are those of ordinary requests: no batches, no fast lanes, and prompts short enough for the first tier
/// where a provider charges more for long ones (100,000 tokens at the least, where threads are long trimmed).
pub fn published(provider: Provider, model: &str, cache: Cache) -> Option<Price> {
    let rows = match provider {
        Provider::Anthropic => &TABLE.anthropic,
        Provider::OpenAi => &TABLE.openai,
        Provider::Gemini => &TABLE.gemini,
        // Runs on the operator's own machine.
        Provider::Ollama => return Some(Price::FREE),
        // Any server may be behind it, and the command says itself what a call cost.
        Provider::OpenAiCompatible | Provider::ClaudeCode => return None,
    };
    find(rows, model).map(|row| row.price(cache))
}

/// The model that one of Claude's aliases (`haiku`, `sonnet`, `opus`) stands for where the provider wants a full name.
pub fn current_claude(alias: &str) -> Option<&'static str> {
    TABLE.aliases.get(alias).map(String::as_str)
}

/// The row of exactly this name, or else of the name without its date: a few dated models have prices of their own.
fn find<'a>(rows: &'a BTreeMap<String, Row>, model: &str) -> Option<&'a Row> {
    rows.get(model).or_else(|| rows.get(undated(model)?))
}

/// The name before `-latest`, `-YYYYMMDD` or `-YYYY-MM-DD`; nothing if it ends in none of them.
fn undated(model: &str) -> Option<&str> {
    model
        .strip_suffix("-latest")
        .or_else(|| before(model, "dddddddd"))
        .or_else(|| before(model, "dddd-dd-dd"))
}

/// The name before a dash and a date of this form, in which `d` stands for a digit.
fn before<'a>(model: &'a str, form: &str) -> Option<&'a str> {
    let (name, date) = model.split_at_checked(model.len().checked_sub(form.len())?)?;
    let fits = |(c, f): (char, char)| if f == 'd' { c.is_ascii_digit() } else { c == f };
    date.chars().zip(form.chars()).all(fits).then(|| name.strip_suffix('-'))?
}
