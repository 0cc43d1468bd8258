//! What must hold of a world after every tick, as one function over the whole of it.

use super::{EntityId, FieldWorld, NpcState, SlotOwner, action::StateName};
use crate::field::kind::FULL;

/// 30 s without progress towards an accepted goal, while trying.
pub const STUCK_TICKS: u32 = 300;

impl FieldWorld {
    /// Every invariant that does not hold, in words. Looks at everything: for tests, and behind a switch.
    pub fn violations(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.check_people(&mut found);
        self.check_interactions(&mut found);
        self.check_bids(&mut found);
        self.check_slots(&mut found);
        found
    }

    fn check_people(&self, found: &mut Vec<String>) {
        let (mut people, mut in_flight) = (0, 0);
        for (at, entity) in self.entities.iter().enumerate().filter(|(_, entity)| entity.alive) {
            let id = EntityId(at as u32);
            let Some(npc) = &entity.npc else { continue };
            people += 1;
            in_flight += usize::from(npc.client.in_flight.is_some());
            let mut wrong = |what: &str| found.push(format!("{} ({id}): {what}", entity.name));
            if self.grid.is_wall(entity.pos) || self.grid.people_at(entity.pos) == 0 {
                wrong("stands on a blocked place, or is missing in the grid");
            }
            if npc.needs.iter().any(|need| *need > FULL) {
                wrong("a need is above its maximum");
            }
            let interacts = npc.state == NpcState::Interacting;
            match npc.current_interaction {
                Some(current) => {
                    let member =
                        self.interactions.get(&current).is_some_and(|found| found.members.contains(&id));
                    if !interacts || !member {
                        wrong("has a current interaction without being in it");
                    }
                }
                None if interacts => wrong("INTERACTING in nothing: a lock without an interaction"),
                None => {}
            }
            if interacts && npc.hold.is_some() {
                wrong("held for a bid while interacting");
            }
            if let Some(hold) = npc.hold {
                let has_part = self.bids.get(&hold).is_some_and(|bid| {
                    bid.by == id || bid.invited.iter().any(|asked| asked.who == id && asked.accepted)
                });
                if !has_part {
                    wrong("held without a live bid");
                }
            }
            if let NpcState::Requesting { bid } = npc.state
                && npc.hold != Some(bid)
            {
                wrong("REQUESTING without its bid");
            }
            let walks = matches!(npc.state.name(), StateName::Moving | StateName::Wandering);
            if walks && npc.walk.is_none() {
                wrong("on its way to nowhere");
            }
            if !walks && !interacts && npc.walk.is_some() {
                wrong("walks in a state that does not");
            }
        }
        if self.grid.people_count() != people {
            found.push(format!("the grid counts {} people of {people}", self.grid.people_count()));
        }
        if self.in_flight != in_flight {
            found.push(format!("{} requests to minds are counted of {in_flight}", self.in_flight));
        }
    }

    fn check_interactions(&self, found: &mut Vec<String>) {
        for interaction in self.interactions.values() {
            let mut wrong = |what: &str| found.push(format!("{}: {what}", interaction.id));
            let kind = &self.plan.kinds[usize::from(interaction.kind)];
            let count = interaction.members.len();
            if count < usize::from(kind.min.max(1)) || count > usize::from(kind.max) {
                wrong("has fewer members than it needs, or more than it takes");
            }
            for (at, who) in interaction.members.iter().enumerate() {
                if interaction.members[..at].contains(who) {
                    wrong("has a member twice");
                }
                if self.npc(*who).and_then(|npc| npc.current_interaction) != Some(interaction.id) {
                    wrong("has a member who is not in it");
                }
            }
            if interaction.item.is_some_and(|item| self.living(item).is_none()) {
                wrong("goes on around a thing that is gone");
            }
            if let Some(talk) = &interaction.talk {
                if talk.floor.is_some_and(|floor| !interaction.members.contains(&floor.who)) {
                    wrong("the floor belongs to a character that is not a member");
                }
                if talk.had_floor.len() != count {
                    wrong("does not know who talks");
                }
            }
        }
    }

    fn check_bids(&self, found: &mut Vec<String>) {
        for bid in self.bids.values() {
            let mut wrong = |what: &str| found.push(format!("{}: {what}", bid.id));
            if bid.deadline < self.tick {
                wrong("is past its deadline");
            }
            if self.npc(bid.by).is_none_or(|npc| npc.hold != Some(bid.id)) {
                wrong("does not hold its bidder");
            }
            for asked in bid.invited.iter().filter(|asked| asked.accepted) {
                if self.npc(asked.who).is_none_or(|npc| npc.hold != Some(bid.id)) {
                    wrong("does not hold a character that has accepted");
                }
            }
            if bid.invited.iter().all(|asked| asked.accepted) {
                wrong("waits though everyone has answered");
            }
        }
    }

    fn check_slots(&self, found: &mut Vec<String>) {
        for entity in self.entities.iter().filter(|entity| entity.alive && !entity.is_npc()) {
            let mut wrong = |what: &str| found.push(format!("{}: {what}", entity.name));
            if entity.taken.len() > usize::from(entity.slots) {
                wrong("more slots are taken than there are");
            }
            for slot in &entity.taken {
                let is_live = match slot.owner {
                    SlotOwner::Bid(bid) => self.bids.contains_key(&bid),
                    SlotOwner::Interaction(id) => {
                        self.interactions.get(&id).is_some_and(|found| found.members.contains(&slot.by))
                    }
                };
                if !is_live {
                    wrong("a slot is taken for nothing");
                }
            }
        }
    }

    /// Those who have tried for [`STUCK_TICKS`] and come no nearer. Those who wait, talk or sit are not trying.
    pub fn stuck(&self) -> Vec<EntityId> {
        let is_stuck = |at: usize| {
            let entity = &self.entities[at];
            let walk = entity.npc.as_ref().filter(|_| entity.alive).and_then(|npc| npc.walk.as_ref());
            walk.is_some_and(|walk| self.tick >= walk.nearest_at + STUCK_TICKS)
        };
        (0..self.entities.len()).filter(|at| is_stuck(*at)).map(|at| EntityId(at as u32)).collect()
    }
}
