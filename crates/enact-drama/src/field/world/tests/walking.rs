//! Ways, walls and people in them.

use super::*;

#[test]
fn people_walk_around_walls_and_stop_before_what_is_solid() {
    let mut room = Room::new();
    room.act("ada", NpcAction::MoveTo { x: 9, y: 1 }).unwrap();
    room.ticks(60);
    let ada = room.world.entities[room.id("ada").0 as usize].pos;
    assert_eq!((room.state("ada"), ada.distance(Pos::new(9, 1))), (StateName::Idle, 1), "beside the stove");
    assert!(room.act("bob", NpcAction::MoveTo { x: 0, y: 0 }).is_err(), "a wall");
    assert!(room.act("bob", NpcAction::MoveTo { x: 500, y: 2 }).is_err(), "outside");
}

#[test]
fn what_cannot_be_reached_is_blocked_and_nobody_is_stuck() {
    let text = "---\npeople:\n  a: ada\n  b: bob\n---\nA wall.\n\n```map\n#######\n#a.#.b#\n#######\n```\n";
    let mut room = Room::of(text);
    room.act("ada", NpcAction::MoveTo { x: 4, y: 1 }).unwrap();
    room.ticks(5);
    assert_eq!(room.state("ada"), StateName::Idle);
    let blocked = |event: &NpcEvent| {
        matches!(event, NpcEvent::MovementCompleted { status: MovementStatus::Blocked, .. })
    };
    assert!(
        room.world.take_mind_requests().iter().any(|request| request.events.iter().any(blocked))
            || room.events("ada").iter().any(blocked)
    );
    assert!(
        !room.world.visible_entities(room.id("ada")).iter().any(|seen| seen.display_name == "Bob"),
        "walls hide"
    );
}

#[test]
fn people_pass_each_other_in_a_corridor() {
    let text = "---\npeople:\n  a: ada\n  b: bob\n---\nA corridor.\n\n```map\n##########\n#a......b#\n##########\n```\n";
    let mut room = Room::of(text);
    room.act("ada", NpcAction::MoveTo { x: 8, y: 1 }).unwrap();
    room.act("bob", NpcAction::MoveTo { x: 1, y: 1 }).unwrap();
    room.ticks(60);
    let at = |room: &Room, name: &str| room.world.entities[room.id(name).0 as usize].pos.x;
    assert_eq!((at(&room, "ada"), at(&room, "bob")), (8, 1));
}

#[test]
fn a_way_is_searched_again_when_the_map_changes() {
    let mut room = Room::new();
    room.act("ada", NpcAction::MoveTo { x: 10, y: 1 }).unwrap();
    room.ticks(6);
    let table = room.world.plan.prototype_named("table").unwrap();
    for y in 1..=5 {
        let free = (y != 5).then_some(Pos::new(7, y));
        if let Some(pos) = free {
            room.world.place(table, pos);
        }
    }
    room.ticks(120);
    let ada = room.world.entities[room.id("ada").0 as usize].pos;
    assert_eq!(ada, Pos::new(10, 1), "through the one gap that is left");
}

#[test]
fn stuck_is_no_progress_while_trying() {
    let mut room = Room::new();
    room.act("ada", NpcAction::MoveTo { x: 10, y: 5 }).unwrap();
    let ada = room.id("ada");
    if let Some(walk) = room.world.npc_mut(ada).and_then(|npc| npc.walk.as_mut()) {
        walk.step_at = u32::MAX;
    }
    room.ticks(STUCK_TICKS - 1);
    assert_eq!(room.world.stuck(), []);
    room.ticks(2);
    assert_eq!(room.world.stuck(), [ada]);
    let mut sitting = Room::new();
    sitting.talk(&["bob", "cyd"]);
    sitting.ticks(90);
    assert_eq!(sitting.world.stuck(), [], "whoever talks is not trying to get anywhere");
}
