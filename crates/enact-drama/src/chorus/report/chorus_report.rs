//! The log of a chorus, folded for telling.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::Value;

use super::{costs, document, metadata};
use crate::{
    CallId, Fact, Seq,
    chorus::{ChorusEnd, ChorusEvent, ChorusSetup, NoAnswer, Routed, Seat, SlotId, Turn},
    production::{FailureKind, Report},
    report::{Costs, Document, Ledger, Sent},
    usage::Usage,
    voice::{Spoken, VoiceProfile},
};

/// What happened in a chorus, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct ChorusReport {
    pub setup: Arc<ChorusSetup>,
    /// The turns that have begun, in order.
    pub rounds: Vec<ReportedTurn>,
    /// Who was told which comments; nothing before the second turn is over.
    pub routes: Vec<Routed>,
    /// Nothing while the run can still go on.
    pub ended: Option<ChorusEnd>,
    pub ledger: Ledger,
    /// What was said aloud, by who spoke.
    pub heard: BTreeMap<String, ReportedSpeech>,
    /// UTC milliseconds.
    pub started_at: i64,
    /// How long it was played: without the time in which it waited or no process played it.
    pub played_ms: u64,
    last_at: i64,
    /// The fallbacks that answer for slots.
    fallbacks: BTreeMap<SlotId, String>,
}

/// One turn.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedTurn {
    /// The fact that opens it.
    pub id: Seq,
    pub turn: Turn,
    /// What was said, in the order in which it arrived.
    pub said: Vec<ReportedStatement>,
    pub failed: Vec<ReportedFailure>,
    /// Models that failed before others were asked for the same.
    pub passed_over: Vec<PassedOverModel>,
    /// How many comments had no valid target and were asked for again.
    pub refused: u32,
    /// Whether all answers are in.
    pub done: bool,
}

/// A model that failed, and the one that was asked instead.
#[derive(Debug, Clone, PartialEq)]
pub struct PassedOverModel {
    pub slot: SlotId,
    pub error: String,
    pub failure: FailureKind,
    pub fallback: Option<String>,
}

/// What a slot said in a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedStatement {
    /// The fact that says so.
    pub id: Seq,
    /// When it says so, in UTC milliseconds.
    pub at: i64,
    /// How long the chorus had been played by then.
    pub at_ms: u64,
    pub slot: SlotId,
    pub text: String,
    /// Whom a comment is about.
    pub target: Option<SlotId>,
    pub profile: VoiceProfile,
    /// The fallback that gave it, where its slot's own model had failed.
    pub answered_by: Option<String>,
    /// What was wrong with the answer and had to be mended.
    pub warnings: Vec<String>,
    /// Why its last call gave nothing, where the words are those of an earlier one.
    pub instead_of: Option<NoAnswer>,
    pub took_ms: u64,
    /// `None` where there is no voice.
    pub audio: Option<ReportedAudio>,
    speech: Option<CallId>,
}

/// The sound of what was said.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedAudio {
    /// Below the folder of artifacts.
    pub path: String,
    /// Nothing while it is being spoken.
    pub outcome: Option<Result<Spoken, String>>,
}

/// A slot that gave nothing in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedFailure {
    pub id: Seq,
    /// How long the chorus had been played by then.
    pub at_ms: u64,
    pub slot: SlotId,
    pub error: String,
    pub failure: FailureKind,
}

/// What was spoken aloud.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReportedSpeech {
    pub files: u64,
    pub characters: u64,
    pub duration_ms: u64,
    pub bytes: u64,
}

impl Report for ChorusReport {
    type Event = ChorusEvent;

    fn begin(first: &Fact<ChorusEvent>) -> Option<ChorusReport> {
        let ChorusEvent::ChorusBegan { setup } = &first.event else { return None };
        Some(ChorusReport {
            setup: Arc::clone(setup),
            rounds: Vec::new(),
            routes: Vec::new(),
            ended: None,
            ledger: Ledger::default(),
            heard: BTreeMap::new(),
            started_at: first.at,
            played_ms: 0,
            last_at: first.at,
            fallbacks: BTreeMap::new(),
        })
    }

    fn apply(&mut self, fact: &Fact<ChorusEvent>) {
        self.pass(fact);
        match &fact.event {
            ChorusEvent::Resumed {} => self.ledger.lost(&self.setup.models),
            ChorusEvent::TurnStarted { turn, .. } => {
                let (said, failed, passed_over) = Default::default();
                self.rounds.push(ReportedTurn {
                    id: fact.seq,
                    turn: *turn,
                    said,
                    failed,
                    passed_over,
                    refused: 0,
                    done: false,
                });
            }
            ChorusEvent::SlotAsked { call, turn, slot, model, fallback, .. } => {
                self.ledger.sent(*call, sent(*turn, *slot, model));
                self.fallbacks.remove(slot);
                if *fallback {
                    self.fallbacks.insert(*slot, model.clone());
                    self.round(*turn, |round| {
                        let mut failed = round.passed_over.iter_mut().rev();
                        if let Some(failed) = failed.find(|failed| failed.slot == *slot) {
                            failed.fallback = Some(model.clone());
                        }
                    });
                }
            }
            ChorusEvent::ModelFailed { call, turn, slot, outcome, usage, .. } => {
                self.settled(*call, *turn, *slot, *usage);
                let (slot, error, failure) = (*slot, outcome.error.clone(), outcome.failure);
                let passed_over = PassedOverModel { slot, error, failure, fallback: None };
                self.round(*turn, |round| round.passed_over.push(passed_over));
            }
            ChorusEvent::CommentRefused { call, slot, usage, .. } => {
                self.settled(*call, Turn::Comment, *slot, *usage);
                self.round(Turn::Comment, |round| round.refused += 1);
            }
            ChorusEvent::SlotSpoke {
                call,
                turn,
                slot,
                text,
                target,
                profile,
                warnings,
                instead_of,
                usage,
                took_ms,
                speech,
                ..
            } => {
                self.settled(*call, *turn, *slot, *usage);
                let said = ReportedStatement {
                    id: fact.seq,
                    at: fact.at,
                    at_ms: self.played_ms,
                    slot: *slot,
                    text: text.clone(),
                    target: *target,
                    profile: *profile,
                    answered_by: self.fallbacks.get(slot).cloned(),
                    warnings: warnings.clone(),
                    instead_of: instead_of.clone(),
                    took_ms: *took_ms,
                    audio: speech
                        .as_ref()
                        .map(|speech| ReportedAudio { path: speech.path.clone(), outcome: None }),
                    speech: speech.as_ref().map(|speech| speech.call),
                };
                self.round(*turn, |round| round.said.push(said));
            }
            ChorusEvent::SlotFailed { call, turn, slot, outcome, usage, .. } => {
                self.settled(*call, *turn, *slot, *usage);
                let (error, failure) = (outcome.error.clone(), outcome.failure);
                let failed =
                    ReportedFailure { id: fact.seq, at_ms: self.played_ms, slot: *slot, error, failure };
                self.round(*turn, |round| round.failed.push(failed));
            }
            ChorusEvent::TurnDone { turn, .. } => self.round(*turn, |round| round.done = true),
            ChorusEvent::CommentsRouted { routes } => self.routes.clone_from(routes),
            ChorusEvent::Voiced { call, spoken, .. } => self.voiced(*call, spoken),
            ChorusEvent::VoiceFailed { call, error, .. } => {
                if let Some(audio) = self.speech(*call).and_then(|said| said.audio.as_mut()) {
                    audio.outcome = Some(Err(error.clone()));
                }
            }
            ChorusEvent::Ended { reason } => {
                self.ended = Some(*reason);
                self.ledger.close(&self.setup.models);
            }
            ChorusEvent::ChorusBegan { .. } | ChorusEvent::BudgetUsedUp { .. } => {}
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
        costs(self)
    }
}

impl ChorusReport {
    /// Everything that was said, in the order in which it arrived.
    pub fn said(&self) -> impl Iterator<Item = (Turn, &ReportedStatement)> {
        self.rounds.iter().flat_map(|round| round.said.iter().map(|said| (round.turn, said)))
    }

    /// Who takes a slot.
    pub fn seat(&self, slot: SlotId) -> Option<&Seat> {
        self.setup.seats.iter().find(|seat| seat.slot == slot)
    }

    /// The turns whose answers are all in.
    pub fn turns_held(&self) -> usize {
        self.rounds.iter().filter(|round| round.done).count()
    }

    /// Slots that answered the message.
    pub fn completed_slots(&self) -> usize {
        let first = self.rounds.iter().find(|round| round.turn == Turn::Respond);
        first.map_or(0, |round| round.said.len())
    }

    /// Whose comments a slot was told.
    pub fn told(&self, slot: SlotId) -> &[SlotId] {
        self.routes.iter().find(|routed| routed.to == slot).map_or(&[], |routed| &routed.from)
    }

    /// A clock that was set back takes nothing away.
    fn pass(&mut self, fact: &Fact<ChorusEvent>) {
        let elapsed = u64::try_from(fact.at.saturating_sub(self.last_at)).unwrap_or(0);
        self.last_at = fact.at;
        let lost = matches!(fact.event, ChorusEvent::Resumed {});
        if !lost && !self.rounds.is_empty() {
            self.played_ms = self.played_ms.saturating_add(elapsed);
        }
    }

    fn settled(&mut self, call: CallId, turn: Turn, slot: SlotId, usage: Option<Usage>) {
        let model = self.seat(slot).map_or_else(String::new, |seat| seat.model.clone());
        self.ledger.settled(&self.setup.models, call, usage, || sent(turn, slot, &model));
    }

    /// Changes a turn that has begun.
    fn round(&mut self, turn: Turn, change: impl FnOnce(&mut ReportedTurn)) {
        if let Some(round) = self.rounds.iter_mut().find(|round| round.turn == turn) {
            change(round);
        }
    }

    /// What this call was to say aloud.
    fn speech(&mut self, call: CallId) -> Option<&mut ReportedStatement> {
        self.rounds.iter_mut().flat_map(|round| &mut round.said).find(|said| said.speech == Some(call))
    }

    fn voiced(&mut self, call: CallId, spoken: &Spoken) {
        let Some(said) = self.speech(call) else { return };
        let characters = said.text.chars().count() as u64;
        if let Some(audio) = &mut said.audio {
            audio.outcome = Some(Ok(spoken.clone()));
        }
        let heard = self.heard.entry(spoken.by.clone()).or_default();
        heard.files += 1;
        heard.characters += characters;
        heard.duration_ms = heard.duration_ms.saturating_add(spoken.duration_ms);
        heard.bytes = heard.bytes.saturating_add(spoken.bytes);
    }
}

fn sent(turn: Turn, slot: SlotId, model: &str) -> Sent {
    Sent {
        purpose: turn.purpose(),
        actor: Some(slot.name()),
        model: model.to_owned(),
        beat: u32::from(turn.index()),
    }
}

impl ReportedStatement {
    /// How long its sound takes, where it can be heard.
    pub fn recorded_ms(&self) -> Option<u64> {
        self.audio.as_ref().and_then(ReportedAudio::spoken).map(|spoken| spoken.duration_ms)
    }
}

impl ReportedAudio {
    /// What can be heard of it.
    pub fn spoken(&self) -> Option<&Spoken> {
        self.outcome.as_ref()?.as_ref().ok()
    }

    /// Why it cannot be heard.
    pub fn error(&self) -> Option<&str> {
        self.outcome.as_ref()?.as_ref().err().map(String::as_str)
    }
}
