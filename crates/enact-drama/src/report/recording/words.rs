//! What of a line is said aloud: its words, without what is only done and without marks of emphasis.

use std::ops::Range;

use crate::{judge::is_gesture, report::webvtt::is_unspaced};

/// The words of a text, and where in it they stand.
#[derive(Debug)]
pub(super) struct Words<'a> {
    text: &'a str,
    said: Vec<Range<usize>>,
}

impl<'a> Words<'a> {
    pub(super) fn of(text: &'a str) -> Words<'a> {
        let mut said = Vec::new();
        let mut from = 0;
        for done in gestures(text) {
            said.push(from..done.start);
            from = done.end;
        }
        said.push(from..text.len());
        Words { text, said }
    }

    pub(super) fn all(&self) -> String {
        self.within(0..self.text.len())
    }

    /// What is said up to a byte, and what would have followed. Nothing if nothing is said by then.
    ///
    /// A word that breaks off is left to what follows, since half of a word is no word that anybody could
    /// say, unless there is no other.
    pub(super) fn until(&self, at: usize) -> Option<(String, Option<String>)> {
        let at = self.text.floor_char_boundary(at);
        let at = Some(word_start(self.text, at)).filter(|at| has_sound(&self.within(0..*at))).unwrap_or(at);
        let (heard, unheard) = (self.within(0..at), self.within(at..self.text.len()));
        has_sound(&heard).then(|| (heard, Some(unheard).filter(|unheard| has_sound(unheard))))
    }

    fn within(&self, range: Range<usize>) -> String {
        let mut words = String::new();
        for said in &self.said {
            let (start, end) = (said.start.max(range.start), said.end.min(range.end));
            words.push_str(self.text.get(start..end).unwrap_or_default());
            words.push(' ');
        }
        let plain = words.replace(['*', '`'], "").replace(['_', '[', ']'], " ");
        plain.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

fn has_sound(text: &str) -> bool {
    text.contains(char::is_alphanumeric)
}

/// Where the word begins that a byte lies inside of; the byte itself, if it lies between two.
fn word_start(text: &str, at: usize) -> usize {
    let in_word = |c: char| (c.is_alphanumeric() || matches!(c, '\'' | '’')) && !is_unspaced(c);
    let (before, after) = text.split_at(at);
    if before.ends_with(in_word) && after.starts_with(in_word) {
        before.trim_end_matches(in_word).len()
    } else {
        at
    }
}

/// What is done rather than said: anything in brackets, and what stands in asterisks or parentheses where a
/// sentence could begin or end ("*sighs* Fine.", "(quietly) No."). Inside a sentence both belong to it.
fn gestures(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    // Once a mark has nothing that closes it, no later one has: looking again would take quadratic time.
    let mut unclosed = Vec::new();
    let mut from = 0;
    for (at, c) in text.char_indices() {
        let closing = match c {
            '*' => '*',
            '(' => ')',
            '[' => ']',
            _ => continue,
        };
        if at < from || unclosed.contains(&c) {
            continue;
        }
        match text[at + 1..].find(closing) {
            Some(length) => {
                from = at + 1 + length + 1;
                found.extend((c == '[' || is_gesture(&text[..at], &text[from..])).then_some(at..from));
            }
            None => unclosed.push(c),
        }
    }
    found
}
