//! Interactions: who takes part, for how long, what it does to them, and how it ends.
//!
//! **Invariant:** the members of an interaction are those who are INTERACTING in it and those whose
//! `current_interaction` it is. Only [`enter`](FieldWorld::enter) and [`leave`](FieldWorld::leave) change any
//! of the three, and both change all.

use std::{fmt, ops::Bound};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    EntityId, FieldNote, FieldWorld, NpcState, Pos, SlotOwner, SlotUse, action::NpcEvent, talk::Talk,
};
use crate::field::kind::{BeginsBy, Between, FULL, InteractionKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InteractionId(pub u32);

impl fmt::Display for InteractionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "interaction_{}", self.0)
    }
}

/// An interaction under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Interaction {
    pub id: InteractionId,
    pub kind: u16,
    pub item: Option<EntityId>,
    /// In the order in which they came.
    pub members: Vec<EntityId>,
    pub started: u32,
    /// The step it is at, and when that ends; until everyone is in place it does not.
    pub step: usize,
    pub step_ends: Option<u32>,
    pub talk: Option<Talk>,
}

/// Why an interaction ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InteractionEnd {
    /// It took as long as it takes.
    Completed,
    /// Everyone's, by a CANCEL bid.
    Cancelled,
    InsufficientParticipants,
    /// The thing is gone.
    ItemGone,
    /// A place that its next step needs cannot be reached.
    Blocked,
}

impl InteractionEnd {
    pub fn as_str(self) -> &'static str {
        match self {
            InteractionEnd::Completed => "completed",
            InteractionEnd::Cancelled => "cancelled",
            InteractionEnd::InsufficientParticipants => "insufficient_participants",
            InteractionEnd::ItemGone => "item_gone",
            InteractionEnd::Blocked => "blocked",
        }
    }
}

impl FieldWorld {
    /// Begins an interaction for all of them together. They are free of holds by now.
    pub(super) fn start(&mut self, kind: u16, members: &[EntityId], item: Option<EntityId>, by: EntityId) {
        let id = InteractionId(self.next_interaction);
        self.next_interaction += 1;
        let talk = self.plan.kinds[usize::from(kind)].talk.then(|| Talk::new(self.tick));
        let interaction = Interaction {
            id,
            kind,
            item,
            members: Vec::new(),
            started: self.tick,
            step: 0,
            step_ends: None,
            talk,
        };
        self.interactions.insert(id, interaction);
        self.note(FieldNote::InteractionStarted {
            tick: self.tick,
            id,
            kind,
            item,
            by,
            members: members.to_vec(),
        });
        // All are members before anyone hears of it: an observation must not come before its reader.
        for who in members {
            self.enter(*who, id);
        }
        for who in members {
            self.tell(*who, NpcEvent::InteractionStarted { interaction_id: id, kind });
        }
        self.begin_step(id);
    }

    /// A character joins while it runs.
    pub(super) fn join(&mut self, who: EntityId, id: InteractionId) -> Result<(), String> {
        let interaction = self.interactions.get(&id).ok_or("No matching interaction")?;
        let kind = &self.plan.kinds[usize::from(interaction.kind)];
        if !self.is_joinable(interaction, kind) {
            return Err("An interaction is already in progress".to_owned());
        }
        let near = match interaction.item {
            Some(item) => self.is_near(who, item, kind.range.max(1)),
            None => interaction.members.iter().any(|member| self.is_near(who, *member, kind.range)),
        };
        if !near {
            return Err("Interaction requirements not met".to_owned());
        }
        let kind = interaction.kind;
        if let Some(npc) = self.npc_mut(who) {
            npc.walk = None;
        }
        self.enter(who, id);
        self.note(FieldNote::Joined { tick: self.tick, id, who });
        self.tell(who, NpcEvent::InteractionStarted { interaction_id: id, kind });
        self.begin_step(id);
        Ok(())
    }

    /// Whether there is room for one more who comes by themselves.
    pub(super) fn is_joinable(&self, interaction: &Interaction, kind: &InteractionKind) -> bool {
        let has_slot = |item: EntityId| self.living(item).is_some_and(|item| item.free_slots() > 0);
        kind.open
            && interaction.members.len() < usize::from(kind.max)
            && interaction.item.is_none_or(has_slot)
    }

    /// Adds a member: the one place where people become INTERACTING.
    fn enter(&mut self, who: EntityId, id: InteractionId) {
        let Some(interaction) = self.interactions.get_mut(&id) else { return };
        interaction.members.push(who);
        if let Some(talk) = &mut interaction.talk {
            talk.joined(who);
        }
        if let Some(item) = interaction.item {
            let slot = SlotUse { by: who, owner: SlotOwner::Interaction(id) };
            self.entities[item.0 as usize].taken.push(slot);
        }
        if let Some(npc) = self.npc_mut(who) {
            npc.walk = None;
            npc.state = NpcState::Interacting;
            npc.current_interaction = Some(id);
        }
    }

    /// A member leaves, without anyone's consent and at once. Below the minimum the others are let go too.
    pub(super) fn leave(&mut self, who: EntityId) {
        let Some(id) = self.npc(who).and_then(|npc| npc.current_interaction) else { return };
        self.let_go(who, id);
        self.note(FieldNote::Left { tick: self.tick, id, who });
        self.tell(who, NpcEvent::InteractionCanceled { interaction_id: id });
        self.enter_idle(who);
        let Some(interaction) = self.interactions.get(&id) else { return };
        let min = usize::from(self.plan.kinds[usize::from(interaction.kind)].min);
        if interaction.members.len() < min.max(1) {
            self.end(id, InteractionEnd::InsufficientParticipants);
        }
    }

    /// Removes a member: slot, membership, floor and lock go together.
    fn let_go(&mut self, who: EntityId, id: InteractionId) {
        let Some(interaction) = self.interactions.get_mut(&id) else { return };
        interaction.members.retain(|member| *member != who);
        if let Some(talk) = &mut interaction.talk {
            talk.left(who);
        }
        let item = interaction.item;
        self.free_slots(SlotOwner::Interaction(id), Some(who), item);
        if let Some(npc) = self.npc_mut(who) {
            npc.current_interaction = None;
            npc.walk = None;
        }
    }

    /// Ends it for everyone: the one event that people and things alike end with.
    pub(super) fn end(&mut self, id: InteractionId, reason: InteractionEnd) {
        let Some(interaction) = self.interactions.get(&id) else { return };
        let (members, item, kind_index) =
            (interaction.members.clone(), interaction.item, usize::from(interaction.kind));
        for who in &members {
            self.let_go(*who, id);
        }
        self.interactions.remove(&id);
        self.note(FieldNote::InteractionEnded { tick: self.tick, id, reason });
        for who in &members {
            let reason = reason.as_str().to_owned();
            self.tell(*who, NpcEvent::InteractionFinished { interaction_id: id, reason });
            self.enter_idle(*who);
        }
        if reason == InteractionEnd::Completed {
            self.completed(kind_index, &members, item);
        }
    }

    /// What a completed interaction leaves: less of the thing, something made, the next interaction.
    fn completed(&mut self, kind: usize, members: &[EntityId], item: Option<EntityId>) {
        let (uses, makes, then, pause) = {
            let kind = &self.plan.kinds[kind];
            (kind.uses, kind.makes, kind.then, kind.pause_ticks)
        };
        if pause > 0 {
            let until = self.tick + pause;
            for who in members {
                if let Some(npc) = self.npc_mut(*who) {
                    npc.left_alone_until = until;
                }
            }
        }
        if let Some(item) = item.filter(|_| uses > 0) {
            let entity = &mut self.entities[item.0 as usize];
            entity.left = entity.left.saturating_sub(uses);
            if entity.left == 0 {
                self.remove(item);
            }
        }
        if let (Some(prototype), Some(first)) = (makes, members.first()) {
            let near =
                item.map_or(self.entities[first.0 as usize].pos, |item| self.entities[item.0 as usize].pos);
            if let Some(pos) = self.free_cell_near(near) {
                self.place(prototype, pos);
            }
        }
        if let Some(then) = then {
            self.chain(then, members, item);
        }
    }

    /// The same people go on with something else, as far as they may.
    fn chain(&mut self, kind: u16, members: &[EntityId], item: Option<EntityId>) {
        let next = &self.plan.kinds[usize::from(kind)];
        let still: Vec<EntityId> = members
            .iter()
            .copied()
            .filter(|who| self.npc(*who).is_some() && self.busy(*who).is_none())
            .take(usize::from(next.max))
            .collect();
        let item = match next.between {
            Between::People => None,
            Between::Item | Between::Group => item
                .filter(|item| self.living(*item).is_some_and(|thing| thing.offers.contains(&kind)))
                .filter(|item| self.entities[item.0 as usize].free_slots() >= still.len()),
        };
        let has_place = next.between == Between::People || item.is_some();
        let is_alone = still.len() > 1 && next.between == Between::Item;
        if still.len() >= usize::from(next.min) && has_place && !is_alone && !still.is_empty() {
            let by = still[0];
            self.start(kind, &still, item, by);
        }
    }

    /// Everything that a tick does to interactions, in the order of their ids. Those that begin meanwhile have
    /// their turn in the next.
    pub(super) fn run_interactions(&mut self) {
        let last = InteractionId(self.next_interaction);
        let mut from = Bound::Unbounded;
        while let Some(id) = self.fill_needs(from, last) {
            self.run_interaction(id);
            from = Bound::Excluded(id);
        }
    }

    /// Gives members what their interactions give, through the first one that has more to do.
    fn fill_needs(&mut self, from: Bound<InteractionId>, before: InteractionId) -> Option<InteractionId> {
        for (id, interaction) in self.interactions.range((from, Bound::Excluded(before))) {
            let kind = &self.plan.kinds[usize::from(interaction.kind)];
            for who in &interaction.members {
                let entity = &mut self.entities[who.0 as usize];
                let Some(npc) = entity.npc.as_deref_mut().filter(|npc| npc.walk.is_none()) else { continue };
                for (need, _) in &kind.rates {
                    let (need, rate) = (usize::from(*need), kind.rate_per_tick(usize::from(*need)));
                    npc.needs[need] = npc.needs[need].saturating_add_signed(rate).min(FULL);
                }
            }
            let is_over = kind.ticks.is_some_and(|ticks| self.tick >= interaction.started + ticks);
            let has_talk = interaction.talk.as_ref().is_some_and(|talk| talk.is_due(self.tick));
            if is_over || has_talk || !kind.steps.is_empty() {
                return Some(*id);
            }
        }
        None
    }

    fn run_interaction(&mut self, id: InteractionId) {
        let plan = std::sync::Arc::clone(&self.plan);
        let Some(interaction) = self.interactions.get(&id) else { return };
        let kind = &plan.kinds[usize::from(interaction.kind)];
        let (started, all_there) = (interaction.started, self.all_in_place(interaction));
        if interaction.talk.is_some() {
            self.run_talk(id);
        }
        if !kind.steps.is_empty() {
            return self.run_steps(id, kind, all_there);
        }
        if kind.ticks.is_some_and(|ticks| self.tick >= started + ticks) {
            self.end(id, InteractionEnd::Completed);
        }
    }

    fn all_in_place(&self, interaction: &Interaction) -> bool {
        interaction.members.iter().all(|who| self.npc(*who).is_some_and(|npc| npc.walk.is_none()))
    }

    /// Sends the members where the current step takes place, or around the thing they gather at.
    fn begin_step(&mut self, id: InteractionId) {
        let plan = std::sync::Arc::clone(&self.plan);
        let Some(interaction) = self.interactions.get_mut(&id) else { return };
        interaction.step_ends = None;
        let kind = &plan.kinds[usize::from(interaction.kind)];
        let (members, item, step) = (interaction.members.clone(), interaction.item, interaction.step);
        let place = match kind.steps.get(step) {
            Some(step) => step.at.as_deref().map(|name| self.nearest_named(name, members.first().copied())),
            None => {
                (kind.between == Between::Group).then(|| item.map(|item| self.entities[item.0 as usize].pos))
            }
        };
        match place {
            None => {}
            Some(None) => self.end(id, InteractionEnd::Blocked),
            Some(Some(place)) => members.into_iter().for_each(|who| {
                let pos = self.entities[who.0 as usize].pos;
                if pos.distance(place) > 1 {
                    self.walk_to(who, place);
                }
            }),
        }
    }

    fn run_steps(&mut self, id: InteractionId, kind: &InteractionKind, all_there: bool) {
        let tick = self.tick;
        let Some(interaction) = self.interactions.get_mut(&id) else { return };
        match interaction.step_ends {
            None if all_there => interaction.step_ends = Some(tick + kind.steps[interaction.step].ticks),
            Some(ends) if tick >= ends => {
                interaction.step += 1;
                if interaction.step == kind.steps.len() {
                    interaction.step -= 1;
                    return self.end(id, InteractionEnd::Completed);
                }
                self.begin_step(id);
            }
            _ => {}
        }
    }

    /// The nearest living thing of this name.
    fn nearest_named(&self, name: &str, to: Option<EntityId>) -> Option<Pos> {
        let from = self.entities[to?.0 as usize].pos;
        let things =
            self.entities.iter().filter(|entity| entity.alive && !entity.is_npc() && &*entity.name == name);
        things.map(|entity| entity.pos).min_by_key(|pos| (pos.distance(from), *pos))
    }

    /// Begins interactions that need no bid, between free people who are near each other.
    pub(super) fn begin_by_proximity(&mut self) {
        let kinds = 0..self.plan.kinds.len();
        let kinds: Vec<usize> =
            kinds.filter(|kind| self.plan.kinds[*kind].begins_by == BeginsBy::Proximity).collect();
        if kinds.is_empty() {
            return;
        }
        for at in 0..self.entities.len() {
            let who = EntityId(at as u32);
            // A tenth is looked at in each tick: greetings may come a little late.
            if !(at as u32).wrapping_add(self.tick).is_multiple_of(10) || !self.may_be_approached(who) {
                continue;
            }
            for kind in &kinds {
                let (range, most) = (self.plan.kinds[*kind].range, usize::from(self.plan.kinds[*kind].max));
                let min = usize::from(self.plan.kinds[*kind].min);
                let mut others = self.people_near(who, range);
                others.retain(|other| self.may_be_approached(*other));
                others.truncate(most.saturating_sub(1));
                if others.len() + 1 >= min {
                    others.insert(0, who);
                    self.start(*kind as u16, &others, None, who);
                    break;
                }
            }
        }
    }

    fn may_be_approached(&self, who: EntityId) -> bool {
        let Some(npc) = self.npc(who) else { return false };
        let is_free = matches!(npc.state, NpcState::Idle | NpcState::Waiting { .. } | NpcState::Wandering);
        is_free && npc.hold.is_none() && npc.left_alone_until <= self.tick
    }

    /// What a member is told of it: built by the interaction itself, whatever its kind.
    pub fn context_of(&self, id: InteractionId) -> Value {
        let Some(interaction) = self.interactions.get(&id) else { return Value::Null };
        let kind = &self.plan.kinds[usize::from(interaction.kind)];
        let mut context = json!({
            "interaction_name": kind.name,
            "duration": (self.tick - interaction.started) / crate::field::kind::TICKS_PER_SECOND,
        });
        if let Some(entity) = interaction.item.map(|item| &self.entities[item.0 as usize]) {
            context["entity_name"] = json!(&*entity.name);
            context["entity_position"] = json!({"x": entity.pos.x, "y": entity.pos.y});
            context["entity_type"] = json!("item");
        }
        if interaction.item.is_none() || interaction.members.len() > 1 {
            context["participant_count"] = json!(interaction.members.len());
        }
        context
    }
}
