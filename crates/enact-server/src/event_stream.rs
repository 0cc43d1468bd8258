//! A run as a stream of server-sent events, in whichever encoding.

use std::{future::Future, sync::Arc};

use axum::{
    extract::{FromRef, FromRequestParts},
    http::{HeaderMap, request::Parts},
    response::Response,
};
use bytes::Bytes;
use enact_drama::{Record, RunId, Seq, production::Delta};
use enact_engine::{
    log::RunSummary,
    node::{FollowEvent, Follower, Speed},
};
use futures::stream;
use serde::Deserialize;
use tokio::time::{Instant, timeout_at};
use utoipa::IntoParams;

use crate::{
    error::{ApiError, ErrorCode},
    extract::{Query, Run, header},
    metrics::StreamGuard,
    routes::ApiState,
    sse::{self, RecordPieces},
};

pub(crate) const LAST_EVENT_ID: &str = "last-event-id";

/// Where a stream starts, and how fast it goes.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct StreamQuery {
    /// The seq of the first event that is wanted; 0 is the first of all. `Last-Event-ID` wins over it.
    #[param(value_type = Option<u64>, example = 0)]
    from: Option<String>,
    /// Show what has happened with the pauses it came with, this many times as fast: 0.1 to 1,000. All at
    /// once by default.
    #[param(value_type = Option<f64>, minimum = 0.1, maximum = 1000, example = 4.0)]
    speed: Option<String>,
}

/// How what happens in a run becomes server-sent events.
pub(crate) trait EventEncoder: Send + 'static {
    /// The events of the next records.
    fn encode_records(&mut self, records: Vec<Arc<Record>>) -> Encoded;

    /// A delta of live text; empty if this stream has no deltas.
    fn encode_delta(&mut self, delta: &Delta) -> Bytes;

    /// Says that nothing more comes from here, though the run may go on: its next record is this one.
    fn encode_closing(&self, next: Seq) -> Bytes {
        sse::closing(next)
    }

    /// Whether all that was wanted has been encoded, though the run may go on.
    fn is_over(&self) -> bool {
        false
    }

    /// The last event, once the run is over; empty if there is none.
    fn encode_end(&self) -> impl Future<Output = Bytes> + Send;
}

/// The events of some records: there may be none.
#[derive(Debug)]
pub(crate) struct Encoded {
    pub(crate) text: EventText,
    pub(crate) events: usize,
}

/// Text that is sent in pieces.
#[derive(Debug)]
pub(crate) enum EventText {
    Records(RecordPieces),
    /// Whole, or nothing any more.
    Short(Bytes),
}

impl EventText {
    /// The next piece; empty once there is none.
    fn next(&mut self) -> Bytes {
        match self {
            EventText::Records(pieces) => pieces.next().unwrap_or_default(),
            EventText::Short(text) => std::mem::take(text),
        }
    }
}

/// A request to follow the run of the path, from where the caller wants it and as fast as the caller wants it.
#[derive(Debug)]
pub struct FollowRequest {
    pub(crate) api: ApiState,
    pub(crate) run: RunSummary,
    pub(crate) follower: Follower,
}

impl<S: Send + Sync> FromRequestParts<S> for FollowRequest
where
    ApiState: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<FollowRequest, ApiError> {
        let Run(run) = Run::from_request_parts(parts, state).await?;
        let Query(query) = Query::<StreamQuery>::from_request_parts(parts, state).await?;
        let from = start(&parts.headers, &query)?;
        let speed = query.speed.as_deref().map(speed).transpose()?;
        // A seq beyond the log is of another run, or of a log that a backup replaced: waiting would hide that.
        let (id, events) = (run.run, run.events);
        if from.0 > events {
            let message =
                format!("the log of run {id} has {events} events: there is no event {} yet", from.0);
            return Err(ApiError::new(ErrorCode::InvalidCursor, message).with("events", events));
        }
        let api = ApiState::from_ref(state);
        let follower = api.node.follow_found(&run, from);
        let follower = match speed {
            Some(speed) => follower.at(speed),
            None => follower,
        };
        Ok(FollowRequest { api, run, follower })
    }
}

/// An answer that goes on for as long as the run does.
pub(crate) fn stream(api: &ApiState, run: RunId, follower: Follower, encoder: impl EventEncoder) -> Response {
    stream_after(api, run, Bytes::new(), follower, encoder)
}

/// The same after something that is sent first.
pub(crate) fn stream_after(
    api: &ApiState,
    run: RunId,
    first: Bytes,
    follower: Follower,
    encoder: impl EventEncoder,
) -> Response {
    let text = EventText::Short(first);
    let subscription = Subscription { follower, encoder, run, text, guard: api.metrics.stream() };
    // The stream is asked for more only when there is room for it: a slow reader holds a cursor, some pieces
    // of text and a share in the records that they are made of.
    let pieces = stream::unfold(Some(subscription), |subscription| async {
        let (piece, subscription) = subscription?.next().await;
        Some((piece, subscription))
    });
    sse::response(pieces)
}

/// One open stream.
struct Subscription<E> {
    follower: Follower,
    encoder: E,
    run: RunId,
    /// What is left of the last records.
    text: EventText,
    guard: StreamGuard,
}

impl<E: EventEncoder> Subscription<E> {
    /// What is sent next, and the subscription if the stream goes on after that.
    async fn next(mut self) -> (Bytes, Option<Subscription<E>>) {
        let quiet_until = Instant::now() + sse::KEEP_ALIVE_INTERVAL;
        loop {
            let rest = self.text.next();
            if !rest.is_empty() {
                return (rest, Some(self));
            }
            if self.encoder.is_over() {
                return (Bytes::new(), None);
            }
            let piece = match timeout_at(quiet_until, self.follower.next()).await {
                Err(_) => sse::KEEP_ALIVE,
                Ok(Ok(Some(FollowEvent::Records(records)))) => {
                    let encoded = self.encoder.encode_records(records);
                    self.guard.count_events(encoded.events);
                    self.text = encoded.text;
                    self.text.next()
                }
                Ok(Ok(Some(FollowEvent::Delta(delta)))) => self.encoder.encode_delta(&delta),
                Ok(Ok(Some(FollowEvent::Closed))) => {
                    return (self.encoder.encode_closing(self.follower.next_seq()), None);
                }
                Ok(Ok(None)) => return (self.encoder.encode_end().await, None),
                Ok(Err(error)) => {
                    tracing::error!(run = %self.run, %error, "an event stream ended early: the run cannot be read");
                    return (self.encoder.encode_closing(self.follower.next_seq()), None);
                }
            };
            if !piece.is_empty() {
                return (piece, Some(self));
            }
        }
    }
}

/// The seq of the first event to send.
fn start(headers: &HeaderMap, query: &StreamQuery) -> Result<Seq, ApiError> {
    let number = |what: &str, text: &str| {
        // Only digits: Rust also takes `+1`.
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse::<u64>().ok().filter(|_| digits);
        number.ok_or_else(|| {
            let message = format!("{what} must be the number of an event, 0 or more");
            ApiError { code: ErrorCode::InvalidCursor, ..ApiError::parameter(what, text, message) }
        })
    };
    match (header(headers, LAST_EVENT_ID)?, &query.from) {
        // Browsers that have seen nothing yet may send it empty.
        (Some(seen), _) if !seen.is_empty() => {
            // Saturating: no log is as long.
            Ok(Seq(number("Last-Event-ID", seen)?.saturating_add(1)))
        }
        (_, Some(from)) => Ok(Seq(number("from", from)?)),
        (_, None) => Ok(Seq(0)),
    }
}

pub(crate) fn speed(text: &str) -> Result<Speed, ApiError> {
    text.parse().ok().and_then(Speed::new).ok_or_else(|| {
        let message = format!("speed must be a number from {} to {}", Speed::SLOWEST, Speed::FASTEST);
        ApiError::parameter("speed", text, message)
    })
}
