//! The same seed gives the same world, and a world that was written down goes on as it would have.

use super::*;

#[test]
fn the_same_seed_gives_the_same_world_and_another_another() {
    let play = |seed| {
        let mut world = world_of(ROOM, seed).with_small_talk();
        (0..2_000).for_each(|_| world.tick());
        world.hash()
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}

#[test]
fn a_world_that_was_written_down_goes_on_the_same() {
    let mut world = world_of(ROOM, 11).with_small_talk();
    (0..1_234).for_each(|_| world.tick());
    world.take_notes();
    let written = serde_json::to_string(&world).unwrap();
    let read: FieldWorld = serde_json::from_str(&written).unwrap();
    let mut read = read.restore(Arc::clone(world.plan()));
    assert_eq!(read.hash(), world.hash());
    for tick in 0..1_500 {
        world.tick();
        read.tick();
        if tick % 100 == 0 {
            assert_eq!(read.hash(), world.hash(), "{tick} ticks later");
        }
    }
    assert_eq!(read.take_notes(), world.take_notes());
}

#[test]
fn people_who_are_left_to_themselves_look_after_their_needs() {
    let mut world = world_of(ROOM, 5).with_small_talk();
    let mut kinds = std::collections::BTreeMap::<String, usize>::new();
    for _ in 0..6_000 {
        world.tick();
        assert_eq!(world.violations(), [""; 0], "in tick {}", world.tick);
        for note in world.take_notes() {
            if let FieldNote::InteractionStarted { kind, .. } = note {
                *kinds.entry(world.plan.kinds[usize::from(kind)].name.clone()).or_default() += 1;
            }
        }
    }
    for kind in ["sit", "consume", "cook", "conversation", "cards"] {
        assert!(kinds.get(kind).is_some_and(|count| *count > 0), "{kind}: {kinds:?}");
    }
    let differs = |npc: &Npc| npc.memory.believes.is_some_and(|believed| believed != npc.state.name());
    assert!(
        world.entities.iter().filter_map(|one| one.npc.as_deref()).filter(|npc| differs(npc)).count() < 4
    );
}

/// What the rules of version 1 come to: logs of it are simulated again by every later enact that has them. If this
/// changes, so does [`RULES_VERSION`].
#[test]
fn the_rules_of_a_version_stay_what_they_are() {
    let mut world = world_of(ROOM, 1).with_small_talk();
    (0..2_000).for_each(|_| world.tick());
    assert_eq!((RULES_VERSION, format!("{:016x}", world.hash())), (1, "75b99c2cd04dc6f5".to_owned()));
}
