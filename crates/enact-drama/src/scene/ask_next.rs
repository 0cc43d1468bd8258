//! Where a model has failed for good its fallback is asked for the same, in the same beat and its time.

use super::{
    Scene, SceneEvent,
    asked::{AskedActor, HumanWait, ReplyState},
    budget,
    hidden_calls::HiddenCall,
    machine::SceneDraft,
};
use crate::{
    budget::CallAllowance,
    fallback::{is_enough, left_ms, may_help, model_at, patience_ms, rank_of},
    model_card::Context,
    production::{Ask, CallId, FailureKind},
    request::Request,
};

/// Asks the next model that may answer for an actor, if there is one, and time and budget for it. Says
/// whether it is asked.
pub(super) fn ask_next(draft: &mut SceneDraft, place: usize, rank: usize, failure: FailureKind) -> bool {
    let (scene, next) = (&draft.scene, rank + 1);
    let beat = &scene.beat;
    if scene.prepared.players[place].models.get(next).is_none()
        || !may_help(failure)
        || !is_enough(left_ms(beat.timeout_ms, beat.since, draft.at), beat.timeout_ms)
    {
        return false;
    }
    let Ok(allowance) = budget::plan_next(scene, place, next) else { return false };
    draft.ask(place, next, allowance);
    true
}

/// The same for a hidden call. The rules do not wait any longer than for the first.
pub(super) fn consult_next(draft: &mut SceneDraft, failed: &HiddenCall, failure: FailureKind) -> bool {
    let (scene, rank) = (&draft.scene, failed.rank + 1);
    let first = scene.hidden_model(failed.purpose).unwrap_or_default();
    let timeout_ms = left_ms(failed.timeout_ms, failed.since, draft.at);
    let Some(model) = model_at(&scene.setup().models, first, rank) else { return false };
    if !may_help(failure) || !is_enough(timeout_ms, failed.timeout_ms) {
        return false;
    }
    let (model, call) = (model.to_owned(), scene.next_call);
    let deadline = CallId(call.0 + 1);
    let hidden = HiddenCall { model: model.as_str().into(), rank, timeout_ms, ..failed.clone() };
    let Ok(reserved) = budget::plan_next_hidden(scene, &hidden) else { return false };
    let (purpose, beat) = (failed.purpose, Some(failed.beat));
    draft.push(SceneEvent::Consulted { call, purpose, model, deadline, timeout_ms, beat, reserved });
    true
}

impl Scene {
    /// An actor is asked. After a call for it has failed in this beat, that was not its failure.
    pub(super) fn fold_asked(
        &mut self,
        at: i64,
        actor: usize,
        call: CallId,
        model: &str,
        allowance: Option<CallAllowance>,
        human: Option<HumanWait>,
    ) {
        let mut asked_again = false;
        if let Some(earlier) = self.beat.asked.iter().find(|asked| asked.actor == actor) {
            let failed = earlier.state == ReplyState::Failed;
            asked_again = earlier.asked_again || !failed;
            let failures = &mut self.actors[actor].failures_in_a_row;
            *failures = failures.saturating_sub(u32::from(failed));
            self.beat.asked.retain(|asked| asked.actor != actor);
        }
        let rank = rank_of(&self.prepared.setup.models, self.prepared.model(actor, 0), model);
        let (state, left_ms) = (ReplyState::Pending, left_ms(self.beat.timeout_ms, self.beat.since, at));
        self.beat.asked.push(AskedActor { actor, call, state, asked_again, rank, left_ms, allowance, human });
    }

    /// What an actor is asked by a call under way.
    pub(super) fn request_of_asked(&self, ask: &Ask) -> Request {
        let (rank, left_ms) =
            self.pending_ask(ask.call).map_or((0, self.beat.timeout_ms), |asked| (asked.rank, asked.left_ms));
        let first = self.prepared.model(ask.place, 0);
        let patience_ms = patience_ms(&self.prepared.setup.models, first, rank, left_ms);
        Request { patience_ms, ..self.actor_request(ask.place, rank) }
    }

    /// How much the model behind an actor is told.
    pub(super) fn context(&self, actor: usize) -> Context {
        self.context_of(actor, 0)
    }

    /// How much the model with this rank is told. What a thread holds is what the first one is told: a
    /// fallback can have less of it, and never more.
    pub(super) fn context_of(&self, actor: usize, rank: usize) -> Context {
        let context = |rank: usize| {
            let card = self.prepared.setup.models.get(&**self.prepared.model(actor, rank));
            card.map_or(Context::Thread, |card| card.context)
        };
        match context(0) {
            Context::Thread if rank > 0 => context(rank),
            own => own,
        }
    }
}
