//! How much of what a game tells is kept, whichever way it comes.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Played, body, event, seen, with_events};
use crate::{
    Fact, Happened, Production, Record,
    mind::{
        MindCommand, MindConfig, MindEvent, MindTold,
        observation::{MindNews, MindObservation, TalkMessage},
    },
};

fn history(from: usize, to: usize, farewell: Option<usize>) -> Value {
    let said = |at: usize| {
        let declared = if farewell == Some(at) { json!([{ "kind": "farewell" }]) } else { json!([]) };
        json!({ "speaker_id": "npc_2", "speaker_name": "Bob", "message": format!("line {at}"), "timestamp": at,
                "declarations": declared })
    };
    let said: Vec<Value> = (from..to).map(said).collect();
    event(
        "INTERACTION_OBSERVATION",
        json!({ "interaction_id": "c", "interaction_name": "conversation", "conversation_history": said }),
    )
}

fn heard(played: &Played) -> Vec<String> {
    played.mind.memory().talks[0].messages.iter().map(|said| said.text.clone()).collect()
}

fn lines(from: usize, to: usize) -> Vec<String> {
    (from..to).map(|at| format!("line {at}")).collect()
}

#[test]
fn of_a_long_conversation_the_newest_lines_are_kept() {
    let mut played = Played::new(None);
    played.tell(with_events(&body("idle", json!({}), json!([])), &[history(0, 30, None)]));
    assert_eq!(heard(&played), lines(10, 30));
}

#[test]
fn of_many_events_the_newest_are_kept() {
    let error = |at: usize| event("ERROR", json!({ "message": format!("error {at}") }));
    let events: Vec<Value> = (0..50).map(error).collect();
    let read = with_events(&body("idle", json!({}), json!([])), &events);
    let last = MindNews::Error { message: "error 49".to_owned() };
    assert_eq!((read.events.len(), read.events.last()), (40, Some(&last)));
}

#[test]
fn a_line_to_which_something_is_added_later_is_heard_once() {
    let mut played = Played::new(None);
    let here = body("idle", json!({}), json!([]));
    played.tell(with_events(&here, &[history(0, 4, None)]));
    played.tell(with_events(&here, &[history(1, 5, Some(3))]));
    assert_eq!(heard(&played), lines(0, 5));
    assert!(played.mind.memory().talks[0].messages[3].farewell, "what was added counts");
    // A window that comes late brings nothing back.
    played.tell(with_events(&here, &[history(0, 3, None)]));
    assert_eq!(heard(&played), lines(0, 5));
}

#[test]
fn of_a_long_text_the_newest_lines_are_kept_each_by_itself() {
    let said: Vec<String> = (0..70).map(|at| format!("  Bob: line {at}")).collect();
    let text = format!("[Conversation Update]\nParticipants: a\nRecent messages:\n{}", said.join("\n"));
    let read = MindObservation::read_text(&text);
    let [MindNews::Talk { messages, .. }] = &read.events[..] else { panic!("{read:?}") };
    let texts: Vec<String> = messages.iter().map(|said| said.text.clone()).collect();
    assert_eq!(texts, lines(50, 70));
    let errors: Vec<String> = (0..70).map(|at| format!("[ERROR] {at}")).collect();
    let read =
        MindObservation::read_text(&format!("{}\n[Conversation Update]\n  Bob: hi", errors.join("\n")));
    assert!(
        matches!(&read.events[..], [.., MindNews::Talk { messages, .. }] if messages.len() == 1),
        "{read:?}"
    );
}

/// What a command that is posted to the run itself could bring along.
fn monstrous() -> MindObservation {
    let long = "x".repeat(100_000);
    let seen_one = |at: usize| {
        let offer = json!({ "name": "use", "description": long, "fills": ["hunger", long] });
        json!({ "id": format!("e{at}"), "name": "E", "position": [i64::MIN, i64::MAX], "offers": [offer, offer] })
    };
    let visible: Vec<Value> =
        (0..5_000).map(|at| if at < 3 { seen_one(at) } else { json!({ "name": at.to_string() }) }).collect();
    let option = |id: &str, parameter: &str| json!({ "id": id, "description": "", "score": i64::MIN, "action": "wander", "parameters": { "a": parameter } });
    let talk = TalkMessage { text: long.clone(), ..TalkMessage::default() };
    let talk = MindNews::Talk {
        id: long.clone(),
        interaction: "c".to_owned(),
        participants: vec![long.clone(); 100],
        messages: vec![talk; 100],
    };
    let raw = json!({
        "state": "IDLE", "position": [i64::MAX, i64::MIN],
        "needs": { "hunger": i32::MIN, "fun": i32::MAX, (long.clone()): 3 },
        "current": { "name": long, "takes": { (long.clone()): long } },
        "visible": visible,
        "options": [option("big", &"y".repeat(1 << 20)), option(&long, ""), option("small", "z")],
        "events": vec![talk; 10],
        "prose": vec![long; 100],
    });
    serde_json::from_value(raw).unwrap()
}

fn posted(request: &str, observation: MindObservation, withheld: Vec<String>) -> MindCommand {
    let told = vec![MindTold { request: request.to_owned(), observation, late: false }];
    MindCommand::Decide { told, withheld }
}

#[test]
fn a_command_to_the_run_itself_is_within_the_same_bounds() {
    let mut played = Played::new(None);
    let command = played.mind.check(posted("r", monstrous(), Vec::new())).unwrap();
    let events = played.feed(Happened::Commanded(command));
    let told = events.iter().find_map(|event| match event {
        MindEvent::Observed { told, .. } => Some(told),
        _ => None,
    });
    let told = told.unwrap();
    assert_eq!((told.needs["hunger"], told.needs["fun"]), (0, 100));
    assert_eq!(told.options.iter().map(|option| option.id.as_str()).collect::<Vec<_>>(), ["small"]);
    for fact in &played.facts {
        let bytes = Record::of(&Fact { event: fact.event.clone(), ..*fact }).body.get().len();
        assert!(bytes < 64 * 1024, "{bytes} bytes");
    }
    // The next prompt and the next decision hold it too.
    assert!(played.mind.checkpoint().unwrap().len() < 256 * 1024);
}

#[test]
fn what_was_not_bounded_in_an_older_log_does_not_stop_the_rules() {
    let mut played = Played::new(None);
    let events = played.feed(Happened::Commanded(posted("r", monstrous(), Vec::new())));
    assert!(events.iter().any(|event| matches!(event, MindEvent::Decided { .. })));
}

#[test]
fn names_of_calls_are_bounded_too() {
    let played = Played::new(None);
    let idle = || seen(&body("idle", json!({}), json!([])));
    let (long, short) = ("r".repeat(65), "r".repeat(64));
    assert!(played.mind.check(posted(&short, idle(), vec![short.clone()])).is_ok());
    assert!(played.mind.check(posted(&long, idle(), vec![])).is_err());
    assert!(played.mind.check(posted("", idle(), vec![])).is_err());
    assert!(played.mind.check(posted("r", idle(), vec![long])).is_err());
    assert!(played.mind.check(posted("r", idle(), vec![short; 65])).is_err());
}

#[test]
fn names_of_dimensions_are_bounded() {
    let config = MindConfig { dimensions: [("d".repeat(10_000), 7)].into(), ..MindConfig::default() };
    let bounded = config.bounded();
    let (name, value) = bounded.dimensions.first_key_value().unwrap();
    assert!(name.len() < 1_000 && *value == 7);
}

proptest! {
    #[test]
    fn what_is_within_its_bounds_stays_as_it_is(text in ".{0,400}", many in 0..80_usize, size in 0..3_000_usize) {
        let long = format!("{text}{}", "é".repeat(size));
        let said = json!({ "speaker_name": long, "message": long });
        let talk = event("INTERACTION_OBSERVATION", json!({ "conversation_history": vec![said; many] }));
        let mut told = body("idle", json!({ (long.clone()): 5 }), json!(vec![json!({ "display_name": long }); many]));
        told["goal"] = json!({ "options": vec![json!({ "option_id": long }); many] });
        let once = with_events(&told, &[talk]);
        prop_assert_eq!(once.clone().bounded(), once);
    }
}
