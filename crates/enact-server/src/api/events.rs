//! `GET /v1/runs/{id}/events`: the log of a run as a stream, while it grows.

use std::sync::Arc;

use axum::response::Response;
use bytes::Bytes;
use enact_drama::{Record, RunId, production::Delta};
use enact_engine::{Productions, Store};

use crate::{
    event_stream::{Encoded, EventEncoder, EventText, FollowRequest, StreamQuery, stream},
    openapi::SentEvent,
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
pub(crate) async fn follow(request: FollowRequest) -> Response {
    let FollowRequest { api, run, follower } = request;
    let productions = api.node.productions().clone();
    let redacts = productions.named(&run.production).is_ok_and(|production| production.redacts());
    let production = redacts.then(|| run.production.clone());
    let encoder = LogEncoder { store: api.node.store().clone(), run: run.run, productions, production };
    stream(&api, run.run, follower, encoder)
}

/// Sends every record as it is in the log, but for what its production never shows.
struct LogEncoder {
    store: Arc<dyn Store>,
    run: RunId,
    productions: Productions,
    /// The production that does not show all, where the run is one of it.
    production: Option<String>,
}

impl EventEncoder for LogEncoder {
    fn encode_records(&mut self, records: Vec<Arc<Record>>) -> Encoded {
        let events = records.len();
        let shown = |record: Arc<Record>| {
            let production = self.production.as_ref().and_then(|name| self.productions.named(name).ok());
            production.and_then(|production| production.redacted(&record)).map_or(record, Arc::new)
        };
        let records: Vec<Arc<Record>> = records.into_iter().map(shown).collect();
        Encoded { text: EventText::Records(RecordPieces::of(records)), events }
    }

    fn encode_delta(&mut self, delta: &Delta) -> Bytes {
        // What comes raw may hold what is never shown.
        if self.production.is_some() { Bytes::new() } else { sse::delta(delta) }
    }

    async fn encode_end(&self) -> Bytes {
        // The run may have been deleted meanwhile; its reason is then unknown.
        let summary = self.store.find(self.run).await.ok();
        sse::end(summary.and_then(|summary| summary.reason).as_deref())
    }
}
