//! Text from outside, made safe to stand in a line of ours.

use std::{borrow::Cow, iter::Peekable, str::Chars};

const ESCAPE: char = '\u{1b}';

/// Any text as a part of one text line.
///
/// Replies come cleaned by the parser, but an export is the last place where a line break could turn words
/// into somebody else's line, so it does not rely on that. Terminal sequences go whole, or their tails would
/// be left as noise. Overrides of the writing direction go too: they can make a line look like another one.
/// The marks that right-to-left text and emoji need inside a word stay.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut gap = false;
    while let Some(c) = chars.next() {
        if c == ESCAPE {
            skip_terminal_sequence(&mut chars);
        } else if c.is_whitespace() || c.is_control() {
            gap = !line.is_empty();
        } else if !overrides_direction(c) {
            if std::mem::take(&mut gap) {
                line.push(' ');
            }
            line.push(c);
        }
    }
    line
}

/// At most so many characters of a text; that it goes on is shown.
pub fn shortened(text: &str, most_chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most_chars) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Any text as a part of a bracket: brackets of its own become parentheses, so that ours is the one that
/// closes.
pub fn bracketed(text: &str) -> String {
    one_line(text).replace('[', "(").replace(']', ")")
}

/// Words that somebody was not allowed to finish.
pub fn broken_off(words: &str) -> String {
    format!("{}—", words.trim_end_matches(|c: char| !c.is_alphanumeric()))
}

/// `ESC [ parameters letter`, of which the escape has been read. Of other sequences only the escape goes.
fn skip_terminal_sequence(chars: &mut Peekable<Chars<'_>>) {
    if chars.next_if_eq(&'[').is_some() {
        while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
        chars.next_if(|c| ('@'..='~').contains(c));
    }
}

/// Embeddings, overrides and isolates, and the byte order mark, which is invisible and means nothing within a
/// text.
fn overrides_direction(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
