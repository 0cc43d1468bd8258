//! Server-sent events as they are on the wire.
//!
//! Records carry their seq as the event's id, so that a browser's `Last-Event-ID` says what was seen last.
//! Everything else is un-numbered: it is not in the log, and resuming neither repeats nor misses it.

mod pieces;

use std::{convert::Infallible, io::Write, time::Duration};

use axum::{
    body::Body,
    http::header::{CACHE_CONTROL, CONTENT_TYPE},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use enact_drama::{Record, Seq, production::Delta};
use futures::{Stream, StreamExt};

pub(crate) use self::pieces::RecordPieces;

/// What an event takes beside its body: field names, seq, time, kind.
const EVENT_OVERHEAD_BYTES: usize = 160;

/// How long a reader should wait before it reconnects, when a server stops.
const RECONNECT_AFTER_MS: u64 = 1_000;

/// How long a stream may be silent. Proxies close connections that are quiet for a minute, some after half
/// of that.
pub(crate) const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);

/// An empty comment, so that proxies and readers know the connection is alive.
pub(crate) const KEEP_ALIVE: Bytes = Bytes::from_static(b":\n\n");

/// The response that sends these events as they come.
pub(crate) fn response(events: impl Stream<Item = Bytes> + Send + 'static) -> Response {
    let headers = [
        (CONTENT_TYPE.as_str(), "text/event-stream"),
        (CACHE_CONTROL.as_str(), "no-store"),
        // Proxies that collect answers would keep events back.
        ("x-accel-buffering", "no"),
    ];
    (headers, Body::from_stream(events.map(Ok::<Bytes, Infallible>))).into_response()
}

/// An event that is made of a record and not the record itself.
pub(crate) fn push_event(text: &mut Vec<u8>, id: &str, name: &str, data: &serde_json::Value) {
    // Writing to a vector cannot fail, and JSON has no line breaks unless it is asked to.
    let _ = write!(text, "id: {id}\nevent: {name}\ndata: {data}\n\n");
}

/// An event that is made of live text: it has no id.
pub(crate) fn unnumbered(name: &str, data: &serde_json::Value) -> Bytes {
    Bytes::from(format!("event: {name}\ndata: {data}\n\n"))
}

/// Live text, provisional.
pub(crate) fn delta(delta: &Delta) -> Bytes {
    let mut text = Vec::with_capacity(EVENT_OVERHEAD_BYTES + delta.text.len());
    text.extend_from_slice(b"event: delta\ndata: ");
    push_json(&mut text, delta);
    text.extend_from_slice(b"\n\n");
    Bytes::from(text)
}

/// The run is over and all of it was told. A reader that comes back would be told the same again.
pub(crate) fn end(reason: Option<&str>) -> Bytes {
    Bytes::from(format!("event: end\ndata: {}\n\n", serde_json::json!({ "reason": reason })))
}

/// Nothing more comes from here, but the run may go on: follow it elsewhere, from this seq on.
pub(crate) fn closing(next: Seq) -> Bytes {
    Bytes::from(format!("retry: {RECONNECT_AFTER_MS}\nevent: closing\ndata: {{\"from\":{}}}\n\n", next.0))
}

/// The same for a reader whose ids are not seqs: the last one says from where.
pub(crate) fn closing_after_last() -> Bytes {
    Bytes::from(format!("retry: {RECONNECT_AFTER_MS}\nevent: closing\ndata: {{}}\n\n"))
}

/// A record up to its body, which ends it but for [`RECORD_END`].
fn push_record_head(text: &mut Vec<u8>, record: &Record) {
    // Writing to a vector cannot fail.
    let _ = write!(text, "id: {}\nevent: ", record.seq.0);
    // Kinds are plain words. A log from elsewhere could hold others, which must not pass for fields of their
    // own.
    text.extend(record.kind.bytes().filter(|byte| !byte.is_ascii_control()));
    let _ = write!(text, "\ndata: {{\"seq\":{},\"at\":{},\"kind\":", record.seq.0, record.at);
    push_json(text, &record.kind);
    let _ = write!(text, ",\"v\":{},\"body\":", record.v);
}

const RECORD_END: &[u8] = b"}\n\n";

/// Between the tokens of a log from elsewhere there may be line breaks; within them JSON has none.
fn without_line_breaks(json: &mut [u8]) {
    for byte in json {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
}

fn push_json(text: &mut Vec<u8>, value: &impl serde::Serialize) {
    // Neither records nor deltas hold anything that JSON cannot.
    let _ = serde_json::to_writer(text, value);
}

#[cfg(test)]
mod tests;
