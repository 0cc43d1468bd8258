//! What the clients of a field are told: how it stands, then what changes.

use serde_json::{Value, json};

use crate::{
    Fact, Seq,
    field::{
        event::{FieldEnd, FieldEvent},
        kind::{MILLI, MOST_NEEDS},
        mind_request,
        state::{FieldRun, entity_named},
        world::{Bid, Entity, EntityId, FieldNote, FieldWorld, Interaction, Pos, StateName},
    },
    production::{ClientEvent, ClientEvents},
};

/// Needs are told anew when they have changed by so many points: they change in every tick.
const NEED_STEP: u32 = 5;

/// A field's facts, told to those who draw its map.
#[derive(Debug)]
pub struct FieldClientEvents {
    run: FieldRun,
    /// What was last told of everyone.
    told: Vec<ToldEntity>,
    /// Whether bids were open then.
    had_bids: bool,
}

/// What an entity is told again for, once it differs.
#[derive(Debug, PartialEq, Eq)]
struct ToldEntity {
    pos: Pos,
    state: Option<StateName>,
    alive: bool,
    needs: Option<[u32; MOST_NEEDS]>,
}

impl ClientEvents for FieldClientEvents {
    type Event = FieldEvent;

    fn begin(first: &Fact<FieldEvent>) -> Option<FieldClientEvents> {
        FieldRun::begun(first).map(FieldClientEvents::of)
    }

    fn on_fact(&mut self, fact: &Fact<FieldEvent>) -> Option<ClientEvent> {
        if let FieldEvent::FieldBegan { .. } = &fact.event {
            return Some(ClientEvent { name: "snapshot", data: snapshot(&self.run) });
        }
        self.run.fold(fact);
        match &fact.event {
            FieldEvent::Advanced { to, .. } => {
                let now = all_told(self.run.world());
                let mut data = json!({"tick": to, "entities": self.changed(&now)});
                self.told = now;
                let bids = bids(self.run.world());
                let has_bids = !bids.is_empty();
                if has_bids || self.had_bids {
                    data["bids"] = Value::Array(bids);
                }
                self.had_bids = has_bids;
                Some(ClientEvent { name: "delta", data })
            }
            FieldEvent::Noted { note } => {
                let data = serde_json::to_value(note).unwrap_or_default();
                Some(ClientEvent { name: note_name(note), data })
            }
            FieldEvent::WorldEvent { text } => Some(ClientEvent {
                name: "world_event",
                data: json!({"tick": self.run.world().now(), "text": text}),
            }),
            FieldEvent::Driven { entity, remote } => Some(ClientEvent {
                name: "driven",
                data: json!({"entity": entity.to_string(), "remote": remote}),
            }),
            FieldEvent::MindAwaited { npc, request, events } => {
                let world = self.run.world();
                let (tick, observation) = (world.now(), mind_request::observation(world, *npc, events));
                let data = json!({"tick": tick, "entity": npc.to_string(), "request": request,
                                  "observation": observation});
                Some(ClientEvent { name: "decision_wanted", data })
            }
            FieldEvent::CommandRefused { error } => Some(ClientEvent {
                name: "error",
                data: json!({"tick": self.run.world().now(), "error": error}),
            }),
            FieldEvent::SpeedSet { speed } => {
                Some(ClientEvent { name: "speed", data: json!({"speed": speed}) })
            }
            FieldEvent::Watched { entity } => Some(ClientEvent {
                name: "watched",
                data: json!({"entity": entity.map(|id| id.to_string())}),
            }),
            FieldEvent::Paused {} => Some(ClientEvent { name: "paused", data: json!({}) }),
            FieldEvent::Continued {} => Some(ClientEvent { name: "continued", data: json!({}) }),
            FieldEvent::Ended { reason } => Some(self.done(*reason)),
            _ => None,
        }
    }

    fn id(&self, seq: Seq) -> String {
        event_id(&self.run, seq)
    }
}

impl FieldClientEvents {
    /// How the field stands, for those who come now: they have seen everything before.
    pub fn standing(&self) -> Vec<ClientEvent> {
        let now = ClientEvent { name: "snapshot", data: snapshot(&self.run) };
        [Some(now), self.run.rest.ended.map(|reason| self.done(reason))].into_iter().flatten().collect()
    }

    fn done(&self, reason: FieldEnd) -> ClientEvent {
        ClientEvent { name: "done", data: json!({"reason": reason, "tick": self.run.world().now()}) }
    }

    /// For those who know the field as it stands.
    pub(in crate::field) fn of(run: FieldRun) -> FieldClientEvents {
        let (told, had_bids) = (all_told(run.world()), !run.world().bids().is_empty());
        FieldClientEvents { run, told, had_bids }
    }

    fn changed(&self, now: &[ToldEntity]) -> Vec<Value> {
        let differs = |at: &usize| self.told.get(*at) != Some(&now[*at]);
        let change = |at: usize| {
            let mut told = told(self.run.world(), EntityId(at as u32));
            // Name, glyph and type are sent once: a thousand names in every delta would be most of the stream.
            if let (Some(before), Value::Object(told)) = (self.told.get(at), &mut told) {
                for key in ["name", "glyph", "type"] {
                    told.remove(key);
                }
                if before.needs == now[at].needs {
                    told.remove("needs");
                }
            }
            told
        };
        (0..now.len()).filter(differs).map(change).collect()
    }
}

fn all_told(world: &FieldWorld) -> Vec<ToldEntity> {
    let told = |entity: &Entity| ToldEntity {
        pos: entity.pos,
        state: entity.npc.as_ref().map(|npc| npc.state.name()),
        alive: entity.alive,
        needs: entity.npc.as_ref().map(|npc| npc.needs.map(|need| need / (NEED_STEP * MILLI))),
    };
    world.entities().iter().map(told).collect()
}

/// The bids that are not settled.
fn bids(world: &FieldWorld) -> Vec<Value> {
    let bid = |bid: &Bid| {
        let invited = bid.invited.iter().map(|one| json!({"who": one.who, "accepted": one.accepted}));
        let invited: Vec<Value> = invited.collect();
        json!({"bid": bid.id, "by": bid.by, "kind": bid.kind, "item": bid.item, "invited": invited})
    };
    world.bids().values().map(bid).collect()
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
        let needs = world.plan().needs.iter().zip(npc.needs);
        told["needs"] = needs.map(|(need, left)| (need.name.clone(), json!(left / MILLI))).collect();
    }
    told
}

/// Everything known of an entity, by name or id; for a person also memory and interaction.
pub fn entity(run: &FieldRun, name: &str) -> Option<Value> {
    let world = run.world();
    let id = entity_named(world, name)?;
    let mut told = told(world, id);
    let entity = world.living(id)?;
    told["offers"] =
        entity.offers.iter().map(|kind| json!(world.plan().kinds[usize::from(*kind)].name)).collect();
    let Some(npc) = &entity.npc else {
        told["left"] = json!(entity.left);
        return Some(told);
    };
    told["memory"] = npc.memory.told(world);
    told["walksTo"] = json!(npc.walk.as_ref().map(|walk| json!({"x": walk.goal.x, "y": walk.goal.y})));
    if let Some(interaction) = npc.current_interaction.and_then(|id| world.interactions().get(&id)) {
        told["interaction"] = interaction_told(world, interaction);
        let talk = interaction.talk.iter().flat_map(|talk| &talk.lines);
        let heard = talk.filter(|line| line.is_heard_by(id)).map(|line| {
            json!({"line": line.id, "tick": line.tick, "who": &*world.entities()[line.who.0 as usize].name,
                   "text": line.heard()})
        });
        told["heard"] = heard.collect();
    }
    Some(told)
}

fn interaction_told(world: &FieldWorld, interaction: &Interaction) -> Value {
    let members: Vec<String> = interaction.members.iter().map(ToString::to_string).collect();
    json!({
        "id": interaction.id.to_string(),
        "number": interaction.id,
        "members": members,
        "context": world.context_of(interaction.id),
    })
}

/// The id of the event of the fact with this seq, the last one that the field has folded: its tick and, after the
/// `delta` of that tick, a number.
pub fn event_id(run: &FieldRun, seq: Seq) -> String {
    let tick = run.world().now();
    match seq.0.saturating_sub(run.rest.advanced) {
        0 => tick.to_string(),
        number => format!("{tick}.{number}"),
    }
}

/// A field as it stands: the map, everyone on it, and what they do.
pub fn snapshot(run: &FieldRun) -> Value {
    let world = run.world();
    let grid = world.grid();
    let row = |y: u16| -> String {
        (0..grid.width()).map(|x| if grid.is_wall(Pos::new(x, y)) { '#' } else { '.' }).collect()
    };
    let ids = (0..world.entities().len()).map(|at| EntityId(at as u32));
    let interactions = world.interactions().values().map(|one| interaction_told(world, one));
    json!({
        "run": run.setup.run,
        "title": run.plan.title,
        "setting": run.plan.setting,
        "kinds": run.plan.kinds.iter().map(|kind| &kind.name).collect::<Vec<_>>(),
        "tick": world.now(),
        "lastTick": run.last_tick(),
        "speed": run.speed(),
        "paused": run.is_paused(),
        "minds": run.setup.minds.is_some(),
        "watched": run.rest.watched.map(|id| id.to_string()),
        "ended": run.rest.ended.map(FieldEnd::as_str),
        "map": (0..grid.height()).map(row).collect::<Vec<_>>(),
        "entities": ids.filter(|id| world.living(*id).is_some()).map(|id| told(world, id)).collect::<Vec<_>>(),
        "interactions": interactions.collect::<Vec<_>>(),
        "bids": bids(world),
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
