use std::{collections::BTreeMap, sync::Arc};

use enact_drama::{
    CallId, Fact, Name, Production, RunId, Seq,
    chorus::{SlotId, Turn},
    production::{Answer, Failure, FailureKind},
    recorded_answers::RecordedAnswer,
    reply::{Action, Reply},
    request::Request,
    scene::{Advice, HiddenPurpose, Outcome, Scene, SceneConfig, SceneEvent, Setup},
    usage::{NanoUsd, Price, Usage},
};
use enact_engine::Model;
use proptest::prelude::*;

use super::Recorded;
use crate::test_requests::{request, slot_request};

const USED: Usage = Usage { uncached: 7, output: 3, ..Usage::NONE };

/// A recording of the scene in which this happened.
fn recorded(events: &[SceneEvent]) -> Recorded {
    let events = events.iter().cloned().zip(0..);
    let facts: Vec<_> = events.map(|(event, seq)| Fact { seq: Seq(seq), at: 0, event }).collect();
    Recorded::new("the-apology, run 7", Scene::answers(&facts))
}

fn began() -> SceneEvent {
    let run = serde_json::from_str::<RunId>(r#""01890a5d-ac96-774b-bcce-b302099a8057""#).unwrap();
    let setup = Setup {
        run,
        name: name("the-apology"),
        config: SceneConfig::default(),
        cast: Vec::new(),
        opener: None,
        goals: Vec::new(),
        max_beats: 50,
        reply_timeout_ms: 30_000,
        window: 10,
        seed: 0,
        models: BTreeMap::new(),
        judge: None,
        event_writer: None,
        budget: enact_drama::budget::Budget::default(),
        prompts: Default::default(),
    };
    SceneEvent::Began { setup: Arc::new(setup) }
}

fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

fn beat(beat: u32) -> SceneEvent {
    SceneEvent::BeatOpened { beat, to: Vec::new(), deadline: CallId(0), timeout_ms: 30_000, reserved: None }
}

fn replied(actor: &str, raw: &str, took_ms: u64) -> SceneEvent {
    let reply = Reply {
        action: Action::Silent,
        target: None,
        tone: "neutral".to_owned(),
        content: String::new(),
        interrupt_after: None,
        nonverbal: None,
    };
    SceneEvent::Replied {
        call: CallId(1),
        actor: name(actor),
        raw: Some(raw.to_owned()),
        reply,
        warnings: Vec::new(),
        outcome: Outcome::Taken,
        usage: Some(USED),
        took_ms,
        unanswered: false,
        first_word_ms: None,
    }
}

fn failed(actor: &str, error: &str) -> SceneEvent {
    SceneEvent::CallFailed { call: CallId(2), actor: name(actor), error: error.to_owned(), usage: None }
}

fn said(text: &str, took_ms: u64) -> Result<Answer, Failure> {
    Ok(Answer { text: text.to_owned(), usage: Some(USED), took_ms, first_word_ms: None })
}

#[tokio::test]
async fn what_was_answered_is_answered_again() {
    let events = [
        began(),
        beat(0),
        replied("alice", "We need to talk.", 900),
        beat(1),
        replied("bob", "Look—", 1200),
        failed("charlie", "Response timeout after 30s"),
        replied("alice", "No.", 1199),
    ];
    let model = recorded(&events);
    let silence = Ok(Answer { text: "[SILENT]".to_owned(), usage: Some(Usage::NONE), ..Answer::default() });
    let failure = Err(Failure { took_ms: 1201, ..Failure::new("Response timeout after 30s") });
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
    let events = [began(), beat(0), replied("bob", "um", 10), replied("bob", "[TONE: calm] \"Yes.\"", 5)];
    let model = recorded(&events);
    for expected in ["um", "[TONE: calm] \"Yes.\"", "[TONE: calm] \"Yes.\""] {
        assert_eq!(model.answer(request("bob", 0)).await.unwrap().text, expected);
    }
}

fn consulted(call: u64, purpose: HiddenPurpose) -> SceneEvent {
    let (model, deadline) = ("quick".to_owned(), CallId(call + 100));
    SceneEvent::Consulted {
        call: CallId(call),
        purpose,
        model,
        deadline,
        timeout_ms: 30_000,
        beat: None,
        reserved: None,
    }
}

fn advised(call: u64, raw: &str, took_ms: u64) -> SceneEvent {
    SceneEvent::Advised {
        call: CallId(call),
        raw: raw.to_owned(),
        advice: Advice::WorldEvent("as it was understood".to_owned()),
        complaints: Vec::new(),
        usage: Some(USED),
        took_ms,
    }
}

/// A request of a hidden call.
fn hidden(purpose: HiddenPurpose, beat: u32) -> Request {
    Request { purpose: purpose.into(), beat: Some(beat), ..Request::default() }
}

#[tokio::test]
async fn a_run_taken_over_hears_what_was_said_of_its_beat() {
    let opinion =
        |call, beat_now| [consulted(call, HiddenPurpose::Judge), beat(beat_now), advised(call, "x", 1)];
    let mut events = vec![began(), beat(0)];
    for (call, now) in [(1, 1), (2, 2), (3, 3), (4, 4)] {
        events.extend(opinion(call, now));
        let Some(SceneEvent::Advised { raw, .. }) = events.last_mut() else { unreachable!() };
        *raw = format!("asked in beat {}", now - 1);
    }
    let model = recorded(&events);
    for (now, said) in [(1, Some(1)), (7, Some(2)), (3, Some(3)), (4, None), (1, None)] {
        let heard = model.answer(hidden(HiddenPurpose::Judge, now)).await.ok().map(|answer| answer.text);
        assert_eq!(heard, said.map(|beat| format!("asked in beat {beat}")), "asked in beat {now}");
    }
}

#[tokio::test]
async fn what_was_billed_is_not_billed_again() {
    let billed = Some(Usage { billed: Some(NanoUsd(5)), ..USED });
    let mut reply = replied("bob", "hello", 1);
    if let SceneEvent::Replied { usage, .. } = &mut reply {
        *usage = billed;
    }
    let mut failure = failed("alice", "broke off");
    if let SceneEvent::CallFailed { usage, .. } = &mut failure {
        *usage = billed;
    }
    let model = recorded(&[began(), beat(0), reply, failure]);
    assert_eq!(model.answer(request("bob", 0)).await.unwrap().usage, Some(USED));
    assert_eq!(model.answer(request("alice", 0)).await.unwrap_err().usage, Some(USED));
}

#[tokio::test]
async fn hidden_calls_are_answered_by_purpose_and_order() {
    let events = [
        began(),
        beat(0),
        consulted(1, HiddenPurpose::Judge),
        consulted(2, HiddenPurpose::WorldEvent),
        beat(1),
        replied("bob", "Look—", 500),
        advised(2, r#"{"event": "Thunder"}"#, 300),
        advised(1, r#"{"goals": []}"#, 800),
        consulted(3, HiddenPurpose::Judge),
        beat(2),
        SceneEvent::AdviceFailed { call: CallId(3), error: "overloaded".to_owned(), usage: None },
    ];
    let model = recorded(&events);
    let over = Failure {
        usage: Some(Usage::NONE),
        took_ms: u64::MAX,
        ..Failure::new("the recording holds no further answer to this")
    };
    for (purpose, beat, expected) in [
        (HiddenPurpose::Judge, 0, said(r#"{"goals": []}"#, 800)),
        // It came after Bob's reply, though it took less time, and so it comes again.
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
    let card = recorded(&[began()]).card();
    assert_eq!(card.description, "recording (the-apology, run 7)");
    assert_eq!(card.price, Some(Price::FREE), "it was paid for once");
}

/// What a slot gave in a turn.
fn given(number: u8, turn: Turn, outcome: Result<Answer, Failure>) -> RecordedAnswer {
    let actor = Some(SlotId::new(number).unwrap().name());
    RecordedAnswer { beat: u32::from(turn.index()), actor, purpose: turn.purpose(), outcome }
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

proptest! {
    /// Whatever times were measured, answers sorted by the times given come in the recorded order.
    #[test]
    fn the_order_of_arrival_is_kept(measured in prop::collection::vec(0..5u64, 1..8)) {
        let actor = |place: usize| format!("actor{place}");
        let mut events = vec![began(), beat(3)];
        events.extend(measured.iter().enumerate().map(|(place, took_ms)| replied(&actor(place), "x", *took_ms)));
        let model = recorded(&events);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let times: Vec<u64> = (0..measured.len())
            .map(|place| runtime.block_on(model.answer(request(&actor(place), 3))).unwrap().took_ms)
            .collect();
        prop_assert!(times.is_sorted_by(|a, b| a < b), "{times:?}");
    }
}
