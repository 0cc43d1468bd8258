//! Brackets: `[…]` and the full-width `【…】` and `［…］`, closed or not, and the ones only the moderator may
//! write.

use super::{head::Head, keyword};
use crate::{
    look_alikes::{as_seen, skeleton},
    test_counter::looked_at,
};

/// A bracket in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bracket<'a> {
    pub(super) start: usize,
    /// Where its inside begins.
    pub(super) inner_start: usize,
    pub(super) inner: &'a str,
    /// Where the text goes on.
    pub(super) end: usize,
    pub(super) closed: bool,
}

/// What the moderator writes at the beginning of its brackets.
const MODERATOR_WORDS: [&str; 4] = ["EVENT", "SYSTEM", "SCENE", "SETTING"];

/// What the brackets of lines begin with.
const LINE_WORDS: [&str; 8] = ["TO", "TONE", "AFTER", "INTERRUPT", "SILENT", "REACT", "ABOUT", "VOICE"];

/// What stands between a word and what it labels.
const LABEL_ENDS: [char; 2] = [':', '='];

/// No label is longer, however widely it is spaced.
const LONGEST_LABEL: usize = 64;

/// What a bracket would be taken for, if it stood in a line of the transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BracketReading {
    /// Something that only the moderator may write: `EVENT: …`.
    Moderator,
    /// The head of a line: `TO: Bob, TONE: sad`.
    Head,
    /// Nothing but an action, as on a sign: `SILENT`. Behind a name it is a line of theirs.
    BareHead,
    /// Nearly a head, though people write such things too: `silently weeping`, `*kneels*`.
    NearHead,
    Aside,
}

/// What the inside of a bracket would be taken for.
pub(super) fn reading(inner: &str) -> BracketReading {
    if is_forged(inner) {
        return BracketReading::Moderator;
    }
    let seen = as_seen(inner);
    let label =
        label(&seen).is_some_and(|label| LINE_WORDS.iter().any(|word| word.eq_ignore_ascii_case(&label)));
    let bare = !seen.trim().contains(|c: char| !c.is_alphabetic());
    if label || Head::read(&seen, true).is_some_and(|head| head.keyed) {
        return if bare { BracketReading::BareHead } else { BracketReading::Head };
    }
    let begins = seen.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '*');
    let begins_with =
        |word: &&str| begins.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    match begins.starts_with('*') || ["INTERRUPT", "SILENT", "REACT"].iter().any(begins_with) {
        true => BracketReading::NearHead,
        false => BracketReading::Aside,
    }
}

/// The letters before the mark that makes a label of them: `system` for `S Y S T E M: down`.
fn label(inner: &str) -> Option<String> {
    let window = &inner[..inner.floor_char_boundary(LONGEST_LABEL)];
    window.find(LABEL_ENDS).map(|end| skeleton(&window[..end]))
}

/// The next bracket from a byte on.
pub(super) fn find(text: &str, from: usize) -> Option<Bracket<'_>> {
    let bytes = text.as_bytes();
    let found = (from..bytes.len()).find(|at| opens(bytes, *at).is_some());
    looked_at(found.unwrap_or(bytes.len()) - from);
    at(text, found?)
}

/// The bracket that opens at this byte. It ends at the first closing bracket, or, unclosed, with its line or
/// where the next bracket opens: brackets do not nest, so no text is read twice on account of a missing one.
pub(super) fn at(text: &str, start: usize) -> Option<Bracket<'_>> {
    let bytes = text.as_bytes();
    let inner_start = start + opens(bytes, start)?;
    let round = bytes[start] == b'(';
    let mut at = inner_start;
    let closing = loop {
        if at >= bytes.len() || opens(bytes, at).is_some() {
            break None;
        }
        if let Some(len) = closes(bytes, at).or((round && bytes[at] == b')').then_some(1)) {
            break Some(len);
        }
        at += 1;
    };
    looked_at(at - start);
    let bracket = |inner_end: usize, end, closed| {
        Some(Bracket { start, inner_start, inner: &text[inner_start..inner_end], end, closed })
    };
    match closing {
        Some(len) => bracket(at, at + len, true),
        None => {
            let line = text[inner_start..at].find('\n').map_or(at, |length| inner_start + length);
            bracket(line, line, false)
        }
    }
}

/// The length of the opening bracket at a byte. Round ones count when a keyword in capitals follows at once.
pub(super) fn opens(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes[at] {
        b'[' => Some(1),
        b'(' => keyword::begins_in_capitals(&bytes[at + 1..]).then_some(1),
        0xE3 => bytes[at..].starts_with("【".as_bytes()).then_some(3),
        0xEF => bytes[at..].starts_with("［".as_bytes()).then_some(3),
        _ => None,
    }
}

/// The length of the closing bracket at a byte.
pub(super) fn closes(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes[at] {
        b']' => Some(1),
        0xE3 => bytes[at..].starts_with("】".as_bytes()).then_some(3),
        0xEF => bytes[at..].starts_with("］".as_bytes()).then_some(3),
        _ => None,
    }
}

pub(super) fn is_bracket(c: char) -> bool {
    matches!(c, '[' | ']' | '【' | '】' | '［' | '］')
}

/// Whether this is the inside of a bracket that divides a transcript, of whatever production: `CHORUS END`,
/// `TURN 2 - COMMENTS`.
pub(super) fn is_heading(inner: &str) -> bool {
    let inner = as_seen(&inner[..inner.floor_char_boundary(4 * LONGEST_LABEL)]);
    let mut words = inner.split_whitespace();
    let is_capitals = |word: &str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase());
    let divides = |word: &str| ["START", "END", "UNFINISHED"].contains(&word) || word.parse::<u32>().is_ok();
    words.next().is_some_and(is_capitals) && words.next().is_some_and(divides)
}

/// Whether this is the inside of a bracket that only the moderator may write: `EVENT: …`, `SCENE END - …`.
pub(super) fn is_forged(inner: &str) -> bool {
    let inner = &*as_seen(&inner[..inner.floor_char_boundary(4 * LONGEST_LABEL)]);
    let label = label(inner).unwrap_or_default();
    if MODERATOR_WORDS.iter().any(|word| word.eq_ignore_ascii_case(&label)) {
        return true;
    }
    let inner = inner.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = inner.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(inner.len());
    let (word, rest) = inner.split_at(end);
    let rest = rest.trim_start();
    // "[scene of the crime]" is something a person may say; "[SCENE of the crime]" looks like the moderator.
    MODERATOR_WORDS.iter().any(|moderator| word.eq_ignore_ascii_case(moderator))
        && (word.bytes().all(|b| b.is_ascii_uppercase())
            || rest.is_empty()
            || rest.starts_with([':', '：', '=', '-', '–', '—'])
            || ["start", "end"]
                .iter()
                .any(|edge| rest.get(..edge.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(edge))))
}
