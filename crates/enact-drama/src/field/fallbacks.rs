//! Where a model has failed for good its fallback is asked for the same, in what is left of the time.

use super::{
    budget::CallPlanner,
    event::FieldEvent,
    machine::LINE_TIMEOUT_MS,
    state::{FieldRun, LineAsk, MindAsk},
};
use crate::{
    CallId,
    budget::CallAllowance,
    fallback::{self, NextModel},
    model_card::ModelCard,
    production::{Failure, FailureKind},
};

impl FieldRun {
    /// A model gave nothing: another one is asked, or it is done without.
    pub(super) fn failed(&self, call: CallId, failure: &Failure, at: i64) -> Vec<FieldEvent> {
        if let Some(ask) = self.rest.mind_asks.iter().find(|ask| ask.call == call)
            && let Some(next) = self.next_decision(ask, failure, at)
        {
            let (npc, error, usage) = (ask.npc, failure.error.clone(), failure.usage);
            return vec![FieldEvent::MindFailed { call, npc, error, usage }, next];
        }
        if let Some(ask) = self.rest.asks.iter().find(|ask| ask.call == call)
            && let Some(next) = self.next_line(ask, failure, at)
        {
            return vec![reply_failed(ask, failure, true), next];
        }
        self.given_up(call, failure)
    }

    /// Nobody else is asked: rules decide, and the floor goes on.
    pub(super) fn given_up(&self, call: CallId, failure: &Failure) -> Vec<FieldEvent> {
        if let Some(ask) = self.rest.mind_asks.iter().find(|ask| ask.call == call) {
            let (npc, request, events) = (ask.npc, ask.request, ask.events.clone());
            let (call, reason, usage) = (Some(call), failure.error.clone(), failure.usage);
            return vec![FieldEvent::MindDeclined { call, npc, request, events, reason, usage }];
        }
        let asked = self.rest.asks.iter().find(|ask| ask.call == call);
        asked.map_or_else(Vec::new, |ask| vec![reply_failed(ask, failure, false)])
    }

    fn next_line(&self, ask: &LineAsk, failure: &Failure, at: i64) -> Option<FieldEvent> {
        let first = self.setup.role_of(&self.world.living(ask.who)?.name).model;
        let left_ms = fallback::left_ms(ask.timeout_ms, ask.since, at);
        let next = self.next_model((&first, &ask.model), failure.kind, left_ms, |_| true)?;
        let (call, deadline) = self.next_ids();
        let NextModel { model, left_ms: timeout_ms } = next;
        let asked = LineAsk { call, deadline, model, timeout_ms, allowance: None, ..ask.clone() };
        let reserved = self.allow_instead(ask.call, failure, |planner| planner.allow_line(&asked))?;
        let LineAsk { conversation, who, actor, model, .. } = asked;
        let timeout_ms = Some(timeout_ms);
        Some(FieldEvent::Asked { call, deadline, conversation, who, actor, model, reserved, timeout_ms })
    }

    fn next_decision(&self, ask: &MindAsk, failure: &Failure, at: i64) -> Option<FieldEvent> {
        let minds = self.setup.minds.as_ref()?;
        let left_ms = fallback::left_ms(ask.timeout_ms, ask.since, at);
        // Players made of rules play characters: where no language model decides, the field's own rules do.
        let decides = |card: &ModelCard| card.provider.is_some();
        let next = self.next_model((&minds.model, &ask.model), failure.kind, left_ms, decides)?;
        if self.rest.mind_calls >= minds.most_calls {
            return None;
        }
        let (call, deadline) = self.next_ids();
        let NextModel { model, left_ms: timeout_ms } = next;
        let asked = MindAsk { call, deadline, model, timeout_ms, allowance: None, ..ask.clone() };
        let reserved = self.allow_instead(ask.call, failure, |planner| planner.allow_decision(&asked))?;
        let MindAsk { npc, request, actor, model, events, .. } = asked;
        let timeout_ms = Some(timeout_ms);
        Some(FieldEvent::MindAsked {
            call,
            deadline,
            npc,
            request,
            actor,
            model,
            events,
            reserved,
            timeout_ms,
        })
    }

    fn next_model(
        &self,
        models: (&str, &str),
        failure: FailureKind,
        left_ms: u64,
        may_answer: fn(&ModelCard) -> bool,
    ) -> Option<NextModel> {
        fallback::next_model(&self.setup.models, models, failure, (left_ms, LINE_TIMEOUT_MS), may_answer)
    }

    fn next_ids(&self) -> (CallId, CallId) {
        (CallId(self.rest.next_call), CallId(self.rest.next_call + 1))
    }

    /// What is put aside for a call that follows a failed one. Nothing, if there is no room for it; where nothing
    /// is limited, `None` within.
    fn allow_instead(
        &self,
        failed: CallId,
        failure: &Failure,
        allow: impl FnOnce(&mut CallPlanner) -> Option<CallAllowance>,
    ) -> Option<Option<CallAllowance>> {
        let mut after = self.clone();
        after.spend(failed, failure.usage.as_ref());
        after.rest.asks.retain(|ask| ask.call != failed);
        after.rest.mind_asks.retain(|ask| ask.call != failed);
        match CallPlanner::of(&after, &self.world) {
            None => Some(None),
            Some(mut planner) => allow(&mut planner).map(Some),
        }
    }
}

fn reply_failed(ask: &LineAsk, failure: &Failure, goes_on: bool) -> FieldEvent {
    FieldEvent::ReplyFailed {
        call: ask.call,
        conversation: ask.conversation,
        who: ask.who,
        actor: ask.actor.clone(),
        error: failure.error.clone(),
        usage: failure.usage,
        goes_on,
    }
}
