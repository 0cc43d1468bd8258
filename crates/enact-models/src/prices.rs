//! What tokens cost at published prices, and which models Claude's aliases stand for today.
//!
//! Prices change without a release of enact: the table (`prices.txt`) says when it was true, `enact models`
//! shows that date, and the operator's own price wins. A model that is not in the table has no price: costs
//! are then unknown, never guessed.

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, sync::LazyLock};

use enact_drama::usage::Price;

use crate::{PromptCache, Provider};

static TABLE: LazyLock<PriceTable> =
    LazyLock::new(|| PriceTable::parse(include_str!("prices.txt")).expect("a table that a test reads"));

/// The day on which the providers' pages said so.
pub fn date() -> &'static str {
    TABLE.date
}

/// What a provider asks for a model's tokens, if it is known.
///
/// Prices are those of ordinary requests: no batches, no fast lanes, and prompts short enough for the first
/// tier where a provider charges more for long ones (100,000 tokens at the least, where threads are long
/// trimmed).
pub fn published(provider: Provider, model: &str, cache: PromptCache) -> Option<Price> {
    match provider {
        // Runs on the operator's own machine.
        Provider::Ollama => Some(Price::FREE),
        // The prices of an unknown server are not known, and the command says itself what a call cost.
        Provider::OpenAiCompatible | Provider::ClaudeCode => None,
        Provider::Anthropic | Provider::OpenAi | Provider::Gemini => {
            // A few dated models have prices of their own.
            let named = |name| TABLE.rows.get(&(provider.as_str(), name));
            named(model).or_else(|| named(undated(model)?)).map(|row| row.price(cache))
        }
    }
}

/// The model that one of Claude's aliases (`haiku`, `sonnet`, `opus`) stands for where the provider wants a
/// full name.
pub fn current_claude(alias: &str) -> Option<&'static str> {
    TABLE.aliases.get(alias).copied()
}

/// `prices.txt`, read.
#[derive(Debug, Default)]
struct PriceTable {
    date: &'static str,
    aliases: BTreeMap<&'static str, &'static str>,
    /// By provider and model.
    rows: BTreeMap<(&'static str, &'static str), PriceRow>,
}

/// What one model's tokens cost, in nano-USD per token: 3,000 is $3 per million tokens.
#[derive(Debug, Clone, Copy)]
struct PriceRow {
    input: u64,
    cache_read: u64,
    cache_write: u64,
    /// Writing to a cache that is kept for an hour.
    hour_write: u64,
    output: u64,
}

impl PriceTable {
    fn parse(text: &'static str) -> Result<PriceTable, String> {
        let mut table = PriceTable::default();
        let mut provider = "";
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            let bad = || format!("prices.txt: '{line}' is no line of prices");
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["date", date] => table.date = date,
                ["provider", name] => provider = name,
                ["alias", alias, model] => {
                    table.aliases.insert(alias, model);
                }
                [model, input, read, write, hour, output] => {
                    let row = PriceRow::parse([input, read, write, hour, output]).ok_or_else(bad)?;
                    if table.rows.insert((provider, model), row).is_some() {
                        return Err(format!("prices.txt: {model} stands there twice"));
                    }
                }
                _ => return Err(bad()),
            }
        }
        Ok(table)
    }
}

impl PriceRow {
    fn parse([input, read, write, hour, output]: [&str; 5]) -> Option<PriceRow> {
        let nano = |usd: &str| usd.parse::<f64>().ok().map(|usd| (usd * 1_000.0).round() as u64);
        let or = |usd: &str, same: u64| if usd == "=" { Some(same) } else { nano(usd) };
        let input = nano(input)?;
        let cache_write = or(write, input)?;
        let hour_write = or(hour, cache_write)?;
        Some(PriceRow { input, cache_read: nano(read)?, cache_write, hour_write, output: nano(output)? })
    }

    fn price(&self, cache: PromptCache) -> Price {
        let cache_write = match cache {
            PromptCache::Off | PromptCache::FiveMinutes => self.cache_write,
            PromptCache::OneHour => self.hour_write,
        };
        Price { uncached: self.input, cache_read: self.cache_read, cache_write, output: self.output }
    }
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
