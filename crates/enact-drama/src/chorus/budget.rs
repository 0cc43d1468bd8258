//! Keeping to a budget: what the calls of a turn could use is put aside before it opens.

use super::{Chorus, SlotId, Turn, state::AskedSeat};
use crate::{
    budget::{CallAllowance, Quote, Reserve, Spend, Spent, fits, plan},
    production::CallId,
    tokens::tokens_in,
    usage::Usage,
};

/// What a slot is told beside its own answer when it is asked again.
const TOKENS_OF_A_CORRECTION: u64 = 100;

/// What each of these slots may use in a turn. An error says what the turn needs at least, which is not there
/// any more.
pub(super) fn plan_turn(
    chorus: &Chorus,
    turn: Turn,
    slots: &[SlotId],
) -> Result<Vec<Option<CallAllowance>>, Reserve> {
    if chorus.setup.budget.is_open() {
        return Ok(vec![None; slots.len()]);
    }
    let seats = slots.iter().filter_map(|slot| chorus.seat_of(*slot));
    let quotes: Vec<Quote> = seats.map(|seat| quote(chorus, seat, 0, turn, 0)).collect();
    let planned = plan(&chorus.setup.budget, &committed(chorus), &quotes)?;
    Ok(planned.into_iter().map(Some).collect())
}

/// What the second comment of a slot may use whose first one was refused; nothing if there is no room for it.
/// What the first one used is not counted yet, but all that was put aside for it is.
pub(super) fn plan_again(
    chorus: &Chorus,
    seat: usize,
    rank: usize,
    refused: &str,
) -> Option<Option<CallAllowance>> {
    let more = || tokens_in(refused) + TOKENS_OF_A_CORRECTION;
    plan_one(chorus, || quote(chorus, seat, rank, Turn::Comment, more()))
}

/// What another model may use that answers instead of one that failed; nothing if there is no room for it.
pub(super) fn plan_next(
    chorus: &Chorus,
    seat: usize,
    rank: usize,
    turn: Turn,
) -> Option<Option<CallAllowance>> {
    plan_one(chorus, || quote(chorus, seat, rank, turn, 0))
}

/// The allowance of one call; `None` without a budget, and then the quote is not computed.
fn plan_one(chorus: &Chorus, quote: impl FnOnce() -> Quote) -> Option<Option<CallAllowance>> {
    if chorus.setup.budget.is_open() {
        return Some(None);
    }
    let planned = plan(&chorus.setup.budget, &committed(chorus), &[quote()]).ok()?;
    Some(planned.first().copied())
}

/// Whether a run that was taken over may ask again what was under way: what the lost calls used is unknown.
/// An error says what asking again needs.
pub(super) fn check_asking_again(chorus: &Chorus) -> Result<(), Reserve> {
    let again = pending_reserves(chorus).fold(Reserve::NOTHING, Reserve::and);
    let budget = &chorus.setup.budget;
    if budget.is_open() || fits(budget, &chorus.spent, &again) { Ok(()) } else { Err(again) }
}

impl Chorus {
    /// What a call came to. It still counts among those that are asked.
    pub(super) fn spend(&mut self, call: CallId, usage: Option<&Usage>) {
        let Some((_, AskedSeat { seat, rank, reserved, .. })) = self.asked(call) else { return };
        self.parts[seat].earlier_calls.add(rank, reserved, usage);
        let price = self.setup.card(seat, rank).and_then(|card| card.price);
        let allowance = reserved.unwrap_or(Reserve::default().into());
        self.spent.add(Spend { usage, price, allowance });
    }

    /// The process that waited for the calls under way is gone: what they used is unknown. They have one try
    /// each if they are made again, and all of their time.
    pub(super) fn lose_calls(&mut self, at: i64) {
        self.spent = committed(self);
        let Some(round) = &mut self.round else { return };
        round.since = at;
        for asked in &mut round.asked {
            asked.left_ms = round.timeout_ms;
            asked.reserved = asked.reserved.map(CallAllowance::once);
        }
    }
}

/// What is spent, and what is put aside for calls under way.
fn committed(chorus: &Chorus) -> Spent {
    chorus.spent.with(pending_reserves(chorus))
}

fn pending_reserves(chorus: &Chorus) -> impl Iterator<Item = Reserve> {
    let asked = chorus.round.iter().flat_map(|round| &round.asked);
    asked.filter_map(|asked| asked.reserved).map(|allowance| allowance.reserve)
}

fn quote(chorus: &Chorus, seat: usize, rank: usize, turn: Turn, more: u64) -> Quote {
    let card = chorus.setup.card(seat, rank);
    let price = card.and_then(|card| card.price);
    let more = more + card.and_then(|card| card.own_tokens).map_or(0, u64::from);
    let earlier = chorus.parts[seat].earlier_calls.of(rank);
    Quote::of(&chorus.question_to(seat, rank, turn, false), more, price, earlier)
}
