use enact_drama::{
    Name, Purpose,
    chorus::{SlotId, Turn},
    production::{Answer, Failure, FailureKind},
    recorded_answers::RecordedAnswer,
    request::Request,
    scene::HiddenPurpose,
    usage::{Price, Usage},
};
use enact_engine::Model;

use super::Recorded;
use crate::test_requests::{request, slot_request};

const USED: Usage = Usage { uncached: 7, output: 3, ..Usage::NONE };

fn recorded(answers: Vec<RecordedAnswer>) -> Recorded {
    Recorded::new("the-apology, run 7", answers)
}

/// What an actor gave in a beat.
fn reply(beat: u32, actor: &str, outcome: Result<Answer, Failure>) -> RecordedAnswer {
    let (actor, purpose) = (Some(Name::new(actor).unwrap()), Purpose::named("reply"));
    RecordedAnswer { beat, actor, purpose, outcome }
}

/// What a hidden call of a beat gave.
fn advice(beat: u32, purpose: HiddenPurpose, outcome: Result<Answer, Failure>) -> RecordedAnswer {
    RecordedAnswer { beat, actor: None, purpose: purpose.into(), outcome }
}

/// What a slot gave in a turn.
fn given(number: u8, turn: Turn, outcome: Result<Answer, Failure>) -> RecordedAnswer {
    let actor = Some(SlotId::new(number).unwrap().name());
    RecordedAnswer { beat: u32::from(turn.index()), actor, purpose: turn.purpose(), outcome }
}

fn said(text: &str, took_ms: u64) -> Result<Answer, Failure> {
    Ok(Answer { text: text.to_owned(), usage: Some(USED), took_ms, first_word_ms: None })
}

#[tokio::test]
async fn what_was_answered_is_answered_again() {
    let failure = Err(Failure { took_ms: 1201, ..Failure::new("Response timeout after 30s") });
    let model = recorded(vec![
        reply(0, "alice", said("We need to talk.", 900)),
        reply(1, "bob", said("Look—", 1200)),
        reply(1, "charlie", failure.clone()),
        reply(1, "alice", said("No.", 1202)),
    ]);
    let silence = Ok(Answer { text: "[SILENT]".to_owned(), usage: Some(Usage::NONE), ..Answer::default() });
    for (beat, actor, expected) in [
        (0, "alice", said("We need to talk.", 900)),
        (0, "bob", silence.clone()),
        (1, "alice", said("No.", 1202)),
        (1, "bob", said("Look—", 1200)),
        (1, "charlie", failure),
        (2, "alice", silence),
    ] {
        assert_eq!(model.answer(request(actor, beat)).await, expected, "{actor} in beat {beat}");
    }
}

#[tokio::test]
async fn who_was_asked_twice_answers_twice() {
    let yes = "[TONE: calm] \"Yes.\"";
    let model = recorded(vec![reply(0, "bob", said("um", 10)), reply(0, "bob", said(yes, 11))]);
    for expected in ["um", yes, yes] {
        assert_eq!(model.answer(request("bob", 0)).await.unwrap().text, expected);
    }
}

/// A request of a hidden call.
fn hidden(purpose: HiddenPurpose, beat: u32) -> Request {
    Request { purpose: purpose.into(), beat: Some(beat), ..Request::default() }
}

#[tokio::test]
async fn a_run_taken_over_hears_what_was_said_of_its_beat() {
    let opinions =
        (0..4).map(|beat| advice(beat, HiddenPurpose::Judge, said(&format!("asked in beat {beat}"), 1)));
    let model = recorded(opinions.collect());
    for (now, said) in [(1, Some(1)), (7, Some(2)), (3, Some(3)), (4, None), (1, None)] {
        let heard = model.answer(hidden(HiddenPurpose::Judge, now)).await.ok().map(|answer| answer.text);
        assert_eq!(heard, said.map(|beat| format!("asked in beat {beat}")), "asked in beat {now}");
    }
}

#[tokio::test]
async fn hidden_calls_are_answered_by_purpose_and_order() {
    let model = recorded(vec![
        reply(1, "bob", said("Look—", 500)),
        advice(0, HiddenPurpose::WorldEvent, said(r#"{"event": "Thunder"}"#, 501)),
        advice(0, HiddenPurpose::Judge, said(r#"{"goals": []}"#, 800)),
        advice(1, HiddenPurpose::Judge, Err(Failure::new("overloaded"))),
    ]);
    let over = Failure {
        usage: Some(Usage::NONE),
        took_ms: u64::MAX,
        ..Failure::new("the recording holds no further answer to this")
    };
    for (purpose, beat, expected) in [
        (HiddenPurpose::Judge, 0, said(r#"{"goals": []}"#, 800)),
        (HiddenPurpose::WorldEvent, 0, said(r#"{"event": "Thunder"}"#, 501)),
        (HiddenPurpose::Judge, 1, Err(Failure::new("overloaded"))),
        (HiddenPurpose::Judge, 2, Err(over.clone())),
        (HiddenPurpose::WorldEvent, 2, Err(over)),
    ] {
        assert_eq!(model.answer(hidden(purpose, beat)).await, expected, "{purpose:?}");
    }
}

#[test]
fn a_recording_is_called_after_its_run() {
    let card = recorded(Vec::new()).card();
    assert_eq!(card.description, "recording (the-apology, run 7)");
    assert_eq!(card.price, Some(Price::FREE), "it was paid for once");
}

#[tokio::test]
async fn slots_answer_as_they_did() {
    let slow = Failure { kind: FailureKind::Timeout, took_ms: 60_000, ..Failure::new("slow") };
    let model = Recorded::new(
        "chorus",
        vec![
            given(2, Turn::Respond, said("two", 90)),
            given(1, Turn::Respond, said("one", 91)),
            given(1, Turn::Comment, said("to myself", 5)),
            given(1, Turn::Comment, said("to two", 6)),
            given(2, Turn::Comment, Err(slow.clone())),
        ],
    );
    let answer = async |number, turn| model.answer(slot_request(number, turn)).await;
    assert_eq!(answer(2, Turn::Respond).await, said("two", 90));
    assert_eq!(answer(1, Turn::Respond).await, said("one", 91));
    assert_eq!(answer(1, Turn::Comment).await.unwrap().text, "to myself");
    assert_eq!(answer(1, Turn::Comment).await.unwrap().text, "to two");
    assert_eq!(answer(2, Turn::Comment).await, Err(slow));
    let beyond = answer(2, Turn::Reply).await.unwrap_err();
    assert_eq!(beyond.error, "the recording holds nothing of slot-2 in turn 3");
    assert_eq!(beyond.usage, Some(Usage::NONE));
}
