//! Scenes over HTTP: how they begin, and short-cuts for their commands.

mod carried;
mod check;
mod editing;
mod play;
mod project;
mod steering;
#[cfg(test)]
mod tests;
mod transcript;

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use axum::extract::FromRef;
use enact_drama::{
    Name, Problem, Production,
    budget::Budget,
    scene::{Command, Scene, SceneConfig, SceneSetup, report::Metadata},
};
use utoipa::OpenApi;

pub use self::{
    carried::carry_into_scene,
    check::ReadGoal,
    editing::{EditedKind, ProjectFile},
    project::{OfferedCharacter, OfferedScene, ProjectOffers},
};
use crate::{
    error::ErrorCode,
    productions::ServerProduction,
    route,
    routes::{ApiState, Route},
};

/// Prepares scenes: the operator's project.
#[async_trait]
pub trait PrepareScene: Debug + Send + Sync {
    /// Prepares a scene, with these sheets in place of those of the same name, and no more to spend than this.
    /// Nothing is written yet, and no model is asked.
    async fn cast(
        &self,
        scene: SceneConfig,
        sheets: Vec<(Name, String)>,
        budget: Budget,
    ) -> Result<SceneSetup, Problem>;

    /// How the goals of a scene are read, in their order.
    fn read_goals(&self, setup: &SceneSetup) -> Vec<ReadGoal> {
        let unread = |text: &String| ReadGoal { text: text.clone(), readable: false, ..ReadGoal::default() };
        setup.goals.iter().map(unread).collect()
    }

    /// Where a sheet or a scene is, or would be. Nothing where they are not edited over HTTP.
    async fn edited(&self, kind: EditedKind, name: &Name) -> Option<ProjectFile> {
        let _ = (kind, name);
        None
    }

    /// What there is to make scenes of.
    async fn offers(&self) -> ProjectOffers {
        ProjectOffers::default()
    }
}

/// The routes of scenes, for [`guarded`](crate::guarded).
#[derive(Debug, Clone)]
pub struct SceneRoutes {
    preparer: Arc<dyn PrepareScene>,
}

impl SceneRoutes {
    pub fn new(preparer: Arc<dyn PrepareScene>) -> SceneRoutes {
        SceneRoutes { preparer }
    }
}

/// The state of its handlers.
#[derive(Debug, Clone)]
struct SceneState {
    api: ApiState,
    preparer: Arc<dyn PrepareScene>,
}

impl FromRef<SceneState> for ApiState {
    fn from_ref(state: &SceneState) -> ApiState {
        state.api.clone()
    }
}

impl ServerProduction for SceneRoutes {
    fn name(&self) -> &'static str {
        Scene::NAME
    }

    #[rustfmt::skip]
    fn routes(&self, api: &ApiState) -> Vec<Route> {
        let state = &SceneState { api: api.clone(), preparer: self.preparer.clone() };
        vec![
            route!(POST "/v1/scenes",                 Run, play::post_scene,            state).amend(play::describe_config),
            route!(POST "/v1/check",                  Run, check::post_check,     state).amend(play::describe_config),
            route!(GET  "/v1/project",                Read, project::get_project,  state).amend(play::describe_config),
            route!(GET  "/v1/project/{kind}/{name}",  Edit, editing::get_file,     state),
            route!(PUT  "/v1/project/{kind}/{name}",  Edit, editing::put_file,     state),
            route!(POST "/v1/runs/{id}/pause",        Run, steering::pause,       api),
            route!(POST "/v1/runs/{id}/resume",       Run, steering::resume,      api),
            route!(POST "/v1/runs/{id}/step",         Run, steering::step,        api),
            route!(POST "/v1/runs/{id}/notes",        Run, steering::note,        api),
            route!(POST "/v1/runs/{id}/world-events", Run, steering::world_event, api),
        ]
    }

    fn document(&self) -> utoipa::openapi::OpenApi {
        SceneDocument::openapi()
    }

    fn metadata_schema(&self) -> Option<&'static str> {
        Some("SceneMetadata")
    }

    fn transcript_schema(&self) -> Option<&'static str> {
        Some("SceneTranscript")
    }

    fn command_schema(&self) -> Option<&'static str> {
        Some("SceneCommand")
    }

    fn codes(&self) -> Vec<ErrorCode> {
        vec![editing::EDITING_OFF, editing::NO_SUCH_FILE, editing::FILE_CHANGED, editing::IF_MATCH_REQUIRED]
    }
}

#[derive(OpenApi)]
#[openapi(components(schemas(Command, Metadata, transcript::SceneTranscript)))]
struct SceneDocument;
