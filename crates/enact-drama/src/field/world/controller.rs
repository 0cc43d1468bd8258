//! Controllers: what becomes of an action. One that a state does not take gives an ERROR and changes nothing.

use super::{
    EntityId, FieldWorld, NpcState, Pos, Walk,
    action::{MovementStatus, NpcAction, NpcEvent},
    bid::BidCall,
    due::NEVER,
    paths::WayKnown,
};
use crate::{
    dice::Dice,
    field::kind::Between,
    reply::{Action, NEUTRAL, Reply},
};

/// How long a step takes: two and a half cells a second.
const STEP_TICKS: u32 = 4;
/// How long WAITING lasts: 3 s, the time of a decision.
const WAIT_TICKS: u32 = 30;
/// How far people wander.
const WANDER_CELLS: usize = 8;

impl FieldWorld {
    /// Carries out an action of a mind. Whatever is wrong with it is told to that mind.
    pub fn act(&mut self, id: EntityId, action: &NpcAction) -> Result<(), String> {
        let done = self.try_act(id, action);
        if let Err(message) = &done {
            self.errors += 1;
            self.tell(id, NpcEvent::Error { message: message.clone() });
        }
        done
    }

    fn try_act(&mut self, id: EntityId, action: &NpcAction) -> Result<(), String> {
        let npc = self.npc(id).ok_or("Entity type does not support interactions")?;
        let state = npc.state.name();
        if !action.is_taken_in(state) {
            return Err(format!("Action '{}' not valid in {} state", action.name(), state.as_str()));
        }
        let is_held = npc.hold.is_some();
        match action {
            NpcAction::Continue {} => Ok(()),
            NpcAction::RespondToInteractionBid { bid_id, epoch, accept, reason } => {
                self.answer_bid(id, *bid_id, *epoch, *accept, reason);
                Ok(())
            }
            NpcAction::Wait { .. } if state == super::action::StateName::Requesting => Ok(()),
            // A character that has accepted a bid is promised to others until it is settled.
            NpcAction::MoveTo { .. } | NpcAction::Wander {} | NpcAction::InteractWith { .. } if is_held => {
                Err(format!("Cannot {} while movement is locked", action.name()))
            }
            NpcAction::Wait { .. } => {
                let until = self.tick + WAIT_TICKS;
                self.change_state(id, NpcState::Waiting { until });
                Ok(())
            }
            NpcAction::MoveTo { x, y } => {
                let goal = Pos::new(*x, *y);
                if self.grid.is_wall(goal) {
                    return Err(format!("Target not found: ({x},{y})"));
                }
                self.change_state(id, NpcState::Moving);
                self.walk_to(id, goal);
                Ok(())
            }
            NpcAction::Wander {} => {
                let Some(goal) = self.wander_goal(id) else {
                    let until = self.tick + WAIT_TICKS;
                    self.change_state(id, NpcState::Waiting { until });
                    return Ok(());
                };
                self.change_state(id, NpcState::Wandering);
                self.walk_to(id, goal);
                Ok(())
            }
            NpcAction::InteractWith { entity_name, interaction_name, additional_targets } => {
                self.interact_with(id, entity_name, interaction_name, additional_targets)
            }
            NpcAction::ActInInteraction { message, to } => self.speak(id, message, to.as_deref()),
            NpcAction::CancelInteraction { for_all: true } => self.call_cancel(id),
            NpcAction::CancelInteraction { for_all: false } => {
                self.leave(id);
                Ok(())
            }
        }
    }

    fn interact_with(
        &mut self,
        id: EntityId,
        entity_name: &str,
        interaction_name: &str,
        additional: &[String],
    ) -> Result<(), String> {
        if entity_name.is_empty() || interaction_name.is_empty() {
            return Err("Missing target name or interaction name".to_owned());
        }
        let target =
            self.visible_named(id, entity_name).ok_or_else(|| format!("Target not found: {entity_name}"))?;
        let not_found = || format!("Interaction '{interaction_name}' not found on target '{entity_name}'");
        let kind =
            self.plan.kinds.iter().position(|kind| kind.name == interaction_name).ok_or_else(not_found)?;
        if !self.entities[target.0 as usize].offers.contains(&(kind as u16)) {
            return Err(not_found());
        }
        if let Some(running) = self.running_at(target, kind as u16) {
            let joined = self.join(id, running);
            return joined.map_err(|reason| self.rejected(id, interaction_name, reason));
        }
        let mut people = Vec::new();
        for name in additional {
            people.push(self.visible_named(id, name).ok_or_else(|| format!("Target not found: {name}"))?);
        }
        let item = match self.plan.kinds[kind].between {
            Between::People => {
                people.insert(0, target);
                None
            }
            Between::Item | Between::Group => Some(target),
        };
        let call = BidCall { kind: kind as u16, item, people };
        match self.call(id, call) {
            Ok(_) => Ok(()),
            Err(reason) => Err(self.rejected(id, interaction_name, reason)),
        }
    }

    /// Tells a mind that its request came to nothing before anyone was asked.
    fn rejected(&mut self, id: EntityId, interaction_name: &str, reason: String) -> String {
        let (bid_id, interaction_name) = (None, interaction_name.to_owned());
        self.tell(id, NpcEvent::InteractionBidRejected { bid_id, interaction_name, reason: reason.clone() });
        reason
    }

    /// An interaction of this kind that an entity is part of and that others may join.
    fn running_at(&self, target: EntityId, kind: u16) -> Option<super::InteractionId> {
        let entity = &self.entities[target.0 as usize];
        let running = match &entity.npc {
            Some(npc) => npc.current_interaction,
            None => entity.taken.iter().find_map(|slot| match slot.owner {
                super::SlotOwner::Interaction(id) => Some(id),
                super::SlotOwner::Bid(_) => None,
            }),
        }?;
        let interaction = self.interactions.get(&running)?;
        let of_kind = &self.plan.kinds[usize::from(kind)];
        (interaction.kind == kind && of_kind.open).then_some(running)
    }

    fn speak(&mut self, id: EntityId, message: &str, to: Option<&str>) -> Result<(), String> {
        let current = self.npc(id).and_then(|npc| npc.current_interaction);
        let interaction = current.ok_or("No matching interaction")?;
        let whispered_to = match to {
            None => None,
            Some(name) => {
                let members = self.interactions.get(&interaction).map(|found| found.members.clone());
                let is_named = |who: &EntityId| *self.entities[who.0 as usize].name == *name;
                let found = members.unwrap_or_default().into_iter().find(|who| *who != id && is_named(who));
                Some(found.ok_or_else(|| format!("Target not found: {name}"))?)
            }
        };
        let reply = Reply {
            action: Action::Speak,
            target: to.map(str::to_owned),
            tone: NEUTRAL.to_owned(),
            content: crate::text::one_line(message),
            interrupt_after: None,
            nonverbal: None,
        };
        let said = self.say(interaction, id, reply, whispered_to);
        said.map(drop).map_err(|why| format!("not said: {}", serde_json::to_string(&why).unwrap_or_default()))
    }

    /// Starts a walk. Whether the goal's own place can be stood on decides how near is near enough.
    pub(super) fn walk_to(&mut self, id: EntityId, goal: Pos) {
        let reach = u32::from(!self.grid.is_free(goal));
        let tick = self.tick;
        if let Some(npc) = self.npc_mut(id) {
            let (nearest, nearest_at, step_at) = (u32::MAX, tick, tick + 1);
            npc.walk = Some(Walk { goal, reach, searching: false, step_at, nearest, nearest_at });
        }
    }

    /// Moves everyone who walks, one step at most.
    pub(super) fn run_walks(&mut self) {
        for at in 0..self.entities.len() {
            if self.due.at(at).step > self.tick {
                continue;
            }
            let id = EntityId(at as u32);
            let next = match self.npc(id) {
                None => NEVER,
                // A character promised to others is told that it is free, or stays where it is.
                Some(npc) if npc.hold.is_some() && npc.walk.is_none() => NEVER,
                Some(npc) => match (&npc.walk, &npc.state) {
                    (Some(_), _) if npc.hold.is_some() => self.tick,
                    (Some(walk), _) if walk.searching => NEVER,
                    (Some(walk), _) => walk.step_at,
                    (None, NpcState::Waiting { until }) => *until,
                    (None, _) => NEVER,
                },
            };
            self.due.at(at).step = next;
            if next <= self.tick {
                match self.npc(id).is_some_and(|npc| npc.walk.is_some()) {
                    true => self.run_walk(id),
                    false => self.enter_idle(id),
                }
            }
        }
    }

    fn run_walk(&mut self, id: EntityId) {
        let (tick, from) = (self.tick, self.entities[id.0 as usize].pos);
        let Some(npc) = self.npc_mut(id) else { return };
        let held = npc.hold.is_some();
        let Some(walk) = &mut npc.walk else { return };
        if held {
            // A character promised to others stays, and is not trying meanwhile.
            walk.nearest_at = tick;
            return;
        }
        if walk.step_at > tick || walk.searching {
            return;
        }
        let (goal, reach) = (walk.goal, walk.reach);
        match self.ways.known(from, goal) {
            WayKnown::Unknown => {
                if let Some(walk) = self.npc_mut(id).and_then(|npc| npc.walk.as_mut()) {
                    walk.searching = true;
                }
                self.ways.wait(id);
            }
            WayKnown::Blocked => self.walk_ended(id, MovementStatus::Blocked),
            WayKnown::Steps(steps) if steps <= reach => self.walk_ended(id, MovementStatus::Arrived),
            WayKnown::Steps(steps) => self.step(id, from, goal, steps),
        }
    }

    fn step(&mut self, id: EntityId, from: Pos, goal: Pos, steps: u32) {
        let is_nearer = |pos: &Pos| match self.ways.known(*pos, goal) {
            WayKnown::Steps(there) => there < steps && self.grid.is_free(*pos),
            WayKnown::Blocked | WayKnown::Unknown => false,
        };
        let nearer: Vec<Pos> = self.grid.beside(from).filter(is_nearer).collect();
        // Around people where that is no detour, past them where it is.
        let to = nearer.iter().find(|pos| !self.grid.has_people(**pos)).or(nearer.first()).copied();
        let tick = self.tick;
        let Some(to) = to else {
            // The goal is taken up and there is no cell before it.
            return self.walk_ended(id, MovementStatus::StoppedShort);
        };
        self.grid.walk(id, from, to);
        self.entities[id.0 as usize].pos = to;
        self.moved.push(id);
        if let Some(walk) = self.npc_mut(id).and_then(|npc| npc.walk.as_mut()) {
            walk.step_at = tick + STEP_TICKS;
            if steps - 1 < walk.nearest {
                (walk.nearest, walk.nearest_at) = (steps - 1, tick);
            }
        }
    }

    fn walk_ended(&mut self, id: EntityId, status: MovementStatus) {
        let at = self.entities[id.0 as usize].pos;
        let Some(npc) = self.npc_mut(id) else { return };
        npc.walk = None;
        if let Some(interaction) = npc.current_interaction {
            // A character that cannot reach the place does not take part.
            if status != MovementStatus::Arrived {
                self.end(interaction, super::InteractionEnd::Blocked);
            }
            return;
        }
        self.tell(id, NpcEvent::MovementCompleted { status, at });
        self.enter_idle(id);
    }

    /// Searches ways within the budget of the tick.
    pub(super) fn search_ways(&mut self) {
        if self.ways.waiting() == 0 {
            return;
        }
        let entities = &self.entities;
        let wants = |id: EntityId| {
            let entity = entities.get(id.0 as usize).filter(|entity| entity.alive)?;
            let walk = entity.npc.as_ref()?.walk.as_ref().filter(|walk| walk.searching)?;
            Some((entity.pos, walk.goal))
        };
        for id in self.ways.search(&self.grid, wants) {
            if let Some(walk) = self.npc_mut(id).and_then(|npc| npc.walk.as_mut()) {
                walk.searching = false;
            }
        }
    }

    /// A cell to wander to that can be seen, if there is one.
    fn wander_goal(&self, id: EntityId) -> Option<Pos> {
        let from = self.entities[id.0 as usize].pos;
        let mut dice = self.dice(id, "wander");
        (0..4).find_map(|_| {
            let near = |cell: u16, size: u16, dice: &mut Dice| {
                let low = usize::from(cell).saturating_sub(WANDER_CELLS);
                let high = (usize::from(cell) + WANDER_CELLS).min(usize::from(size) - 1);
                (low + dice.below(high - low + 1)) as u16
            };
            let goal = Pos::new(
                near(from.x, self.grid.width(), &mut dice),
                near(from.y, self.grid.height(), &mut dice),
            );
            let is_good = goal != from
                && self.grid.is_free(goal)
                && !self.grid.has_people(goal)
                && self.grid.sees(from, goal);
            is_good.then_some(goal)
        })
    }

    pub(super) fn change_state(&mut self, id: EntityId, state: NpcState) {
        if let Some(npc) = self.npc_mut(id) {
            npc.walk = None;
            npc.state = state;
        }
    }

    /// The one way back to IDLE. It is decided at once what comes next.
    pub(super) fn enter_idle(&mut self, id: EntityId) {
        let tick = self.tick;
        if let Some(npc) = self.npc_mut(id) {
            npc.walk = None;
            npc.state = NpcState::Idle;
            npc.client.next_decision = tick;
        }
    }
}
