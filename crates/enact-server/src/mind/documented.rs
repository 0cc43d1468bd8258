//! What the JSON of a mind's run holds, for those who read the OpenAPI document. The rules write it.

use enact_drama::report::Costs;
use serde::Deserialize;
use utoipa::ToSchema;

/// A mind as one document: the transcript of the format `json`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct MindTranscript {
    title: String,
    /// What it did and said, in order.
    lines: Vec<MindLineShape>,
    metadata: MindMetadata,
}

/// Something that a mind had its body do or say.
#[derive(ToSchema)]
#[schema(as = MindLine)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct MindLineShape {
    /// The `seq` of its event in the log.
    id: u64,
    at: Option<i64>,
    round: u32,
    #[schema(example = "system")]
    kind: String,
    speaker: Option<String>,
    content: String,
}

/// What is known of a mind's run.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct MindMetadata {
    run: String,
    /// What the game calls it.
    mind_id: String,
    /// The body that it drives, if any.
    #[schema(required)]
    entity_id: Option<String>,
    traits: Vec<String>,
    /// How many calls there were, how many were decided, and how many were answered with `continue` because a
    /// newer one had come.
    observations: u32,
    decisions: u32,
    passed: u32,
    /// How often each action was taken.
    #[schema(value_type = Object)]
    actions: (),
    /// `request`, `complaint`: what was wrong with a model's answer.
    #[schema(value_type = Vec<Object>)]
    complaints: (),
    costs: Costs,
}

/// A command to a mind: `/v1/minds/{id}/…` sends them.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "command", rename_all = "snake_case")]
#[schema(as = MindCommand)]
#[expect(dead_code, reason = "it only describes")]
pub(super) enum MindCommandShape {
    /// Calls of the game that came together: the newest gets a decision.
    Decide {
        told: Vec<MindToldShape>,
        withheld: Option<Vec<String>>,
    },
    /// Gives it a body.
    Link {
        entity_id: String,
    },
    /// Takes its body away.
    Release {},
    /// Keeps what was remembered of the day.
    Consolidate {},
    Cancel {},
}

/// What a game told in one call.
#[derive(Deserialize, ToSchema)]
#[schema(as = MindTold)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct MindToldShape {
    /// Names the call.
    request: String,
    /// What the body sees, as the log holds it.
    #[schema(value_type = Object)]
    observation: (),
    /// Whether a call that was sent later was taken before it.
    late: Option<bool>,
}
