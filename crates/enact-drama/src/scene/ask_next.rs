//! Where a model has failed for good its fallback is asked for the same, in the same beat and its time.

use super::{SceneEvent, budget, hidden_calls::HiddenCall, machine::SceneDraft};
use crate::{
    fallback::{is_enough, left_ms, may_help, model_at},
    production::{CallId, FailureKind},
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
