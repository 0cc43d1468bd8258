//! What rules and models decide.

use serde_json::{Value, json};

use super::{Played, body, decided, event, seen, thing, told, with_events};
use crate::{Effect, Happened, Production, mind::machine::Mind, production::fold};

#[test]
fn rules_go_where_the_need_is_filled_and_begin_there() {
    let hungry = json!({ "hunger": 10, "fun": 90 });
    for (visible, expected) in [
        (
            json!([thing("apple", 1, "hunger")]),
            json!(["interact_with", { "entity_id": "apple", "interaction_name": "use" }]),
        ),
        (json!([thing("apple", 5, "hunger")]), json!(["move_to", { "destination": [4, 0] }])),
        // Of two the nearer one.
        (
            json!([thing("far", 9, "hunger"), thing("near", 1, "hunger")]),
            json!(["interact_with", { "entity_id": "near", "interaction_name": "use" }]),
        ),
    ] {
        let (action, parameters) =
            told(&Played::new(None).tell(seen(&body("idle", hungry.clone(), visible))).action);
        assert_eq!(json!([action, parameters]), expected);
    }
    // Nobody looks for what is not missing.
    let full = body("idle", json!({ "hunger": 90 }), json!([thing("apple", 1, "hunger")]));
    assert_ne!(Played::new(None).tell(seen(&full)).action.action, "interact_with");
}

#[test]
fn rules_go_on_while_they_walk_and_wait_for_an_answer() {
    for state in ["moving", "requesting"] {
        let told = seen(&body(state, json!({ "hunger": 1 }), json!([thing("apple", 1, "hunger")])));
        assert_eq!(Played::new(None).tell(told).action.action, "continue", "{state}");
    }
}

#[test]
fn rules_leave_when_they_have_enough_or_something_presses() {
    let sitting = |energy: i32, hunger: i32| {
        let mut body = body("interacting", json!({ "energy": energy, "hunger": hunger }), json!([]));
        body["status"]["current_interaction"] = json!({ "name": "sit", "needs_filled": ["energy"] });
        Played::new(None).tell(seen(&body)).action.action
    };
    assert_eq!(sitting(50, 90), "continue");
    assert_eq!(sitting(99, 90), "cancel_interaction");
    assert_eq!(sitting(60, 15), "cancel_interaction");
    assert_eq!(sitting(25, 15), "continue", "what is low itself is filled first");
}

#[test]
fn what_cannot_be_reached_is_left_alone_after_a_while() {
    let mut played = Played::new(None);
    let there = body("idle", json!({ "hunger": 5 }), json!([thing("apple", 5, "hunger")]));
    let ways: Vec<Value> = (0..6).map(|_| told(&played.tell(seen(&there)).action).1).collect();
    assert_eq!(ways[0], json!({ "destination": [4, 0] }));
    assert_ne!(ways[0], ways[1], "another side is tried");
    assert_eq!(played.tell(seen(&there)).avoid.as_deref(), Some("apple"));
    assert_ne!(played.tell(seen(&there)).action.action, "move_to");
}

#[test]
fn bids_are_accepted_unless_something_presses() {
    let bid = event(
        "INTERACTION_BID_RECEIVED",
        json!({
            "bid_id": "bid_1", "bidder_id": "npc_2", "bidder_name": "Bob", "interaction_name": "conversation",
        }),
    );
    for (hunger, accept, reason) in [(80, true, ""), (5, false, "busy with a need")] {
        let body = body("idle", json!({ "hunger": hunger }), json!([]));
        let decision = Played::new(None).tell(with_events(&body, std::slice::from_ref(&bid)));
        assert_eq!(decision.action.action, "respond_to_interaction_bid");
        assert_eq!(
            told(&decision.action).1,
            json!({ "bid_id": "bid_1", "accept": accept, "reason": reason })
        );
    }
    // One that was taken back is not answered.
    let canceled = event("INTERACTION_BID_CANCELED", json!({ "bid_id": "bid_1" }));
    let decision = Played::new(None).tell(with_events(&body("idle", json!({}), json!([])), &[bid, canceled]));
    assert_ne!(decision.action.action, "respond_to_interaction_bid");
}

#[test]
fn the_best_option_is_followed_and_its_id_echoed() {
    let mut told = body("idle", json!({}), json!([thing("apple", 1, "hunger")]));
    let option = |id: &str, score: f64, entity: &str| {
        let parameters = json!({ "entity_id": entity, "interaction_name": "use" });
        let action = json!({ "name": "interact_with", "parameters": parameters });
        json!({ "option_id": id, "score": score, "segments": [{ "steps": [{ "action": action }] }] })
    };
    told["goal"] = json!({ "options": [option("low", 0.1, "apple"), option("gone", 0.9, "pear"), option("good", 0.5, "apple")] });
    let action = Played::new(None).tell(seen(&told)).action;
    assert_eq!(action.selected_option_id.as_deref(), Some("good"));
    let written =
        serde_json::to_value(Played::new(None).tell(seen(&body("moving", json!({}), json!([])))).action)
            .unwrap();
    assert_eq!(written, json!({ "action": "continue", "parameters": {} }), "left out, never null");
}

#[test]
fn a_conversation_is_held_and_ended() {
    let mut played = Played::new(None);
    let mut here = body("interacting", json!({}), json!([]));
    here["status"]["current_interaction"] = json!({
        "name": "conversation",
        "act_in_interaction_parameters": { "message": { "type": "string" }, "is_farewell": { "type": "bool" } },
    });
    let mut history: Vec<Value> = Vec::new();
    let mut said = 0;
    for _ in 0..40 {
        let talk = event(
            "INTERACTION_OBSERVATION",
            json!({
                "interaction_id": "conv_1", "interaction_name": "conversation", "conversation_history": history,
            }),
        );
        played.at += 2_000;
        let decision = played.tell(with_events(&here, &[talk]));
        if decision.action.action == "cancel_interaction" {
            assert!(said > 1, "{history:?}");
            return;
        }
        if let Some(text) = decision.said {
            said += 1;
            let at = history.len();
            history.push(
                json!({ "speaker_id": "npc_1", "speaker_name": "Me", "message": text, "timestamp": at }),
            );
            history.push(json!({ "speaker_id": "npc_2", "speaker_name": "Bob", "message": format!("So {at}."), "timestamp": at + 1 }));
        }
    }
    panic!("it never ends: {history:?}");
}

#[test]
fn a_model_s_answer_is_checked_against_what_the_body_can_do() {
    let idle = body("idle", json!({ "hunger": 10 }), json!([thing("apple", 1, "hunger")]));
    for (answer, action, complains) in [
        (r#"{"action":"interact_with","entity":"apple","interaction":"use"}"#, "interact_with", false),
        (r#"```json {"action":"wander"} ```"#, "wander", false),
        (r#"{"action":"interact_with","entity":"pear","interaction":"use"}"#, "continue", true),
        (r#"{"action":"interact_with","entity":"apple","interaction":"kick"}"#, "continue", true),
        (r#"{"action":"cancel_interaction"}"#, "continue", true),
        (r#"{"action":"respond_to_interaction_bid","bid_id":"x","accept":true}"#, "continue", true),
        (r#"{"action":"move_to","x":3}"#, "continue", true),
        ("I would eat the apple.", "continue", true),
        ("", "continue", true),
    ] {
        let mut played = Played::new(Some("m"));
        let events = played.tell_all(vec![seen(&idle)]);
        assert!(decided(&events).is_none() && played.mind.is_thinking(), "{events:?}");
        let decision = decided(&played.answer(0, answer)).unwrap();
        assert_eq!(decision.action.action, action, "{answer}");
        assert_eq!(decision.complaint.is_some(), complains, "{answer}: {:?}", decision.complaint);
    }
}

#[test]
fn rules_stand_in_where_a_model_fails_or_was_asked_too_often() {
    let idle = body("idle", json!({ "hunger": 10 }), json!([thing("apple", 1, "hunger")]));
    let mut played = Played::new(Some("m"));
    for call in 0..4 {
        played.tell_all(vec![seen(&idle)]);
        let decision = decided(&played.fail(call)).unwrap();
        assert_eq!(decision.action.action, "interact_with");
        assert_eq!(decision.complaint.as_deref(), Some("no answer"));
    }
    assert_eq!(played.tell(seen(&idle)).call, None, "its questions are used up");
}

#[test]
fn a_model_that_never_answers_is_not_waited_for() {
    let idle = body("idle", json!({ "hunger": 10 }), json!([thing("apple", 1, "hunger")]));
    let mut played = Played::new(Some("m"));
    played.tell_all(vec![seen(&idle)]);
    let timers = |played: &Played| {
        let timer = |effect: Effect| matches!(effect, Effect::Timer { .. }).then(|| effect.call());
        played.mind.pending().into_iter().filter_map(timer).collect::<Vec<_>>()
    };
    let [call] = timers(&played)[..] else { panic!("{:?}", played.mind.pending()) };
    let decision = decided(&played.feed(Happened::TimeUp { call })).unwrap();
    assert_eq!((decision.action.action.as_str(), decision.usage), ("interact_with", None));
    assert_eq!((played.mind.is_thinking(), timers(&played)), (false, vec![]));
    assert!(played.feed(Happened::TimeUp { call }).is_empty() && played.answer(0, "{}").is_empty());
    played.tell_all(vec![seen(&idle)]);
    assert!(played.mind.is_thinking(), "the next question is asked");
    assert!(played.feed(Happened::TimeUp { call }).is_empty(), "an old timer ends no new question");
}

#[test]
fn whoever_walks_is_not_thought_about() {
    let mut played = Played::new(Some("m"));
    assert_eq!(played.tell(seen(&body("moving", json!({}), json!([])))).action.action, "continue");
    assert!(!played.mind.is_thinking());
}

#[test]
fn a_log_comes_to_the_same_mind_and_so_does_a_checkpoint() {
    let mut played = Played::new(None);
    let idle = body("idle", json!({ "hunger": 10 }), json!([thing("apple", 4, "hunger")]));
    let done = event("INTERACTION_FINISHED", json!({ "interaction_name": "use" }));
    for _ in 0..5 {
        played.tell(with_events(&idle, std::slice::from_ref(&done)));
    }
    let written = played.mind.checkpoint().unwrap();
    let folded: Mind = fold(&played.facts).unwrap();
    assert_eq!(folded.checkpoint().unwrap(), written);
    let restored = Mind::restore(&played.facts[0], &written).unwrap();
    assert_eq!(restored.checkpoint().unwrap(), written);
    assert_eq!(played.mind.memory().daily.len(), 5);
}
