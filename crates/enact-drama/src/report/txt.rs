//! The transcript as plain text: the requirements' format. Every block is one line of text, with blank lines
//! around it.

use super::{BlockContent, Document, Format, Speech, time};
use crate::{
    reply::holds_line_head,
    text::{bracketed, one_line, parenthesized},
};

/// A part of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// How long the run had been played when this came. What has no time of its own comes with what precedes
    /// it.
    pub at_ms: Option<u64>,
    /// The beat or turn it belongs to. What has no time of its own belongs to the round that precedes it.
    pub round: u32,
    pub text: String,
}

pub(super) fn txt(document: &Document) -> String {
    passages(document).into_iter().map(|passage| passage.text).collect()
}

/// The transcript in pieces, each with the time at which it came. Together they are the transcript, byte for
/// byte.
pub fn passages(document: &Document) -> Vec<Passage> {
    let mut passages = Vec::new();
    let mut untimed = opening(document);
    let mut before = document.blocks.first().map_or(0, |block| block.round);
    for block in &document.blocks {
        let text = block.content.text();
        if let BlockContent::Heading { .. } = block.content {
            untimed.push_str(&format!("\n{text}\n"));
        } else {
            untimed.push('\n');
            let between = std::mem::replace(&mut untimed, "\n".to_owned());
            passages.push(Passage { at_ms: None, round: before, text: between });
            passages.push(Passage { at_ms: Some(block.at_ms), round: block.round, text });
            before = block.round;
        }
    }
    untimed.push_str(&closing(document));
    passages.push(Passage { at_ms: None, round: before, text: untimed });
    passages
}

fn opening(document: &Document) -> String {
    let mut text = String::new();
    for field in document.head_in(Format::Txt) {
        text.push_str(&format!("{}: {}\n", field.label.to_uppercase(), field.value));
    }
    text.push_str(&format!(
        "GENERATED: {}\n\n---\n\n[{} START]\n",
        time::date_time(document.started_at),
        document.production.to_uppercase()
    ));
    if let Some(setting) = &document.setting {
        text.push_str(&format!("[Setting: {}]\n", bracketed(setting)));
    }
    text
}

fn closing(document: &Document) -> String {
    let mut text = format!("\n[{}]\n\n---\n\nSTATISTICS:\n", bracketed(&document.end_text()));
    for (label, figure) in &document.statistics {
        text.push_str(&format!("- {label}: {figure}\n"));
    }
    text
}

impl BlockContent {
    /// As one line of text.
    pub fn text(&self) -> String {
        match self {
            BlockContent::Heading { title, .. } => format!("[{}]", bracketed(title)),
            BlockContent::Speech(speech) => speech.line(),
            BlockContent::Event { text, .. } => format!("[EVENT: {}]", bracketed(text)),
            BlockContent::System { text } => format!("[SYSTEM: {}]", bracketed(text)),
        }
    }
}

impl Speech {
    /// `Alice [TO: Bob, TONE: angry, *stands up*] "Why?"`
    fn line(&self) -> String {
        let mut line = self.who.clone();
        let gesture = self.done().map(|gesture| format!("*{gesture}*"));
        let attributes: Vec<&str> = self.attributes().iter().chain(&gesture).map(String::as_str).collect();
        if !attributes.is_empty() {
            line.extend([" [", &attributes.join(", "), "]"]);
        }
        let mut words = one_line(&self.heard());
        // Replies are read so that they hold none of this. Answers in prose, and logs from before, may.
        if holds_line_head(&words) {
            words = parenthesized(&words).replace('"', "'");
        }
        if self.aloud && !words.is_empty() {
            line.extend([" \"", &words, "\""]);
        }
        line
    }
}
