//! The ways people walk: a field of distances for each goal, shared by all who go there and kept until the map
//! changes.
//!
//! A field is a breadth-first search over a dense grid. Generic search libraries hash every cell they visit;
//! an array of distances is several times faster and serves any number of walkers.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::{EntityId, FieldGrid, Pos};

/// How far around a goal is looked first. Most walks are short; a farther one looks at the whole map.
const NEAR_CELLS: u16 = 40;
/// How many cells all searches of a tick may look at. The rest wait their turn.
const CELLS_PER_TICK: usize = 60_000;
/// How many cells the kept fields may hold together: 32 MiB of distances.
const MOST_KEPT_CELLS: usize = 16 << 20;

/// What stands for "there is no way".
const FAR: u16 = u16::MAX;

/// The distance of each cell to a goal, in steps.
#[derive(Debug, PartialEq)]
pub(super) struct DistanceField {
    left: u16,
    top: u16,
    width: u16,
    height: u16,
    steps: Vec<u16>,
    /// Whether it covers the whole map.
    whole: bool,
}

impl DistanceField {
    fn search(grid: &FieldGrid, goal: Pos, whole: bool) -> DistanceField {
        let radius = if whole { u16::MAX } else { NEAR_CELLS };
        let (left, top) = (goal.x.saturating_sub(radius), goal.y.saturating_sub(radius));
        let right = goal.x.saturating_add(radius).min(grid.width() - 1);
        let bottom = goal.y.saturating_add(radius).min(grid.height() - 1);
        let (width, height) = (right - left + 1, bottom - top + 1);
        let whole = (left, top, width, height) == (0, 0, grid.width(), grid.height());
        let steps = vec![FAR; usize::from(width) * usize::from(height)];
        let mut field = DistanceField { left, top, width, height, steps, whole };
        let mut open = VecDeque::from([goal]);
        // The goal itself may be a table: people go beside it.
        field.set(goal, 0);
        while let Some(pos) = open.pop_front() {
            let next = field.steps(pos).saturating_add(1).min(FAR - 1);
            for beside in grid.beside(pos) {
                if field.covers(beside) && grid.is_free(beside) && field.steps(beside) == FAR {
                    field.set(beside, next);
                    open.push_back(beside);
                }
            }
        }
        field
    }

    fn covers(&self, pos: Pos) -> bool {
        pos.x >= self.left
            && pos.y >= self.top
            && pos.x - self.left < self.width
            && pos.y - self.top < self.height
    }

    fn at(&self, pos: Pos) -> usize {
        usize::from(pos.y - self.top) * usize::from(self.width) + usize::from(pos.x - self.left)
    }

    fn set(&mut self, pos: Pos, steps: u16) {
        let at = self.at(pos);
        self.steps[at] = steps;
    }

    fn steps(&self, pos: Pos) -> u16 {
        if self.covers(pos) { self.steps[self.at(pos)] } else { FAR }
    }
}

/// What is known of the way from a cell to a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WayKnown {
    Steps(u32),
    /// There is none.
    Blocked,
    /// It has to be searched.
    Unknown,
}

/// Searches under way and what they found.
///
/// Which searches are free depends on what is kept, so the goals are part of a world's state, and the fields
/// are made anew from them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "KeptGoals", into = "KeptGoals")]
pub(super) struct Ways {
    fields: BTreeMap<Pos, Arc<DistanceField>>,
    /// The goals in the order in which they were searched: the oldest is dropped first.
    order: VecDeque<Pos>,
    kept_cells: usize,
    /// Who waits for a search, first come, first served.
    waiting: VecDeque<EntityId>,
    /// Goals that [`restore`](Ways::restore) still has to search.
    to_restore: Vec<(Pos, bool)>,
}

/// The part of [`Ways`] that is written down.
#[derive(Clone, Serialize, Deserialize)]
struct KeptGoals {
    goals: Vec<(Pos, bool)>,
    waiting: VecDeque<EntityId>,
}

impl From<KeptGoals> for Ways {
    fn from(kept: KeptGoals) -> Ways {
        Ways { waiting: kept.waiting, to_restore: kept.goals, ..Ways::default() }
    }
}

impl From<Ways> for KeptGoals {
    fn from(ways: Ways) -> KeptGoals {
        let whole = |goal: &Pos| (*goal, ways.fields.get(goal).is_some_and(|field| field.whole));
        KeptGoals { goals: ways.order.iter().map(whole).collect(), waiting: ways.waiting }
    }
}

impl Ways {
    /// Searches again what was known before the world was written down.
    pub(super) fn restore(&mut self, grid: &FieldGrid) {
        for (goal, whole) in std::mem::take(&mut self.to_restore) {
            self.keep(goal, DistanceField::search(grid, goal, whole));
        }
    }

    /// Forgets every way: the map has changed.
    pub(super) fn forget(&mut self) {
        self.fields.clear();
        self.order.clear();
        self.kept_cells = 0;
    }

    pub(super) fn known(&self, from: Pos, goal: Pos) -> WayKnown {
        match self.fields.get(&goal) {
            None => WayKnown::Unknown,
            Some(field) => match field.steps(from) {
                FAR if field.whole => WayKnown::Blocked,
                FAR => WayKnown::Unknown,
                steps => WayKnown::Steps(u32::from(steps)),
            },
        }
    }

    /// Queues a search, unless the character has one already.
    pub(super) fn wait(&mut self, id: EntityId) {
        self.waiting.push_back(id);
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Carries out searches for as long as the tick's budget lasts. `wants` says where a character stands and
    /// wants to go, if they still do. Gives back those whose way is known now.
    pub(super) fn search(
        &mut self,
        grid: &FieldGrid,
        mut wants: impl FnMut(EntityId) -> Option<(Pos, Pos)>,
    ) -> Vec<EntityId> {
        let mut found = Vec::new();
        let mut looked_at = 0;
        while looked_at < CELLS_PER_TICK {
            let Some(id) = self.waiting.pop_front() else { break };
            let Some((from, goal)) = wants(id) else { continue };
            if self.known(from, goal) == WayKnown::Unknown {
                let is_near = from.x.abs_diff(goal.x) <= NEAR_CELLS && from.y.abs_diff(goal.y) <= NEAR_CELLS;
                let whole = !is_near || self.fields.contains_key(&goal);
                let field = DistanceField::search(grid, goal, whole);
                looked_at += field.steps.len();
                self.keep(goal, field);
                if self.known(from, goal) == WayKnown::Unknown {
                    // Nothing nearby leads there; perhaps a way around does.
                    let field = DistanceField::search(grid, goal, true);
                    looked_at += field.steps.len();
                    self.keep(goal, field);
                }
            }
            found.push(id);
        }
        found
    }

    fn keep(&mut self, goal: Pos, field: DistanceField) {
        self.kept_cells += field.steps.len();
        match self.fields.insert(goal, Arc::new(field)) {
            Some(replaced) => self.kept_cells -= replaced.steps.len(),
            None => self.order.push_back(goal),
        }
        while self.kept_cells > MOST_KEPT_CELLS && self.order.len() > 1 {
            let Some(oldest) = self.order.pop_front() else { break };
            if let Some(dropped) = self.fields.remove(&oldest) {
                self.kept_cells -= dropped.steps.len();
            }
        }
    }
}

impl PartialEq for Ways {
    fn eq(&self, other: &Ways) -> bool {
        (&self.order, &self.waiting) == (&other.order, &other.waiting)
    }
}
