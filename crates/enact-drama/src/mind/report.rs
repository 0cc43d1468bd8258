//! What is told of a mind: what it did and said, and what that cost.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};

use super::{
    event::{MindDecision, MindEvent},
    machine::{DECISION, Mind},
    setup::MindSetup,
};
use crate::{
    Fact, Production,
    report::{Block, Document, Ledger, Report, Sent, Speech},
};

/// How many complaints the metadata lists: the log has all.
const MOST_COMPLAINTS: usize = 50;

/// The log of a mind, folded for people.
#[derive(Debug)]
pub struct MindReport {
    setup: Arc<MindSetup>,
    document: Document,
    ledger: Ledger,
    entity_id: Option<String>,
    observations: u32,
    decisions: u32,
    passed: u32,
    actions: BTreeMap<String, u32>,
    complaints: Vec<Value>,
    /// How often each fallback has decided.
    fallbacks: BTreeMap<String, u32>,
}

impl Report for MindReport {
    type Event = MindEvent;

    fn begin(first: &Fact<MindEvent>) -> Option<MindReport> {
        let MindEvent::MindBegan { setup } = &first.event else { return None };
        let mut document = Document::new(Mind::NAME, &setup.mind_id, first.at)
            .field("Body", &setup.entity_id)
            .field("Traits", &setup.config.traits.join(", "));
        document.title.clone_from(&setup.mind_id);
        Some(MindReport {
            setup: Arc::clone(setup),
            document,
            ledger: Ledger::default(),
            entity_id: Some(setup.entity_id.clone()),
            observations: 0,
            decisions: 0,
            passed: 0,
            actions: BTreeMap::new(),
            complaints: Vec::new(),
            fallbacks: BTreeMap::new(),
        })
    }

    fn apply(&mut self, fact: &Fact<MindEvent>) {
        let models = &self.setup.models;
        match &fact.event {
            MindEvent::Linked { entity_id } => self.entity_id = Some(entity_id.clone()),
            MindEvent::Released {} => {
                self.entity_id = None;
                // Nobody waits for what a model may still say.
                self.ledger.close(models);
            }
            MindEvent::Observed { .. } => self.observations += 1,
            MindEvent::Passed { .. } | MindEvent::Withheld { .. } => self.passed += 1,
            MindEvent::Asked { call, model, .. } => {
                let sent = Sent { purpose: DECISION, actor: None, model: model.clone(), beat: 0 };
                self.ledger.sent(*call, sent);
            }
            MindEvent::AskFailed { call, usage, .. } => self.ledger.settle(models, *call, *usage),
            MindEvent::Decided { decision } => {
                if let Some(model) = &decision.fallback {
                    *self.fallbacks.entry(model.clone()).or_default() += 1;
                }
                if let Some(call) = decision.call {
                    self.ledger.settle(models, call, decision.usage);
                }
                self.decided(fact, decision);
            }
            MindEvent::Resumed {} => self.ledger.lost(models),
            MindEvent::Ended {} => {
                self.ledger.close(models);
                self.document.end = Some("MIND END - Cancelled".to_owned());
            }
            MindEvent::MindBegan { .. } | MindEvent::Repeated { .. } | MindEvent::Consolidated { .. } => {}
        }
    }

    fn document(&self) -> Document {
        let mut document = self.document.clone();
        document.statistics.push(("Decisions", self.decisions.to_string()));
        document.metadata(&json!({
            "run": self.setup.run,
            "mindId": self.setup.mind_id,
            "entityId": self.entity_id,
            "traits": self.setup.config.traits,
            "observations": self.observations,
            "decisions": self.decisions,
            "passed": self.passed,
            "actions": self.actions,
            "complaints": self.complaints,
            "fallbacks": self.fallbacks,
            "costs": self.costs(),
        }))
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }
}

impl MindReport {
    fn decided(&mut self, fact: &Fact<MindEvent>, decision: &MindDecision) {
        self.decisions += 1;
        *self.actions.entry(decision.action.action.clone()).or_default() += 1;
        if let Some(complaint) = &decision.complaint
            && self.complaints.len() < MOST_COMPLAINTS
        {
            self.complaints.push(json!({ "request": decision.request, "complaint": complaint }));
        }
        let block = match &decision.said {
            Some(said) => Block::speech(fact.seq, 0, Speech::new(&self.setup.mind_id, said)),
            // Twenty times a minute nothing changes.
            None if decision.action.action == "continue" => return,
            None => {
                let what = parameters(decision);
                let text = format!("{}{what}: {}", decision.action.action, decision.why);
                Block::system(fact.seq, 0, text)
            }
        };
        self.document.blocks.push(block.at(fact.at));
    }
}

fn parameters(decision: &MindDecision) -> String {
    let values = decision.action.parameters.values().map(Value::to_string);
    let values: Vec<String> = values.collect();
    if values.is_empty() { String::new() } else { format!(" {}", values.join(" ")) }
}
