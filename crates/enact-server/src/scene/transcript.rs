//! The schema of a scene's transcript in JSON, for the OpenAPI document. The rules write the JSON.

use enact_drama::scene::report::Metadata;
use utoipa::ToSchema;

/// A scene as one document: the transcript of the format `json`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct SceneTranscript {
    #[schema(example = "The Apology")]
    title: String,
    #[schema(required)]
    setting: Option<String>,
    /// The cast, in order.
    characters: Vec<CastMember>,
    /// What was said and done, in order.
    lines: Vec<SceneLineShape>,
    metadata: Metadata,
}

/// One of the cast.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct CastMember {
    /// The name of the sheet.
    #[schema(example = "alice")]
    name: String,
    /// The name that people read.
    #[schema(example = "Alice")]
    display: String,
}

/// Something that was said or done in a scene, or happened.
#[derive(ToSchema)]
#[schema(as = SceneLine, rename_all = "camelCase")]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct SceneLineShape {
    /// The `seq` of its event in the log.
    id: u64,
    /// When it came, in UTC milliseconds: the `at` of that event.
    #[schema(example = 1_794_752_665_006_i64)]
    at: i64,
    beat: u32,
    #[schema(inline)]
    kind: SceneLineKind,
    /// The name that people read; null for events and system lines.
    #[schema(required)]
    speaker: Option<String>,
    /// What the speaker did with the beat; null for events and system lines.
    #[schema(required, inline)]
    action: Option<SceneLineAction>,
    /// Who is spoken to.
    #[schema(required)]
    target: Option<String>,
    #[schema(required)]
    tone: Option<String>,
    /// What was heard; of a reaction, what was seen.
    content: String,
    /// What would have been heard without a cut.
    full: String,
    /// Of an interruption: the words after which it came.
    #[schema(required)]
    interrupt_after: Option<String>,
    /// What was done beside it.
    #[schema(required)]
    nonverbal: Option<String>,
    /// Where it was interrupted.
    #[schema(required)]
    cut: Option<SceneCutShape>,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "it only describes")]
pub(super) enum SceneLineKind {
    Line,
    Event,
    System,
    Silence,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "it only describes")]
pub(super) enum SceneLineAction {
    Speak,
    Interrupt,
    Silent,
    React,
}

/// Where a line was interrupted.
#[derive(ToSchema)]
#[schema(as = SceneCut)]
#[expect(dead_code, reason = "it only describes")]
pub(super) struct SceneCutShape {
    /// How many bytes of `full` were heard.
    at: usize,
    /// Who interrupted, by the name of the sheet.
    by: String,
}
