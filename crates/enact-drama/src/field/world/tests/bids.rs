//! Bids: holds, refusals, lateness and loss.

use super::*;

#[test]
fn everyone_of_a_group_enters_in_the_tick_of_the_last_answer() {
    // In the wild: a registry that indexes only the host, and acceptors who stay idle.
    let mut room = Room::new();
    room.interact("ada", "bob", "conversation", &["cyd", "dan"]).unwrap();
    let bid = room.bid();
    room.respond("bob", bid, true);
    room.respond("cyd", bid, true);
    assert_eq!(room.state("bob"), StateName::Idle);
    assert_eq!(room.npc("bob").hold, Some(bid), "who has accepted is reserved until the commit");
    room.respond("dan", bid, true);
    let talk = room.npc("ada").current_interaction;
    assert!(talk.is_some());
    for who in ["ada", "bob", "cyd", "dan"] {
        assert_eq!(
            (room.state(who), room.npc(who).current_interaction),
            (StateName::Interacting, talk),
            "{who}"
        );
        let started = |event: &&NpcEvent| matches!(event, NpcEvent::InteractionStarted { .. });
        assert_eq!(room.events(who).iter().filter(started).count(), 1, "one transition for {who}");
        assert_eq!(room.npc(who).hold, None);
    }
    let context = room.world.context_of(talk.unwrap());
    assert_eq!(context["participant_count"], 4, "a conversation is not for two alone");
}

#[test]
fn any_refusal_releases_everyone() {
    let mut room = Room::new();
    room.interact("ada", "bob", "conversation", &["cyd"]).unwrap();
    let bid = room.bid();
    room.respond("bob", bid, true);
    room.respond("cyd", bid, false);
    for who in ["ada", "bob", "cyd"] {
        assert_eq!((room.state(who), room.npc(who).hold), (StateName::Idle, None), "{who}");
    }
    let rejected = |event: &NpcEvent| matches!(event, NpcEvent::InteractionBidRejected { .. });
    assert!(room.events("ada").iter().any(rejected));
}

#[test]
fn a_late_acceptance_does_not_revive_a_dead_bid() {
    let mut room = Room::new();
    room.interact("ada", "bob", "conversation", &["cyd"]).unwrap();
    let bid = room.bid();
    room.respond("bob", bid, true);
    room.ticks(BID_TIMEOUT_TICKS + 1);
    assert_eq!((room.state("ada"), room.npc("bob").hold), (StateName::Idle, None), "timed out, released");
    room.world.take_notes();
    room.respond("cyd", bid, true);
    assert!(room.world.interactions.is_empty());
    assert_eq!(room.state("cyd"), StateName::Idle);
    let notes = room.world.take_notes();
    let late = |note: &FieldNote| matches!(note, FieldNote::AnswerIgnored { effect: AnswerEffect::Late, .. });
    assert!(notes.iter().any(late), "recorded: {notes:?}");
}

#[test]
fn a_repeated_answer_and_one_to_another_offer_change_nothing() {
    let mut room = Room::new();
    room.interact("ada", "bob", "conversation", &["cyd"]).unwrap();
    let bid = room.bid();
    room.respond("bob", bid, true);
    room.respond("bob", bid, false);
    assert_eq!(room.npc("bob").hold, Some(bid), "the first answer stands");
    let (bid_id, epoch) = (bid, Some(OfferEpoch(9_999)));
    let other = NpcAction::RespondToInteractionBid { bid_id, epoch, accept: false, reason: String::new() };
    room.act("cyd", other).unwrap();
    room.respond("dan", bid, false);
    assert_eq!(room.state("ada"), StateName::Requesting, "an old offer, and somebody who was not asked");
    room.respond("cyd", bid, true);
    assert_eq!(room.state("cyd"), StateName::Interacting);
}

#[test]
fn busy_people_refuse_at_once() {
    let mut room = Room::new();
    room.talk(&["ada", "bob"]);
    room.interact("cyd", "dan", "conversation", &[]).unwrap();
    assert_eq!(room.state("cyd"), StateName::Requesting);
    let mut other = Room::new();
    other.interact("ada", "bob", "conversation", &[]).unwrap();
    // Ada waits for an answer: a bid to her is refused in the same tick.
    other.interact("cyd", "ada", "conversation", &[]).unwrap();
    assert_eq!(other.state("cyd"), StateName::Idle);
    let busy = other.events("cyd").into_iter().find_map(|event| match event {
        NpcEvent::InteractionBidRejected { reason, .. } => Some(reason),
        _ => None,
    });
    assert!(busy.unwrap().contains("already in progress"));
}

#[test]
fn nobody_is_held_twice() {
    let mut room = Room::new();
    room.interact("ada", "cyd", "conversation", &[]).unwrap();
    let first = room.bid();
    room.interact("bob", "cyd", "conversation", &["dan"]).unwrap();
    let second = room.bid();
    room.respond("cyd", second, true);
    room.respond("cyd", first, true);
    assert_eq!(room.npc("cyd").hold, Some(second));
    assert_eq!(room.state("ada"), StateName::Idle, "the other bid is refused at once");
    room.respond("dan", second, true);
    assert_eq!(room.state("cyd"), StateName::Interacting);
}

#[test]
fn losing_somebody_releases_the_others() {
    for lost in ["ada", "bob", "cyd"] {
        let mut room = Room::new();
        room.interact("ada", "bob", "conversation", &["cyd"]).unwrap();
        let bid = room.bid();
        room.respond("bob", bid, true);
        let id = room.id(lost);
        room.world.remove(id);
        room.check();
        assert!(room.world.bids.is_empty(), "{lost}");
        for who in ["ada", "bob", "cyd"].into_iter().filter(|who| *who != lost) {
            assert_eq!(
                (room.state(who), room.npc(who).hold),
                (StateName::Idle, None),
                "{who} without {lost}"
            );
        }
    }
}

#[test]
fn seats_are_reserved_with_the_hold_and_freed_with_it() {
    let mut room = Room::new();
    room.interact("ada", "table", "cards", &["bob", "cyd"]).unwrap();
    let (bid, table) = (room.bid(), room.id("table"));
    assert_eq!(room.world.entities[table.0 as usize].free_slots(), 1);
    assert!(room.interact("dan", "table", "cards", &["bob"]).is_err(), "two seats are not free");
    room.respond("bob", bid, false);
    assert_eq!(room.world.entities[table.0 as usize].free_slots(), 4);
    room.interact("ada", "table", "cards", &["bob"]).unwrap();
    let bid = room.bid();
    room.world.remove(table);
    room.check();
    room.respond("bob", bid, true);
    assert!(room.world.interactions.is_empty(), "the table is gone");
    assert_eq!((room.state("ada"), room.state("bob")), (StateName::Idle, StateName::Idle));
}

#[test]
fn people_whom_nobody_answers_stop_asking_for_longer_and_longer() {
    // Games whose people cannot accept exist: asking them again and again must not be all that anybody does.
    let mut world = world_of(ROOM, 3).with_small_talk();
    let deaf: Vec<EntityId> =
        (0..world.entities.len() as u32).map(EntityId).filter(|id| world.npc(*id).is_some()).collect();
    let (ada, others) = (deaf[0], &deaf[1..]);
    others.iter().for_each(|id| world.set_outside(*id, true));
    let mut asked = Vec::new();
    for tick in 0..6_000 {
        // Minds that never answer: time and again rules would decide for them, which is not what this is about.
        for id in others {
            if let Some(npc) = world.npc_mut(*id) {
                npc.client.next_decision = u32::MAX;
                if let Some(waiting) = &mut npc.client.in_flight {
                    waiting.since = tick;
                }
            }
        }
        world.tick();
        let called = |note: &FieldNote| matches!(note, FieldNote::BidSettled { by, with, outcome: BidOutcome::Rejected { .. }, .. } if *by == ada && !with.is_empty());
        asked.extend(world.take_notes().into_iter().filter(called).map(|_| world.tick));
    }
    assert!(asked.len() >= 3, "{asked:?}");
    assert!(asked.len() < 12, "{asked:?}");
}
