//! What a run may use, and what it has: the arithmetic that every production keeps its budget with.
//!
//! Before a call leaves, all that it could use is put aside for it: what goes in, by estimate, and the
//! longest answer, for each try that may have to be paid. Calls that are made together are planned together
//! (`plan`), as generously as what is left allows. The answer releases what it did not use; a call that
//! does not say what it used is charged with what was put aside for the tries that it made.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    Problem,
    model_card::ModelCard,
    request::Request,
    tokens::tokens_in,
    usage::{NanoUsd, Price, UntoldTries, Usage},
};

/// What providers wrap around messages and schemas.
const TOKENS_AROUND_A_CALL: u64 = 200;
/// The newest tokenizers make up to a third more of a text than those that the estimate is made for, which is
/// itself too high by a sixth. Only first calls need this: later ones are estimated by what those have told.
const PERCENT_OF_ESTIMATE: u64 = 115;
/// Two more tries get past most hiccups. More are not put aside for, so no more are paid.
const MOST_TRIES: u32 = 3;
/// Where little is left, an answer may still have so many times the tokens of the longest one so far.
const TIMES_THE_LONGEST_ANSWER: u64 = 2;
/// And never less than this, which is a few sentences.
const SHORTEST_ANSWER_TOKENS: u64 = 192;
/// Of the longest answer, a first one may have this share where little is left: nothing is known of how long
/// they are, and a budget that pays for the first beat should play it. Of a model that thinks the longest
/// answer is longer.
const SHARE_OF_FIRST_ANSWER: u32 = 10;
/// And never less than this, which is two or three sentences.
const SHORTEST_FIRST_ANSWER_TOKENS: u64 = 96;
/// Steps in which the room for answers is reduced where little budget is left.
const STEPS: u32 = 8;

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

impl Reserve {
    pub(crate) const NOTHING: Reserve = Reserve { tokens: 0, cost: Some(NanoUsd(0)) };

    pub(crate) fn and(self, other: Reserve) -> Reserve {
        Reserve {
            tokens: self.tokens.saturating_add(other.tokens),
            cost: self.cost.zip(other.cost).map(|(one, other)| NanoUsd(one.0.saturating_add(other.0))),
        }
    }

    fn at_most(self, most: Reserve) -> Reserve {
        let cost = self.cost.zip(most.cost).map(|(cost, most)| cost.min(most));
        Reserve { tokens: self.tokens.min(most.tokens), cost: cost.or(most.cost) }
    }

    fn times(self, count: u32) -> Reserve {
        let count = u64::from(count);
        Reserve {
            tokens: self.tokens.saturating_mul(count),
            cost: self.cost.map(|cost| NanoUsd(cost.0.saturating_mul(count))),
        }
    }

    fn divided_by(self, count: u32) -> Reserve {
        let count = u64::from(count.max(1));
        Reserve {
            tokens: self.tokens.div_ceil(count),
            cost: self.cost.map(|cost| NanoUsd(cost.0.div_ceil(count))),
        }
    }
}

/// What was put aside for one call, and what that allows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallAllowance {
    /// For all of its tries together.
    #[serde(flatten)]
    pub reserve: Reserve,
    /// The rest is missing in logs of earlier versions, which put aside one try of every call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each_try: Option<TryAllowance>,
}

/// What one try of a call may use, and how many there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TryAllowance {
    /// How many tries may be paid.
    pub tries: u32,
    /// What goes in, as estimated from its text alone.
    pub input: u64,
    /// The longest answer.
    pub max_tokens: u32,
}

impl From<Reserve> for CallAllowance {
    fn from(reserve: Reserve) -> CallAllowance {
        CallAllowance { reserve, each_try: None }
    }
}

impl CallAllowance {
    /// What a call that is made again has: one try.
    pub(crate) fn once(self) -> CallAllowance {
        let tries = self.each_try.map_or(1, |each| each.tries);
        CallAllowance {
            reserve: self.reserve.divided_by(tries),
            each_try: self.each_try.map(|each| TryAllowance { tries: 1, ..each }),
        }
    }

    /// What those tries may have used beyond what they told.
    fn of_untold(self, untold: UntoldTries, price: Option<Price>) -> Option<Reserve> {
        let each = self.each_try?;
        let output = Usage { output: each.max_tokens.into(), ..Usage::NONE };
        let output = Reserve { tokens: output.total(), cost: price.map(|price| price.of(&output)) };
        let all = self.reserve.divided_by(each.tries);
        Some(output.times(untold.output).and(all.times(untold.all)))
    }

    /// Tells the model what it may use.
    pub(crate) fn limit(allowance: Option<CallAllowance>, request: &mut Request) {
        if let Some(TryAllowance { tries, max_tokens, .. }) =
            allowance.and_then(|allowance| allowance.each_try)
        {
            request.max_tokens = request.max_tokens.min(max_tokens);
            request.paid_tries = Some(tries);
        }
    }
}

/// What a run has used so far. Calls that did not tell count with what was put aside for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Spent {
    pub(crate) tokens: u64,
    pub(crate) cost: NanoUsd,
}

impl Spent {
    pub(crate) fn add(&mut self, spend: Spend<'_>) {
        let Spend { usage, price, allowance } = spend;
        let told = usage.copied().unwrap_or_default();
        let told = Reserve { tokens: told.total(), cost: Some(told.cost(price).unwrap_or_default()) };
        let more = match usage {
            Some(usage) if !usage.partial => Reserve::NOTHING,
            partial => {
                let most = Reserve {
                    tokens: allowance.reserve.tokens.saturating_sub(told.tokens),
                    cost: allowance
                        .reserve
                        .cost
                        .zip(told.cost)
                        .map(|(most, told)| NanoUsd(most.0.saturating_sub(told.0))),
                };
                let untold = partial
                    .and_then(|usage| usage.untold)
                    .and_then(|tries| allowance.of_untold(tries, price));
                untold.map_or(most, |untold| untold.at_most(most))
            }
        };
        let charged = told.and(more);
        self.tokens = self.tokens.saturating_add(charged.tokens);
        self.cost += charged.cost.unwrap_or_default();
    }

    /// Together with what is put aside for calls under way.
    pub(crate) fn with(mut self, pending: impl IntoIterator<Item = Reserve>) -> Spent {
        for reserve in pending {
            self.tokens = self.tokens.saturating_add(reserve.tokens);
            self.cost += reserve.cost.unwrap_or_default();
        }
        self
    }
}

/// One call's outcome, for the budget.
pub(crate) struct Spend<'a> {
    pub(crate) usage: Option<&'a Usage>,
    pub(crate) price: Option<Price>,
    /// What was put aside for it.
    pub(crate) allowance: CallAllowance,
}

/// What earlier calls of the same kind have told: the next one says the same and a little more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct EarlierCalls {
    /// What the input of the last one was estimated at, and what it was.
    last: Option<(u64, u64)>,
    longest_answer: u64,
}

impl EarlierCalls {
    pub(crate) fn add(&mut self, allowance: Option<CallAllowance>, usage: Option<&Usage>) {
        let each_try = allowance.and_then(|allowance| allowance.each_try);
        let (Some(each_try), Some(usage)) = (each_try, usage.filter(|usage| !usage.partial)) else { return };
        let input = usage.total().saturating_sub(usage.output);
        if input > 0 {
            self.last = Some((each_try.input, input));
            self.longest_answer = self.longest_answer.max(usage.output);
        }
    }

    /// What a call is going to put in, whose text alone is estimated at so much. What the last one said is
    /// known, and only what has come since has to be estimated; where the provider counts more than was
    /// estimated, so much more.
    fn expect(&self, estimate: u64) -> u64 {
        let Some((estimated, told)) = self.last else { return estimate };
        let scaled = |tokens: u64| match told > estimated {
            true => (u128::from(tokens) * u128::from(told)).div_ceil(u128::from(estimated.max(1))) as u64,
            false => tokens,
        };
        match estimate.checked_sub(estimated) {
            Some(more) => told.saturating_add(scaled(more)),
            // It was shortened, by an unknown amount.
            None => scaled(estimate),
        }
    }

    /// The shortest room for an answer that makes sense. Half a JSON document makes none.
    fn shortest_answer(&self, longest: u32, is_json: bool) -> u32 {
        let room = match self.longest_answer {
            0 if is_json => return longest,
            0 => u64::from(longest / SHARE_OF_FIRST_ANSWER).max(SHORTEST_FIRST_ANSWER_TOKENS),
            seen => seen.saturating_mul(TIMES_THE_LONGEST_ANSWER).max(SHORTEST_ANSWER_TOKENS),
        };
        longest.min(u32::try_from(room).unwrap_or(u32::MAX))
    }
}

/// The same for each model that may answer: the first choice, then its fallbacks. Tokenizers differ.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct EarlierCallsByModel {
    first: EarlierCalls,
    fallbacks: Vec<EarlierCalls>,
}

impl EarlierCallsByModel {
    /// Those of the model with this rank.
    pub(crate) fn of(&self, rank: usize) -> EarlierCalls {
        match rank.checked_sub(1) {
            None => self.first,
            Some(at) => self.fallbacks.get(at).copied().unwrap_or_default(),
        }
    }

    pub(crate) fn add(&mut self, rank: usize, allowance: Option<CallAllowance>, usage: Option<&Usage>) {
        let calls = match rank.checked_sub(1) {
            None => &mut self.first,
            Some(at) => {
                let most = self.fallbacks.len().max(at + 1);
                self.fallbacks.resize(most, EarlierCalls::default());
                &mut self.fallbacks[at]
            }
        };
        calls.add(allowance, usage);
    }
}

/// What a call that is to be made could use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quote {
    /// By its text alone.
    estimate: u64,
    /// By what earlier calls have told, too.
    input: u64,
    longest_answer: u32,
    shortest_answer: u32,
    price: Option<Price>,
}

impl Quote {
    /// What this request could use, and so many tokens more that it may yet grow by.
    pub(crate) fn of(request: &Request, more: u64, price: Option<Price>, earlier: EarlierCalls) -> Quote {
        let texts = request.system.iter().chain(request.thread.iter().map(|message| &message.text));
        // Some servers are told a schema twice: as such, and in words.
        let schema = request.schema.as_ref().map_or(0, |schema| 2 * tokens_in(&schema.json.to_string()));
        let said = texts.map(|text| tokens_in(text)).sum::<u64>() + schema + more;
        let estimate = said * PERCENT_OF_ESTIMATE / 100 + TOKENS_AROUND_A_CALL;
        let longest_answer = request.max_tokens;
        let shortest_answer = earlier.shortest_answer(longest_answer, request.schema.is_some());
        Quote { estimate, input: earlier.expect(estimate), longest_answer, shortest_answer, price }
    }

    fn allow(&self, Generosity { tries, room }: Generosity) -> CallAllowance {
        let more = u64::from(self.longest_answer - self.shortest_answer) * u64::from(room) / u64::from(STEPS);
        let max_tokens = self.shortest_answer + more as u32;
        let (input, output) = (self.input, u64::from(max_tokens));
        let dearest = |price: Price| {
            let (uncached, cache_write) =
                if price.cache_write > price.uncached { (0, input) } else { (input, 0) };
            price.of(&Usage { uncached, cache_write, output, ..Usage::NONE })
        };
        let once = Reserve { tokens: input.saturating_add(output), cost: self.price.map(dearest) };
        let each_try = TryAllowance { tries, input: self.estimate, max_tokens };
        CallAllowance { reserve: once.times(tries), each_try: Some(each_try) }
    }
}

/// How much is put aside for each call.
#[derive(Debug, Clone, Copy)]
struct Generosity {
    tries: u32,
    /// Of the room between the shortest answer and the longest, so many steps.
    room: u32,
}

/// What to allow each of these calls, which are made together: as much as there is room for. An error says
/// what they need at least, which is not there any more.
pub(crate) fn plan(budget: &Budget, spent: &Spent, quotes: &[Quote]) -> Result<Vec<CallAllowance>, Reserve> {
    let many_tries = (2..=MOST_TRIES).rev().map(|tries| Generosity { tries, room: STEPS });
    let one_try = (0..=STEPS).rev().map(|room| Generosity { tries: 1, room });
    let mut needed = Reserve::NOTHING;
    for generosity in many_tries.chain(one_try) {
        let allowances: Vec<CallAllowance> = quotes.iter().map(|quote| quote.allow(generosity)).collect();
        needed = sum(&allowances);
        if fits(budget, spent, &needed) {
            return Ok(allowances);
        }
    }
    Err(needed)
}

/// What is put aside for all of these calls together.
pub(crate) fn sum<'a>(allowances: impl IntoIterator<Item = &'a CallAllowance>) -> Reserve {
    allowances.into_iter().fold(Reserve::NOTHING, |sum, allowance| sum.and(allowance.reserve))
}

/// A budget in money can only be kept where everything has a price.
pub(crate) fn check_prices<'a>(
    budget: &Budget,
    played_by: impl IntoIterator<Item = &'a String>,
    models: &'a BTreeMap<String, ModelCard>,
) -> Result<(), Problem> {
    let priceless = |model: &&String| models.get(*model).is_none_or(|card| card.price.is_none());
    let fallbacks = |model: &'a String| models.get(model).into_iter().flat_map(|card| &card.fallback);
    let mut asked = played_by.into_iter().flat_map(|model| std::iter::once(model).chain(fallbacks(model)));
    match asked.find(priceless).filter(|_| budget.cost.is_some()) {
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

#[cfg(test)]
mod tests;
