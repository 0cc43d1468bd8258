//! The field as a machine: time passes by timers, many ticks at once, and models are asked for lines.

use std::sync::{Arc, PoisonError};

use super::{
    budget::{CallPlanner, USED_UP},
    command::FieldCommand,
    command_check,
    event::{FieldEnd, FieldEvent},
    fork, mind_request, recorded_answers, remembering,
    report::{FieldClientEvents, FieldReport},
    request,
    setup::FieldRole,
    state::{Ahead, FieldRun, LineAsk, MindAsk, begin_ticks, hash_text, say, settle},
    world::{EntityId, FieldNote, FieldWorld, InteractionId, MindAnswer, MindRequest},
};
use crate::{
    CallId, Fact, Problem, RunId,
    production::{Answer, Ask, Effect, Failure, FailureKind, Fork, Happened, Input, Player, Production},
    recorded_answers::RecordedAnswer,
    reply,
    request::Request,
    row::RowChange,
    scene::kept_rows,
    usage::Usage,
};

/// How often those who look on see something new.
const FRAME_MS: u64 = 200;
/// How many ticks pass at once where time is not kept: half a minute.
const BATCH_TICKS: u32 = 300;
/// The log says what the world had come to once in so many ticks: a minute.
const HASH_EVERY_TICKS: u32 = 600;
/// How long a model may think about a line.
pub(super) const LINE_TIMEOUT_MS: u64 = 30_000;

impl Production for FieldRun {
    type Event = FieldEvent;
    type Command = FieldCommand;
    type Report = FieldReport;
    type Client = FieldClientEvents;

    const NAME: &'static str = "field";
    const BEGINS_WITH: &'static str = "field_began";
    /// A model that cannot be reached costs lines, not the field.
    const REQUIRES_ALL_MODELS: bool = false;
    const CHECKPOINT_EVERY: Option<u64> = Some(200);

    fn begin(first: &Fact<FieldEvent>) -> Option<FieldRun> {
        FieldRun::begun(first)
    }

    fn run(&self) -> RunId {
        self.setup.run
    }

    fn title(&self) -> &str {
        self.setup.name.as_str()
    }

    fn players(&self) -> Vec<Player> {
        self.setup.players()
    }

    fn check(&self, command: FieldCommand) -> Result<FieldCommand, Problem> {
        if self.foreign && command != (FieldCommand::Cancel {}) {
            let problem =
                format!("this field was played by rules {}, which this enact has not", self.setup.rules);
            return Err(Problem::config(problem).hint("it can be shown and exported, not played on"));
        }
        command_check::check(self, command)
    }

    fn depends_on_state(command: &FieldCommand) -> bool {
        command_check::depends_on_state(command)
    }

    fn check_now(&self, command: &FieldCommand) -> Result<(), Problem> {
        command_check::check_now(self, command)
    }

    fn cancel() -> FieldCommand {
        FieldCommand::Cancel {}
    }

    fn go_on() -> Option<FieldCommand> {
        Some(FieldCommand::Resume {})
    }

    fn decide(&self, input: &Input<FieldCommand>) -> Vec<FieldEvent> {
        if self.rest.ended.is_some() {
            return Vec::new();
        }
        match &input.what {
            Happened::Commanded(FieldCommand::Cancel {}) => remembering::before_end(self)
                .chain([FieldEvent::Ended { reason: FieldEnd::Cancelled }])
                .collect(),
            _ if self.foreign || self.rest.diverged.is_some() => Vec::new(),
            Happened::Started | Happened::Spoken { .. } => Vec::new(),
            Happened::Resumed => self.resumed(),
            Happened::TimeUp { call } if call.0 == self.rest.timer && self.time_passes() => {
                self.advance_by(self.batch_ticks())
            }
            Happened::TimeUp { call } => {
                let lines = self.rest.asks.iter().map(|ask| (ask.deadline, ask.call));
                let minds = self.rest.mind_asks.iter().map(|ask| (ask.deadline, ask.call));
                let late = lines.chain(minds).find(|(deadline, _)| deadline == call);
                let failure =
                    Failure { kind: FailureKind::Timeout, ..Failure::new("no answer came in time") };
                late.map_or_else(Vec::new, |(_, ask)| self.failed(ask, &failure, input.at))
            }
            Happened::Answered { call, answer } => self.answered(*call, answer),
            Happened::Failed { call, failure } => self.failed(*call, failure, input.at),
            Happened::Commanded(command) => self.commanded(command),
        }
    }

    fn apply(&mut self, fact: &Fact<FieldEvent>) {
        self.fold(fact);
    }

    fn pending(&self) -> Vec<Effect> {
        if self.rest.ended.is_some() || self.foreign || self.rest.diverged.is_some() {
            return Vec::new();
        }
        let mut pending = Vec::new();
        for ask in &self.rest.mind_asks {
            pending.push(Effect::Ask(Ask::new(ask.call, &ask.model, &ask.actor, request::DECISION)));
            pending.push(Effect::Timer { call: ask.deadline, after_ms: ask.timeout_ms });
        }
        for (place, ask) in self.rest.asks.iter().enumerate() {
            let asked = Ask::new(ask.call, &ask.model, &ask.actor, request::LINE);
            pending.push(Effect::Ask(Ask { place, ..asked }));
            pending.push(Effect::Timer { call: ask.deadline, after_ms: ask.timeout_ms });
        }
        if self.time_passes() {
            let after_ms = match self.rest.speed {
                // A step is taken at once.
                _ if self.rest.paused => 0,
                0 => 0,
                speed => u64::from(self.batch_ticks()) * 100 / u64::from(speed),
            };
            pending.push(Effect::Timer { call: CallId(self.rest.timer), after_ms });
        }
        pending
    }

    fn request(&self, ask: &Ask) -> Request {
        request::request(self, ask)
    }

    fn ended(&self) -> Option<&'static str> {
        self.rest.ended.map(FieldEnd::as_str)
    }

    /// Seconds of the field are what calls are grouped by, and what it is forked at.
    fn beat(&self) -> Option<u32> {
        Some(self.world.now() / 10)
    }

    fn is_said(event: &FieldEvent) -> bool {
        matches!(event, FieldEvent::Replied { .. })
    }

    fn rows(&self, fact: &Fact<FieldEvent>) -> Vec<RowChange> {
        match &fact.event {
            FieldEvent::Remembered { kept } => kept_rows(&self.setup.name, kept, fact.at),
            _ => Vec::new(),
        }
    }

    fn checkpoint(&self) -> Option<String> {
        self.written()
    }

    fn restore(first: &Fact<FieldEvent>, checkpoint: &str) -> Option<FieldRun> {
        FieldRun::read_back(first, checkpoint)
    }

    fn client(&self) -> Option<FieldClientEvents> {
        Some(FieldClientEvents::of(self.clone()))
    }

    fn fork(facts: &[Fact<FieldEvent>], fork: Fork) -> Result<Vec<Fact<FieldEvent>>, Problem> {
        fork::fork(facts, fork)
    }

    fn answers(facts: &[Fact<FieldEvent>]) -> Vec<RecordedAnswer> {
        recorded_answers::recorded_answers(facts)
    }
}

/// What does not hold of a world, and who is stuck.
fn checked(world: &FieldWorld) -> impl Iterator<Item = FieldEvent> + use<> {
    let tick = world.now();
    let found = world.violations();
    let violated = (!found.is_empty()).then_some(FieldEvent::Violated { tick, found });
    let stuck =
        world.stuck().into_iter().map(move |who| FieldEvent::Noted { note: FieldNote::Stuck { tick, who } });
    violated.into_iter().chain(stuck)
}

impl FieldRun {
    /// Whether the clock of the field runs.
    fn time_passes(&self) -> bool {
        (!self.rest.paused || self.rest.step_left > 0) && !self.waits()
    }

    /// Whether time stands still until a model has answered.
    pub(super) fn waits(&self) -> bool {
        let is_asked = !self.rest.asks.is_empty() || !self.rest.mind_asks.is_empty();
        is_asked && self.setup.waits_for_actors(self.rest.speed)
    }

    fn batch_ticks(&self) -> u32 {
        match self.rest.speed {
            _ if self.rest.paused => self.rest.step_left,
            0 => BATCH_TICKS,
            speed => (u64::from(speed) * FRAME_MS / 100).max(1) as u32,
        }
    }

    /// Runs ticks, up to the first in which a model is to be asked.
    pub(super) fn advance_by(&self, most: u32) -> Vec<FieldEvent> {
        let from = self.world.now();
        let most = most.min(self.last_tick().saturating_sub(from));
        let mut world = FieldWorld::clone(&self.world);
        let watched = self.setup.minds.is_some().then_some(self.rest.watched);
        begin_ticks(&mut world, watched, &self.rest.driven);
        let (mut ticks, mut found) = (0, Vec::new());
        while ticks < most {
            world.tick();
            ticks += 1;
            if self.setup.check {
                found.extend(checked(&world));
            }
            if world.wants_lines() || world.wants_minds() {
                break;
            }
        }
        let to = world.now();
        let is_over = to >= self.last_tick();
        let is_noted = to / HASH_EVERY_TICKS > from / HASH_EVERY_TICKS || is_over;
        let notes = world.take_notes();
        let wanted = world.take_wanted_lines();
        let minds = world.take_mind_requests();
        settle(&mut world);
        let hash = is_noted.then(|| hash_text(&world));
        let mut events = vec![FieldEvent::Advanced { ticks, to, hash }];
        events.extend(found);
        events.extend(notes.into_iter().map(|note| FieldEvent::Noted { note }));
        if is_over {
            events.extend(remembering::before_end(self));
            events.push(FieldEvent::Ended { reason: FieldEnd::Completed });
        } else {
            // The next timer takes the first id.
            let mut planner = CallPlanner::of(self, &world);
            let next = self.ask_all(&world, wanted, self.rest.next_call + 1, &mut planner, &mut events);
            self.ask_minds(&world, minds, next, &mut planner, &mut events);
        }
        let ahead = Ahead { from: Arc::clone(&self.world), ticks, world: Arc::new(world) };
        *self.ahead.lock().unwrap_or_else(PoisonError::into_inner) = Some(ahead);
        events
    }

    pub(super) fn ask_all(
        &self,
        world: &FieldWorld,
        wanted: Vec<(InteractionId, EntityId)>,
        mut next: u64,
        planner: &mut Option<CallPlanner>,
        events: &mut Vec<FieldEvent>,
    ) -> u64 {
        let mut said = None;
        for (conversation, who) in wanted {
            // Who had the floor may have left in the same tick.
            let talks = world.interactions().get(&conversation).is_some_and(|one| one.members.contains(&who));
            let Some(entity) = world.living(who).filter(|_| talks) else { continue };
            let FieldRole { name: actor, model, .. } = self.setup.role_of(&entity.name);
            let (call, deadline, allowance) = (CallId(next), CallId(next + 1), None);
            let (since, timeout_ms) = (0, LINE_TIMEOUT_MS);
            let ask =
                LineAsk { call, deadline, conversation, who, actor, model, allowance, since, timeout_ms };
            let reserved = match planner {
                None => None,
                Some(planner) => match planner.allow_line(&ask) {
                    Some(allowance) => Some(allowance),
                    None => {
                        let world = said.get_or_insert_with(|| world.clone());
                        events.extend(self.line_by_rules(world, conversation, who));
                        continue;
                    }
                },
            };
            next += 2;
            let LineAsk { actor, model, .. } = ask;
            events.push(FieldEvent::Asked {
                call,
                deadline,
                conversation,
                who,
                actor,
                model,
                reserved,
                timeout_ms: None,
            });
        }
        next
    }

    /// Asks a model to decide, as far as it may still be asked; rules decide for the others.
    fn ask_minds(
        &self,
        world: &FieldWorld,
        minds: Vec<MindRequest>,
        mut next: u64,
        planner: &mut Option<CallPlanner>,
        out: &mut Vec<FieldEvent>,
    ) {
        let minute = world.now() / 600;
        let in_minute = if self.rest.mind_calls_in.0 == minute { self.rest.mind_calls_in.1 } else { 0 };
        let mut asked = 0;
        for MindRequest { npc, request, events } in minds {
            if self.rest.driven.contains(&npc) {
                out.push(FieldEvent::MindAwaited { npc, request, events });
                continue;
            }
            let declined = |events, reason: &str| FieldEvent::MindDeclined {
                call: None,
                npc,
                request,
                events,
                reason: reason.to_owned(),
                usage: None,
            };
            let allowed = self.setup.minds.as_ref().filter(|minds| {
                in_minute + asked < minds.calls_per_minute && self.rest.mind_calls + asked < minds.most_calls
            });
            let (Some(minds), Some(entity)) = (allowed, world.living(npc)) else {
                out.push(declined(events, "no calls are left"));
                continue;
            };
            let (call, deadline) = (CallId(next), CallId(next + 1));
            let (actor, model) = (self.setup.role_of(&entity.name).name, minds.model.clone());
            let ask = MindAsk {
                call,
                deadline,
                npc,
                request,
                actor,
                model,
                events,
                allowance: None,
                since: 0,
                timeout_ms: LINE_TIMEOUT_MS,
            };
            let reserved = match planner.as_mut().map(|planner| planner.allow_decision(&ask)) {
                Some(None) => {
                    out.push(declined(ask.events, USED_UP));
                    continue;
                }
                Some(reserved) => reserved,
                None => None,
            };
            (next, asked) = (next + 2, asked + 1);
            let MindAsk { actor, model, events, .. } = ask;
            let timeout_ms = None;
            out.push(FieldEvent::MindAsked {
                call,
                deadline,
                npc,
                request,
                actor,
                model,
                events,
                reserved,
                timeout_ms,
            });
        }
    }

    /// Another process goes on. What was being asked is asked again, as far as it can be paid twice.
    fn resumed(&self) -> Vec<FieldEvent> {
        let failure = Failure { usage: Some(Usage::NONE), ..Failure::new(USED_UP) };
        let refused = self.unaffordable_again().into_iter();
        let failed = refused.flat_map(|call| self.given_up(call, &failure));
        [FieldEvent::Resumed {}].into_iter().chain(failed).collect()
    }

    /// What a change of the world has to say, as facts after the one that makes it.
    pub(super) fn with_notes<R>(
        &self,
        event: FieldEvent,
        change: impl FnOnce(&mut FieldWorld) -> R,
    ) -> Vec<FieldEvent> {
        let mut world = FieldWorld::clone(&self.world);
        change(&mut world);
        let notes = world.take_notes().into_iter().map(|note| FieldEvent::Noted { note });
        [event].into_iter().chain(notes).collect()
    }

    fn answered(&self, call: CallId, answer: &Answer) -> Vec<FieldEvent> {
        if let Some(ask) = self.rest.mind_asks.iter().find(|ask| ask.call == call) {
            let (action, warning) = mind_request::read(&self.world, ask.npc, &answer.text);
            let (npc, request, actor) = (ask.npc, ask.request, ask.actor.clone());
            let (raw, usage, took_ms) = (answer.text.clone(), answer.usage, answer.took_ms);
            let taken = MindAnswer { npc, request, action: action.clone(), believes: None };
            let answered =
                FieldEvent::MindAnswered { call, npc, request, actor, raw, action, warning, usage, took_ms };
            return self.with_notes(answered, |world| world.answer(&taken));
        }
        let Some(ask) = self.rest.asks.iter().find(|ask| ask.call == call) else { return Vec::new() };
        let parsed = reply::parse(&answer.text);
        let raw = (!parsed.reply.is_written_as(&answer.text)).then(|| answer.text.clone());
        let (conversation, who) = (ask.conversation, ask.who);
        let replied = FieldEvent::Replied {
            call,
            conversation,
            who,
            actor: ask.actor.clone(),
            raw,
            reply: parsed.reply.clone(),
            warnings: parsed.warnings,
            usage: answer.usage,
            took_ms: answer.took_ms,
        };
        self.with_notes(replied, |world| say(world, conversation, who, &parsed.reply))
    }
}
