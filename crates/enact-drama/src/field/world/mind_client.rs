//! The client between a body and its mind: the decision cycle, what is sent, and what may come back.
//!
//! A mind made of rules decides within the tick. One outside (a language model, another program) is
//! sent a request and answers later, twice, or never: one request of a person is under way at a time, an
//! answer to an older one is ignored, and rules decide after the timeout.

use std::collections::{BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::{
    EntityId, FieldNote, FieldWorld,
    action::{NpcAction, NpcEvent, StateName},
    due::NEVER,
    entity::push_bounded,
    rules_mind,
};

/// A mind decides every 3 s.
pub const CYCLE_TICKS: u32 = 30;
/// How long an answer is waited for before rules decide: 10 s.
pub const MIND_TIMEOUT_TICKS: u32 = 100;
/// How many requests of all people may be under way: the others' wait for the next cycle, and rules decide.
pub const MOST_IN_FLIGHT: usize = 64;
/// How many events wait for a mind; the oldest are dropped.
const MOST_UNSENT: usize = 32;

/// What is between one body and its mind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[repr(C)]
pub struct MindClient {
    /// Whether the mind is outside.
    pub outside: bool,
    pub next_decision: u32,
    /// Events that the mind was not sent yet.
    pub unsent: VecDeque<NpcEvent>,
    pub in_flight: Option<DecisionInFlight>,
    /// How many requests were sent.
    pub requests: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionInFlight {
    pub request: u32,
    pub since: u32,
}

impl MindClient {
    pub(super) fn new(first: u32) -> MindClient {
        MindClient {
            outside: false,
            next_decision: first,
            unsent: VecDeque::new(),
            in_flight: None,
            requests: 0,
        }
    }
}

/// What a mind outside is asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MindRequest {
    pub npc: EntityId,
    /// Counted for each person: an answer names it.
    pub request: u32,
    pub events: Vec<NpcEvent>,
}

/// What a mind outside answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MindAnswer {
    pub npc: EntityId,
    pub request: u32,
    pub action: NpcAction,
    /// In which state the mind believes its body to be.
    pub believes: Option<StateName>,
}

impl FieldWorld {
    /// Adds an event for a mind's next decision.
    pub(super) fn tell(&mut self, id: EntityId, event: NpcEvent) {
        if let Some(npc) = self.npc_mut(id) {
            push_bounded(&mut npc.client.unsent, event, MOST_UNSENT);
        }
    }

    /// The same for what cannot wait for the cycle.
    pub(super) fn tell_at_once(&mut self, id: EntityId, event: NpcEvent) {
        let tick = self.tick;
        self.tell(id, event);
        if let Some(npc) = self.npc_mut(id) {
            npc.client.next_decision = tick;
        }
    }

    /// Lets everyone decide whose time has come, in the order of their ids.
    pub(super) fn run_decisions(&mut self) {
        for at in 0..self.entities.len() {
            if self.due.at(at).decision > self.tick {
                continue;
            }
            let id = EntityId(at as u32);
            let next = self.npc(id).map_or(NEVER, |npc| npc.client.next_decision);
            self.due.at(at).decision = next;
            if next <= self.tick {
                self.run_decision(id);
            }
        }
    }

    fn run_decision(&mut self, id: EntityId) {
        let tick = self.tick;
        let full = self.in_flight >= MOST_IN_FLIGHT;
        let Some(npc) = self.npc_mut(id) else { return };
        npc.client.next_decision = tick + CYCLE_TICKS;
        if npc.client.outside {
            match npc.client.in_flight {
                // Back-pressure: what happens meanwhile is sent with the next request.
                Some(waiting) if tick < waiting.since + MIND_TIMEOUT_TICKS => return,
                Some(_) => {
                    npc.client.in_flight = None;
                    self.in_flight -= 1;
                    self.timeouts += 1;
                }
                None if !full => return self.ask_outside(id),
                None => {}
            }
        }
        let plan = std::sync::Arc::clone(&self.plan);
        let Some(npc) = self.npc_mut(id) else { return };
        let events: Vec<NpcEvent> = npc.client.unsent.drain(..).collect();
        rules_mind::read_events(npc, &events, tick, &plan);
        let (state, believed) = (npc.state.name(), npc.memory.believes);
        if let Some(believed) = believed.filter(|believed| !rules_mind::agrees(*believed, state)) {
            self.differs(id, believed, state);
        }
        let action = rules_mind::decide(self, id);
        let done = self.act(id, &action);
        if let Some(npc) = self.npc_mut(id) {
            // Of an action that was refused, a mind knows that it was.
            npc.memory.believes = done.is_ok().then(|| npc.state.name());
        }
    }

    fn ask_outside(&mut self, id: EntityId) {
        let tick = self.tick;
        let Some(npc) = self.npc_mut(id) else { return };
        npc.client.requests += 1;
        let request = npc.client.requests;
        npc.client.in_flight = Some(DecisionInFlight { request, since: tick });
        let events = npc.client.unsent.drain(..).collect();
        self.in_flight += 1;
        self.mind_requests.push(MindRequest { npc: id, request, events });
    }

    /// Takes the answer of a mind outside. One that is late, repeated or for another body changes nothing.
    pub fn answer(&mut self, answer: &MindAnswer) -> bool {
        let Some(npc) = self.npc_mut(answer.npc) else { return false };
        if npc.client.in_flight.map(|waiting| waiting.request) != Some(answer.request) {
            self.late_answers += 1;
            return false;
        }
        npc.client.in_flight = None;
        let state = npc.state.name();
        self.in_flight -= 1;
        if let Some(believed) = answer.believes.filter(|believed| !rules_mind::agrees(*believed, state)) {
            self.differs(answer.npc, believed, state);
        }
        // What it asks for is checked against the state like everybody's.
        let _ = self.act(answer.npc, &answer.action);
        true
    }

    /// No mind outside is asked this time, or it gave nothing: rules decide, with the events it was to be told.
    pub fn decline(&mut self, id: EntityId, request: u32, events: &[NpcEvent]) {
        let tick = self.tick;
        let Some(npc) = self.npc_mut(id) else { return };
        if npc.client.in_flight.map(|waiting| waiting.request) != Some(request) {
            return;
        }
        npc.client.in_flight = None;
        npc.client.outside = false;
        npc.client.next_decision = tick;
        for event in events.iter().rev() {
            npc.client.unsent.push_front(event.clone());
        }
        npc.client.unsent.truncate(MOST_UNSENT);
        self.in_flight -= 1;
    }

    /// Has an outside mind decide for those near the watched character, and rules for all others. Characters in
    /// an interaction, or waiting for an answer, keep their mind until that is over, and those that are `driven` for
    /// good.
    pub fn attend(&mut self, watched: Option<EntityId>, driven: &BTreeSet<EntityId>) {
        let near: Vec<EntityId> = match watched.filter(|id| self.npc(*id).is_some()) {
            Some(id) => [id].into_iter().chain(self.people_near(id, self.plan.vision)).collect(),
            None => Vec::new(),
        };
        for at in 0..self.entities.len() {
            let id = EntityId(at as u32);
            let wanted = near.contains(&id);
            let tick = self.tick;
            // Whose decision is due was left to rules, and they have not decided yet.
            let may_change = |npc: &super::Npc| {
                let is_due = npc.client.next_decision <= tick;
                npc.client.outside != wanted && npc.client.in_flight.is_none() && !(wanted && is_due)
            };
            if !driven.contains(&id) && self.npc(id).is_some_and(may_change) {
                self.set_outside(id, wanted);
            }
        }
    }

    /// A mind and its body are in different states: that is noted, and the body is right.
    fn differs(&mut self, id: EntityId, believed: StateName, state: StateName) {
        self.note(FieldNote::MindDiffered { tick: self.tick, who: id, believed, state });
        if let Some(npc) = self.npc_mut(id) {
            npc.memory.believes = Some(state);
        }
    }
}
