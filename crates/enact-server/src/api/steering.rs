//! What is wanted of a run while it is played.

use axum::{Json as Answer, extract::State, http::StatusCode};
use enact_drama::{Name, RunId, Steering};
use enact_engine::log::LetterId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    error::{Code, Refusal},
    input::{Json, Run},
    routes::Api,
};

/// A note from the moderator.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with a text, and a character it is for")]
pub(crate) struct Note {
    /// For whom: a character of the cast. For everyone, if nobody is named.
    #[schema(example = "alice")]
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
pub(crate) struct WorldEvent {
    /// What happens, for all to see, at most 500 characters.
    #[schema(example = "The lights go out.", min_length = 1, max_length = 500)]
    text: String,
}

/// What was wanted is on its way to whoever plays the run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LetterPosted)]
pub(crate) struct Posted {
    /// Names it. Later letters have higher ids.
    #[schema(value_type = u64, example = 7)]
    letter_id: LetterId,
}

type Accepted = Result<(StatusCode, Answer<Posted>), Refusal>;

/// Cancel a run
///
/// It ends with everything said so far, for the reason `cancelled`.
#[utoipa::path(
    post, path = "/v1/runs/{id}/cancel", operation_id = "cancelRun", tag = "steering",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 202, description = "It will be cancelled.", body = Posted)),
)]
pub(crate) async fn cancel(State(api): State<Api>, Run(run): Run) -> Accepted {
    steer(&api, run, Steering::Cancel).await
}

/// Pause a run
///
/// The beat under way is played to its end, and no other begins. A chorus cannot be paused, only cancelled.
#[utoipa::path(
    post, path = "/v1/runs/{id}/pause", operation_id = "pauseRun", tag = "steering",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 202, description = "It will pause.", body = Posted)),
)]
pub(crate) async fn pause(State(api): State<Api>, Run(run): Run) -> Accepted {
    steer(&api, run, Steering::Pause).await
}

/// Go on after a pause
#[utoipa::path(
    post, path = "/v1/runs/{id}/resume", operation_id = "resumeRun", tag = "steering",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 202, description = "It will go on.", body = Posted)),
)]
pub(crate) async fn resume(State(api): State<Api>, Run(run): Run) -> Accepted {
    steer(&api, run, Steering::Resume).await
}

/// Play one more beat of a paused run
///
/// A run that is not paused is paused.
#[utoipa::path(
    post, path = "/v1/runs/{id}/step", operation_id = "stepRun", tag = "steering",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 202, description = "It will play one beat.", body = Posted)),
)]
pub(crate) async fn step(State(api): State<Api>, Run(run): Run) -> Accepted {
    steer(&api, run, Steering::Step).await
}

/// Whisper to one character or to all
///
/// A note from the moderator: the next update carries it, and the transcript does not show it.
#[utoipa::path(
    post, path = "/v1/runs/{id}/notes", operation_id = "postNote", tag = "steering", request_body = Note,
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 202, description = "It will be whispered.", body = Posted)),
)]
pub(crate) async fn note(State(api): State<Api>, Run(run): Run, Json(note): Json<Note>) -> Accepted {
    let to = note.to.map(Name::new).transpose();
    let to = to.map_err(|error| Refusal::new(Code::InvalidRequest, format!("'to' names nobody: {error}")))?;
    steer(&api, run, Steering::Note { to, text: note.text }).await
}

/// Let something happen
///
/// A world event: it stands in the transcript at once, and everyone hears of it with the next update.
#[utoipa::path(
    post, path = "/v1/runs/{id}/world-events", operation_id = "postWorldEvent", tag = "steering", request_body = WorldEvent,
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 202, description = "It will happen.", body = Posted)),
)]
pub(crate) async fn world_event(
    State(api): State<Api>,
    Run(run): Run,
    Json(event): Json<WorldEvent>,
) -> Accepted {
    steer(&api, run, Steering::WorldEvent { text: event.text }).await
}

async fn steer(api: &Api, run: RunId, wanted: Steering) -> Accepted {
    let letter_id = api.node.steer(run, wanted).await.map_err(Refusal::unwanted)?;
    Ok((StatusCode::ACCEPTED, Answer(Posted { letter_id })))
}
