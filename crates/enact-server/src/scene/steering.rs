//! Short-cuts: a route for each command of a scene that people send by hand (`pause`, `resume`, `step`,
//! `notes`, `world-events`).

use axum::extract::State;
use enact_drama::{Name, RunId, scene::Command};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    api::commands::{CommandAccepted, CommandResult, send},
    error::{ApiError, ErrorCode, PROVIDED},
    extract::{Json, Run},
    routes::ApiState,
};

/// A note from the moderator.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with a text, and a character it is for")]
pub(super) struct NewNote {
    /// For whom: a character of the cast. For all, if none is named.
    #[schema(example = "alice", max_length = 64)]
    to: Option<String>,
    /// What is whispered, at most 2,000 characters. Only those it is for see it, with their next update.
    #[schema(
        example = "You have just remembered where you left the letter.",
        min_length = 1,
        max_length = 2000
    )]
    text: String,
}

/// Something that happens.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with a text")]
pub(super) struct WorldEvent {
    /// What happens, for all to see, at most 500 characters.
    #[schema(example = "The lights go out.", min_length = 1, max_length = 500)]
    text: String,
}

/// Pause a run
///
/// The beat under way is played to its end, and no other begins. Only scenes can be paused, and the same goes
/// for the other short-cuts.
#[utoipa::path(
    post, path = "/v1/runs/{id}/pause", operation_id = "pauseRun", tag = "steering",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 202, description = "It will pause.", body = CommandAccepted)),
)]
pub(super) async fn pause(State(api): State<ApiState>, Run(run): Run) -> CommandResult {
    send(&api, run.run, &Command::Pause).await
}

/// Go on after a pause
#[utoipa::path(
    post, path = "/v1/runs/{id}/resume", operation_id = "resumeRun", tag = "steering",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 202, description = "It will go on.", body = CommandAccepted)),
)]
pub(super) async fn resume(State(api): State<ApiState>, Run(run): Run) -> CommandResult {
    send(&api, run.run, &Command::Resume).await
}

/// Play one more beat of a paused run
///
/// A run that is not paused is paused.
#[utoipa::path(
    post, path = "/v1/runs/{id}/step", operation_id = "stepRun", tag = "steering",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 202, description = "It will play one beat.", body = CommandAccepted)),
)]
pub(super) async fn step(State(api): State<ApiState>, Run(run): Run) -> CommandResult {
    send(&api, run.run, &Command::Step).await
}

/// Whisper to one character or to all
///
/// A note from the moderator: the next update carries it, and the transcript does not show it.
#[utoipa::path(
    post, path = "/v1/runs/{id}/notes", operation_id = "postNote", tag = "steering", request_body = NewNote,
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 202, description = "It will be whispered.", body = CommandAccepted)),
)]
pub(super) async fn note(
    State(api): State<ApiState>,
    Run(run): Run,
    Json(note): Json<NewNote>,
) -> CommandResult {
    let to = note.to.map(Name::new).transpose();
    let to =
        to.map_err(|error| ApiError::new(ErrorCode::InvalidRequest, format!("'to' is not a name: {error}")))?;
    send_text(&api, run.run, Command::Note { to, text: note.text }).await
}

/// Let something happen
///
/// A world event: it is in the transcript at once, and everyone hears of it with the next update.
#[utoipa::path(
    post, path = "/v1/runs/{id}/world-events", operation_id = "postWorldEvent", tag = "steering", request_body = WorldEvent,
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 202, description = "It will happen.", body = CommandAccepted)),
)]
pub(super) async fn world_event(
    State(api): State<ApiState>,
    Run(run): Run,
    Json(event): Json<WorldEvent>,
) -> CommandResult {
    send_text(&api, run.run, Command::WorldEvent { text: event.text }).await
}

/// Sends a command that holds what the caller wrote, so that a refusal can show it.
async fn send_text(api: &ApiState, run: RunId, command: Command) -> CommandResult {
    send(api, run, &command).await.map_err(|error| match error.code {
        ErrorCode::InvalidRequest => {
            let mut provided = serde_json::to_value(&command).unwrap_or_default();
            if let Value::Object(fields) = &mut provided {
                fields.shift_remove("command");
            }
            error.with(PROVIDED, provided)
        }
        _ => error,
    })
}
