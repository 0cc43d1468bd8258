//! Whatever happens in a chorus: what its clients, its books and its list of files say of it is the same
//! story.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::Value;

use super::{
    properties::{finish, moves, play},
    *,
};
use crate::{
    chorus::report::{ChorusClientEvents, ChorusReport, metadata},
    production::{ClientEvent, ClientEvents, Report},
};

/// What clients hear of a whole log.
fn wire(stage: &Stage) -> Vec<ClientEvent> {
    let mut client = ChorusClientEvents::begin(&stage.facts[0]).unwrap();
    stage.facts.iter().filter_map(|fact| client.on_fact(fact)).collect()
}

fn named<'a>(events: &'a [ClientEvent], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event.name == name).map(|event| &event.data).collect()
}

/// All values of a field that stands anywhere in the list of files.
fn listed(stage: &Stage, field: &str) -> Vec<String> {
    let Some(paper) = stage.chorus.manifest(&stage.facts) else { return Vec::new() };
    let list: Value = serde_json::from_str(&paper.text).unwrap();
    let turns = list["turns"].as_object().unwrap().values();
    let entries = turns.flat_map(|turn| turn.as_array().unwrap());
    entries.filter_map(|entry| Some(entry.get(field)?.as_str()?.to_owned())).collect()
}

proptest! {
    #[test]
    fn every_call_is_in_the_books_once(slots in 1u8..=6, seed: u64, moves in moves()) {
        let mut stage = play(slots, seed, &moves);
        finish(&mut stage);
        let (mut open, mut made, mut used) = (BTreeSet::new(), 0, 0);
        for fact in &stage.facts {
            match &fact.event {
                ChorusEvent::SlotAsked { call, .. } => {
                    open.insert(*call);
                    made += 1;
                }
                // What was under way is asked again, and was paid for once already.
                ChorusEvent::Resumed {} => made += open.len() as u64,
                ChorusEvent::SlotSpoke { call, usage, .. }
                | ChorusEvent::SlotFailed { call, usage, .. }
                | ChorusEvent::CommentRefused { call, usage, .. } => {
                    open.remove(call);
                    used += usage.map_or(0, |usage| usage.uncached);
                }
                _ => {}
            }
        }
        let story = ChorusReport::of(&stage.facts).unwrap();
        let total = story.ledger.total();
        prop_assert_eq!(total.made(), made);
        prop_assert_eq!(total.input_tokens(), used);
    }

    #[test]
    fn clients_hear_how_everything_came_out(slots in 1u8..=6, seed: u64, moves in moves()) {
        let mut stage = play(slots, seed, &moves);
        finish(&mut stage);
        let events = wire(&stage);
        let key = |data: &&Value| (data["turnIndex"].as_u64(), data["slotId"].as_u64());
        let is_speech = |data: &Value| data["error"]["type"] == "tts_error";
        let mut came: Vec<_> = named(&events, "slot.done").iter().map(key).collect();
        came.extend(named(&events, "slot.error").iter().filter(|data| !is_speech(data)).map(key));
        let mut began: Vec<_> = named(&events, "slot.start").iter().map(key).collect();
        came.sort_unstable();
        began.sort_unstable();
        let cancelled = stage.chorus.ended() == Some("cancelled");
        prop_assert!(came == began || cancelled && came.iter().all(|one| began.contains(one)));
        let dones = named(&events, "done");
        prop_assert_eq!(dones.len(), 1);
        prop_assert_eq!(events.last().unwrap().name, "done");
        prop_assert_eq!(dones[0]["turns"].as_u64(), Some(named(&events, "turn.done").len() as u64));
        let told = metadata(&ChorusReport::of(&stage.facts).unwrap());
        prop_assert_eq!(dones[0]["completedSlots"].as_u64(), Some(told.completed_slots as u64));
        for comment in named(&events, "slot.done").iter().filter(|data| data["turnIndex"] == 2) {
            prop_assert!(comment["targetSlotId"].is_u64() && comment["comment"].is_string());
        }
    }

    #[test]
    fn what_can_be_heard_is_listed_and_nothing_else(slots in 1u8..=6, seed: u64, moves in moves()) {
        let mut stage = play(slots, seed, &moves);
        finish(&mut stage);
        let events = wire(&stage);
        let path = |data: &&Value| data["audioPath"].as_str().unwrap().to_owned();
        let announced: BTreeSet<String> = named(&events, "slot.audio").iter().map(path).collect();
        let files = listed(&stage, "audioPath");
        prop_assert_eq!(&files.iter().cloned().collect::<BTreeSet<_>>(), &announced);
        // Whatever was said can be heard, or it is known why not.
        let said = named(&events, "slot.done").len();
        prop_assert_eq!(files.len() + listed(&stage, "audioError").len(), said);
    }
}
