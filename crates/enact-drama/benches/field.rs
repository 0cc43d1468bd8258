//! What a field costs: ticks with 10,000 and 100,000 people whom rules decide for, bids, and memory.
//!
//! The bars: 30 ticks a second with 10,000 people and 2 with 100,000 on one core, 20,000 bids a second, 2 KiB for
//! each idle person. It is processor time, so that other programs on the machine do not count.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::sync::Arc;

use enact_drama::{
    dice::Dice,
    field::{
        FieldPlan, read_field,
        world::{EntityId, FieldNote, FieldWorld, NpcAction, NpcEvent, Pos},
    },
};

const TOWN: &str = "---
things:
  T: { name: table, slots: 4, offers: [cards] }
  S: { name: stool, offers: [sit] }
  B: { name: bread, offers: [consume] }
  W: { name: well, slots: 4, offers: [wash] }
needs:
  hunger: [12, 25]
  hygiene: [6, 12]
  fun: [15, 30]
  energy: [8, 18]
interactions:
  consume: { gives: { hunger: 25 }, seconds: 1 }
---
A town.

```map
..
```
";

fn main() {
    // `cargo bench -- --test` only wants to see that it works.
    let short = std::env::args().any(|arg| arg == "--test");
    let sizes: &[(usize, f64)] =
        if short { &[(200, 0.0), (400, 0.0)] } else { &[(10_000, 30.0), (100_000, 2.0)] };
    let mut costs = Vec::new();
    for (people, bar) in sizes {
        let (per_tick_us, memory) = ticks(*people, if short { 20 } else { 150 });
        costs.push((*people as f64, per_tick_us));
        println!(
            "{people} people: {:.1} ticks a second (bar {bar}), {memory:.0} bytes each (bar 2048)",
            1e6 / per_tick_us
        );
    }
    if let [(few, cheap), (many, dear)] = costs[..] {
        let allowed = (many * many.log2()) / (few * few.log2());
        println!(
            "  {:.1} times the people cost {:.1} times as much (n log n: {allowed:.1})",
            many / few,
            dear / cheap
        );
    }
    let bids = bids(if short { 200 } else { 40_000 });
    println!("bids: {bids:.0} a second (bar 20000)");
}

/// A town with room for everyone: one thing to every three people, a wall here and there.
fn town(people: usize) -> FieldWorld {
    let side = ((people * 16) as f64).sqrt() as u16;
    let plan = read_field(TOWN, "town").expect("a field");
    let mut dice = Dice::new(5, "town", 0);
    let cells = usize::from(side) * usize::from(side);
    let walls = (0..cells).map(|_| dice.one_in(20)).collect();
    let things: Vec<(u16, Pos)> = (0..people / 3)
        .map(|_| {
            (dice.below(4) as u16, Pos::new(dice.below(side.into()) as u16, dice.below(side.into()) as u16))
        })
        .collect();
    let plan = FieldPlan { width: side, height: side, walls, things, ..plan };
    let mut world = FieldWorld::new(Arc::new(plan), 5).with_small_talk();
    let mut placed = 0;
    while placed < people {
        let pos = Pos::new(dice.below(side.into()) as u16, dice.below(side.into()) as u16);
        placed += usize::from(world.place_person("Villager", 'v', pos).is_some());
    }
    world.take_notes();
    world
}

/// What a tick costs once everyone is busy, and what memory each of them takes up.
fn ticks(people: usize, count: u32) -> (f64, f64) {
    let before = resident_bytes();
    let mut world = town(people);
    let memory = (resident_bytes() - before) / people as f64;
    // Everyone has had a few decisions by then.
    for _ in 0..count {
        world.tick();
        world.take_notes();
        world.take_moved();
    }
    let began = processor_us();
    let mut started = 0;
    for _ in 0..count {
        world.tick();
        let notes = world.take_notes();
        started += notes.iter().filter(|note| matches!(note, FieldNote::InteractionStarted { .. })).count();
        world.take_moved();
    }
    let cost = (processor_us() - began) / f64::from(count);
    assert_eq!(world.violations(), [""; 0]);
    println!("  {started} interactions began in {count} ticks, {} actions were refused", world.errors);
    (cost, memory)
}

/// How many bids a second are called, accepted and left again.
fn bids(count: u32) -> f64 {
    let mut world = town(2_000);
    let ids: Vec<EntityId> = (0..world.entities().len() as u32).map(EntityId).collect();
    let people: Vec<EntityId> = ids.into_iter().filter(|id| world.npc(*id).is_some()).collect();
    let near = |world: &FieldWorld, who: EntityId| {
        let seen = world.visible_entities(who);
        seen.into_iter()
            .find(|other| other.distance <= 5 && people.contains(&other.entity_id))
            .map(|one| one.entity_id)
    };
    let pairs: Vec<(EntityId, EntityId)> =
        people.iter().filter_map(|who| Some((*who, near(&world, *who)?))).take(500).collect();
    let began = processor_us();
    let mut settled = 0;
    for number in 0..count {
        let (one, other) = pairs[number as usize % pairs.len()];
        let call = NpcAction::InteractWith {
            entity_name: other.to_string(),
            interaction_name: "conversation".to_owned(),
            additional_targets: Vec::new(),
        };
        if world.act(one, &call).is_err() {
            continue;
        }
        let asked = world.npc(other).and_then(|npc| {
            npc.client.unsent.iter().rev().find_map(|event| match event {
                NpcEvent::InteractionBidReceived { bid_id, epoch, .. } => Some((*bid_id, *epoch)),
                _ => None,
            })
        });
        let Some((bid_id, epoch)) = asked else { continue };
        let (epoch, reason) = (Some(epoch), String::new());
        let answer = NpcAction::RespondToInteractionBid { bid_id, epoch, accept: true, reason };
        let taken = world.act(other, &answer).is_ok();
        let left = world.act(one, &NpcAction::CancelInteraction { for_all: true }).is_ok();
        settled += u32::from(taken && left);
        world.take_notes();
    }
    assert!(settled * 10 >= count * 9, "{settled} of {count} bids were settled");
    f64::from(settled) * 1e6 / (processor_us() - began)
}

fn processor_us() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

/// What the process takes up in memory, where the system says so.
fn resident_bytes() -> f64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: f64 = statm.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0.0);
    pages * 4096.0
}
