//! Keeping to a budget: what a beat could use at most is put aside before it opens.

use super::{HiddenPurpose, OnMalformed, Scene, SceneEvent, hidden_calls::HiddenCall};
use crate::{
    budget::{Reserve, fits, put_aside},
    production::CallId,
    record::Fact,
    usage::NanoUsd,
};

/// What to put aside for a beat, or nothing if there is no budget to keep. An error if it is not there any
/// more.
pub(super) fn reserve(scene: &Scene, beat: u32, to: &[usize]) -> Result<Option<Reserve>, OverBudget> {
    if scene.setup().budget.is_open() {
        return Ok(None);
    }
    let reserved = estimate(scene, beat, to);
    let has_room = fits(&scene.setup().budget, &scene.spent, &reserved);
    if has_room { Ok(Some(reserved)) } else { Err(OverBudget { needed: reserved }) }
}

/// There is not enough left for another beat, which could have needed this.
#[derive(Debug)]
pub(super) struct OverBudget {
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

/// The most the calls of a beat could use, hidden ones among them, if nothing of it is read from a cache.
fn estimate(scene: &Scene, beat: u32, to: &[usize]) -> Reserve {
    let mut trial = scene.clone();
    let opened = SceneEvent::BeatOpened {
        beat,
        to: to.iter().map(|place| scene.prepared.players[*place].name.clone()).collect(),
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
        let model = &scene.prepared.players[*place].model;
        let request = trial.actor_request(*place);
        said += u64::from(request.max_tokens);
        for _ in 0..times {
            put_aside(&mut reserved, price(model), &request, 0);
        }
    }
    // The judge may be asked beside the beat, and once more about it before the scene goes on.
    let (judge, writer) = (&scene.setup().judge, &scene.setup().event_writer);
    let hidden = [
        (HiddenPurpose::Judge, judge, 0),
        (HiddenPurpose::Judge, judge, said),
        (HiddenPurpose::WorldEvent, writer, 0),
    ];
    for (purpose, model, more) in hidden {
        let Some(model) = model else { continue };
        let (call, timeout_ms) = (CallId(0), 0);
        let hidden =
            HiddenCall { purpose, model: model.as_str().into(), call, deadline: call, timeout_ms, beat };
        put_aside(&mut reserved, price(model), &trial.hidden_request(&hidden), more);
    }
    reserved
}
