//! The decider that needs no model: needs that call, things that advertise what they give.
//!
//! It sees no more than what the game tells, so that it looks anew in each call, as the minds of our own
//! fields do (`field/world/rules_mind.rs`): a thing's worth is what it gives, weighed by the square of what is
//! missing, less with distance.

use std::cmp::Reverse;

use super::{
    action::{self, MindAction},
    event::{MindDecision, MindErrand},
    machine::Mind,
    observation::{GameCell, MindObservation, Offer, SeenEntity},
    talk,
};
use crate::{
    dice::Dice,
    field::{
        need_rules::{self, INVITES_ONE_IN},
        world::StateName,
    },
};

pub(super) const SEARCH: i32 = need_rules::SEARCH_PERCENT as i32;
const HYSTERESIS: i32 = need_rules::HYSTERESIS_PERCENT as i32;
const CRITICAL: i32 = need_rules::CRITICAL_PERCENT as i32;
const ENOUGH: i32 = need_rules::ENOUGH_PERCENT as i32;
const SATISFIED: i32 = need_rules::SATISFIED_PERCENT as i32;
/// A thing has to be beside the body.
const REACH: u64 = 1;
/// How near somebody has to be who is spoken to.
const TALK_RANGE: u64 = 5;
/// How often a body is sent to the same thing before it is left alone: each time to another side of it.
const MOST_TRIES: u8 = 6;

/// What a mind does now.
pub(super) fn decide(mind: &Mind, told: &MindObservation, at: i64) -> MindDecision {
    if let Some(bid) = mind.memory.bids.first() {
        let fills = offered_by(told, &bid.interaction);
        let pressing = told.needs.iter().any(|(need, value)| *value <= CRITICAL && !fills.contains(need));
        let is_busy = told.state == Some(StateName::Interacting);
        let reason = match (is_busy, pressing) {
            (true, _) => "already in something",
            (_, true) => "busy with a need",
            _ => "",
        };
        let action = MindAction::respond(&bid.bid_id, reason.is_empty(), reason);
        let why = if reason.is_empty() { format!("{} asks", bid.bidder) } else { reason.to_owned() };
        return keeping(mind, MindDecision::new(action, why));
    }
    let go_on = |why: &str| keeping(mind, MindDecision::new(MindAction::go_on(), why));
    match told.state {
        // Only news came: where the body is, and what it could do, is not known.
        None if mind.memory.talks.is_empty() => go_on("nothing is known but news"),
        None | Some(StateName::Interacting) => in_interaction(mind, told, at),
        Some(StateName::Requesting) => go_on("waits for an answer"),
        Some(StateName::Moving) => go_on("on the way"),
        Some(StateName::Idle | StateName::Wandering | StateName::Waiting) => {
            let choice = follow_option(mind, told).unwrap_or_else(|| free(mind, told, at));
            // A rule that would break the game's own is a mistake here, and must not become an error there.
            match action::check(&choice.action, told, &mind.memory) {
                Ok(()) => choice,
                Err(_) => go_on("nothing can be done"),
            }
        }
    }
}

/// What is kept of an errand when nothing new is decided about it.
fn keeping(mind: &Mind, decision: MindDecision) -> MindDecision {
    let memory = &mind.memory;
    MindDecision { errand: memory.errand.clone(), searching: memory.searching, ..decision }
}

/// Which needs an interaction of this name fills, by what is in sight.
fn offered_by(told: &MindObservation, interaction: &str) -> Vec<String> {
    let offers = told.visible.iter().flat_map(|entity| &entity.offers);
    offers.filter(|offer| offer.name == interaction).flat_map(|offer| offer.fills.clone()).collect()
}

fn in_interaction(mind: &Mind, told: &MindObservation, at: i64) -> MindDecision {
    if let Some(said) = talk::decide(mind, told, at) {
        return said;
    }
    let fills = match &told.current {
        Some(current) if !current.fills.is_empty() => current.fills.clone(),
        Some(current) => offered_by(told, &current.name),
        None => Vec::new(),
    };
    let value = |need: &String| told.needs.get(need).copied().unwrap_or(100);
    let pressing = told.needs.iter().find(|(need, value)| **value <= CRITICAL && !fills.contains(need));
    if !fills.is_empty() && fills.iter().all(|need| value(need) >= SATISFIED) {
        return MindDecision::new(MindAction::leave(), "has enough of it");
    }
    match pressing.filter(|_| fills.iter().all(|need| value(need) > ENOUGH)) {
        Some((need, _)) => MindDecision::new(MindAction::leave(), format!("{need} is pressing")),
        None => keeping(mind, MindDecision::new(MindAction::go_on(), "goes on")),
    }
}

/// The best plan that the game proposes, if its first step can be done.
fn follow_option(mind: &Mind, told: &MindObservation) -> Option<MindDecision> {
    let mut options: Vec<_> = told.options.iter().collect();
    options.sort_by_key(|option| Reverse(option.score));
    options.into_iter().find_map(|option| {
        let action = MindAction {
            action: option.action.clone(),
            parameters: option.parameters.clone(),
            selected_option_id: Some(option.id.clone()),
            selection_rationale: Some("the best of what was proposed".to_owned()),
        };
        action::check(&action, told, &mind.memory).ok()?;
        Some(MindDecision::new(action, option.description.as_str()))
    })
}

/// The action of an idle body.
fn free(mind: &Mind, told: &MindObservation, at: i64) -> MindDecision {
    let lowest = told.needs.values().min().copied().unwrap_or(100);
    let searching = lowest < SEARCH + if mind.memory.searching { HYSTERESIS } else { 0 };
    let mut avoid = None;
    let found = if searching { best_errand(mind, told, at) } else { None };
    let decision = match found {
        Some((entity, offer)) => {
            let tries = match &mind.memory.errand {
                Some(errand) if errand.target == entity.address() => errand.tries,
                _ => 0,
            };
            if tries < MOST_TRIES {
                Some(pursue(told, entity, offer, tries))
            } else {
                avoid = Some(entity.address().to_owned());
                None
            }
        }
        None => None,
    };
    let decision = decision.or_else(|| invite(mind, told, at)).unwrap_or_else(|| stroll(mind, told));
    MindDecision { searching, avoid, ..decision }
}

/// Goes there, or begins.
fn pursue(told: &MindObservation, entity: &SeenEntity, offer: &Offer, tries: u8) -> MindDecision {
    let errand = |tries| {
        Some(MindErrand { target: entity.address().to_owned(), interaction: offer.name.clone(), tries })
    };
    if told.distance(entity) <= REACH {
        let action = MindAction::interact(entity, &offer.name, told.generation);
        let why = format!("{} gives {}", entity.name, offer.fills.join(", "));
        return MindDecision { errand: errand(tries + 1), ..MindDecision::new(action, why) };
    }
    let to = told.position.zip(entity.position).map(|(here, there)| beside(here, there, tries));
    match to {
        Some(to) => {
            let action = MindAction::move_to(to, told.generation);
            MindDecision {
                errand: errand(tries + 1),
                ..MindDecision::new(action, format!("goes to {}", entity.name))
            }
        }
        None => MindDecision::new(MindAction::wander(), "looks around"),
    }
}

/// A cell beside another: the nearest at first, another after each vain try.
fn beside(here: GameCell, there: GameCell, tries: u8) -> GameCell {
    let steps = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let mut cells = steps.map(|(x, y)| GameCell(there.0.saturating_add(x), there.1.saturating_add(y)));
    cells.sort_by_key(|cell| (cell.distance(here), *cell));
    cells[usize::from(tries) % cells.len()]
}

/// What is worth most, of what is in sight and not left alone.
fn best_errand<'a>(mind: &Mind, told: &'a MindObservation, at: i64) -> Option<(&'a SeenEntity, &'a Offer)> {
    let mut best: Option<(u64, Reverse<u64>, (&SeenEntity, &Offer))> = None;
    for entity in &told.visible {
        if mind.memory.avoids(entity.address(), at) || (entity.busy_with.is_some() && !entity.joinable) {
            continue;
        }
        let distance = told.distance(entity);
        for offer in &entity.offers {
            let before =
                mind.memory.errand.as_ref().is_some_and(|errand| {
                    errand.target == entity.address() && errand.interaction == offer.name
                });
            // Those who are on the way somewhere do not turn round for something hardly better.
            let score =
                worth(told, offer) * if before { 2 } else { 1 } / distance.saturating_add(4).min(1_000);
            let place = (score, Reverse(distance));
            if score > 0 && best.as_ref().is_none_or(|(score, near, _)| place > (*score, *near)) {
                best = Some((score, Reverse(distance), (entity, offer)));
            }
        }
    }
    best.map(|(_, _, found)| found)
}

/// What an offer gives: each gain by the square of what is missing. What drains a pressing need is worth
/// nothing.
fn worth(told: &MindObservation, offer: &Offer) -> u64 {
    let value = |need: &String| told.needs.get(need).copied().unwrap_or(100);
    if offer.drains.iter().any(|need| value(need) <= CRITICAL) {
        return 0;
    }
    let gain = |need: &String| {
        let missing = u64::from((100 - value(need).clamp(0, 100)).unsigned_abs());
        if value(need) < SEARCH + HYSTERESIS { missing * missing * 100 } else { 0 }
    };
    offer.fills.iter().map(gain).sum()
}

/// Now and then somebody near is asked to do something together that fills no need.
fn invite(mind: &Mind, told: &MindObservation, at: i64) -> Option<MindDecision> {
    if at < mind.memory.quiet_until || !dice(mind, "invite").one_in(INVITES_ONE_IN) {
        return None;
    }
    let social = |entity: &&SeenEntity| {
        told.distance(entity) <= TALK_RANGE
            && !mind.memory.avoids(entity.address(), at)
            && (entity.busy_with.is_none() || entity.joinable)
    };
    let mut near: Vec<&SeenEntity> = told.visible.iter().filter(social).collect();
    near.sort_by_key(|entity| told.distance(entity));
    near.into_iter().find_map(|entity| {
        let offer = entity.offers.iter().find(|offer| is_social(offer))?;
        let action = MindAction::interact(entity, &offer.name, told.generation);
        let why = format!("would like {} with {}", offer.name, entity.name);
        Some(MindDecision { invited: true, ..MindDecision::new(action, why) })
    })
}

/// Talk is what people offer each other: it needs nothing, or goes by that name in texts.
fn is_social(offer: &Offer) -> bool {
    offer.name == "conversation" || (offer.fills.is_empty() && offer.drains.is_empty())
}

fn stroll(mind: &Mind, told: &MindObservation) -> MindDecision {
    match told.state {
        Some(StateName::Wandering) => MindDecision::new(MindAction::go_on(), "strolls"),
        _ if !told.locked && dice(mind, "stroll").one_in(2) => {
            MindDecision::new(MindAction::wander(), "strolls")
        }
        _ => MindDecision::new(MindAction::wait(), "looks around"),
    }
}

/// Dice for this decision alone.
pub(super) fn dice(mind: &Mind, what: &str) -> Dice {
    Dice::new(mind.setup.seed, what, mind.decisions)
}
