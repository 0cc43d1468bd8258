//! What the JSON of an episode holds, for those who read the OpenAPI document. The rules write it.

use enact_drama::report::Costs;
use utoipa::ToSchema;

/// An episode as one document: the transcript of the format `json`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct EpisodeTranscript {
    title: String,
    /// What was said, in order.
    lines: Vec<EpisodeLineShape>,
    metadata: EpisodeMetadata,
}

/// Something that was said, or happened.
#[derive(ToSchema)]
#[schema(as = EpisodeLine)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct EpisodeLineShape {
    /// The `seq` of its event in the log.
    id: u64,
    at: Option<i64>,
    /// The turn it belongs to; 0 for the opening.
    round: u32,
    #[schema(example = "speech")]
    kind: String,
    speaker: Option<String>,
    content: String,
}

/// What is known of a session.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct EpisodeMetadata {
    session: String,
    episode: String,
    turn_count: u32,
    #[schema(required, example = "turn_limit")]
    completion_trigger: Option<String>,
    #[schema(required)]
    ending: Option<String>,
    /// `current_beat`, `beats_completed`, `user_signals`, `tension_curve`, `flags`
    #[schema(value_type = Object)]
    director_state: (),
    #[schema(value_type = Vec<Object>)]
    messages: (),
    #[schema(required, value_type = Option<Object>)]
    evaluation: (),
    #[schema(value_type = Vec<Object>)]
    errors: (),
    costs: Costs,
}
