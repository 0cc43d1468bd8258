//! The machine of a mind: calls of a game go in, decisions come out.
//!
//! One question to a model is under way at most. What is observed meanwhile does not ask again: the older call
//! is answered with `continue`, and the answer, once it comes, is checked against the newest observation and
//! given to the newest call. So a model that is slower than the game still decides now and then.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    command::{MindCommand, MindTold},
    event::{MindDecision, MindEvent},
    memory::MindMemory,
    observation::MindObservation,
    report::MindReport,
    request, rules,
    setup::MindSetup,
};
use crate::{
    Fact, Problem, RunId,
    budget::{self, CallAllowance, EarlierCalls, Quote, Spend, Spent},
    fallback,
    model_card::ModelCard,
    production::{
        Ask, CallId, Effect, Failure, Happened, Input, NoClientEvents, Player, Production, Purpose,
    },
    request::Request,
    row::{Row, RowChange},
    text::one_line,
    usage::{Price, Usage},
};

/// What a model is asked for.
pub const DECISION: Purpose = Purpose::named("mind_decision");
/// The row by which a mind is found.
pub const MIND_ROW: &str = "mind";
/// How many calls may come together: a game has three under way.
const MOST_TOLD: usize = 64;
/// How long the name of a call may be.
pub const LONGEST_REQUEST_BYTES: usize = 64;
const LONGEST_ID: usize = 255;

/// A mind, as its log has left it.
#[derive(Debug, Clone)]
pub struct Mind {
    pub(super) setup: Arc<MindSetup>,
    pub(super) memory: MindMemory,
    pub(super) decisions: u32,
    state: MindState,
}

/// What is known beside its memory.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct MindState {
    /// The body that it drives.
    entity_id: Option<String>,
    /// The newest that the game told of the body, and the call in which it did, until that is answered.
    told: Option<Box<MindObservation>>,
    waiting: Option<String>,
    asked: Option<(CallId, String)>,
    /// When that was, in UTC milliseconds, how long it may take, and what models have used that had failed before.
    #[serde(default)]
    asked_at: i64,
    #[serde(default)]
    timeout_ms: u64,
    #[serde(default)]
    failed: Vec<Option<Usage>>,
    calls: u32,
    ended: bool,
    /// What is put aside for the question, and what earlier ones have used, where that is limited.
    #[serde(default)]
    allowance: Option<CallAllowance>,
    #[serde(default)]
    spent: Spent,
}

/// The state without what the first fact holds.
#[derive(Serialize, Deserialize)]
struct WrittenMind {
    memory: MindMemory,
    decisions: u32,
    #[serde(alias = "rest")]
    state: MindState,
}

impl Mind {
    pub fn setup(&self) -> &MindSetup {
        &self.setup
    }

    pub fn memory(&self) -> &MindMemory {
        &self.memory
    }

    /// The body that it drives, if any.
    pub fn entity_id(&self) -> Option<&str> {
        self.state.entity_id.as_deref()
    }

    /// The newest that it was told.
    pub fn told(&self) -> Option<&MindObservation> {
        self.state.told.as_deref()
    }

    /// Whether a model is thinking.
    pub fn is_thinking(&self) -> bool {
        self.state.asked.is_some()
    }

    /// Whether a call has its answer, or waits for it.
    fn knows(&self, request: &str) -> bool {
        self.memory.answer(request).is_some() || self.state.waiting.as_deref() == Some(request)
    }

    fn take_calls(&self, told: &[MindTold], withheld: &[String], at: i64) -> Vec<MindEvent> {
        let mut events: Vec<MindEvent> =
            withheld.iter().map(|request| MindEvent::Withheld { request: request.clone() }).collect();
        let mut fresh: Vec<&MindTold> = Vec::new();
        for call in told {
            if self.knows(&call.request) {
                events.push(MindEvent::Repeated { request: call.request.clone() });
            } else if fresh.iter().all(|other| other.request != call.request) {
                fresh.push(call);
            }
        }
        // A late one may stand last: clients have no order among each other.
        let newest = fresh.iter().rfind(|call| !call.late).copied();
        let waiting = self.state.waiting.iter().filter(|_| newest.is_some());
        events.extend(waiting.map(|request| MindEvent::Passed { request: request.clone() }));
        for call in &fresh {
            let told = Box::new(call.observation.clone());
            events.push(MindEvent::Observed { request: call.request.clone(), told, late: call.late });
        }
        let passed = fresh.iter().filter(|call| newest.is_none_or(|newest| newest.request != call.request));
        events.extend(passed.map(|call| MindEvent::Passed { request: call.request.clone() }));
        let Some(newest) = newest.filter(|_| !self.is_thinking()) else { return events };
        // As it will be once these facts are folded.
        let mut after = self.clone();
        for event in &events {
            after.fold(event, at);
        }
        let told = after.state.told.as_deref().unwrap_or(&newest.observation);
        let wanted = self
            .setup
            .model
            .as_ref()
            .filter(|_| request::needs_thought(&after, told) && self.state.calls < self.setup.most_calls);
        let asked = wanted.and_then(|model| Some((model, after.allow(model, told)?)));
        match asked {
            Some((model, reserved)) => {
                let (call, model) = (CallId(self.state.calls.into()), model.clone());
                events.push(MindEvent::Asked { call, model, reserved, timeout_ms: None });
            }
            None => events.push(decided(rules::decide(&after, told, at), &newest.request)),
        }
        events
    }

    /// What is put aside for a question, if a budget says so; nothing, where there is no room for it.
    fn allow(&self, model: &str, told: &MindObservation) -> Option<Option<CallAllowance>> {
        if self.setup.budget.is_open() {
            return Some(None);
        }
        let ask = Ask {
            call: CallId(self.state.calls.into()),
            model: model.into(),
            actor: None,
            purpose: DECISION,
            place: 0,
        };
        let request = request::request(self, told, Request::to(&ask));
        let quote = Quote::of(&request, 0, self.price_of(model), EarlierCalls::default());
        let planned = budget::plan(&self.setup.budget, &self.state.spent, &[quote]).ok()?;
        planned.first().copied().map(Some)
    }

    fn price_of(&self, model: &str) -> Option<Price> {
        self.setup.models.get(model).and_then(|card| card.price)
    }

    /// Books what the question has used that is under way. One that is made again has cost all that it could.
    fn spend(&mut self, usage: Option<&Usage>) {
        if let (Some(allowance), Some((_, model))) = (self.state.allowance, &self.state.asked) {
            let price = self.price_of(model);
            self.state.spent.add(Spend { usage, price, allowance });
        }
    }

    fn answered(
        &self,
        call: CallId,
        decision: impl FnOnce(&MindObservation) -> MindDecision,
    ) -> Vec<MindEvent> {
        let is_asked = self.state.asked.as_ref().is_some_and(|(asked, _)| *asked == call);
        match (&self.state.waiting, self.told()) {
            (Some(request), Some(told)) if is_asked => {
                let failed = self.state.failed.clone();
                let decision = MindDecision { call: Some(call), failed, ..decision(told) };
                vec![decided(decision, request)]
            }
            _ => Vec::new(),
        }
    }

    /// A model gave nothing: its fallback is asked, or rules decide.
    fn failed(&self, call: CallId, failure: &Failure, at: i64) -> Vec<MindEvent> {
        if let Some(next) = self.next_ask(call, failure, at) {
            let (error, usage) = (failure.error.clone(), failure.usage);
            return vec![MindEvent::AskFailed { call, error, usage }, next];
        }
        self.answered(call, |told| {
            let decision = request::stand_in(self, told, at, failure.error.clone());
            MindDecision { usage: failure.usage, ..decision }
        })
    }

    fn next_ask(&self, failed: CallId, failure: &Failure, at: i64) -> Option<MindEvent> {
        let (_, asked) = self.state.asked.as_ref().filter(|(call, _)| *call == failed)?;
        let (first, told) = (self.setup.model.as_deref()?, self.told()?);
        if self.state.calls >= self.setup.most_calls {
            return None;
        }
        let left_ms = fallback::left_ms(self.state.timeout_ms, self.state.asked_at, at);
        let limits = (left_ms, request::CALL_TIMEOUT_MS);
        // Players made of rules play characters: where no language model decides, the mind's own rules do.
        let decides = |card: &ModelCard| card.provider.is_some();
        let next = fallback::next_model(&self.setup.models, (first, asked), failure.kind, limits, decides)?;
        let mut after = self.clone();
        after.spend(failure.usage.as_ref());
        let (call, reserved) = (CallId(self.state.calls.into()), after.allow(&next.model, told)?);
        Some(MindEvent::Asked { call, model: next.model, reserved, timeout_ms: Some(next.left_ms) })
    }

    /// The fallback that is asked, where the mind's own model has failed.
    fn fallback(&self) -> Option<String> {
        let (_, asked) = self.state.asked.as_ref()?;
        self.setup.model.as_ref().filter(|first| *first != asked).map(|_| asked.clone())
    }

    /// Another process goes on, and asks again, if that can be paid twice.
    fn resumed(&self, at: i64) -> Vec<MindEvent> {
        let mut after = self.clone();
        after.fold(&MindEvent::Resumed {}, at);
        let fits = |allowance: CallAllowance| {
            budget::fits(&self.setup.budget, &after.state.spent, &allowance.reserve)
        };
        let mut events = vec![MindEvent::Resumed {}];
        if !self.state.allowance.is_none_or(fits) {
            let asked = self.state.asked.as_ref().map_or(CallId(0), |(call, _)| *call);
            events.extend(self.answered(asked, |told| MindDecision {
                usage: Some(Usage::NONE),
                ..request::stand_in(self, told, at, "the budget is used up".to_owned())
            }));
        }
        events
    }

    fn fold(&mut self, event: &MindEvent, at: i64) {
        match event {
            MindEvent::Linked { entity_id } => self.state.entity_id = Some(entity_id.clone()),
            MindEvent::Released {} => {
                self.spend(None);
                (self.state.entity_id, self.state.waiting, self.state.asked) = (None, None, None);
                self.state.allowance = None;
                self.state.failed.clear();
            }
            MindEvent::Observed { told, late: true, .. } => self.memory.observe(told, at),
            MindEvent::Observed { request, told, late: false } => {
                self.memory.observe(told, at);
                // News alone does not tell where the body is.
                match &mut self.state.told {
                    Some(known) if told.state.is_none() => known.events.clone_from(&told.events),
                    known => *known = Some(told.clone()),
                }
                self.state.waiting = Some(request.clone());
            }
            MindEvent::Asked { call, model, reserved, timeout_ms } => {
                self.state.asked = Some((*call, model.clone()));
                self.state.asked_at = at;
                self.state.timeout_ms = timeout_ms.unwrap_or(request::CALL_TIMEOUT_MS);
                self.state.allowance = *reserved;
                self.state.calls += 1;
            }
            MindEvent::AskFailed { usage, .. } => {
                self.spend(usage.as_ref());
                self.state.failed.push(*usage);
                (self.state.asked, self.state.allowance) = (None, None);
            }
            MindEvent::Passed { request } => {
                self.memory.pass(request);
                self.state.waiting.take_if(|waiting| waiting == request);
            }
            MindEvent::Decided { decision } => {
                self.memory.decide(decision, at);
                self.decisions += 1;
                self.state.waiting = None;
                if decision.call.is_some() {
                    self.spend(decision.usage.as_ref());
                    (self.state.asked, self.state.allowance) = (None, None);
                    self.state.failed.clear();
                }
            }
            MindEvent::Consolidated { .. } => self.memory.consolidate(),
            MindEvent::Ended {} => {
                (self.state.ended, self.state.waiting, self.state.asked) = (true, None, None);
            }
            MindEvent::Withheld { request } => self.memory.withhold(request),
            MindEvent::Resumed {} => {
                self.spend(None);
                // It is asked again, and has all of its time.
                self.state.asked_at = at;
            }
            MindEvent::MindBegan { .. } | MindEvent::Repeated { .. } => {}
        }
    }
}

/// The timer of a question: a model that never answers would keep its mind from ever asking again.
fn deadline_of(call: CallId) -> CallId {
    CallId(u64::MAX - call.0)
}

fn check_calls(told: &[MindTold], withheld: &[String]) -> Result<(), Problem> {
    if told.is_empty() || told.len() > MOST_TOLD || withheld.len() > MOST_TOLD {
        let found = told.len();
        return Err(Problem::config(format!("told: 1 to {MOST_TOLD} calls at once, found {found}")));
    }
    let mut requests = told.iter().map(|call| &call.request).chain(withheld);
    match requests.all(|request| (1..=LONGEST_REQUEST_BYTES).contains(&request.len())) {
        true => Ok(()),
        false => Err(Problem::config(format!("a request has 1 to {LONGEST_REQUEST_BYTES} bytes"))),
    }
}

fn decided(decision: MindDecision, request: &str) -> MindEvent {
    MindEvent::Decided { decision: Box::new(MindDecision { request: request.to_owned(), ..decision }) }
}

impl Production for Mind {
    type Event = MindEvent;
    type Command = MindCommand;
    type Report = MindReport;
    type Client = NoClientEvents<MindEvent>;

    const NAME: &'static str = "mind";
    const BEGINS_WITH: &'static str = "mind_began";
    /// One of its decisions may be made by rules; another model may be there the next time.
    const REQUIRES_ALL_MODELS: bool = false;
    /// A game asks twenty times a minute, and every call may wake the run.
    const CHECKPOINT_EVERY: Option<u64> = Some(200);
    const PRIVATE: bool = true;

    fn begin(first: &Fact<MindEvent>) -> Option<Mind> {
        let MindEvent::MindBegan { setup } = &first.event else { return None };
        let memory = MindMemory::new(&setup.config);
        let state = MindState { entity_id: Some(setup.entity_id.clone()), ..MindState::default() };
        Some(Mind { setup: Arc::clone(setup), memory, decisions: 0, state })
    }

    fn run(&self) -> RunId {
        self.setup.run
    }

    fn title(&self) -> &str {
        &self.setup.mind_id
    }

    fn players(&self) -> Vec<Player> {
        let player = |(name, card): (&String, &crate::model_card::ModelCard)| {
            let decides = self.setup.model.as_ref() == Some(name);
            Player {
                name: name.clone(),
                card: card.clone(),
                plays: Vec::new(),
                advises: if decides { vec![DECISION] } else { Vec::new() },
                stands_in_for: Vec::new(),
            }
        };
        let mut players: Vec<Player> = self.setup.models.iter().map(player).collect();
        Player::fill_in_fallbacks(&mut players);
        players
    }

    fn check(&self, command: MindCommand) -> Result<MindCommand, Problem> {
        match command {
            MindCommand::Decide { told, withheld } => check_calls(&told, &withheld).map(|()| {
                // What comes from a game was bounded when it was read; this is posted by anybody.
                let bounded = |call: MindTold| MindTold { observation: call.observation.bounded(), ..call };
                MindCommand::Decide { told: told.into_iter().map(bounded).collect(), withheld }
            }),
            MindCommand::Link { entity_id } if entity_id.is_empty() || entity_id.len() > LONGEST_ID => {
                Err(Problem::config(format!("entity_id has 1 to {LONGEST_ID} bytes")))
            }
            MindCommand::Link { entity_id } => Ok(MindCommand::Link { entity_id: one_line(&entity_id) }),
            MindCommand::Release {} | MindCommand::Consolidate {} | MindCommand::Cancel {} => Ok(command),
        }
    }

    fn cancel() -> MindCommand {
        MindCommand::Cancel {}
    }

    fn decide(&self, input: &Input<MindCommand>) -> Vec<MindEvent> {
        if self.state.ended {
            return Vec::new();
        }
        match &input.what {
            Happened::Commanded(MindCommand::Decide { told, withheld }) => {
                self.take_calls(told, withheld, input.at)
            }
            Happened::Commanded(MindCommand::Link { entity_id }) => {
                vec![MindEvent::Linked { entity_id: entity_id.clone() }]
            }
            Happened::Commanded(MindCommand::Release {}) => vec![MindEvent::Released {}],
            Happened::Commanded(MindCommand::Consolidate {}) => {
                let count = u32::try_from(self.memory.daily.len()).unwrap_or(u32::MAX);
                vec![MindEvent::Consolidated { count }]
            }
            Happened::Commanded(MindCommand::Cancel {}) => vec![MindEvent::Ended {}],
            Happened::Answered { call, answer } => self.answered(*call, |told| {
                let decision = request::read(self, told, &answer.text);
                MindDecision { usage: answer.usage, fallback: self.fallback(), ..decision }
            }),
            Happened::Failed { call, failure } => self.failed(*call, failure, input.at),
            // Only a question that was under way is asked again; a new mind has nothing to do.
            Happened::Resumed if self.is_thinking() => self.resumed(input.at),
            Happened::TimeUp { call: timer } => match &self.state.asked {
                Some((call, _)) if deadline_of(*call) == *timer => self.answered(*call, |told| {
                    request::stand_in(self, told, input.at, "no answer in time".to_owned())
                }),
                _ => Vec::new(),
            },
            Happened::Started | Happened::Resumed | Happened::Spoken { .. } => Vec::new(),
        }
    }

    fn apply(&mut self, fact: &Fact<MindEvent>) {
        self.fold(&fact.event, fact.at);
    }

    fn pending(&self) -> Vec<Effect> {
        let ask = |(call, model): &(CallId, String)| Ask {
            call: *call,
            model: model.as_str().into(),
            actor: None,
            purpose: DECISION,
            place: 0,
        };
        let pending = self.state.asked.iter().flat_map(|asked| {
            let timer = Effect::Timer { call: deadline_of(asked.0), after_ms: self.state.timeout_ms };
            [Effect::Ask(ask(asked)), timer]
        });
        pending.collect()
    }

    fn request(&self, ask: &Ask) -> Request {
        let nothing = MindObservation::default();
        let mut request = request::request(self, self.told().unwrap_or(&nothing), Request::to(ask));
        if let (Some((_, asked)), Some(first)) = (&self.state.asked, &self.setup.model) {
            let rank = fallback::rank_of(&self.setup.models, first, asked);
            request.timeout_ms = fallback::timeout_ms(&self.setup.models, first, rank, self.state.timeout_ms);
        }
        CallAllowance::limit(self.state.allowance, &mut request);
        request
    }

    fn ended(&self) -> Option<&'static str> {
        self.state.ended.then_some("cancelled")
    }

    fn rows(&self, fact: &Fact<MindEvent>) -> Vec<RowChange> {
        let changes = matches!(
            fact.event,
            MindEvent::MindBegan { .. }
                | MindEvent::Linked { .. }
                | MindEvent::Released {}
                | MindEvent::Ended {}
        );
        if !changes {
            return Vec::new();
        }
        let (kind, key) = (MIND_ROW.to_owned(), self.setup.mind_id.clone());
        if self.state.ended {
            return vec![RowChange::Delete { kind, key }];
        }
        let body = json!({
            "mindId": self.setup.mind_id,
            "runId": self.setup.run,
            "entityId": self.state.entity_id,
            "traits": self.setup.config.traits,
            "model": self.setup.model,
        });
        vec![RowChange::Put(Row { kind, key, sort: fact.at, body: body.to_string() })]
    }

    fn checkpoint(&self) -> Option<String> {
        let (memory, state) = (self.memory.clone(), self.state.clone());
        serde_json::to_string(&WrittenMind { memory, decisions: self.decisions, state }).ok()
    }

    fn restore(first: &Fact<MindEvent>, checkpoint: &str) -> Option<Mind> {
        let WrittenMind { memory, decisions, state } = serde_json::from_str(checkpoint).ok()?;
        Some(Mind { memory, decisions, state, ..Mind::begin(first)? })
    }
}
