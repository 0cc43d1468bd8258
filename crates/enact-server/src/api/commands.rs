//! `POST /v1/runs/{id}/commands` and `…/cancel`: commands to runs.

use axum::{Json, extract::State, http::StatusCode};
use enact_drama::{Code, RunId};
use enact_engine::{log::CommandId, node};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    error::{ApiError, ErrorCode, PROVIDED},
    extract::{RawJson, Run, is_object},
    openapi::RunCommand,
    routes::ApiState,
};

/// The command is on its way to the process that plays the run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommandAccepted {
    /// Names it. Later commands have higher ids.
    #[schema(value_type = u64, example = 7)]
    command_id: CommandId,
}

/// What is answered to a command.
pub type CommandResult = Result<(StatusCode, Json<CommandAccepted>), ApiError>;

/// Send a command to a run
///
/// The commands are those of the run's production, each an object with its name as `command`: a scene takes
/// `{"command": "note", "to": "alice", "text": "You know."}`. What it does not know, or cannot take, is
/// refused in its own words. A run that rests wakes up.
#[utoipa::path(
    post, path = "/v1/runs/{id}/commands", operation_id = "postCommand", tag = "steering",
    request_body(content = RunCommand, description = "A command of the run's production.",
                 example = json!({ "command": "cancel" })),
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 202, description = "The run will take it.", body = CommandAccepted)),
)]
pub(crate) async fn post(
    State(api): State<ApiState>,
    Run(run): Run,
    RawJson(body): RawJson,
) -> CommandResult {
    let command = std::str::from_utf8(&body)
        .map_err(|_| ApiError::new(ErrorCode::InvalidJson, "the body has to be UTF-8"))?;
    // serde would also take `["cancel"]` for a command.
    if !is_object(&body)
        && let Ok(provided @ Value::Array(_)) = serde_json::from_str(command)
    {
        let message = "this is no command: it is no object";
        return Err(ApiError::new(ErrorCode::InvalidCommand, message).with(PROVIDED, provided));
    }
    accepted(api.node.command(run.run, command).await.map_err(|error| match error {
        // What was sent is a command, and comes too late, or too early.
        node::Error::Problem(problem) if matches!(problem.code, Code::AskNotOpen | Code::SessionBusy) => {
            ApiError::from(*problem)
        }
        node::Error::Problem(problem) => {
            let provided: Value = serde_json::from_str(command).unwrap_or_default();
            ApiError::with_code(ErrorCode::InvalidCommand, *problem).with(PROVIDED, provided)
        }
        error => ApiError::from(error),
    }))
}

/// Cancel a run
///
/// It ends with everything said so far, for the reason `cancelled`.
#[utoipa::path(
    post, path = "/v1/runs/{id}/cancel", operation_id = "cancelRun", tag = "steering",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 202, description = "It will be cancelled.", body = CommandAccepted)),
)]
pub(crate) async fn cancel(State(api): State<ApiState>, Run(run): Run) -> CommandResult {
    accepted(api.node.cancel(run.run).await.map_err(ApiError::from))
}

/// A command that a route of a production was built for: what is wrong with it is wrong with the request.
pub async fn send(api: &ApiState, run: RunId, command: &impl Serialize) -> CommandResult {
    let command = serde_json::to_string(command)
        .map_err(|error| ApiError::new(ErrorCode::InvalidRequest, error.to_string()))?;
    accepted(api.node.command(run, &command).await.map_err(ApiError::invalid_request))
}

fn accepted(posted: Result<CommandId, ApiError>) -> CommandResult {
    Ok((StatusCode::ACCEPTED, Json(CommandAccepted { command_id: posted? })))
}
