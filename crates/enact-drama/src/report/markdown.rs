//! The run as Markdown, for reading and publishing.

use super::{BlockContent, Document, Format, Speech, time};
use crate::text::one_line;

/// Punctuation that could start markup within a line. What only means something at the beginning of one needs
/// no escape: no text from outside stands there.
const MARKUP: &[char] = &['\\', '`', '*', '_', '[', ']', '<', '>', '#', '|', '~', '&', '$'];

pub(super) fn markdown(document: &Document) -> String {
    let mut text = format!("# {}\n\n", escaped(&document.title));
    for field in document.head_in(Format::Md) {
        text.push_str(&item(field.label, &field.value));
    }
    if let Some(setting) = &document.setting {
        text.push_str(&item("Setting", setting));
    }
    text.push_str(&item("Generated", &format!("{} UTC", time::date_time(document.started_at))));
    // Where headings divide the blocks, the first of them ends the head.
    if !document.divided {
        text.push_str("\n---\n");
    }
    for block in &document.blocks {
        text.push_str(&format!("\n{}\n", paragraph(&block.content)));
    }
    text.push_str(&format!("\n---\n\n*{}*\n\n## Statistics\n\n", escaped(&document.end_text())));
    for (label, figure) in &document.statistics {
        text.push_str(&format!("- {label}: {}\n", escaped(figure)));
    }
    text
}

fn item(label: &str, value: &str) -> String {
    format!("- **{label}:** {}\n", escaped(value))
}

fn paragraph(content: &BlockContent) -> String {
    match content {
        BlockContent::Heading { short, .. } => format!("## {}", escaped(short)),
        BlockContent::Speech(speech) => spoken(speech),
        BlockContent::Event { text, .. } => format!("> **Event:** {}", escaped(text)),
        BlockContent::System { text } => format!("> **System:** {}", escaped(text)),
    }
}

/// `**Alice** (to Bob, angry) *stands up*: We need to talk.`
fn spoken(speech: &Speech) -> String {
    let mut text = format!("**{}**", escaped(&speech.who));
    if let Some(manner) = &speech.manner {
        text.push_str(&format!(" ({})", escaped(manner)));
    }
    if let Some(gesture) = speech.done() {
        text.push_str(&format!(" *{}*", escaped(gesture)));
    }
    let words = escaped(&speech.heard());
    if speech.aloud && !words.is_empty() {
        text.push_str(&format!(": {words}"));
    }
    text
}

fn escaped(text: &str) -> String {
    let text = one_line(text);
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if MARKUP.contains(&c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
