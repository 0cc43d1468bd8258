//! What the clients of a field are told: how it stands, then what changes.

use serde_json::{Value, json};

use crate::{
    Fact,
    field::{
        event::FieldEvent,
        state::FieldRun,
        world::{EntityId, FieldNote, FieldWorld, Pos, StateName},
    },
    production::{ClientEvent, ClientEvents},
};

/// A field's facts, told to those who draw its map.
#[derive(Debug)]
pub struct FieldClientEvents {
    run: FieldRun,
    /// Where everyone was when it was last told, and in which state.
    told: Vec<(Pos, Option<StateName>, bool)>,
}

impl ClientEvents for FieldClientEvents {
    type Event = FieldEvent;

    fn begin(first: &Fact<FieldEvent>) -> Option<FieldClientEvents> {
        let run = FieldRun::begun(first)?;
        let told = places(run.world());
        Some(FieldClientEvents { run, told })
    }

    fn on_fact(&mut self, fact: &Fact<FieldEvent>) -> Option<ClientEvent> {
        if let FieldEvent::FieldBegan { .. } = &fact.event {
            return Some(ClientEvent { name: "snapshot", data: snapshot(&self.run) });
        }
        self.run.fold(fact);
        match &fact.event {
            FieldEvent::Advanced { to, .. } => {
                let now = places(self.run.world());
                let changed = self.changed(&now);
                self.told = now;
                Some(ClientEvent { name: "delta", data: json!({"tick": to, "entities": changed}) })
            }
            FieldEvent::Noted { note } => {
                let data = serde_json::to_value(note).unwrap_or_default();
                Some(ClientEvent { name: note_name(note), data })
            }
            FieldEvent::WorldEvent { text } => Some(ClientEvent {
                name: "world_event",
                data: json!({"tick": self.run.world().now(), "text": text}),
            }),
            FieldEvent::SpeedSet { speed } => {
                Some(ClientEvent { name: "speed", data: json!({"speed": speed}) })
            }
            FieldEvent::Paused {} => Some(ClientEvent { name: "paused", data: json!({}) }),
            FieldEvent::Continued {} => Some(ClientEvent { name: "continued", data: json!({}) }),
            FieldEvent::Ended { reason } => Some(ClientEvent {
                name: "done",
                data: json!({"reason": reason, "tick": self.run.world().now()}),
            }),
            _ => None,
        }
    }
}

impl FieldClientEvents {
    fn changed(&self, now: &[(Pos, Option<StateName>, bool)]) -> Vec<Value> {
        let differs = |at: &usize| self.told.get(*at) != Some(&now[*at]);
        (0..now.len()).filter(differs).map(|at| told(self.run.world(), EntityId(at as u32))).collect()
    }
}

fn places(world: &FieldWorld) -> Vec<(Pos, Option<StateName>, bool)> {
    let place = |entity: &crate::field::world::Entity| {
        (entity.pos, entity.npc.as_ref().map(|npc| npc.state.name()), entity.alive)
    };
    world.entities().iter().map(place).collect()
}

fn told(world: &FieldWorld, id: EntityId) -> Value {
    let entity = &world.entities()[id.0 as usize];
    if !entity.alive {
        return json!({"id": id.to_string(), "gone": true});
    }
    let mut told = json!({
        "id": id.to_string(),
        "name": &*entity.name,
        "glyph": entity.glyph,
        "type": if entity.is_npc() { "npc" } else { "item" },
        "x": entity.pos.x,
        "y": entity.pos.y,
    });
    if let Some(npc) = &entity.npc {
        told["state"] = json!(npc.state.name());
        told["interaction"] = json!(npc.current_interaction.map(|id| id.to_string()));
    }
    told
}

/// A field as it stands: the map, everyone on it, and what they do.
pub fn snapshot(run: &FieldRun) -> Value {
    let world = run.world();
    let grid = world.grid();
    let row = |y: u16| -> String {
        (0..grid.width()).map(|x| if grid.is_wall(Pos::new(x, y)) { '#' } else { '.' }).collect()
    };
    let ids = (0..world.entities().len()).map(|at| EntityId(at as u32));
    let needs = |id: EntityId| {
        let npc = world.npc(id)?;
        let needs = run
            .plan
            .needs
            .iter()
            .enumerate()
            .map(|(at, need)| (need.name.clone(), json!(npc.needs[at] / 1000)));
        Some(Value::Object(needs.collect()))
    };
    let entity = |id: EntityId| {
        let mut told = told(world, id);
        if let Some(needs) = needs(id) {
            told["needs"] = needs;
        }
        told
    };
    let interactions = world.interactions().values().map(|one| {
        let members: Vec<String> = one.members.iter().map(ToString::to_string).collect();
        json!({"id": one.id.to_string(), "members": members, "context": world.context_of(one.id)})
    });
    json!({
        "run": run.setup.run,
        "title": run.plan.title,
        "tick": world.now(),
        "lastTick": run.last_tick(),
        "speed": run.speed(),
        "paused": run.is_paused(),
        "map": (0..grid.height()).map(row).collect::<Vec<_>>(),
        "entities": ids.filter(|id| world.living(*id).is_some()).map(entity).collect::<Vec<_>>(),
        "interactions": interactions.collect::<Vec<_>>(),
    })
}

fn note_name(note: &FieldNote) -> &'static str {
    match note {
        FieldNote::BidSettled { .. } => "bid_settled",
        FieldNote::AnswerIgnored { .. } => "answer_ignored",
        FieldNote::InteractionStarted { .. } => "interaction_started",
        FieldNote::Joined { .. } => "participant_joined",
        FieldNote::Left { .. } => "participant_left",
        FieldNote::InteractionEnded { .. } => "interaction_ended",
        FieldNote::LineSaid { .. } => "line",
        FieldNote::LineCut { .. } => "line_cut",
        FieldNote::Placed { .. } => "placed",
        FieldNote::Removed { .. } => "removed",
        FieldNote::MindDiffered { .. } => "mind_differed",
        FieldNote::Stuck { .. } => "stuck",
    }
}
