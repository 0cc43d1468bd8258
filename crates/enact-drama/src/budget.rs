//! What a run may use, and what it has: the arithmetic that every production keeps its budget with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    Problem,
    model_card::ModelCard,
    request::Request,
    usage::{NanoUsd, Price, Usage},
};

/// English has four bytes a token: an estimate that is too high ends a scene a beat early, one that is too
/// low breaks a promise.
const WORD_BYTES_PER_TOKEN: u64 = 3;
/// What providers wrap around messages and schemas.
const TOKENS_AROUND_A_CALL: u64 = 200;

/// What a run may use. Each limit is kept on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Budget {
    pub cost: Option<NanoUsd>,
    pub tokens: Option<u64>,
}

impl Budget {
    /// Whether anything may be used.
    pub fn is_open(&self) -> bool {
        *self == Budget::default()
    }
}

/// What was put aside for calls before they leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reserve {
    pub tokens: u64,
    /// Unknown where a price is.
    pub cost: Option<NanoUsd>,
}

/// What a run has used so far. Calls that did not tell count with what was put aside for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Spent {
    pub(crate) tokens: u64,
    pub(crate) cost: NanoUsd,
}

impl Spent {
    pub(crate) fn add(&mut self, spend: Spend<'_>) {
        let Spend { usage, price, share } = spend;
        match usage {
            Some(usage) if !usage.partial => {
                self.tokens = self.tokens.saturating_add(usage.total());
                self.cost += usage.cost(price).unwrap_or_default();
            }
            unknown => {
                let told = unknown.copied().unwrap_or_default();
                self.tokens = self.tokens.saturating_add(share.tokens.max(told.total()));
                self.cost += share.cost.unwrap_or_default().max(told.cost(price).unwrap_or_default());
            }
        }
    }
}

/// One call's outcome, for the budget.
pub(crate) struct Spend<'a> {
    pub(crate) usage: Option<&'a Usage>,
    pub(crate) price: Option<Price>,
    /// What was put aside for it.
    pub(crate) share: Reserve,
}

/// A budget in money can only be kept where everything has a price.
pub(crate) fn check_prices<'a>(
    budget: &Budget,
    played_by: impl IntoIterator<Item = &'a String>,
    models: &BTreeMap<String, ModelCard>,
) -> Result<(), Problem> {
    let priceless = |model: &&String| models.get(*model).is_none_or(|card| card.price.is_none());
    match played_by.into_iter().find(priceless).filter(|_| budget.cost.is_some()) {
        None => Ok(()),
        Some(model) => Err(Problem::config(format!(
            "the price of the model '{model}' is unknown: a budget in USD cannot be kept"
        ))
        .hint("give its price in the configuration, or a budget in tokens")),
    }
}

/// Whether a budget has room for this beside what is spent.
pub(crate) fn fits(budget: &Budget, spent: &Spent, more: &Reserve) -> bool {
    let Budget { cost, tokens } = *budget;
    let few_enough = tokens.is_none_or(|most| spent.tokens.saturating_add(more.tokens) <= most);
    // A budget cannot be kept without a price. Casting refuses this; a log edited by hand ends here.
    let cheap_enough =
        |most: NanoUsd| more.cost.is_some_and(|more| spent.cost.0.saturating_add(more.0) <= most.0);
    few_enough && cost.is_none_or(cheap_enough)
}

/// Puts aside what a request could use, and so many tokens more that it may yet grow by.
pub(crate) fn put_aside(reserved: &mut Reserve, price: Option<Price>, request: &Request, more: u64) {
    let texts = request.system.iter().chain(request.thread.iter().map(|message| &message.text));
    let schema = request.schema.as_ref().map_or(0, |schema| tokens_in(&schema.json.to_string()));
    let input = texts.map(|text| tokens_in(text)).sum::<u64>() + schema + TOKENS_AROUND_A_CALL + more;
    let output = u64::from(request.max_tokens);
    reserved.tokens = reserved.tokens.saturating_add(input + output);
    let dearest = price.map(|price| {
        let (uncached, cache_write) =
            if price.cache_write > price.uncached { (0, input) } else { (input, 0) };
        price.of(&Usage { uncached, cache_write, output, ..Usage::NONE })
    });
    reserved.cost = reserved.cost.zip(dearest).map(|(sum, more)| NanoUsd(sum.0.saturating_add(more.0)));
}

/// The most tokens a text is likely to be. Some tokenizers make a token of every sign, and two of every three
/// bytes beyond ASCII.
fn tokens_in(text: &str) -> u64 {
    let (mut words, mut signs, mut wide) = (0, 0, 0);
    for byte in text.bytes() {
        match byte {
            b' ' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => words += 1,
            0x80.. => wide += 1,
            _ => signs += 1,
        }
    }
    words / WORD_BYTES_PER_TOKEN + signs + wide * 2 / 3
}
