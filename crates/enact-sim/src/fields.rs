//! Troubled fields: random worlds with minds that are slow, silent, lie, and answer late and twice.

use enact_drama::field::world::fuzz::TroubledField;

/// How long each field is played: long enough for everything to have happened, short enough for many maps.
const TICKS_OF_EACH: u64 = 2_000;
/// More violations than anyone would read.
const MOST_VIOLATIONS: usize = 20;

/// What came of it.
#[derive(Debug, Default)]
pub struct FieldTally {
    pub ticks: u64,
    pub fields: u64,
    pub stuck: u64,
    /// In words, each with the seed and the tick.
    pub violations: Vec<String>,
}

/// Plays so many ticks, from a seed on.
pub fn play(ticks: u64, first: u64) -> FieldTally {
    let mut tally = FieldTally::default();
    let mut seed = first;
    while tally.ticks < ticks && tally.violations.len() < MOST_VIOLATIONS {
        let mut trouble = TroubledField::new(seed);
        for _ in 0..TICKS_OF_EACH.min(ticks - tally.ticks) {
            let wrong = trouble.tick();
            tally.ticks += 1;
            if !wrong.is_empty() {
                tally.stuck += wrong.iter().filter(|what| what.contains("stuck")).count() as u64;
                let tick = trouble.world().now();
                tally.violations.push(format!("seed {seed}, tick {tick}: {}", wrong.join("; ")));
                break;
            }
        }
        tally.fields += 1;
        seed += 1;
    }
    tally
}
