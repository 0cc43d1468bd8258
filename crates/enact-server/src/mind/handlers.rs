//! `/v1/minds`: the newer games' calls, as plain HTTP.

use axum::{
    Json as JsonResponse, RequestPartsExt,
    extract::{FromRequestParts, RawPathParams, State},
    http::{StatusCode, request::Parts},
};
use enact_drama::mind::{LONGEST_REQUEST_BYTES, MindCommand, MindObservation};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{
    MindApi,
    minds::{MindKey, NewMind},
    shapes::{self, MindConfigShape},
};
use crate::{
    error::{ApiError, ErrorCode},
    extract::Json,
    visibility::Viewer,
};

/// The mind of a path.
pub(super) struct MindOf(MindKey);

impl FromRequestParts<MindApi> for MindOf {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &MindApi) -> Result<MindOf, ApiError> {
        let Ok(viewer) = Viewer::from_request_parts(parts, state).await;
        let path = parts.extract::<RawPathParams>().await.ok();
        let id = path.iter().flatten().next().map_or("", |(_, id)| id);
        Ok(MindOf(MindKey::new(viewer.account(), id)?))
    }
}

/// A mind to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with a mind_id and an entity_id")]
pub(super) struct NewMindShape {
    /// What the game calls it. Its memory belongs to it.
    #[schema(example = "mind_ada", min_length = 1, max_length = 255)]
    mind_id: String,
    /// The body that it drives.
    #[schema(example = "entity_7", min_length = 1, max_length = 255)]
    entity_id: String,
    #[serde(default)]
    config: MindConfigShape,
}

/// What the game tells in one call.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with an observation")]
pub(super) struct ObservationShape {
    /// An object as the newer games send it, or the English text of the older ones.
    #[schema(value_type = Object)]
    observation: Value,
    /// `event_type` and `payload` each.
    #[serde(default)]
    #[schema(value_type = Vec<Object>)]
    events: Vec<Value>,
    /// Your own name for this call: sent again with the same one, it gets the same answer.
    #[schema(example = "r-17", max_length = 64)]
    request_id: Option<String>,
}

/// A body for a mind.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with an entity_id")]
pub(super) struct LinkShape {
    #[schema(example = "entity_7", min_length = 1, max_length = 255)]
    entity_id: String,
}

/// Make a mind
///
/// It belongs to the account that made it. One of this name that is there already is given the body, and keeps
/// its memories.
#[utoipa::path(
    post, path = "/v1/minds", operation_id = "createMind", tag = "minds", request_body = NewMindShape,
    responses((status = 201, description = "`status`, `mind_id`, `entity_id`, `run_id`.", body = Object)),
)]
pub(super) async fn create(
    State(api): State<MindApi>,
    viewer: Viewer,
    Json(new): Json<NewMindShape>,
) -> Result<(StatusCode, JsonResponse<Value>), ApiError> {
    let key = MindKey::new(viewer.account(), &new.mind_id)?;
    let entity_id = MindKey::new("", &new.entity_id)?.mind_id;
    let model = new.config.llm_model.clone();
    let wanted = NewMind { entity_id, config: new.config.read(), model };
    let run = api.minds.create(&key, wanted).await?;
    let made = json!({
        "status": "created", "mind_id": new.mind_id, "entity_id": new.entity_id, "message": null, "run_id": run,
    });
    Ok((StatusCode::CREATED, JsonResponse(made)))
}

/// List minds
///
/// The caller's own, the newest first, at most 1,000.
#[utoipa::path(
    get, path = "/v1/minds", operation_id = "listMinds", tag = "minds",
    responses((status = 200, description = "The minds.", body = Object)),
)]
pub(super) async fn list(
    State(api): State<MindApi>,
    viewer: Viewer,
) -> Result<JsonResponse<Value>, ApiError> {
    Ok(JsonResponse(json!({ "minds": api.minds.list(viewer.account()).await? })))
}

/// Show a mind
///
/// `entity_id`, `traits`, `working_memory`, how many memories it has, and the conversations that go on; from
/// memory, so that it can be asked after every decision.
#[utoipa::path(
    get, path = "/v1/minds/{id}", operation_id = "showMind", tag = "minds",
    params(("id" = String, Path, description = "What the game calls it.")),
    responses((status = 200, description = "The mind.", body = Object)),
)]
pub(super) async fn show(
    State(api): State<MindApi>,
    MindOf(key): MindOf,
) -> Result<JsonResponse<Value>, ApiError> {
    let queue = api.minds.get(&key).await?;
    let mut told = shapes::state(&queue.mind());
    told["mind_id"] = json!(key.mind_id);
    told["daily_memories"] = json!(queue.mind().memory().daily);
    Ok(JsonResponse(told))
}

/// Let a mind decide
///
/// The answer is one action that the body can take as it is told of: `move_to`, `interact_with`, `wander`,
/// `wait`, `continue`, `act_in_interaction`, `cancel_interaction`, `respond_to_interaction_bid`. Several calls
/// may be under way: all but the newest are answered with `continue`. `telemetry` says what it used.
#[utoipa::path(
    post, path = "/v1/minds/{id}/decide", operation_id = "decideMind", tag = "minds",
    request_body = ObservationShape,
    params(("id" = String, Path, description = "What the game calls it.")),
    responses((status = 200, description = "What it does.", body = Object)),
)]
pub(super) async fn decide(
    State(api): State<MindApi>,
    MindOf(key): MindOf,
    Json(told): Json<ObservationShape>,
) -> Result<JsonResponse<Value>, ApiError> {
    let observation = match &told.observation {
        Value::String(text) => MindObservation::read_text(text),
        Value::Object(_) => MindObservation::read(&told.observation, &told.events),
        _ => {
            return Err(ApiError::new(ErrorCode::InvalidRequest, "observation must be an object, or a text"));
        }
    };
    let request = told.request_id.filter(|id| !id.is_empty());
    if request.as_ref().is_some_and(|id| id.len() > LONGEST_REQUEST_BYTES) {
        let message = format!("request_id has {LONGEST_REQUEST_BYTES} bytes at most");
        return Err(ApiError::new(ErrorCode::InvalidRequest, message));
    }
    Ok(JsonResponse(shapes::decision(&api.minds.decide(&key, request, None, observation).await?)))
}

/// Keep what was remembered of the day
#[utoipa::path(
    post, path = "/v1/minds/{id}/consolidate", operation_id = "consolidateMind", tag = "minds",
    params(("id" = String, Path, description = "What the game calls it.")),
    responses((status = 200, description = "`status`, `consolidated_count`.", body = Object)),
)]
pub(super) async fn consolidate(
    State(api): State<MindApi>,
    MindOf(key): MindOf,
) -> Result<JsonResponse<Value>, ApiError> {
    let count = api.minds.consolidate(&key).await?;
    Ok(JsonResponse(json!({ "status": "success", "consolidated_count": count })))
}

/// Take a mind's body away
///
/// Its memory is kept. Until it is given a body again it decides nothing.
#[utoipa::path(
    post, path = "/v1/minds/{id}/release", operation_id = "releaseMind", tag = "minds",
    params(("id" = String, Path, description = "What the game calls it.")),
    responses((status = 200, description = "`status`, `mind_id`, `entity_id`.", body = Object)),
)]
pub(super) async fn release(
    State(api): State<MindApi>,
    MindOf(key): MindOf,
) -> Result<JsonResponse<Value>, ApiError> {
    let entity_id = api.minds.get(&key).await?.mind().entity_id().map(str::to_owned);
    api.minds.command(&key, MindCommand::Release {}).await?;
    Ok(JsonResponse(json!({ "status": "released", "mind_id": key.mind_id, "entity_id": entity_id })))
}

/// Give a mind a body
#[utoipa::path(
    post, path = "/v1/minds/{id}/relink", operation_id = "relinkMind", tag = "minds", request_body = LinkShape,
    params(("id" = String, Path, description = "What the game calls it.")),
    responses((status = 200, description = "`status`, `mind_id`, `entity_id`.", body = Object)),
)]
pub(super) async fn relink(
    State(api): State<MindApi>,
    MindOf(key): MindOf,
    Json(link): Json<LinkShape>,
) -> Result<JsonResponse<Value>, ApiError> {
    let entity_id = MindKey::new("", &link.entity_id)?.mind_id;
    api.minds.command(&key, MindCommand::Link { entity_id }).await?;
    let linked = json!({ "status": "relinked", "mind_id": key.mind_id, "entity_id": link.entity_id });
    Ok(JsonResponse(linked))
}

/// Forget a mind
///
/// Its log and all that it remembers are gone for good.
#[utoipa::path(
    delete, path = "/v1/minds/{id}", operation_id = "forgetMind", tag = "minds",
    params(("id" = String, Path, description = "What the game calls it.")),
    responses((status = 204, description = "It is gone.")),
)]
pub(super) async fn forget(State(api): State<MindApi>, MindOf(key): MindOf) -> Result<StatusCode, ApiError> {
    match api.minds.forget(&key).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(super::minds::not_found(&key.mind_id)),
    }
}
