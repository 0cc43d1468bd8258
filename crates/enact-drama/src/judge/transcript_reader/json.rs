//! Transcripts as JSON.

use serde::Deserialize;

use super::{EXAMPLE, Raw, Transcript, lines};
use crate::{Problem, reply::Action};

/// Whether a text means to be JSON. A text transcript may begin with a bracket too: `[SCENE START]`.
pub(super) fn looks_like(text: &str) -> bool {
    let mut marks = text.chars().filter(|c| !c.is_whitespace());
    match marks.next() {
        Some('{') => true,
        Some('[') => marks.next().is_none_or(|next| matches!(next, '{' | '[' | ']' | '"' | '0'..='9')),
        _ => false,
    }
}

pub(super) fn read(text: &str) -> Result<Transcript, Problem> {
    let read: Vec<JsonLine> = serde_json::from_str(text).map_err(|error| {
        let told = error.to_string();
        let what = told.split(" at line ").next().unwrap_or(&told);
        // Column 0 means that the line had not begun.
        Problem::config(format!("The transcript is not a list of lines: {what}"))
            .at(error.line().max(1), error.column().max(1))
            .hint(EXAMPLE)
    })?;
    let raw = read.into_iter().map(JsonLine::raw).collect();
    Ok(Transcript { characters: vec![], goal: None, lines: lines(raw) })
}

/// A line on the wire; keys that say nothing to the judge are passed over. Events have no speaker.
#[derive(Debug, Deserialize)]
#[serde(
    rename_all = "camelCase",
    expecting = "a line like {\"speaker\": \"Bob\", \"content\": \"I'm sorry.\"}"
)]
struct JsonLine {
    #[serde(default)]
    speaker: Option<String>,
    content: String,
    #[serde(default)]
    tone: Option<String>,
    #[serde(default)]
    action: Option<Action>,
    #[serde(default)]
    target: Option<String>,
    #[serde(default)]
    interrupt_after: Option<String>,
}

impl JsonLine {
    fn raw(self) -> Raw {
        Raw {
            speaker: self.speaker.unwrap_or_default(),
            content: self.content,
            tone: self.tone,
            action: self.action,
            target: self.target,
            interrupt_after: self.interrupt_after,
        }
    }
}
