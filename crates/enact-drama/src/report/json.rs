//! The run as one JSON document. Texts are given as they are in the log: JSON needs no cleaning, only escapes
//! where a text would act on a terminal or an editor.

use serde_json::{Value, json};

use super::{Block, BlockContent, Document, Entry};
use crate::text::escaped_json;

pub(super) fn json(document: &Document) -> String {
    let mut whole = document.json_head.clone();
    whole.insert("lines".to_owned(), document.blocks.iter().filter_map(entry).collect());
    whole.insert("metadata".to_owned(), document.metadata.clone());
    pretty(&Value::Object(whole))
}

/// Only what programs want to know: the `metadata.json` of a run.
pub(super) fn metadata(document: &Document) -> String {
    pretty(&document.metadata)
}

fn pretty(value: &Value) -> String {
    let text = serde_json::to_string_pretty(value).expect("the document has only string keys");
    escaped_json(&text).into_owned() + "\n"
}

fn entry(block: &Block) -> Option<Value> {
    let mut entry = match &block.entry {
        Entry::Own(entry) => entry.clone(),
        Entry::Default => plain(block)?,
        Entry::Absent => return None,
    };
    if let (Some(at), Value::Object(entry)) = (block.at, &mut entry) {
        // Beside the id: together they name the event of the log that the entry stems from.
        entry.shift_insert(entry.len().min(1), "at".to_owned(), at.into());
    }
    Some(entry)
}

/// What can be said of any block.
fn plain(block: &Block) -> Option<Value> {
    let (kind, speaker, content) = match &block.content {
        BlockContent::Heading { .. } => return None,
        BlockContent::Speech(speech) => match speech.only_done() {
            Some(gesture) => ("gesture", Some(&speech.who), gesture.into()),
            None => ("line", Some(&speech.who), speech.heard()),
        },
        BlockContent::Event { text, .. } => ("event", None, text.into()),
        BlockContent::System { text } => ("system", None, text.into()),
    };
    Some(json!({
        "id": block.id,
        "round": block.round,
        "kind": kind,
        "speaker": speaker,
        "content": content,
    }))
}
