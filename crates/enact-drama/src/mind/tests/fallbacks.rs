//! Models that decide where another has failed.

use super::*;
use crate::{call::FailureKind, mind::report::MindReport, production::Report};

fn with_fallback(budget: Budget) -> Played {
    let mut played = Played::within(Some("lead"), budget, 9);
    let MindEvent::MindBegan { setup } = &played.facts[0].event else { panic!() };
    let card = |fallback: &[&str]| ModelCard {
        provider: Some("test".to_owned()),
        fallback: fallback.iter().map(|name| (*name).to_owned()).collect(),
        ..ModelCard::free("a model of a test")
    };
    let mut setup = MindSetup::clone(setup);
    setup.models = [
        ("lead".to_owned(), card(&["improviser", "second"])),
        ("second".to_owned(), card(&[])),
        ("improviser".to_owned(), ModelCard::free("rules")),
    ]
    .into();
    played.facts[0].event = MindEvent::MindBegan { setup: Arc::new(setup) };
    played.mind = Mind::begin(&played.facts[0]).unwrap();
    played
}

fn asked(played: &Played) -> (CallId, String, u64) {
    let pending = played.mind.pending();
    let Some(crate::Effect::Ask(ask)) = pending.first() else { panic!("nobody is asked: {pending:?}") };
    (ask.call, ask.model.to_string(), played.mind.request(ask).timeout_ms)
}

fn idle() -> MindObservation {
    MindObservation::read(&json!({"status": {"activity_state": {"state_name": "idle"}}}), &[])
}

#[test]
fn another_language_model_decides_where_one_has_failed() {
    let mut played = with_fallback(Budget::default());
    played.tell_all(vec![idle()]);
    let (call, model, timeout_ms) = asked(&played);
    assert_eq!(model, "lead");
    assert!(timeout_ms < 20_000, "some time is left to the next: {timeout_ms}");
    let usage = Some(Usage { output: 3, ..Usage::NONE });
    let failure = Failure { kind: FailureKind::Overloaded, usage, ..Failure::new("it broke") };
    played.at += 1_000;
    let events = played.feed(Happened::Failed { call, failure });
    assert!(matches!(events[..], [MindEvent::AskFailed { .. }, MindEvent::Asked { .. }]), "{events:?}");
    let (call, model, timeout_ms) = asked(&played);
    assert_eq!((model.as_str(), timeout_ms), ("second", 19_000), "the improviser decides nothing");
    let events = played.feed(Happened::Answered { call, answer: r#"{"action": "wander"}"#.into() });
    let [MindEvent::Decided { decision }] = &events[..] else { panic!("{events:?}") };
    assert_eq!((decision.action.action.as_str(), decision.fallback.as_deref()), ("wander", Some("second")));
    assert_eq!(decision.failed, [usage], "what the first used is told as well");
    let mut report = MindReport::begin(&played.facts[0]).unwrap();
    played.facts[1..].iter().for_each(|fact| report.apply(fact));
    assert_eq!(report.document().metadata["fallbacks"]["second"], 1);
    // The next decision begins with the first model again.
    played.tell_all(vec![idle()]);
    assert_eq!(asked(&played).1, "lead");
}

#[test]
fn rules_decide_after_a_refusal_and_where_no_model_is_left() {
    let mut played = with_fallback(Budget::default());
    played.tell_all(vec![idle()]);
    let (call, ..) = asked(&played);
    let refused = Failure { kind: FailureKind::Refused, ..Failure::new("no") };
    let events = played.feed(Happened::Failed { call, failure: refused });
    assert!(matches!(events[..], [MindEvent::Decided { .. }]), "{events:?}");
    played.tell_all(vec![idle()]);
    for _ in 0..2 {
        let (call, ..) = asked(&played);
        played.feed(Happened::Failed { call, failure: Failure::new("gone") });
    }
    assert!(!played.mind.is_thinking(), "rules have decided");
}
