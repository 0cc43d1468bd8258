//! What a recording gives again: the answers of a log, in the order in which they arrived.

use expect_test::expect;

use super::*;
use crate::{
    CallId,
    chorus::{NoAnswer, Refused},
    usage::{NanoUsd, Usage},
    voice::VoiceProfile,
};

fn slot(number: u8) -> SlotId {
    SlotId::new(number).unwrap()
}

fn spoke(turn: Turn, number: u8, raw: &str, took_ms: u64, instead_of: Option<NoAnswer>) -> ChorusEvent {
    ChorusEvent::SlotSpoke {
        call: CallId(1),
        turn,
        slot: slot(number),
        raw: raw.to_owned(),
        text: raw.to_owned(),
        target: None,
        profile: VoiceProfile::default(),
        warnings: Vec::new(),
        instead_of,
        usage: Some(Usage { billed: Some(NanoUsd(9)), ..Usage::NONE }),
        took_ms,
        speech: None,
    }
}

fn failed(turn: Turn, number: u8, outcome: NoAnswer, took_ms: u64) -> ChorusEvent {
    ChorusEvent::SlotFailed { call: CallId(3), turn, slot: slot(number), outcome, usage: None, took_ms }
}

fn no_answer(error: &str, failure: FailureKind, raw: Option<&str>) -> NoAnswer {
    NoAnswer { error: error.to_owned(), failure, raw: raw.map(str::to_owned) }
}

fn started(turn: Turn) -> ChorusEvent {
    ChorusEvent::TurnStarted { turn, slots: Vec::new(), deadline: CallId(0), timeout_ms: 60_000 }
}

#[test]
fn slots_answer_as_they_did() {
    let events = [
        started(Turn::Respond),
        spoke(Turn::Respond, 2, "two", 90, None),
        spoke(Turn::Respond, 1, "one", 80, None),
        started(Turn::Comment),
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
        // The words are those of the comment that was refused: the second call came to nothing.
        spoke(Turn::Comment, 1, "to myself", 9, Some(no_answer("too many", FailureKind::RateLimited, None))),
        failed(Turn::Comment, 2, no_answer("slow", FailureKind::Timeout, None), 60_000),
        started(Turn::Reply),
        failed(Turn::Reply, 1, no_answer("nothing to say", FailureKind::Empty, Some("{}")), 7),
    ];
    let began = Chorus::beginning(setup(2));
    let events = std::iter::once(began).chain(events).zip(0..);
    let facts: Vec<_> = events.map(|(event, seq)| Fact { seq: Seq(seq), at: 0, event }).collect();
    let mut shown = String::new();
    for given in Chorus::answers(&facts) {
        let said = match &given.outcome {
            Ok(answer) => {
                assert!(answer.usage.is_none_or(|usage| usage.billed.is_none()), "it was billed once");
                format!("{:?} {}", answer.text, answer.took_ms)
            }
            Err(failure) => format!("!{} ({}) {}", failure.error, failure.kind.as_str(), failure.took_ms),
        };
        let actor = given.actor.as_ref().map_or("nobody", |actor| actor.as_str());
        writeln!(shown, "{} {actor} {} {said}", given.beat, given.purpose.as_str()).unwrap();
    }
    expect![[r#"
        1 slot-2 response "two" 90
        1 slot-1 response "one" 91
        2 slot-1 comment "to myself" 5
        2 slot-1 comment !too many (rate_limited) 9
        2 slot-2 comment !slow (timeout) 60000
        3 slot-1 reply "{}" 7
    "#]]
    .assert_eq(&shown);
}

#[test]
fn a_chorus_that_was_played_gives_every_answer_it_got() {
    let mut stage = Stage::open(setup(2));
    let asked = stage.asks();
    for (ask, text) in asked.iter().rev().zip(["two", "one"]) {
        stage.happens(Happened::Answered { call: ask.call, answer: Answer::from(text) });
    }
    let given: Vec<_> = Chorus::answers(&stage.facts)
        .into_iter()
        .map(|given| (given.beat, given.actor.unwrap().as_str().to_owned(), given.outcome.unwrap().text))
        .collect();
    let expected = [(1, "slot-2", "two"), (1, "slot-1", "one")];
    assert_eq!(given, expected.map(|(turn, slot, text)| (turn, slot.to_owned(), text.to_owned())));
}
