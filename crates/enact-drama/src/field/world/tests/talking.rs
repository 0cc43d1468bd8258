//! The floor of a conversation.

use super::*;

fn give_floor(room: &mut Room) -> (InteractionId, EntityId) {
    for _ in 0..300 {
        room.ticks(1);
        if let Some(wanted) = room.world.take_wanted_lines().first() {
            return *wanted;
        }
    }
    panic!("nobody got the floor");
}

#[test]
fn one_holds_the_floor_and_a_line_is_kept_only_if_it_is_still_wanted() {
    let mut room = Room::new();
    let talk = room.talk(&["ada", "bob", "cyd"]);
    let (_, speaker) = give_floor(&mut room);
    let others: Vec<EntityId> =
        room.world.interactions[&talk].members.iter().copied().filter(|who| *who != speaker).collect();
    assert_eq!(room.world.say(talk, others[0], said("Me first"), None), Err(NotSaid::FloorTaken));
    // The model of a character that has left answers late: its words must not be kept.
    let dan = room.id("dan");
    assert_eq!(room.world.say(talk, dan, said("Late"), None), Err(NotSaid::NotThere));
    room.world.act(speaker, &NpcAction::CancelInteraction { for_all: false }).unwrap();
    assert_eq!(room.world.say(talk, speaker, said("Goodbye"), None), Err(NotSaid::NotThere));
    assert!(room.world.interactions[&talk].talk.as_ref().unwrap().lines.is_empty());
    room.check();
    let (_, next) = give_floor(&mut room);
    assert_ne!(next, speaker, "the floor goes on");
}

#[test]
fn the_floor_goes_round_and_to_whoever_is_addressed() {
    let mut room = Room::new();
    let talk = room.talk(&["ada", "bob", "cyd"]);
    let mut spoke = Vec::new();
    for _ in 0..6 {
        let (_, who) = give_floor(&mut room);
        spoke.push(who);
        room.world.say(talk, who, said("Indeed it is so"), None).unwrap();
    }
    let all: std::collections::BTreeSet<_> = spoke[..3].iter().collect();
    assert_eq!(all.len(), 3, "everyone speaks: {spoke:?}");
    let (_, who) = give_floor(&mut room);
    let first = *spoke.iter().find(|other| **other != who).unwrap();
    let name = room.world.entities[first.0 as usize].name.to_string();
    let reply = crate::reply::parse(&format!("[TO: {name}] \"And you?\"")).reply;
    room.world.say(talk, who, reply, None).unwrap();
    assert_eq!(give_floor(&mut room).1, first);
}

#[test]
fn an_interruption_takes_the_floor_and_cuts_what_was_heard() {
    let mut room = Room::new();
    let talk = room.talk(&["ada", "bob"]);
    let (_, who) = give_floor(&mut room);
    room.world.say(talk, who, said("I always wanted to see the sea"), None).unwrap();
    let (_, other) = give_floor(&mut room);
    let reply = crate::reply::parse("[INTERRUPT after \"I always wanted\"] \"Not again!\"").reply;
    room.world.say(talk, other, reply, None).unwrap();
    let lines = &room.world.interactions[&talk].talk.as_ref().unwrap().lines;
    assert_eq!(lines[0].cut, Some("I always wanted".len()));
}

#[test]
fn a_whisper_is_heard_by_one_alone() {
    let mut room = Room::new();
    let talk = room.talk(&["ada", "bob", "cyd"]);
    let (_, who) = give_floor(&mut room);
    let members = room.world.interactions[&talk].members.clone();
    let to = *members.iter().find(|other| **other != who).unwrap();
    let third = *members.iter().find(|other| **other != who && **other != to).unwrap();
    room.world.say(talk, who, said("Between us"), Some(to)).unwrap();
    let line = room.world.interactions[&talk].talk.as_ref().unwrap().lines[0].clone();
    assert!(line.is_heard_by(to) && line.is_heard_by(who) && !line.is_heard_by(third));
}

#[test]
fn an_observation_comes_after_the_start() {
    let mut room = Room::new();
    let talk = room.talk(&["ada", "bob"]);
    let (_, who) = give_floor(&mut room);
    room.world.say(talk, who, said("Good evening"), None).unwrap();
    room.world.mind_requests.clear();
    for name in ["ada", "bob"].into_iter().filter(|name| room.id(name) != who) {
        let mut seen = room.events(name);
        seen.retain(|event| {
            matches!(event, NpcEvent::InteractionObservation { .. } | NpcEvent::InteractionStarted { .. })
        });
        let last = seen.last();
        assert!(matches!(last, Some(NpcEvent::InteractionObservation { .. })), "{seen:?}");
    }
}

#[test]
fn only_ten_lines_are_kept_and_a_silent_speaker_loses_the_floor() {
    let mut room = Room::new();
    let talk = room.talk(&["ada", "bob"]);
    for number in 0..14 {
        let (_, who) = give_floor(&mut room);
        room.world.say(talk, who, said(&format!("This is line {number}")), None).unwrap();
    }
    assert_eq!(room.world.interactions[&talk].talk.as_ref().unwrap().lines.len(), KEPT_LINES);
    let (_, who) = give_floor(&mut room);
    room.world.pass_floor(talk, who);
    assert_ne!(give_floor(&mut room).1, room.id("dan"));
}
