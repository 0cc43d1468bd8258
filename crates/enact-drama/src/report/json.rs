//! The run as one JSON document. Texts are given as they are in the log: JSON needs no cleaning, only escapes
//! where a text would act on a terminal or an editor.

use serde_json::{Value, json};

use super::{Block, Document, Entry, What};
use crate::text::escaped_json;

pub(super) fn json(document: &Document) -> String {
    let mut whole = document.json_head.clone();
    whole.insert("lines".to_owned(), document.blocks.iter().filter_map(entry).collect());
    whole.insert("metadata".to_owned(), document.metadata.clone());
    let text = serde_json::to_string_pretty(&whole).expect("the document has only string keys");
    escaped_json(&text).into_owned() + "\n"
}

fn entry(block: &Block) -> Option<Value> {
    match &block.entry {
        Entry::Own(entry) => Some(entry.clone()),
        Entry::Default => plain(block),
        Entry::Absent => None,
    }
}

/// What can be said of any block.
fn plain(block: &Block) -> Option<Value> {
    let (kind, speaker, content) = match &block.what {
        What::Heading { .. } => return None,
        What::Speech(speech) => match speech.only_done() {
            Some(gesture) => ("gesture", Some(&speech.who), gesture.into()),
            None => ("line", Some(&speech.who), speech.heard()),
        },
        What::Event { text, .. } => ("event", None, text.into()),
        What::System { text } => ("system", None, text.into()),
    };
    Some(json!({
        "id": block.id,
        "round": block.round,
        "kind": kind,
        "speaker": speaker,
        "content": content,
    }))
}
