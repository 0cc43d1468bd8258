//! Minds: what is read, what is decided, and every trap of the games that exist, by name.

mod bounds;
mod deciding;
mod fallbacks;
mod reading;
mod repeated;
mod traps;

use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    MindAction, MindCommand, MindConfig, MindDecision, MindEvent, MindObservation, MindSetup, MindTold,
    machine::Mind,
};
use crate::{
    CallId, Fact, Happened, Input, Production, RunId, Seq,
    budget::Budget,
    call::{Answer, Failure},
    model_card::ModelCard,
    usage::Usage,
};

/// A mind in a test, with its log.
pub(super) struct Played {
    pub(super) mind: Mind,
    pub(super) facts: Vec<Fact<MindEvent>>,
    pub(super) at: i64,
    requests: u32,
}

impl Played {
    pub(super) fn new(model: Option<&str>) -> Played {
        Played::within(model, Budget::default(), 4)
    }

    pub(super) fn within(model: Option<&str>, budget: Budget, most_calls: u32) -> Played {
        let cards = model.map(|name| (name.to_owned(), ModelCard::free("a model of a test")));
        let setup = MindSetup {
            run: RunId(uuid::Uuid::from_u128(7)),
            mind_id: "ada".to_owned(),
            entity_id: "npc_1".to_owned(),
            config: MindConfig::unknown(),
            model: model.map(str::to_owned),
            models: cards.into_iter().collect(),
            budget,
            most_calls,
            seed: 3,
        };
        let first = Fact { seq: Seq(0), at: 0, event: MindEvent::MindBegan { setup: Arc::new(setup) } };
        let mind = Mind::begin(&first).unwrap();
        Played { mind, facts: vec![first], at: 0, requests: 0 }
    }

    pub(super) fn feed(&mut self, what: Happened<MindCommand>) -> Vec<MindEvent> {
        let events = self.mind.decide(&Input { at: self.at, what });
        for event in &events {
            let fact = Fact { seq: Seq(self.facts.len() as u64), at: self.at, event: event.clone() };
            self.mind.apply(&fact);
            self.facts.push(fact);
        }
        events
    }

    pub(super) fn tell_all(&mut self, told: Vec<MindObservation>) -> Vec<MindEvent> {
        self.at += 3_000;
        let told = told.into_iter().map(|observation| {
            self.requests += 1;
            MindTold { request: format!("r{}", self.requests), observation, late: false }
        });
        let told = told.collect();
        self.feed(Happened::Commanded(MindCommand::Decide { told, withheld: Vec::new() }))
    }

    /// A call by its name; says also which decisions never reached the game.
    pub(super) fn call(
        &mut self,
        request: &str,
        observation: MindObservation,
        withheld: &[&str],
    ) -> Vec<MindEvent> {
        self.at += 3_000;
        let told = vec![MindTold { request: request.to_owned(), observation, late: false }];
        let withheld = withheld.iter().map(|request| (*request).to_owned()).collect();
        self.feed(Happened::Commanded(MindCommand::Decide { told, withheld }))
    }

    /// What is decided at once.
    pub(super) fn tell(&mut self, told: MindObservation) -> MindDecision {
        let events = self.tell_all(vec![told]);
        decided(&events).unwrap_or_else(|| panic!("nothing was decided: {events:?}"))
    }

    pub(super) fn answer(&mut self, call: u64, text: &str) -> Vec<MindEvent> {
        self.feed(Happened::Answered { call: CallId(call), answer: Answer::from(text) })
    }

    /// The same, of a model that says how many tokens it read.
    pub(super) fn answer_using(&mut self, call: u64, text: &str, uncached: u64) -> Vec<MindEvent> {
        let usage = Some(Usage { uncached, output: 20, ..Usage::NONE });
        let answer = Answer { usage, ..Answer::from(text) };
        self.feed(Happened::Answered { call: CallId(call), answer })
    }

    pub(super) fn fail(&mut self, call: u64) -> Vec<MindEvent> {
        self.feed(Happened::Failed { call: CallId(call), failure: Failure::new("no answer") })
    }
}

pub(super) fn decided(events: &[MindEvent]) -> Option<MindDecision> {
    events.iter().find_map(|event| match event {
        MindEvent::Decided { decision } => Some((**decision).clone()),
        _ => None,
    })
}

pub(super) fn passed(events: &[MindEvent]) -> Vec<&str> {
    let passed = events.iter().filter_map(|event| match event {
        MindEvent::Passed { request } => Some(request.as_str()),
        _ => None,
    });
    passed.collect()
}

/// A body at (0,0) in a state, with needs, beside what is given.
pub(super) fn body(state: &str, needs: Value, visible: Value) -> Value {
    json!({
        "entity_id": "npc_1",
        "status": { "position": [0, 0], "activity_state": { "state_name": state }, "current_interaction": {} },
        "needs": { "needs": needs, "max_value": 100 },
        "vision": { "visible_entities": visible },
    })
}

pub(super) fn thing(id: &str, x: i64, fills: &str) -> Value {
    json!({ "entity_id": id, "display_name": id, "position": [x, 0],
            "interactions": { "use": { "name": "use", "needs_filled": [fills] } } })
}

pub(super) fn seen(observation: &Value) -> MindObservation {
    MindObservation::read(observation, &[])
}

pub(super) fn with_events(observation: &Value, events: &[Value]) -> MindObservation {
    MindObservation::read(observation, events)
}

pub(super) fn event(kind: &str, payload: Value) -> Value {
    json!({ "timestamp": 1, "event_type": kind, "payload": payload })
}

pub(super) fn told(action: &MindAction) -> (String, Value) {
    (action.action.clone(), Value::Object(action.parameters.clone()))
}
