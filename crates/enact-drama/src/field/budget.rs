//! What a field may use, and what becomes of those for whom nothing is left: rules move and speak for them.
//!
//! Before a call leaves, all that it could use is put aside, as in scenes: what a field costs is never more than
//! its budget.

use std::sync::Arc;

use super::{
    event::FieldEvent,
    request, small_talk,
    state::{FieldRun, LineAsk, MindAsk},
    world::{EntityId, FieldWorld, InteractionId},
};
use crate::{
    budget::{self, CallAllowance, EarlierCalls, Quote, Spend, Spent},
    production::{Ask, CallId},
    reply::{Action, NEUTRAL, Reply},
    usage::{Price, Usage},
};

/// What is told where a model is not asked.
pub(super) const USED_UP: &str = "the budget is used up";

/// Calls that are planned together, and the world they are asked in.
pub(super) struct CallPlanner {
    /// The run as it will be once the ticks before are folded.
    run: FieldRun,
    spent: Spent,
}

impl CallPlanner {
    /// Nothing, where a field may use what it likes.
    pub(super) fn of(run: &FieldRun, world: &FieldWorld) -> Option<CallPlanner> {
        if run.setup.budget.is_open() {
            return None;
        }
        let run = FieldRun { world: Arc::new(world.clone()), ahead: Arc::default(), ..run.clone() };
        let spent = run.spent_and_reserved();
        Some(CallPlanner { run, spent })
    }

    /// What is put aside for a line; nothing, where there is no room for it.
    pub(super) fn allow_line(&mut self, ask: &LineAsk) -> Option<CallAllowance> {
        self.run.rest.asks.push(ask.clone());
        let asked = Ask::new(ask.call, &ask.model, &ask.actor, request::LINE);
        let allowance = self.allow(&asked);
        self.run.rest.asks.pop();
        allowance
    }

    /// The same for a decision.
    pub(super) fn allow_decision(&mut self, ask: &MindAsk) -> Option<CallAllowance> {
        self.run.rest.mind_asks.push(ask.clone());
        let asked = Ask::new(ask.call, &ask.model, &ask.actor, request::DECISION);
        let allowance = self.allow(&asked);
        self.run.rest.mind_asks.pop();
        allowance
    }

    fn allow(&mut self, ask: &Ask) -> Option<CallAllowance> {
        let price = self.run.price_of(&ask.model);
        let request = request::request(&self.run, ask);
        let quote = Quote::of(&request, 0, price, EarlierCalls::default());
        let allowances = budget::plan(&self.run.setup.budget, &self.spent, &[quote]).ok()?;
        let allowance = *allowances.first()?;
        self.spent = self.spent.with([allowance.reserve]);
        Some(allowance)
    }
}

impl FieldRun {
    fn price_of(&self, model: &str) -> Option<Price> {
        self.setup.models.get(model).and_then(|card| card.price)
    }

    /// What is put aside for calls under way.
    fn reserved(&self) -> impl Iterator<Item = (CallId, CallAllowance, &str)> {
        let lines = self.rest.asks.iter().map(|ask| (ask.call, ask.allowance, &*ask.model));
        let minds = self.rest.mind_asks.iter().map(|ask| (ask.call, ask.allowance, &*ask.model));
        lines.chain(minds).filter_map(|(call, allowance, model)| Some((call, allowance?, model)))
    }

    fn spent_and_reserved(&self) -> Spent {
        self.rest.spent.with(self.reserved().map(|(_, allowance, _)| allowance.reserve))
    }

    /// Books what a call has used.
    pub(super) fn spend(&mut self, call: CallId, usage: Option<&Usage>) {
        let found = self.reserved().find(|(asked, ..)| *asked == call);
        if let Some((_, allowance, model)) = found {
            let price = self.price_of(model);
            self.rest.spent.add(Spend { usage, price, allowance });
        }
    }

    /// Books all that is under way as used: another process asks again, and what the first call cost is unknown.
    pub(super) fn spend_lost(&mut self) {
        self.rest.spent = self.spent_and_reserved();
    }

    /// After another process took over: the calls that there is no room for a second time.
    pub(super) fn unaffordable_again(&self) -> Vec<CallId> {
        let mut spent = self.spent_and_reserved();
        let mut refused = Vec::new();
        for (call, allowance, _) in self.reserved() {
            if budget::fits(&self.setup.budget, &spent, &allowance.reserve) {
                spent = spent.with([allowance.reserve]);
            } else {
                refused.push(call);
            }
        }
        refused
    }

    /// Somebody whose model cannot be paid any more says what people say.
    pub(super) fn line_by_rules(
        &self,
        world: &mut FieldWorld,
        conversation: InteractionId,
        who: EntityId,
    ) -> Vec<FieldEvent> {
        let turn = world.interactions().get(&conversation).and_then(|found| found.talk.as_ref());
        let turn = turn.map_or(0, |talk| talk.turns);
        let reply = Reply {
            action: Action::Speak,
            target: None,
            tone: NEUTRAL.to_owned(),
            content: small_talk::phrase(turn, &mut world.dice(who, "small talk")).to_owned(),
            interrupt_after: None,
            nonverbal: None,
        };
        super::state::say(world, conversation, who, &reply);
        let notes = world.take_notes().into_iter().map(|note| FieldEvent::Noted { note });
        let said = FieldEvent::SaidByRules { conversation, who, reply };
        [said].into_iter().chain(notes).collect()
    }
}
