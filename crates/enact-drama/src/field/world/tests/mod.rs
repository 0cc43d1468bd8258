//! Worlds in which characters act only when the test says so, and worlds in which everything goes wrong.

mod actions;
mod bids;
mod determinism;
mod interactions;
mod properties;
mod talking;
mod walking;

use std::sync::Arc;

use super::*;
use crate::field::read_field;

/// Four people around a table, with something to sit on and something to eat.
pub(super) const ROOM: &str = "---
things:
  T: { name: table, solid: true, slots: 4, offers: [cards] }
  S: { name: stool, offers: [sit] }
  B: { name: bread, offers: [consume] }
  L: { name: larder, solid: true, offers: [cook] }
  O: { name: stove, solid: true, offers: [] }
  W: { name: stew, offers: [consume] }
people:
  a: ada
  b: bob
  c: cyd
  d: dan
interactions:
  cook:
    gives: { fun: 1 }
    makes: stew
    steps:
      - { name: fetch, at: larder, seconds: 1 }
      - { name: prepare, at: stove, seconds: 2 }
      - { name: serve, at: table, seconds: 1 }
---
Four friends wait for their supper.

```map
############
#L.......O.#
#..a.b.....#
#...T...S..#
#..c.d..B..#
#.........W#
############
```
";

pub(super) fn world_of(text: &str, seed: u64) -> FieldWorld {
    let plan = read_field(text, "room").unwrap_or_else(|problem| panic!("{problem}: {:?}", problem.hint));
    FieldWorld::new(Arc::new(plan), seed)
}

/// A room in which people do only what they are told.
pub(super) struct Room {
    pub(super) world: FieldWorld,
}

impl Room {
    pub(super) fn new() -> Room {
        Room::of(ROOM)
    }

    pub(super) fn of(text: &str) -> Room {
        let mut world = world_of(text, 7);
        for at in 0..world.entities.len() {
            world.set_outside(EntityId(at as u32), true);
        }
        Room { world }
    }

    pub(super) fn id(&self, name: &str) -> EntityId {
        let found = self.world.entities.iter().position(|entity| entity.name.eq_ignore_ascii_case(name));
        EntityId(found.unwrap_or_else(|| panic!("there is no {name}")) as u32)
    }

    pub(super) fn npc(&self, name: &str) -> &Npc {
        self.world.npc(self.id(name)).unwrap_or_else(|| panic!("{name} is nobody"))
    }

    pub(super) fn state(&self, name: &str) -> StateName {
        self.npc(name).state.name()
    }

    pub(super) fn act(&mut self, name: &str, action: NpcAction) -> Result<(), String> {
        let id = self.id(name);
        let done = self.world.act(id, &action);
        self.check();
        done
    }

    pub(super) fn interact(
        &mut self,
        who: &str,
        with: &str,
        kind: &str,
        more: &[&str],
    ) -> Result<(), String> {
        let more = more.iter().map(|name| title(name)).collect();
        let (entity_name, interaction_name) =
            (self.world.living(self.id(with)).unwrap().name.to_string(), kind.to_owned());
        self.act(who, NpcAction::InteractWith { entity_name, interaction_name, additional_targets: more })
    }

    /// The newest bid that asks a character.
    pub(super) fn bid(&self) -> BidId {
        BidId(self.world.next_bid - 1)
    }

    pub(super) fn respond(&mut self, who: &str, bid_id: BidId, accept: bool) {
        let action =
            NpcAction::RespondToInteractionBid { bid_id, epoch: None, accept, reason: String::new() };
        self.act(who, action).unwrap();
    }

    /// A conversation of these people.
    pub(super) fn talk(&mut self, people: &[&str]) -> InteractionId {
        self.interact(people[0], people[1], "conversation", &people[2..]).unwrap();
        let bid = self.bid();
        for who in &people[1..] {
            self.respond(who, bid, true);
        }
        self.npc(people[0]).current_interaction.expect("they talk")
    }

    pub(super) fn ticks(&mut self, count: u32) {
        for _ in 0..count {
            self.world.tick();
            self.check();
            // Minds that never answer would be decided for by rules.
            let tick = self.world.tick;
            for npc in self.world.entities.iter_mut().filter_map(|entity| entity.npc.as_mut()) {
                if let Some(waiting) = &mut npc.client.in_flight {
                    waiting.since = tick;
                }
            }
        }
    }

    pub(super) fn check(&self) {
        assert_eq!(self.world.violations(), [""; 0], "in tick {}", self.world.tick);
    }

    pub(super) fn events(&self, name: &str) -> Vec<NpcEvent> {
        self.npc(name).client.unsent.iter().cloned().collect()
    }
}

fn title(name: &str) -> String {
    crate::report::title(name)
}

pub(super) fn said(text: &str) -> Reply {
    crate::reply::parse(&format!("[TONE: calm] \"{text}\"")).reply
}
