//! Characters that a program outside decides for.

use serde_json::json;

use super::{Played, plain, setup};
use crate::{
    field::{
        FieldCommand, FieldEvent, FieldRun,
        world::{EntityId, NpcAction, NpcEvent, StateName},
    },
    production::{ClientEvents, Happened, Production, fold},
};

fn drive(entity: &str, remote: bool) -> FieldCommand {
    FieldCommand::Drive { entity: entity.to_owned(), remote }
}

fn act(entity: &str, request: Option<u32>, decision: NpcAction) -> FieldCommand {
    FieldCommand::Act { entity: entity.to_owned(), request, decision, believes: None }
}

/// Plays on until the program is asked.
fn until_wanted(played: &mut Played) -> (EntityId, u32) {
    let from = played.facts.len();
    loop {
        let wanted = played.facts[from..].iter().find_map(|fact| match fact.event {
            FieldEvent::MindAwaited { npc, request, .. } => Some((npc, request)),
            _ => None,
        });
        if let Some(wanted) = wanted {
            return wanted;
        }
        assert!(played.step(&plain), "it is asked");
    }
}

fn place_of(played: &Played, id: EntityId) -> (u16, u16) {
    let pos = played.run.world().entities()[id.0 as usize].pos;
    (pos.x, pos.y)
}

#[test]
fn a_program_outside_is_asked_and_its_answer_is_done() {
    let mut played = Played::begin(setup(1));
    let mut told = played.run.client().unwrap();
    assert!(played.run.check_now(&act("Ada", None, NpcAction::Wander {})).is_err(), "nobody drives her");
    played.command(drive("Ada", true));
    let (ada, request) = until_wanted(&mut played);
    let events: Vec<_> = played.facts[1..].iter().filter_map(|fact| told.on_fact(fact)).collect();
    let wanted = events.iter().find(|event| event.name == "decision_wanted").expect("it is told");
    assert_eq!((&wanted.data["request"], &wanted.data["entity"]), (&json!(request), &json!(ada.to_string())));
    let observation = &wanted.data["observation"];
    assert_eq!(observation["name"], "Ada");
    assert!(observation["allowed_actions"].as_array().unwrap().contains(&json!("move_to")), "{observation}");
    let goal = NpcAction::MoveTo { x: 8, y: 3 };
    let events = played.command(act("Ada", Some(request), goal.clone()));
    assert!(matches!(events[..], [FieldEvent::Acted { .. }]), "{events:?}");
    for _ in 0..80 {
        played.step(&plain);
    }
    assert_eq!(place_of(&played, ada), (8, 3), "she walks where she was sent");
    // The same answer again, and one that nobody asked for.
    for request in [request, 99] {
        let events = played.command(act("Ada", Some(request), goal.clone()));
        let is_told = |event: &FieldEvent| matches!(event, FieldEvent::CommandRefused { error } if error.contains("too late"));
        assert!(events.last().is_some_and(is_told), "{events:?}");
    }
    let folded: FieldRun = fold(&played.facts).unwrap();
    assert_eq!((folded.world().hash(), folded.diverged()), (played.run.world().hash(), None));
    let written = played.run.checkpoint().unwrap();
    let read = FieldRun::restore(&played.facts[0], &written).unwrap();
    assert_eq!(read.rest.driven, played.run.rest.driven);
}

#[test]
fn an_action_that_the_state_does_not_take_is_an_error_for_both() {
    let mut played = Played::begin(setup(1));
    played.command(drive("Ada", true));
    let (ada, _) = until_wanted(&mut played);
    let events = played.command(act("Ada", None, NpcAction::CancelInteraction { for_all: false }));
    let error = "Action 'cancel_interaction' not valid in IDLE state";
    assert_eq!(events.last(), Some(&FieldEvent::CommandRefused { error: error.to_owned() }));
    let heard = &played.run.world().npc(ada).unwrap().client.unsent;
    assert_eq!(heard.back(), Some(&NpcEvent::Error { message: error.to_owned() }));
}

#[test]
fn rules_decide_where_the_program_is_silent_or_lets_go() {
    let mut played = Played::begin(setup(1));
    played.command(drive("Ada", true));
    let (ada, _) = until_wanted(&mut played);
    let before = played.run.world().timeouts;
    while played.run.world().timeouts == before {
        assert!(played.step(&plain), "ten seconds are enough");
    }
    played.command(drive("Ada", false));
    let from = played.facts.len();
    for _ in 0..200 {
        played.step(&plain);
    }
    let asked = |event: &FieldEvent| matches!(event, FieldEvent::MindAwaited { .. });
    assert!(!played.facts[from..].iter().any(|fact| asked(&fact.event)), "rules decide from then on");
    assert!(!played.run.world().npc(ada).unwrap().client.outside);
}

#[test]
fn a_belief_that_differs_is_noted_and_the_body_is_right() {
    let mut played = Played::begin(setup(1));
    played.command(drive("Ada", true));
    let (_, request) = until_wanted(&mut played);
    let command = FieldCommand::Act {
        entity: "Ada".to_owned(),
        request: Some(request),
        decision: NpcAction::Continue {},
        believes: Some(StateName::Interacting),
    };
    let events = played.happen(Happened::Commanded(command));
    let differed = |event: &FieldEvent| serde_json::to_string(event).unwrap().contains("mind_differed");
    assert!(events.iter().any(differed), "{events:?}");
}

#[test]
fn commands_are_written_as_the_documents_say() {
    let text = r#"{"command":"act","entity":"Ada","request":7,"decision":{"action":"move_to","parameters":{"x":3,"y":2}}}"#;
    let read: FieldCommand = serde_json::from_str(text).unwrap();
    assert_eq!(read, act("Ada", Some(7), NpcAction::MoveTo { x: 3, y: 2 }));
    let read: FieldCommand = serde_json::from_str(r#"{"command":"drive","entity":"Ada"}"#).unwrap();
    assert_eq!(read, drive("Ada", true));
    let wander = r#"{"command":"act","entity":"Ada","decision":{"action":"wander","parameters":{}}}"#;
    assert_eq!(serde_json::from_str::<FieldCommand>(wander).unwrap(), act("Ada", None, NpcAction::Wander {}));
}
