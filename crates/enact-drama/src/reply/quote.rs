//! Quotation marks of many languages, and where a quotation ends.

use std::ops::Range;

use crate::test_counter::looked_at;

/// A quotation mark in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct QuoteMark {
    pub(super) len: usize,
    glyph: Glyph,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Glyph {
    /// `"` and `＂`, which open and close alike.
    Straight,
    /// `“`, which also closes `„`.
    LeftCurly,
    /// `”`, which opens too in Swedish and Finnish.
    RightCurly,
    /// `„` and `‟`.
    Low,
    /// `«` and `‹`, which close in German and Danish.
    LeftAngle,
    RightAngle,
    /// `「` and `『`.
    LeftCorner,
    RightCorner,
}

/// How a quotation ended.
#[derive(Debug, Clone, Copy)]
pub(super) struct QuoteEnd {
    /// The end of what is quoted.
    pub(super) inner: usize,
    /// Where the text goes on.
    pub(super) after: usize,
    /// Whether a mark ended it, rather than the text or a new paragraph that opens a quotation of its own.
    pub(super) closed: bool,
}

/// The double quotation mark at a byte.
pub(super) fn double_at(bytes: &[u8], at: usize) -> Option<QuoteMark> {
    let mark = |len, glyph| Some(QuoteMark { len, glyph });
    match bytes.get(at..)? {
        [b'"', ..] => mark(1, Glyph::Straight),
        [0xC2, 0xAB, ..] => mark(2, Glyph::LeftAngle),
        [0xC2, 0xBB, ..] => mark(2, Glyph::RightAngle),
        [0xE2, 0x80, 0x9C, ..] => mark(3, Glyph::LeftCurly),
        [0xE2, 0x80, 0x9D, ..] => mark(3, Glyph::RightCurly),
        [0xE2, 0x80, 0x9E | 0x9F, ..] => mark(3, Glyph::Low),
        [0xE2, 0x80, 0xB9, ..] => mark(3, Glyph::LeftAngle),
        [0xE2, 0x80, 0xBA, ..] => mark(3, Glyph::RightAngle),
        [0xE3, 0x80, 0x8C | 0x8E, ..] => mark(3, Glyph::LeftCorner),
        [0xE3, 0x80, 0x8D | 0x8F, ..] => mark(3, Glyph::RightCorner),
        [0xEF, 0xBC, 0x82, ..] => mark(3, Glyph::Straight),
        _ => None,
    }
}

/// The length of the single quotation mark (or apostrophe) at a byte.
pub(super) fn single_at(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at..)? {
        [b'\'', ..] => Some(1),
        [0xE2, 0x80, 0x98..=0x9B, ..] => Some(3),
        _ => None,
    }
}

pub(super) fn is_double(c: char) -> bool {
    double_at(c.encode_utf8(&mut [0; 4]).as_bytes(), 0).is_some()
}

pub(super) fn is_any(c: char) -> bool {
    matches!(c, '\'' | '\u{2018}'..='\u{201B}') || is_double(c)
}

/// The end of the quotation whose opening mark stands just before `from`. Quotations inside it are counted,
/// so that `"He said "no" to me."` is one. `cuts_off` is asked at every line inside whether the quotation
/// must end before it.
pub(super) fn end(text: &str, opening: QuoteMark, from: usize, cuts_off: impl Fn(usize) -> bool) -> QuoteEnd {
    let bytes = text.as_bytes();
    let mut nested = 0usize;
    let mut at = from;
    let mut line_is_blank = false;
    let found = loop {
        let Some(&byte) = bytes.get(at) else { break QuoteEnd { inner: at, after: at, closed: false } };
        match byte {
            b'\n' => {
                if cuts_off(at + 1) {
                    break QuoteEnd { inner: at, after: at, closed: false };
                }
                line_is_blank = true;
                at += 1;
            }
            b' ' | b'\t' | b'\r' => at += 1,
            b'"' | 0xC2 | 0xE2 | 0xE3 | 0xEF => {
                let Some(mark) = double_at(bytes, at).filter(|_| !is_inches(bytes, at)) else {
                    line_is_blank = false;
                    at += 1;
                    continue;
                };
                if !opens_inside(bytes, opening.glyph, mark, at) {
                    if nested == 0 {
                        break QuoteEnd { inner: at, after: at + mark.len, closed: true };
                    }
                    nested -= 1;
                } else if line_is_blank {
                    // Every paragraph of a long speech opens with a mark; only the last one has to close.
                    break QuoteEnd { inner: at, after: at, closed: true };
                } else {
                    nested += 1;
                }
                line_is_blank = false;
                at += mark.len;
            }
            _ => {
                line_is_blank = false;
                at += 1;
            }
        }
    };
    looked_at(found.inner - from);
    found
}

/// Where a quotation that is all there is in a range begins and ends, with its marks and without.
pub(super) fn whole(text: &str, range: Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let words = text[range.clone()].trim();
    let mark = double_at(words.as_bytes(), 0)?;
    let found = end(words, mark, mark.len, |_| false);
    let start = range.end - text[range].trim_start().len();
    let outer = start..start + words.len();
    (found.closed && found.after == words.len()).then(|| (outer, start + mark.len..start + found.inner))
}

/// The end of a quotation in single marks. Apostrophes look the same, so only a mark after the end of a
/// sentence, or at the end of the text, closes.
pub(super) fn single_end(text: &str, from: usize) -> Option<QuoteEnd> {
    let bytes = text.as_bytes();
    let text_end = text.trim_end().len();
    let closing = (from + 1..text_end).find_map(|at| {
        let len = single_at(bytes, at)?;
        let after = at + len;
        let breathes = bytes.get(after).is_none_or(|b| b.is_ascii_whitespace() || *b == b'*');
        let sentence_over = text[..at].ends_with(['.', '!', '?', ',', '…', '—', '-', '–']);
        (breathes && sentence_over || after >= text_end).then_some((at, after))
    });
    looked_at(closing.map_or(text_end, |(at, _)| at).saturating_sub(from));
    closing.map(|(inner, after)| QuoteEnd { inner, after, closed: true })
}

/// Without the one pair of marks around it, if that pair belongs together: `"a" and "b"` keeps its marks.
pub(super) fn unquoted(text: &str) -> &str {
    let mut chars = text.chars();
    match (chars.next(), chars.next_back()) {
        (Some(first), Some(last)) if is_any(first) && is_any(last) && is_double(first) == is_double(last) => {
            let inner = chars.as_str();
            if is_double(first) && inner.contains(is_double) { text } else { inner.trim() }
        }
        _ => text,
    }
}

/// Whether straight quotes around a text would be ended by a mark within it. One that opens a quotation of
/// its own does not, nor does the one that ends that.
pub(super) fn closes_early(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut nested = 0usize;
    looked_at(text.len());
    text.char_indices().filter(|(at, c)| is_straight(*c) && !is_inches(bytes, *at)).any(|(at, c)| {
        let mark = QuoteMark { len: c.len_utf8(), glyph: Glyph::Straight };
        if opens_inside(bytes, Glyph::Straight, mark, at) {
            nested += 1;
            return false;
        }
        let closes = nested == 0;
        nested = nested.saturating_sub(1);
        closes
    })
}

/// What is said, with single marks for all straight ones: where one of them would end the quotes around it,
/// it cannot be told which belong together.
pub(super) fn single(text: &str) -> String {
    let bytes = text.as_bytes();
    let ends = |at: usize, c: char| is_straight(c) && !is_inches(bytes, at);
    text.char_indices().map(|(at, c)| if ends(at, c) { '\'' } else { c }).collect()
}

fn is_straight(c: char) -> bool {
    matches!(c, '"' | '＂')
}

/// Whether a mark is part of a person's height: `5'10"`.
fn is_inches(bytes: &[u8], at: usize) -> bool {
    const MOST_DIGITS: usize = 2;
    let before = &bytes[..at];
    let digits = before.iter().rev().take(MOST_DIGITS).take_while(|b| b.is_ascii_digit()).count();
    let before = &before[..at - digits];
    let feet = ["'", "’", "′"].iter().find_map(|mark| before.strip_suffix(mark.as_bytes()));
    digits > 0 && feet.is_some_and(|feet| feet.last().is_some_and(u8::is_ascii_digit))
}

/// Whether a mark met inside a quotation begins another one.
fn opens_inside(bytes: &[u8], opening: Glyph, mark: QuoteMark, at: usize) -> bool {
    match (opening, mark.glyph) {
        (Glyph::Low, Glyph::LeftCurly) | (Glyph::RightAngle, Glyph::LeftAngle) => false,
        (_, Glyph::RightCurly | Glyph::RightAngle | Glyph::RightCorner) => false,
        (_, Glyph::LeftCurly | Glyph::Low | Glyph::LeftAngle | Glyph::LeftCorner) => true,
        (_, Glyph::Straight) => {
            let after_gap = at.checked_sub(1).is_none_or(|before| {
                matches!(bytes[before], b' ' | b'\t' | b'\n' | b'\r' | b'(' | b'[' | b'"')
            });
            let before_word = bytes
                .get(at + mark.len)
                .is_some_and(|b| b.is_ascii_alphanumeric() || !b.is_ascii() || matches!(b, b'\'' | b'.'));
            after_gap && before_word
        }
    }
}
