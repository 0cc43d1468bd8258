//! What may stand in a field: one line, no brackets that could be taken for the moderator's, and a bounded
//! length.

use super::{
    Complaints,
    bracket::{self, BracketReading},
    head::Head,
    piece::{FORGED, MORE_THAN_ONE},
    quote, speaker,
};
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

/// No name on stage is longer, in bytes of most scripts.
const LONGEST_NAME: usize = 80;

/// How often what is said is searched for brackets that could be taken for a line's. Leaving some out may
/// bring others together; what is still there then loses all its brackets.
const MOST_PASSES: usize = 3;

/// The value of an attribute: no line breaks, brackets or asterisks, no quotes around it. Nothing if nothing
/// is left.
pub(super) fn value(raw: &str, most_chars: usize) -> Option<String> {
    let raw = bounded_input(raw, most_chars);
    let trimmed = quote::unquoted(raw.trim_matches(is_trim));
    let mut out = String::with_capacity(trimmed.len());
    push_words(&mut out, trimmed, |c| c == '*' || bracket::is_bracket(c));
    // `(TONE: mad)` would be read as a head of its own.
    if bracket::find(&out, 0).is_some() {
        out.retain(|c| !matches!(c, '(' | ')'));
    }
    cut(&mut out, most_chars);
    // Removing marks may bring others to the surface: `*"sad"*`.
    let clean = strip_marks(&out);
    if clean.len() < out.len() {
        out = clean.to_owned();
    }
    says_something(&out).then_some(out)
}

/// An emoji is a tone, too; punctuation is nothing.
fn says_something(value: &str) -> bool {
    value.contains(|c: char| c.is_alphanumeric() || !c.is_ascii())
}

/// The value of a tone or a target: also no double quotes, which would be read as something said, and no
/// other attribute.
pub(super) fn single_value(raw: &str, most_chars: usize) -> Option<String> {
    let mut value = value(raw, most_chars)?;
    if value.contains(quote::is_double) {
        value = strip_marks(&value.replace(quote::is_double, "'")).to_owned();
    }
    let holds_more = |value: &str| {
        let head = format!("TONE: {value}");
        Head::read(&head, true).is_some_and(|head| {
            head.twice || head.action.is_some() || head.target.is_some() || head.after.is_some()
        })
    };
    if holds_more(&value) {
        // Without the marks between attributes and without capitals their keywords are only words.
        let marks = |c: char| ",;|:=、，；：＝".contains(c) || quote::is_any(c);
        value = value.replace(marks, " ").to_lowercase();
        value = strip_marks(&value.split_whitespace().collect::<Vec<_>>().join(" ")).to_owned();
    }
    // A quote in front would open a value that ends at any quote behind it.
    value = value.trim_start_matches(quote::is_any).trim_start().to_owned();
    Some(value).filter(|value| says_something(value) && !holds_more(value))
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
    line = without_lines(line, complaints);
    if cut(&mut line, MAX_CONTENT_CHARS) {
        complaints.say("too long: cut at 4000 characters");
        // A bracket may have lost its end.
        line = without_lines(line, complaints);
    }
    let inner = quote::unquoted(&line);
    // Single marks may be apostrophes of what is said: 'tis, rock 'n'.
    if inner.len() < line.len() && line.starts_with(quote::is_double) {
        line = inner.to_owned();
    }
    if quote::closes_early(&line) {
        // Other quotes may make something else of a bracket that they stand in.
        line = without_lines(quote::single(&line), complaints);
    }
    line
}

/// What is said, without anything that could be taken for another line of the transcript, or for the head of
/// one.
fn without_lines(mut line: String, complaints: &mut Complaints) -> String {
    let suspect = |line: &str| line.contains(|c: char| bracket::is_bracket(c) || c == '(');
    for _ in 0..MOST_PASSES {
        if !suspect(&line) {
            return line;
        }
        let kept = without_forgeries(&line, complaints);
        if kept == line {
            return kept;
        }
        line = kept;
    }
    line.retain(|c| !bracket::is_bracket(c) && !matches!(c, '(' | ')'));
    line
}

/// Keeps closed brackets that neither the moderator nor a line could have, and nothing else of any bracket.
fn without_forgeries(line: &str, complaints: &mut Complaints) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut from = 0;
    while let Some(bracket) = bracket::find(line, from) {
        push_words(&mut kept, &line[from..bracket.start], bracket::is_bracket);
        match bracket::reading(bracket.inner) {
            BracketReading::Moderator => {
                complaints.say(FORGED);
                from = bracket.end;
            }
            _ if !bracket.closed => from = bracket.inner_start,
            BracketReading::Head | BracketReading::BareHead if begins_line(&kept, &line[bracket.end..]) => {
                // Another character's line.
                complaints.say(MORE_THAN_ONE);
                kept.truncate(name_at_end(&kept).unwrap_or_default());
                kept.truncate(kept.trim_end_matches(|c: char| c == ' ' || quote::is_any(c)).len());
                return kept;
            }
            BracketReading::Head => {
                from = bracket.end;
                complaints.say("a bracket of a reply within what is said: removed");
            }
            reading => {
                let named = || name_at_end(&kept).is_some();
                let round = match reading {
                    BracketReading::NearHead => true,
                    BracketReading::BareHead => named(),
                    _ => false,
                };
                let spaced = line[..bracket.start].ends_with(' ');
                if spaced && !kept.is_empty() && !kept.ends_with(' ') {
                    kept.push(' ');
                }
                match round {
                    true => kept.push_str(&format!("({})", bracket.inner)),
                    false => kept.push_str(&line[bracket.start..bracket.end]),
                }
                from = bracket.end;
            }
        }
        if line[from..].starts_with(' ') && !kept.is_empty() && !kept.ends_with(' ') {
            kept.push(' ');
        }
    }
    push_words(&mut kept, &line[from..], bracket::is_bracket);
    kept.truncate(kept.trim_end().len());
    kept
}

/// Whether a head between these texts begins another line: it stands behind a name, and quotes end before
/// that or begin after the head.
fn begins_line(before: &str, after: &str) -> bool {
    name_at_end(before).is_some_and(|name| {
        name > 0
            && (before[..name].trim_end().ends_with(quote::is_any)
                || after.trim_start().starts_with(quote::is_any))
    })
}

/// Where the name begins that ends a text, behind a quotation or a sentence, or alone.
fn name_at_end(text: &str) -> Option<usize> {
    let text = text.trim_end();
    let window = text.ceil_char_boundary(text.len().saturating_sub(LONGEST_NAME));
    let ends = |c: char| quote::is_any(c) || matches!(c, '.' | '!' | '?' | '…' | '—');
    let end = text[window..].char_indices().rev().find(|(_, c)| ends(*c));
    let start = match end {
        Some((at, c)) => window + at + c.len_utf8(),
        None if window == 0 => 0,
        None => return None,
    };
    looked_at(text.len() - start);
    let name = text[start..].trim_start();
    speaker::is_name(name.trim_end_matches([':', '*', '_'])).then(|| text.len() - name.len())
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
