//! A field's facts, folded: the world, and what is under way around it.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};

use super::{
    event::{FieldEnd, FieldEvent},
    machine::LINE_TIMEOUT_MS,
    plan::FieldPlan,
    remembering::LineInEarshot,
    setup::FieldSetup,
    world::{
        EntityId, FieldWorld, InteractionId, MindAnswer, NpcAction, NpcEvent, Pos, RULES_VERSION, StateName,
    },
};
use crate::{
    CallId, Fact, Name,
    budget::{CallAllowance, Spent},
    reply::Reply,
};

/// A field being played.
#[derive(Debug, Clone)]
pub struct FieldRun {
    pub(super) setup: Arc<FieldSetup>,
    pub(super) plan: Arc<FieldPlan>,
    pub(super) world: Arc<FieldWorld>,
    pub(super) rest: RunState,
    /// Whether other rules have written the log: it is shown, and not simulated.
    pub(super) foreign: bool,
    /// What deciding on the next ticks came to, so that folding them need not do it again.
    pub(super) ahead: Arc<Mutex<Option<Ahead>>>,
}

/// What is known beside the world.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct RunState {
    pub(super) asks: Vec<LineAsk>,
    pub(super) next_call: u64,
    /// The seq of the fact by which the world came to its tick.
    #[serde(default)]
    pub(super) advanced: u64,
    /// The timer of the next ticks.
    pub(super) timer: u64,
    pub(super) speed: u32,
    pub(super) paused: bool,
    pub(super) ended: Option<FieldEnd>,
    pub(super) watched: Option<EntityId>,
    /// For whom programs outside decide.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) driven: BTreeSet<EntityId>,
    pub(super) mind_asks: Vec<MindAsk>,
    /// How often a model was asked to decide, in all and in this minute of the field.
    pub(super) mind_calls: u32,
    pub(super) mind_calls_in: (u32, u32),
    /// Where simulating has come to something else than the log says.
    pub(super) diverged: Option<u32>,
    /// How many ticks of a step have still to pass.
    #[serde(default)]
    pub(super) step_left: u32,
    /// What calls have used, where that is limited.
    #[serde(default)]
    pub(super) spent: Spent,
    /// What was said, where the field remembers.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    pub(super) heard: VecDeque<LineInEarshot>,
}

/// A model that is asked for a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LineAsk {
    pub(super) call: CallId,
    pub(super) deadline: CallId,
    pub(super) conversation: InteractionId,
    pub(super) who: EntityId,
    pub(super) actor: Name,
    pub(super) model: String,
    #[serde(default)]
    pub(super) allowance: Option<CallAllowance>,
    /// When it was asked, in UTC milliseconds, and how long that may take.
    #[serde(default)]
    pub(super) since: i64,
    #[serde(default)]
    pub(super) timeout_ms: u64,
}

/// A model that is asked what a character does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct MindAsk {
    pub(super) call: CallId,
    pub(super) deadline: CallId,
    pub(super) npc: EntityId,
    pub(super) request: u32,
    pub(super) actor: Name,
    pub(super) model: String,
    pub(super) events: Vec<NpcEvent>,
    #[serde(default)]
    pub(super) allowance: Option<CallAllowance>,
    /// When it was asked, in UTC milliseconds, and how long that may take.
    #[serde(default)]
    pub(super) since: i64,
    #[serde(default)]
    pub(super) timeout_ms: u64,
}

/// A world after some ticks, and the one they began with.
#[derive(Debug)]
pub(super) struct Ahead {
    pub(super) from: Arc<FieldWorld>,
    pub(super) ticks: u32,
    pub(super) world: Arc<FieldWorld>,
}

/// The state without what the first fact holds.
#[derive(Serialize, Deserialize)]
struct WrittenState {
    world: FieldWorld,
    rest: RunState,
}

impl FieldRun {
    /// The state after the first fact of a log.
    pub(super) fn begun(first: &Fact<FieldEvent>) -> Option<FieldRun> {
        let FieldEvent::FieldBegan { setup } = &first.event else { return None };
        let foreign = setup.rules != RULES_VERSION;
        // A file that this version cannot read was written for other rules: its log can still be shown.
        let plan = setup.plan();
        let foreign = foreign || plan.is_err();
        let plan = Arc::new(plan.unwrap_or_else(|_| FieldPlan {
            width: 1,
            height: 1,
            walls: vec![false],
            ..FieldPlan::default()
        }));
        let world = Arc::new(FieldWorld::new(Arc::clone(&plan), setup.seed));
        let watched = setup.watched.as_deref().and_then(|name| entity_named(&world, name));
        let rest = RunState { speed: setup.speed, timer: 1, next_call: 2, watched, ..RunState::default() };
        Some(FieldRun { setup: Arc::clone(setup), plan, world, rest, foreign, ahead: Arc::default() })
    }

    pub fn setup(&self) -> &Arc<FieldSetup> {
        &self.setup
    }

    pub fn world(&self) -> &FieldWorld {
        &self.world
    }

    pub fn is_paused(&self) -> bool {
        self.rest.paused
    }

    pub fn speed(&self) -> u32 {
        self.rest.speed
    }

    /// The tick at which simulating its log came to something else than the log says.
    pub fn diverged(&self) -> Option<u32> {
        self.rest.diverged
    }

    /// Whether other rules have written its log.
    pub fn is_foreign(&self) -> bool {
        self.foreign
    }

    /// The tick after which it is over.
    pub(super) fn last_tick(&self) -> u32 {
        self.setup.minutes.saturating_mul(600)
    }

    pub(super) fn fold(&mut self, fact: &Fact<FieldEvent>) {
        match &fact.event {
            FieldEvent::Advanced { ticks, to, hash } => {
                self.rest.advanced = fact.seq.0;
                self.rest.timer = self.rest.next_call;
                self.rest.next_call += 1;
                self.rest.step_left = self.rest.step_left.saturating_sub(*ticks);
                if !self.foreign {
                    self.advance(*ticks);
                    let differs = hash.as_ref().is_some_and(|hash| *hash != hash_text(&self.world));
                    if self.world.now() != *to || differs {
                        self.rest.diverged.get_or_insert(*to);
                    }
                }
            }
            FieldEvent::Asked { call, deadline, conversation, who, actor, model, reserved, timeout_ms } => {
                self.rest.next_call = self.rest.next_call.max(deadline.0 + 1);
                self.rest.asks.push(LineAsk {
                    call: *call,
                    deadline: *deadline,
                    conversation: *conversation,
                    who: *who,
                    actor: actor.clone(),
                    model: model.clone(),
                    allowance: *reserved,
                    since: fact.at,
                    timeout_ms: timeout_ms.unwrap_or(LINE_TIMEOUT_MS),
                });
            }
            FieldEvent::SaidByRules { conversation, who, reply } => {
                self.input(|world| say(world, *conversation, *who, reply));
            }
            FieldEvent::Replied { call, conversation, who, reply, usage, .. } => {
                self.spend(*call, usage.as_ref());
                self.rest.asks.retain(|ask| ask.call != *call);
                self.input(|world| say(world, *conversation, *who, reply));
            }
            FieldEvent::ReplyFailed { call, conversation, who, usage, goes_on, .. } => {
                self.spend(*call, usage.as_ref());
                self.rest.asks.retain(|ask| ask.call != *call);
                if !goes_on {
                    self.input(|world| world.pass_floor(*conversation, *who));
                }
            }
            FieldEvent::MindAsked {
                call,
                deadline,
                npc,
                request,
                actor,
                model,
                events,
                reserved,
                timeout_ms,
            } => {
                self.rest.next_call = self.rest.next_call.max(deadline.0 + 1);
                self.rest.mind_calls += 1;
                let minute = self.world.now() / 600;
                let so_far = if self.rest.mind_calls_in.0 == minute { self.rest.mind_calls_in.1 } else { 0 };
                self.rest.mind_calls_in = (minute, so_far + 1);
                self.rest.mind_asks.push(MindAsk {
                    call: *call,
                    deadline: *deadline,
                    npc: *npc,
                    request: *request,
                    actor: actor.clone(),
                    model: model.clone(),
                    events: events.clone(),
                    allowance: *reserved,
                    since: fact.at,
                    timeout_ms: timeout_ms.unwrap_or(LINE_TIMEOUT_MS),
                });
            }
            FieldEvent::MindFailed { call, usage, .. } => {
                self.spend(*call, usage.as_ref());
                self.rest.mind_asks.retain(|ask| ask.call != *call);
            }
            FieldEvent::MindAnswered { call, npc, request, action, usage, .. } => {
                self.spend(*call, usage.as_ref());
                self.rest.mind_asks.retain(|ask| ask.call != *call);
                let answer =
                    MindAnswer { npc: *npc, request: *request, action: action.clone(), believes: None };
                self.input(|world| world.answer(&answer));
            }
            FieldEvent::MindDeclined { call, npc, request, events, usage, .. } => {
                if let Some(call) = call {
                    self.spend(*call, usage.as_ref());
                }
                self.rest.mind_asks.retain(|ask| Some(ask.call) != *call);
                self.input(|world| world.decline(*npc, *request, events));
            }
            FieldEvent::Driven { entity, remote } => {
                match remote {
                    true => self.rest.driven.insert(*entity),
                    false => self.rest.driven.remove(entity),
                };
                self.input(|world| world.set_outside(*entity, *remote));
            }
            FieldEvent::Acted { npc, request, action, believes } => {
                self.input(|world| act(world, *npc, *request, action, *believes).ok());
            }
            FieldEvent::Watched { entity } => self.rest.watched = *entity,
            FieldEvent::WorldEvent { text } => self.input(|world| world.happen(text)),
            FieldEvent::ThingPlaced { thing, x, y } => {
                let prototype = self.plan.prototype_named(thing);
                self.input(|world| world.place(prototype?, Pos::new(*x, *y)));
            }
            FieldEvent::PersonPlaced { name, x, y } => {
                self.input(|world| world.place_person(name, '@', Pos::new(*x, *y)));
            }
            FieldEvent::EntityRemoved { entity } => self.input(|world| world.remove(*entity)),
            FieldEvent::SpeedSet { speed } => {
                self.rest.speed = *speed;
                self.new_timer();
            }
            FieldEvent::Paused {} => (self.rest.paused, self.rest.step_left) = (true, 0),
            FieldEvent::StepAsked { ticks } => self.rest.step_left = *ticks,
            FieldEvent::Continued {} => {
                (self.rest.paused, self.rest.step_left) = (false, 0);
                self.new_timer();
            }
            FieldEvent::Forked { seed, .. } => {
                let seed = *seed;
                // What the run before it has used is not this one's.
                self.rest.spent = Spent::default();
                self.input(|world| world.reseed(seed));
            }
            FieldEvent::Ended { reason } => {
                self.rest.asks.clear();
                self.rest.mind_asks.clear();
                self.rest.ended = Some(*reason);
            }
            FieldEvent::Resumed {} => {
                self.spend_lost();
                // They are asked again, and have all of their time.
                self.rest.asks.iter_mut().for_each(|ask| ask.since = fact.at);
                self.rest.mind_asks.iter_mut().for_each(|ask| ask.since = fact.at);
            }
            FieldEvent::Noted { note } => self.hear(note),
            FieldEvent::FieldBegan { .. }
            | FieldEvent::MindAwaited { .. }
            | FieldEvent::Remembered { .. }
            | FieldEvent::CommandRefused { .. }
            | FieldEvent::Violated { .. } => {}
        }
    }

    fn new_timer(&mut self) {
        self.rest.timer = self.rest.next_call;
        self.rest.next_call += 1;
    }

    /// Lets ticks pass: as it was decided, or by doing it again.
    fn advance(&mut self, ticks: u32) {
        let ahead = self.ahead.lock().unwrap_or_else(PoisonError::into_inner).take();
        match ahead.filter(|ahead| Arc::ptr_eq(&ahead.from, &self.world) && ahead.ticks == ticks) {
            Some(ahead) => self.world = ahead.world,
            None => {
                let watched = self.setup.minds.is_some().then_some(self.rest.watched);
                let driven = self.rest.driven.clone();
                self.input(|world| {
                    begin_ticks(world, watched, &driven);
                    (0..ticks).for_each(|_| world.tick());
                });
            }
        }
    }

    /// Changes the world. What it has to say was decided with the fact, and is in the log.
    fn input<R>(&mut self, change: impl FnOnce(&mut FieldWorld) -> R) {
        if self.foreign {
            return;
        }
        let world = Arc::make_mut(&mut self.world);
        change(world);
        settle(world);
    }

    pub(super) fn written(&self) -> Option<String> {
        let state = WrittenState { world: FieldWorld::clone(&self.world), rest: self.rest.clone() };
        serde_json::to_string(&state).ok()
    }

    pub(super) fn read_back(first: &Fact<FieldEvent>, written: &str) -> Option<FieldRun> {
        let run = FieldRun::begun(first).filter(|run| !run.foreign)?;
        let WrittenState { world, rest } = serde_json::from_str(written).ok()?;
        let world = Arc::new(world.restore(Arc::clone(&run.plan)));
        Some(FieldRun { world, rest, ..run })
    }
}

/// What comes before ticks that pass together: a model's attention moves on. Nothing, where there is none.
pub(super) fn begin_ticks(
    world: &mut FieldWorld,
    watched: Option<Option<EntityId>>,
    driven: &BTreeSet<EntityId>,
) {
    if let Some(watched) = watched {
        world.attend(watched, driven);
    }
}

/// Has a character do what a program outside has decided. What is wrong with that is told to both.
pub(super) fn act(
    world: &mut FieldWorld,
    npc: EntityId,
    request: Option<u32>,
    action: &NpcAction,
    believes: Option<StateName>,
) -> Result<(), String> {
    let Some(request) = request else { return world.act(npc, action) };
    let errors = world.errors;
    if !world.answer(&MindAnswer { npc, request, action: action.clone(), believes }) {
        return Err(format!("the answer to request {request} came too late, or twice"));
    }
    let error = world.npc(npc).filter(|_| world.errors > errors).and_then(|npc| npc.client.unsent.back());
    match error {
        Some(NpcEvent::Error { message }) => Err(message.clone()),
        _ => Ok(()),
    }
}

/// An entity by name or id.
pub(super) fn entity_named(world: &FieldWorld, name: &str) -> Option<EntityId> {
    let ids = (0..world.entities().len() as u32).map(EntityId);
    let is_it = |id: &EntityId| {
        world.living(*id).is_some_and(|found| found.name.eq_ignore_ascii_case(name) || id.to_string() == name)
    };
    ids.into_iter().find(is_it)
}

/// Drops what a world has to say.
pub(super) fn settle(world: &mut FieldWorld) {
    world.take_notes();
    world.take_mind_requests();
    world.take_wanted_lines();
    world.take_moved();
}

/// Has a character say what its model answered; without words the floor passes on.
pub(super) fn say(world: &mut FieldWorld, id: InteractionId, who: EntityId, reply: &Reply) {
    if world.say(id, who, reply.clone(), None).is_err() {
        world.pass_floor(id, who);
    }
}

pub(super) fn hash_text(world: &FieldWorld) -> String {
    format!("{:016x}", world.hash())
}
