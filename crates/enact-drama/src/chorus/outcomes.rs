//! What becomes of an answer: it is heard, or mended, or asked for again.

use super::{
    ChorusEvent, NoAnswer, Refused, SlotId, SpeechFile, Turn,
    answer::{self, Aim, AnswerReading},
    blank_text::is_silent,
    budget,
    machine::ChorusDraft,
    paths, routing,
    shorten::{self, LengthLimit},
    state::AskedSeat,
    turns,
};
use crate::{
    budget::Reserve,
    fallback,
    production::{Answer, CallId, Failure, FailureKind},
    usage::Usage,
    voice::VoiceProfile,
};

/// Longer answers are cut off before they are read or kept: what is wanted is a few sentences.
const LONGEST_ANSWER_BYTES: usize = 32 * 1024;

const NO_ROOM_FOR_ASKING_AGAIN: &str = "the budget has no room for asking again";

/// What a call came to.
#[derive(Clone, Copy)]
struct Bill {
    call: CallId,
    usage: Option<Usage>,
    took_ms: u64,
}

pub(super) fn answered(draft: &mut ChorusDraft, call: CallId, answer: &Answer) {
    let Some((turn, asked)) = draft.chorus.asked(call) else { return };
    let bill = Bill { call, usage: answer.usage, took_ms: answer.took_ms };
    let raw = &answer.text[..answer.text.floor_char_boundary(LONGEST_ANSWER_BYTES)];
    let mut reading = answer::read(raw, turn);
    if raw.len() < answer.text.len() {
        reading.warnings.push(format!("longer than {LONGEST_ANSWER_BYTES} bytes: the rest was not read"));
    }
    if is_silent(&reading.text) {
        let (error, raw) = match raw.trim() {
            "" => ("the answer was empty", None),
            _ => ("nothing to say was found in the answer", Some(raw.to_owned())),
        };
        let outcome = NoAnswer { error: error.to_owned(), failure: FailureKind::Empty, raw };
        give_up(draft, turn, asked, bill, outcome);
    } else if turn == Turn::Comment {
        comment(draft, asked, bill, raw, reading);
    } else {
        speak(draft, turn, asked.seat, bill, SlotWords::of(raw, reading));
    }
    turns::settle(draft);
}

pub(super) fn failed(draft: &mut ChorusDraft, call: CallId, failure: &Failure) {
    let Some((turn, asked)) = draft.chorus.asked(call) else { return };
    let bill = Bill { call, usage: failure.usage, took_ms: failure.took_ms };
    let outcome = NoAnswer { error: failure.error.clone(), failure: failure.kind, raw: None };
    if can_ask_next(draft, &asked, failure.kind) {
        return ask_next(draft, turn, asked, bill, outcome);
    }
    give_up(draft, turn, asked, bill, outcome);
    turns::settle(draft);
}

/// Whether another model may answer for a slot, and there is time for it. A slot whose comment only lacks a
/// valid target has something to say already.
fn can_ask_next(draft: &ChorusDraft, asked: &AskedSeat, failure: FailureKind) -> bool {
    let (setup, Some(round)) = (&draft.chorus.setup, &draft.chorus.round) else { return false };
    let left_ms = fallback::left_ms(round.timeout_ms, round.since, draft.at);
    !asked.again
        && fallback::model_at(&setup.models, &setup.seats[asked.seat].model, asked.rank + 1).is_some()
        && fallback::may_help(failure)
        && fallback::is_enough(left_ms, round.timeout_ms)
}

/// Asks the next model, if the budget has room for that. What the one before has used is counted first.
fn ask_next(draft: &mut ChorusDraft, turn: Turn, asked: AskedSeat, bill: Bill, outcome: NoAnswer) {
    let (slot, rank) = (draft.chorus.slot(asked.seat), asked.rank + 1);
    let Bill { call, usage, took_ms } = bill;
    let mut trial = draft.chorus.clone();
    trial.close(call, usage.as_ref());
    let Some(reserved) = budget::plan_next(&trial, asked.seat, rank, turn) else {
        give_up(draft, turn, asked, bill, outcome);
        return turns::settle(draft);
    };
    draft.push(ChorusEvent::ModelFailed { call, turn, slot, outcome, usage, took_ms });
    turns::ask(draft, turn, slot, rank, false, reserved);
}

/// The turn's deadline has passed: slots that have not answered give nothing.
pub(super) fn time_up(draft: &mut ChorusDraft, deadline: CallId) {
    let Some(round) = draft.chorus.round.as_ref().filter(|round| round.deadline == deadline) else { return };
    let (turn, late, took_ms) = (round.turn, round.asked.clone(), round.timeout_ms);
    for asked in late {
        let bill = Bill { call: asked.call, usage: None, took_ms };
        let error = format!("no answer within {} s", took_ms as f64 / 1000.0);
        let outcome = NoAnswer { error, failure: FailureKind::Timeout, raw: None };
        give_up(draft, turn, asked, bill, outcome);
    }
    turns::settle(draft);
}

/// Gives up on the calls that were lost with their process: the budget has no room for asking again.
pub(super) fn unaffordable(draft: &mut ChorusDraft, needed: Reserve) {
    let Some(round) = &draft.chorus.round else { return };
    let (turn, lost) = (round.turn, round.asked.clone());
    draft.push(ChorusEvent::BudgetUsedUp { turn, needed });
    for asked in lost {
        // What the lost call may have used is counted by now.
        let bill = Bill { call: asked.call, usage: Some(Usage::NONE), took_ms: 0 };
        let error = NO_ROOM_FOR_ASKING_AGAIN.to_owned();
        give_up(draft, turn, asked, bill, NoAnswer { error, failure: FailureKind::Other, raw: None });
    }
}

/// What a slot is going to say.
struct SlotWords<'a> {
    raw: &'a str,
    text: String,
    target: Option<SlotId>,
    profile: VoiceProfile,
    warnings: Vec<String>,
    /// What became of the call, if the words are those of an earlier one.
    instead_of: Option<NoAnswer>,
}

impl<'a> SlotWords<'a> {
    fn of(raw: &'a str, reading: AnswerReading) -> SlotWords<'a> {
        let AnswerReading { text, profile, warnings, .. } = reading;
        SlotWords { raw, text, target: None, profile, warnings, instead_of: None }
    }
}

/// A comment goes to its target. One without a valid target is asked for again; the second time the rules
/// choose one.
fn comment(draft: &mut ChorusDraft, asked: AskedSeat, bill: Bill, raw: &str, reading: AnswerReading) {
    let slot = draft.chorus.slot(asked.seat);
    let target = target_of(reading.aim, slot, &draft.chorus.peers(asked.seat));
    let mut words = SlotWords::of(raw, reading);
    match target {
        Ok(target) => {
            speak(draft, Turn::Comment, asked.seat, bill, SlotWords { target: Some(target), ..words })
        }
        Err(why) if !asked.again => {
            let Some(reserved) = budget::plan_again(&draft.chorus, asked.seat, asked.rank, raw) else {
                words.warnings.push(NO_ROOM_FOR_ASKING_AGAIN.to_owned());
                return give_to_least_commented(draft, asked.seat, bill, words, why);
            };
            let (SlotWords { text, profile, warnings, .. }, Bill { call, usage, took_ms }) = (words, bill);
            let raw = raw.to_owned();
            draft.push(ChorusEvent::CommentRefused {
                call,
                slot,
                raw,
                text,
                profile,
                why,
                warnings,
                usage,
                took_ms,
            });
            turns::ask(draft, Turn::Comment, slot, asked.rank, true, reserved);
        }
        Err(why) => give_to_least_commented(draft, asked.seat, bill, words, why),
    }
}

fn target_of(aim: Aim, slot: SlotId, peers: &[SlotId]) -> Result<SlotId, Refused> {
    let number = match aim {
        Aim::Nowhere => return Err(Refused::NoTarget),
        Aim::At(number) => number,
    };
    match u8::try_from(number).ok().and_then(SlotId::new) {
        Some(target) if target == slot => Err(Refused::AtOneself),
        Some(target) if peers.contains(&target) => Ok(target),
        _ => Err(Refused::AtNobody),
    }
}

/// Gives a comment without a valid target to the peer that has got the fewest.
fn give_to_least_commented(
    draft: &mut ChorusDraft,
    seat: usize,
    bill: Bill,
    mut words: SlotWords<'_>,
    why: Refused,
) {
    let (chorus, slot) = (&draft.chorus, draft.chorus.slot(seat));
    let target = routing::least_commented(slot, &chorus.peers(seat), &chorus.comments(), chorus.setup.seed);
    let was = match why {
        Refused::AtOneself => "aimed at itself",
        Refused::AtNobody => "aimed at nobody who takes part",
        Refused::NoTarget => "aimed at nobody",
    };
    words.warnings.push(format!("{was}: given to slot {target}"));
    words.target = Some(target);
    speak(draft, Turn::Comment, seat, bill, words);
}

/// A slot gives nothing this turn, unless its first comment was refused only for its target: then that one
/// counts.
fn give_up(draft: &mut ChorusDraft, turn: Turn, asked: AskedSeat, bill: Bill, outcome: NoAnswer) {
    let slot = draft.chorus.slot(asked.seat);
    if let Some(refused) = draft.chorus.parts[asked.seat].refused.clone().filter(|_| asked.again) {
        let mut warnings = refused.warnings.clone();
        warnings.push(format!("asked again and got nothing: {}", outcome.error));
        let words = SlotWords {
            raw: &refused.raw,
            text: refused.text.clone(),
            target: None,
            profile: refused.profile,
            warnings,
            instead_of: Some(outcome),
        };
        return give_to_least_commented(draft, asked.seat, bill, words, refused.why);
    }
    let Bill { call, usage, took_ms } = bill;
    draft.push(ChorusEvent::SlotFailed { call, turn, slot, outcome, usage, took_ms });
}

/// Adds what a slot says: shortened to its limit, and spoken aloud where there is a voice.
fn speak(draft: &mut ChorusDraft, turn: Turn, seat: usize, bill: Bill, words: SlotWords<'_>) {
    let SlotWords { raw, mut text, target, profile, mut warnings, instead_of } = words;
    if let Some(shorter) = shorten::shorten(&text, LengthLimit::of(turn)) {
        warnings.push(shorter.why);
        text = shorter.text;
    }
    let (chorus, setup) = (&draft.chorus, &draft.chorus.setup);
    if setup.prompts.falls_back(&chorus.view(seat, turn, instead_of.is_some())) {
        warnings.push("its template could not be filled in: the built-in one was used".to_owned());
    }
    let speech = setup.voice.is_some().then(|| SpeechFile {
        call: chorus.next_call,
        path: paths::of_speech(setup, seat, turn, target, profile),
    });
    let (slot, raw, Bill { call, usage, took_ms }) = (chorus.slot(seat), raw.to_owned(), bill);
    draft.push(ChorusEvent::SlotSpoke {
        call,
        turn,
        slot,
        raw,
        text,
        target,
        profile,
        warnings,
        instead_of,
        usage,
        took_ms,
        speech,
    });
}
