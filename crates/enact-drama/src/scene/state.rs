//! The scene's state: its log, folded. Nothing here decides anything.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    Lines, NoteReason, Outcome, Said, SceneEnd, SceneEvent, SceneSetup,
    asked::{AskedActor, HumanWait, ReplyState},
    budget,
    event::raw_answer,
    hidden_calls::{HiddenCall, HiddenCalls},
    notes::{self, Note},
    prepared::Prepared,
    report::silence_text,
    settled_lines::SettledLines,
    silences::{self, VisibleSilence},
    thread_trimming::{self, Digest},
    world_events,
};
use crate::{
    Name,
    budget::{EarlierCallsByModel, Reserve, Spend, Spent},
    fallback,
    judge::{Verdict, names::names},
    model_card::Context,
    production::CallId,
    record::{Fact, Seq},
    reply::{Action, Reply},
    usage::{Price, Usage},
};

/// A scene being played.
#[derive(Debug, Clone)]
pub struct Scene {
    pub(super) prepared: Arc<Prepared>,
    pub(super) next_seq: Seq,
    pub(super) next_call: CallId,
    pub(super) lines: Lines,
    pub(super) settled: SettledLines,
    pub(super) silences: Arc<Vec<VisibleSilence>>,
    /// The world events that have happened and must not be chosen again.
    pub(super) used_events: Arc<BTreeSet<String>>,
    pub(super) actors: Vec<Actor>,
    pub(super) beat: Beat,
    /// Notes given since the last beat was opened: the next update carries them.
    pub(super) notes: Vec<Note>,
    pub(super) verdict: Option<Arc<Verdict>>,
    pub(super) progress: SceneProgress,
    pub(super) hidden_calls: HiddenCalls,
    pub(super) spent: Spent,
    /// Set while no process has played this run yet.
    pub(super) not_started: Option<NotStarted>,
    pub(super) pause: PauseState,
    /// How many notes from outside and world events have come since the last beat was opened. The moderator's
    /// own events come with the beat that they open, and do not count.
    pub(super) outside_inputs: usize,
    pub(super) ended: Option<SceneEnd>,
}

/// A run that waits to be played, and what it begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotStarted {
    Began,
    /// With the beats of another run.
    Forked,
}

/// Whether the scene is paused by a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PauseState {
    pub(super) paused: bool,
    /// How many more beats are wanted all the same.
    pub(super) steps: u32,
}

/// One character in play.
#[derive(Debug, Clone, Default)]
pub(super) struct Actor {
    /// The updates it answered and what it answered; only the last of them if its model remembers nothing.
    /// Shared: the rules work on a copy of the state for every input.
    pub(super) thread: Arc<Vec<Arc<Exchange>>>,
    /// How many lines its thread covers.
    pub(super) told: usize,
    /// The beat of the last update it answered.
    pub(super) told_at: u32,
    /// Those of them that its thread has lost and only sums up.
    pub(super) lost: Arc<Digest>,
    pub(super) failures_in_a_row: u32,
    pub(super) benched_at: Option<u32>,
    /// Beats in a row in which it was addressed before and stayed silent.
    pub(super) passive_beats: u32,
    /// When it was last told that it drifts out of character.
    pub(super) corrected_at: Option<u32>,
    pub(super) earlier_calls: EarlierCallsByModel,
}

/// What an actor answered, word for word.
#[derive(Debug, Clone)]
pub(super) enum GivenAnswer {
    Raw(Arc<str>),
    /// The [reply](crate::reply::Reply::written) of this line, written out: the line holds its words already.
    Line(usize),
}

/// One update and its answer. The update is kept as what it covers and written out for every request: a later
/// cut changes what was heard, and the text of all updates would be most of a scene's memory.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    pub(super) beat: u32,
    /// The beat of the update before it: silences since then are told.
    pub(super) since: u32,
    /// The lines it told of.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) notes: Vec<Note>,
    pub(super) answer: GivenAnswer,
    /// About how long the two are.
    pub(super) bytes: usize,
}

/// The beat being played, or the last one.
#[derive(Debug, Clone, Default)]
pub(super) struct Beat {
    pub(super) number: u32,
    pub(super) open: bool,
    /// The transcript when it opened: all that its updates can tell of. An actor that is asked late in a
    /// beat, because the run was resumed or its first answer was malformed, is told the same as everyone.
    pub(super) before: Lines,
    pub(super) deadline: Option<CallId>,
    pub(super) timeout_ms: u64,
    /// When its time began to run, in UTC milliseconds.
    pub(super) since: i64,
    pub(super) asked: Vec<AskedActor>,
    pub(super) notes: Vec<Note>,
    /// Who has to be asked again, because another run waited for them when this one was forked from it.
    pub(super) to_ask_again: Vec<usize>,
    /// What was put aside for each call, in logs that do not say it of each.
    pub(super) share: Reserve,
}

/// How the scene is going: what the moderator goes by.
#[derive(Debug, Clone, Default)]
pub(super) struct SceneProgress {
    pub(super) silent_beats: u32,
    pub(super) failed_beats: u32,
    pub(super) goals_met: usize,
    /// The beat after which the number of goals met last changed.
    pub(super) progress_at: u32,
    pub(super) last_event_at: Option<u32>,
    pub(super) loop_broken_at: Option<u32>,
    pub(super) guided_at: Option<u32>,
    /// The beat after which the subject of an open goal was told of it last.
    pub(super) reminded_at: Option<u32>,
}

impl Scene {
    pub(super) fn of(setup: &Arc<SceneSetup>) -> Scene {
        Scene {
            prepared: Arc::new(Prepared::new(setup.clone())),
            next_seq: Seq(1),
            next_call: CallId(0),
            lines: Lines::default(),
            settled: SettledLines::default(),
            silences: Arc::default(),
            used_events: Arc::default(),
            actors: vec![Actor::default(); setup.cast.len()],
            beat: Beat::default(),
            notes: Vec::new(),
            verdict: None,
            progress: SceneProgress::default(),
            hidden_calls: HiddenCalls::default(),
            spent: Spent::default(),
            not_started: Some(NotStarted::Began),
            pause: PauseState::default(),
            outside_inputs: 0,
            ended: None,
        }
    }

    pub fn setup(&self) -> &SceneSetup {
        &self.prepared.setup
    }

    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    pub fn end_reason(&self) -> Option<SceneEnd> {
        self.ended
    }

    /// What a model costs, as far as that is known.
    pub(super) fn price(&self, model: &str) -> Option<Price> {
        self.prepared.setup.models.get(model).and_then(|card| card.price)
    }

    /// Folds one fact. Its meaning never changes: an old log must always give the same scene.
    pub(super) fn fold(&mut self, fact: &Fact<SceneEvent>) {
        self.next_seq = fact.seq.next();
        self.lines.apply(fact.seq, &fact.event);
        match &fact.event {
            SceneEvent::Began { .. }
            | SceneEvent::CutMissed { .. }
            | SceneEvent::Drifted { .. }
            | SceneEvent::Remembered { .. } => {}
            SceneEvent::LineCut { line, .. } => {
                if let Some(index) = self.lines.index(*line) {
                    self.settled.forget_if_cut(index);
                    self.hidden_calls.fold_cut(&self.lines[index]);
                }
            }
            SceneEvent::Resumed {} => {
                self.not_started = None;
                self.fold_lost_calls(fact.at);
            }
            SceneEvent::Noted { to, text, why } => {
                let to = to.as_ref().and_then(|name| self.prepared.place(name));
                if let (Some(to), NoteReason::Drift) = (to, why) {
                    self.actors[to].corrected_at = Some(self.beat.number);
                }
                let note = Note::new(to, text, *why);
                self.outside_inputs += usize::from(note.steered);
                // A note from outside during a beat comes too late for its updates.
                let this_beat = self.beat.open && !note.steered;
                if this_beat { &mut self.beat.notes } else { &mut self.notes }.push(note);
                match why {
                    NoteReason::WrapUp | NoteReason::Closing | NoteReason::Judge => {
                        self.progress.guided_at = Some(self.beat.number)
                    }
                    NoteReason::Looping => self.progress.loop_broken_at = Some(self.beat.number),
                    NoteReason::OpenGoal => self.progress.reminded_at = Some(self.beat.number),
                    _ => {}
                }
            }
            SceneEvent::BeatOpened { beat, to, deadline, timeout_ms, reserved } => {
                self.next_call = CallId(deadline.0 + 1);
                self.not_started = None;
                self.pause.steps = self.pause.steps.saturating_sub(1);
                self.outside_inputs = 0;
                self.hidden_calls.news = false;
                // Whatever was written has happened by now, before the beat opened.
                self.hidden_calls.event = None;
                self.beat = Beat {
                    number: *beat,
                    open: true,
                    before: self.lines.clone(),
                    deadline: Some(*deadline),
                    timeout_ms: *timeout_ms,
                    since: fact.at,
                    asked: Vec::new(),
                    to_ask_again: Vec::new(),
                    notes: std::mem::take(&mut self.notes),
                    share: budget::share(reserved.unwrap_or_default(), to.len()),
                };
            }
            SceneEvent::Asked { call, actor, model, reserved, human } => {
                self.not_started = None;
                self.next_call = CallId(human.map_or(*call, |human| human.deadline.max(*call)).0 + 1);
                if let Some(actor) = self.prepared.place(actor) {
                    self.beat.to_ask_again.retain(|waiting| *waiting != actor);
                    let human = human.map(|human| HumanWait::begin(&human, fact.at));
                    self.fold_asked(fact.at, actor, *call, model, *reserved, human);
                }
            }
            SceneEvent::Replied { call, raw, reply, outcome, usage, .. } => {
                self.fold_cost(*call, usage.as_ref());
                self.fold_reply(*call, &raw_answer(raw, reply), reply, *outcome)
            }
            SceneEvent::CallFailed { call, usage, .. } => {
                self.fold_cost(*call, usage.as_ref());
                if let Some(actor) = self.close(*call, ReplyState::Failed) {
                    self.actors[actor].failures_in_a_row += 1;
                }
            }
            SceneEvent::LineAdded { said: Said::Actor { who, reply } } => self.fold_actor_line(who, reply),
            SceneEvent::LineAdded { said } => {
                if let Said::World { text } = said {
                    if world_events::is_known(&self.prepared.setup, text) && !self.used_events.contains(text)
                    {
                        Arc::make_mut(&mut self.used_events).insert(text.clone());
                    }
                    self.progress.last_event_at = Some(self.beat.number);
                    self.outside_inputs += 1;
                }
            }
            SceneEvent::Benched { actor } => self.bench(actor, Some(self.beat.number)),
            SceneEvent::Returned { actor } => self.bench(actor, None),
            SceneEvent::BeatSettled { .. } => self.fold_settled(),
            SceneEvent::Judged { verdict } => {
                let met = verdict.goals.iter().filter(|goal| goal.met == Some(true)).count();
                if met != self.progress.goals_met {
                    self.progress.goals_met = met;
                    self.progress.progress_at = self.beat.number;
                }
                self.verdict = Some(Arc::new(verdict.clone()));
            }
            SceneEvent::Consulted { call, purpose, model, deadline, timeout_ms, beat, reserved } => {
                self.next_call = CallId(deadline.0.max(call.0) + 1);
                self.not_started = None;
                let first = self.hidden_model(*purpose).unwrap_or_default();
                let rank = fallback::rank_of(&self.prepared.setup.models, first, model);
                // Beside an open beat it is about the one before, as if it had left with its opening.
                let about = self.beat.number.saturating_sub(self.beat.open.into());
                self.hidden_calls.fold_consulted(HiddenCall {
                    purpose: *purpose,
                    model: model.as_str().into(),
                    rank,
                    call: *call,
                    deadline: *deadline,
                    timeout_ms: *timeout_ms,
                    since: fact.at,
                    beat: beat.unwrap_or(about),
                    allowance: *reserved,
                });
            }
            SceneEvent::Advised { call, advice, usage, .. } => {
                self.fold_cost(*call, usage.as_ref());
                self.hidden_calls.fold_outcome(*call, Some(advice));
            }
            SceneEvent::AdviceFailed { call, usage, .. } => {
                self.fold_cost(*call, usage.as_ref());
                self.hidden_calls.fold_outcome(*call, None);
            }
            SceneEvent::ThreadTrimmed { actor, through } => {
                if let Some(place) = self.prepared.place(actor) {
                    thread_trimming::fold(self, place, *through);
                }
            }
            SceneEvent::Paused {} => self.pause = PauseState { paused: true, steps: 0 },
            SceneEvent::Continued {} => self.pause = PauseState::default(),
            SceneEvent::Stepped {} => self.pause.steps = self.pause.steps.saturating_add(1),
            SceneEvent::SteeringIgnored { .. } | SceneEvent::AnswerIgnored { .. } => self.outside_inputs += 1,
            // What the other run has spent is not this run's to pay, and a pause of that run does not hold
            // for this one.
            SceneEvent::Forked { .. } => {
                self.not_started = Some(NotStarted::Forked);
                self.spent = Spent::default();
                self.pause = PauseState::default();
                self.hidden_calls.forget_calls_of_parent();
                self.forget_asks_of_parent();
            }
            SceneEvent::Ended { reason, .. } => {
                self.not_started = None;
                self.beat.open = false;
                self.hidden_calls.calls.clear();
                self.ended = Some(*reason);
            }
        }
    }

    fn fold_reply(&mut self, call: CallId, raw: &str, reply: &Reply, outcome: Outcome) {
        let standing = match (outcome, reply.action) {
            (Outcome::Taken, Action::Silent) | (Outcome::Dropped | Outcome::AskedAgain, _) => {
                ReplyState::Silent
            }
            (Outcome::Taken, _) => ReplyState::Acted,
        };
        let Some(place) = self.close(call, standing) else { return };
        let passive = standing == ReplyState::Silent && self.addressed_before(place);
        let remembers = self.context(place) == Context::Thread;
        let actor = &mut self.actors[place];
        actor.failures_in_a_row = 0;
        if outcome == Outcome::AskedAgain {
            return;
        }
        actor.passive_beats = if passive { actor.passive_beats + 1 } else { 0 };
        if outcome == Outcome::Taken {
            if let (Action::Silent, Some(gesture)) = (reply.action, &reply.nonverbal) {
                let setup = &self.prepared.setup;
                let text = silence_text(setup, &setup.cast[place].name, gesture).into();
                let silence = VisibleSilence { beat: self.beat.number, actor: place, text };
                Arc::make_mut(&mut self.silences).push(silence);
            }
            let told = self.beat.before.range(actor.told..self.beat.before.len());
            let lines = told.map(|line| line.text(&self.prepared.setup).len()).sum::<usize>();
            let silences = silences::between(&self.silences, actor.told_at, self.beat.number);
            let bytes = lines + silences::bytes_told_to(place, silences);
            let thread = Arc::make_mut(&mut actor.thread);
            if !remembers {
                thread.clear();
            }
            thread.push(Arc::new(Exchange {
                beat: self.beat.number,
                since: actor.told_at,
                from: actor.told,
                to: self.beat.before.len(),
                notes: notes::told_to(&self.beat.notes, place).cloned().collect(),
                answer: GivenAnswer::Raw(raw.into()),
                bytes: bytes + raw.len() + thread_trimming::BYTES_AROUND_AN_EXCHANGE,
            }));
            actor.told = self.beat.before.len();
            actor.told_at = self.beat.number;
        }
    }

    /// The line that was just added says what its actor answered: the words need not be kept twice.
    fn fold_actor_line(&mut self, who: &Name, reply: &Reply) {
        let Some(place) = self.prepared.place(who) else { return };
        let thread = Arc::make_mut(&mut self.actors[place].thread);
        let Some(exchange) = thread.last_mut().filter(|exchange| exchange.beat == self.beat.number) else {
            return;
        };
        if matches!(&exchange.answer, GivenAnswer::Raw(raw) if reply.is_written_as(raw)) {
            Arc::make_mut(exchange).answer = GivenAnswer::Line(self.lines.len() - 1);
        }
    }

    /// What an actor answered to an update, word for word.
    pub(super) fn answered(&self, exchange: &Exchange) -> Arc<str> {
        match &exchange.answer {
            GivenAnswer::Raw(raw) => raw.clone(),
            GivenAnswer::Line(line) => {
                let reply = self.lines.get(*line).and_then(|line| line.actor());
                reply.map(|(_, reply)| reply.written()).unwrap_or_default().into()
            }
        }
    }

    /// What a call came to, for the budget.
    fn fold_cost(&mut self, call: CallId, usage: Option<&Usage>) {
        let asked = self.beat.asked.iter().find(|asked| asked.call == call);
        let (model, allowance) = match (asked, self.hidden_calls.by_call(call)) {
            (Some(asked), _) => {
                self.actors[asked.actor].earlier_calls.add(asked.rank, asked.allowance, usage);
                (self.prepared.model(asked.actor, asked.rank).clone(), asked.allowance)
            }
            (None, Some(hidden)) => {
                let hidden = hidden.clone();
                self.hidden_calls.count_call(&hidden, usage);
                (hidden.model, hidden.allowance)
            }
            (None, None) => return,
        };
        let (price, allowance) = (self.price(&model), allowance.unwrap_or(self.beat.share.into()));
        self.spent.add(Spend { usage, price, allowance });
    }

    fn fold_settled(&mut self) {
        self.not_started = None;
        let any = |standing| self.beat.asked.iter().any(|asked| asked.state == standing);
        let acted = any(ReplyState::Acted);
        let silent = any(ReplyState::Silent);
        self.progress.silent_beats = if silent && !acted { self.progress.silent_beats + 1 } else { 0 };
        self.progress.failed_beats = if !silent && !acted { self.progress.failed_beats + 1 } else { 0 };
        self.beat.open = false;
        self.beat.deadline = None;
        self.notes.splice(0..0, notes::missed(self));
    }

    fn close(&mut self, call: CallId, standing: ReplyState) -> Option<usize> {
        let asked = self.beat.asked.iter_mut().find(|asked| asked.call == call)?;
        asked.state = standing;
        Some(asked.actor)
    }

    fn bench(&mut self, name: &crate::Name, at: Option<u32>) {
        if let Some(place) = self.prepared.place(name) {
            self.actors[place].benched_at = at;
        }
    }

    /// Whether the beat before spoke to this actor by name.
    fn addressed_before(&self, place: usize) -> bool {
        let player = &self.prepared.players[place];
        let before = self.beat.number.saturating_sub(1);
        self.beat.before.iter().rev().take_while(|line| line.beat >= before).any(|line| {
            let target = line.actor().and_then(|(_, reply)| reply.target.as_deref());
            target.is_some_and(|target| names(target, &player.display))
        })
    }
}
