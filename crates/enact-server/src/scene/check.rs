//! `POST /v1/check`: what is wrong with a scene, or how it is read, without playing it.

use axum::{Json, extract::State};
use enact_drama::Name;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    SceneState,
    play::{NewScene, cast},
};
use crate::{error::ApiError, extract::RawJson};

/// A scene that can be played, as it was read.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CheckedScene {
    #[schema(value_type = String, example = "the-apology")]
    name: Name,
    /// The cast, in order.
    roles: Vec<CheckedRole>,
    goals: Vec<ReadGoal>,
    /// The model that judges beside the rules.
    #[schema(required)]
    judge: Option<String>,
}

/// One of the cast.
#[derive(Debug, Serialize, ToSchema)]
struct CheckedRole {
    /// The name of the sheet.
    #[schema(value_type = String, example = "alice")]
    name: Name,
    /// The name that people read.
    #[schema(example = "Alice")]
    display: String,
    /// Who plays it.
    #[schema(example = "improviser")]
    model: String,
}

/// How a goal is read by the rules.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadGoal {
    #[schema(example = "Bob apologizes to Alice")]
    pub text: String,
    /// Whether the rules can judge it.
    pub readable: bool,
    /// Who does what to whom; where it cannot be read, what to do about it.
    #[schema(example = "read as: apologise, by Bob, to Alice")]
    pub reading: String,
    /// What would be heard as it.
    #[schema(required, example = "heard as it: \"I'm sorry for what I did.\"")]
    pub heard_as: Option<String>,
}

/// Check a scene
///
/// The same request as for playing it, and the same errors. Nothing is played, kept or asked of a model.
#[utoipa::path(
    post, path = "/v1/check", operation_id = "checkScene", tag = "runs", request_body = NewScene,
    responses((status = 200, description = "It can be played, and this is how it is read.", body = CheckedScene)),
)]
pub(super) async fn post_check(
    State(state): State<SceneState>,
    RawJson(body): RawJson,
) -> Result<Json<CheckedScene>, ApiError> {
    let setup = cast(&state, &body).await?;
    let goals = state.preparer.read_goals(&setup);
    let roles = setup.cast.into_iter();
    let roles = roles.map(|role| CheckedRole { name: role.name, display: role.display, model: role.model });
    Ok(Json(CheckedScene { name: setup.name, roles: roles.collect(), goals, judge: setup.judge }))
}
