//! What a call used and what that costs. Money is integer nano-USD: sums of many small prices stay exact.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Tokens of one call, kept apart because each kind has its own price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Usage {
    /// Input that was neither read from nor written to a cache.
    pub uncached: u64,
    pub cache_read: u64,
    pub cache_write: u64,
    pub output: u64,
}

impl Usage {
    pub const NONE: Usage = Usage { uncached: 0, cache_read: 0, cache_write: 0, output: 0 };

    pub fn total(&self) -> u64 {
        [self.cache_read, self.cache_write, self.output]
            .iter()
            .fold(self.uncached, |sum, n| sum.saturating_add(*n))
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.uncached = self.uncached.saturating_add(other.uncached);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
        self.output = self.output.saturating_add(other.output);
    }
}

/// Nano-USD per token of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Price {
    pub uncached: u64,
    pub cache_read: u64,
    pub cache_write: u64,
    pub output: u64,
}

impl Price {
    /// Built-in models cost nothing.
    pub const FREE: Price = Price { uncached: 0, cache_read: 0, cache_write: 0, output: 0 };

    pub fn of(&self, usage: &Usage) -> NanoUsd {
        // Saturating: a model that claims absurd usage must not end the program that plays it.
        let pairs = [
            (self.uncached, usage.uncached),
            (self.cache_read, usage.cache_read),
            (self.cache_write, usage.cache_write),
            (self.output, usage.output),
        ];
        NanoUsd(
            pairs.iter().fold(0, |sum, (price, tokens)| sum.saturating_add(price.saturating_mul(*tokens))),
        )
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NanoUsd(pub u64);

impl NanoUsd {
    pub fn usd(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl AddAssign for NanoUsd {
    fn add_assign(&mut self, other: NanoUsd) {
        self.0 = self.0.saturating_add(other.0);
    }
}
