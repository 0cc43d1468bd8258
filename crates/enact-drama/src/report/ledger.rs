//! What a run's calls used and cost, as far as the log knows.

use std::collections::BTreeMap;

use crate::{
    Name,
    call::{CallId, Purpose},
    model_card::ModelCard,
    usage::{NanoUsd, Price, Usage},
};

/// What a run used and cost: each call is counted once by its beat, once by its model and once by its
/// purpose, and for its actor if it was made for one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ledger {
    pub by_actor: BTreeMap<Name, CallTotals>,
    /// Calls that were made for no actor.
    pub hidden: CallTotals,
    /// By the beat in which the call left, in a chorus by the turn.
    pub by_beat: BTreeMap<u32, CallTotals>,
    /// By the names of the setup.
    pub by_model: BTreeMap<String, CallTotals>,
    pub by_purpose: BTreeMap<Purpose, CallTotals>,
    /// What the beats had come to that a fork shares with the run it was forked from: it is
    /// counted nowhere else.
    pub inherited: Option<CallTotals>,
    under_way: BTreeMap<CallId, Sent>,
}

/// The models of a run, by the names its setup gives them.
pub type Cards = BTreeMap<String, ModelCard>;

/// What some calls came to. What is unknown is counted apart and never taken for zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallTotals {
    /// Calls that told what they used.
    pub calls: u64,
    pub usage: Usage,
    /// Calls whose usage is unknown.
    pub unaccounted: u64,
    /// Calls that are both, because they told a part of what they used.
    partial: u64,
    /// What the known usage costs, where there is a price for it.
    priced: NanoUsd,
    /// Calls whose cost is unknown because their model has no price.
    unpriced: u64,
    /// Calls of unknown usage at a known price above zero.
    open: u64,
    input: InputBill,
    /// Calls whose cost may be known, since the provider billed them, but not what their input would cost.
    input_unpriced: u64,
}

/// What the input of some calls came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InputBill {
    pub paid: NanoUsd,
    /// What the same requests would have cost without a cache.
    pub uncached: NanoUsd,
}

/// How many tokens were used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tokens {
    /// No call has had an outcome.
    NoCalls,
    /// Whatever answered used no tokens at all, which no language model does.
    NoModel,
    Known(u64),
    /// Some calls did not tell.
    AtLeast(u64),
    /// No call told.
    Unknown,
}

/// What that costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    Known(NanoUsd),
    /// Some calls at this price did not tell what they used.
    AtLeast(NanoUsd),
    Unknown,
}

/// A call that has left.
#[derive(Debug, Clone, PartialEq)]
pub struct Sent {
    pub purpose: Purpose,
    /// The actor it was made for; `None` for hidden calls.
    pub actor: Option<Name>,
    pub model: String,
    pub beat: u32,
}

impl Ledger {
    /// All calls together.
    pub fn total(&self) -> CallTotals {
        self.by_model.values().fold(CallTotals::default(), CallTotals::plus)
    }

    pub fn tokens(&self) -> Tokens {
        // A model that answered without using a token uses none in the calls that were lost either: a scene
        // of the built-in improviser that was killed and resumed still used no language model.
        let tokenless = |totals: &CallTotals| {
            totals.calls > 0 && totals.usage.total() == 0 && totals.open == 0 && totals.unpriced == 0
        };
        if !self.by_model.is_empty() && self.by_model.values().all(tokenless) {
            return Tokens::NoModel;
        }
        self.total().tokens()
    }

    pub fn sent(&mut self, call: CallId, sent: Sent) {
        self.under_way.insert(call, sent);
    }

    /// The outcome of a call. Gives the call back as it was sent. If the log does not say that it ever was,
    /// it is booked as `otherwise` has it.
    pub fn settled(
        &mut self,
        models: &Cards,
        call: CallId,
        usage: Option<Usage>,
        otherwise: impl FnOnce() -> Sent,
    ) -> Sent {
        let sent = self.under_way.remove(&call).unwrap_or_else(otherwise);
        self.post(models, &sent, usage);
        sent
    }

    /// The outcome of a call. One that the log never saw leave is booked nowhere.
    pub fn settle(&mut self, models: &Cards, call: CallId, usage: Option<Usage>) {
        if let Some(sent) = self.under_way.remove(&call) {
            self.post(models, &sent, usage);
        }
    }

    /// The process that waited for the calls under way is gone: they were sent, and what they used is lost.
    /// They stay under way, because the next process makes them again.
    pub fn lost(&mut self, models: &Cards) {
        for sent in self.under_way.clone().into_values() {
            self.post(models, &sent, None);
        }
    }

    /// The run is over: no call is under way any more.
    pub fn close(&mut self, models: &Cards) {
        self.lost(models);
        self.under_way.clear();
    }

    /// Another run made all calls so far, those that are still under way included: they are answered to that
    /// run.
    pub fn hand_down(&mut self) {
        let so_far = self.inherited.unwrap_or_default().plus(&self.total());
        *self = Ledger { inherited: Some(so_far), ..Ledger::default() };
    }

    /// The same for a production whose forks make the calls again that were under way: those are their own.
    pub fn hand_down_all_but_pending(&mut self) {
        let under_way = std::mem::take(&mut self.under_way);
        self.hand_down();
        self.under_way = under_way;
    }

    fn post(&mut self, models: &Cards, sent: &Sent, usage: Option<Usage>) {
        let price = models.get(&sent.model).and_then(|card| card.price);
        let entry = CallTotals::of(usage, price);
        let counted_in = [
            self.by_beat.entry(sent.beat).or_default(),
            self.by_model.entry(sent.model.clone()).or_default(),
            self.by_purpose.entry(sent.purpose.clone()).or_default(),
        ];
        let whose = match sent.actor.clone() {
            Some(actor) => self.by_actor.entry(actor).or_default(),
            None => &mut self.hidden,
        };
        for totals in counted_in.into_iter().chain([whose]) {
            *totals = totals.plus(&entry);
        }
    }
}

impl CallTotals {
    /// All calls, whatever they told, each once.
    pub fn made(&self) -> u64 {
        self.calls + self.unaccounted - self.partial
    }

    pub fn tokens(&self) -> Tokens {
        match (self.calls, self.unaccounted) {
            (0, 0) => Tokens::NoCalls,
            (_, 0) => Tokens::Known(self.usage.total()),
            (0, _) => Tokens::Unknown,
            (_, _) => Tokens::AtLeast(self.usage.total()),
        }
    }

    pub fn cost(&self) -> Cost {
        match (self.unpriced, self.open, self.priced) {
            (0, 0, priced) => Cost::Known(priced),
            // "At least nothing" would read like nothing.
            (0, _, priced) if priced > NanoUsd(0) => Cost::AtLeast(priced),
            _ => Cost::Unknown,
        }
    }

    /// What is known of the cost, however much of it is not.
    pub fn known_cost(&self) -> NanoUsd {
        self.priced
    }

    /// Everything that was sent, cached or not.
    pub fn input_tokens(&self) -> u64 {
        Usage { output: 0, ..self.usage }.total()
    }

    /// How much of the input was read from a cache, 0 to 1; nothing when no input is known of.
    pub fn cache_hit_rate(&self) -> Option<f64> {
        let input = self.input_tokens();
        (input > 0).then(|| self.usage.cache_read as f64 / input as f64)
    }

    /// What the known input cost; nothing when a price is unknown, or when it would have cost nothing anyway.
    pub fn input_bill(&self) -> Option<InputBill> {
        (self.input_unpriced == 0 && self.input.uncached > NanoUsd(0)).then_some(self.input)
    }

    /// The totals of a single call.
    fn of(usage: Option<Usage>, price: Option<Price>) -> CallTotals {
        let blank = CallTotals::default();
        match (usage.filter(|usage| !usage.tells_nothing()), price) {
            // Nothing used costs nothing at any price.
            (Some(Usage::NONE), _) => CallTotals { calls: 1, ..blank },
            (Some(usage), price) => {
                let (cost, input) = (usage.cost(price), price.map(|price| InputBill::of(&usage, &price)));
                // What is only known in part is counted as known and as unaccounted for: both are true of it.
                let more = u64::from(usage.partial);
                CallTotals {
                    calls: 1,
                    unaccounted: more,
                    open: more,
                    usage: Usage { partial: false, untold: None, ..usage },
                    priced: cost.unwrap_or_default(),
                    unpriced: u64::from(cost.is_none()),
                    input: input.unwrap_or_default(),
                    input_unpriced: u64::from(input.is_none()),
                    partial: more,
                }
            }
            (None, Some(Price::FREE)) => CallTotals { unaccounted: 1, ..blank },
            (None, Some(_)) => CallTotals { unaccounted: 1, open: 1, ..blank },
            (None, None) => CallTotals { unaccounted: 1, unpriced: 1, ..blank },
        }
    }

    fn plus(self, other: &CallTotals) -> CallTotals {
        let mut sum = self;
        sum.calls += other.calls;
        sum.usage += other.usage;
        sum.unaccounted += other.unaccounted;
        sum.partial += other.partial;
        sum.priced += other.priced;
        sum.unpriced += other.unpriced;
        sum.open += other.open;
        sum.input.paid += other.input.paid;
        sum.input.uncached += other.input.uncached;
        sum.input_unpriced += other.input_unpriced;
        sum
    }
}

impl InputBill {
    /// How much of the uncached bill was paid: 0.25 is a quarter of it.
    pub fn ratio(&self) -> f64 {
        self.paid.usd() / self.uncached.usd()
    }

    fn of(usage: &Usage, price: &Price) -> InputBill {
        let input = Usage { output: 0, ..*usage };
        let tokens = input.total();
        InputBill { paid: price.of(&input), uncached: price.of(&Usage { uncached: tokens, ..Usage::NONE }) }
    }
}

impl Tokens {
    /// As a number, where one is known.
    pub fn count(self) -> Option<u64> {
        match self {
            Tokens::NoCalls | Tokens::NoModel => Some(0),
            Tokens::Known(count) | Tokens::AtLeast(count) => Some(count),
            Tokens::Unknown => None,
        }
    }
}

impl Cost {
    /// As a number, where one is known.
    pub fn usd(self) -> Option<f64> {
        match self {
            Cost::Known(cost) | Cost::AtLeast(cost) => Some(cost.usd()),
            Cost::Unknown => None,
        }
    }
}
