//! What the models of a field gave, for a recording to give again.

use super::{event::FieldEvent, request};
use crate::{
    Fact,
    recorded_answers::{AnswerCollector, RecordedAnswer, answered, failed},
};

pub(super) fn recorded_answers(facts: &[Fact<FieldEvent>]) -> Vec<RecordedAnswer> {
    let mut collector = AnswerCollector::default();
    let mut beat = 0;
    for fact in facts {
        match &fact.event {
            FieldEvent::Advanced { to, .. } => {
                beat = to / 10;
                collector.open_beat();
            }
            FieldEvent::Replied { actor, raw, reply, usage, took_ms, .. } => {
                let outcome = answered(raw.as_deref().unwrap_or(&reply.written()), *usage, *took_ms);
                let (actor, purpose) = (Some(actor.clone()), request::LINE);
                collector.push(RecordedAnswer { beat, actor, purpose, outcome });
            }
            FieldEvent::MindAnswered { actor, raw, usage, took_ms, .. } => {
                let (actor, purpose) = (Some(actor.clone()), request::DECISION);
                let outcome = answered(raw, *usage, *took_ms);
                collector.push(RecordedAnswer { beat, actor, purpose, outcome });
            }
            FieldEvent::ReplyFailed { actor, error, usage, .. } => {
                let (actor, purpose) = (Some(actor.clone()), request::LINE);
                collector.push(RecordedAnswer { beat, actor, purpose, outcome: failed(error, *usage) });
            }
            _ => {}
        }
    }
    collector.into_answers()
}
