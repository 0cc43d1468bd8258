//! Reading the recording of a chorus.

use std::collections::BTreeMap;

use enact_drama::{
    Problem,
    chorus::{ChorusEvent, NoAnswer, SlotId, Turn},
    production::{Answer, Failure},
    usage::Usage,
};

use super::{Recorded, after, answered, failed};

/// Reads the facts of a chorus.
pub(super) fn recorded(events: &[ChorusEvent]) -> Result<Recorded, Problem> {
    let Some(ChorusEvent::ChorusBegan { setup }) = events.first() else {
        return Err(Problem::config("this is not the log of a chorus: it does not say how it began"));
    };
    let title = format!("chorus, run {}", setup.run);
    let mut recorded = Recorded { title, parts: BTreeMap::new(), advice: BTreeMap::new() };
    let mut last_ms = None;
    for event in events {
        let (turn, slot, take) = match event {
            ChorusEvent::TurnStarted { .. } => {
                last_ms = None;
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
        part(&mut recorded, turn, slot).push(after(&mut last_ms, take));
    }
    Ok(recorded)
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

fn part(recorded: &mut Recorded, turn: Turn, slot: SlotId) -> &mut Vec<Result<Answer, Failure>> {
    recorded.part(u32::from(turn.index()), &slot.name())
}

#[cfg(test)]
mod tests {
    use enact_drama::{
        CallId, Fact, Record, RunId, Seq,
        chorus::{Agent, AgentId, Chorus, Ensemble, Refused, Wanted},
        production::FailureKind,
        scene::ModelCard,
        voice::VoiceProfile,
    };
    use enact_engine::Model;

    use super::*;
    use crate::rehearsal::slot_request;

    fn slot(number: u8) -> SlotId {
        SlotId::new(number).unwrap()
    }

    fn began() -> ChorusEvent {
        let agent = Agent {
            id: AgentId::new("gpt-4o").unwrap(),
            name: "GPT-4o".to_owned(),
            provider: String::new(),
            description: String::new(),
            color: String::new(),
        };
        let agents = vec![(agent, "improviser".to_owned())];
        let models = BTreeMap::from([("improviser".to_owned(), ModelCard::free("improviser"))]);
        let ensemble = Ensemble { agents, models, ..Ensemble::default() };
        let wanted = Wanted {
            message: "Hello.".to_owned(),
            seats: vec![(1, "gpt-4o".to_owned()), (2, "gpt-4o".to_owned())],
            ..Wanted::default()
        };
        Chorus::beginning(ensemble.assemble(RunId(uuid::Uuid::nil()), wanted).unwrap())
    }

    #[tokio::test]
    async fn a_second_ask_that_failed_fails_again() {
        let mut taken = spoke(Turn::Comment, 1, "to myself", 9);
        if let ChorusEvent::SlotSpoke { instead_of, .. } = &mut taken {
            let (error, failure) = ("too many".to_owned(), FailureKind::RateLimited);
            *instead_of = Some(NoAnswer { error, failure, raw: None });
        }
        let model = recorded(&[began(), taken]).unwrap();
        let failure = model.answer(slot_request(1, Turn::Comment)).await.unwrap_err();
        assert_eq!((failure.kind, failure.took_ms), (FailureKind::RateLimited, 9));
    }

    fn spoke(turn: Turn, number: u8, raw: &str, took_ms: u64) -> ChorusEvent {
        ChorusEvent::SlotSpoke {
            call: CallId(1),
            turn,
            slot: slot(number),
            raw: raw.to_owned(),
            text: raw.to_owned(),
            target: None,
            profile: VoiceProfile::default(),
            warnings: Vec::new(),
            instead_of: None,
            usage: None,
            took_ms,
            speech: None,
        }
    }

    #[tokio::test]
    async fn slots_answer_as_they_did() {
        let events = [
            began(),
            spoke(Turn::Respond, 2, "two", 90),
            spoke(Turn::Respond, 1, "one", 80),
            ChorusEvent::CommentRefused {
                call: CallId(2),
                slot: slot(1),
                raw: "to myself".to_owned(),
                text: "to myself".to_owned(),
                profile: VoiceProfile::default(),
                why: Refused::AtOneself,
                warnings: Vec::new(),
                usage: Some(Usage::NONE),
                took_ms: 5,
            },
            spoke(Turn::Comment, 1, "to two", 6),
            ChorusEvent::SlotFailed {
                call: CallId(3),
                turn: Turn::Comment,
                slot: slot(2),
                outcome: NoAnswer { error: "slow".to_owned(), failure: FailureKind::Timeout, raw: None },
                usage: None,
                took_ms: 60_000,
            },
            ChorusEvent::SlotFailed {
                call: CallId(4),
                turn: Turn::Reply,
                slot: slot(1),
                outcome: NoAnswer {
                    error: "nothing to say".to_owned(),
                    failure: FailureKind::Empty,
                    raw: Some("{}".to_owned()),
                },
                usage: None,
                took_ms: 7,
            },
        ];
        let record = |(seq, event)| Record::of(&Fact { seq: Seq(seq), at: 0, event });
        let records: Vec<Record> = (0..).zip(events).map(record).collect();
        let model = Recorded::from_log(&records).unwrap();
        let answer = async |number, turn| model.answer(slot_request(number, turn)).await;
        let (two, one) = (answer(2, Turn::Respond).await.unwrap(), answer(1, Turn::Respond).await.unwrap());
        assert_eq!((two.text.as_str(), one.text.as_str()), ("two", "one"));
        assert!(two.took_ms < one.took_ms, "they arrive in the order in which they arrived");
        assert_eq!(answer(1, Turn::Comment).await.unwrap().text, "to myself");
        assert_eq!(answer(1, Turn::Comment).await.unwrap().text, "to two");
        let slow = answer(2, Turn::Comment).await.unwrap_err();
        assert_eq!((slow.kind, slow.took_ms), (FailureKind::Timeout, 60_000));
        assert_eq!(answer(1, Turn::Reply).await.unwrap().text, "{}", "it was an answer, of no use");
        let beyond = answer(2, Turn::Reply).await.unwrap_err();
        assert_eq!(beyond.error, "the recording holds nothing of slot-2 in turn 3");
    }
}
