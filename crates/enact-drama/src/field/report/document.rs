//! A field as a document: what was said, what people did together, and what happened to them.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Value, json};

use crate::{
    CallId, Fact, Name, Production,
    field::{
        event::{FieldEnd, FieldEvent},
        kind::Between,
        plan::FieldPlan,
        request,
        setup::FieldSetup,
        state::FieldRun,
        world::{BidOutcome, EntityId, FieldNote, FieldWorld, InteractionId},
    },
    reply::{Action, NEUTRAL, Reply},
    report::{Block, BlockContent, Document, Ledger, Report, Sent, Speech, figures::counted},
    scene::choose_voices::Voices,
    sheet::Sheet,
};

/// The log of a field, folded for people.
#[derive(Debug)]
pub struct FieldReport {
    setup: Arc<FieldSetup>,
    plan: FieldPlan,
    document: Document,
    ledger: Ledger,
    voices: Voices,
    /// What everyone is called, by id: from the beginning, and from those who came later.
    names: BTreeMap<EntityId, String>,
    /// The block of each line.
    lines: BTreeMap<u32, usize>,
    conversations: BTreeMap<InteractionId, ToldConversation>,
    started: BTreeMap<String, u32>,
    bids: (u32, u32),
    ticks: u32,
    errors: Vec<Value>,
    violations: u32,
    /// Calls to fallbacks that are under way, and how often each has answered for whom.
    instead: BTreeMap<CallId, String>,
    /// The fallback that gives the line that follows.
    said_by: Option<String>,
    fallbacks: BTreeMap<Name, BTreeMap<String, u32>>,
}

/// A conversation as it is listed.
#[derive(Debug, Clone)]
struct ToldConversation {
    name: String,
    /// Everyone who was there, and those who are.
    members: Vec<String>,
    present: Vec<String>,
    from: u32,
    to: Option<u32>,
    lines: u32,
    reason: Option<&'static str>,
}

impl Report for FieldReport {
    type Event = FieldEvent;

    fn begin(first: &Fact<FieldEvent>) -> Option<FieldReport> {
        let FieldEvent::FieldBegan { setup } = &first.event else { return None };
        let plan = setup.plan().unwrap_or_default();
        let names = if plan.walls.is_empty() { BTreeMap::new() } else { names_of(&plan, setup.seed) };
        let people: Vec<&str> = setup.cast.iter().map(|role| role.display.as_str()).collect();
        let mut document = Document::new(FieldRun::NAME, setup.name.as_str(), first.at)
            .field("People", &people.join(", "))
            .field("Situation", &plan.situation);
        document.title.clone_from(&plan.title);
        document.setting.clone_from(&plan.setting);
        let voices = Voices::cast(setup.cast.iter().map(|role| {
            let wish = Sheet::read(role.name.as_str(), &role.sheet).ok().and_then(|sheet| sheet.voice);
            (role.name.clone(), wish)
        }));
        Some(FieldReport {
            setup: Arc::clone(setup),
            plan,
            document,
            ledger: Ledger::default(),
            voices,
            names,
            lines: BTreeMap::new(),
            conversations: BTreeMap::new(),
            started: BTreeMap::new(),
            bids: (0, 0),
            ticks: 0,
            errors: Vec::new(),
            violations: 0,
            instead: BTreeMap::new(),
            said_by: None,
            fallbacks: BTreeMap::new(),
        })
    }

    fn apply(&mut self, fact: &Fact<FieldEvent>) {
        let models = &self.setup.models;
        match &fact.event {
            FieldEvent::Advanced { to, .. } => self.ticks = *to,
            FieldEvent::Noted { note } => self.note(fact, note),
            FieldEvent::Violated { .. } => self.violations += 1,
            FieldEvent::Asked { call, actor, model, timeout_ms, .. } => {
                if timeout_ms.is_some() {
                    self.instead.insert(*call, model.clone());
                }
                let (actor, beat) = (Some(actor.clone()), self.ticks / 10);
                self.ledger.sent(*call, Sent { purpose: request::LINE, actor, model: model.clone(), beat });
            }
            FieldEvent::MindAsked { call, actor, model, .. } => {
                let (actor, beat) = (Some(actor.clone()), self.ticks / 10);
                self.ledger
                    .sent(*call, Sent { purpose: request::DECISION, actor, model: model.clone(), beat });
            }
            FieldEvent::MindAnswered { call, usage, .. }
            | FieldEvent::MindDeclined { call: Some(call), usage, .. } => {
                self.ledger.settle(models, *call, *usage);
            }
            FieldEvent::MindFailed { call, usage, .. } => self.ledger.settle(models, *call, *usage),
            FieldEvent::Replied { call, actor, usage, .. } => {
                self.ledger.settle(models, *call, *usage);
                self.said_by = self.instead.remove(call);
                if let Some(model) = self.said_by.clone() {
                    let answers = self.fallbacks.entry(actor.clone()).or_default();
                    *answers.entry(model).or_default() += 1;
                }
            }
            FieldEvent::ReplyFailed { call, usage, actor, error, .. } => {
                self.ledger.settle(models, *call, *usage);
                self.instead.remove(call);
                self.errors.push(json!({"second": self.ticks / 10, "character": actor, "error": error}));
            }
            FieldEvent::WorldEvent { text } => {
                self.push(fact.at, 0, Block::event(fact.seq, 0, text.as_str()))
            }
            FieldEvent::Resumed {} => self.ledger.lost(models),
            FieldEvent::Forked { .. } => self.ledger.hand_down_all_but_pending(),
            FieldEvent::Ended { reason } => {
                self.ledger.close(models);
                self.document.end = Some(match reason {
                    FieldEnd::Completed => "FIELD END - Its time was up".to_owned(),
                    FieldEnd::Cancelled => "FIELD END - Cancelled".to_owned(),
                });
            }
            FieldEvent::FieldBegan { .. }
            | FieldEvent::ThingPlaced { .. }
            | FieldEvent::PersonPlaced { .. }
            | FieldEvent::EntityRemoved { .. }
            | FieldEvent::MindDeclined { call: None, .. }
            | FieldEvent::SaidByRules { .. }
            | FieldEvent::StepAsked { .. }
            | FieldEvent::Watched { .. }
            | FieldEvent::SpeedSet { .. }
            | FieldEvent::Paused {}
            | FieldEvent::CommandRefused { .. }
            | FieldEvent::Driven { .. }
            | FieldEvent::MindAwaited { .. }
            | FieldEvent::Acted { .. }
            | FieldEvent::Remembered { .. }
            | FieldEvent::Continued {} => {}
        }
    }

    fn document(&self) -> Document {
        let (accepted, rejected) = self.bids;
        let conversations: Vec<Value> =
            self.conversations.iter().map(|(id, told)| told.listed(*id)).collect();
        let seconds = self.ticks / 10;
        let mut document = self
            .document
            .clone()
            .statistic("Time in the field", &format!("{}:{:02} min", seconds / 60, seconds % 60))
            .statistic("Conversations", &conversations.len().to_string())
            .statistic("Bids", &format!("{accepted} accepted, {rejected} rejected"))
            .metadata(&json!({
                "run": self.setup.run,
                "field": self.setup.name,
                "rules": self.setup.rules,
                "seed": self.setup.seed,
                "ticks": self.ticks,
                "bids": {"accepted": accepted, "rejected": rejected},
                "interactions": self.started,
                "conversations": conversations,
                "errors": self.errors,
                "violations": self.violations,
                "costs": self.costs(),
            }));
        if !self.fallbacks.is_empty() {
            document.metadata["fallbacks"] = json!(self.fallbacks);
            return document.statistic("Fallbacks", &self.told_fallbacks());
        }
        document
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn conversation(&self, id: &str) -> Option<Document> {
        let number: u32 = id.rsplit('_').next()?.parse().ok()?;
        let told = self.conversations.get(&InteractionId(number))?;
        let mut document = self.document.clone();
        document.title = format!("{}: {}", document.title, one_and_another(&told.members));
        document.blocks.retain(|block| block.round == number);
        document.end = told.reason.map(|reason| format!("CONVERSATION END - {reason}"));
        Some(document.metadata(&told.listed(InteractionId(number))))
    }
}

impl FieldReport {
    /// Which fallbacks have answered, for whom and how often.
    fn told_fallbacks(&self) -> String {
        let display = |actor: &Name| {
            let role = self.setup.cast.iter().find(|role| role.name == *actor);
            role.map_or_else(|| actor.to_string(), |role| role.display.clone())
        };
        let answered = self.fallbacks.iter().flat_map(|(actor, answers)| {
            answers.iter().map(move |(model, times)| {
                format!("{model} for {} ({})", display(actor), counted(u64::from(*times), "answer"))
            })
        });
        answered.collect::<Vec<String>>().join("; ")
    }

    /// Its blocks from the one with this number on: a document of thousands is not copied for each new line.
    pub fn blocks_from(&self, first: usize) -> impl Iterator<Item = &Block> {
        self.document.blocks.iter().skip(first)
    }

    fn note(&mut self, fact: &Fact<FieldEvent>, note: &FieldNote) {
        match note {
            FieldNote::BidSettled { outcome, .. } => match outcome {
                BidOutcome::Accepted => self.bids.0 += 1,
                BidOutcome::Rejected { .. } => self.bids.1 += 1,
            },
            FieldNote::InteractionStarted { tick, id, kind, members, item, .. } => {
                self.started(fact, *tick, *id, *kind, members, *item);
            }
            FieldNote::Joined { id, who, .. } => {
                let name = self.name(*who);
                let Some(told) = self.conversations.get_mut(id) else { return };
                if !told.members.contains(&name) {
                    told.members.push(name.clone());
                }
                let text = format!("{name} joins {}", one_and_another(&told.present));
                told.present.push(name);
                self.push(fact.at, id.0, Block::event(fact.seq, id.0, text));
            }
            FieldNote::Left { id, who, .. } => {
                let name = self.name(*who);
                let Some(told) = self.conversations.get_mut(id) else { return };
                told.present.retain(|present| *present != name);
                let text = format!("{name} leaves {}", one_and_another(&told.present));
                self.push(fact.at, id.0, Block::event(fact.seq, id.0, text));
            }
            FieldNote::InteractionEnded { tick, id, reason } => {
                if let Some(told) = self.conversations.get_mut(id) {
                    (told.to, told.reason) = (Some(*tick), Some(reason.as_str()));
                }
            }
            FieldNote::LineSaid { id, line, who, reply, whispered_to, .. } => {
                let model = self.said_by.take();
                let speech = self.speech(*who, reply, *whispered_to, model.as_deref());
                if let Some(told) = self.conversations.get_mut(id) {
                    told.lines += 1;
                }
                self.lines.insert(*line, self.document.blocks.len());
                self.push(fact.at, id.0, Block::speech(fact.seq, id.0, speech));
            }
            FieldNote::LineCut { line, at, .. } => {
                let block = self.lines.get(line).and_then(|block| self.document.blocks.get_mut(*block));
                if let Some(BlockContent::Speech(speech)) = block.map(|block| &mut block.content) {
                    speech.cut = Some(*at);
                }
            }
            FieldNote::Placed { id, name, .. } => {
                self.names.insert(*id, name.clone());
            }
            FieldNote::AnswerIgnored { .. }
            | FieldNote::Removed { .. }
            | FieldNote::MindDiffered { .. }
            | FieldNote::Stuck { .. } => {}
        }
    }

    fn started(
        &mut self,
        fact: &Fact<FieldEvent>,
        tick: u32,
        id: InteractionId,
        kind: u16,
        members: &[EntityId],
        item: Option<EntityId>,
    ) {
        let Some(kind) = self.plan.kinds.get(usize::from(kind)) else { return };
        *self.started.entry(kind.name.clone()).or_default() += 1;
        let name = kind.name.clone();
        let (talks, is_shared, makes) = (kind.talk, kind.between != Between::Item, kind.makes.is_some());
        let members: Vec<String> = members.iter().map(|who| self.name(*who)).collect();
        let people = one_and_another(&members);
        if talks {
            let present = members.clone();
            let told =
                ToldConversation { name, members, present, from: tick, to: None, lines: 0, reason: None };
            self.conversations.insert(id, told);
            let heading = format!("{people} begin to talk");
            self.push(fact.at, id.0, Block::event(fact.seq, id.0, heading));
        } else if is_shared || makes {
            let place = item.map(|item| format!(" at the {}", self.name(item))).unwrap_or_default();
            let text = format!("{people}: {name}{place}");
            self.push(fact.at, 0, Block::event(fact.seq, 0, text));
        }
    }

    fn push(&mut self, at: i64, round: u32, block: Block) {
        let at_ms = u64::from(self.ticks) * 100;
        let mut block = block.at(at).at_ms(at_ms);
        block.round = round;
        self.document.blocks.push(block);
    }

    fn name(&self, id: EntityId) -> String {
        self.names.get(&id).cloned().unwrap_or_else(|| id.to_string())
    }

    fn speech(
        &self,
        who: EntityId,
        reply: &Reply,
        whispered_to: Option<EntityId>,
        fallback: Option<&str>,
    ) -> Speech {
        let name = self.name(who);
        let role = self.setup.role_of(&name);
        let model = fallback.unwrap_or(&role.model);
        let label = self.setup.models.get(model).and_then(|card| card.label.as_deref());
        let shown = label.map_or_else(|| name.clone(), |label| format!("{name} ({label})"));
        let mut speech = match reply.action {
            Action::React | Action::Silent => {
                Speech::gesture(&shown, reply.nonverbal.as_deref().unwrap_or(""))
            }
            Action::Speak | Action::Interrupt => Speech::new(&shown, reply.content.as_str()),
        };
        if reply.action == Action::Interrupt {
            let phrase = reply.interrupt_after.as_deref().unwrap_or_default();
            speech = speech.remark(&format!("INTERRUPT after \"{phrase}\""));
            speech.interrupts = true;
        }
        if let Some(target) = &reply.target {
            speech = speech.attribute("TO", target);
        }
        if let Some(to) = whispered_to {
            speech = speech.attribute("WHISPER", &self.name(to));
        }
        if reply.tone != NEUTRAL {
            speech = speech.attribute("TONE", &reply.tone).manner(reply.tone.clone());
        }
        if let Some(nonverbal) = &reply.nonverbal {
            speech = speech.doing(nonverbal);
        }
        speech.timbre = self.voices.timbre(&role.name);
        speech
    }
}

impl ToldConversation {
    fn listed(&self, id: InteractionId) -> Value {
        json!({
            "id": format!("conv_{}", id.0),
            "interaction": self.name,
            "participants": self.members,
            "fromTick": self.from,
            "toTick": self.to,
            "lines": self.lines,
            "reason": self.reason,
        })
    }
}

/// Names as they are said: "Ada, Bob and Cyd".
fn one_and_another(names: &[String]) -> String {
    match names {
        [] => "nobody".to_owned(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// What everyone in a field is called in the beginning.
fn names_of(plan: &FieldPlan, seed: u64) -> BTreeMap<EntityId, String> {
    let world = FieldWorld::new(Arc::new(plan.clone()), seed);
    let named = world.entities().iter().enumerate();
    named.map(|(at, entity)| (EntityId(at as u32), entity.name.to_string())).collect()
}
