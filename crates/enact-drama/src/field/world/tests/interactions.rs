//! Interactions: their life, their kinds, and what they leave.

use super::*;
use crate::field::kind::MILLI;

#[test]
fn everyone_in_it_can_act_and_leave_and_leavers_are_idle() {
    for leaver in ["ada", "bob", "cyd"] {
        let mut room = Room::new();
        let talk = room.talk(&["ada", "bob", "cyd"]);
        room.ticks(12);
        room.act(leaver, NpcAction::CancelInteraction { for_all: false }).unwrap();
        assert_eq!((room.state(leaver), room.npc(leaver).current_interaction), (StateName::Idle, None));
        assert_eq!(room.world.interactions[&talk].members.len(), 2, "the others go on without {leaver}");
        assert!(room.act(leaver, NpcAction::MoveTo { x: 1, y: 5 }).is_ok(), "unlocked");
    }
}

#[test]
fn below_the_minimum_it_ends_and_everyone_is_idle() {
    let mut room = Room::new();
    room.talk(&["ada", "bob"]);
    room.world.take_notes();
    room.act("bob", NpcAction::CancelInteraction { for_all: false }).unwrap();
    assert_eq!((room.state("ada"), room.state("bob")), (StateName::Idle, StateName::Idle));
    let ended = room.world.take_notes().into_iter().find_map(|note| match note {
        FieldNote::InteractionEnded { reason, .. } => Some(reason),
        _ => None,
    });
    assert_eq!(ended, Some(InteractionEnd::InsufficientParticipants));
}

#[test]
fn a_cancel_bid_ends_it_for_everyone() {
    let mut room = Room::new();
    room.talk(&["ada", "bob", "cyd"]);
    room.act("cyd", NpcAction::CancelInteraction { for_all: true }).unwrap();
    for who in ["ada", "bob", "cyd"] {
        assert_eq!(room.state(who), StateName::Idle, "{who}");
        let finished = |event: &NpcEvent| matches!(event, NpcEvent::InteractionFinished { .. });
        assert!(room.events(who).iter().any(finished), "{who}");
    }
}

#[test]
fn sitting_locks_and_restores_and_the_seat_is_free_after() {
    let mut room = Room::new();
    room.act("ada", NpcAction::MoveTo { x: 7, y: 3 }).unwrap();
    room.ticks(40);
    room.interact("ada", "stool", "sit", &[]).unwrap();
    let energy = room.npc("ada").needs[3];
    room.ticks(10);
    assert!(room.npc("ada").needs[3] >= energy + 8 * MILLI, "ten points a second, less what is lost");
    assert!(room.act("ada", NpcAction::Wander {}).is_err(), "locked");
    assert!(room.interact("bob", "stool", "sit", &[]).is_err(), "taken, and too far");
    let context = room.world.context_of(room.npc("ada").current_interaction.unwrap());
    assert_eq!((&context["interaction_name"], &context["entity_name"]), (&"sit".into(), &"stool".into()));
    assert_eq!(context["entity_type"], "item");
    room.act("ada", NpcAction::CancelInteraction { for_all: false }).unwrap();
    assert_eq!(room.world.entities[room.id("stool").0 as usize].free_slots(), 1);
}

#[test]
fn what_is_eaten_up_is_gone_and_ends_for_people_and_things_alike() {
    let mut room = Room::new();
    room.act("ada", NpcAction::MoveTo { x: 7, y: 4 }).unwrap();
    room.ticks(40);
    let bread = room.id("bread");
    for left in [75, 50, 25, 0] {
        room.interact("ada", "bread", "consume", &[]).unwrap();
        room.ticks(11);
        assert_eq!(room.state("ada"), StateName::Idle);
        assert_eq!(room.world.entities[bread.0 as usize].left, left);
    }
    assert!(room.world.living(bread).is_none());
}

#[test]
fn a_group_gathers_around_a_table_and_others_join_and_leave() {
    let mut room = Room::new();
    room.interact("ada", "table", "cards", &["bob"]).unwrap();
    let bid = room.bid();
    room.respond("bob", bid, true);
    let cards = room.npc("ada").current_interaction.unwrap();
    room.ticks(20);
    let table = room.world.entities[room.id("table").0 as usize].pos;
    for who in ["ada", "bob"] {
        assert!(room.world.entities[room.id(who).0 as usize].pos.distance(table) <= 1, "{who} sits down");
    }
    room.interact("cyd", "table", "cards", &[]).unwrap();
    assert_eq!(room.npc("cyd").current_interaction, Some(cards));
    room.act("ada", NpcAction::CancelInteraction { for_all: false }).unwrap();
    assert_eq!(room.world.interactions[&cards].members.len(), 2);
    room.ticks(300);
    assert_eq!(room.state("bob"), StateName::Idle, "a round is over after a while");
    assert_eq!(room.world.entities[room.id("table").0 as usize].free_slots(), 4);
}

#[test]
fn cooking_has_steps_in_several_places_and_leaves_a_stew() {
    let mut room = Room::new();
    room.act("ada", NpcAction::MoveTo { x: 2, y: 1 }).unwrap();
    room.ticks(40);
    let stews = |room: &Room| {
        room.world.entities.iter().filter(|thing| thing.alive && &*thing.name == "stew").count()
    };
    let before = stews(&room);
    room.interact("ada", "larder", "cook", &[]).unwrap();
    let mut steps = Vec::new();
    for _ in 0..300 {
        room.ticks(1);
        steps.extend(room.world.interactions.values().map(|cook| cook.step));
    }
    steps.dedup();
    assert_eq!(steps, [0, 1, 2], "fetch, prepare, serve");
    assert_eq!((room.state("ada"), stews(&room)), (StateName::Idle, before + 1));
}

/// A kind that no Rust knows.
const GREETING: &str = "---
things:
  S: { name: stool, offers: [sit] }
people:
  a: ada
  b: bob
interactions:
  greet:
    between: people
    begins: proximity
    range: 2
    people: [2, 2]
    gives: { fun: 5 }
    seconds: 2
    pause: 60
    then: chat
  chat:
    between: people
    people: [2, 3]
    talk: true
---
Two neighbours.

```map
#######
#a.b.S#
#######
```
";

#[test]
fn a_kind_from_a_file_alone_begins_by_proximity_and_chains() {
    let mut room = Room::of(GREETING);
    let mut kinds = Vec::new();
    for _ in 0..60 {
        room.ticks(1);
        kinds.extend(
            room.world
                .interactions
                .values()
                .map(|one| room.world.plan.kinds[usize::from(one.kind)].name.clone()),
        );
    }
    kinds.dedup();
    assert_eq!(kinds, ["greet", "chat"]);
    assert_eq!((room.state("ada"), room.state("bob")), (StateName::Interacting, StateName::Interacting));
    room.act("ada", NpcAction::CancelInteraction { for_all: true }).unwrap();
    room.ticks(80);
    assert!(room.world.interactions.is_empty(), "they are left alone for a minute");
}

#[test]
fn nobody_is_in_two_conversations() {
    let mut room = Room::new();
    room.talk(&["ada", "bob"]);
    // An open conversation is joined; a member of one can begin no other.
    room.interact("cyd", "bob", "conversation", &[]).unwrap();
    assert_eq!(room.world.interactions.len(), 1);
    assert!(room.interact("ada", "dan", "conversation", &[]).is_err());
    assert_eq!(room.world.interactions.len(), 1);
}

#[test]
fn a_thing_that_is_removed_ends_what_goes_on_around_it() {
    let mut room = Room::new();
    room.interact("ada", "table", "cards", &["bob"]).unwrap();
    let bid = room.bid();
    room.respond("bob", bid, true);
    let table = room.id("table");
    room.world.remove(table);
    room.check();
    assert_eq!((room.state("ada"), room.state("bob")), (StateName::Idle, StateName::Idle));
}
