//! Cells: where walls are, what blocks the way, and who stands where.

use serde::{Deserialize, Serialize};

use super::EntityId;

/// Cells to a side of a bucket, by which entities near a cell are found.
const BUCKET_CELLS: u16 = 8;

/// A cell. `y` grows downwards, as in the map of a field file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pos {
    pub x: u16,
    pub y: u16,
}

impl Pos {
    pub fn new(x: u16, y: u16) -> Pos {
        Pos { x, y }
    }

    /// Steps between two cells where nothing is in the way.
    pub fn distance(self, other: Pos) -> u32 {
        u32::from(self.x.abs_diff(other.x)) + u32::from(self.y.abs_diff(other.y))
    }
}

/// The map of a world. Walls never change; what stands on the cells does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FieldGrid {
    width: u16,
    height: u16,
    walls: Vec<bool>,
    /// How many things that block the way stand on each cell.
    solid: Vec<u8>,
    /// How many people stand on each cell: they are walked around, and squeezed past where there is no other
    /// way. People who block each other for good were the commonest fault of such worlds.
    people: Vec<u16>,
    /// Entities by the bucket of their cell. Their order depends on history, so that whatever is found through
    /// them is sorted.
    buckets: Vec<Vec<EntityId>>,
    /// The cell of each entity, by id. Whoever looks around asks for hundreds of them: this fits into a cache in
    /// which the entities themselves do not.
    #[serde(skip)]
    places: Vec<Pos>,
}

impl FieldGrid {
    pub fn new(width: u16, height: u16, walls: Vec<bool>) -> FieldGrid {
        let cells = usize::from(width) * usize::from(height);
        assert_eq!(walls.len(), cells, "a map has a value for each cell");
        let buckets = usize::from(width.div_ceil(BUCKET_CELLS)) * usize::from(height.div_ceil(BUCKET_CELLS));
        FieldGrid {
            width,
            height,
            walls,
            solid: vec![0; cells],
            people: vec![0; cells],
            buckets: vec![Vec::new(); buckets],
            places: Vec::new(),
        }
    }

    /// Takes in again where everything is, after the grid was written down.
    pub(super) fn restore(&mut self, places: impl Iterator<Item = Pos>) {
        self.places = places.collect();
    }

    /// The cell of an entity that was added.
    pub(super) fn place_of(&self, id: EntityId) -> Pos {
        self.places[id.0 as usize]
    }

    pub fn width(&self) -> u16 {
        self.width
    }

    pub fn height(&self) -> u16 {
        self.height
    }

    pub fn contains(&self, pos: Pos) -> bool {
        pos.x < self.width && pos.y < self.height
    }

    pub fn index(&self, pos: Pos) -> usize {
        usize::from(pos.y) * usize::from(self.width) + usize::from(pos.x)
    }

    pub fn is_wall(&self, pos: Pos) -> bool {
        !self.contains(pos) || self.walls[self.index(pos)]
    }

    /// Whether people can stand there.
    pub fn is_free(&self, pos: Pos) -> bool {
        !self.is_wall(pos) && self.solid[self.index(pos)] == 0
    }

    pub fn has_people(&self, pos: Pos) -> bool {
        self.people[self.index(pos)] > 0
    }

    /// The cells beside one, always in the same order.
    pub fn beside(&self, pos: Pos) -> impl Iterator<Item = Pos> + use<> {
        let Pos { x, y } = pos;
        let (width, height) = (self.width, self.height);
        let beside = [
            (y > 0).then(|| Pos::new(x, y.wrapping_sub(1))),
            (x + 1 < width).then(|| Pos::new(x + 1, y)),
            (y + 1 < height).then(|| Pos::new(x, y + 1)),
            (x > 0).then(|| Pos::new(x.wrapping_sub(1), y)),
        ];
        beside.into_iter().flatten()
    }

    pub(super) fn add(&mut self, id: EntityId, pos: Pos, body: Body) {
        let at = self.index(pos);
        match body {
            Body::Person => self.people[at] += 1,
            Body::Solid => self.solid[at] += 1,
            Body::Flat => {}
        }
        let bucket = self.bucket(pos);
        self.buckets[bucket].push(id);
        // Entities are added in the order of their ids.
        debug_assert_eq!(self.places.len(), id.0 as usize);
        self.places.push(pos);
    }

    pub(super) fn take(&mut self, id: EntityId, pos: Pos, body: Body) {
        let at = self.index(pos);
        match body {
            Body::Person => self.people[at] = self.people[at].saturating_sub(1),
            Body::Solid => self.solid[at] = self.solid[at].saturating_sub(1),
            Body::Flat => {}
        }
        let bucket = self.bucket(pos);
        self.buckets[bucket].retain(|other| *other != id);
    }

    /// A person goes from one cell to another.
    pub(super) fn walk(&mut self, id: EntityId, from: Pos, to: Pos) {
        let (left, entered) = (self.index(from), self.index(to));
        self.people[left] = self.people[left].saturating_sub(1);
        self.people[entered] += 1;
        self.places[id.0 as usize] = to;
        let (from, to) = (self.bucket(from), self.bucket(to));
        if from != to {
            self.buckets[from].retain(|other| *other != id);
            self.buckets[to].push(id);
        }
    }

    /// Everything in the buckets that a square around a cell touches, in no order.
    pub(super) fn near(&self, pos: Pos, radius: u16) -> impl Iterator<Item = EntityId> + '_ {
        let across = self.width.div_ceil(BUCKET_CELLS);
        let last = |cell: u16, size: u16| cell.saturating_add(radius).min(size - 1) / BUCKET_CELLS;
        let columns = pos.x.saturating_sub(radius) / BUCKET_CELLS..=last(pos.x, self.width);
        let rows = pos.y.saturating_sub(radius) / BUCKET_CELLS..=last(pos.y, self.height);
        rows.flat_map(move |row| {
            columns.clone().map(move |column| usize::from(row) * usize::from(across) + usize::from(column))
        })
        .flat_map(|bucket| self.buckets[bucket].iter().copied())
    }

    /// Whether no wall stands between two cells.
    pub fn sees(&self, from: Pos, to: Pos) -> bool {
        let (mut x, mut y) = (i32::from(from.x), i32::from(from.y));
        let (to_x, to_y) = (i32::from(to.x), i32::from(to.y));
        let (dx, dy) = ((to_x - x).abs(), -(to_y - y).abs());
        let (step_x, step_y) = ((to_x - x).signum(), (to_y - y).signum());
        let mut error = dx + dy;
        while (x, y) != (to_x, to_y) {
            let twice = 2 * error;
            if twice >= dy {
                error += dy;
                x += step_x;
            }
            if twice <= dx {
                error += dx;
                y += step_y;
            }
            if (x, y) != (to_x, to_y) && self.walls[self.index(Pos::new(x as u16, y as u16))] {
                return false;
            }
        }
        true
    }

    fn bucket(&self, pos: Pos) -> usize {
        let across = self.width.div_ceil(BUCKET_CELLS);
        usize::from(pos.y / BUCKET_CELLS) * usize::from(across) + usize::from(pos.x / BUCKET_CELLS)
    }

    /// How many people the grid counts on a cell, for the checker.
    pub(super) fn people_at(&self, pos: Pos) -> u16 {
        self.people[self.index(pos)]
    }

    /// How many people the grid counts in all, for the checker.
    pub(super) fn people_count(&self) -> u64 {
        self.people.iter().map(|count| u64::from(*count)).sum()
    }
}

/// How an entity takes up its cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    Person,
    /// Cannot be stood on.
    Solid,
    Flat,
}
