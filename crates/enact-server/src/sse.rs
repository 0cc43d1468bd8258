//! Server-sent events as they stand on the wire.
//!
//! Records carry their seq as the event's id, so that a browser's `Last-Event-ID` says what was seen last.
//! Everything else is un-numbered: it is not in the log, and resuming neither repeats nor misses it.

use std::{io::Write, sync::Arc};

use bytes::Bytes;
use enact_drama::{Record, Seq, production::Delta};

/// What an event takes beside its body: field names, seq, time, kind.
const EVENT_OVERHEAD_BYTES: usize = 160;

/// How long a reader should wait before it follows the run elsewhere, when a server stops.
const RECONNECT_AFTER_MS: u64 = 1_000;

/// Says nothing, so that proxies and readers know the connection is alive.
pub(crate) const KEEP_ALIVE: Bytes = Bytes::from_static(b":\n\n");

/// Records that came together, as one piece of text.
pub(crate) fn records(records: &[Arc<Record>]) -> Bytes {
    let size = records.iter().map(|record| EVENT_OVERHEAD_BYTES + record.body.get().len()).sum();
    let mut text = Vec::with_capacity(size);
    for record in records {
        push_record(&mut text, record);
    }
    Bytes::from(text)
}

/// An event that is made of a record and not the record itself.
pub(crate) fn push_event(text: &mut Vec<u8>, id: Seq, name: &str, data: &serde_json::Value) {
    // Writing to a vector cannot fail, and JSON has no line breaks unless it is asked to.
    let _ = write!(text, "id: {}\nevent: {name}\ndata: {data}\n\n", id.0);
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

fn push_record(text: &mut Vec<u8>, record: &Record) {
    // Writing to a vector cannot fail.
    let _ = write!(text, "id: {}\nevent: ", record.seq.0);
    // Kinds are plain words. A log from elsewhere could hold others, which must not pass for fields of their
    // own.
    text.extend(record.kind.bytes().filter(|byte| !byte.is_ascii_control()));
    text.extend_from_slice(b"\ndata: ");
    let from = text.len();
    push_json(text, record);
    // Between the tokens of a log from elsewhere there may be line breaks; within them JSON has none.
    for byte in &mut text[from..] {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    text.extend_from_slice(b"\n\n");
}

fn push_json(text: &mut Vec<u8>, value: &impl serde::Serialize) {
    // Neither records nor deltas hold anything that JSON cannot.
    let _ = serde_json::to_writer(text, value);
}

#[cfg(test)]
mod tests {
    use enact_drama::{CallId, Name};
    use expect_test::expect;
    use serde_json::value::RawValue;

    use super::*;

    fn record(seq: u64, kind: &str, body: &str) -> Arc<Record> {
        let body = RawValue::from_string(body.to_owned()).unwrap();
        Arc::new(Record {
            seq: Seq(seq),
            at: 1_700_000_000_000 + seq as i64,
            kind: kind.to_owned(),
            v: 1,
            body,
        })
    }

    fn text(bytes: Bytes) -> String {
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[test]
    fn records_are_numbered_and_the_rest_is_not() {
        let two = [record(6, "beat_settled", r#"{"beat":2}"#), record(7, "paused", "{}")];
        let spoken = Delta { call: CallId(3), actor: Name::new("alice").unwrap(), text: "I\nam".into() };
        let pieces =
            [records(&two), delta(&spoken), KEEP_ALIVE, end(Some("stalled")), end(None), closing(Seq(8))];
        expect![[r#"
            id: 6
            event: beat_settled
            data: {"seq":6,"at":1700000000006,"kind":"beat_settled","v":1,"body":{"beat":2}}

            id: 7
            event: paused
            data: {"seq":7,"at":1700000000007,"kind":"paused","v":1,"body":{}}

            event: delta
            data: {"call":3,"actor":"alice","text":"I\nam"}

            :

            event: end
            data: {"reason":"stalled"}

            event: end
            data: {"reason":null}

            retry: 1000
            event: closing
            data: {"from":8}

        "#]]
        .assert_eq(&pieces.map(text).concat());
    }

    #[test]
    fn a_log_from_elsewhere_cannot_forge_fields() {
        let forged = record(0, "sung\nid: 99\r\ndata: x", "{\n  \"a\":\r\n 1}");
        let text = text(records(&[forged]));
        let fields: Vec<&str> = text.lines().map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(fields, ["id", "event", "data", ""], "{text}");
        let data = text.lines().nth(2).unwrap().strip_prefix("data: ").unwrap();
        assert_eq!(serde_json::from_str::<Record>(data).unwrap().kind, "sung\nid: 99\r\ndata: x");
    }
}
