//! What is told of a scene, for those who write clients.
//!
//! The types themselves are `enact-drama`'s, which knows nothing of HTTP; a test holds real answers against these.

#![expect(dead_code, reason = "these only describe")]

use std::collections::BTreeMap;

use utoipa::ToSchema;

use crate::openapi::shown::Costs;

/// What has become of a scene so far: what the command line writes as `metadata.json`.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Metadata {
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
pub(super) struct ForkedFrom {
    #[schema(format = "uuid")]
    run_id: String,
    /// The last beat that both share.
    beat: u32,
}

/// Something that should come of a scene.
#[derive(Debug, ToSchema)]
pub(super) struct Goal {
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
pub(super) struct FailedReply {
    beat: u32,
    character: String,
    error: String,
}

/// How often things happened.
#[derive(Debug, ToSchema)]
pub(super) struct Counts {
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
