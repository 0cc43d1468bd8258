//! When somebody is to be looked at next: of a hundred thousand people a few thousand do something in a tick, and
//! the others' state is not in any cache.
//!
//! It is derived: whoever is [changed](super::FieldWorld::npc_mut) is looked at again, and says then for how long
//! there is nothing to do.

use super::EntityId;

/// Until something about them changes.
pub(super) const NEVER: u32 = u32::MAX;

/// The tick of the next look at each entity, by id.
#[derive(Debug, Clone, Default)]
pub(super) struct Due(Vec<NextLook>);

/// Before its tick nothing can be due.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NextLook {
    pub(super) step: u32,
    pub(super) decision: u32,
}

impl Due {
    /// Everyone is to be looked at.
    pub(super) fn of(entities: usize) -> Due {
        Due(vec![NextLook::default(); entities])
    }

    pub(super) fn add(&mut self) {
        self.0.push(NextLook::default());
    }

    pub(super) fn at(&mut self, at: usize) -> &mut NextLook {
        &mut self.0[at]
    }

    pub(super) fn look_again(&mut self, id: EntityId) {
        if let Some(next) = self.0.get_mut(id.0 as usize) {
            *next = NextLook::default();
        }
    }
}

/// Worlds that differ only in what is looked at next are the same.
impl PartialEq for Due {
    fn eq(&self, _: &Due) -> bool {
        true
    }
}
