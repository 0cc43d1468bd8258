//! Minds over MCP: one server, three transports. `/mcp` (streamable HTTP) and standard input and output are
//! rmcp's own; `legacy` is for games that were written for HTTP with server-sent events.
//!
//! `calls` answers the tools of minds and `project` those of scenes, `resources` what can be read; `tools.json`
//! describes them to clients.

mod calls;
pub(super) mod legacy;
pub(super) mod project;
mod resources;
pub(super) mod streamable;

use std::sync::{Arc, LazyLock};

use axum::{Router, http::request::Parts};
use enact_engine::Node;
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
        ListResourceTemplatesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
        ReadResourceResponse, ReadResourceResult, RequestId, ResourceContents, ServerCapabilities,
        ServerConfig, Tool,
    },
    service::RequestContext,
};
use serde::Deserialize;
use serde_json::Value;

use self::project::ProjectTools;
use super::{PrepareMind, mind_queue::CallOrder, minds::Minds};
use crate::{
    access::Caller,
    routes::{ApiState, ServerOptions},
};

const INSTRUCTIONS: &str = "Decides for NPCs of games (create_mind, decide_action, …; for older games create_agent, \
     process_observation) and plays scenes between characters (list_characters, run_scene, get_transcript).";

/// A tool as `tools.json` has it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DescribedTool {
    name: String,
    description: String,
    input_schema: JsonObject,
}

static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    let described: Vec<DescribedTool> =
        serde_json::from_str(include_str!("tools.json")).expect("tools.json describes tools");
    described.into_iter().map(|tool| Tool::new(tool.name, tool.description, tool.input_schema)).collect()
});

/// Answers one client, or all of a transport: who calls stands in each request.
#[derive(Debug, Clone)]
pub(super) struct McpServer {
    pub(super) minds: Minds,
    pub(super) project: ProjectTools,
}

/// Who makes a call: those on standard input are the operator.
struct McpCaller {
    account: String,
    parts: Option<Parts>,
    /// Where the call stands among those of its session.
    order: Option<CallOrder>,
}

impl McpCaller {
    fn of(context: &RequestContext<RoleServer>) -> McpCaller {
        let parts = context.extensions.get::<Parts>();
        let caller = parts.and_then(|parts| parts.extensions.get::<Caller>());
        let session = match parts {
            None => Some("stdio"),
            Some(parts) => {
                let header = parts.headers.get("mcp-session-id").and_then(|id| id.to_str().ok());
                header.or_else(|| parts.uri.query())
            }
        };
        let order = match (&context.id, session) {
            (RequestId::Number(number), Some(session)) => {
                Some(CallOrder { session: session.to_owned(), number: *number })
            }
            _ => None,
        };
        McpCaller { account: caller.map_or("", Caller::account).to_owned(), parts: parts.cloned(), order }
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("enact", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(INSTRUCTIONS.to_owned());
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let caller = McpCaller::of(&context);
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let answer = match self.project.call(&request.name, &arguments, &caller).await {
            Some(answer) => answer,
            None => match self.call(&request.name, arguments, &caller).await {
                Some(answer) => Ok(answer),
                None => {
                    let message = format!("there is no tool '{}'", request.name);
                    return Err(ErrorData::invalid_params(message, None));
                }
            },
        };
        let is_error = answer.is_err();
        // Games read the first text, and nothing else.
        let content = vec![ContentBlock::text(answer.unwrap_or_else(|error| error).to_string())];
        Ok(if is_error { CallToolResult::error(content) } else { CallToolResult::success(content) }.into())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let caller = McpCaller::of(&context);
        let told = self.read(&request.uri, &caller).await.ok_or_else(|| {
            ErrorData::resource_not_found(format!("there is no resource '{}'", request.uri), None)
        })?;
        let contents =
            ResourceContents::text(told.to_string(), request.uri).with_mime_type("application/json");
        Ok(ReadResourceResponse::Complete(ReadResourceResult::new(vec![contents])))
    }
}

/// Answers a client on standard input and output until it leaves.
///
/// `router` is the whole API: the tools about scenes go through it.
pub async fn serve_stdio(
    node: Node,
    preparer: Arc<dyn PrepareMind>,
    router: Router,
) -> Result<(), std::io::Error> {
    let api = ApiState::new(node, ServerOptions::default());
    let project = ProjectTools::new(api.clone());
    project.go_through(router);
    let server = McpServer { minds: Minds::new(&api, preparer), project };
    let served = server.serve(rmcp::transport::stdio()).await.map_err(std::io::Error::other)?;
    served.waiting().await.map(|_| ()).map_err(std::io::Error::other)
}
