//! The schema of a chorus's transcript in JSON, for the OpenAPI document. The rules write the JSON.

use enact_drama::chorus::{SlotId, report::ChorusMetadata};
use utoipa::ToSchema;

/// A chorus as one document: the transcript of the format `json`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct ChorusTranscript {
    #[schema(example = "What do rivers remember?")]
    message: String,
    /// What was said, turn by turn, in the order in which it arrived.
    lines: Vec<ChorusLineShape>,
    metadata: ChorusMetadata,
}

/// What a slot said in a turn.
#[derive(ToSchema)]
#[schema(as = ChorusLine, rename_all = "camelCase")]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct ChorusLineShape {
    /// The `seq` of its event in the log.
    id: u64,
    /// When it came, in UTC milliseconds: the `at` of that event.
    #[schema(example = 1_794_752_665_006_i64)]
    at: i64,
    #[schema(minimum = 1, maximum = 3)]
    turn_index: u8,
    #[schema(inline)]
    kind: ChorusLineKind,
    slot_id: SlotId,
    #[schema(required)]
    agent_id: Option<String>,
    /// Whom a comment is about.
    #[schema(required)]
    target_slot_id: Option<SlotId>,
    /// Whose comments a reply answers.
    received_from: Vec<SlotId>,
    text: String,
    #[schema(example = "calm_soothing")]
    voice_profile: String,
    /// Where it can be heard, below `/v1/audio/`; null if it cannot.
    #[schema(required)]
    audio_path: Option<String>,
    /// Milliseconds.
    #[schema(required)]
    audio_ms: Option<u64>,
    /// Which voice spoke.
    #[schema(required)]
    spoken_by: Option<String>,
    /// What was wrong with the answer and had to be mended.
    warnings: Vec<String>,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "it only describes")]
pub(super) enum ChorusLineKind {
    Response,
    Comment,
    Reply,
}
