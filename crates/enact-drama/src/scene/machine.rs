//! The scene as a machine: what happened goes in, facts come out.

use super::{
    AskedHuman, Command, NoteReason, OnMalformed, Outcome, Said, Scene, SceneEnd, SceneEvent, SceneSetup,
    View, ask_next, budget, command, cut, event::REPLY, fork, hidden_calls, human, moderator, notes,
    prompt::UpdateWriter, recorded_answers, remembering, report::SceneReport, state::NotStarted,
    thread_trimming,
};
use crate::{
    Name, Problem,
    budget::{CallAllowance, Reserve},
    model_card::Context,
    open_ask::OpenAsk,
    production::{
        Answer, Ask, CallId, Effect, Failure, FailureKind, Fork, Happened, Input, NoClientEvents, Player,
        Production,
    },
    record::{Fact, RunId, Seq},
    recorded_answers::RecordedAnswer,
    reply::{self, Action, Reply, Warning},
    request::{Message, MessageRole, Request},
    row::{self, Row, RowChange},
};
use std::sync::Arc;

/// Longer answers are truncated before they are read or kept: no line of a scene is that long.
const MAX_REPLY_BYTES: usize = 32 * 1024;
/// What a model may spend on one reply; a line of dialogue needs far less.
const MAX_REPLY_TOKENS: u32 = 1024;
/// How much of a malformed answer is quoted back: enough to recognise it.
const QUOTED_CHARS: usize = 200;
/// The reply that says nothing.
const SILENT: &str = "[SILENT]";
/// After this many failures in a row an actor is left alone.
const FAILURES_UNTIL_BENCHED: u32 = 3;

impl Scene {
    /// The seq of the next fact.
    pub fn next_seq(&self) -> Seq {
        self.next_seq
    }

    /// The first fact of a run.
    pub fn beginning(setup: SceneSetup) -> SceneEvent {
        SceneEvent::Began { setup: Arc::new(setup) }
    }
}

impl Production for Scene {
    type Event = SceneEvent;
    type Command = Command;
    type Report = SceneReport;
    type Client = NoClientEvents<SceneEvent>;

    const NAME: &'static str = "scene";
    const BEGINS_WITH: &'static str = "began";

    fn begin(first: &Fact<SceneEvent>) -> Option<Scene> {
        match &first.event {
            SceneEvent::Began { setup } => Some(Scene::of(setup)),
            _ => None,
        }
    }

    fn run(&self) -> RunId {
        self.setup().run
    }

    fn title(&self) -> &str {
        self.setup().name.as_str()
    }

    fn players(&self) -> Vec<Player> {
        self.setup().players()
    }

    fn check(&self, command: Command) -> Result<Command, Problem> {
        if matches!(command, Command::Answer { .. }) {
            self.check_has_people()?;
        }
        command.check(self.prepared.players.iter().map(|player| &player.name))
    }

    fn depends_on_state(command: &Command) -> bool {
        matches!(command, Command::Answer { .. })
    }

    fn check_now(&self, command: &Command) -> Result<(), Problem> {
        match command {
            Command::Answer { ask, .. } => self.check_answer(*ask),
            _ => Ok(()),
        }
    }

    fn open_asks(&self) -> Vec<OpenAsk> {
        self.open_human_asks()
    }

    fn yields_to_commands(event: &SceneEvent) -> bool {
        matches!(event, SceneEvent::Replied { unanswered: true, .. })
    }

    fn cancel() -> Command {
        Command::Cancel
    }

    fn go_on() -> Option<Command> {
        Some(Command::Resume)
    }

    fn decide(&self, input: &Input<Command>) -> Vec<SceneEvent> {
        if self.ended.is_some() {
            return Vec::new();
        }
        let mut draft = SceneDraft::of(self, input.at);
        match &input.what {
            Happened::Started => moderator::open(&mut draft),
            Happened::Resumed => resumed(&mut draft),
            Happened::Answered { call, answer } => answered(&mut draft, *call, answer),
            Happened::Failed { call, failure } => failed(&mut draft, *call, failure),
            Happened::TimeUp { call } => time_up(&mut draft, *call),
            // Nothing is said aloud while a scene is played; recordings are made of its log.
            Happened::Spoken { .. } => {}
            Happened::Commanded(command) => command::apply(&mut draft, command),
        }
        draft.events
    }

    fn apply(&mut self, fact: &Fact<SceneEvent>) {
        self.fold(fact);
    }

    fn rows(&self, fact: &Fact<SceneEvent>) -> Vec<RowChange> {
        let (kind, key) = (row::PAUSED.to_owned(), String::new());
        match &fact.event {
            SceneEvent::Paused {} => {
                vec![RowChange::Put(Row { kind, key, sort: fact.at, body: "{}".to_owned() })]
            }
            // A fork of a paused run is not paused.
            SceneEvent::Continued {} | SceneEvent::Forked { .. } => vec![RowChange::Delete { kind, key }],
            SceneEvent::Remembered { kept } => remembering::kept_rows(&self.setup().name, kept, fact.at),
            SceneEvent::Ended { .. } => {
                self.pause.paused.then_some(RowChange::Delete { kind, key }).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    fn has_begun(&self) -> bool {
        self.not_started.is_none()
    }

    fn pending(&self) -> Vec<Effect> {
        let mut pending = if self.beat.open { self.pending_of_beat() } else { Vec::new() };
        for (at, hidden) in self.hidden_calls.calls.iter().enumerate() {
            let (call, model, purpose) = (hidden.call, hidden.model.clone(), hidden.purpose.into());
            let place = self.prepared.players.len() + at;
            pending.push(Effect::Ask(Ask { call, model, actor: None, purpose, place }));
            pending.push(Effect::Timer { call: hidden.deadline, after_ms: hidden.timeout_ms });
        }
        pending
    }

    fn request(&self, ask: &Ask) -> Request {
        let hidden = self.hidden_calls.by_call(ask.call);
        let mut request = match hidden {
            Some(hidden) => self.hidden_request(hidden),
            None => self.request_of_asked(ask),
        };
        let asked = || self.pending_ask(ask.call).and_then(|asked| asked.allowance);
        CallAllowance::limit(hidden.map_or_else(asked, |hidden| hidden.allowance), &mut request);
        request
    }

    fn ended(&self) -> Option<&'static str> {
        self.ended.map(|reason| reason.ending().name)
    }

    fn is_said(event: &SceneEvent) -> bool {
        matches!(event, SceneEvent::LineAdded { .. })
    }

    fn beat(&self) -> Option<u32> {
        self.beat.open.then_some(self.beat.number)
    }

    fn fork(facts: &[Fact<SceneEvent>], fork: Fork) -> Result<Vec<Fact<SceneEvent>>, Problem> {
        fork::fork(facts, fork).map_err(|not_there| not_there.problem())
    }

    fn answers(facts: &[Fact<SceneEvent>]) -> Vec<RecordedAnswer> {
        recorded_answers::recorded_answers(facts)
    }
}

impl Scene {
    fn pending_of_beat(&self) -> Vec<Effect> {
        let asks = self.beat.asked.iter().filter(|asked| asked.awaits_model()).map(|asked| {
            let player = &self.prepared.players[asked.actor];
            Effect::Ask(Ask {
                call: asked.call,
                model: self.prepared.model(asked.actor, asked.rank).clone(),
                actor: Some(player.name.clone()),
                purpose: REPLY,
                place: asked.actor,
            })
        });
        // People have deadlines of their own: where only they are waited for, the beat's does not run.
        let models = self.beat.asked.iter().any(|asked| asked.awaits_model());
        let deadline = self.beat.deadline.filter(|_| models);
        let timer = deadline.map(|call| Effect::Timer { call, after_ms: self.beat.timeout_ms });
        let humans = self.pending_humans().filter_map(|(_, wait)| wait.timer());
        asks.chain(timer).chain(humans).collect()
    }

    /// What an actor is asked in this beat, if the model with this rank answers for it.
    pub(super) fn actor_request(&self, place: usize, rank: usize) -> Request {
        let player = &self.prepared.players[place];
        let mut thread = Vec::with_capacity(self.actors[place].thread.len() * 2 + 1);
        let context = self.context_of(place, rank);
        let writer = UpdateWriter::new(&self.prepared);
        if context == Context::Thread {
            for exchange in self.actors[place].thread.iter() {
                thread.push(Message {
                    role: MessageRole::User,
                    text: self.told(place, exchange, &writer).into(),
                });
                thread.push(Message { role: MessageRole::Assistant, text: self.answered(exchange) });
            }
        }
        thread.push(Message { role: MessageRole::User, text: self.update(place, context, &writer).into() });
        if let Some(earlier) = thread_trimming::of_earlier(self, place) {
            let first = &mut thread[0].text;
            *first = format!("{earlier}\n{first}").into();
        }
        let card = self.prepared.setup.models.get(&**self.prepared.model(place, rank));
        let notes = notes::told_to(&self.beat.notes, place).map(|note| note.text.clone());
        Request {
            system: self.prepared.actor_blocks(place).into(),
            thread,
            max_tokens: card.and_then(|card| card.max_tokens).unwrap_or(MAX_REPLY_TOKENS),
            paid_tries: None,
            timeout_ms: self.beat.timeout_ms,
            schema: None,
            live_json: false,
            actor: Some(player.name.clone()),
            purpose: REPLY,
            beat: Some(self.beat.number),
            again: false,
            silence: Some(SILENT),
            view: Some(Arc::new(View {
                me: player.name.clone(),
                sheet: player.sheet.clone(),
                scene: self.prepared.situation.clone(),
                beat: self.beat.number,
                opening: self.beat.number == 0 && self.prepared.setup.opener.is_some(),
                lines: self.beat.before.clone(),
                notes: notes.collect(),
                cache: self.settled.view_cache(),
            })),
        }
    }
}

/// Facts being decided, with the state they lead to: later rules see what earlier ones have just decided.
pub(super) struct SceneDraft {
    pub(super) scene: Scene,
    pub(super) at: i64,
    events: Vec<SceneEvent>,
}

impl SceneDraft {
    fn of(scene: &Scene, at: i64) -> SceneDraft {
        let settled = scene.settled.shared();
        SceneDraft { scene: Scene { settled, ..scene.clone() }, at, events: Vec::new() }
    }

    pub(super) fn push(&mut self, event: SceneEvent) {
        let fact = Fact { seq: self.scene.next_seq, at: self.at, event };
        self.scene.fold(&fact);
        self.events.push(fact.event);
    }

    /// Ends the scene, with what is kept of it.
    pub(super) fn end(&mut self, reason: SceneEnd, needed: Option<Reserve>) {
        if self.scene.setup().config.remember {
            let kept = remembering::kept(&self.scene);
            if !kept.is_empty() {
                self.push(SceneEvent::Remembered { kept });
            }
        }
        self.push(SceneEvent::Ended { reason, needed });
    }

    pub(super) fn system(&mut self, text: String) {
        self.push(SceneEvent::LineAdded { said: Said::System { text } });
    }

    /// Asks the model with this rank for an actor.
    pub(super) fn ask(&mut self, actor: usize, rank: usize, reserved: Option<CallAllowance>) {
        let player = &self.scene.prepared.players[actor];
        let model = self.scene.prepared.model(actor, rank).to_string();
        let (actor, call) = (player.name.clone(), self.scene.next_call);
        let human = player.human.then(|| AskedHuman {
            deadline: CallId(call.0 + 1),
            timeout_ms: self.scene.setup().config.human_timeout_ms(),
        });
        self.push(SceneEvent::Asked { call, actor, model, reserved, human });
    }
}

/// What was under way is asked again, unless what the lost calls may have used leaves no room for that.
/// Nothing was under way in a run that only waited to be played.
fn resumed(draft: &mut SceneDraft) {
    if draft.scene.not_started.is_some() {
        return take_up(draft);
    }
    draft.push(SceneEvent::Resumed {});
    if !budget::allows_asking_again(&draft.scene) {
        draft.end(SceneEnd::BudgetExceeded, None);
    }
}

/// Begins to play a run that waits for it, unless it is paused.
pub(super) fn take_up(draft: &mut SceneDraft) {
    match draft.scene.not_started {
        _ if command::is_held(&draft.scene) => {}
        Some(NotStarted::Began) => moderator::open(draft),
        Some(NotStarted::Forked) => {
            hidden_calls::ask_again_after_fork(draft);
            match draft.scene.beat.open {
                true => moderator::go_on_with_beat(draft),
                false => moderator::conclude(draft),
            }
        }
        None => {}
    }
}

fn answered(draft: &mut SceneDraft, call: CallId, answer: &Answer) {
    let Some(asked) = draft.scene.pending_ask(call).filter(|asked| asked.awaits_model()) else {
        return hidden_calls::answered(draft, call, answer);
    };
    let (place, rank, asked_again) = (asked.actor, asked.rank, asked.asked_again);
    let actor = draft.scene.prepared.players[place].name.clone();
    let (raw, too_long) = bounded(&answer.text);
    let mut reading = reply::parse(raw);
    if too_long {
        reading.warnings.push(self::too_long());
    }
    let mut allowance = None;
    let outcome = match draft.scene.prepared.setup.config.on_malformed {
        OnMalformed::Salvage => Outcome::Taken,
        _ if !reading.malformed() => Outcome::Taken,
        OnMalformed::Retry if !asked_again => match budget::plan_again(&draft.scene, place) {
            Ok(planned) => {
                allowance = planned;
                Outcome::AskedAgain
            }
            Err(_) => {
                reading.warnings.push(Warning("the budget has no room for asking again".to_owned()));
                Outcome::Taken
            }
        },
        // A second malformed answer is salvaged: dropping it too would lose what it said.
        OnMalformed::Retry => Outcome::Taken,
        OnMalformed::Ignore => Outcome::Dropped,
    };
    let reply = reading.reply;
    draft.push(SceneEvent::Replied {
        call,
        actor: actor.clone(),
        raw: (!reply.is_written_as(raw)).then(|| raw.to_owned()),
        reply: reply.clone(),
        warnings: reading.warnings,
        outcome,
        usage: answer.usage,
        took_ms: answer.took_ms,
        unanswered: false,
        first_word_ms: answer.first_word_ms,
    });
    if draft.scene.actors[place].benched_at.is_some() {
        draft.push(SceneEvent::Returned { actor: actor.clone() });
        let text = format!("{} is back", draft.scene.prepared.players[place].display);
        draft.system(text);
    }
    match outcome {
        Outcome::AskedAgain => {
            let said: String =
                raw.chars().take(QUOTED_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
            let text = format!(
                "Your answer \"{said}\" did not follow the response format. Answer again in that format."
            );
            draft.push(SceneEvent::Noted { to: Some(actor), text, why: NoteReason::Format });
            draft.ask(place, rank, allowance);
        }
        Outcome::Taken => act(draft, actor, reply),
        Outcome::Dropped => {}
    }
    settle_if_all_in(draft);
}

/// What an actor does with a reply that was taken.
pub(super) fn act(draft: &mut SceneDraft, actor: Name, reply: Reply) {
    if reply.action == Action::Interrupt {
        cut::interrupt(draft, &actor, reply.interrupt_after.as_deref());
    }
    if reply.action != Action::Silent {
        draft.push(SceneEvent::LineAdded { said: Said::Actor { who: actor, reply } });
    }
}

/// The complaint about an answer of which the end was not read.
pub(super) fn too_long() -> Warning {
    Warning(format!("longer than {MAX_REPLY_BYTES} bytes: the rest was not read"))
}

fn failed(draft: &mut SceneDraft, call: CallId, failure: &Failure) {
    let Some(asked) = draft.scene.pending_ask(call).filter(|asked| asked.awaits_model()) else {
        return hidden_calls::failed(draft, call, failure);
    };
    let (place, rank) = (asked.actor, asked.rank);
    let actor = draft.scene.prepared.players[place].name.clone();
    draft.push(SceneEvent::CallFailed { call, actor, error: failure.error.clone(), usage: failure.usage });
    let too_long = failure.kind == FailureKind::ContextTooLong;
    let has_next = draft.scene.prepared.players[place].models.get(rank + 1).is_some();
    if too_long && has_next {
        thread_trimming::trim_what_did_not_fit(draft, place);
    }
    if ask_next::ask_next(draft, place, rank, failure.kind) {
        return;
    }
    told_failed(draft, place);
    if too_long && !has_next {
        thread_trimming::trim_what_did_not_fit(draft, place);
    }
    settle_if_all_in(draft);
}

fn time_up(draft: &mut SceneDraft, call: CallId) {
    if human::time_up(draft, call) {
        return;
    }
    if draft.scene.beat.deadline != Some(call) {
        hidden_calls::time_up(draft, call);
        return;
    }
    let seconds = draft.scene.beat.timeout_ms as f64 / 1000.0;
    let late: Vec<(usize, CallId)> = draft
        .scene
        .beat
        .asked
        .iter()
        .filter(|asked| asked.awaits_model())
        .map(|asked| (asked.actor, asked.call))
        .collect();
    for (place, call) in late {
        let actor = draft.scene.prepared.players[place].name.clone();
        let error = format!("Response timeout after {seconds}s");
        draft.push(SceneEvent::CallFailed { call, actor, error, usage: None });
        told_failed(draft, place);
    }
    settle_if_all_in(draft);
}

/// One actor failing costs that actor's reply, never the scene.
fn told_failed(draft: &mut SceneDraft, place: usize) {
    let player = &draft.scene.prepared.players[place];
    let (actor, display) = (player.name.clone(), player.display.clone());
    let now = &draft.scene.actors[place];
    // A benched actor has said so once; that it still cannot answer is no news.
    if now.benched_at.is_some() {
        return;
    }
    let out = now.failures_in_a_row >= FAILURES_UNTIL_BENCHED;
    draft.system(format!("{display} unable to respond"));
    if out {
        draft.push(SceneEvent::Benched { actor });
        draft.system(format!("{display} sits out after {FAILURES_UNTIL_BENCHED} failures in a row"));
    }
}

pub(super) fn settle_if_all_in(draft: &mut SceneDraft) {
    if !draft.scene.beat.asked.iter().any(|asked| asked.is_pending()) {
        moderator::settle(draft);
    }
}

/// As much of an answer as is read.
pub(super) fn bounded(text: &str) -> (&str, bool) {
    let mut end = text.len().min(MAX_REPLY_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    (&text[..end], end < text.len())
}
