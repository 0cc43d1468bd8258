//! `/v1/runs`: runs are listed, shown and deleted.

use axum::{Json, extract::State, http::StatusCode};
use enact_drama::{Name, RunId};
use enact_engine::{
    log::{RunSummary, Status},
    store::Listing,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    error::{ApiError, ErrorCode},
    extract::{Query, Run},
    openapi::{ProductionName, RunMetadata},
    redact::redact_paths_and_urls,
    reports::report,
    routes::ApiState,
    visibility::Viewer,
};

/// How many runs a page holds by default: a screenful.
const DEFAULT_PAGE: usize = 50;
/// The largest page: beyond that the answer is no longer a page.
const LARGEST_PAGE: usize = 500;

/// Filters of the list of runs.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct RunsQuery {
    /// Only these; several in one parameter with commas between them, or in a parameter each.
    #[param(value_type = Option<Vec<Status>>, example = json!(["waiting", "playing"]))]
    status: Option<String>,
    /// Only runs with this name: a scene's.
    #[param(example = "the-apology", max_length = 64)]
    name: Option<String>,
    /// Only runs whose name holds this text, in capitals or not.
    #[param(example = "apology", max_length = 64)]
    q: Option<String>,
    /// Only this kind of production.
    #[param(value_type = Option<ProductionName>, example = "scene")]
    production: Option<String>,
    /// Only forks of this run.
    #[param(value_type = Option<String>, format = "uuid")]
    parent: Option<RunKey>,
    /// How many, 1 to 500. 50 by default.
    #[param(value_type = Option<usize>, minimum = 1, maximum = 500)]
    limit: Option<Limit>,
    /// Only runs older than this one: the `next` of the page before.
    #[param(value_type = Option<String>, format = "uuid")]
    before: Option<RunKey>,
}

/// A run's id as a parameter.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct RunKey(RunId);

impl TryFrom<String> for RunKey {
    type Error = &'static str;

    fn try_from(text: String) -> Result<RunKey, &'static str> {
        Uuid::parse_str(&text).map(|id| RunKey(RunId(id))).map_err(|_| "must be the id of a run")
    }
}

/// How many runs a page may hold.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
struct Limit(usize);

impl TryFrom<String> for Limit {
    type Error = String;

    fn try_from(text: String) -> Result<Limit, String> {
        let limit = text.parse().ok().filter(|limit| (1..=LARGEST_PAGE).contains(limit));
        limit.map(Limit).ok_or_else(|| format!("must be a whole number from 1 to {LARGEST_PAGE}"))
    }
}

/// One run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Run)]
pub(crate) struct RunView {
    run_id: RunId,
    /// What is played: the name of its production.
    #[schema(value_type = ProductionName, example = "scene")]
    production: String,
    /// What this run is called among others of its production: a scene's name.
    #[schema(example = "the-apology")]
    name: String,
    /// When it was started, in UTC.
    #[schema(format = DateTime, example = "2026-03-01T09:30:00.000Z")]
    started_at: String,
    /// `waiting` to be played, `playing`, `resting` (it waits for a command, and costs nothing until one
    /// comes), `paused`, `interrupted` (no process plays it; it can be resumed), or `finished`.
    #[schema(example = "playing")]
    status: Status,
    /// Why it is over, once it is, in the words of its production: `cancelled` and `failed` are the same in
    /// all of them.
    #[schema(required)]
    reason: Option<String>,
    /// How many events its log holds.
    #[schema(example = 42)]
    events: u64,
    /// The run it was forked from.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<RunId>,
    /// Why it waits, where it was tried and could not be played.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// A page of runs, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunPage {
    runs: Vec<RunView>,
    /// What to give as `before` for the page after this one; null on the last.
    #[schema(required)]
    next: Option<RunId>,
}

/// A run and what has become of it so far.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunDetails {
    #[serde(flatten)]
    run: RunView,
    /// What its production knows of it; each has a shape of its own. Null for a run that has not begun, or
    /// whose log holds what this version of enact does not know.
    #[schema(value_type = Option<RunMetadata>, required)]
    metadata: Option<Value>,
}

impl From<RunSummary> for RunView {
    fn from(run: RunSummary) -> RunView {
        RunView {
            run_id: run.run,
            production: run.production,
            name: run.name,
            started_at: to_rfc3339(run.started_at),
            status: run.status,
            reason: run.reason,
            events: run.events,
            parent: run.parent,
            // It was written for the operator, who also finds it in the log of the server.
            problem: run.problem.map(|problem| redact_paths_and_urls(&problem)),
        }
    }
}

/// List runs
///
/// Newest first, a page at a time.
#[utoipa::path(
    get, path = "/v1/runs", operation_id = "listRuns", tag = "runs", params(RunsQuery),
    responses((status = 200, description = "A page of runs.", body = RunPage)),
)]
pub(crate) async fn list(
    State(api): State<ApiState>,
    viewer: Viewer,
    Query(query): Query<RunsQuery>,
) -> Result<Json<RunPage>, ApiError> {
    let statuses = statuses(query.status.as_deref())?;
    // No run has a name that is not plain, and a database cannot even look for some of them (a null).
    if [&query.name, &query.production].into_iter().flatten().any(|name| Name::new(name.as_str()).is_err()) {
        return Ok(Json(RunPage { runs: Vec::new(), next: None }));
    }
    // The same holds for what is looked for in names.
    if query.q.as_ref().is_some_and(|part| part.contains('\0')) {
        return Ok(Json(RunPage { runs: Vec::new(), next: None }));
    }
    let limit = query.limit.map_or(DEFAULT_PAGE, |limit| limit.0);
    let listing = Listing {
        production: query.production,
        name: query.name,
        name_holds: query.q.filter(|part| !part.is_empty()),
        statuses,
        parent: query.parent.map(|parent| parent.0),
        visible: viewer.visible(),
        before: query.before.map(|before| before.0),
        // One more, which tells whether there is another page.
        most: limit + 1,
    };
    let mut runs = api.node.store().list(&listing).await?;
    let more = runs.len() > limit;
    runs.truncate(limit);
    let next = runs.last().filter(|_| more).map(|run| run.run);
    Ok(Json(RunPage { runs: runs.into_iter().map(RunView::from).collect(), next }))
}

/// One run
///
/// Its status, and what has become of it so far.
#[utoipa::path(
    get, path = "/v1/runs/{id}", operation_id = "getRun", tag = "runs",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 200, description = "The run.", body = RunDetails)),
)]
pub(crate) async fn show(
    State(api): State<ApiState>,
    Run(summary): Run,
) -> Result<Json<RunDetails>, ApiError> {
    // The summary was read before this: the metadata may be newer than the status, but never older.
    let metadata = match report(&api.node, summary.run, |report| report.metadata()).await {
        Err(error) if error.code == ErrorCode::RunUnreadable => None,
        told => Some(told?),
    };
    Ok(Json(RunDetails { run: summary.into(), metadata }))
}

/// Delete a run
///
/// Its log, everything derived from it and what it said aloud are gone for good. A run that is being played
/// has to be cancelled first.
#[utoipa::path(
    delete, path = "/v1/runs/{id}", operation_id = "deleteRun", tag = "runs",
    params(("id" = String, Path, format = "uuid", description = "The run.")),
    responses((status = 204, description = "It is gone.")),
)]
pub(crate) async fn delete(State(api): State<ApiState>, Run(run): Run) -> Result<StatusCode, ApiError> {
    api.node.delete(run.run).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// UTC milliseconds as programs read them. What is beyond all years is shown as 1970.
pub(super) fn to_rfc3339(at_ms: i64) -> String {
    let at = Timestamp::from_millisecond(at_ms).unwrap_or(Timestamp::UNIX_EPOCH);
    at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

fn statuses(text: Option<&str>) -> Result<Vec<Status>, ApiError> {
    let words = text.into_iter().flat_map(|text| text.split(','));
    let statuses = words.map(|word| {
        serde_json::from_value(Value::from(word.trim())).map_err(|_| {
            let message = "status must be waiting, playing, resting, paused, interrupted or finished";
            ApiError::parameter("status", word, message)
        })
    });
    statuses.collect()
}
