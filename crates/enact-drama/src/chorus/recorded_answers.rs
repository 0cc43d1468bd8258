//! What the models of a chorus gave, for a recording to give again.

use super::{ChorusEvent, NoAnswer, Turn};
use crate::{
    Fact,
    production::{Answer, Failure},
    recorded_answers::{AnswerCollector, RecordedAnswer, answered, failed},
    usage::Usage,
};

pub(super) fn recorded_answers(facts: &[Fact<ChorusEvent>]) -> Vec<RecordedAnswer> {
    let mut collector = AnswerCollector::default();
    for fact in facts {
        let (turn, slot, outcome) = match &fact.event {
            ChorusEvent::TurnStarted { .. } => {
                collector.open_beat();
                continue;
            }
            // The words are those of a comment that was refused, and told as that: this call came to nothing.
            ChorusEvent::SlotSpoke { turn, slot, instead_of: Some(outcome), usage, took_ms, .. } => {
                (*turn, *slot, unanswered(outcome, *usage, *took_ms))
            }
            ChorusEvent::SlotSpoke { turn, slot, raw, usage, took_ms, .. } => {
                (*turn, *slot, answered(raw, *usage, *took_ms))
            }
            ChorusEvent::CommentRefused { slot, raw, usage, took_ms, .. } => {
                (Turn::Comment, *slot, answered(raw, *usage, *took_ms))
            }
            ChorusEvent::SlotFailed { turn, slot, outcome, usage, took_ms, .. } => {
                (*turn, *slot, unanswered(outcome, *usage, *took_ms))
            }
            _ => continue,
        };
        let (beat, actor, purpose) = (u32::from(turn.index()), Some(slot.name()), turn.purpose());
        collector.push(RecordedAnswer { beat, actor, purpose, outcome });
    }
    collector.into_answers()
}

/// An answer of no use is given again as it was: under other rules it may be of some.
fn unanswered(outcome: &NoAnswer, usage: Option<Usage>, took_ms: u64) -> Result<Answer, Failure> {
    match &outcome.raw {
        Some(raw) => answered(raw, usage, took_ms),
        None => {
            failed(&outcome.error, usage).map_err(|given| Failure { kind: outcome.failure, took_ms, ..given })
        }
    }
}
