use std::sync::Arc;

use enact_drama::{CallId, Name};
use expect_test::expect;
use serde_json::value::RawValue;

use super::*;

fn record(seq: u64, kind: &str, body: &str) -> Arc<Record> {
    let body = RawValue::from_string(body.to_owned()).unwrap();
    Arc::new(Record { seq: Seq(seq), at: 1_700_000_000_000 + seq as i64, kind: kind.to_owned(), v: 1, body })
}

fn records(records: &[Arc<Record>]) -> Bytes {
    let pieces: Vec<Bytes> = RecordPieces::of(records.to_vec()).collect();
    assert!(pieces.iter().all(|piece| !piece.is_empty()));
    pieces.concat().into()
}

fn text(bytes: Bytes) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn records_are_numbered_and_the_rest_is_not() {
    let two = [record(6, "beat_settled", r#"{"beat":2}"#), record(7, "paused", "{}")];
    let spoken = Delta { call: CallId(3), actor: Name::new("alice").unwrap(), text: "I\nam".into(), at: 0 };
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

#[test]
fn pieces_make_up_the_text_of_records_of_any_length() {
    let lengths = [0, 1, 100, 7_000, 8_000, 8_191, 8_192, 8_193, 16_384, 50_000, 700_000];
    let all: Vec<Arc<Record>> = lengths
        .iter()
        .flat_map(|length| {
            [format!("\"{}\"", "x".repeat(*length)), format!("[1,\r\n{}2]", " \n".repeat(*length))]
        })
        .zip(0..)
        .map(|(body, seq)| record(seq, "noted", &body))
        .collect();
    for from in 0..all.len() {
        let sent = text(records(&all[from..]));
        let events: Vec<&str> = sent.split_terminator("\n\n").collect();
        assert_eq!(events.len(), all.len() - from);
        for (event, record) in events.iter().zip(&all[from..]) {
            let id = format!("id: {}\nevent: noted\ndata: ", record.seq.0);
            let data = event.strip_prefix(&id).unwrap();
            let whole = serde_json::to_string(&**record).unwrap().replace(['\n', '\r'], " ");
            assert_eq!(data, whole);
        }
    }
}

#[test]
fn a_piece_of_a_long_record_is_not_a_copy() {
    let long = record(0, "began", &format!("\"{}\"", "x".repeat(700_000)));
    let body = long.body.get().as_bytes().as_ptr_range();
    let pieces = RecordPieces::of(vec![long.clone()]);
    let copied: usize = pieces.filter(|piece| !body.contains(&piece.as_ptr())).map(|piece| piece.len()).sum();
    assert!(copied < 10_000, "{copied} bytes were copied");
}
