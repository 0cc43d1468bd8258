//! The schema of a field in JSON, for the OpenAPI document. The rules write the JSON.

use enact_drama::report::Costs;
use utoipa::ToSchema;

/// A field as one document: the transcript of the format `json`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct FieldTranscript {
    title: String,
    /// What was said and done together, in order.
    lines: Vec<FieldLineShape>,
    metadata: FieldMetadata,
}

/// Something that was said, or happened.
#[derive(ToSchema)]
#[schema(as = FieldLine)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct FieldLineShape {
    /// The `seq` of its event in the log.
    id: u64,
    at: Option<i64>,
    /// The conversation it belongs to; 0 for none.
    round: u32,
    #[schema(example = "line")]
    kind: String,
    speaker: Option<String>,
    content: String,
}

/// What is known of a field's run.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct FieldMetadata {
    run: String,
    field: String,
    /// The rules that it is played by.
    rules: u32,
    seed: u64,
    /// Of 100 ms each.
    ticks: u32,
    /// `accepted`, `rejected`
    #[schema(value_type = Object)]
    bids: (),
    /// How many began, by kind.
    #[schema(value_type = Object)]
    interactions: (),
    /// `id`, `participants`, `fromTick`, `toTick`, `lines`, `reason`
    #[schema(value_type = Vec<Object>)]
    conversations: (),
    #[schema(value_type = Vec<Object>)]
    errors: (),
    /// How many ticks contradicted themselves, where each was checked.
    violations: u32,
    costs: Costs,
}
