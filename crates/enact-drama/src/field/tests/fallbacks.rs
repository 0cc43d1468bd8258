//! Models that answer where another has failed.

use super::{Played, minded, setup};
use crate::{
    budget::Budget,
    field::{FieldEvent, FieldRun, FieldSetup, report::FieldReport},
    model_card::ModelCard,
    production::{Answer, Effect, Failure, FailureKind, Happened, Input, Production, Report, fold},
    usage::Usage,
};

fn with_fallbacks(mut setup: FieldSetup) -> FieldSetup {
    let card = |fallback: &[&str]| ModelCard {
        provider: Some("test".to_owned()),
        fallback: fallback.iter().map(|name| (*name).to_owned()).collect(),
        ..ModelCard::free_without_memory("a test")
    };
    let built_in = ModelCard::free_without_memory("rules");
    setup.models = [
        ("m".to_owned(), card(&["improviser", "second", "third"])),
        ("second".to_owned(), card(&[])),
        ("third".to_owned(), card(&[])),
        ("improviser".to_owned(), built_in),
    ]
    .into();
    setup
}

/// Plays on until a model is asked for this.
fn until_asked(played: &mut Played, purpose: &str) -> (crate::CallId, String, u64) {
    loop {
        let pending = played.run.pending();
        let asked = pending.iter().find_map(|effect| match effect {
            Effect::Ask(ask) if ask.purpose.as_str() == purpose => Some(ask.clone()),
            _ => None,
        });
        if let Some(ask) = asked {
            let timeout_ms = played.run.request(&ask).timeout_ms;
            return (ask.call, ask.model.to_string(), timeout_ms);
        }
        assert!(played.step(&super::plain), "it is asked for a {purpose}");
    }
}

fn failure(kind: FailureKind) -> Failure {
    Failure { kind, usage: Some(Usage { output: 3, ..Usage::NONE }), ..Failure::new("it broke") }
}

/// The same as [`Played::happen`] at another time.
fn happen_at(played: &mut Played, at: i64, what: Happened<super::FieldCommand>) -> Vec<FieldEvent> {
    let events = played.run.decide(&Input { at, what });
    for event in &events {
        let fact = crate::Fact { seq: crate::Seq(played.facts.len() as u64), at, event: event.clone() };
        played.run.apply(&fact);
        played.facts.push(fact);
    }
    events
}

#[test]
fn another_model_says_the_line_where_one_has_failed() {
    let mut played = Played::begin(with_fallbacks(setup(0)));
    let (call, model, timeout_ms) = until_asked(&mut played, "reply");
    assert_eq!((model.as_str(), timeout_ms), ("m", 20_000), "a third of its time is left to the next");
    let events = played.happen(Happened::Failed { call, failure: failure(FailureKind::Overloaded) });
    assert!(matches!(events[0], FieldEvent::ReplyFailed { goes_on: true, .. }), "{events:?}");
    let (call, model, _) = until_asked(&mut played, "reply");
    assert_eq!(model, "improviser", "players made of rules play characters");
    let answer: Answer = "[TONE: calm] \"Quite a rain.\"".into();
    let events = played.happen(Happened::Answered { call, answer });
    assert!(matches!(events[..], [FieldEvent::Replied { .. }, FieldEvent::Noted { .. }]), "{events:?}");
    let mut report = FieldReport::begin(&played.facts[0]).unwrap();
    played.facts[1..].iter().for_each(|fact| report.apply(fact));
    let document = report.document();
    let FieldEvent::Replied { actor, .. } = &events[0] else { panic!() };
    assert_eq!(document.metadata["fallbacks"][actor.as_str()]["improviser"], 1);
    assert!(
        document.statistics.iter().any(|(label, told)| *label == "Fallbacks" && told.contains("1 answer"))
    );
    let folded: FieldRun = fold(&played.facts).unwrap();
    assert_eq!(folded.world().hash(), played.run.world().hash());
}

#[test]
fn nobody_else_is_asked_after_a_refusal_or_without_time() {
    for (kind, later_ms, is_asked) in [
        (FailureKind::Refused, 0, false),
        (FailureKind::Timeout, 26_000, true),
        (FailureKind::Timeout, 28_000, false),
    ] {
        let mut played = Played::begin(with_fallbacks(setup(0)));
        let (call, ..) = until_asked(&mut played, "reply");
        let events = happen_at(&mut played, later_ms, Happened::Failed { call, failure: failure(kind) });
        let asked = matches!(events[..], [_, FieldEvent::Asked { timeout_ms: Some(_), .. }]);
        assert_eq!(asked, is_asked, "{kind:?} after {later_ms} ms: {events:?}");
        let passed = matches!(events[..], [FieldEvent::ReplyFailed { goes_on: false, .. }]);
        assert_eq!(passed, !is_asked);
    }
}

#[test]
fn another_language_model_decides_and_rules_where_none_is_left() {
    let mut played = Played::begin(with_fallbacks(minded(60)));
    for expected in ["m", "second", "third"] {
        let (call, model, _) = until_asked(&mut played, "decision");
        assert_eq!(model, expected, "the improviser decides nothing");
        let events = played.happen(Happened::Failed { call, failure: failure(FailureKind::Connection) });
        let is_last = expected == "third";
        assert_eq!(matches!(events[0], FieldEvent::MindDeclined { .. }), is_last, "{events:?}");
        assert_eq!(matches!(events[0], FieldEvent::MindFailed { .. }), !is_last, "{events:?}");
    }
}

#[test]
fn a_fallback_that_cannot_be_paid_is_not_asked() {
    let mut setup = with_fallbacks(setup(0));
    setup.budget = Budget { tokens: Some(2_500), cost: None };
    let mut played = Played::begin(setup);
    let (call, ..) = until_asked(&mut played, "reply");
    // What the first has used is unknown: all that it could is booked.
    let unknown = Failure { usage: None, ..failure(FailureKind::Overloaded) };
    let events = played.happen(Happened::Failed { call, failure: unknown });
    assert!(matches!(events[..], [FieldEvent::ReplyFailed { goes_on: false, .. }]), "{events:?}");
}

#[test]
fn every_model_that_may_be_asked_is_among_the_players() {
    let run = Played::begin(with_fallbacks(setup(0))).run;
    let names: Vec<String> = run.players().into_iter().map(|player| player.name).collect();
    assert_eq!(names, ["improviser", "m", "second", "third"]);
}
