//! What the models of a scene gave, for a recording to give again.

use std::collections::BTreeMap;

use super::{
    HiddenPurpose, SceneEvent,
    event::{REPLY, raw_answer},
};
use crate::{
    CallId, Fact, Name,
    recorded_answers::{AnswerCollector, RecordedAnswer, answered, failed},
};

pub(super) fn recorded_answers(facts: &[Fact<SceneEvent>]) -> Vec<RecordedAnswer> {
    let mut collector = AnswerCollector::default();
    let mut current = 0;
    let mut models: BTreeMap<&Name, &str> = BTreeMap::new();
    let mut consulted: BTreeMap<CallId, (HiddenPurpose, u32)> = BTreeMap::new();
    let setup = facts.first().and_then(|fact| match &fact.event {
        SceneEvent::Began { setup } => Some(setup),
        _ => None,
    });
    let is_human = |actor: &Name| setup.is_some_and(|setup| setup.is_human(actor));
    for fact in facts {
        let (actor, hidden, outcome) = match &fact.event {
            SceneEvent::BeatOpened { beat, .. } => {
                current = *beat;
                collector.open_beat();
                continue;
            }
            SceneEvent::Began { setup } => {
                models = setup.cast.iter().map(|role| (&role.name, role.model.as_str())).collect();
                continue;
            }
            // Another model is asked for what the one before has failed to give.
            SceneEvent::Asked { actor, model, .. } => {
                if models.get(actor).is_some_and(|first| *first != model) {
                    collector.forget_failure(Some(actor), &REPLY);
                }
                continue;
            }
            SceneEvent::Consulted { call, purpose, beat, .. } => {
                if beat.is_some() {
                    collector.forget_failure(None, &(*purpose).into());
                }
                consulted.insert(*call, (*purpose, beat.unwrap_or(current)));
                continue;
            }
            // What a person types is read by rules of its own; a recording answers in the reply format.
            SceneEvent::Replied { actor, reply, usage, took_ms, .. } if is_human(actor) => {
                (Some(actor), None, answered(&reply.written(), *usage, *took_ms))
            }
            SceneEvent::Replied { actor, raw, reply, usage, took_ms, .. } => {
                (Some(actor), None, answered(&raw_answer(raw, reply), *usage, *took_ms))
            }
            SceneEvent::CallFailed { actor, error, usage, .. } => (Some(actor), None, failed(error, *usage)),
            SceneEvent::Advised { call, raw, usage, took_ms, .. } => {
                (None, consulted.remove(call), answered(raw, *usage, *took_ms))
            }
            SceneEvent::AdviceFailed { call, error, usage } => {
                (None, consulted.remove(call), failed(error, *usage))
            }
            _ => continue,
        };
        let (purpose, beat) = match (actor, hidden) {
            (Some(_), _) => (REPLY, current),
            (None, Some((purpose, beat))) => (purpose.into(), beat),
            (None, None) => continue,
        };
        collector.push(RecordedAnswer { beat, actor: actor.cloned(), purpose, outcome });
    }
    collector.into_answers()
}
