//! What a character sees: people and things in one list, each with what can be done with it.

use serde::Serialize;

use super::{EntityId, FieldWorld, InteractionId, Pos};

/// Something that is seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VisibleEntity {
    pub entity_id: EntityId,
    pub display_name: String,
    pub entity_type: EntityType,
    pub position: Pos,
    pub distance: u32,
    /// What can be done with it, by name.
    pub interactions: Vec<String>,
    /// What it takes part in.
    pub current_interaction: Option<InteractionId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EntityType {
    Npc,
    Item,
}

impl FieldWorld {
    /// The entities that a character sees, the nearest first.
    pub fn visible_entities(&self, id: EntityId) -> Vec<VisibleEntity> {
        let seen = self.seen_from(id);
        seen.into_iter().map(|(distance, other)| self.told_of(other, distance)).collect()
    }

    fn told_of(&self, other: EntityId, distance: u32) -> VisibleEntity {
        let entity = &self.entities[other.0 as usize];
        let name = |kind: &u16| self.plan.kinds[usize::from(*kind)].name.clone();
        VisibleEntity {
            entity_id: other,
            display_name: entity.name.to_string(),
            entity_type: if entity.is_npc() { EntityType::Npc } else { EntityType::Item },
            position: entity.pos,
            distance,
            interactions: entity.offers.iter().map(name).collect(),
            current_interaction: entity.npc.as_ref().and_then(|npc| npc.current_interaction),
        }
    }

    /// The same as ids with their distances, in the same order.
    pub(super) fn seen_from(&self, id: EntityId) -> Vec<(u32, EntityId)> {
        let from = self.entities[id.0 as usize].pos;
        let radius = self.plan.vision;
        let mut seen: Vec<(u32, EntityId)> = Vec::new();
        for other in self.grid.near(from, radius) {
            let pos = self.grid.place_of(other);
            let distance = pos.distance(from);
            if other != id && distance <= u32::from(radius) && self.grid.sees(from, pos) {
                seen.push((distance, other));
            }
        }
        seen.sort_unstable();
        seen
    }

    /// Something that is seen and is called so, by name or id: things first, the nearest of several.
    pub(super) fn visible_named(&self, id: EntityId, name: &str) -> Option<EntityId> {
        let seen = self.seen_from(id);
        let is_called = |other: &EntityId| {
            *self.entities[other.0 as usize].name == *name
                || name.strip_prefix("entity_").and_then(|number| number.parse().ok()) == Some(other.0)
        };
        let found = seen.into_iter().map(|(_, other)| other).filter(is_called);
        found.min_by_key(|other| self.entities[other.0 as usize].is_npc())
    }

    /// People within so many cells, the nearest first.
    pub(super) fn people_near(&self, id: EntityId, range: u16) -> Vec<EntityId> {
        let from = self.entities[id.0 as usize].pos;
        let mut near: Vec<(u32, EntityId)> = Vec::new();
        for other in self.grid.near(from, range) {
            let pos = self.grid.place_of(other);
            let distance = pos.distance(from);
            if other != id
                && distance <= u32::from(range)
                && self.entities[other.0 as usize].is_npc()
                && self.grid.sees(from, pos)
            {
                near.push((distance, other));
            }
        }
        near.sort_unstable();
        near.into_iter().map(|(_, other)| other).collect()
    }

    pub(super) fn is_near(&self, one: EntityId, other: EntityId, range: u16) -> bool {
        let (one, other) = (&self.entities[one.0 as usize], &self.entities[other.0 as usize]);
        one.alive && other.alive && one.pos.distance(other.pos) <= u32::from(range)
    }
}
