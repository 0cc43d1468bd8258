//! The world of a field: pure, in ticks of 100 ms, in whole numbers, and the same for the same seed.
//!
//! Entities are a dense array by id, and everything is done in the order of ids: what happens must not depend
//! on the order in which things came about. Read in this order: `entity`, `grid` and `paths` (where everything
//! is), `action` and `controller` (what bodies do), `bid`, `interaction` and `talk` (what people do together),
//! `vision`, `mind_client` and `rules_mind` (how it is decided), `check` (what must hold).

mod action;
mod bid;
mod check;
mod controller;
mod due;
mod entity;
pub mod fuzz;
mod grid;
mod interaction;
mod mind_client;
mod note;
mod paths;
mod rules_mind;
mod talk;
mod vision;

#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    io::{self, Write},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use self::{due::Due, paths::Ways};
use super::{
    kind::{FULL, MILLI, MOST_NEEDS, TICKS_PER_SECOND},
    plan::FieldPlan,
};
use crate::{dice::Dice, reply::Reply};

pub use self::{
    action::{MovementStatus, NpcAction, NpcEvent, RESPOND, StateName},
    bid::{AnswerEffect, BID_TIMEOUT_TICKS, Bid, BidCall, BidId, BidOutcome, Invitation, OfferEpoch},
    check::STUCK_TICKS,
    entity::{Entity, EntityId, Npc, NpcState, SlotOwner, SlotUse, Walk},
    grid::{FieldGrid, Pos},
    interaction::{Interaction, InteractionEnd, InteractionId},
    mind_client::{
        CYCLE_TICKS, DecisionInFlight, MIND_TIMEOUT_TICKS, MOST_IN_FLIGHT, MindAnswer, MindClient,
        MindRequest,
    },
    note::FieldNote,
    rules_mind::RulesMemory,
    talk::{Floor, KEPT_LINES, NotSaid, SPEAKER_PAUSE_TICKS, Talk, TalkLine},
    vision::{EntityType, VisibleEntity},
};

/// The rules of the world. A log that was written by others is shown, not simulated: raise it with every change
/// that makes the same inputs come to something else.
pub const RULES_VERSION: u32 = 1;

/// The whole state of a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FieldWorld {
    /// What the author wrote: it is in the log's first fact, and not in checkpoints.
    #[serde(skip)]
    plan: Arc<FieldPlan>,
    seed: u64,
    tick: u32,
    grid: FieldGrid,
    entities: Vec<Entity>,
    bids: BTreeMap<BidId, Bid>,
    interactions: BTreeMap<InteractionId, Interaction>,
    ways: Ways,
    next_bid: u32,
    next_epoch: u32,
    next_interaction: u32,
    next_line: u32,
    /// How many requests to minds outside are under way.
    in_flight: usize,
    /// Whether people talk in set phrases, without actors.
    small_talk: bool,
    /// How many actions were refused, answers of minds came late, and minds did not answer in time.
    pub errors: u64,
    pub late_answers: u64,
    pub timeouts: u64,
    #[serde(skip)]
    notes: Vec<FieldNote>,
    #[serde(skip)]
    mind_requests: Vec<MindRequest>,
    #[serde(skip)]
    wanted_lines: Vec<(InteractionId, EntityId)>,
    /// Who has moved since this was taken.
    #[serde(skip)]
    moved: Vec<EntityId>,
    #[serde(skip)]
    due: Due,
}

impl FieldWorld {
    /// A world as its plan has it, before its first tick.
    pub fn new(plan: Arc<FieldPlan>, seed: u64) -> FieldWorld {
        let grid = FieldGrid::new(plan.width, plan.height, plan.walls.clone());
        let mut world = FieldWorld {
            seed,
            tick: 0,
            grid,
            entities: Vec::new(),
            bids: BTreeMap::new(),
            interactions: BTreeMap::new(),
            ways: Ways::default(),
            next_bid: 1,
            next_epoch: 1,
            next_interaction: 1,
            next_line: 1,
            in_flight: 0,
            small_talk: false,
            errors: 0,
            late_answers: 0,
            timeouts: 0,
            notes: Vec::new(),
            mind_requests: Vec::new(),
            wanted_lines: Vec::new(),
            moved: Vec::new(),
            due: Due::default(),
            plan,
        };
        let plan = Arc::clone(&world.plan);
        for (prototype, pos) in &plan.things {
            world.place(*prototype, *pos);
        }
        for person in &plan.people {
            world.place_person(&person.display, person.glyph, person.pos);
        }
        world.notes.clear();
        world
    }

    /// A world that was written down, with the plan it was made of.
    pub fn restore(mut self, plan: Arc<FieldPlan>) -> FieldWorld {
        self.plan = plan;
        self.grid.restore(self.entities.iter().map(|entity| entity.pos));
        self.ways.restore(&self.grid);
        self.due = Due::of(self.entities.len());
        self
    }

    /// People talk in set phrases: no model plays them.
    pub fn with_small_talk(mut self) -> FieldWorld {
        self.small_talk = true;
        self
    }

    /// 100 ms pass.
    pub fn tick(&mut self) {
        self.tick += 1;
        self.run_needs();
        self.run_interactions();
        self.begin_by_proximity();
        self.expire_bids();
        self.run_walks();
        self.search_ways();
        self.run_decisions();
        if self.small_talk {
            self.talk_small();
        }
    }

    fn run_needs(&mut self) {
        let needs = self.plan.needs.len();
        for npc in
            self.entities.iter_mut().filter(|entity| entity.alive).filter_map(|entity| entity.npc.as_mut())
        {
            for need in 0..needs {
                npc.needs[need] = npc.needs[need].saturating_sub(u32::from(npc.decay[need]));
            }
        }
    }

    /// What people say that no model plays.
    fn talk_small(&mut self) {
        for (id, who) in std::mem::take(&mut self.wanted_lines) {
            let turn =
                self.interactions.get(&id).and_then(|found| found.talk.as_ref()).map_or(0, |talk| talk.turns);
            let phrase = super::small_talk::phrase(turn, &mut self.dice(who, "small talk"));
            let reply = Reply {
                action: crate::reply::Action::Speak,
                target: None,
                tone: crate::reply::NEUTRAL.to_owned(),
                content: phrase.to_owned(),
                interrupt_after: None,
                nonverbal: None,
            };
            if self.say(id, who, reply, None).is_err() {
                self.pass_floor(id, who);
            }
        }
    }

    /// Something happens that everyone notices.
    pub fn happen(&mut self, text: &str) {
        for at in 0..self.entities.len() {
            self.tell_at_once(EntityId(at as u32), NpcEvent::Observation { text: text.to_owned() });
        }
    }

    /// Puts a thing somewhere. Nothing comes of it where a wall is, or where people stand and it is solid.
    pub fn place(&mut self, prototype: u16, pos: Pos) -> Option<EntityId> {
        let thing = self.plan.prototypes.get(usize::from(prototype))?.clone();
        if self.grid.is_wall(pos) || (thing.solid && (self.grid.has_people(pos) || !self.grid.is_free(pos))) {
            return None;
        }
        let entity = Entity {
            name: thing.name.as_str().into(),
            glyph: thing.glyph,
            pos,
            alive: true,
            solid: thing.solid,
            offers: thing.offers,
            left: 100,
            slots: thing.slots,
            taken: Vec::new(),
            npc: None,
        };
        Some(self.add(entity))
    }

    /// Adds a character.
    pub fn place_person(&mut self, name: &str, glyph: char, pos: Pos) -> Option<EntityId> {
        if !self.grid.contains(pos) || !self.grid.is_free(pos) {
            return None;
        }
        let id = self.entities.len() as u32;
        let mut dice = Dice::new(self.seed ^ (u64::from(id) << 32), "person", 0);
        let mut decay = [0u16; MOST_NEEDS];
        let mut needs = [FULL; MOST_NEEDS];
        for (at, need) in self.plan.needs.iter().enumerate() {
            let per_tick = |points: u32| points * MILLI / (60 * TICKS_PER_SECOND);
            let (least, most) = (per_tick(need.decay.0), per_tick(need.decay.1.max(need.decay.0)));
            decay[at] =
                (least as usize + dice.below((most - least) as usize + 1)).min(u16::MAX.into()) as u16;
            // Not everyone is hungry in the same moment.
            needs[at] = FULL - (dice.below(45) as u32) * MILLI;
        }
        let person_kinds = 0..self.plan.kinds.len() as u16;
        let is_social = |kind: &u16| self.plan.kinds[usize::from(*kind)].is_between_people();
        let npc = Npc {
            needs,
            decay,
            state: NpcState::Idle,
            walk: None,
            current_interaction: None,
            hold: None,
            left_alone_until: 0,
            // Not everyone decides in the same tick.
            client: MindClient::new(self.tick + 1 + id % CYCLE_TICKS),
            memory: RulesMemory::default(),
        };
        let entity = Entity {
            name: name.into(),
            glyph,
            pos,
            alive: true,
            solid: false,
            offers: person_kinds.filter(is_social).collect(),
            left: 100,
            slots: 0,
            taken: Vec::new(),
            npc: Some(Box::new(npc)),
        };
        Some(self.add(entity))
    }

    fn add(&mut self, entity: Entity) -> EntityId {
        let id = EntityId(self.entities.len() as u32);
        self.grid.add(id, entity.pos, entity.body());
        if entity.solid {
            self.map_changed();
        }
        let Pos { x, y } = entity.pos;
        self.note(FieldNote::Placed { tick: self.tick, id, name: entity.name.to_string(), x, y });
        self.entities.push(entity);
        self.due.add();
        id
    }

    /// Removes an entity from the world, and from everything it is part of.
    pub fn remove(&mut self, id: EntityId) -> bool {
        if self.living(id).is_none() {
            return false;
        }
        self.leave(id);
        self.release_bids_of(id);
        let around: Vec<InteractionId> =
            self.interactions.values().filter(|found| found.item == Some(id)).map(|found| found.id).collect();
        for interaction in around {
            self.end(interaction, InteractionEnd::ItemGone);
        }
        let entity = &mut self.entities[id.0 as usize];
        entity.alive = false;
        if let Some(npc) = &mut entity.npc {
            npc.walk = None;
            npc.state = NpcState::Idle;
            if npc.client.in_flight.take().is_some() {
                self.in_flight -= 1;
            }
        }
        let (pos, body, solid) = (entity.pos, entity.body(), entity.solid);
        self.grid.take(id, pos, body);
        if solid {
            self.map_changed();
        }
        self.note(FieldNote::Removed { tick: self.tick, id });
        true
    }

    /// Every way is searched again.
    fn map_changed(&mut self) {
        self.ways.forget();
        let tick = self.tick;
        for npc in self.entities.iter_mut().filter_map(|entity| entity.npc.as_mut()) {
            if let Some(walk) = &mut npc.walk {
                // What was near may be far now: progress is measured anew.
                (walk.nearest, walk.nearest_at) = (u32::MAX, tick);
            }
        }
    }

    fn free_cell_near(&self, pos: Pos) -> Option<Pos> {
        if self.grid.is_free(pos) {
            return Some(pos);
        }
        self.grid.beside(pos).find(|pos| self.grid.is_free(*pos))
    }

    /// Has an outside mind, or rules again, decide for a character.
    pub fn set_outside(&mut self, id: EntityId, outside: bool) {
        let Some(npc) = self.npc_mut(id) else { return };
        npc.client.outside = outside;
        if !outside && npc.client.in_flight.take().is_some() {
            self.in_flight -= 1;
        }
    }

    fn note(&mut self, note: FieldNote) {
        self.notes.push(note);
    }

    /// What there was to say since this was asked last.
    pub fn take_notes(&mut self) -> Vec<FieldNote> {
        std::mem::take(&mut self.notes)
    }

    /// What minds outside are to be asked.
    pub fn take_mind_requests(&mut self) -> Vec<MindRequest> {
        std::mem::take(&mut self.mind_requests)
    }

    /// Who has the floor and is to say something, where.
    pub fn take_wanted_lines(&mut self) -> Vec<(InteractionId, EntityId)> {
        std::mem::take(&mut self.wanted_lines)
    }

    /// Who has moved since this was asked last.
    pub fn take_moved(&mut self) -> Vec<EntityId> {
        let mut moved = std::mem::take(&mut self.moved);
        moved.sort_unstable();
        moved.dedup();
        moved
    }

    /// Whether minds outside are to be asked.
    pub fn wants_minds(&self) -> bool {
        !self.mind_requests.is_empty()
    }

    /// Whether a line is waited for.
    pub fn wants_lines(&self) -> bool {
        !self.wanted_lines.is_empty()
    }

    pub fn plan(&self) -> &Arc<FieldPlan> {
        &self.plan
    }

    pub fn now(&self) -> u32 {
        self.tick
    }

    pub fn grid(&self) -> &FieldGrid {
        &self.grid
    }

    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    pub fn interactions(&self) -> &BTreeMap<InteractionId, Interaction> {
        &self.interactions
    }

    pub fn bids(&self) -> &BTreeMap<BidId, Bid> {
        &self.bids
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What is to come is rolled anew.
    pub fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// An entity that is there.
    pub fn living(&self, id: EntityId) -> Option<&Entity> {
        self.entities.get(id.0 as usize).filter(|entity| entity.alive)
    }

    /// A person that is there.
    pub fn npc(&self, id: EntityId) -> Option<&Npc> {
        self.living(id)?.npc.as_deref()
    }

    /// A person that is there, to be changed: whatever it is, whoever goes by time looks at them again.
    fn npc_mut(&mut self, id: EntityId) -> Option<&mut Npc> {
        self.due.look_again(id);
        let entity = self.entities.get_mut(id.0 as usize).filter(|entity| entity.alive)?;
        entity.npc.as_deref_mut()
    }

    /// The interaction that an entity takes part in.
    fn running_of(&self, id: EntityId) -> Option<&Interaction> {
        let entity = self.living(id)?;
        let running = match &entity.npc {
            Some(npc) => npc.current_interaction,
            None => entity.taken.iter().find_map(|slot| match slot.owner {
                SlotOwner::Interaction(id) => Some(id),
                SlotOwner::Bid(_) => None,
            }),
        };
        self.interactions.get(&running?)
    }

    fn running_kind(&self, id: EntityId) -> Option<u16> {
        self.running_of(id).map(|interaction| interaction.kind)
    }

    /// Dice of one person for one purpose in this tick.
    pub(in crate::field) fn dice(&self, id: EntityId, purpose: &str) -> Dice {
        Dice::new(self.seed ^ (u64::from(id.0) << 32), purpose, self.tick)
    }

    /// The state as one number, the same on every machine.
    pub fn hash(&self) -> u64 {
        let mut hash = FnvWriter(0xcbf2_9ce4_8422_2325);
        // Writing to it cannot fail, and a world is plain data.
        let written = serde_json::to_writer(&mut hash, self);
        debug_assert!(written.is_ok(), "a world can be written down");
        hash.0
    }
}

/// FNV-1a over whatever is written: `std`'s hasher may change between releases.
struct FnvWriter(u64);

impl Write for FnvWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
