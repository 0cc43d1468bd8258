//! `POST /v1/runs/{id}/fork`: branches of runs.

use axum::{extract::State, response::Response};
use enact_drama::production::ForkPoint;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    error::ApiError,
    extract::{Run, read_body},
    routes::ApiState,
    run_request::{RunAccepted, RunRequest},
};

/// Where a run branches off.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with a beat and perhaps a line and a seed")]
pub(crate) struct NewFork {
    /// The last beat that both runs share. It has to have been played to its end, unless a line of it is named.
    #[schema(example = 6, maximum = 4_294_967_295_i64)]
    beat: u32,
    /// The last line of that beat that both runs share, counted from 1; the whole beat by default. What had not
    /// been answered by then is asked again.
    #[schema(example = 2, minimum = 1, maximum = 4_294_967_295_i64)]
    line: Option<u32>,
    /// The seed of chance from there on; random by default.
    seed: Option<u64>,
}

/// Branch a run
///
/// A new run that shares everything through the end of a beat, or of a line in it, with this one, and goes on
/// from there with a seed of its own. What the shared beats had cost is listed apart. The new run belongs to
/// the account that asks for it.
///
/// With an `Idempotency-Key` the request can be repeated: it makes one run, and the answers after the first
/// say `Idempotent-Replayed: true`.
#[utoipa::path(
    post, path = "/v1/runs/{id}/fork", operation_id = "forkRun", tag = "runs", request_body = NewFork,
    params(("id" = String, Path, format = "uuid", description = "The run."),
           ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255,
            description = "A name of your own for this request, so that it can be repeated.")),
    responses((status = 202, description = "It will be played.", body = RunAccepted,
        headers(("Location" = String, description = "Where the new run is."),
                ("Idempotent-Replayed" = Option<String>, description = "`true` if this was asked for before.")))),
)]
pub(crate) async fn fork(
    State(api): State<ApiState>,
    run: Result<Run, ApiError>,
    request: RunRequest,
) -> Result<Response, ApiError> {
    let made = request.once(async {
        // A repeated request gets its run even if the run that was forked is gone by now.
        let Run(run) = run?;
        let fork: NewFork = read_body(&request.body)?;
        request.enter_queue().await?;
        let at = ForkPoint { beat: fork.beat, line: fork.line };
        let forked = api.node.fork(run.run, at, fork.seed, request.submitter()).await;
        Ok(forked.map_err(ApiError::invalid_request)?.into())
    });
    Ok(made.await?.accepted())
}
