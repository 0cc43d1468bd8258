//! The mind made of rules: needs that call, things that advertise what they give.
//!
//! A thing's worth is what it gives, weighed by how much each need wants it, less with distance. Of the best
//! few one is chosen by dice. People without a need talk, join what goes on, or stroll.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    EntityId, FieldWorld, Interaction, Npc, NpcState, Pos,
    action::{MovementStatus, NpcAction, NpcEvent, StateName},
    bid::{BidId, OfferEpoch},
};
use crate::field::{
    kind::{BeginsBy, Between, FULL, InteractionKind, MILLI, TICKS_PER_SECOND},
    need_rules::{self, INVITES_ONE_IN, MOST_REFUSALS},
    plan::FieldPlan,
};

const SEARCH: u32 = need_rules::SEARCH_PERCENT * MILLI;
const HYSTERESIS: u32 = need_rules::HYSTERESIS_PERCENT * MILLI;
const CRITICAL: u32 = need_rules::CRITICAL_PERCENT * MILLI;
const ENOUGH: u32 = need_rules::ENOUGH_PERCENT * MILLI;
const SATISFIED: u32 = need_rules::SATISFIED_PERCENT * MILLI;
const AVOID_TICKS: u32 = need_rules::AVOID_SECONDS * TICKS_PER_SECOND;
const TALK_PAUSE_TICKS: u32 = need_rules::TALK_PAUSE_SECONDS * TICKS_PER_SECOND;
const REFUSED_PAUSE_TICKS: u32 = need_rules::REFUSED_PAUSE_SECONDS * TICKS_PER_SECOND;
/// Of how many best things one is chosen.
const BEST_FEW: usize = 3;
/// How many seen things a character remembers.
const REMEMBERED: usize = 8;
/// How many unanswered bids are remembered.
const MOST_BIDS: usize = 4;

/// What a mind made of rules remembers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RulesMemory {
    /// The state it believes its body to be in; nothing if it has reason to doubt.
    pub believes: Option<StateName>,
    plan: Option<Errand>,
    /// Things that could not be had, and until when they are left alone.
    avoid: Vec<(EntityId, u32)>,
    /// Things that offer something, as they were last seen.
    seen: Vec<(EntityId, Pos)>,
    bids: Vec<(BidId, OfferEpoch, u16)>,
    searching: bool,
    quiet_until: u32,
    refusals: u8,
    /// Whether it is in a conversation.
    talking: bool,
}

impl RulesMemory {
    /// What is remembered, for people who look into a character's head.
    pub fn told(&self, world: &FieldWorld) -> Value {
        let name = |id: &EntityId| world.living(*id).map(|entity| entity.name.to_string());
        let plan = self.plan.as_ref().map(|errand| {
            let kind = &world.plan().kinds[usize::from(errand.kind)].name;
            json!({"kind": kind, "target": name(&errand.target)})
        });
        let seen =
            self.seen.iter().filter_map(|(id, pos)| Some(json!({"name": name(id)?, "x": pos.x, "y": pos.y})));
        let avoids =
            self.avoid.iter().filter(|(_, until)| *until > world.now()).filter_map(|(id, _)| name(id));
        json!({
            "plan": plan,
            "searching": self.searching,
            "seen": seen.collect::<Vec<_>>(),
            "avoids": avoids.collect::<Vec<_>>(),
            "refusals": self.refusals,
        })
    }
}

/// What a character is on its way to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Errand {
    target: EntityId,
    kind: u16,
}

/// Whether a belief fits a state. A wait ends by itself, without an event.
pub(super) fn agrees(believed: StateName, state: StateName) -> bool {
    believed == state || (believed == StateName::Waiting && state == StateName::Idle)
}

/// Takes in what has happened.
pub(super) fn read_events(npc: &mut Npc, events: &[NpcEvent], tick: u32, plan: &FieldPlan) {
    let memory = &mut npc.memory;
    for event in events {
        match event {
            NpcEvent::InteractionBidReceived { bid_id, epoch, kind, .. } => {
                if memory.bids.len() < MOST_BIDS {
                    memory.bids.push((*bid_id, *epoch, *kind));
                }
            }
            NpcEvent::InteractionBidCanceled { bid_id } => memory.bids.retain(|(bid, ..)| bid != bid_id),
            NpcEvent::InteractionBidRejected { bid_id, .. } => {
                if let Some(errand) = memory.plan.take() {
                    memory.avoid.push((errand.target, tick + AVOID_TICKS));
                }
                if bid_id.is_some() {
                    memory.refusals = memory.refusals.saturating_add(1).min(MOST_REFUSALS);
                    memory.quiet_until = tick + REFUSED_PAUSE_TICKS * u32::from(memory.refusals);
                }
                memory.believes = Some(StateName::Idle);
            }
            NpcEvent::MovementCompleted { status, .. } => {
                if *status != MovementStatus::Arrived
                    && let Some(errand) = memory.plan.take()
                {
                    memory.avoid.push((errand.target, tick + AVOID_TICKS));
                }
                memory.believes = Some(StateName::Idle);
            }
            NpcEvent::InteractionStarted { kind, .. } => {
                let kind = &plan.kinds[usize::from(*kind)];
                memory.plan = None;
                memory.talking = kind.talk;
                if kind.between != Between::Item {
                    memory.refusals = 0;
                }
                memory.believes = Some(StateName::Interacting);
            }
            NpcEvent::InteractionCanceled { .. } | NpcEvent::InteractionFinished { .. } => {
                if std::mem::take(&mut memory.talking) {
                    memory.quiet_until = memory.quiet_until.max(tick + TALK_PAUSE_TICKS);
                }
                memory.believes = Some(StateName::Idle);
            }
            NpcEvent::Error { .. } => {
                if let Some(errand) = memory.plan.take() {
                    memory.avoid.push((errand.target, tick + AVOID_TICKS));
                }
                memory.believes = None;
            }
            NpcEvent::InteractionBidPending { .. }
            | NpcEvent::InteractionObservation { .. }
            | NpcEvent::Observation { .. } => {}
        }
    }
    memory.avoid.retain(|(_, until)| *until > tick);
    if memory.avoid.len() > REMEMBERED {
        memory.avoid.remove(0);
    }
}

/// What a character does now.
pub(super) fn decide(world: &mut FieldWorld, id: EntityId) -> NpcAction {
    if let Some(answer) = answer_bid(world, id) {
        return answer;
    }
    let Some(npc) = world.npc(id) else { return NpcAction::Continue {} };
    match npc.state {
        NpcState::Interacting => in_interaction(world, id),
        NpcState::Requesting { .. } | NpcState::Moving => NpcAction::Continue {},
        _ if npc.hold.is_some() => NpcAction::Continue {},
        NpcState::Idle | NpcState::Wandering | NpcState::Waiting { .. } => free(world, id),
    }
}

/// Answers the oldest bid that waits for it; with a pressing need, by refusing.
fn answer_bid(world: &mut FieldWorld, id: EntityId) -> Option<NpcAction> {
    let tick = world.tick;
    let npc = world.npc_mut(id)?;
    if npc.memory.bids.is_empty() {
        return None;
    }
    let (bid_id, epoch, kind) = npc.memory.bids.remove(0);
    if !npc.memory.bids.is_empty() {
        npc.client.next_decision = tick + 1;
    }
    let offered = &world.plan.kinds[usize::from(kind)];
    let npc = world.npc(id)?;
    let pressing = pressing(world, npc).any(|need| !offered.fills().any(|filled| filled == need));
    let reason = if pressing { "busy with a need" } else { "" }.to_owned();
    Some(NpcAction::RespondToInteractionBid { bid_id, epoch: Some(epoch), accept: !pressing, reason })
}

/// The needs that press, of those that can be filled at all.
fn pressing<'a>(world: &'a FieldWorld, npc: &'a Npc) -> impl Iterator<Item = usize> + 'a {
    let needs = 0..world.plan.needs.len();
    needs.filter(|need| world.plan.fillable[*need] && npc.needs[*need] <= CRITICAL)
}

fn in_interaction(world: &FieldWorld, id: EntityId) -> NpcAction {
    let stay = NpcAction::Continue {};
    let Some(npc) = world.npc(id) else { return stay };
    let found = npc.current_interaction.and_then(|current| world.interactions.get(&current));
    let Some(interaction) = found else { return stay };
    let kind = &world.plan.kinds[usize::from(interaction.kind)];
    if wants_out(world, npc, kind) || has_talked_enough(id, interaction) {
        return NpcAction::CancelInteraction { for_all: false };
    }
    stay
}

fn wants_out(world: &FieldWorld, npc: &Npc, kind: &InteractionKind) -> bool {
    // What ends by itself is waited for; breaking it off would waste what was put in.
    if kind.ticks.is_some() || !kind.steps.is_empty() {
        return false;
    }
    let fills: Vec<usize> = kind.fills().collect();
    if !kind.talk && !fills.is_empty() && fills.iter().all(|need| npc.needs[*need] >= SATISFIED) {
        return true;
    }
    let enough = fills.iter().all(|need| npc.needs[*need] > ENOUGH);
    enough && pressing(world, npc).any(|need| !fills.contains(&need))
}

fn has_talked_enough(id: EntityId, interaction: &Interaction) -> bool {
    let Some(talk) = &interaction.talk else { return false };
    // Who has the floor speaks first.
    if talk.floor.is_some_and(|floor| floor.who == id) {
        return false;
    }
    let members = interaction.members.len();
    let timeout = 3 * members + (id.0 as usize).wrapping_add(interaction.id.0 as usize) % 5;
    talk.turns as usize >= timeout
}

/// What an idle character does.
fn free(world: &mut FieldWorld, id: EntityId) -> NpcAction {
    let needs = world.plan.needs.len();
    let Some(npc) = world.npc(id) else { return NpcAction::Continue {} };
    let fillable = (0..needs).filter(|need| world.plan.fillable[*need]);
    let lowest = fillable.map(|need| npc.needs[need]).min().unwrap_or(FULL);
    let searching = lowest < SEARCH + if npc.memory.searching { HYSTERESIS } else { 0 };
    if let Some(npc) = world.npc_mut(id) {
        npc.memory.searching = searching;
    }
    if let Some(action) = pursue(world, id) {
        return action;
    }
    let seen = world.seen_from(id);
    remember(world, id, &seen);
    if searching && let Some(errand) = best_errand(world, id, &seen) {
        if let Some(npc) = world.npc_mut(id) {
            npc.memory.plan = Some(errand);
        }
        if let Some(action) = pursue(world, id) {
            return action;
        }
    }
    social(world, id, &seen).unwrap_or_else(|| stroll(world, id))
}

/// Goes on with an errand: goes there, or begins.
fn pursue(world: &mut FieldWorld, id: EntityId) -> Option<NpcAction> {
    let errand = world.npc(id)?.memory.plan?;
    let here = world.entities[id.0 as usize].pos;
    let kind = &world.plan.kinds[usize::from(errand.kind)];
    let Some(target) = world.living(errand.target) else {
        world.npc_mut(id)?.memory.plan = None;
        return None;
    };
    // After a refusal a character invites no one for a while.
    if kind.between != Between::Item && world.npc(id)?.memory.quiet_until > world.tick {
        world.npc_mut(id)?.memory.plan = None;
        return None;
    }
    let near = target.pos.distance(here) <= u32::from(kind.range);
    if near && world.grid.sees(here, target.pos) {
        let (entity_name, interaction_name) = (errand.target.to_string(), kind.name.clone());
        let others = usize::from(kind.min).saturating_sub(1);
        let additional_targets = match kind.between {
            Between::Group if world.running_kind(errand.target) != Some(errand.kind) => {
                let free = world.people_near(id, 5).into_iter().filter(|who| world.busy(*who).is_none());
                free.take(others).map(|who| who.to_string()).collect()
            }
            _ => Vec::new(),
        };
        return Some(NpcAction::InteractWith { entity_name, interaction_name, additional_targets });
    }
    let Pos { x, y } = target.pos;
    let state = world.npc(id)?.state.name();
    (here.distance(target.pos) > 0 && state != StateName::Moving).then_some(NpcAction::MoveTo { x, y })
}

/// Keeps in mind what was seen that offers something.
fn remember(world: &mut FieldWorld, id: EntityId, seen: &[(u32, EntityId)]) {
    let useful = |other: &EntityId| {
        let entity = &world.entities[other.0 as usize];
        !entity.is_npc() && !entity.offers.is_empty()
    };
    let fresh: Vec<(EntityId, Pos)> = seen
        .iter()
        .map(|(_, other)| *other)
        .filter(useful)
        .take(REMEMBERED / 2)
        .map(|other| (other, world.entities[other.0 as usize].pos))
        .collect();
    let Some(npc) = world.npc_mut(id) else { return };
    npc.memory.seen.retain(|(known, _)| !fresh.iter().any(|(new, _)| new == known));
    npc.memory.seen.extend(fresh);
    let too_many = npc.memory.seen.len().saturating_sub(REMEMBERED);
    npc.memory.seen.drain(..too_many);
}

/// The thing that is worth most, of what is seen and what is remembered.
fn best_errand(world: &FieldWorld, id: EntityId, seen: &[(u32, EntityId)]) -> Option<Errand> {
    let npc = world.npc(id)?;
    let here = world.entities[id.0 as usize].pos;
    let mut scored: Vec<(u64, Errand)> = Vec::new();
    let known = npc.memory.seen.iter().map(|(other, pos)| (pos.distance(here), *other));
    for (distance, other) in seen.iter().copied().chain(known) {
        let Some(entity) = world.living(other) else { continue };
        if npc.memory.avoid.iter().any(|(avoided, _)| *avoided == other) {
            continue;
        }
        for kind_index in &entity.offers {
            let errand = Errand { target: other, kind: *kind_index };
            let kind = &world.plan.kinds[usize::from(*kind_index)];
            let score = worth(world, npc, kind) / u64::from(distance + 4);
            let joinable = world
                .running_of(other)
                .is_some_and(|running| running.kind == *kind_index && world.is_joinable(running, kind));
            let has_room = joinable
                || match kind.between {
                    Between::People => world.busy(other).is_none(),
                    Between::Item | Between::Group => entity.free_slots() >= usize::from(kind.min),
                };
            if kind.between != Between::Item && npc.memory.quiet_until > world.tick {
                continue;
            }
            if score > 0 && has_room && !scored.iter().any(|(_, known)| *known == errand) {
                scored.push((score, errand));
            }
        }
    }
    // Ties go to the older thing.
    scored.sort_by_key(|(score, errand)| (std::cmp::Reverse(*score), errand.target, errand.kind));
    scored.truncate(BEST_FEW);
    let total: u64 = scored.iter().map(|(score, _)| score).sum();
    let mut roll = world.dice(id, "errand").below(usize::try_from(total).unwrap_or(usize::MAX)) as u64;
    scored.into_iter().find_map(|(score, errand)| match roll.checked_sub(score) {
        None => Some(errand),
        Some(rest) => {
            roll = rest;
            None
        }
    })
}

/// What a kind is worth to a character: each gain by the square of what is missing.
fn worth(world: &FieldWorld, npc: &Npc, kind: &InteractionKind) -> u64 {
    let gain = |(need, rate): &(u8, i32)| {
        let missing = u64::from(FULL.saturating_sub(npc.needs[usize::from(*need)]) / MILLI);
        let wanted = npc.needs[usize::from(*need)] < SEARCH + HYSTERESIS;
        if *rate > 0 && wanted { missing * missing * u64::from(rate.unsigned_abs()) } else { 0 }
    };
    let own: u64 = kind.rates.iter().map(gain).sum();
    // What is cooked is eaten: a maker is worth a share of what its product gives.
    let made = kind.makes.map_or(0, |prototype| {
        let offers = &world.plan.prototypes[usize::from(prototype)].offers;
        offers.iter().map(|kind| worth_alone(world, npc, *kind)).sum::<u64>() / 4
    });
    own + made
}

fn worth_alone(world: &FieldWorld, npc: &Npc, kind: u16) -> u64 {
    let kind = &world.plan.kinds[usize::from(kind)];
    if kind.makes.is_some() { 0 } else { worth(world, npc, kind) }
}

/// Invites a character, or joins an open interaction.
fn social(world: &FieldWorld, id: EntityId, seen: &[(u32, EntityId)]) -> Option<NpcAction> {
    let npc = world.npc(id)?;
    if npc.memory.quiet_until > world.tick {
        return None;
    }
    if !world.dice(id, "social").one_in(INVITES_ONE_IN) {
        return None;
    }
    for (distance, other) in seen {
        let entity = &world.entities[other.0 as usize];
        for kind_index in &entity.offers {
            let kind = &world.plan.kinds[usize::from(*kind_index)];
            if kind.between == Between::Item
                || kind.begins_by == BeginsBy::Proximity
                || *distance > u32::from(kind.range)
            {
                continue;
            }
            let joinable = world
                .running_of(*other)
                .is_some_and(|running| running.kind == *kind_index && world.is_joinable(running, kind));
            let is_free = world.busy(*other).is_none() && world.running_of(*other).is_none();
            if !joinable && !is_free {
                continue;
            }
            let mut others: Vec<EntityId> = Vec::new();
            if kind.between == Between::Group && !joinable {
                let near = world.people_near(id, 5).into_iter().filter(|who| world.busy(*who).is_none());
                others = near.take(usize::from(kind.max).saturating_sub(1)).collect();
                if others.len() + 1 < usize::from(kind.min) || entity.free_slots() < others.len() + 1 {
                    continue;
                }
            }
            return Some(NpcAction::InteractWith {
                entity_name: other.to_string(),
                interaction_name: kind.name.clone(),
                additional_targets: others.iter().map(ToString::to_string).collect(),
            });
        }
    }
    None
}

fn stroll(world: &FieldWorld, id: EntityId) -> NpcAction {
    let state = world.npc(id).map(|npc| npc.state.name());
    match state {
        Some(StateName::Wandering) => NpcAction::Continue {},
        _ if world.dice(id, "stroll").one_in(2) => NpcAction::Wander {},
        _ => NpcAction::Wait { reason: None },
    }
}
