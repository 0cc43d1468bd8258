//! Keeping to a budget: what a beat could use at most is put aside before it opens.

use super::{Budget, OnMalformed, Reserve, Scene, SceneEvent, counsel::Sought};
use crate::{
    production::{CallId, Purpose},
    record::Fact,
    request::Request,
    usage::{NanoUsd, Price, Usage},
};

/// English has four bytes a token: an estimate that is too high ends a scene a beat early, one that is too low breaks a
/// promise.
const WORD_BYTES_PER_TOKEN: u64 = 3;
/// What providers wrap around messages and schemas.
const TOKENS_AROUND_A_CALL: u64 = 200;

/// What a run has used so far. Calls that did not tell count with what was put aside for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Spent {
    pub(super) tokens: u64,
    pub(super) cost: NanoUsd,
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

/// What to put aside for a beat, or nothing if there is no budget to keep. An error if it is not there any more.
pub(super) fn reserve(scene: &Scene, beat: u32, to: &[usize]) -> Result<Option<Reserve>, UsedUp> {
    if scene.setup().budget.is_open() {
        return Ok(None);
    }
    let reserved = estimate(scene, beat, to);
    let has_room = fits(&scene.setup().budget, &scene.spent, &reserved);
    if has_room { Ok(Some(reserved)) } else { Err(UsedUp { needed: reserved }) }
}

/// There is not enough left for another beat, which could have needed this.
#[derive(Debug)]
pub(super) struct UsedUp {
    pub(super) needed: Reserve,
}

/// Whether a run that was taken over may ask again what was under way: what the lost calls used is unknown.
pub(super) fn allows_asking_again(scene: &Scene) -> bool {
    let calls = scene.pending_calls() as u64;
    let share = scene.beat.share;
    let again = Reserve {
        tokens: share.tokens.saturating_mul(calls),
        cost: share.cost.map(|cost| NanoUsd(cost.0.saturating_mul(calls))),
    };
    let budget = &scene.setup().budget;
    budget.is_open() || fits(budget, &scene.spent, &again)
}

/// Whether a budget has room for this beside what is spent.
pub(crate) fn fits(budget: &Budget, spent: &Spent, more: &Reserve) -> bool {
    let Budget { cost, tokens } = *budget;
    let few_enough = tokens.is_none_or(|most| spent.tokens.saturating_add(more.tokens) <= most);
    // A price nobody knows cannot be kept to. Casting refuses this; a log edited by hand ends here.
    let cheap_enough =
        |most: NanoUsd| more.cost.is_some_and(|more| spent.cost.0.saturating_add(more.0) <= most.0);
    few_enough && cost.is_none_or(cheap_enough)
}

/// The most the calls of a beat could use, hidden ones among them, if nothing of it is read from a cache.
fn estimate(scene: &Scene, beat: u32, to: &[usize]) -> Reserve {
    let mut trial = scene.clone();
    let opened = SceneEvent::BeatOpened {
        beat,
        to: to.iter().map(|place| scene.company.players[*place].name.clone()).collect(),
        deadline: scene.next_call,
        timeout_ms: scene.setup().reply_timeout_ms,
        reserved: None,
    };
    trial.fold(&Fact { seq: scene.next_seq, at: 0, event: opened });
    let times = if scene.setup().config.on_malformed == OnMalformed::Retry { 2 } else { 1 };
    let mut reserved = Reserve { tokens: 0, cost: Some(NanoUsd(0)) };
    let price = |model: &str| scene.setup().models.get(model).and_then(|card| card.price);
    let mut said = 0;
    for place in to {
        let model = &scene.company.players[*place].model;
        let request = trial.actor_request(*place);
        said += u64::from(request.max_tokens);
        for _ in 0..times {
            put_aside(&mut reserved, price(model), &request, 0);
        }
    }
    // The judge may be asked beside the beat, and once more about it before the scene goes on.
    let (judge, writer) = (&scene.setup().judge, &scene.setup().event_writer);
    let hidden =
        [(Purpose::Judge, judge, 0), (Purpose::Judge, judge, said), (Purpose::WorldEvent, writer, 0)];
    for (purpose, model, more) in hidden {
        let Some(model) = model else { continue };
        let (call, timeout_ms) = (CallId(0), 0);
        let sought = Sought { purpose, model: model.clone(), call, deadline: call, timeout_ms, beat };
        put_aside(&mut reserved, price(model), &trial.hidden_request(&sought), more);
    }
    reserved
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

/// The most tokens a text is likely to be. Some tokenizers make a token of every sign, and two of every three bytes beyond
/// ASCII.
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
