//! The run as WebVTT captions. Where a log has no sound the times are estimates, and the file says so: a
//! recording has captions of its own.

use super::{BlockContent, Document, Speech};
use crate::text::one_line;

/// How fast people speak in a conversation: about 160 words a minute.
const WORD_MS: u64 = 1_000 * 10 / 27;

/// Shorter captions cannot be read.
const SHORTEST_MS: u64 = 800;

/// How long something that is seen or heard, but not said, stays on the screen.
const GESTURE_MS: u64 = 1_500;

/// The breath between two lines. Who interrupts takes none.
const PAUSE_MS: u64 = 400;

/// One caption; the time it takes decides when the next one begins.
struct Caption {
    text: String,
    takes_ms: u64,
    cuts_in: bool,
}

pub(super) fn webvtt(document: &Document) -> String {
    let mut text = format!("WEBVTT - {}\n", escaped(&document.title));
    for note in &document.caption_notes {
        text.push_str(&format!("\nNOTE {}\n", escaped(note)));
    }
    let captions = document.blocks.iter().filter_map(|block| caption(&block.content));
    let mut now: u64 = 0;
    for (index, Caption { text: words, takes_ms, cuts_in }) in captions.enumerate() {
        let start = if index == 0 || cuts_in { now } else { now.saturating_add(PAUSE_MS) };
        now = start.saturating_add(takes_ms);
        text.push_str(&format!("\n{}\n{} --> {}\n{words}\n", index + 1, timestamp(start), timestamp(now)));
    }
    text
}

/// System lines are about the performance, not part of it: they have no caption.
fn caption(content: &BlockContent) -> Option<Caption> {
    match content {
        BlockContent::Speech(speech) => said(speech),
        BlockContent::Event { text, .. } => Some(unspoken(happening(text))),
        BlockContent::Heading { .. } | BlockContent::System { .. } => None,
    }
}

fn said(speech: &Speech) -> Option<Caption> {
    let heard = speech.heard();
    if !speech.aloud || heard.is_empty() {
        let gesture = speech.only_done()?;
        return Some(unspoken(by(&speech.who, &format!("<i>({})</i>", escaped(gesture)))));
    }
    Some(Caption {
        text: by(&speech.who, &escaped(&heard)),
        takes_ms: speech.recorded_ms.unwrap_or_else(|| spoken_ms(&heard)),
        cuts_in: speech.interrupts,
    })
}

fn unspoken(text: String) -> Caption {
    Caption { text, takes_ms: GESTURE_MS, cuts_in: false }
}

/// A caption in the voice of its speaker.
pub(super) fn by(who: &str, text: &str) -> String {
    format!("<v {}>{text}</v>", escaped(who))
}

/// Something that happens, as a caption.
pub(super) fn happening(text: &str) -> String {
    format!("<i>[{}]</i>", escaped(text))
}

/// How long it takes to say something, about.
pub(super) fn spoken_ms(text: &str) -> u64 {
    (half_words(text) * WORD_MS / 2).max(SHORTEST_MS)
}

/// The length of a text in halves of a word. Scripts without spaces have about two characters to the word.
fn half_words(text: &str) -> u64 {
    text.split_whitespace()
        .map(|word| {
            let unspaced = word.chars().filter(|c| is_unspaced(*c)).count() as u64;
            let spaced = word.chars().any(|c| c.is_alphanumeric() && !is_unspaced(c));
            unspaced + if spaced { 2 } else { 0 }
        })
        .sum()
}

/// Thai, kana, Han and Hangul: each of their characters takes about half as long as an English word.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

pub(super) fn timestamp(ms: u64) -> String {
    let (seconds, minutes, hours) = (ms / 1_000 % 60, ms / 60_000 % 60, ms / 3_600_000);
    format!("{hours:02}:{minutes:02}:{seconds:02}.{:03}", ms % 1_000)
}

/// Without `>` there is no `-->` either, which would be read as a time.
pub(super) fn escaped(text: &str) -> String {
    one_line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
