//! `GET /v1/runs/{id}/events`: the log of a run as a stream, while it grows.

use std::sync::Arc;

use axum::{extract::State, http::HeaderMap, response::Response};
use bytes::Bytes;
use enact_drama::{Record, RunId, production::Delta};
use enact_engine::Store;

use crate::{
    error::ApiError,
    event_stream::{Encoded, EventEncoder, EventText, StreamQuery, follower, stream},
    extract::{Query, Run},
    openapi::SentEvent,
    routes::ApiState,
    sse::{self, RecordPieces},
};

/// Follow a run
///
/// Server-sent events: everything that has happened so far, and then what happens, as it happens. Each event
/// of the log comes with its seq as `id`, its kind as `event` and `{"seq", "at", "kind", "v", "body"}` as
/// `data`. A client that comes back with `Last-Event-ID` (or `from`) misses nothing and sees nothing twice.
/// Each production has kinds of its own.
///
/// Three kinds of events have no id, because they are not in the log: `delta` is a piece of an answer that is
/// still coming (`{"call", "actor", "text"}`; provisional: the answer's own event replaces it), `end` says
/// that the run is over and all of it was sent (close the stream, or your client will come back for it), and
/// `closing` that this server stops: come back, here or elsewhere.
#[utoipa::path(
    get, path = "/v1/runs/{id}/events", operation_id = "followRun", tag = "runs",
    params(("id" = String, Path, format = "uuid", description = "The run."), StreamQuery,
           ("Last-Event-ID" = Option<u64>, Header, description = "The seq of the last event that was seen.")),
    responses((status = 200, description = "The events.", body = SentEvent, content_type = "text/event-stream",
        example = "id: 6\nevent: beat_settled\ndata: {\"seq\":6,\"at\":1772357400000,\"kind\":\"beat_settled\",\"v\":1,\"body\":{\"beat\":0}}\n\n")),
)]
pub(crate) async fn follow(
    State(api): State<ApiState>,
    Run(found): Run,
    Query(query): Query<StreamQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let follower = follower(&api, &found, &query, &headers)?;
    let encoder = LogEncoder { store: api.node.store().clone(), run: found.run };
    Ok(stream(&api, found.run, follower, encoder))
}

/// Sends every record as it is in the log.
struct LogEncoder {
    store: Arc<dyn Store>,
    run: RunId,
}

impl EventEncoder for LogEncoder {
    fn encode_records(&mut self, records: Vec<Arc<Record>>) -> Encoded {
        let events = records.len();
        Encoded { text: EventText::Records(RecordPieces::of(records)), events }
    }

    fn encode_delta(&mut self, delta: &Delta) -> Bytes {
        sse::delta(delta)
    }

    async fn encode_end(&self) -> Bytes {
        // The run may have been deleted meanwhile; its reason is then unknown.
        let summary = self.store.find(self.run).await.ok();
        sse::end(summary.and_then(|summary| summary.reason).as_deref())
    }
}
