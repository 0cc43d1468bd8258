//! What tokens cost at published prices, and which models Claude's aliases stand for today.
//!
//! Prices change without a release of enact: the table says when it was true, `enact models` shows that date,
//! and the operator's own price wins. A model that is not in the table has no price: costs are then unknown,
//! never guessed.

mod table;

#[cfg(test)]
mod tests;

use enact_drama::usage::Price;
use table::PriceRow;

use crate::{PromptCache, Provider};

/// The day on which the providers' pages said so.
pub const DATE: &str = "2026-10-09";

/// What a provider asks for a model's tokens, if it is known.
///
/// Prices are those of ordinary requests: no batches, no fast lanes, and prompts short enough for the first
/// tier where a provider charges more for long ones (100,000 tokens at the least, where threads are long
/// trimmed).
pub fn published(provider: Provider, model: &str, cache: PromptCache) -> Option<Price> {
    let rows = match provider {
        Provider::Anthropic => table::ANTHROPIC,
        Provider::OpenAi => table::OPENAI,
        Provider::Gemini => table::GEMINI,
        // Runs on the operator's own machine.
        Provider::Ollama => return Some(Price::FREE),
        // The prices of an unknown server are not known, and the command says itself what a call cost.
        Provider::OpenAiCompatible | Provider::ClaudeCode => return None,
    };
    find(rows, model).map(|row| row.price(cache))
}

/// The model that one of Claude's aliases (`haiku`, `sonnet`, `opus`) stands for where the provider wants a
/// full name.
pub fn current_claude(alias: &str) -> Option<&'static str> {
    match alias {
        "haiku" => Some("claude-haiku-5-5"),
        "sonnet" => Some("claude-sonnet-5-5"),
        "opus" => Some("claude-opus-5-5"),
        _ => None,
    }
}

/// The row of exactly this name, or else of the name without its date: a few dated models have prices of
/// their own.
fn find<'a>(rows: &'a [PriceRow], model: &str) -> Option<&'a PriceRow> {
    let named = |name: &str| rows.iter().find(|row| row.model == name);
    named(model).or_else(|| named(undated(model)?))
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
