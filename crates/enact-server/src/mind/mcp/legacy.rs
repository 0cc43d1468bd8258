//! `/sse`: MCP over HTTP with server-sent events, as it was before streamable HTTP. The game that exists speaks
//! nothing else, and is strict: its POSTs want the word `Accepted`, and its stream must not end.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    Json as JsonResponse,
    extract::{Request, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures::{SinkExt, StreamExt, channel::mpsc, stream};
use http_body_util::BodyExt;
use rmcp::{
    RoleServer, ServiceExt,
    model::{ClientJsonRpcMessage, GetExtensions},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::interval;
use uuid::Uuid;

use super::McpServer;
use crate::{
    error::{ApiError, ErrorCode},
    extract::Query,
    mind::MindApi,
    sse::{self, KEEP_ALIVE, KEEP_ALIVE_INTERVAL},
    visibility::Viewer,
};

/// How many messages may wait in each direction: a game has three calls under way for each of its NPCs.
const MOST_WAITING: usize = 1_024;
/// How many lines `/logs` gives, unless it is asked for another number.
const LOG_LINES: usize = 100;

/// The open streams, each by the id that its POSTs name.
#[derive(Debug, Clone, Default)]
pub(in crate::mind) struct LegacyStreams(Arc<Mutex<HashMap<String, Inbound>>>);

type Inbound = mpsc::Sender<RxJsonRpcMessage<RoleServer>>;

impl LegacyStreams {
    fn open(&self) -> MutexGuard<'_, HashMap<String, Inbound>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stream that is open. Its POSTs are refused once it is not.
struct OpenStream {
    streams: LegacyStreams,
    id: String,
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.streams.open().remove(&self.id);
    }
}

/// Opens a stream: its first event says where to post.
pub(in crate::mind) async fn connect(State(state): State<MindApi>) -> Response {
    let id = Uuid::new_v4().simple().to_string();
    let (inbound, received) = mpsc::channel(MOST_WAITING);
    let (told, outbound) = mpsc::channel::<TxJsonRpcMessage<RoleServer>>(MOST_WAITING);
    state.legacy.open().insert(id.clone(), inbound);
    let open = OpenStream { streams: state.legacy.clone(), id: id.clone() };
    let server: McpServer = state.mcp.clone();
    tokio::spawn(async move {
        // A client that disconnects before the handshake is ignored.
        if let Ok(served) = server.serve((told, received)).await {
            let _ = served.waiting().await;
        }
    });
    let endpoint = Bytes::from(format!("event: endpoint\ndata: /sse/?session_id={id}\n\n"));
    let messages = outbound.map(|message| {
        let text = serde_json::to_string(&message).unwrap_or_default();
        Bytes::from(format!("event: message\ndata: {text}\n\n"))
    });
    let alive = stream::unfold(interval(KEEP_ALIVE_INTERVAL), |mut ticks| async move {
        ticks.tick().await;
        Some((KEEP_ALIVE, ticks))
    });
    let events = stream::once(async { endpoint }).chain(stream::select(messages, alive));
    let until = Box::pin(state.api.node().stopping());
    let events = events.take_until(until).map(move |event| {
        let _open = &open;
        event
    });
    sse::response(events)
}

/// Which stream a message is for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::mind) struct LegacyQuery {
    session_id: String,
}

/// One message of a client. The answer comes on its stream.
pub(in crate::mind) async fn post(
    State(state): State<MindApi>,
    Query(LegacyQuery { session_id }): Query<LegacyQuery>,
    request: Request,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    let body =
        body.collect().await.map_err(|error| ApiError::new(ErrorCode::InvalidBody, error.to_string()))?;
    let mut message: ClientJsonRpcMessage = serde_json::from_slice(&body.to_bytes())
        .map_err(|error| ApiError::new(ErrorCode::InvalidJson, format!("no message of MCP: {error}")))?;
    match &mut message {
        ClientJsonRpcMessage::Request(request) => drop(request.request.extensions_mut().insert(parts)),
        ClientJsonRpcMessage::Notification(told) => drop(told.notification.extensions_mut().insert(parts)),
        _ => {}
    }
    let inbound = state.legacy.open().get(&session_id).cloned();
    let gone = || ApiError::new(ErrorCode::NoSuchRoute, "there is no such stream: GET /sse opens one");
    inbound.ok_or_else(gone)?.send(message).await.map_err(|_| gone())?;
    Ok((StatusCode::ACCEPTED, "Accepted").into_response())
}

/// Whether the server is there: the game asks before it connects.
pub(in crate::mind) async fn health(State(state): State<MindApi>) -> JsonResponse<Value> {
    let uptime = state.minds.started().elapsed().as_secs_f64();
    JsonResponse(json!({ "status": "healthy", "version": "1.0", "uptime_seconds": uptime }))
}

/// Which lines are wanted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::mind) struct LogQuery {
    /// In seconds since 1970.
    since: Option<f64>,
    limit: Option<usize>,
}

/// The newest lines about the caller's minds, the last one first.
pub(in crate::mind) async fn logs(
    State(state): State<MindApi>,
    viewer: Viewer,
    Query(query): Query<LogQuery>,
) -> JsonResponse<Value> {
    let since = query.since.unwrap_or(f64::NEG_INFINITY);
    let account = (!viewer.sees_all()).then_some(viewer.account());
    let lines = state.minds.recent_log().since(account, since, query.limit.unwrap_or(LOG_LINES));
    JsonResponse(json!({ "logs": lines }))
}
