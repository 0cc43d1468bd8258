//! Traps of the games that exist, each by its name.

use serde_json::json;

use super::{Played, body, decided, event, passed, seen, thing, with_events};
use crate::{
    Happened, Production,
    budget::Budget,
    field::world::StateName,
    mind::{Mind, MindCommand, MindEvent, MindObservation, MindTold},
    production::fold,
};

#[test]
fn a_lone_message_s_position_is_not_a_fact() {
    let lone = "# Current Status\n\n## Position\nYou are at position (0,0).\n\n[Conversation Update]\n\
                Participants: a, b\nNo messages yet.\n# Environment\n";
    let read = MindObservation::read_text(lone);
    assert_eq!((read.position, read.state), (None, None));
    assert_eq!(read.events.len(), 1);
}

#[test]
fn news_alone_does_not_move_the_body() {
    let mut played = Played::new(None);
    played.tell(seen(&body("idle", json!({ "hunger": 80 }), json!([]))));
    played.tell(MindObservation::read_text("[ERROR] Failed to create interaction"));
    assert!(played.mind.told().unwrap().position.is_some(), "where it was is still known");
}

#[test]
fn interacting_needs_the_state_and_the_interaction() {
    let mut odd = body("interacting", json!({}), json!([]));
    assert_eq!(seen(&odd).state, Some(StateName::Idle), "the interaction is gone already");
    odd["status"]["current_interaction"] = json!({ "name": "sit" });
    assert_eq!(seen(&odd).state, Some(StateName::Interacting));
    odd["status"]["activity_state"]["state_name"] = json!("idle");
    assert_eq!(
        (seen(&odd).state, seen(&odd).current),
        (Some(StateName::Idle), None),
        "the state is gone already"
    );
}

#[test]
fn a_message_that_comes_twice_is_heard_once() {
    let mut played = Played::new(None);
    let update = |lines: &[&str]| {
        let lines: Vec<String> = lines.iter().map(|line| format!("  {line}")).collect();
        MindObservation::read_text(&format!(
            "[Conversation Update]\nParticipants: a\nRecent messages:\n{}",
            lines.join("\n")
        ))
    };
    played.tell(update(&["Bob: hello"]));
    played.tell(update(&["Bob: hello"]));
    played.tell(update(&["Bob: hello", "Ann: hi"]));
    played.tell(update(&["Ann: hi", "Bob: hello"]));
    let heard: Vec<&str> =
        played.mind.memory().talks[0].messages.iter().map(|said| said.text.as_str()).collect();
    assert_eq!(heard, ["hello", "hi", "hello"]);
}

#[test]
fn invitations_that_only_time_out_become_rarer() {
    let text = "## Controller State\n- State: IDLE\n\n## Position\nYou are at position (0,0).\n\n## Visible Items\n\n\
                ### Bob (at position (1,0))\nInteractions:\n- **conversation**: Talk\n";
    let mut played = Played::new(None);
    let mut invited_at = Vec::new();
    for _ in 0..400 {
        let decision = played.tell(MindObservation::read_text(text));
        if decision.invited {
            invited_at.push(played.at);
            played.tell(MindObservation::read_text("[ERROR] Conversation request timed out"));
        }
    }
    assert!(invited_at.len() > 3, "{invited_at:?}");
    let pauses: Vec<i64> = invited_at.windows(2).map(|pair| pair[1] - pair[0]).collect();
    for (nth, pause) in pauses.iter().enumerate() {
        assert!(*pause >= 15_000 * (nth as i64 + 1).min(8), "{pauses:?}");
    }
}

#[test]
fn only_one_of_the_eight_names_is_ever_answered() {
    let names = [
        "move_to",
        "interact_with",
        "wander",
        "wait",
        "continue",
        "act_in_interaction",
        "cancel_interaction",
        "respond_to_interaction_bid",
    ];
    let mut played = Played::new(None);
    for state in ["idle", "moving", "wandering", "waiting", "requesting", "interacting", "dancing", ""] {
        for hunger in [0, 40, 100] {
            let told = body(state, json!({ "hunger": hunger }), json!([thing("apple", hunger, "hunger")]));
            let action = played.tell(seen(&told)).action.action;
            assert!(names.contains(&action.as_str()), "{state}: {action}");
        }
    }
}

#[test]
fn cells_are_whole_numbers_for_older_games() {
    let text = "## Controller State\n- State: IDLE\n\n## Position\nYou are at position (0,0).\n\n## Needs\n- Hunger: 5%\n\n\
                ## Visible Items\n\n### Apple (at position (7,0))\nInteractions:\n- **eat**: Eat. Effects: Hunger (+)\n";
    let action = Played::new(None).tell(MindObservation::read_text(text)).action;
    assert_eq!(serde_json::to_string(&action).unwrap(), r#"{"action":"move_to","parameters":{"x":6,"y":0}}"#);
}

#[test]
fn of_calls_that_come_together_all_but_the_newest_are_passed() {
    let idle = || seen(&body("idle", json!({ "hunger": 10 }), json!([thing("apple", 1, "hunger")])));
    let mut played = Played::new(None);
    let events = played.tell_all(vec![idle(), idle(), idle()]);
    assert_eq!(passed(&events), ["r1", "r2"]);
    assert_eq!(decided(&events).unwrap().request, "r3");
}

#[test]
fn news_of_a_call_that_was_passed_is_not_lost() {
    let bid = event(
        "INTERACTION_BID_RECEIVED",
        json!({ "bid_id": "bid_1", "bidder_name": "Bob", "interaction_name": "talk" }),
    );
    let idle = body("idle", json!({}), json!([]));
    let events = Played::new(None).tell_all(vec![with_events(&idle, &[bid]), seen(&idle)]);
    assert_eq!(decided(&events).unwrap().action.action, "respond_to_interaction_bid");
}

#[test]
fn a_call_that_comes_late_is_passed_and_its_news_kept() {
    let mut played = Played::new(None);
    let idle = body("idle", json!({}), json!([]));
    played.tell(seen(&idle));
    let done = event("INTERACTION_FINISHED", json!({ "interaction_name": "sit" }));
    let observation = with_events(&body("moving", json!({}), json!([])), &[done]);
    let late = MindTold { request: "late".to_owned(), observation, late: true };
    let events = played.feed(Happened::Commanded(MindCommand::Decide { told: vec![late], withheld: vec![] }));
    assert_eq!((passed(&events), decided(&events)), (vec!["late"], None));
    assert_eq!(played.mind.told().unwrap().state, Some(StateName::Idle));
    assert_eq!(played.mind.memory().daily.len(), 1);
}

#[test]
fn a_late_call_beside_a_newer_one_takes_nothing_from_it() {
    let idle = || seen(&body("idle", json!({}), json!([])));
    let mut played = Played::new(Some("m"));
    played.tell_all(vec![idle()]);
    // Sessions have no order among each other, so that the late one may come last.
    let told = [("newer", false), ("late", true)].map(|(request, late)| MindTold {
        request: request.to_owned(),
        observation: idle(),
        late,
    });
    let command = MindCommand::Decide { told: told.to_vec(), withheld: vec![] };
    let events = played.feed(Happened::Commanded(command));
    assert_eq!(passed(&events), ["r1", "late"]);
    let decision = decided(&played.answer(0, r#"{"action":"wander"}"#)).unwrap();
    assert_eq!(decision.request, "newer");
    assert!(!played.mind.is_thinking());
}

#[test]
fn a_slow_model_answers_the_newest_call_and_is_asked_once() {
    let idle = || seen(&body("idle", json!({}), json!([thing("apple", 1, "hunger")])));
    let mut played = Played::new(Some("m"));
    played.tell_all(vec![idle()]);
    assert_eq!(passed(&played.tell_all(vec![idle()])), ["r1"]);
    // What was in sight is gone by now: the answer is checked against the newest observation.
    let gone = seen(&body("idle", json!({}), json!([])));
    assert_eq!(passed(&played.tell_all(vec![gone])), ["r2"]);
    let asked = |events: &[crate::Fact<MindEvent>]| {
        events.iter().filter(|fact| matches!(fact.event, MindEvent::Asked { .. })).count()
    };
    assert_eq!(asked(&played.facts), 1);
    let events = played.answer(0, r#"{"action":"interact_with","entity":"apple","interaction":"use"}"#);
    let decision = decided(&events).unwrap();
    assert_eq!((decision.request.as_str(), decision.action.action.as_str()), ("r3", "continue"));
    assert!(decision.complaint.unwrap().contains("not in sight"));
    assert!(played.answer(0, "{}").is_empty(), "a late answer changes nothing");
}

#[test]
fn movement_is_not_asked_for_while_it_is_locked() {
    for hunger in [0, 100] {
        let mut locked = body("idle", json!({ "hunger": hunger }), json!([thing("apple", 9, "hunger")]));
        locked["status"]["movement_locked"] = json!(true);
        for seed in 0..20 {
            let mut played = Played::new(None);
            played.at = seed;
            let action = played.tell(seen(&locked)).action.action;
            assert!(["wait", "continue"].contains(&action.as_str()), "{action}");
        }
    }
}

#[test]
fn a_mind_never_uses_more_than_its_budget_and_rules_decide_after_that() {
    let budget = Budget { tokens: Some(9_000), cost: None };
    let mut played = Played::within(Some("m"), budget, 1_000);
    let idle = || seen(&body("idle", json!({}), json!([thing("apple", 1, "hunger")])));
    let (mut asked, mut by_rules) = (0_u64, 0);
    for _ in 0..40 {
        let events = played.tell_all(vec![idle()]);
        if played.mind.is_thinking() {
            // One in four is lost with its process: it is asked again, and counts twice.
            if asked % 4 == 3 {
                played.feed(Happened::Resumed);
            }
            if played.mind.is_thinking() {
                played.answer_using(asked, r#"{"action":"wait"}"#, 900);
            }
            asked += 1;
        } else {
            by_rules += u32::from(decided(&events).is_some());
        }
    }
    assert!(asked >= 3 && by_rules > 20, "{asked} questions, {by_rules} decisions by rules");
    let used: u64 = played
        .facts
        .iter()
        .filter_map(|fact| match &fact.event {
            MindEvent::Decided { decision } => decision.usage,
            _ => None,
        })
        .map(|usage| usage.total())
        .sum();
    assert!(used <= 9_000, "{used}");
    let folded: Mind = fold(&played.facts).unwrap();
    assert_eq!(folded.checkpoint(), played.mind.checkpoint());
}
