//! Minds for other people's games: over HTTP, and over MCP as the games that exist call them.
//!
//! `minds` knows all of them, `mind_queue` answers for one; `shapes` is what goes over the wire, `handlers` the plain
//! HTTP of it, `mcp` the same for clients that speak MCP.

mod documented;
mod handlers;
mod mcp;
mod mind_queue;
mod minds;
mod recent_log;
mod shapes;
#[cfg(test)]
mod tests;

use std::{fmt::Debug, sync::Arc};

use async_trait::async_trait;
use axum::{
    extract::FromRef,
    http::{Method, StatusCode},
};
use enact_drama::{Problem, Production, budget::Budget, mind::Mind, report::Cards};
use utoipa::OpenApi;

pub use self::mcp::serve_stdio;
use self::{
    mcp::{McpServer, legacy, project::ProjectTools, streamable},
    minds::Minds,
};
use crate::{
    access::Scope,
    error::{ErrorCode, OwnCode},
    productions::ServerProduction,
    route,
    routes::{ApiState, Route},
};

const MIND_NOT_FOUND: ErrorCode = ErrorCode::Own(&OwnCode {
    name: "MIND_NOT_FOUND",
    status: StatusCode::NOT_FOUND,
    meaning: "There is no mind of this name, or it drives nobody: `relink` gives it a body.",
});

/// Prepares minds: the operator's project.
#[async_trait]
pub trait PrepareMind: Debug + Send + Sync {
    /// The model that decides, of those that the operator has named, with all that may be asked; rules, if
    /// nothing. Wishes that cannot be fulfilled are passed over.
    async fn model(&self, wished: Option<&str>) -> Result<(Option<String>, Cards), Problem>;

    /// What each mind may use.
    fn budget(&self) -> Budget;
}

/// The routes of minds, for [`guarded`](crate::guarded).
#[derive(Debug, Clone)]
pub struct MindRoutes {
    preparer: Arc<dyn PrepareMind>,
    legacy: bool,
}

impl MindRoutes {
    pub fn new(preparer: Arc<dyn PrepareMind>) -> MindRoutes {
        MindRoutes { preparer, legacy: false }
    }

    /// Also answers older games, at `/sse`, `/health` and `/logs`.
    pub fn with_legacy(self, legacy: bool) -> MindRoutes {
        MindRoutes { legacy, ..self }
    }
}

/// The state of its handlers.
#[derive(Debug, Clone)]
struct MindApi {
    api: ApiState,
    minds: Minds,
    mcp: McpServer,
    legacy: legacy::LegacyStreams,
}

impl FromRef<MindApi> for ApiState {
    fn from_ref(state: &MindApi) -> ApiState {
        state.api.clone()
    }
}

impl ServerProduction for MindRoutes {
    fn name(&self) -> &'static str {
        Mind::NAME
    }

    #[rustfmt::skip]
    fn routes(&self, api: &ApiState) -> Vec<Route> {
        let minds = Minds::new(api, self.preparer.clone());
        let mcp = McpServer { minds: minds.clone(), project: ProjectTools::new(api.clone()) };
        let sessions = &streamable::McpSessions::new(mcp.clone(), api.node());
        let state = &MindApi { api: api.clone(), minds, mcp, legacy: legacy::LegacyStreams::default() };
        let mut routes = vec![
            route!(GET    "/v1/minds",                  Read, handlers::list, state),
            route!(POST   "/v1/minds",                  Run,  handlers::create, state),
            route!(GET    "/v1/minds/{id}",             Read, handlers::show, state),
            route!(DELETE "/v1/minds/{id}",             Run,  handlers::forget, state),
            route!(POST   "/v1/minds/{id}/decide",      Run,  handlers::decide, state).quiet(),
            route!(POST   "/v1/minds/{id}/consolidate", Run,  handlers::consolidate, state),
            route!(POST   "/v1/minds/{id}/release",     Run,  handlers::release, state),
            route!(POST   "/v1/minds/{id}/relink",      Run,  handlers::relink, state),
        ];
        routes.extend([Method::GET, Method::POST, Method::DELETE].map(|method| {
            Route::new(method, Scope::Run, "/mcp", streamable::handle, sessions).quiet()
        }));
        if self.legacy {
            routes.extend([
                Route::new(Method::GET,  Scope::Run,  "/sse",    legacy::connect, state).streams(),
                Route::new(Method::POST, Scope::Run,  "/sse/",   legacy::post, state).quiet(),
                Route::new(Method::GET,  Scope::Read, "/health", legacy::health, state).open().quiet(),
                Route::new(Method::GET,  Scope::Read, "/logs",   legacy::logs, state).quiet(),
            ]);
        }
        routes
    }

    fn document(&self) -> utoipa::openapi::OpenApi {
        MindDocument::openapi()
    }

    fn metadata_schema(&self) -> Option<&'static str> {
        Some("MindMetadata")
    }

    fn transcript_schema(&self) -> Option<&'static str> {
        Some("MindTranscript")
    }

    fn command_schema(&self) -> Option<&'static str> {
        Some("MindCommand")
    }

    fn codes(&self) -> Vec<ErrorCode> {
        vec![MIND_NOT_FOUND]
    }
}

#[derive(OpenApi)]
#[openapi(
    components(schemas(documented::MindCommandShape, documented::MindMetadata, documented::MindTranscript)),
    tags((name = "minds", description = "What decides for NPCs of somebody else's game.")),
)]
struct MindDocument;
