//! Random numbers that replay: a counter-based generator keyed by what the roll is for.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

use crate::RunId;

/// The seed of a run for which none is wanted: the random end of its id, small enough for people to type.
pub fn seed_of(run: RunId) -> u64 {
    u64::from(run.0.as_u128() as u32)
}

/// Dice for one purpose in one beat.
///
/// Never a stream shared between actors: the actor that answers first would then change what all others roll,
/// and the same seed would no longer give the same lines.
#[derive(Debug, Clone)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// Dice keyed by the run's seed, who rolls (a character's name, or the moderator's) and when.
    pub fn new(seed: u64, who: &str, beat: u32) -> Dice {
        let mut key = [0u8; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..12].copy_from_slice(&beat.to_le_bytes());
        key[16..24].copy_from_slice(&fnv1a(who.as_bytes()).to_le_bytes());
        Dice(ChaCha8Rng::from_seed(key))
    }

    /// A number below `sides`; 0 when there are none.
    pub fn below(&mut self, sides: usize) -> usize {
        // Multiply-shift instead of a remainder: no bias worth speaking of, and no rejection loop that would
        // make the number of draws depend on the values drawn.
        ((u128::from(self.0.next_u64()) * sides as u128) >> 64) as usize
    }

    /// True once in `sides` rolls.
    pub fn one_in(&mut self, sides: usize) -> bool {
        self.below(sides) == 0
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// Not `std`'s hasher: its algorithm may change between releases, and a log must roll the same for ever.
pub(crate) fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests;
