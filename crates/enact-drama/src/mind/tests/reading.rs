//! How observations are read.

use proptest::prelude::*;
use serde_json::json;

use super::super::observation::{GameCell, Generation, MindNews, MindObservation, TalkMessage};
use crate::field::world::StateName;

const WHOLE: &str = "# Current Status

## Position
You are at position (4,5).

## Position
You are at position (4,5).

## Current Interaction
You are currently sit.

## Controller State
- State: INTERACTING
- Interaction Name: sit
- Entity Position: (4,6)

## Needs
- Hunger: 85%
- Fun: 7%

## Visible Items

### Chair (at position (4,6))
Interactions:
- **sit**: Sit down: rest. Effects: Energy (+), Hunger (-)

### Bob (the old) (at position (-2,3))
Interactions:
- **conversation**: Talk with Bob

### ### Odd: Name (at position (1,1))

Interaction started: sit
Interaction request rejected: conversation
Reason: Interaction requirements not met
[ERROR] Target not found: Apple
# Environment

";

#[test]
fn a_whole_text_is_read() {
    let read = MindObservation::read_text(WHOLE);
    assert_eq!(read.generation, Generation::V1);
    assert_eq!((read.position, read.state), (Some(GameCell(4, 5)), Some(StateName::Interacting)));
    assert_eq!(read.current.as_ref().unwrap().name, "sit");
    assert_eq!(read.needs, [("fun".to_owned(), 7), ("hunger".to_owned(), 85)].into());
    let names: Vec<&str> = read.visible.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!(names, ["Chair", "Bob (the old)", "### Odd: Name"]);
    assert_eq!(read.visible[1].position, Some(GameCell(-2, 3)));
    let sit = &read.visible[0].offers[0];
    assert_eq!((sit.name.as_str(), sit.description.as_str()), ("sit", "Sit down: rest."));
    assert_eq!((&sit.fills[..], &sit.drains[..]), (&["energy".to_owned()][..], &["hunger".to_owned()][..]));
    assert_eq!(
        read.events,
        [
            MindNews::Started { interaction: "sit".to_owned(), id: String::new() },
            MindNews::BidRejected {
                interaction: "conversation".to_owned(),
                reason: "Interaction requirements not met".to_owned()
            },
            MindNews::Error { message: "Target not found: Apple".to_owned() },
        ]
    );
    assert_eq!(read.prose, Vec::<String>::new());
}

#[test]
fn single_lines_are_read_or_kept_as_prose() {
    let pending = |name: &str| MindNews::BidPending { interaction: name.to_owned() };
    for (text, events, prose) in [
        ("", vec![], vec![]),
        ("Requesting to start interaction: sit", vec![pending("sit")], vec![]),
        ("Requesting to start interaction: cancel", vec![pending("cancel")], vec![]),
        ("Reason: alone", vec![], vec!["Reason: alone"]),
        ("It rains.\n\nA lot.", vec![], vec!["It rains.", "A lot."]),
        ("## Needs\n- Hunger: lots\n- Hunger", vec![], vec!["- Hunger: lots", "- Hunger"]),
        ("## Visible Items\n### Chair\n- **sit** no", vec![], vec!["### Chair", "- **sit** no"]),
        ("## Position\nYou are at position (1).", vec![], vec!["You are at position (1)."]),
        (
            "Interaction finished: a: b",
            vec![MindNews::Finished { interaction: "a: b".to_owned(), id: "".into() }],
            vec![],
        ),
    ] {
        let read = MindObservation::read_text(text);
        assert_eq!(
            (read.events, read.prose),
            (events, prose.into_iter().map(str::to_owned).collect()),
            "{text:?}"
        );
    }
}

#[test]
fn messages_know_their_speakers_by_name_with_colons_too() {
    let text = "## Visible Items\n\n### Dr: Who (at position (1,1))\n\n[Conversation Update]\nParticipants: a, b\n\
                Recent messages:\n  Dr: Who: well: hello\n  Ann: hi\nthere\n  Bob: ok";
    let read = MindObservation::read_text(text);
    let said = |speaker: &str, text: &str| TalkMessage {
        speaker: speaker.to_owned(),
        text: text.to_owned(),
        ..TalkMessage::default()
    };
    let MindNews::Talk { participants, messages, .. } = &read.events[0] else { panic!("{read:?}") };
    assert_eq!(participants, &["a", "b"]);
    assert_eq!(messages, &[said("Dr: Who", "well: hello"), said("Ann", "hi\nthere"), said("Bob", "ok")]);
}

#[test]
fn json_is_read_as_far_as_it_means_something() {
    let odd = json!({
        "entity_id": 7, "current_simulation_time": 12.9,
        "status": { "position": [1.0, 2.0], "activity_state": { "state_name": "Moving" }, "movement_locked": true },
        "needs": { "needs": { "blood sugar": 5, "odd": "x" }, "max_value": 10 },
        "vision": { "visible_entities": [7, { "display_name": "X" }] },
        "goal": { "contract_version": 99, "options": [{ "option_id": 3, "score": 0.5 }, { "score": 1 }] },
        "inventory": [1, 2],
    });
    let read = MindObservation::read(&odd, &[json!(3), json!({ "event_type": "NEW_KIND" })]);
    assert_eq!((read.entity_id, read.time, read.position), (None, Some(12), Some(GameCell(1, 2))));
    assert_eq!((read.state, read.locked), (Some(StateName::Moving), true));
    assert_eq!(read.needs, [("blood sugar".to_owned(), 50)].into());
    assert_eq!(read.visible.len(), 2);
    assert_eq!(read.options[0].id, "3");
    assert_eq!(read.events, ["", "NEW_KIND"].map(|kind| MindNews::Other { kind: kind.to_owned() }));
}

fn lines() -> impl Strategy<Value = String> {
    let known = prop::sample::select(WHOLE.lines().collect::<Vec<_>>());
    let line = prop_oneof![known.prop_map(str::to_owned), "\\PC{0,60}", "[-#*:()\\[\\] a-z0-9]{0,40}"];
    prop::collection::vec(line, 0..60).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #[test]
    fn any_text_has_a_reading(text in prop_oneof![lines(), ".{0,400}"]) {
        let read = MindObservation::read_text(&text);
        // What is read fits into a log, and comes back as it was.
        let written = serde_json::to_string(&read).unwrap();
        prop_assert_eq!(serde_json::from_str::<MindObservation>(&written).unwrap(), read);
    }

    #[test]
    fn no_line_is_lost_without_a_meaning(line in "[a-z]{3,20} [a-z]{3,20}") {
        let read = MindObservation::read_text(&format!("# Current Status\n{line}\n# Environment"));
        prop_assert_eq!(read.prose, [line]);
    }
}
