//! Keeping to a budget: a turn is opened only if all that its calls could use at most is still there.

use super::{Chorus, ChorusEvent, SlotId, Turn, machine::ChorusDraft, state::AskedSeat, turns};
use crate::{
    budget::{Reserve, Spend, fits, put_aside},
    production::CallId,
    request::Request,
    usage::{NanoUsd, Usage},
};

/// What a slot is told beside its own answer when it is asked again.
const TOKENS_OF_A_CORRECTION: u64 = 100;

/// Whether a turn may be opened. If not, the log says why, and the chorus ends once all was said aloud that
/// is under way.
pub(super) fn allows(draft: &mut ChorusDraft, turn: Turn, slots: &[SlotId]) -> bool {
    let chorus = &draft.chorus;
    let seats = slots.iter().filter_map(|slot| chorus.seat_of(*slot));
    let needed = seats.map(|seat| most_of_a_turn(chorus, seat, turn)).fold(NOTHING, sum);
    if chorus.setup.budget.is_open() || fits(&chorus.setup.budget, &chorus.spent, &needed) {
        return true;
    }
    draft.push(ChorusEvent::BudgetUsedUp { turn, needed });
    turns::finish(draft);
    false
}

/// What to put aside for a call; nothing where there is no budget to keep.
pub(super) fn reserve(chorus: &Chorus, seat: usize, turn: Turn, again: bool) -> Option<Reserve> {
    let is_kept = !chorus.setup.budget.is_open();
    is_kept.then(|| most(chorus, seat, &chorus.question_to(seat, turn, again), 0))
}

/// Whether a run that was taken over may ask again what was under way: what the lost calls used is unknown.
pub(super) fn allows_asking_again(chorus: &Chorus) -> bool {
    let Some(round) = &chorus.round else { return true };
    let again = round.asked.iter().map(|asked| {
        let once = asked.reserved.unwrap_or(NOTHING);
        let twice = round.turn == Turn::Comment && !asked.again;
        if twice { sum(once, once) } else { once }
    });
    chorus.setup.budget.is_open() || fits(&chorus.setup.budget, &chorus.spent, &again.fold(NOTHING, sum))
}

impl Chorus {
    /// What a call came to. It still counts among those that are asked.
    pub(super) fn spend(&mut self, call: CallId, usage: Option<&Usage>) {
        let Some((_, asked)) = self.asked(call) else { return };
        self.spend_on(asked, usage);
    }

    /// The process that waited for the calls under way is gone: what they used is unknown.
    pub(super) fn lose_calls(&mut self) {
        let lost = self.round.as_ref().map_or_else(Vec::new, |round| round.asked.clone());
        lost.into_iter().for_each(|asked| self.spend_on(asked, None));
    }

    fn spend_on(&mut self, asked: AskedSeat, usage: Option<&Usage>) {
        let price = self.setup.models.get(&self.setup.seats[asked.seat].model).and_then(|card| card.price);
        self.spent.add(Spend { usage, price, share: asked.reserved.unwrap_or_default() });
    }
}

const NOTHING: Reserve = Reserve { tokens: 0, cost: Some(NanoUsd(0)) };

/// What a seat could use in a turn: a comment may be asked for twice, and then with what was wrong with it.
fn most_of_a_turn(chorus: &Chorus, seat: usize, turn: Turn) -> Reserve {
    let request = chorus.question_to(seat, turn, false);
    let once = most(chorus, seat, &request, 0);
    match turn {
        Turn::Respond | Turn::Reply => once,
        Turn::Comment => {
            let more = u64::from(request.max_tokens) + TOKENS_OF_A_CORRECTION;
            sum(once, most(chorus, seat, &request, more))
        }
    }
}

fn most(chorus: &Chorus, seat: usize, request: &Request, more: u64) -> Reserve {
    let card = chorus.setup.models.get(&chorus.setup.seats[seat].model);
    let mut reserve = NOTHING;
    put_aside(&mut reserve, card.and_then(|card| card.price), request, more);
    reserve
}

fn sum(one: Reserve, other: Reserve) -> Reserve {
    Reserve {
        tokens: one.tokens.saturating_add(other.tokens),
        cost: one.cost.zip(other.cost).map(|(one, other)| NanoUsd(one.0.saturating_add(other.0))),
    }
}
