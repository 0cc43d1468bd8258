//! How a run came about, for any production: one JSON line for each record of its log.

use serde::Serialize;
use serde_json::{Map, Value};

use super::for_programs;
use crate::{Record, text::shortened};

/// How much of a text is quoted: enough to recognise it. The log keeps all of it.
const QUOTED_CHARS: usize = 400;

/// Kinds with one of these words tell of something that did not work.
const TROUBLE: [&str; 3] = ["failed", "refused", "missed"];

#[derive(Serialize)]
struct PlainDebugEntry {
    at: String,
    seq: u64,
    level: &'static str,
    message: String,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

/// The debug log of a production that has none of its own. The first record is told without its body: it
/// holds everything that was read from outside, prompts and sheets among it.
pub fn debug_log(records: &[Record]) -> String {
    let mut text = String::new();
    for (index, record) in records.iter().enumerate() {
        let mut fields = match serde_json::from_str(record.body.get()) {
            Ok(Value::Object(fields)) if index > 0 => fields,
            _ => Map::new(),
        };
        fields.values_mut().for_each(quote);
        let words: Vec<&str> = record.kind.split('_').collect();
        let level = if words.iter().any(|word| TROUBLE.contains(word)) { "warn" } else { "info" };
        let (at, seq, message) = (for_programs(record.at), record.seq.0, words.join(" "));
        // The names of the entry itself are not to be replaced by those of a body.
        for own in ["at", "seq", "level", "message"] {
            fields.shift_remove(own);
        }
        let entry = PlainDebugEntry { at, seq, level, message, fields };
        text.push_str(&serde_json::to_string(&entry).expect("entries have only string keys"));
        text.push('\n');
    }
    text
}

/// Shortens every text in a value.
fn quote(value: &mut Value) {
    match value {
        Value::String(text) => *text = shortened(text, QUOTED_CHARS).into_owned(),
        Value::Array(items) => items.iter_mut().for_each(quote),
        Value::Object(map) => map.values_mut().for_each(quote),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
