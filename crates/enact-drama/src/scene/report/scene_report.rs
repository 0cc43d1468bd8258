//! A run's log, folded for telling.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Adviser, PlayTime, debug_log, document, metadata, wording};
use crate::{
    Fact, Name, RunId, Seq,
    budget::Reserve,
    fallback::rank_of,
    judge::Verdict,
    production::Report,
    reply::{Action, Reply},
    report::{Costs, Document, Ledger, Sent, SpeedMeter, starless},
    scene::{
        Advice, HiddenPurpose, Line, Lines, Outcome, Said, SceneEnd, SceneEvent, SceneSetup, event::REPLY,
    },
};

/// What happened in a run, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneReport {
    pub setup: Arc<SceneSetup>,
    pub lines: Lines,
    /// Silences with a gesture, in order: scenes with stage directions show them.
    pub silences: Vec<Silence>,
    /// Beats that were opened; the opening is one of them.
    pub beats: u32,
    /// What the judge said last.
    pub verdict: Option<Verdict>,
    /// Nothing while the run can still go on.
    pub ended: Option<SceneEnd>,
    pub errors: Vec<FailedReply>,
    pub counts: Counts,
    /// How often the judge saw someone out of character; actors that stayed in it are left out.
    pub drifts: BTreeMap<Name, u32>,
    pub ledger: Ledger,
    /// How fast each model answered for actors, by its name in the setup.
    pub speeds: BTreeMap<String, SpeedMeter>,
    /// Those who were to be asked beside the actors, by what for.
    pub advisers: BTreeMap<HiddenPurpose, Adviser>,
    /// The run whose beginning it shares, if it was forked.
    pub forked_from: Option<ForkedFrom>,
    /// UTC milliseconds; of a fork, when it was forked.
    pub started_at: i64,
    /// How long it was played, and whether it is paused.
    pub time: PlayTime,
    /// How long each beat took, from its opening to that of the next: the moderator's thinking is part of it.
    pub beat_ms: Vec<u64>,
    /// How often fallbacks have answered for actors, by their names.
    pub fallbacks: BTreeMap<Name, BTreeMap<String, u32>>,
    /// The lines that fallbacks gave.
    pub(super) lines_of_fallbacks: BTreeMap<Seq, String>,
    /// The fallbacks that answer for actors now.
    answering: BTreeMap<Name, String>,
    /// What the beat that the budget had no room for could have needed.
    pub needed: Option<Reserve>,
    /// When something came that is shown.
    times: BTreeMap<Seq, ShownAt>,
}

/// When something came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ShownAt {
    /// UTC milliseconds.
    pub(super) at: i64,
    /// How long the run had been played by then.
    pub(super) played_ms: u64,
}

/// Where a run was forked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ForkedFrom {
    pub run_id: RunId,
    /// The last beat that both share.
    pub beat: u32,
    /// The last line of it that both share, counted from 1, where it is not shared to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl ForkedFrom {
    /// `beat 3`, or `line 2 of beat 3`.
    pub fn told(&self) -> String {
        let beat = format!("beat {}", self.beat);
        self.line.map_or(beat.clone(), |line| format!("line {line} of {beat}"))
    }
}

/// A character said nothing, but did something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Silence {
    /// The fact that says so.
    pub id: Seq,
    pub beat: u32,
    pub who: Name,
    pub gesture: String,
}

/// An actor that gave no reply when asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FailedReply {
    pub beat: u32,
    pub character: Name,
    pub error: String,
    /// The model that was asked instead; left out where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
}

/// How often things happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = SceneCounts))]
pub struct Counts {
    /// Replies in the format asked for.
    pub parsed: u32,
    /// Replies that had to be guessed at, in part.
    pub salvaged: u32,
    /// Calls that gave nothing, and replies too malformed for what the scene asks.
    pub failed: u32,
    pub interruptions: u32,
    pub silences: u32,
    /// World events.
    pub events: u32,
    /// How often the judge saw someone out of character.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(required))]
    pub drifts: u32,
}

/// One thing a transcript shows between its start and its end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shown<'a> {
    Line(&'a Line),
    Silence(&'a Silence),
}

impl Report for SceneReport {
    type Event = SceneEvent;

    fn begin(first: &Fact<SceneEvent>) -> Option<SceneReport> {
        let SceneEvent::Began { setup } = &first.event else { return None };
        Some(SceneReport {
            setup: Arc::clone(setup),
            lines: Lines::default(),
            silences: Vec::new(),
            beats: 0,
            verdict: None,
            ended: None,
            errors: Vec::new(),
            counts: Counts::default(),
            drifts: BTreeMap::new(),
            ledger: Ledger::default(),
            speeds: BTreeMap::new(),
            advisers: Adviser::of(setup),
            forked_from: None,
            started_at: first.at,
            time: PlayTime::begin(first),
            beat_ms: Vec::new(),
            fallbacks: BTreeMap::new(),
            lines_of_fallbacks: BTreeMap::new(),
            answering: BTreeMap::new(),
            needed: None,
            times: BTreeMap::new(),
        })
    }

    fn apply(&mut self, fact: &Fact<SceneEvent>) {
        let passed = self.time.pass(fact);
        if let Some(beat_ms) = self.beat_ms.last_mut() {
            *beat_ms = beat_ms.saturating_add(passed);
        }
        self.lines.apply(fact.seq, &fact.event);
        let beat = self.beat();
        match &fact.event {
            SceneEvent::Resumed {} => self.ledger.lost(&self.setup.models),
            SceneEvent::BeatOpened { beat, .. } => {
                self.beats = self.beats.max(beat.saturating_add(1));
                self.beat_ms.push(0);
            }
            // A person uses nothing, and is in no account.
            SceneEvent::Asked { human: Some(_), .. } => {}
            SceneEvent::Asked { call, actor, model, .. } => {
                self.note_fallback(actor, model);
                let (purpose, model) = (REPLY, model.clone());
                self.ledger.sent(*call, Sent { purpose, actor: Some(actor.clone()), model, beat });
            }
            SceneEvent::Consulted { call, purpose, model, .. } => {
                let (purpose, model) = (*purpose, model.clone());
                self.adviser(purpose, |adviser| adviser.asked += 1);
                self.ledger.sent(*call, Sent { purpose: purpose.into(), actor: None, model, beat });
            }
            SceneEvent::Replied {
                call,
                actor,
                reply,
                warnings,
                outcome,
                usage,
                took_ms,
                first_word_ms,
                ..
            } => {
                if !self.setup.is_human(actor) {
                    let otherwise = || asked(&self.setup, actor, beat);
                    let sent = self.ledger.settled(&self.setup.models, *call, *usage, otherwise);
                    self.speeds.entry(sent.model).or_default().add(*usage, *took_ms, *first_word_ms);
                }
                if let Some(model) = self.answering.get(actor) {
                    let replies = self.fallbacks.entry(actor.clone()).or_default();
                    *replies.entry(model.clone()).or_default() += 1;
                }
                match (outcome, warnings.is_empty()) {
                    (Outcome::Taken, true) => self.counts.parsed += 1,
                    (Outcome::Taken, false) => self.counts.salvaged += 1,
                    (Outcome::AskedAgain | Outcome::Dropped, _) => self.counts.failed += 1,
                }
                if *outcome == Outcome::Taken && reply.action == Action::Silent {
                    self.fall_silent(fact, actor, reply);
                }
            }
            SceneEvent::CallFailed { call, actor, error, usage } => {
                let sent = self
                    .ledger
                    .settled(&self.setup.models, *call, *usage, || asked(&self.setup, actor, beat));
                self.errors.push(FailedReply {
                    beat: sent.beat,
                    character: actor.clone(),
                    error: error.clone(),
                    fallback: None,
                });
                self.counts.failed += 1;
            }
            SceneEvent::Advised { call, advice, usage, .. } => {
                let purpose = match advice {
                    Advice::Opinion(_) => HiddenPurpose::Judge,
                    Advice::WorldEvent(_) => HiddenPurpose::WorldEvent,
                };
                self.ledger
                    .settled(&self.setup.models, *call, *usage, || consulted(&self.setup, purpose, beat));
                self.adviser(purpose, |adviser| adviser.answered += 1);
            }
            SceneEvent::AdviceFailed { call, error, usage } => {
                // A failure does not say whose it is; the judge is asked far more often than anyone else.
                let otherwise = || consulted(&self.setup, HiddenPurpose::Judge, beat);
                let sent = self.ledger.settled(&self.setup.models, *call, *usage, otherwise);
                let purpose =
                    HiddenPurpose::ALL.into_iter().find(|purpose| sent.purpose == (*purpose).into());
                self.adviser(purpose.unwrap_or(HiddenPurpose::Judge), |adviser| adviser.fail(error));
            }
            SceneEvent::Drifted { actor, .. } => {
                self.counts.drifts += 1;
                *self.drifts.entry(actor.clone()).or_default() += 1;
            }
            SceneEvent::LineAdded { said } => {
                self.show(fact);
                if let Said::Actor { who, .. } = said
                    && let Some(model) = self.answering.get(who)
                {
                    self.lines_of_fallbacks.insert(fact.seq, model.clone());
                }
                match said {
                    Said::Actor { reply, .. } if reply.action == Action::Interrupt => {
                        self.counts.interruptions += 1
                    }
                    Said::World { .. } => self.counts.events += 1,
                    Said::Actor { .. } | Said::System { .. } => {}
                }
            }
            SceneEvent::Judged { verdict } => self.verdict = Some(verdict.clone()),
            SceneEvent::Ended { reason, needed } => {
                self.ended = Some(*reason);
                self.needed = *needed;
                self.ledger.close(&self.setup.models);
            }
            SceneEvent::Forked { run, beat, line } => {
                self.forked_from = Some(ForkedFrom { run_id: *run, beat: *beat, line: *line });
                self.started_at = fact.at;
                self.ledger.hand_down();
                self.speeds.clear();
            }
            SceneEvent::Began { .. }
            | SceneEvent::Noted { .. }
            | SceneEvent::LineCut { .. }
            | SceneEvent::CutMissed { .. }
            | SceneEvent::Benched { .. }
            | SceneEvent::Returned { .. }
            | SceneEvent::BeatSettled { .. }
            | SceneEvent::ThreadTrimmed { .. }
            | SceneEvent::Paused {}
            | SceneEvent::Continued {}
            | SceneEvent::Stepped {}
            | SceneEvent::SteeringIgnored { .. }
            | SceneEvent::AnswerIgnored { .. }
            | SceneEvent::Remembered { .. } => {}
        }
    }

    fn document(&self) -> Document {
        document::document(self)
    }

    fn metadata(&self) -> Value {
        serde_json::to_value(metadata(self)).expect("metadata has only string keys")
    }

    fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    fn costs(&self) -> Costs {
        metadata(self).costs
    }

    fn debug_log(facts: &[Fact<SceneEvent>]) -> Option<String> {
        Some(debug_log(facts))
    }
}

impl SceneReport {
    /// What the transcript shows, in order: the lines and, where the scene wants stage directions, the
    /// silences that can be seen.
    pub fn shown(&self) -> Vec<Shown<'_>> {
        let silences = if self.setup.config.stage_directions { self.silences.as_slice() } else { &[] };
        let mut shown: Vec<Shown<'_>> = self.lines.iter().map(Shown::Line).collect();
        shown.extend(silences.iter().map(Shown::Silence));
        shown.sort_by_key(Shown::id);
        shown
    }

    /// When something came that is shown.
    pub(super) fn shown_at(&self, id: Seq) -> ShownAt {
        self.times.get(&id).copied().unwrap_or_default()
    }

    /// Keeps the time of a fact that is shown.
    fn show(&mut self, fact: &Fact<SceneEvent>) {
        self.times.insert(fact.seq, ShownAt { at: fact.at, played_ms: self.time.total_ms() });
    }

    /// Keeps the count of an adviser, where the setup has one.
    fn adviser(&mut self, purpose: HiddenPurpose, count: impl FnOnce(&mut Adviser)) {
        if let Some(adviser) = self.advisers.get_mut(&purpose) {
            count(adviser);
        }
    }

    /// Keeps which model is asked for an actor, if that is a fallback.
    fn note_fallback(&mut self, actor: &Name, model: &str) {
        let first = self.setup.cast.iter().find(|role| role.name == *actor).map(|role| role.model.as_str());
        if first.is_none_or(|first| rank_of(&self.setup.models, first, model) == 0) {
            self.answering.remove(actor);
            return;
        }
        self.answering.insert(actor.clone(), model.to_owned());
        if let Some(failed) = self.errors.iter_mut().rfind(|failed| failed.character == *actor) {
            failed.fallback = Some(model.to_owned());
        }
    }

    /// The beat being played; the last one, when the run is over.
    fn beat(&self) -> u32 {
        self.beats.saturating_sub(1)
    }

    fn fall_silent(&mut self, fact: &Fact<SceneEvent>, who: &Name, reply: &Reply) {
        self.counts.silences += 1;
        let gesture = wording::gesture(reply).map(starless).filter(|gesture| !gesture.is_empty());
        if let Some(gesture) = gesture {
            self.show(fact);
            self.silences.push(Silence { id: fact.seq, beat: self.beat(), who: who.clone(), gesture });
        }
    }
}

/// How a reply is booked whose ask the log does not hold.
fn asked(setup: &SceneSetup, actor: &Name, beat: u32) -> Sent {
    let role = setup.cast.iter().find(|role| role.name == *actor);
    let model = role.map_or_else(String::new, |role| role.model.clone());
    Sent { purpose: REPLY, actor: Some(actor.clone()), model, beat }
}

/// The same for a hidden call.
fn consulted(setup: &SceneSetup, purpose: HiddenPurpose, beat: u32) -> Sent {
    let model = if purpose == HiddenPurpose::WorldEvent { &setup.event_writer } else { &setup.judge };
    Sent { purpose: purpose.into(), actor: None, model: model.clone().unwrap_or_default(), beat }
}

impl Shown<'_> {
    /// The seq of the fact it stems from.
    pub fn id(&self) -> Seq {
        match self {
            Shown::Line(line) => line.id,
            Shown::Silence(silence) => silence.id,
        }
    }
}
