//! What a recording gives again: the answers of a log, in the order in which they arrived.

use proptest::prelude::*;

use super::*;
use crate::{
    CallId, Purpose,
    reply::{Action, Reply},
    scene::{Advice, Outcome},
    usage::{NanoUsd, Usage},
};

const USED: Usage = Usage { uncached: 7, output: 3, ..Usage::NONE };

fn log(events: Vec<SceneEvent>) -> Vec<Fact<SceneEvent>> {
    let began = Scene::beginning(setup(config(&ALL_THREE, None)));
    let events = std::iter::once(began).chain(events);
    events.zip(0..).map(|(event, seq)| Fact { seq: Seq(seq), at: 0, event }).collect()
}

/// Beat, actor, purpose, what was said or went wrong, and after how many milliseconds.
fn shown(events: Vec<SceneEvent>) -> Vec<String> {
    let answers = Scene::answers(&log(events)).into_iter().map(|given| {
        let actor = given.actor.as_ref().map_or("nobody", Name::as_str);
        let (said, took_ms) = match &given.outcome {
            Ok(answer) => (answer.text.clone(), answer.took_ms),
            Err(failure) => (format!("!{}", failure.error), failure.took_ms),
        };
        format!("{} {actor} {} {said:?} {took_ms}", given.beat, given.purpose.as_str())
    });
    answers.collect()
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

#[test]
fn replies_and_failures_come_in_the_order_of_their_arrival() {
    let events = vec![
        beat(0),
        replied("alice", "We need to talk.", 900),
        beat(1),
        replied("bob", "Look—", 1200),
        failed("charlie", "Response timeout after 30s"),
        replied("alice", "No.", 1199),
    ];
    expect_test::expect![[r#"
        0 alice reply "We need to talk." 900
        1 bob reply "Look—" 1200
        1 charlie reply "!Response timeout after 30s" 1201
        1 alice reply "No." 1202"#]]
    .assert_eq(&shown(events).join("\n"));
}

#[test]
fn hidden_calls_belong_to_the_beat_in_which_they_were_made() {
    let events = vec![
        beat(0),
        consulted(1, HiddenPurpose::Judge),
        consulted(2, HiddenPurpose::WorldEvent),
        beat(1),
        replied("bob", "Look—", 500),
        advised(2, "Thunder", 300),
        advised(1, "Not yet", 800),
        consulted(3, HiddenPurpose::Judge),
        beat(2),
        SceneEvent::AdviceFailed { call: CallId(3), error: "overloaded".to_owned(), usage: None },
        // A log that does not say what it was for.
        advised(9, "out of nowhere", 1),
    ];
    expect_test::expect![[r#"
        1 bob reply "Look—" 500
        0 nobody world_event "Thunder" 501
        0 nobody judge "Not yet" 800
        1 nobody judge "!overloaded" 0"#]]
    .assert_eq(&shown(events).join("\n"));
}

#[test]
fn what_was_billed_is_not_billed_again() {
    let billed = Some(Usage { billed: Some(NanoUsd(5)), ..USED });
    let (mut reply, mut failure) = (replied("bob", "hello", 1), failed("alice", "broke off"));
    if let SceneEvent::Replied { usage, .. } = &mut reply {
        *usage = billed;
    }
    if let SceneEvent::CallFailed { usage, .. } = &mut failure {
        *usage = billed;
    }
    let answers = Scene::answers(&log(vec![beat(0), reply, failure]));
    let used = answers.into_iter().map(|given| match given.outcome {
        Ok(answer) => answer.usage,
        Err(failure) => failure.usage,
    });
    assert_eq!(used.collect::<Vec<_>>(), [Some(USED), Some(USED)]);
}

#[test]
fn a_scene_that_was_played_gives_every_answer_it_got() {
    let mut stage = Stage::open(setup(config(&ALICE_AND_BOB, Some("bob"))));
    stage.beat(&[("bob", r#"[TONE: calm] "Well?""#)]).beat(&[("alice", "!fail no network")]);
    let answers = Scene::answers(&stage.facts);
    let given: Vec<_> = answers.iter().map(|given| (given.beat, given.actor.clone())).collect();
    assert_eq!(
        given,
        [(0, Some(name("bob"))), (1, Some(name("alice"))), (1, Some(name("bob")))],
        "those who stay silent answer too"
    );
    assert!(answers.iter().all(|given| given.purpose == Purpose::named("reply")));
    assert_eq!(answers[1].outcome.as_ref().unwrap_err().error, "no network");
}

proptest! {
    /// Whatever times were measured, the times given are those of the recorded order.
    #[test]
    fn the_order_of_arrival_is_kept(measured in prop::collection::vec(0..5u64, 1..8)) {
        let mut events = vec![beat(3)];
        events.extend(measured.iter().map(|took_ms| replied("bob", "x", *took_ms)));
        let answers = Scene::answers(&log(events));
        let times: Vec<u64> = answers.into_iter().map(|given| given.outcome.unwrap().took_ms).collect();
        prop_assert!(times.is_sorted_by(|a, b| a < b), "{times:?}");
        prop_assert!(times.iter().zip(&measured).all(|(given, measured)| given >= measured));
    }
}
