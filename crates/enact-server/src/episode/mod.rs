//! Episodes over HTTP: sessions, messages, and what comes of them.

mod carried;
mod documented;
mod insight;
mod sessions;
mod share;

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use axum::{extract::FromRef, http::StatusCode};
use enact_drama::{
    Problem, Production,
    episode::{Episode, EpisodeCommand, EpisodeSetup},
};
use serde_json::Value;
use utoipa::OpenApi;

use crate::{
    error::{ErrorCode, OwnCode},
    productions::ServerProduction,
    route,
    routes::{ApiState, Route},
};

const NOT_AN_EPISODE: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "NOT_AN_EPISODE",
    status: StatusCode::CONFLICT,
    meaning: "The run is something else than an episode: `/v1/runs/{id}/events` tells it.",
});

const SESSION_BUSY: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "SESSION_BUSY",
    status: StatusCode::CONFLICT,
    meaning: "Another message of the session is being answered.",
});

const SESSION_COMPLETE: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "SESSION_COMPLETE",
    status: StatusCode::CONFLICT,
    meaning: "The session is over. `next_suggestion` says what could come next.",
});

const NO_RESULT: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "NO_RESULT",
    status: StatusCode::NOT_FOUND,
    meaning: "There is no such result, or not yet.",
});

pub use carried::{StoredMemory, carry_over, memories};

/// Prepares sessions: the operator's project.
#[async_trait]
pub trait PrepareEpisode: Debug + Send + Sync {
    /// What can be played, for clients.
    async fn episodes(&self) -> Vec<Value>;

    /// Prepares a session. Nothing is written yet, and no model is asked.
    async fn begin(&self, episode: &str) -> Result<EpisodeSetup, Problem>;
}

/// The routes of episodes, for [`guarded`](crate::guarded).
#[derive(Debug, Clone)]
pub struct EpisodeRoutes {
    preparer: Arc<dyn PrepareEpisode>,
}

impl EpisodeRoutes {
    pub fn new(preparer: Arc<dyn PrepareEpisode>) -> EpisodeRoutes {
        EpisodeRoutes { preparer }
    }
}

/// The state of its handlers.
#[derive(Debug, Clone)]
struct EpisodeState {
    api: ApiState,
    preparer: Arc<dyn PrepareEpisode>,
}

impl FromRef<EpisodeState> for ApiState {
    fn from_ref(state: &EpisodeState) -> ApiState {
        state.api.clone()
    }
}

impl ServerProduction for EpisodeRoutes {
    fn name(&self) -> &'static str {
        Episode::NAME
    }

    #[rustfmt::skip]
    fn routes(&self, api: &ApiState) -> Vec<Route> {
        let state = &EpisodeState { api: api.clone(), preparer: self.preparer.clone() };
        vec![
            route!(GET  "/v1/episodes",               Read, sessions::episodes, state),
            route!(POST "/v1/sessions",               Run,  sessions::begin, state),
            route!(GET  "/v1/sessions",               Read, sessions::list, api),
            route!(GET  "/v1/sessions/{id}",          Read, sessions::show, api),
            route!(GET  "/v1/sessions/{id}/messages", Read, sessions::messages, api),
            route!(POST "/v1/sessions/{id}/messages", Run,  sessions::send, api).streams(),
            route!(GET  "/v1/sessions/{id}/events",   Read, sessions::follow, api),
            route!(GET  "/v1/sessions/{id}/result",   Read, sessions::result, api),
            route!(GET  "/v1/sessions/{id}/insight",  Read, insight::insight, api),
            route!(POST "/v1/sessions/{id}/evaluate", Run,  sessions::evaluate, api),
            route!(POST "/v1/sessions/{id}/end",      Run,  sessions::end, api),
            route!(GET  "/v1/share/{id}",             Read, share::result, api).open(),
        ]
    }

    fn document(&self) -> utoipa::openapi::OpenApi {
        EpisodeDocument::openapi()
    }

    fn metadata_schema(&self) -> Option<&'static str> {
        Some("EpisodeMetadata")
    }

    fn transcript_schema(&self) -> Option<&'static str> {
        Some("EpisodeTranscript")
    }

    fn command_schema(&self) -> Option<&'static str> {
        Some("EpisodeCommand")
    }

    fn codes(&self) -> Vec<ErrorCode> {
        vec![NOT_AN_EPISODE, SESSION_BUSY, SESSION_COMPLETE, NO_RESULT]
    }
}

#[derive(OpenApi)]
#[openapi(
    components(schemas(EpisodeCommand, documented::EpisodeMetadata, documented::EpisodeTranscript)),
    tags((name = "episodes", description = "A user talks with a character; a director keeps track.")),
)]
struct EpisodeDocument;
