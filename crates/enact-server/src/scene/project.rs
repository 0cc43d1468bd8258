//! `GET /v1/project`: what there is to make scenes of.

use std::collections::BTreeMap;

use axum::{Json, extract::State};
use enact_drama::scene::SceneConfig;
use serde::Serialize;
use utoipa::ToSchema;

use super::SceneState;

/// What a page offers to people who begin a scene.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct ProjectOffers {
    /// Whether sheets and scenes can be read and written at `/v1/project/{kind}/{name}`.
    pub editable: bool,
    /// How characters can sound: names for `voices` of a new scene.
    #[schema(example = json!(["calm_soothing"]))]
    pub voices: Vec<String>,
    /// Whose sheets the project has.
    pub characters: Vec<OfferedCharacter>,
    /// Who can play them: names for `models` of a scene.
    #[schema(example = json!(["improviser", "human"]))]
    pub models: Vec<String>,
    /// The project's scenes, and examples that bring their sheets along.
    pub scenes: Vec<OfferedScene>,
}

/// A character of the project.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfferedCharacter {
    /// The name of the sheet.
    #[schema(example = "alice")]
    pub name: String,
    /// The name that people read.
    #[schema(example = "Alice")]
    pub display: String,
    /// The first line of the sheet.
    #[schema(example = "Alice - Senior Project Manager")]
    pub about: String,
}

/// A scene that can be played as it is: what `POST /v1/scenes` takes.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfferedScene {
    /// Whether it comes with the program, and not from the project.
    pub example: bool,
    pub config: SceneConfig,
    /// Its characters' sheets, where the project does not have them.
    pub sheets: BTreeMap<String, String>,
}

/// What there is to play
///
/// The characters and scenes of the server's project, the models by name, and some examples.
#[utoipa::path(
    get, path = "/v1/project", operation_id = "getProject", tag = "runs",
    responses((status = 200, description = "What scenes can be made of.", body = ProjectOffers)),
)]
pub(super) async fn get_project(State(state): State<SceneState>) -> Json<ProjectOffers> {
    Json(state.preparer.offers().await)
}
