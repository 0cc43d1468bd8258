//! What a call used and what that costs. Money is integer nano-USD: sums of many small prices stay exact.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize, Serializer};

/// Tokens of one call, kept apart because each kind has its own price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Usage {
    /// Input that was neither read from nor written to a cache.
    #[cfg_attr(feature = "schema", schema(required))]
    pub uncached: u64,
    #[cfg_attr(feature = "schema", schema(required))]
    pub cache_read: u64,
    #[cfg_attr(feature = "schema", schema(required))]
    pub cache_write: u64,
    #[cfg_attr(feature = "schema", schema(required))]
    pub output: u64,
    /// What the provider itself says the call cost, where it does. Wins over any price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billed: Option<NanoUsd>,
    /// More was used than this says: an answer broke off before its usage was told, or an earlier try told
    /// nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// How many tries did not tell all they used. Unknown in logs of earlier versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untold: Option<UntoldTries>,
}

/// Tries of a call that may have used more than was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct UntoldTries {
    /// They told what went in, and broke off before they told all that came out.
    #[cfg_attr(feature = "schema", schema(required))]
    pub output: u32,
    /// They told nothing.
    #[cfg_attr(feature = "schema", schema(required))]
    pub all: u32,
}

/// How a log writes what a call used: nothing as `{}`, which is read back as the same.
pub(crate) fn in_log<S: Serializer>(usage: &Option<Usage>, serializer: S) -> Result<S::Ok, S::Error> {
    match usage {
        Some(Usage::NONE) => serializer.collect_map::<(), (), _>([]),
        usage => usage.serialize(serializer),
    }
}

impl Usage {
    pub const NONE: Usage = Usage {
        uncached: 0,
        cache_read: 0,
        cache_write: 0,
        output: 0,
        billed: None,
        partial: false,
        untold: None,
    };

    pub fn total(&self) -> u64 {
        [self.cache_read, self.cache_write, self.output]
            .iter()
            .fold(self.uncached, |sum, n| sum.saturating_add(*n))
    }

    /// Whether nothing is known of it but that there was a try: then it is unknown, and not zero.
    pub fn tells_nothing(&self) -> bool {
        self.partial && self.total() == 0 && self.billed.is_none()
    }

    /// What that comes to, if the provider said so or there is a price for it.
    pub fn cost(&self, price: Option<Price>) -> Option<NanoUsd> {
        match self.tells_nothing() {
            true => None,
            false => self.billed.or_else(|| price.map(|price| price.of(self))),
        }
    }

    /// Whether tokens were used for which there is no bill.
    fn is_unbilled(&self) -> bool {
        self.billed.is_none() && self.total() > 0
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        // A bill for some of the tokens would pass for that of all.
        self.billed = match (self.is_unbilled() || other.is_unbilled(), self.billed, other.billed) {
            (true, ..) => None,
            (false, Some(one), Some(other)) => Some(NanoUsd(one.0.saturating_add(other.0))),
            (false, one, other) => one.or(other),
        };
        self.uncached = self.uncached.saturating_add(other.uncached);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
        self.output = self.output.saturating_add(other.output);
        self.untold = match (self.untold, other.untold) {
            (Some(one), Some(other)) => Some(UntoldTries {
                output: one.output.saturating_add(other.output),
                all: one.all.saturating_add(other.all),
            }),
            (one, _) if !other.partial => one,
            (_, other) if !self.partial => other,
            _ => None,
        };
        self.partial |= other.partial;
    }
}

/// Nano-USD per token of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Price {
    #[cfg_attr(feature = "schema", schema(required))]
    pub uncached: u64,
    #[cfg_attr(feature = "schema", schema(required))]
    pub cache_read: u64,
    #[cfg_attr(feature = "schema", schema(required))]
    pub cache_write: u64,
    #[cfg_attr(feature = "schema", schema(required))]
    pub output: u64,
}

impl Price {
    /// Built-in models cost nothing.
    pub const FREE: Price = Price { uncached: 0, cache_read: 0, cache_write: 0, output: 0 };

    /// What the tokens cost at this price, whatever was billed for them.
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

/// Billionths of a US dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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

#[cfg(test)]
mod tests;
