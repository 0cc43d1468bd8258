//! `GET /v1/health` and `/metrics`: whether the server is well.

use axum::{
    Extension, Json,
    extract::State,
    http::{StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{access::Caller, routes::ApiState};

/// What Prometheus asks for.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Whether the server is well. Callers without a token only learn whether it is live and ready.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`, or `unavailable` when it is not ready.
    #[schema(example = "ok")]
    status: &'static str,
    /// The process answers.
    live: bool,
    /// It can also do something: its store takes writes.
    ready: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<StoreHealth>,
    /// How many runs this node plays now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 3)]
    playing: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "0.1.0")]
    version: Option<&'static str>,
}

/// Whether the store is well.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StoreHealth {
    /// What it is: `sqlite`, `postgres`.
    #[schema(example = "sqlite")]
    name: &'static str,
    ok: bool,
}

/// Whether the server is live and ready
#[utoipa::path(
    get, path = "/v1/health", operation_id = "getHealth", tag = "server",
    responses((status = 200, description = "It is ready.", body = Health),
              (status = 503, description = "It lives, but its store takes no writes.", body = Health)),
)]
pub(crate) async fn health(State(api): State<ApiState>, caller: Option<Extension<Caller>>) -> Response {
    let store = api.node.store();
    let ready = api.store_probe.is_ready(&api.node).await;
    let known = caller.is_some_and(|caller| caller.is_known());
    let health = Health {
        status: if ready { "ok" } else { "unavailable" },
        live: true,
        ready,
        store: known.then(|| StoreHealth { name: store.name(), ok: ready }),
        playing: known.then(|| api.node.playing()),
        version: known.then_some(env!("CARGO_PKG_VERSION")),
    };
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(health)).into_response()
}

/// Counters for Prometheus
///
/// Requests by route and status, their latency, runs that play, readers of events, events sent to them.
#[utoipa::path(
    get, path = "/metrics", operation_id = "getMetrics", tag = "server",
    responses((status = 200, description = "OpenMetrics text.", body = String,
               content_type = "application/openmetrics-text")),
)]
pub(crate) async fn metrics(State(api): State<ApiState>) -> Response {
    ([(CONTENT_TYPE, OPEN_METRICS)], api.metrics.text(api.node.playing(), api.node.failures()))
        .into_response()
}
