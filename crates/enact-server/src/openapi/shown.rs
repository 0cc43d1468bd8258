//! What is told of a run, for those who write clients.
//!
//! The types themselves are `enact-drama`'s, which knows nothing of HTTP; a test holds real answers against these.

#![expect(dead_code, reason = "these only describe")]

use std::collections::BTreeMap;

use utoipa::ToSchema;

/// What its production knows of a run: one of the shapes that they have. The document names them once all productions are known.
#[derive(Debug, ToSchema)]
pub(crate) struct RunMetadata {}

/// What a run used and cost.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Costs {
    /// The tokens that are known of; null when no call told.
    #[schema(required)]
    total_tokens: Option<u64>,
    /// What they cost; null when a price is unknown.
    #[serde(rename = "estimatedUSD")]
    #[schema(required)]
    estimated_usd: Option<f64>,
    /// How much of all input was read from a cache, 0 to 1; null when no input is known of.
    #[schema(required, minimum = 0, maximum = 1)]
    cache_hit_rate: Option<f64>,
    /// Everyone who was asked, by name: a scene's characters. Hidden calls are nobody's.
    by_character: BTreeMap<String, AccountCosts>,
    /// What calls were for, in the words of the production.
    by_purpose: BTreeMap<String, AccountCosts>,
    by_model: BTreeMap<String, AccountCosts>,
    /// Calls that did not tell, or not wholly, what they used: no figure of tokens or money holds them.
    unaccounted: u64,
    /// By the beat in which the call left, or what the production has in its place.
    by_beat: BTreeMap<String, AccountCosts>,
    /// What the beats had cost that a fork shares with the run it was forked from. No other figure holds it.
    inherited: Option<AccountCosts>,
}

/// What the calls of one account came to.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AccountCosts {
    /// All calls.
    calls: u64,
    /// Null when no call told.
    #[schema(required)]
    total_tokens: Option<u64>,
    /// Null when a price is unknown.
    #[serde(rename = "estimatedUSD")]
    #[schema(required)]
    estimated_usd: Option<f64>,
    usage: Usage,
    /// Calls that did not tell, or not wholly, what they used.
    unaccounted: u64,
}

/// Tokens by kind, each of which has its own price.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Usage {
    /// Input that was neither read from nor written to a cache.
    uncached: u64,
    cache_read: u64,
    cache_write: u64,
    output: u64,
    /// What the provider itself says it cost, in billionths of a US dollar, where it says so.
    billed: Option<u64>,
    /// There, and true, if more was used than this says.
    partial: Option<bool>,
}
