//! Somebody who follows a run over HTTP, in whichever way it is told to them.

use std::{convert::Infallible, future::Future, sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{
        HeaderMap,
        header::{CACHE_CONTROL, CONTENT_TYPE},
    },
    response::{IntoResponse, Response},
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
    error::{Code, Refusal},
    input::header,
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
pub struct Wanted {
    /// The seq of the first event that is wanted; 0 is the first of all. `Last-Event-ID` wins over it.
    #[param(value_type = Option<u64>, example = 0)]
    from: Option<String>,
    /// Show what has happened with the pauses it came with, this many times as fast: 0.1 to 1,000. All at once, if
    /// nothing is said.
    #[param(value_type = Option<f64>, minimum = 0.1, maximum = 1000, example = 4.0)]
    speed: Option<String>,
}

/// How a run is told.
pub(crate) trait Telling: Send + 'static {
    /// What happened next.
    fn happened(&mut self, records: &[Arc<Record>]) -> Told;

    /// A piece of an answer that is still coming; empty where that is not told.
    fn heard(&mut self, delta: &Delta) -> Bytes;

    /// What comes after everything, once the run is over; empty where nothing does.
    fn over(&self) -> impl Future<Output = Bytes> + Send;
}

/// What is told of some records: not always something.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) text: Bytes,
    pub(crate) events: usize,
}

/// Where somebody begins to read, and how fast.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) from: Seq,
    speed: Option<Speed>,
}

impl Place {
    /// At the beginning, as fast as it comes.
    pub(crate) const BEGINNING: Place = Place { from: Seq(0), speed: None };

    /// The place somebody wants in a run.
    pub(crate) fn of(wanted: &Wanted, headers: &HeaderMap, found: &RunSummary) -> Result<Place, Refusal> {
        let from = start(headers, wanted)?;
        let speed = wanted.speed.as_deref().map(speed).transpose()?;
        let (run, events) = (found.run, found.events);
        // Waiting for what can never have been seen would hide that something is wrong: another run, or an older backup.
        if from.0 > events {
            let message =
                format!("the log of run {run} has {events} events: there is no event {} yet", from.0);
            return Err(Refusal::new(Code::InvalidCursor, message).with("events", events));
        }
        Ok(Place { from, speed })
    }
}

/// An answer that goes on for as long as the run does.
pub(crate) fn stream(api: &Api, found: &RunSummary, place: Place, telling: impl Telling) -> Response {
    let follower = api.node.follow_found(found, place.from);
    let following = Following {
        follower: match place.speed {
            Some(speed) => follower.at(speed),
            None => follower,
        },
        telling,
        run: found.run,
        reader: api.metrics.reader(),
    };
    // The stream is asked for more only when the last piece has left: a slow reader holds a cursor and nothing else.
    let pieces = stream::unfold(Some(following), |following| async {
        let (piece, following) = following?.next().await;
        Some((Ok::<Bytes, Infallible>(piece), following))
    });
    let headers = [
        (CONTENT_TYPE.as_str(), "text/event-stream"),
        (CACHE_CONTROL.as_str(), "no-store"),
        // Proxies that collect answers would keep events back.
        ("x-accel-buffering", "no"),
    ];
    (headers, Body::from_stream(pieces)).into_response()
}

/// One reader's place in a run.
struct Following<T> {
    follower: Follower,
    telling: T,
    run: RunId,
    reader: Reader,
}

impl<T: Telling> Following<T> {
    /// What is sent next, and whoever follows if it goes on after that.
    async fn next(mut self) -> (Bytes, Option<Following<T>>) {
        let quiet_until = Instant::now() + KEEP_ALIVE;
        loop {
            let piece = match timeout_at(quiet_until, self.follower.next()).await {
                Err(_) => sse::KEEP_ALIVE,
                Ok(Ok(Some(FollowEvent::Records(records)))) => {
                    let told = self.telling.happened(&records);
                    self.reader.was_sent(told.events);
                    told.text
                }
                Ok(Ok(Some(FollowEvent::Delta(delta)))) => self.telling.heard(&delta),
                Ok(Ok(Some(FollowEvent::Closed))) => return (sse::closing(self.follower.next_seq()), None),
                Ok(Ok(None)) => return (self.telling.over().await, None),
                Ok(Err(error)) => {
                    tracing::error!(run = %self.run, %error, "a run cannot be followed any further");
                    return (sse::closing(self.follower.next_seq()), None);
                }
            };
            if !piece.is_empty() {
                return (piece, Some(self));
            }
        }
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
