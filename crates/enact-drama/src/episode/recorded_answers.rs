//! What the models of an episode gave, for a recording to give again.

use super::{EpisodeEvent, request};
use crate::{
    Fact,
    production::Failure,
    recorded_answers::{AnswerCollector, RecordedAnswer, answered, failed},
};

pub(super) fn recorded_answers(facts: &[Fact<EpisodeEvent>]) -> Vec<RecordedAnswer> {
    let mut collector = AnswerCollector::default();
    let Some(EpisodeEvent::EpisodeBegan { setup }) = facts.first().map(|fact| &fact.event) else {
        return Vec::new();
    };
    let name = &setup.character.name;
    for fact in facts {
        match &fact.event {
            EpisodeEvent::MessageReceived { .. } => collector.open_beat(),
            EpisodeEvent::Answered { turn, raw, usage, took_ms, .. } => {
                let outcome = answered(raw, *usage, *took_ms);
                let (actor, purpose) = (Some(name.clone()), request::REPLY);
                collector.push(RecordedAnswer { beat: *turn, actor, purpose, outcome });
            }
            EpisodeEvent::AnswerFailed { turn, error, failure, last: true, usage, took_ms, .. } => {
                let outcome = failed(error, *usage).map_err(|given| Failure {
                    kind: *failure,
                    took_ms: *took_ms,
                    ..given
                });
                let (actor, purpose) = (Some(name.clone()), request::REPLY);
                collector.push(RecordedAnswer { beat: *turn, actor, purpose, outcome });
            }
            _ => {}
        }
    }
    collector.into_answers()
}
