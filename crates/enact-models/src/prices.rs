//! What tokens cost at published prices, and which models Claude's aliases stand for today.
//!
//! Prices change without a release of enact: the table says when it was true, `enact models` shows that date,
//! a project may have a table of its own, and the operator's own price wins. A model that is in no table has
//! no price: costs are then unknown, never guessed.

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, fmt, sync::LazyLock};

use enact_drama::usage::Price;
use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, Visitor},
};

use crate::{PromptCache, Provider, content::content};

static TABLE: LazyLock<PriceTable> = LazyLock::new(|| content!("prices.toml"));

/// Prices by provider and name, and what aliases stand for. The program's own is complete; a project's says
/// only what is different.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PriceTable {
    /// The day on which the providers' pages said so.
    pub date: Option<String>,
    aliases: BTreeMap<String, String>,
    /// By the provider's name.
    rows: BTreeMap<&'static str, BTreeMap<String, ModelPrices>>,
}

/// What a table may hold, for the message that something else is there.
static TABLE_KEYS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| ["date", "aliases"].into_iter().chain(Provider::all().map(Provider::as_str)).collect());

impl<'de> Deserialize<'de> for PriceTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PriceTable, D::Error> {
        deserializer.deserialize_map(PriceTableVisitor)
    }
}

struct PriceTableVisitor;

impl<'de> Visitor<'de> for PriceTableVisitor {
    type Value = PriceTable;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("keys with values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PriceTable, A::Error> {
        let mut table = PriceTable::default();
        while let Some(key) = map.next_key::<String>()? {
            match (key.as_str(), Provider::named(&key)) {
                ("date", _) => table.date = Some(map.next_value()?),
                ("aliases", _) => table.aliases = map.next_value()?,
                (_, Some(provider)) => {
                    table.rows.insert(provider.as_str(), map.next_value()?);
                }
                (unknown, None) => return Err(de::Error::unknown_field(unknown, &TABLE_KEYS)),
            }
        }
        Ok(table)
    }
}

/// What one model's tokens cost.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelPrices {
    input: PerMillionTokens,
    cache_read: Option<PerMillionTokens>,
    cache_write: Option<PerMillionTokens>,
    hour_write: Option<PerMillionTokens>,
    output: PerMillionTokens,
}

/// A price that is written in USD for a million tokens, in nano-USD for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PerMillionTokens(u64);

/// A hundred times the dearest there is. More is a price per token, or in cents.
const DEAREST_USD: f64 = 100_000.0;

/// A dollar for a million tokens, in nano-USD for one.
const NANO_USD_PER_TOKEN: f64 = 1_000.0;

impl<'de> Deserialize<'de> for PerMillionTokens {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PerMillionTokens, D::Error> {
        let usd = f64::deserialize(deserializer)?;
        if !(0.0..=DEAREST_USD).contains(&usd) {
            let expected = format!("USD for a million tokens, from 0 to {DEAREST_USD}");
            return Err(de::Error::custom(format!("must be {expected}, found {usd}")));
        }
        Ok(PerMillionTokens((usd * NANO_USD_PER_TOKEN).round() as u64))
    }
}

impl ModelPrices {
    fn price(&self, cache: PromptCache) -> Price {
        let PerMillionTokens(uncached) = self.input;
        let PerMillionTokens(output) = self.output;
        let or = |price: Option<PerMillionTokens>, other: u64| {
            price.map_or(other, |PerMillionTokens(price)| price)
        };
        let cache_write = or(self.cache_write, uncached);
        let cache_write = match cache {
            PromptCache::Off | PromptCache::FiveMinutes => cache_write,
            PromptCache::OneHour => or(self.hour_write, cache_write),
        };
        Price { uncached, cache_read: or(self.cache_read, uncached), cache_write, output }
    }
}

impl PriceTable {
    /// What a provider asks for a model's tokens, if this table says so.
    ///
    /// Prices are those of ordinary requests: no batches, no fast lanes, and prompts short enough for the
    /// first tier where a provider charges more for long ones (100,000 tokens at the least, where threads are
    /// long trimmed).
    pub fn price(&self, provider: Provider, model: &str, cache: PromptCache) -> Option<Price> {
        // The command says itself what a call cost.
        let rows = self.rows.get(provider.as_str()).filter(|_| provider != Provider::ClaudeCode)?;
        find(rows, model).map(|row| row.price(cache))
    }

    /// The model that one of Claude's aliases (`haiku`, `sonnet`, `opus`) stands for where the provider wants
    /// a full name.
    pub fn alias(&self, alias: &str) -> Option<&str> {
        self.aliases.get(alias).map(String::as_str)
    }
}

/// The day on which the providers' pages said what the program's own table says.
pub fn date() -> &'static str {
    TABLE.date.as_deref().unwrap_or_default()
}

/// What a provider asks for a model's tokens, if the program's own table says so.
pub fn published(provider: Provider, model: &str, cache: PromptCache) -> Option<Price> {
    match provider.is_local() {
        true => Some(Price::FREE),
        false => TABLE.price(provider, model, cache),
    }
}

/// The model that one of Claude's aliases stands for by the program's own table.
pub fn current_claude(alias: &str) -> Option<&'static str> {
    TABLE.alias(alias)
}

/// Claude's own names for its current models.
pub fn aliases() -> impl Iterator<Item = &'static str> {
    TABLE.aliases.keys().map(String::as_str)
}

/// The row of exactly this name, or else of the name without its date: a few dated models have prices of
/// their own.
fn find<'a>(rows: &'a BTreeMap<String, ModelPrices>, model: &str) -> Option<&'a ModelPrices> {
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
