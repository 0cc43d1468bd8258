//! A line as its sentences and gestures. Quotations are somebody else's words and are left out.

use std::ops::Range;

use crate::english::words::{Mark, Text, Word, is_gesture};

/// One sentence, or one gesture.
#[derive(Debug)]
pub(super) struct LinePart<'a> {
    pub(super) words: Vec<Word<'a>>,
    pub(super) asks: bool,
    pub(super) gesture: bool,
    /// It breaks off: its speaker was cut, or did not go on.
    pub(super) cut: bool,
}

/// More sentences than this in one line are a speech; the last ones count.
const MOST_PARTS: usize = 12;

/// What a line consists of.
pub(super) fn parts(line: &str) -> Vec<LinePart<'_>> {
    let mut parts = Vec::new();
    let mut from = 0;
    for gesture in gestures(line) {
        spoken(&line[from..gesture.start], &mut parts);
        let words = Text::read(&line[gesture.clone()]).words;
        if !words.is_empty() {
            parts.push(LinePart { words, asks: false, gesture: true, cut: false });
        }
        from = gesture.end;
    }
    spoken(&line[from..], &mut parts);
    let surplus = parts.len().saturating_sub(MOST_PARTS);
    parts.drain(..surplus);
    parts
}

fn spoken<'a>(text: &'a str, parts: &mut Vec<LinePart<'a>>) {
    let read = Text::spoken(text);
    for sentence in &read.sentences {
        let words = read.words[sentence.words.clone()].to_vec();
        parts.push(LinePart { words, asks: sentence.mark == Mark::Question, gesture: false, cut: false });
    }
    let breaks_off = text.trim_end().ends_with(['—', '–']) || text.trim_end().ends_with("--");
    if let (true, false, Some(last)) = (breaks_off, read.sentences.is_empty(), parts.last_mut()) {
        last.cut = true;
    }
}

/// What stands in brackets or, where a sentence could begin or end, in asterisks.
fn gestures(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = line[at..].find(['(', '*']).map(|place| at + place) {
        let close = if line[open..].starts_with('(') { ')' } else { '*' };
        let Some(end) = line[open + 1..].find(close).map(|place| open + 1 + place + 1) else { break };
        if close == ')' || is_gesture(&line[..open], &line[end..]) {
            found.push(open..end);
        }
        at = end;
    }
    found
}
