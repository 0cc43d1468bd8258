//! Keeping to a budget: what the calls of a beat could use is put aside before it opens.

use super::{HiddenPurpose, Scene, SceneEvent, hidden_calls::HiddenCall};
use crate::{
    budget::{CallAllowance, Quote, Reserve, Spent, fits, plan, sum},
    record::Fact,
    usage::NanoUsd,
};

/// What an actor is told beside its own answer when that was malformed, and as much of the answer as is
/// quoted.
const TOKENS_OF_A_CORRECTION: u64 = 200;

/// What the calls of a beat may use.
pub(super) struct BeatPlan {
    /// The hidden calls that are made beside it.
    pub(super) hidden: Vec<(HiddenPurpose, Option<CallAllowance>)>,
    /// Its actors, in order.
    pub(super) actors: Vec<Option<CallAllowance>>,
}

impl BeatPlan {
    pub(super) fn asks_for(&self, purpose: HiddenPurpose) -> bool {
        self.hidden.iter().any(|(planned, _)| *planned == purpose)
    }

    /// What is put aside for its actors; nothing where there is no budget to keep.
    pub(super) fn reserved(&self) -> Option<Reserve> {
        let mut allowances = self.actors.iter().flatten().peekable();
        allowances.peek()?;
        Some(sum(allowances))
    }
}

/// There is not enough left for another beat, which needs at least this.
#[derive(Debug)]
pub(super) struct OverBudget {
    pub(super) needed: Reserve,
}

/// Plans a beat. Where there is not enough left for the hidden calls that are wanted beside it, the first of
/// them are left out: scenes can do without.
pub(super) fn plan_beat(
    scene: &Scene,
    beat: u32,
    to: &[usize],
    hidden: &[HiddenPurpose],
) -> Result<BeatPlan, OverBudget> {
    if scene.setup().budget.is_open() {
        let hidden = hidden.iter().map(|purpose| (*purpose, None)).collect();
        return Ok(BeatPlan { hidden, actors: vec![None; to.len()] });
    }
    let actors = actor_quotes(scene, beat, to);
    let mut hidden: Vec<(HiddenPurpose, Quote)> =
        hidden.iter().filter_map(|purpose| Some((*purpose, hidden_quote(scene, *purpose)?))).collect();
    loop {
        let quotes: Vec<Quote> =
            hidden.iter().map(|(_, quote)| *quote).chain(actors.iter().copied()).collect();
        match plan(&scene.setup().budget, &committed(scene), &quotes) {
            Ok(allowances) => {
                let mut allowances = allowances.into_iter().map(Some);
                let hidden = hidden.iter().map(|(purpose, _)| *purpose).zip(allowances.by_ref()).collect();
                return Ok(BeatPlan { hidden, actors: for_models(scene, to, allowances.flatten()) });
            }
            Err(needed) if hidden.is_empty() => return Err(OverBudget { needed }),
            Err(_) => drop(hidden.remove(0)),
        }
    }
}

/// What the calls to these actors may use that are made again within the open beat.
pub(super) fn plan_asks(scene: &Scene, to: &[usize]) -> Result<Vec<Option<CallAllowance>>, OverBudget> {
    if scene.setup().budget.is_open() {
        return Ok(vec![None; to.len()]);
    }
    let models = to.iter().filter(|place| !scene.is_human(**place));
    let quotes: Vec<Quote> = models.map(|place| actor_quote(scene, *place, 0, 0)).collect();
    let planned = plan(&scene.setup().budget, &committed(scene), &quotes);
    let allowances = planned.map_err(|needed| OverBudget { needed })?;
    Ok(for_models(scene, to, allowances.into_iter()))
}

/// Gives each of these actors whom a model plays the next allowance. People need none.
fn for_models(
    scene: &Scene,
    to: &[usize],
    mut allowances: impl Iterator<Item = CallAllowance>,
) -> Vec<Option<CallAllowance>> {
    to.iter().map(|place| if scene.is_human(*place) { None } else { allowances.next() }).collect()
}

/// Whether the next beat has to wait for the hidden calls under way: there is no room for it now, and there
/// may be once they have released what they did not use.
pub(super) fn waits_for_hidden_calls(scene: &Scene, beat: u32, to: &[usize]) -> bool {
    let budget = &scene.setup().budget;
    if budget.is_open() || scene.hidden_calls.calls.is_empty() {
        return false;
    }
    let quotes = actor_quotes(scene, beat, to);
    plan(budget, &committed(scene), &quotes).is_err() && plan(budget, &scene.spent, &quotes).is_ok()
}

/// What a hidden call that is made alone may use; an error if it may not be made.
pub(super) fn plan_hidden(
    scene: &Scene,
    purpose: HiddenPurpose,
) -> Result<Option<CallAllowance>, OverBudget> {
    let Some(model) = scene.hidden_model(purpose) else { return Ok(None) };
    plan_one(scene, || quote_of_hidden(scene, &HiddenCall::planned(scene, purpose, model)))
}

/// The same for a hidden call that another model answers instead of one that failed.
pub(super) fn plan_next_hidden(
    scene: &Scene,
    hidden: &HiddenCall,
) -> Result<Option<CallAllowance>, OverBudget> {
    plan_one(scene, || quote_of_hidden(scene, hidden))
}

/// What the second answer of an actor may use whose first one was malformed. What the first one used is not
/// counted yet, but all that was put aside for it is.
pub(super) fn plan_again(scene: &Scene, place: usize) -> Result<Option<CallAllowance>, OverBudget> {
    let rank = scene.beat.asked.iter().find(|asked| asked.actor == place).map_or(0, |asked| asked.rank);
    plan_one(scene, || actor_quote(scene, place, rank, TOKENS_OF_A_CORRECTION))
}

/// What another model may use that answers instead of one that failed.
pub(super) fn plan_next(
    scene: &Scene,
    place: usize,
    rank: usize,
) -> Result<Option<CallAllowance>, OverBudget> {
    plan_one(scene, || actor_quote(scene, place, rank, 0))
}

/// The allowance of one call; `None` without a budget, and then the quote is not computed.
fn plan_one(scene: &Scene, quote: impl FnOnce() -> Quote) -> Result<Option<CallAllowance>, OverBudget> {
    if scene.setup().budget.is_open() {
        return Ok(None);
    }
    let planned = plan(&scene.setup().budget, &committed(scene), &[quote()]);
    planned.map(|allowances| allowances.first().copied()).map_err(|needed| OverBudget { needed })
}

impl Scene {
    /// The process that waited is gone. What the calls under way have used is unknown, and they are made
    /// again, with one try each and all of their time; people have the rest of theirs.
    pub(super) fn fold_lost_calls(&mut self, at: i64) {
        self.spent = self.spent.with(self.pending_reserves());
        self.beat.since = at;
        for asked in &mut self.beat.asked {
            asked.left_ms = self.beat.timeout_ms;
            asked.allowance = asked.allowance.map(CallAllowance::once);
            if let Some(wait) = &mut asked.human {
                wait.resume(at);
            }
        }
        for hidden in &mut self.hidden_calls.calls {
            hidden.since = at;
            hidden.allowance = hidden.allowance.map(CallAllowance::once);
        }
    }
}

/// Whether a run that was taken over may ask again what was under way: what the lost calls used is unknown.
pub(super) fn allows_asking_again(scene: &Scene) -> bool {
    let again = scene.pending_reserves().fold(Reserve::NOTHING, Reserve::and);
    let budget = &scene.setup().budget;
    budget.is_open() || fits(budget, &scene.spent, &again)
}

/// What is spent, and what is put aside for calls under way.
fn committed(scene: &Scene) -> Spent {
    scene.spent.with(scene.pending_reserves())
}

/// What the models of these actors could use, in order. People use nothing.
fn actor_quotes(scene: &Scene, beat: u32, to: &[usize]) -> Vec<Quote> {
    let mut trial = scene.clone();
    let opened = SceneEvent::BeatOpened {
        beat,
        to: to.iter().map(|place| scene.prepared.players[*place].name.clone()).collect(),
        deadline: scene.next_call,
        timeout_ms: scene.setup().reply_timeout_ms,
        reserved: None,
    };
    trial.fold(&Fact { seq: scene.next_seq, at: 0, event: opened });
    let models = to.iter().filter(|place| !scene.is_human(**place));
    models.map(|place| actor_quote(&trial, *place, 0, 0)).collect()
}

fn actor_quote(scene: &Scene, place: usize, rank: usize, more: u64) -> Quote {
    let model = scene.prepared.model(place, rank);
    let (price, more) = (scene.price(model), more + own_tokens(scene, model));
    let earlier = scene.actors[place].earlier_calls.of(rank);
    Quote::of(&scene.actor_request(place, rank), more, price, earlier)
}

/// What a model's own program adds to each request.
fn own_tokens(scene: &Scene, model: &str) -> u64 {
    scene.setup().models.get(model).and_then(|card| card.own_tokens).map_or(0, u64::from)
}

/// Nothing where there is no model for it.
fn hidden_quote(scene: &Scene, purpose: HiddenPurpose) -> Option<Quote> {
    let model = scene.hidden_model(purpose)?;
    Some(quote_of_hidden(scene, &HiddenCall::planned(scene, purpose, model)))
}

fn quote_of_hidden(scene: &Scene, hidden: &HiddenCall) -> Quote {
    let earlier = scene.hidden_calls.earlier_calls(hidden);
    let own = own_tokens(scene, &hidden.model);
    Quote::of(&scene.hidden_request(hidden), own, scene.price(&hidden.model), earlier)
}

/// What each call may use of what was put aside for a whole beat. Rounded up, and hidden calls have as much:
/// unknown usage is to be over-, not underestimated.
pub(super) fn share(reserved: Reserve, calls: usize) -> Reserve {
    let calls = calls.max(1) as u64;
    Reserve {
        tokens: reserved.tokens.div_ceil(calls),
        cost: reserved.cost.map(|cost| NanoUsd(cost.0.div_ceil(calls))),
    }
}
