//! What is told of a chorus, for those who write clients.

#![expect(dead_code, reason = "these only describe")]

use std::collections::BTreeMap;

use utoipa::ToSchema;

use crate::openapi::shown::Costs;

/// What has become of a chorus so far.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ChorusMetadata)]
pub(super) struct Metadata {
    /// Also the id of its session.
    #[schema(format = "uuid")]
    run_id: String,
    #[schema(example = "What do rivers remember?")]
    message: String,
    #[schema(format = DateTime)]
    started_at: String,
    /// How long it was played, in milliseconds, without the time in which nobody played it.
    duration: u64,
    /// Turns whose answers are all in.
    turns: usize,
    /// Slots that answered the message.
    completed_slots: usize,
    /// Why it is over (`completed`, `failed`, `cancelled`, `budget_exceeded`); null while it goes on.
    #[schema(required, example = "completed")]
    reason: Option<String>,
    slots: Vec<Slot>,
    costs: Costs,
    /// What was said aloud, by who spoke.
    speech: BTreeMap<String, Speech>,
    /// Slots that gave nothing, or could not be heard.
    errors: Vec<SlotError>,
    /// Who was told which comments; empty before the second turn is over.
    routes: Vec<Route>,
    counts: Counts,
    /// What each model says about itself.
    #[schema(value_type = Object)]
    models: (),
    /// What chance was made of.
    seed: u64,
}

/// Who takes a slot.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ChorusSlot)]
pub(super) struct Slot {
    #[schema(minimum = 1, maximum = 6)]
    slot_id: u8,
    #[schema(example = "gpt-4o")]
    agent_id: String,
    name: String,
    /// Which of the models answers.
    model: String,
}

/// What somebody has said aloud.
#[derive(Debug, ToSchema)]
#[schema(as = ChorusSpeech)]
pub(super) struct Speech {
    files: u64,
    characters: u64,
    /// In milliseconds.
    duration: u64,
    bytes: u64,
}

/// A slot that gave nothing, or could not be heard.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ChorusError)]
pub(super) struct SlotError {
    #[schema(minimum = 1, maximum = 3)]
    turn_index: u8,
    slot_id: u8,
    /// `network`, `timeout`, `rate_limit`, `server_error`, `tts_error` or `unknown`.
    #[serde(rename = "type")]
    #[schema(example = "timeout")]
    kind: String,
    error: String,
}

/// The comments on one slot.
#[derive(Debug, ToSchema)]
#[schema(as = ChorusRoute)]
pub(super) struct Route {
    #[schema(minimum = 1, maximum = 6)]
    to: u8,
    /// Whose comments it was told.
    from: Vec<u8>,
    /// Whose it was not, because there were too many; left out if there are none.
    dropped: Option<Vec<u8>>,
}

/// How often things happened.
#[derive(Debug, ToSchema)]
#[schema(as = ChorusCounts)]
pub(super) struct Counts {
    /// Answers, comments and replies as they were asked for.
    parsed: u32,
    /// Those that had to be mended.
    mended: u32,
    /// Comments aimed at nobody, and asked for again.
    refused: u32,
    /// Calls that gave nothing.
    failed: u32,
    /// Recordings that can be heard.
    voiced: u32,
    /// Texts that could not be said aloud.
    unvoiced: u32,
    /// Comments that were not passed on, because there were too many on one slot.
    dropped: u32,
}
