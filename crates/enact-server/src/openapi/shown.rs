//! What is told of a run, for those who write clients.
//!
//! The types themselves are `enact-drama`'s, which knows nothing of HTTP; a test holds real answers against these.

#![expect(dead_code, reason = "these only describe")]

pub(crate) mod chorus;

use std::collections::BTreeMap;

use utoipa::ToSchema;

/// What has become of a run so far: of a scene, or of a chorus.
#[derive(Debug, ToSchema)]
#[serde(untagged)]
#[schema(as = RunMetadata)]
pub(crate) enum AnyMetadata {
    Scene(Metadata),
    Chorus(chorus::Metadata),
}

/// What has become of a scene so far: what the command line writes as `metadata.json`.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Metadata {
    /// The scene's name.
    #[schema(example = "the-apology")]
    name: String,
    #[schema(format = "uuid")]
    run_id: String,
    /// The run whose beginning this one shares, where it was forked.
    #[schema(inline)]
    forked_from: Option<ForkedFrom>,
    #[schema(format = DateTime)]
    started_at: String,
    /// How long it was played, in milliseconds, without the time in which it was paused or nobody played it.
    duration: u64,
    /// There, and true, while no further beat opens until somebody wants one.
    paused: Option<bool>,
    /// Beats that were opened; the opening is one of them.
    total_beats: u32,
    character_count: usize,
    goal_achieved: bool,
    /// Why it is over; null while it goes on.
    #[schema(required, example = "goal_achieved")]
    reason: Option<String>,
    /// What should come of it, and what the judge last said of each.
    goals: Vec<Goal>,
    costs: Costs,
    /// What it may use, where that is limited.
    #[schema(value_type = Option<Object>)]
    budget: Option<()>,
    /// Characters that gave no answer when they were asked.
    errors: Vec<FailedReply>,
    /// How often things happened.
    counts: Counts,
    /// How the models did that were asked beside the characters: the judge, the writer of world events.
    #[schema(value_type = Option<Object>)]
    advice: Option<()>,
    /// How often the judge saw someone out of character.
    drift: BTreeMap<String, u32>,
    /// Which model played: its name, or a name for each character.
    #[schema(value_type = Value, example = "improviser")]
    model: (),
    /// What each model says about itself.
    #[schema(value_type = Object)]
    models: (),
    /// What chance was made of.
    seed: u64,
}

/// Where a run branched off another.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ForkedFrom {
    #[schema(format = "uuid")]
    run_id: String,
    /// The last beat that both share.
    beat: u32,
}

/// Something that should come of a scene.
#[derive(Debug, ToSchema)]
pub(crate) struct Goal {
    #[schema(example = "Bob apologizes")]
    text: String,
    /// Null when the judge cannot tell: it never guesses.
    #[schema(required)]
    met: Option<bool>,
    /// The line that shows it, as it was heard.
    #[schema(required)]
    evidence: Option<String>,
    /// Who said that line.
    #[schema(required)]
    by: Option<String>,
}

/// A character that gave no answer when it was asked.
#[derive(Debug, ToSchema)]
pub(crate) struct FailedReply {
    beat: u32,
    character: String,
    error: String,
}

/// How often things happened.
#[derive(Debug, ToSchema)]
pub(crate) struct Counts {
    /// Replies in the format asked for.
    parsed: u32,
    /// Replies that had to be guessed at, in part.
    salvaged: u32,
    /// Calls that gave nothing, and replies too malformed to be taken.
    failed: u32,
    interruptions: u32,
    silences: u32,
    /// World events.
    events: u32,
    /// How often the judge saw someone out of character.
    drifts: u32,
}

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
    /// Everyone of the cast, in a chorus every slot (`slot-1`). Hidden calls are nobody's.
    by_character: BTreeMap<String, AccountCosts>,
    /// `reply`, `judge`, `world_event`; in a chorus `response`, `comment`, `reply`.
    by_purpose: BTreeMap<String, AccountCosts>,
    by_model: BTreeMap<String, AccountCosts>,
    /// Calls that did not tell, or not wholly, what they used: no figure of tokens or money holds them.
    unaccounted: u64,
    /// By the beat in which the call left, in a chorus by the turn.
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
