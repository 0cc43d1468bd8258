//! What happens in a run, while it happens.

use std::{convert::Infallible, time::Duration};

use axum::{
    body::Body,
    extract::State,
    http::{
        HeaderMap,
        header::{CACHE_CONTROL, CONTENT_TYPE},
    },
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use enact_drama::{RunId, Seq};
use enact_engine::{
    Node,
    node::{Follower, Seen, Speed},
};
use futures::stream;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{
    error::{Code, Refusal},
    input::{Query, Run, header},
    metrics::Reader,
    routes::Api,
    sse,
};

/// How long a stream may say nothing. Proxies close connections that are quiet for a minute, some after half of that.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

const LAST_EVENT_ID: &str = "last-event-id";

/// From where on.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// The seq of the first event that is wanted; 0 is the first of all. `Last-Event-ID` wins over it.
    #[param(value_type = Option<u64>, example = 0)]
    from: Option<String>,
    /// Show what has happened with the pauses it came with, this many times as fast: 0.1 to 1,000. All at once, if
    /// nothing is said.
    #[param(value_type = Option<f64>, minimum = 0.1, maximum = 1000, example = 4.0)]
    speed: Option<String>,
}

/// Follow a run
///
/// Server-sent events: everything that has happened so far, and then what happens, as it happens. Each event of the log
/// comes with its seq as `id`, its kind as `event` and `{"seq", "at", "kind", "v", "body"}` as `data`. Whoever comes back
/// with `Last-Event-ID` (or `from`) misses nothing and sees nothing twice.
///
/// Three kinds of events have no id, because they are not in the log: `delta` is a piece of an answer that is still coming
/// (`{"call", "actor", "text"}`; provisional: the answer's own event replaces it), `end` says that the run is over and all
/// of it was sent (close the stream, or your client will come back for it), and `closing` that this server stops: come back,
/// here or elsewhere.
#[utoipa::path(
    get, path = "/v1/runs/{id}/events", operation_id = "followRun", tag = "runs",
    params(("id" = String, Path, format = "uuid", description = "The run."), Wanted,
           ("Last-Event-ID" = Option<u64>, Header, description = "The seq of the last event that was seen.")),
    responses((status = 200, description = "The events.", body = String, content_type = "text/event-stream",
        example = "id: 6\nevent: beat_settled\ndata: {\"seq\":6,\"at\":1772357400000,\"kind\":\"beat_settled\",\"v\":1,\"body\":{\"beat\":0}}\n\n")),
)]
pub(crate) async fn follow(
    State(api): State<Api>,
    Run(run): Run,
    Query(wanted): Query<Wanted>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let from = start(&headers, &wanted)?;
    let speed = wanted.speed.as_deref().map(speed).transpose()?;
    let found = api.node.store().find(run).await?;
    let events = found.events;
    // Waiting for what can never have been seen would hide that something is wrong: another run, or an older backup.
    if from.0 > events {
        let message = format!("the log of run {run} has {events} events: there is no event {} yet", from.0);
        return Err(Refusal::new(Code::InvalidCursor, message).with("events", events));
    }
    let follower = api.node.follow_found(&found, from);
    let stream = Stream {
        follower: match speed {
            Some(speed) => follower.at(speed),
            None => follower,
        },
        node: api.node.clone(),
        run,
        reader: api.metrics.reader(),
    };
    // The stream is asked for more only when the last piece has left: a slow reader holds a cursor and nothing else.
    let pieces = stream::unfold(Some(stream), |stream| async {
        let (piece, stream) = stream?.next().await;
        Some((Ok::<Bytes, Infallible>(piece), stream))
    });
    let headers = [
        (CONTENT_TYPE.as_str(), "text/event-stream"),
        (CACHE_CONTROL.as_str(), "no-store"),
        // Proxies that collect answers would keep events back.
        ("x-accel-buffering", "no"),
    ];
    Ok((headers, Body::from_stream(pieces)).into_response())
}

/// One reader's place in a run.
struct Stream {
    follower: Follower,
    node: Node,
    run: RunId,
    reader: Reader,
}

impl Stream {
    /// What is sent next, and the stream if it goes on after that.
    async fn next(mut self) -> (Bytes, Option<Stream>) {
        let piece = match tokio::time::timeout(KEEP_ALIVE, self.follower.next()).await {
            Err(_) => sse::KEEP_ALIVE,
            Ok(Ok(Some(Seen::Records(records)))) => {
                self.reader.was_sent(records.len());
                sse::records(&records)
            }
            Ok(Ok(Some(Seen::Delta(delta)))) => sse::delta(&delta),
            Ok(Ok(Some(Seen::Closed))) => return (sse::closing(self.follower.next_seq()), None),
            Ok(Ok(None)) => return (self.end().await, None),
            Ok(Err(error)) => {
                tracing::error!(run = %self.run, %error, "a run cannot be followed any further");
                return (sse::closing(self.follower.next_seq()), None);
            }
        };
        (piece, Some(self))
    }

    async fn end(&self) -> Bytes {
        // Somebody may have deleted it meanwhile: then nobody knows any more.
        let summary = self.node.store().find(self.run).await.ok();
        sse::end(summary.and_then(|summary| summary.reason).as_deref())
    }
}

/// The first event that is wanted.
fn start(headers: &HeaderMap, wanted: &Wanted) -> Result<Seq, Refusal> {
    let number = |what: &str, text: &str| {
        // Only digits: `+1` is a number to Rust, and to nobody who writes clients.
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse::<u64>().ok().filter(|_| digits);
        number.ok_or_else(|| {
            Refusal::new(Code::InvalidCursor, format!("{what} must be the number of an event, 0 or more"))
        })
    };
    match (header(headers, LAST_EVENT_ID)?, &wanted.from) {
        // Browsers that have seen nothing yet may send it empty.
        (Some(seen), _) if !seen.is_empty() => {
            // The last number there is has none after it; no log is as long.
            Ok(Seq(number("Last-Event-ID", seen)?.saturating_add(1)))
        }
        (_, Some(from)) => Ok(Seq(number("from", from)?)),
        (_, None) => Ok(Seq(0)),
    }
}

fn speed(text: &str) -> Result<Speed, Refusal> {
    text.parse().ok().and_then(Speed::new).ok_or_else(|| {
        let message = format!("speed must be a number from {} to {}", Speed::SLOWEST, Speed::FASTEST);
        Refusal::new(Code::InvalidParameter, message)
    })
}
