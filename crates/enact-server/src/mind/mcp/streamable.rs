//! `/mcp`: MCP over streamable HTTP. Host, origin, token and rate are checked before it by this server's own
//! middleware, as for every route.

use std::{fmt, sync::Arc};

use axum::{
    body::Body,
    extract::{Request, State},
    response::Response,
};
use enact_engine::Node;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};

use super::McpServer;

/// The sessions of all clients of `/mcp`.
#[derive(Clone)]
pub(in crate::mind) struct McpSessions(StreamableHttpService<McpServer, LocalSessionManager>);

impl fmt::Debug for McpSessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("McpSessions")
    }
}

impl McpSessions {
    pub(in crate::mind) fn new(server: McpServer, node: &Node) -> McpSessions {
        // The names that this server answers to are the operator's, and were checked already.
        let config = StreamableHttpServerConfig::default().disable_allowed_hosts();
        let token = config.cancellation_token.clone();
        let stopping = node.stopping();
        tokio::spawn(async move {
            stopping.await;
            token.cancel();
        });
        McpSessions(StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config))
    }
}

/// One message of a client, or the stream of what it is told.
pub(in crate::mind) async fn handle(State(sessions): State<McpSessions>, request: Request) -> Response {
    sessions.0.handle(request).await.map(Body::new)
}
