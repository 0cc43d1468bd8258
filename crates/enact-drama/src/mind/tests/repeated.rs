//! Calls that come again, and decisions that never reached the game.

use serde_json::{Value, json};

use super::{Played, body, decided, event, passed, seen, with_events};
use crate::{
    Happened,
    mind::{MindCommand, MindEvent, MindObservation, MindTold},
    report::{Report, Tokens},
};

fn idle() -> MindObservation {
    seen(&body("idle", json!({}), json!([])))
}

fn repeated(events: &[MindEvent]) -> Vec<&str> {
    let repeated = events.iter().filter_map(|event| match event {
        MindEvent::Repeated { request } => Some(request.as_str()),
        _ => None,
    });
    repeated.collect()
}

#[test]
fn a_repeated_call_decides_nothing_new_and_is_heard_of() {
    let mut played = Played::new(None);
    let first = decided(&played.call("a", idle(), &[])).unwrap();
    let again = played.call("a", idle(), &[]);
    assert_eq!((again.len(), repeated(&again)), (1, vec!["a"]), "{again:?}");
    assert_eq!(played.mind.memory().answer("a"), Some(&first));
}

#[test]
fn a_call_that_comes_again_while_a_model_thinks_is_not_passed_by_itself() {
    let mut played = Played::new(Some("m"));
    played.call("a", idle(), &[]);
    let again = played.call("a", idle(), &[]);
    assert_eq!((passed(&again), repeated(&again)), (vec![], vec!["a"]), "{again:?}");
    let decision = decided(&played.answer(0, r#"{"action":"wander"}"#)).unwrap();
    assert_eq!((decision.request.as_str(), decision.action.action.as_str()), ("a", "wander"));
}

#[test]
fn a_call_that_comes_twice_together_is_taken_once() {
    let mut played = Played::new(None);
    let call = || MindTold { request: "a".to_owned(), observation: idle(), late: false };
    let command = MindCommand::Decide { told: vec![call(), call()], withheld: Vec::new() };
    let events = played.feed(Happened::Commanded(command));
    let observed = events.iter().filter(|event| matches!(event, MindEvent::Observed { .. }));
    assert_eq!((observed.count(), passed(&events)), (1, vec![]), "{events:?}");
    assert_eq!(decided(&events).unwrap().request, "a");
}

#[test]
fn a_call_that_was_passed_is_passed_again() {
    let mut played = Played::new(None);
    let events = played.tell_all(vec![idle(), idle()]);
    assert_eq!(passed(&events), ["r1"]);
    assert_eq!(repeated(&played.call("r1", idle(), &[])), ["r1"], "what it told is old by now");
    assert_eq!(played.mind.memory().answer("r1").unwrap().action.action, "continue");
}

fn bid() -> Value {
    event(
        "INTERACTION_BID_RECEIVED",
        json!({ "bid_id": "bid_1", "bidder_name": "Bob", "interaction_name": "conversation" }),
    )
}

#[test]
fn a_bid_whose_answer_never_reached_the_game_is_answered_again() {
    let mut played = Played::new(None);
    let asked = with_events(&body("idle", json!({}), json!([])), &[bid()]);
    let first = decided(&played.call("r1", asked, &[])).unwrap();
    assert_eq!(first.action.action, "respond_to_interaction_bid");
    let second = decided(&played.call("r2", idle(), &["r1"])).unwrap();
    assert_eq!(second.action, first.action);
    // It has reached the game now.
    let third = decided(&played.call("r3", idle(), &[])).unwrap();
    assert_ne!(third.action.action, "respond_to_interaction_bid");
    assert_eq!(played.mind.memory().answer("r1").unwrap().action.action, "continue", "as it was answered");
}

#[test]
fn a_bid_that_was_taken_back_meanwhile_stays_gone() {
    let mut played = Played::new(None);
    played.call("r1", with_events(&body("idle", json!({}), json!([])), &[bid()]), &[]);
    let canceled = event("INTERACTION_BID_CANCELED", json!({ "bid_id": "bid_1" }));
    let next = with_events(&body("idle", json!({}), json!([])), &[canceled]);
    let second = decided(&played.call("r2", next, &["r1"])).unwrap();
    assert_ne!(second.action.action, "respond_to_interaction_bid");
}

#[test]
fn a_farewell_that_never_reached_the_game_was_not_said() {
    let mut here = body("interacting", json!({}), json!([]));
    here["status"]["current_interaction"] = json!({ "name": "conversation" });
    let said = json!({
        "speaker_id": "npc_2", "speaker_name": "Bob", "message": "Bye.", "timestamp": 1,
        "declarations": [{ "kind": "farewell" }],
    });
    let talk = event(
        "INTERACTION_OBSERVATION",
        json!({ "interaction_id": "c", "interaction_name": "conversation", "conversation_history": [said] }),
    );
    let told = with_events(&here, &[talk]);
    let mut played = Played::new(None);
    let first = decided(&played.call("r1", told.clone(), &[])).unwrap();
    assert!(first.farewell, "{first:?}");
    let second = decided(&played.call("r2", told.clone(), &["r1"])).unwrap();
    assert!(second.farewell, "{second:?}");
    let third = decided(&played.call("r3", told, &[])).unwrap();
    assert_eq!(third.action.action, "cancel_interaction", "{third:?}");
}

#[test]
fn only_the_newest_decision_can_be_taken_back() {
    let mut played = Played::new(None);
    played.call("r1", with_events(&body("idle", json!({}), json!([])), &[bid()]), &[]);
    played.call("r2", idle(), &[]);
    let third = decided(&played.call("r3", idle(), &["r1"])).unwrap();
    assert_ne!(third.action.action, "respond_to_interaction_bid");
}

#[test]
fn a_question_that_was_dropped_with_the_body_is_billed_as_unknown() {
    let mut played = Played::new(Some("m"));
    played.call("a", idle(), &[]);
    played.feed(Happened::Commanded(MindCommand::Release {}));
    assert!(!played.mind.is_thinking());
    let mut report = super::super::report::MindReport::begin(&played.facts[0]).unwrap();
    played.facts[1..].iter().for_each(|fact| report.apply(fact));
    let total = report.ledger().total();
    assert_eq!((total.made(), total.tokens()), (1, Tokens::Unknown));
}
