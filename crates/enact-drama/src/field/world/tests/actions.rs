//! The table of states and actions.

use super::*;

/// One action of each name.
fn actions() -> Vec<NpcAction> {
    vec![
        NpcAction::MoveTo { x: 1, y: 5 },
        NpcAction::InteractWith {
            entity_name: "Nobody".to_owned(),
            interaction_name: "sit".to_owned(),
            additional_targets: Vec::new(),
        },
        NpcAction::Wander {},
        NpcAction::Wait { reason: None },
        NpcAction::Continue {},
        NpcAction::ActInInteraction { message: "Hello".to_owned(), to: None },
        NpcAction::CancelInteraction { for_all: false },
        NpcAction::RespondToInteractionBid {
            bid_id: BidId(99),
            epoch: None,
            accept: true,
            reason: String::new(),
        },
    ]
}

fn room_in(state: StateName) -> Room {
    let mut room = Room::new();
    match state {
        StateName::Idle => {}
        StateName::Moving => room.act("ada", NpcAction::MoveTo { x: 9, y: 5 }).unwrap(),
        StateName::Wandering => room.act("ada", NpcAction::Wander {}).unwrap(),
        StateName::Waiting => room.act("ada", NpcAction::Wait { reason: None }).unwrap(),
        StateName::Requesting => room.interact("ada", "bob", "conversation", &[]).unwrap(),
        StateName::Interacting => drop(room.talk(&["ada", "bob"])),
    }
    assert_eq!(room.state("ada"), state);
    room
}

#[test]
fn an_action_that_a_state_does_not_take_gives_an_error_and_changes_nothing() {
    for state in StateName::ALL {
        for action in actions() {
            let mut room = room_in(state);
            let taken = state.takes().contains(&action.name()) || action.name() == RESPOND;
            let before = room.npc("ada").clone();
            let done = room.act("ada", action.clone());
            let refused = format!("Action '{}' not valid in {} state", action.name(), state.as_str());
            if taken {
                assert_ne!(done, Err(refused), "{state:?} {action:?}");
            } else {
                assert_eq!(done, Err(refused.clone()), "{state:?} {action:?}");
                let mut after = room.npc("ada").clone();
                assert_eq!(after.client.unsent.pop_back(), Some(NpcEvent::Error { message: refused }));
                assert_eq!(after, before, "{state:?} {action:?}");
            }
        }
    }
}

#[test]
fn only_what_is_seen_and_offers_it_can_be_addressed() {
    let mut room = Room::new();
    let not_found = room.interact("ada", "bread", "sit", &[]);
    assert_eq!(not_found, Err("Interaction 'sit' not found on target 'bread'".to_owned()));
    let missing = room.act(
        "ada",
        NpcAction::InteractWith {
            entity_name: String::new(),
            interaction_name: "sit".to_owned(),
            additional_targets: Vec::new(),
        },
    );
    assert_eq!(missing, Err("Missing target name or interaction name".to_owned()));
    assert_eq!(room.interact("ada", "stool", "sit", &[]), Err("Interaction requirements not met".to_owned()));
}

#[test]
fn minds_decide_every_three_seconds_and_at_once_when_idle_or_asked() {
    let mut room = Room::new();
    room.ticks(40);
    let first: Vec<EntityId> = room.world.take_mind_requests().iter().map(|request| request.npc).collect();
    assert_eq!(first.len(), 4, "each once, the second waits for the first answer");
    let ada = room.id("ada");
    let answer = |request: u32, action: NpcAction| MindAnswer { npc: ada, request, action, believes: None };
    assert!(room.world.answer(&answer(1, NpcAction::MoveTo { x: 2, y: 2 })));
    assert!(!room.world.answer(&answer(1, NpcAction::Wander {})), "twice");
    let arrived = (1..60).find(|_| {
        room.ticks(1);
        room.state("ada") == StateName::Idle
    });
    assert!(arrived.is_some(), "it arrives");
    room.ticks(1);
    let requests = room.world.take_mind_requests();
    let asked = requests.iter().find(|request| request.npc == ada).expect("at once on entering idle");
    assert_eq!(asked.events.len(), 1, "only what it was not told yet: {:?}", asked.events);
    assert!(!room.world.answer(&answer(1, NpcAction::Wander {})), "late");
    assert_eq!(room.state("ada"), StateName::Idle);
    assert!(room.world.late_answers >= 2);
}

#[test]
fn a_mind_that_believes_in_another_state_is_noted_and_mended() {
    let mut room = Room::new();
    room.ticks(31);
    let ada = room.id("ada");
    room.world.take_notes();
    let believes = Some(StateName::Interacting);
    room.world.answer(&MindAnswer { npc: ada, request: 1, action: NpcAction::Continue {}, believes });
    let notes = room.world.take_notes();
    assert!(matches!(notes[..], [FieldNote::MindDiffered { who, .. }] if who == ada), "{notes:?}");
    assert_eq!(room.npc("ada").memory.believes, Some(StateName::Idle));
}
