//! `GET /v1/sessions/{id}/insight`: why answers came out as they did.

use axum::{Json, extract::State};
use enact_drama::episode::report;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::IntoParams;

use super::{NO_RESULT, sessions::facts_of};
use crate::{
    error::ApiError,
    extract::{Query, Run},
    routes::ApiState,
};

/// Which answers are wanted.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct InsightQuery {
    /// Only that of this turn, counted from 1.
    #[param(example = 3)]
    turn: Option<u32>,
}

/// Show why answers came out as they did
///
/// For each turn the parts of the prompt that were in play, the memories that were used, mood, tension and
/// its causes, flags, what the director asked for and found with the words that show it, and what the
/// character thought. Only the owner of a session, and administrators, can ask for it.
#[utoipa::path(
    get, path = "/v1/sessions/{id}/insight", operation_id = "showInsight", tag = "episodes",
    params(("id" = String, Path, format = "uuid", description = "The session."), InsightQuery),
    responses((status = 200, description = "The turns.", body = Object)),
)]
pub(super) async fn insight(
    State(api): State<ApiState>,
    Run(run): Run,
    Query(query): Query<InsightQuery>,
) -> Result<Json<Value>, ApiError> {
    let mut turns = report::insight(&facts_of(&api, &run).await?);
    if let Some(wanted) = query.turn {
        let played = turns.len();
        turns.retain(|turn| turn["turn"] == wanted);
        if turns.is_empty() {
            let message =
                format!("turn {wanted} of session {} has not been played: it has {played}", run.run);
            return Err(ApiError::new(NO_RESULT, message));
        }
    }
    Ok(Json(json!({ "turns": turns })))
}
