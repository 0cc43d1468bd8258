//! A world in which everything goes wrong: random maps, minds that are slow, silent, lie, and answer late and
//! twice, people and things that vanish and appear. For tests, and for the command that plays a million ticks.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    BidId, EntityId, FieldNote, FieldWorld, MindAnswer, NpcAction, NpcEvent, OfferEpoch, Pos, StateName,
};
use crate::{
    dice::Dice,
    field::{file::read_field, plan::FieldPlan},
    reply::parse,
};

/// What stands in every such world; its map is drawn by dice.
const MATTER: &str = "---
things:
  T: { name: table, solid: true, slots: 4, offers: [cards] }
  S: { name: stool, offers: [sit] }
  B: { name: bread, offers: [consume] }
  L: { name: larder, solid: true, slots: 2, offers: [cook] }
  O: { name: stove, solid: true, offers: [wash] }
interactions:
  cook:
    gives: { fun: 1 }
    makes: bread
    steps: [{ name: fetch, at: larder, seconds: 1 }, { name: prepare, at: stove, seconds: 2 }]
  greet:
    between: people
    begins: proximity
    range: 2
    people: [2, 3]
    seconds: 1
    pause: 20
    then: conversation
people:
";

/// The most people of such a world.
const MOST: usize = 20;

/// A troubled world, and the answers on their way to it.
#[derive(Debug)]
pub struct TroubledField {
    world: FieldWorld,
    seed: u64,
    /// Answers by the tick in which they come.
    on_their_way: BTreeMap<u32, Vec<MindAnswer>>,
}

impl TroubledField {
    pub fn new(seed: u64) -> TroubledField {
        let mut dice = Dice::new(seed, "trouble", 0);
        let plan = loop {
            if let Some(plan) = random_plan(&mut dice) {
                break plan;
            }
        };
        let mut world = FieldWorld::new(Arc::new(plan), seed);
        world.small_talk = dice.one_in(2);
        let outside = dice.below(4);
        for at in 0..world.entities.len() {
            let is_outside = outside == 3 || (outside > 0 && dice.one_in(2));
            world.set_outside(EntityId(at as u32), is_outside);
        }
        TroubledField { world, seed, on_their_way: BTreeMap::new() }
    }

    pub fn world(&self) -> &FieldWorld {
        &self.world
    }

    /// Plays one tick with whatever goes wrong in it. Gives back what should not be.
    pub fn tick(&mut self) -> Vec<String> {
        let tick = self.world.now() + 1;
        let mut dice = Dice::new(self.seed, "fault", tick);
        self.world.tick();
        for answer in self.on_their_way.remove(&tick).unwrap_or_default() {
            self.world.answer(&answer);
            if dice.one_in(4) {
                self.world.answer(&answer);
            }
        }
        for request in self.world.take_mind_requests() {
            // One in five is silent; the others take up to 15 s, which is too long for some.
            if !dice.one_in(5) {
                let later = tick + 1 + dice.below(150) as u32;
                let action = random_action(&self.world, request.npc, &request.events, &mut dice);
                let believes = dice.one_in(6).then(|| StateName::ALL[dice.below(6)]);
                let answer = MindAnswer { npc: request.npc, request: request.request, action, believes };
                self.on_their_way.entry(later).or_default().push(answer);
            }
        }
        self.talk(&mut dice);
        self.meddle(&mut dice);
        let mut wrong = self.world.violations();
        wrong.extend(self.world.stuck().into_iter().map(|id| format!("{id} is stuck")));
        let notes = self.world.take_notes();
        wrong.extend(notes.iter().filter_map(|note| match note {
            FieldNote::Stuck { who, .. } => Some(format!("{who} was stuck")),
            _ => None,
        }));
        self.world.take_moved();
        wrong
    }

    /// The character with the floor speaks, interrupts, passes, or never answers.
    fn talk(&mut self, dice: &mut Dice) {
        for (id, who) in self.world.take_wanted_lines() {
            let raw = match dice.below(6) {
                0 => continue,
                1 => "[SILENT]",
                2 => "[INTERRUPT after \"the\"] \"No!\"",
                3 => "",
                _ => "[TONE: calm] \"That is the question.\"",
            };
            let whispered_to = dice.one_in(5).then(|| EntityId(dice.below(self.world.entities.len()) as u32));
            let speaker = if dice.one_in(8) { EntityId(dice.below(30) as u32) } else { who };
            if self.world.say(id, speaker, parse(raw).reply, whispered_to).is_err() {
                self.world.pass_floor(id, who);
            }
        }
    }

    fn meddle(&mut self, dice: &mut Dice) {
        if dice.one_in(150) {
            self.world.remove(EntityId(dice.below(self.world.entities.len()) as u32));
        }
        if dice.one_in(60) {
            let grid = self.world.grid();
            let pos =
                Pos::new(dice.below(grid.width().into()) as u16, dice.below(grid.height().into()) as u16);
            self.world.place(dice.below(6) as u16, pos);
        }
        if dice.one_in(100) {
            let grid = self.world.grid();
            let pos =
                Pos::new(dice.below(grid.width().into()) as u16, dice.below(grid.height().into()) as u16);
            let people = self.world.entities.iter().filter(|entity| entity.alive && entity.is_npc()).count();
            if people < MOST
                && let Some(id) = self.world.place_person("Guest", 'g', pos)
            {
                self.world.set_outside(id, dice.one_in(2));
            }
        }
        if dice.one_in(200) {
            self.world.happen("The bell rings.");
        }
    }
}

fn random_plan(dice: &mut Dice) -> Option<FieldPlan> {
    let (width, height) = (8 + dice.below(24), 6 + dice.below(14));
    let mut rows = vec![vec!['.'; width]; height];
    for (y, row) in rows.iter_mut().enumerate() {
        for (x, cell) in row.iter_mut().enumerate() {
            let edge = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
            *cell = if edge || dice.one_in(6) { '#' } else { '.' };
        }
    }
    let mut matter = MATTER.to_owned();
    let people = 2 + dice.below(MOST - 2);
    let glyphs = ('a'..='z').take(people);
    let mut put = |glyph: char| {
        let (x, y) = (1 + dice.below(width - 2), 1 + dice.below(height - 2));
        let free = rows[y][x] == '.';
        if free {
            rows[y][x] = glyph;
        }
        free
    };
    for glyph in "TSSBBBLO".chars() {
        put(glyph);
    }
    for glyph in glyphs {
        if put(glyph) {
            matter.push_str(&format!("  {glyph}: person-{glyph}\n"));
        }
    }
    let map: Vec<String> = rows.into_iter().map(|row| row.into_iter().collect()).collect();
    let text = format!("{matter}---\nTrouble.\n\n```map\n{}\n```\n", map.join("\n"));
    read_field(&text, "trouble").ok().filter(|plan| !plan.people.is_empty())
}

/// Anything a mind may say: sometimes sensible, sometimes about what is not there.
fn random_action(world: &FieldWorld, id: EntityId, events: &[NpcEvent], dice: &mut Dice) -> NpcAction {
    let bid = events.iter().rev().find_map(|event| match event {
        NpcEvent::InteractionBidReceived { bid_id, epoch, .. } => Some((*bid_id, *epoch)),
        _ => None,
    });
    if let Some((bid_id, epoch)) = bid.filter(|_| !dice.one_in(5)) {
        let epoch = (!dice.one_in(8)).then_some(epoch);
        return NpcAction::RespondToInteractionBid {
            bid_id,
            epoch,
            accept: !dice.one_in(4),
            reason: String::new(),
        };
    }
    let seen = if world.npc(id).is_some() { world.seen_from(id) } else { Vec::new() };
    let name = |dice: &mut Dice| match dice.pick(&seen) {
        Some((_, other)) if !dice.one_in(10) => other.to_string(),
        _ => "nothing there".to_owned(),
    };
    match dice.below(10) {
        0 => NpcAction::Wander {},
        1 => NpcAction::Wait { reason: None },
        2 => NpcAction::Continue {},
        3 => NpcAction::MoveTo { x: dice.below(40) as u16, y: dice.below(30) as u16 },
        4 => NpcAction::ActInInteraction {
            message: "Well.".to_owned(),
            to: dice.one_in(3).then(|| name(dice)),
        },
        5 => NpcAction::CancelInteraction { for_all: dice.one_in(3) },
        6 => NpcAction::RespondToInteractionBid {
            bid_id: BidId(dice.below(200) as u32),
            epoch: dice.one_in(2).then(|| OfferEpoch(dice.below(200) as u32)),
            accept: dice.one_in(2),
            reason: String::new(),
        },
        _ => {
            let kinds = &world.plan.kinds;
            let interaction_name = kinds[dice.below(kinds.len())].name.clone();
            let more = dice.below(3);
            let additional_targets = (0..more).map(|_| name(dice)).collect();
            NpcAction::InteractWith { entity_name: name(dice), interaction_name, additional_targets }
        }
    }
}
