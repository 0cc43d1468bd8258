//! `GET /v1/runs/{id}/result`: what a run came to.

use axum::{Json, extract::State};
use enact_drama::report::Format;
use enact_engine::log::{RunSummary, Status};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    error::{ApiError, ErrorCode},
    extract::Run,
    openapi::{ProductionName, RunMetadata},
    reports::report,
    routes::ApiState,
};

/// The reason that runs of every production end with when they could not be played.
const FAILED: &str = "failed";

/// What a run came to.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunResult {
    /// It was played to an end, though perhaps not to its goal. False if it `failed`.
    success: bool,
    #[schema(value_type = ProductionName, example = "scene")]
    production: String,
    /// All of it, formatted.
    transcript: String,
    #[schema(value_type = RunMetadata)]
    metadata: Value,
    /// Where everything that is made of the run is found: `transcript`, `log` and `costs` below this path.
    #[schema(example = "/v1/runs/0199f2a4-6a3e-7cc1-8a55-0f4c9b1d2e3f/")]
    output_path: String,
}

/// What a run came to
///
/// Whether it was played to an end, its transcript and its metadata: of a scene, the result that playing it
/// has. A run that is not over has none yet (`RUN_UNFINISHED`): follow it at `/v1/runs/{id}/events`.
#[utoipa::path(
    get, path = "/v1/runs/{id}/result", operation_id = "getResult", tag = "runs",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 200, description = "The result.", body = RunResult)),
)]
pub(crate) async fn result(
    State(api): State<ApiState>,
    Run(summary): Run,
) -> Result<Json<RunResult>, ApiError> {
    let RunSummary { run, production, reason, .. } = summary;
    if summary.status != Status::Finished {
        return Err(ApiError::new(ErrorCode::RunUnfinished, format!("run {run} is not over"))
            .with("run", run.to_string())
            .hint(format!("follow it at /v1/runs/{run}/events")));
    }
    let told = report(&api.node, run, |report| {
        let document = report.document();
        (Format::Txt.render(&document), document.metadata)
    });
    let (transcript, metadata) = told.await?;
    let success = reason.as_deref() != Some(FAILED);
    Ok(Json(RunResult { success, production, transcript, metadata, output_path: format!("/v1/runs/{run}/") }))
}
