//! The three turns: who takes part, and what comes next.

use super::{Chorus, ChorusEnd, ChorusEvent, SlotId, Turn, budget, machine::ChorusDraft, routing};
use crate::{budget::CallAllowance, fallback::model_at};

/// With fewer there is no peer to comment on.
const FEWEST_TO_COMMENT: usize = 2;

/// Opens a turn: all slots that take part are asked at once. Without any there is no turn.
pub(super) fn open(draft: &mut ChorusDraft, turn: Turn) {
    let slots = taking_part(&draft.chorus, turn);
    match turn {
        _ if draft.chorus.used_up => return finish(draft),
        Turn::Respond if slots.is_empty() => return end(draft, ChorusEnd::Failed),
        // What was said before may still be being said aloud.
        Turn::Comment | Turn::Reply if slots.is_empty() => return finish(draft),
        _ => {}
    }
    let planned = match budget::plan_turn(&draft.chorus, turn, &slots) {
        Ok(planned) => planned,
        Err(needed) => {
            draft.push(ChorusEvent::BudgetUsedUp { turn, needed });
            return finish(draft);
        }
    };
    draft.push(ChorusEvent::TurnStarted {
        turn,
        slots: slots.clone(),
        deadline: draft.chorus.next_call,
        timeout_ms: draft.chorus.setup.answer_timeout_ms,
    });
    for (slot, reserved) in slots.into_iter().zip(planned) {
        ask(draft, turn, slot, 0, false, reserved);
    }
}

/// Asks the model with this rank for a slot.
pub(super) fn ask(
    draft: &mut ChorusDraft,
    turn: Turn,
    slot: SlotId,
    rank: usize,
    again: bool,
    reserved: Option<CallAllowance>,
) {
    let Some(seat) = draft.chorus.seat_of(slot) else { return };
    let setup = &draft.chorus.setup;
    let Some(model) = model_at(&setup.models, &setup.seats[seat].model, rank) else { return };
    let (call, model, fallback) = (draft.chorus.next_call, model.to_owned(), rank > 0);
    draft.push(ChorusEvent::SlotAsked { call, turn, slot, model, again, fallback, reserved });
}

/// Closes the turn under way once all of its answers are in, and opens the next. Speech of this one goes on
/// meanwhile.
pub(super) fn settle(draft: &mut ChorusDraft) {
    let Some(round) = draft.chorus.round.as_ref().filter(|round| round.asked.is_empty()) else { return };
    let turn = round.turn;
    let slots: Vec<SlotId> = draft.chorus.said_in(turn).map(|(seat, _)| draft.chorus.slot(seat)).collect();
    let spoke = slots.len();
    draft.push(ChorusEvent::TurnDone { turn, slots });
    match turn {
        Turn::Respond if spoke == 0 && !draft.chorus.used_up => end(draft, ChorusEnd::Failed),
        Turn::Respond if spoke < FEWEST_TO_COMMENT => finish(draft),
        Turn::Respond => open(draft, Turn::Comment),
        Turn::Comment if spoke == 0 => finish(draft),
        Turn::Comment => {
            let routes = routing::routes(&draft.chorus.comments(), draft.chorus.setup.seed);
            draft.push(ChorusEvent::CommentsRouted { routes });
            open(draft, Turn::Reply);
        }
        Turn::Reply => finish(draft),
    }
}

/// Ends the chorus when there is nothing more to be said, nor to be said aloud.
pub(super) fn finish(draft: &mut ChorusDraft) {
    let chorus = &draft.chorus;
    if chorus.ended.is_none() && chorus.round.is_none() && chorus.speaking.is_empty() {
        let reason = if chorus.used_up { ChorusEnd::BudgetExceeded } else { ChorusEnd::Completed };
        end(draft, reason);
    }
}

fn end(draft: &mut ChorusDraft, reason: ChorusEnd) {
    draft.push(ChorusEvent::Ended { reason });
}

fn taking_part(chorus: &Chorus, turn: Turn) -> Vec<SlotId> {
    match turn {
        Turn::Respond => chorus.setup.seats.iter().map(|seat| seat.slot).collect(),
        Turn::Comment => chorus.said_in(Turn::Respond).map(|(seat, _)| chorus.slot(seat)).collect(),
        Turn::Reply => chorus.routes.iter().map(|routed| routed.to).collect(),
    }
}
