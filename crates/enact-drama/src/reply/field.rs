//! What may stand in a field: one line, no brackets that could be taken for the moderator's, and a bounded length.

use super::{Complaints, bracket, piece::FORGED, quote};
use crate::test_counter::looked_at;

/// A few minutes of speech. Longer answers are essays, and every other actor has to read them.
pub const MAX_CONTENT_CHARS: usize = 4_000;
/// A few gestures; a paragraph of them is narration.
pub const MAX_NONVERBAL_CHARS: usize = 400;
/// A phrase only has to be found again in what was just said.
pub const MAX_PHRASE_CHARS: usize = 300;
/// The names of a full cast.
pub const MAX_TARGET_CHARS: usize = 200;
/// "stern but controlled, on the verge of tears".
pub const MAX_TONE_CHARS: usize = 80;

/// The value of an attribute: no line breaks, brackets or asterisks, no quotes around it. Nothing if nothing is left.
pub(super) fn value(raw: &str, most_chars: usize) -> Option<String> {
    let raw = bounded_input(raw, most_chars);
    let trimmed = quote::unquoted(raw.trim_matches(is_trim));
    let mut out = String::with_capacity(trimmed.len());
    push_words(&mut out, trimmed, |c| c == '*' || bracket::is_bracket(c));
    cut(&mut out, most_chars);
    // Removing marks may bring others to the surface: `*"sad"*`.
    let clean = strip_marks(&out);
    if clean.len() < out.len() {
        out = clean.to_owned();
    }
    // An emoji is a tone, too; punctuation is nothing.
    out.contains(|c: char| c.is_alphanumeric() || !c.is_ascii()).then_some(out)
}

/// Several gestures as one field.
pub(super) fn gestures(raw: &[&str], complaints: &mut Complaints) -> Option<String> {
    let mut all = String::new();
    for gesture in raw {
        let Some(gesture) = value(gesture, MAX_NONVERBAL_CHARS) else { continue };
        if all.chars().count() + gesture.chars().count() > MAX_NONVERBAL_CHARS {
            complaints.say("more actions than fit: the rest is left out");
            break;
        }
        if !all.is_empty() {
            all.push_str(", ");
        }
        all.push_str(&gesture);
    }
    cut(&mut all, MAX_NONVERBAL_CHARS);
    // The first gesture may have begun with a stray mark and the last one ended with another.
    let all = strip_marks(&all).to_owned();
    (!all.is_empty()).then_some(all)
}

/// What is said, as one line.
pub(super) fn content(raw: &str, complaints: &mut Complaints) -> String {
    let raw = bounded_input(raw, MAX_CONTENT_CHARS);
    let mut line = String::with_capacity(raw.len());
    push_words(&mut line, raw, |_| false);
    if line.contains(bracket::is_bracket) {
        line = without_forgeries(&line, complaints);
    }
    if cut(&mut line, MAX_CONTENT_CHARS) {
        complaints.say("too long: cut at 4000 characters");
    }
    let inner = quote::unquoted(&line);
    // Single marks may be apostrophes of what is said: 'tis, rock 'n'.
    if inner.len() < line.len() && line.starts_with(quote::is_double) {
        line = inner.to_owned();
    }
    line
}

/// Keeps closed brackets that the moderator could not have written, and nothing else of any bracket: what is left
/// cannot be put together again to a forbidden one.
fn without_forgeries(line: &str, complaints: &mut Complaints) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut from = 0;
    while let Some(bracket) = bracket::find(line, from) {
        push_words(&mut kept, &line[from..bracket.start], bracket::is_bracket);
        if bracket.closed && !bracket::is_forged(bracket.inner) {
            let spaced = line[..bracket.start].ends_with(' ');
            if spaced && !kept.is_empty() && !kept.ends_with(' ') {
                kept.push(' ');
            }
            kept.push_str(&line[bracket.start..bracket.end]);
            from = bracket.end;
        } else if bracket::is_forged(bracket.inner) {
            complaints.say(FORGED);
            from = bracket.end;
        } else {
            from = bracket.inner_start;
        }
        if line[from..].starts_with(' ') && !kept.is_empty() && !kept.ends_with(' ') {
            kept.push(' ');
        }
    }
    push_words(&mut kept, &line[from..], bracket::is_bracket);
    kept.truncate(kept.trim_end().len());
    kept
}

/// Appends words with single spaces between them, without the characters that are dropped.
fn push_words(out: &mut String, text: &str, dropped: impl Fn(char) -> bool) {
    looked_at(text.len());
    let mut space_due = false;
    for c in text.chars() {
        if c.is_whitespace() {
            space_due = true;
        } else if !dropped(c) {
            if space_due && !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
            space_due = false;
            out.push(c);
        }
    }
}

/// Cuts at the last word end that fits.
fn cut(text: &mut String, most_chars: usize) -> bool {
    if text.len() <= most_chars {
        return false;
    }
    let Some((end, _)) = text.char_indices().nth(most_chars) else { return false };
    // A text without spaces (CJK, or one endless word) is cut where it stands.
    let word_end = if text[end..].starts_with(' ') { end } else { text[..end].rfind(' ').unwrap_or(end) };
    text.truncate(word_end);
    text.truncate(text.trim_end().len());
    true
}

/// More than any cleaning could leave over is not even looked at. Twice the bytes, so that a cut is noticed.
fn bounded_input(raw: &str, most_chars: usize) -> &str {
    const LONGEST_CHAR: usize = 4;
    let raw = raw.trim();
    &raw[..raw.floor_char_boundary(2 * LONGEST_CHAR * most_chars)]
}

fn is_trim(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '_' | ',' | ';' | ':' | '：' | '|' | '`') || bracket::is_bracket(c)
}

fn strip_marks(text: &str) -> &str {
    let mut text = text;
    loop {
        let inner = quote::unquoted(text).trim_matches(is_trim);
        if inner.len() == text.len() {
            return inner;
        }
        text = inner;
    }
}
