//! `GET /v1/share/{id}`: a result that its owner has passed on.

use axum::{
    Json,
    extract::{Path, State},
};
use enact_engine::store::RowQuery;
use serde_json::Value;

use super::NO_RESULT;
use crate::{error::ApiError, routes::ApiState};

/// The longest id that is looked for.
const LONGEST_ID: usize = 128;

/// Show a shared result
///
/// The evaluation of a session alone, by the id under which it is shared. Whoever has the id may read it.
#[utoipa::path(
    get, path = "/v1/share/{id}", operation_id = "showSharedResult", tag = "episodes",
    params(("id" = String, Path, description = "The `share_id`.")),
    responses((status = 200, description = "The result.", body = Object)),
)]
pub(super) async fn result(
    State(api): State<ApiState>,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let missing = || ApiError::new(NO_RESULT, "there is no result under this id");
    if id.is_empty() || id.len() > LONGEST_ID {
        return Err(missing());
    }
    let wanted = RowQuery { kind: "evaluation".to_owned(), key: Some(id), most: 1, ..RowQuery::default() };
    let rows = api.node().store().rows(&wanted).await?;
    let row = rows.into_iter().next().ok_or_else(missing)?;
    let mut told: Value = serde_json::from_str(&row.row.body).map_err(|_| missing())?;
    // Whose session it was is not part of a result.
    if let Some(told) = told.as_object_mut() {
        told.remove("session_id");
    }
    Ok(Json(told))
}
