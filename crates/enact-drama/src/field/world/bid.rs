//! Bids: one protocol for one entity or a group, a contract net with holds.
//!
//! A call names a kind, a thing, people, or both. The bidder is held from the call on, a slot of the thing is
//! reserved with it, and those who accept are held until the bid is settled. In the tick of the last answer all
//! enter the interaction together; a refusal, the deadline or the loss of a participant releases everyone. Only
//! [`commit`](FieldWorld::commit) and [`release`](FieldWorld::release) end a bid.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    EntityId, FieldNote, FieldWorld, NpcState, SlotOwner, SlotUse,
    action::{NpcEvent, StateName},
    interaction::InteractionEnd,
};
use crate::field::kind::Between;

/// How long answers are waited for: 5 s.
pub const BID_TIMEOUT_TICKS: u32 = 50;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BidId(pub u32);

impl fmt::Display for BidId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bid_{}", self.0)
    }
}

/// Counts offers: an answer to another offer than the one that is open changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OfferEpoch(pub u32);

/// A bid that is not settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bid {
    pub id: BidId,
    pub by: EntityId,
    pub kind: u16,
    pub item: Option<EntityId>,
    pub invited: Vec<Invitation>,
    pub deadline: u32,
}

/// One of those who are asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    pub who: EntityId,
    pub epoch: OfferEpoch,
    pub accepted: bool,
}

/// How a bid was settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BidOutcome {
    Accepted,
    Rejected { reason: String },
}

/// What became of an answer to a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerEffect {
    Counted,
    /// The bid is settled, the offer is another, or it was answered before.
    Late,
    NotInvited,
}

/// What a call asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BidCall {
    pub kind: u16,
    pub item: Option<EntityId>,
    pub people: Vec<EntityId>,
}

impl FieldWorld {
    /// Calls for a START bid. What stands against it from the beginning is the reason it gives back; then
    /// nothing was held.
    pub(super) fn call(&mut self, by: EntityId, call: BidCall) -> Result<BidId, String> {
        self.check_call(by, &call)?;
        let id = BidId(self.next_bid);
        self.next_bid += 1;
        let mut invited = Vec::with_capacity(call.people.len());
        for who in &call.people {
            invited.push(Invitation { who: *who, epoch: OfferEpoch(self.next_epoch), accepted: false });
            self.next_epoch += 1;
        }
        let bid = Bid {
            id,
            by,
            kind: call.kind,
            item: call.item,
            invited,
            deadline: self.tick + BID_TIMEOUT_TICKS,
        };
        if let Some(npc) = self.npc_mut(by) {
            npc.hold = Some(id);
            npc.walk = None;
            npc.state = NpcState::Requesting { bid: id };
        }
        if let Some(item) = call.item {
            // One slot for each who may come: reserved with the hold, so that no seat is promised twice.
            let comers: Vec<EntityId> = [by].into_iter().chain(call.people.iter().copied()).collect();
            let taken = &mut self.entities[item.0 as usize].taken;
            taken.extend(comers.into_iter().map(|by| SlotUse { by, owner: SlotOwner::Bid(id) }));
        }
        let busy =
            bid.invited.iter().find_map(|invitation| Some((invitation.who, self.busy(invitation.who)?)));
        self.tell(by, NpcEvent::InteractionBidPending { bid_id: id });
        for Invitation { who, epoch, .. } in bid.invited.clone() {
            if busy.is_none() {
                let received =
                    NpcEvent::InteractionBidReceived { bid_id: id, epoch, bidder_id: by, kind: bid.kind };
                self.tell_at_once(who, received);
            }
        }
        let is_alone = bid.invited.is_empty();
        self.bids.insert(id, bid);
        match busy {
            // Busy people refuse at once: a bid that only times out blocks its bidder for nothing.
            Some((who, why)) => self.release(id, &format!("Participant {who} rejected: {why}")),
            None if is_alone => self.commit(id),
            None => {}
        }
        Ok(id)
    }

    fn check_call(&self, by: EntityId, call: &BidCall) -> Result<(), String> {
        let kind = self.plan.kinds.get(usize::from(call.kind)).ok_or("Failed to create interaction")?;
        let npc = self.npc(by).ok_or("Entity type does not support interactions")?;
        if npc.hold.is_some() || npc.current_interaction.is_some() {
            return Err("An interaction is already in progress".to_owned());
        }
        let people = call.people.len() + 1;
        if kind.between == Between::Item && !call.people.is_empty() {
            return Err("Interaction requirements not met".to_owned());
        }
        if people < usize::from(kind.min) || people > usize::from(kind.max) {
            return Err(format!("{} takes {} to {} people", kind.name, kind.min, kind.max));
        }
        if let Some(item) = call.item {
            let entity = self.living(item).ok_or("Target destroyed while requesting interaction")?;
            if !entity.offers.contains(&call.kind) {
                return Err(format!("Interaction '{}' not found on target '{}'", kind.name, entity.name));
            }
            if entity.pos.distance(self.entities[by.0 as usize].pos) > u32::from(kind.range) {
                return Err("Interaction requirements not met".to_owned());
            }
            if entity.free_slots() < people {
                return Err("An interaction is already in progress".to_owned());
            }
        } else if kind.between != Between::People {
            return Err("Interaction requirements not met".to_owned());
        }
        for who in &call.people {
            let is_person = self.npc(*who).is_some() && *who != by;
            let twice = call.people.iter().filter(|other| *other == who).count() > 1;
            if !is_person || twice {
                return Err("Interaction requirements not met".to_owned());
            }
            if !self.is_near(by, *who, kind.range.max(CALLING_CELLS)) {
                return Err("Interaction requirements not met".to_owned());
            }
        }
        Ok(())
    }

    /// Why a character cannot take part in anything new now.
    pub(super) fn busy(&self, who: EntityId) -> Option<&'static str> {
        let npc = self.npc(who)?;
        match npc.state.name() {
            _ if npc.hold.is_some() => Some("An interaction is already in progress"),
            StateName::Interacting | StateName::Requesting => Some("An interaction is already in progress"),
            _ => None,
        }
    }

    /// Takes an answer to a bid. Late and repeated ones are recorded and change nothing.
    pub(super) fn answer_bid(
        &mut self,
        who: EntityId,
        id: BidId,
        epoch: Option<OfferEpoch>,
        accept: bool,
        reason: &str,
    ) -> AnswerEffect {
        let effect = self.answer_effect(who, id, epoch);
        if effect != AnswerEffect::Counted {
            self.note(FieldNote::AnswerIgnored { tick: self.tick, bid: id, who, accept, effect });
            return effect;
        }
        if !accept {
            let reason = if reason.is_empty() { "no" } else { reason };
            self.release(id, &format!("Participant {who} rejected: {reason}"));
            return effect;
        }
        // Accepting holds: a character that is held for another bid meanwhile cannot.
        if let Some(why) = self.busy(who) {
            self.release(id, &format!("Participant {who} rejected: {why}"));
            return effect;
        }
        if let Some(npc) = self.npc_mut(who) {
            npc.hold = Some(id);
        }
        let mut all = false;
        if let Some(bid) = self.bids.get_mut(&id) {
            for invitation in bid.invited.iter_mut().filter(|invitation| invitation.who == who) {
                invitation.accepted = true;
            }
            all = bid.invited.iter().all(|invitation| invitation.accepted);
        }
        if all {
            self.commit(id);
        }
        effect
    }

    fn answer_effect(&self, who: EntityId, id: BidId, epoch: Option<OfferEpoch>) -> AnswerEffect {
        let Some(bid) = self.bids.get(&id) else { return AnswerEffect::Late };
        let Some(invitation) = bid.invited.iter().find(|invitation| invitation.who == who) else {
            return AnswerEffect::NotInvited;
        };
        let is_other = epoch.is_some_and(|epoch| epoch != invitation.epoch);
        if is_other || invitation.accepted { AnswerEffect::Late } else { AnswerEffect::Counted }
    }

    /// Everyone of a bid enters the interaction, all in this tick. If one of them is gone, or the thing,
    /// all are released instead.
    fn commit(&mut self, id: BidId) {
        let Some(bid) = self.bids.get(&id) else { return };
        let item_gone = bid.item.is_some_and(|item| self.living(item).is_none());
        let mut members = vec![bid.by];
        members.extend(bid.invited.iter().map(|invitation| invitation.who));
        let lost = members.iter().any(|who| self.npc(*who).is_none_or(|npc| npc.hold != Some(id)));
        if item_gone || lost {
            return self.release(id, "Target destroyed while requesting interaction");
        }
        let Some(bid) = self.bids.remove(&id) else { return };
        for who in &members {
            if let Some(npc) = self.npc_mut(*who) {
                npc.hold = None;
            }
        }
        // Those who were promised a seat take it in the same breath.
        self.free_slots(SlotOwner::Bid(id), None, bid.item);
        self.settled(&bid, BidOutcome::Accepted);
        self.start(bid.kind, &members, bid.item, bid.by);
    }

    /// Ends a bid without an interaction: every hold and every slot of it is free again.
    pub(super) fn release(&mut self, id: BidId, reason: &str) {
        let Some(bid) = self.bids.remove(&id) else { return };
        self.free_slots(SlotOwner::Bid(id), None, bid.item);
        for Invitation { who, accepted, .. } in &bid.invited {
            if *accepted && let Some(npc) = self.npc_mut(*who) {
                npc.hold = None;
            }
            self.tell(*who, NpcEvent::InteractionBidCanceled { bid_id: id });
        }
        let name = self.plan.kinds[usize::from(bid.kind)].name.clone();
        let is_requesting = self.npc(bid.by).is_some_and(|npc| npc.hold == Some(id));
        if is_requesting {
            if let Some(npc) = self.npc_mut(bid.by) {
                npc.hold = None;
            }
            let (bid_id, reason) = (Some(id), reason.to_owned());
            self.tell(bid.by, NpcEvent::InteractionBidRejected { bid_id, interaction_name: name, reason });
            self.enter_idle(bid.by);
        }
        self.settled(&bid, BidOutcome::Rejected { reason: reason.to_owned() });
    }

    fn settled(&mut self, bid: &Bid, outcome: BidOutcome) {
        let with = bid.invited.iter().map(|invitation| invitation.who).collect();
        let note = FieldNote::BidSettled {
            tick: self.tick,
            bid: bid.id,
            by: bid.by,
            kind: bid.kind,
            item: bid.item,
            with,
            outcome,
        };
        self.note(note);
    }

    /// Releases bids whose time is up.
    pub(super) fn expire_bids(&mut self) {
        let expired: Vec<BidId> =
            self.bids.values().filter(|bid| bid.deadline <= self.tick).map(|bid| bid.id).collect();
        for id in expired {
            self.release(id, "Timed out waiting for responses");
        }
    }

    /// Releases every bid that an entity is part of.
    pub(super) fn release_bids_of(&mut self, lost: EntityId) {
        let has_part = |bid: &&Bid| {
            bid.by == lost
                || bid.item == Some(lost)
                || bid.invited.iter().any(|invitation| invitation.who == lost)
        };
        let bids: Vec<BidId> = self.bids.values().filter(has_part).map(|bid| bid.id).collect();
        for id in bids {
            self.release(id, "Target destroyed while requesting interaction");
        }
    }

    /// A CANCEL bid: ends the interaction of its bidder for everyone. The interaction itself accepts it, since
    /// leaving needs no consent either.
    pub(super) fn call_cancel(&mut self, by: EntityId) -> Result<(), String> {
        let current = self.npc(by).and_then(|npc| npc.current_interaction);
        let id = current.ok_or("No matching interaction to cancel")?;
        self.end(id, InteractionEnd::Cancelled);
        Ok(())
    }

    /// Frees the slots that were taken for something: of one person, or of all. Nothing else takes entries out.
    pub(super) fn free_slots(&mut self, owner: SlotOwner, of: Option<EntityId>, item: Option<EntityId>) {
        if let Some(entity) = item.and_then(|item| self.entities.get_mut(item.0 as usize)) {
            entity.taken.retain(|slot| slot.owner != owner || of.is_some_and(|of| of != slot.by));
        }
    }
}

/// How far people can be called to a group: they walk the rest.
const CALLING_CELLS: u16 = 5;
