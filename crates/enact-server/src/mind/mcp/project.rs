//! The tools about scenes. They call the HTTP API in-process with the caller's own credentials, so that access
//! checks apply and no production is linked.

use std::{
    sync::{Arc, OnceLock, Weak},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Method, Request, header},
};
use enact_drama::{RunId, Seq};
use enact_engine::node::FollowEvent;
use serde_json::{Value, json};
use tower::ServiceExt;
use uuid::Uuid;

use super::McpCaller;
use crate::routes::ApiState;

/// How long a scene is waited for, unless the caller says otherwise.
const WAIT_SECONDS: u64 = 60;
const LONGEST_WAIT_SECONDS: u64 = 600;
/// The longest transcript that is read back.
const LARGEST_BYTES: usize = 16 << 20;

/// What is asked of the rest of the API.
#[derive(Debug, Clone)]
pub(crate) struct ProjectTools {
    api: ApiState,
    own: Arc<OnceLock<Router>>,
}

/// A result, or what is wrong.
type ToolResult = Result<Value, Value>;

impl ProjectTools {
    pub(crate) fn new(api: ApiState) -> ProjectTools {
        ProjectTools { api, own: Arc::default() }
    }

    /// Has it ask this router, and not the one of its server.
    pub(super) fn go_through(&self, router: Router) {
        self.own.get_or_init(|| router);
    }

    /// The result of a tool; nothing if it is none of these.
    pub(super) async fn call(&self, tool: &str, arguments: &Value, caller: &McpCaller) -> Option<ToolResult> {
        Some(match tool {
            "list_characters" => self.ask(caller, Method::GET, "/v1/project", Value::Null).await,
            "get_transcript" => {
                let format = arguments["format"].as_str().unwrap_or("txt");
                self.transcript(caller, arguments["run_id"].as_str().unwrap_or_default(), format).await
            }
            "run_scene" => self.run_scene(arguments, caller).await,
            _ => return None,
        })
    }

    async fn run_scene(&self, arguments: &Value, caller: &McpCaller) -> ToolResult {
        let mut wanted = json!({ "config": arguments["config"] });
        if arguments["sheets"].is_object() {
            wanted["sheets"] = arguments["sheets"].clone();
        }
        if let Some(name) = arguments["scene"].as_str() {
            let offers = self.ask(caller, Method::GET, "/v1/project", Value::Null).await?;
            let scenes = offers["scenes"].as_array().into_iter().flatten();
            let found = scenes.into_iter().find(|scene| scene["config"]["name"] == name);
            let found = found.ok_or_else(|| failed(&format!("there is no scene '{name}'")))?;
            wanted["config"] = found["config"].clone();
            if found["sheets"].as_object().is_some_and(|sheets| !sheets.is_empty()) {
                wanted["sheets"] = found["sheets"].clone();
            }
        }
        let begun = self.ask(caller, Method::POST, "/v1/scenes", wanted).await?;
        let run = begun["runId"].as_str().unwrap_or_default().to_owned();
        let seconds = arguments["wait_seconds"].as_u64().unwrap_or(WAIT_SECONDS).min(LONGEST_WAIT_SECONDS);
        let ended = match Uuid::parse_str(&run) {
            Ok(id) => {
                let ended = tokio::time::timeout(Duration::from_secs(seconds), self.ended(RunId(id)));
                ended.await.unwrap_or(false)
            }
            Err(_) => false,
        };
        let mut told = self.transcript(caller, &run, "txt").await?;
        told["status"] = json!(if ended { "ended" } else { "playing" });
        Ok(told)
    }

    /// Returns when a run is over, or cannot be followed any further. Says whether it is over.
    pub(in crate::mind) async fn ended(&self, run: RunId) -> bool {
        let Ok(mut follower) = self.api.node().follow(run, Seq(0)).await else { return false };
        loop {
            match follower.next().await {
                Ok(None) => return true,
                Ok(Some(FollowEvent::Closed)) | Err(_) => return false,
                Ok(Some(FollowEvent::Records(_) | FollowEvent::Delta(_))) => {}
            }
        }
    }

    async fn transcript(&self, caller: &McpCaller, run: &str, format: &str) -> ToolResult {
        let known = Uuid::parse_str(run).map_err(|_| failed("run_id is no id of a run"))?;
        let format = if ["txt", "md", "json"].contains(&format) { format } else { "txt" };
        let path = format!("/v1/runs/{known}/transcript?format={format}");
        let transcript = self.ask(caller, Method::GET, &path, Value::Null).await?;
        Ok(json!({ "run_id": run, "transcript": transcript }))
    }

    /// Calls a route as the one who calls the tool. What is no JSON comes as a text.
    async fn ask(&self, caller: &McpCaller, method: Method, path: &str, body: Value) -> ToolResult {
        let served = || self.api.router.get().and_then(Weak::upgrade).map(|router| Router::clone(&router));
        let router = self.own.get().cloned().or_else(served);
        let router = router.ok_or_else(|| failed("the API is not being served"))?;
        let mut request = Request::builder().method(method).uri(path);
        let given = |name| caller.parts.as_ref().and_then(|parts| parts.headers.get(name)).cloned();
        request = match given(header::HOST) {
            Some(host) => request.header(header::HOST, host),
            None => request.header(header::HOST, "localhost"),
        };
        if let Some(token) = given(header::AUTHORIZATION) {
            request = request.header(header::AUTHORIZATION, token);
        }
        let body = match body {
            Value::Null => Body::empty(),
            body => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(body.to_string())
            }
        };
        let request = request.body(body).map_err(|error| failed(&error.to_string()))?;
        let Ok(response) = router.oneshot(request).await;
        let is_success = response.status().is_success();
        let bytes = to_bytes(response.into_body(), LARGEST_BYTES).await;
        let bytes = bytes.map_err(|error| failed(&error.to_string()))?;
        let answer = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
        if is_success { Ok(answer) } else { Err(answer) }
    }
}

fn failed(message: &str) -> Value {
    json!({ "status": "error", "message": message })
}
