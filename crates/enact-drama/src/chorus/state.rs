//! A chorus as its facts have left it. Nothing here decides anything.

use std::sync::Arc;

use super::{ChorusEnd, ChorusEvent, ChorusSetup, NoAnswer, Refused, Routed, SlotId, Turn};
use crate::{
    Fact, Seq,
    budget::{CallAllowance, EarlierCallsByModel, Spent},
    fallback,
    production::{CallId, FailureKind},
    usage::Usage,
    voice::{Spoken, Utterance, VoiceProfile},
};

/// A chorus being played. Cheap to copy: the rules work on a copy for every input.
#[derive(Debug, Clone)]
pub struct Chorus {
    pub(super) setup: Arc<ChorusSetup>,
    /// UTC milliseconds.
    pub(super) began_at: i64,
    pub(super) next_seq: Seq,
    pub(super) next_call: CallId,
    /// Whether a process has begun to play it.
    pub(super) touched: bool,
    /// The turn under way.
    pub(super) round: Option<OpenTurn>,
    /// What each seat has done, in the order of seats.
    pub(super) parts: Vec<SeatState>,
    pub(super) routes: Arc<Vec<Routed>>,
    /// What is being said aloud.
    pub(super) speaking: Vec<Speaking>,
    pub(super) spent: Spent,
    /// Whether the budget had no room for the next turn, or for the rest of this one.
    pub(super) used_up: bool,
    pub(super) ended: Option<ChorusEnd>,
}

/// A turn that waits for answers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OpenTurn {
    pub(super) turn: Turn,
    pub(super) deadline: CallId,
    pub(super) timeout_ms: u64,
    /// When its time began to run, in UTC milliseconds.
    pub(super) since: i64,
    /// Those that have not answered.
    pub(super) asked: Vec<AskedSeat>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AskedSeat {
    pub(super) call: CallId,
    pub(super) seat: usize,
    pub(super) again: bool,
    /// Which of the models that may answer for it is asked.
    pub(super) rank: usize,
    /// What was left of the turn's time by then.
    pub(super) left_ms: u64,
    pub(super) reserved: Option<CallAllowance>,
}

/// What one seat has done.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct SeatState {
    /// By turn.
    said: [Option<Arc<Statement>>; 3],
    /// A comment that was refused for its target.
    pub(super) refused: Option<Arc<RefusedComment>>,
    /// Whether its model could not read all that it was told.
    pub(super) overwhelmed: bool,
    pub(super) earlier_calls: EarlierCallsByModel,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Statement {
    pub(super) raw: String,
    pub(super) text: String,
    pub(super) target: Option<SlotId>,
    pub(super) profile: VoiceProfile,
    /// Which of the models that may answer for its seat gave it.
    pub(super) rank: usize,
    /// Whether these are the words of a comment that was refused, since no others came.
    pub(super) refused_before: bool,
    /// Where it can be heard one day.
    pub(super) path: Option<Arc<str>>,
    /// What was heard of it, or why nothing was; nothing while it is being said.
    pub(super) heard: Option<Result<Spoken, String>>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct RefusedComment {
    pub(super) raw: String,
    pub(super) text: String,
    pub(super) profile: VoiceProfile,
    pub(super) warnings: Vec<String>,
    pub(super) why: Refused,
}

/// Something that is being said aloud.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Speaking {
    pub(super) call: CallId,
    pub(super) turn: Turn,
    pub(super) seat: usize,
    pub(super) path: Arc<str>,
    pub(super) utterance: Arc<Utterance>,
}

impl SeatState {
    pub(super) fn said(&self, turn: Turn) -> Option<&Arc<Statement>> {
        self.said[at(turn)].as_ref()
    }
}

fn at(turn: Turn) -> usize {
    usize::from(turn.index()) - 1
}

impl Chorus {
    /// The fact a chorus begins with.
    pub fn beginning(setup: ChorusSetup) -> ChorusEvent {
        ChorusEvent::ChorusBegan { setup: Arc::new(setup) }
    }

    pub fn setup(&self) -> &ChorusSetup {
        &self.setup
    }

    pub(super) fn begun(first: &Fact<ChorusEvent>) -> Option<Chorus> {
        let ChorusEvent::ChorusBegan { setup } = &first.event else { return None };
        Some(Chorus {
            setup: Arc::clone(setup),
            began_at: first.at,
            next_seq: first.seq.next(),
            next_call: CallId(0),
            touched: false,
            round: None,
            parts: vec![SeatState::default(); setup.seats.len()],
            routes: Arc::default(),
            speaking: Vec::new(),
            spent: Spent::default(),
            used_up: false,
            ended: None,
        })
    }

    /// The seats that have said something in a turn, and what.
    pub(super) fn said_in(&self, turn: Turn) -> impl Iterator<Item = (usize, &Arc<Statement>)> {
        self.parts.iter().enumerate().filter_map(move |(seat, part)| Some((seat, part.said(turn)?)))
    }

    pub(super) fn slot(&self, seat: usize) -> SlotId {
        self.setup.seats[seat].slot
    }

    pub(super) fn seat_of(&self, slot: SlotId) -> Option<usize> {
        self.setup.seats.iter().position(|seat| seat.slot == slot)
    }

    /// What has been said about others' answers so far: by whom, and to whom.
    pub(super) fn comments(&self) -> Vec<(SlotId, SlotId)> {
        let comments = self.said_in(Turn::Comment);
        comments.filter_map(|(seat, said)| Some((self.slot(seat), said.target?))).collect()
    }

    /// Those that a seat may comment on: the others that answered the message.
    pub(super) fn peers(&self, seat: usize) -> Vec<SlotId> {
        let others = self.said_in(Turn::Respond).filter(|(other, _)| *other != seat);
        others.map(|(other, _)| self.slot(other)).collect()
    }

    pub(super) fn asked(&self, call: CallId) -> Option<(Turn, AskedSeat)> {
        let round = self.round.as_ref()?;
        let asked = round.asked.iter().find(|asked| asked.call == call)?;
        Some((round.turn, *asked))
    }

    /// Folds one fact. Its meaning never changes: an old log must always give the same chorus.
    pub(super) fn fold(&mut self, fact: &Fact<ChorusEvent>) {
        self.next_seq = fact.seq.next();
        match &fact.event {
            ChorusEvent::ChorusBegan { .. } => {}
            ChorusEvent::Resumed {} => {
                self.touched = true;
                self.lose_calls(fact.at);
            }
            ChorusEvent::TurnStarted { turn, deadline, timeout_ms, .. } => {
                self.touched = true;
                self.count(*deadline);
                let (turn, deadline, timeout_ms) = (*turn, *deadline, *timeout_ms);
                let since = fact.at;
                self.round = Some(OpenTurn { turn, deadline, timeout_ms, since, asked: Vec::new() });
            }
            ChorusEvent::SlotAsked { call, slot, model, again, reserved, .. } => {
                self.count(*call);
                if let (Some(seat), Some(round)) = (self.seat_of(*slot), &mut self.round) {
                    let rank = fallback::rank_of(&self.setup.models, &self.setup.seats[seat].model, model);
                    let left_ms = fallback::left_ms(round.timeout_ms, round.since, fact.at);
                    let (call, again, reserved) = (*call, *again, *reserved);
                    round.asked.push(AskedSeat { call, seat, again, rank, left_ms, reserved });
                }
            }
            ChorusEvent::ModelFailed { call, slot, outcome, usage, .. } => {
                self.close(*call, usage.as_ref());
                self.gave_nothing(*slot, Some(outcome));
            }
            ChorusEvent::CommentRefused { call, slot, raw, text, profile, why, warnings, usage, .. } => {
                self.close(*call, usage.as_ref());
                if let Some(seat) = self.seat_of(*slot) {
                    let (raw, text, warnings) = (raw.clone(), text.clone(), warnings.clone());
                    let refused = RefusedComment { raw, text, profile: *profile, warnings, why: *why };
                    self.parts[seat].refused = Some(Arc::new(refused));
                }
            }
            ChorusEvent::SlotSpoke {
                call,
                turn,
                slot,
                raw,
                text,
                target,
                profile,
                instead_of,
                usage,
                speech,
                ..
            } => {
                let rank = self.asked(*call).map_or(0, |(_, asked)| asked.rank);
                self.close(*call, usage.as_ref());
                self.gave_nothing(*slot, instead_of.as_ref());
                let Some(seat) = self.seat_of(*slot) else { return };
                let path: Option<Arc<str>> = speech.as_ref().map(|speech| speech.path.as_str().into());
                if let (Some(speech), Some(path)) = (speech, &path) {
                    self.count(speech.call);
                    let utterance =
                        Utterance { text: text.clone(), meant: None, profile: *profile, variant: 0 };
                    self.speaking.push(Speaking {
                        call: speech.call,
                        turn: *turn,
                        seat,
                        path: Arc::clone(path),
                        utterance: Arc::new(utterance),
                    });
                }
                let (raw, text, target, profile) = (raw.clone(), text.clone(), *target, *profile);
                let refused_before = instead_of.is_some();
                let said = Statement { raw, text, target, profile, rank, refused_before, path, heard: None };
                self.parts[seat].said[at(*turn)] = Some(Arc::new(said));
            }
            ChorusEvent::SlotFailed { call, slot, outcome, usage, .. } => {
                self.close(*call, usage.as_ref());
                self.gave_nothing(*slot, Some(outcome));
            }
            ChorusEvent::TurnDone { .. } => self.round = None,
            ChorusEvent::CommentsRouted { routes } => self.routes = Arc::new(routes.clone()),
            ChorusEvent::Voiced { call, turn, slot, spoken } => {
                self.heard(*call, *turn, *slot, Ok(spoken.clone()));
            }
            ChorusEvent::VoiceFailed { call, turn, slot, error, .. } => {
                self.heard(*call, *turn, *slot, Err(error.clone()));
            }
            ChorusEvent::BudgetUsedUp { .. } => {
                self.touched = true;
                self.used_up = true;
            }
            ChorusEvent::Ended { reason } => {
                self.round = None;
                for speaking in std::mem::take(&mut self.speaking) {
                    let slot = self.slot(speaking.seat);
                    self.heard(speaking.call, speaking.turn, slot, Err(reason.as_str().to_owned()));
                }
                self.ended = Some(*reason);
            }
        }
    }

    /// A call has its number: the next gets a later one.
    fn count(&mut self, call: CallId) {
        self.next_call = self.next_call.max(CallId(call.0 + 1));
    }

    /// What a slot has said was heard, or will never be.
    fn heard(&mut self, call: CallId, turn: Turn, slot: SlotId, outcome: Result<Spoken, String>) {
        self.speaking.retain(|speaking| speaking.call != call);
        let said = self.seat_of(slot).and_then(|seat| self.parts[seat].said[at(turn)].as_mut());
        if let Some(said) = said {
            Arc::make_mut(said).heard = Some(outcome);
        }
    }

    /// A call of a slot gave nothing. One reason concerns the next message too.
    fn gave_nothing(&mut self, slot: SlotId, outcome: Option<&NoAnswer>) {
        let too_long = outcome.is_some_and(|outcome| outcome.failure == FailureKind::ContextTooLong);
        if let Some(seat) = self.seat_of(slot).filter(|_| too_long) {
            self.parts[seat].overwhelmed = true;
        }
    }

    /// An ask has its outcome.
    pub(super) fn close(&mut self, call: CallId, usage: Option<&Usage>) {
        self.spend(call, usage);
        if let Some(round) = &mut self.round {
            round.asked.retain(|asked| asked.call != call);
        }
    }
}
