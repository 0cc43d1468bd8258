//! Choruses over HTTP: who may take part, messages, and what comes of them.

mod chat;
mod conversation;
mod transcript;

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use axum::{extract::FromRef, http::StatusCode};
use enact_drama::{
    Problem, Production,
    chorus::{Agent, Chorus, ChorusCommand, ChorusRequest, ChorusSetup, report::ChorusMetadata},
};
use utoipa::OpenApi;

use crate::{
    error::{ErrorCode, OwnCode},
    productions::ServerProduction,
    route,
    routes::{ApiState, Route},
};

const NOT_A_CHORUS: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "NOT_A_CHORUS",
    status: StatusCode::CONFLICT,
    meaning: "The run is something else than a chorus: `/v1/runs/{id}/events` tells it.",
});

/// Prepares choruses: the operator's project.
#[async_trait]
pub trait PrepareChorus: Debug + Send + Sync {
    /// Everyone who may take a slot, in the operator's order.
    fn agents(&self) -> Vec<Agent>;

    /// Prepares a chorus. Nothing is written yet, and no model is asked.
    async fn assemble(&self, chorus: ChorusRequest) -> Result<ChorusSetup, Problem>;
}

/// The routes of choruses, for [`guarded`](crate::guarded).
#[derive(Debug, Clone)]
pub struct ChorusRoutes {
    preparer: Arc<dyn PrepareChorus>,
}

impl ChorusRoutes {
    pub fn new(preparer: Arc<dyn PrepareChorus>) -> ChorusRoutes {
        ChorusRoutes { preparer }
    }
}

/// The state of its handlers.
#[derive(Debug, Clone)]
struct ChorusState {
    api: ApiState,
    preparer: Arc<dyn PrepareChorus>,
}

impl FromRef<ChorusState> for ApiState {
    fn from_ref(state: &ChorusState) -> ApiState {
        state.api.clone()
    }
}

impl ServerProduction for ChorusRoutes {
    fn name(&self) -> &'static str {
        Chorus::NAME
    }

    #[rustfmt::skip]
    fn routes(&self, api: &ApiState) -> Vec<Route> {
        let state = &ChorusState { api: api.clone(), preparer: self.preparer.clone() };
        vec![
            route!(GET  "/v1/agents",                  Read, chat::agents, state),
            route!(POST "/v1/chat",                    Run,  chat::post_chat, state).streams(),
            route!(GET  "/v1/chat/{sessionId}/events", Read, chat::follow_chat, api),
            route!(POST "/v1/reset",                   Run,  chat::reset_chat,  api),
        ]
    }

    fn document(&self) -> utoipa::openapi::OpenApi {
        ChorusDocument::openapi()
    }

    fn metadata_schema(&self) -> Option<&'static str> {
        Some("ChorusMetadata")
    }

    fn transcript_schema(&self) -> Option<&'static str> {
        Some("ChorusTranscript")
    }

    fn command_schema(&self) -> Option<&'static str> {
        Some("ChorusCommand")
    }

    fn codes(&self) -> Vec<ErrorCode> {
        vec![NOT_A_CHORUS]
    }
}

#[derive(OpenApi)]
#[openapi(
    components(schemas(ChorusCommand, ChorusMetadata, transcript::ChorusTranscript)),
    tags((name = "chorus", description = "One message, up to six agents, three turns, spoken.")),
)]
struct ChorusDocument;
