//! The parts of a spoken line that are not the speaker's own words: quotations and gestures.

use std::ops::Range;

use super::is_apostrophe;

/// One of them.
#[derive(Debug)]
pub(super) struct Aside {
    pub(super) place: Range<usize>,
    pub(super) is_gesture: bool,
}

/// Where they are, in order and apart from each other.
///
/// What stands in round brackets is a gesture.
/// A quotation that is the whole line is the line: transcripts keep their quotes. Something in asterisks is a
/// gesture where a sentence could begin or end ("*sighs* Fine.") and an emphasis inside one ("I am *so*
/// sorry").
pub(super) fn asides(text: &str) -> Vec<Aside> {
    let mut found = Vec::new();
    let whole = text.trim().len();
    // Once a mark has nothing that closes it, no later one has: looking again would take quadratic time.
    let (mut double, mut single, mut star, mut round) = (true, true, true, true);
    let quote = |place: Range<usize>| (place.len() != whole).then_some(Aside { place, is_gesture: false });
    let gesture = |place: Range<usize>| Aside { place, is_gesture: true };
    let mut from = 0;
    for (at, c) in text.char_indices() {
        if at < from {
            continue;
        }
        let start = at + c.len_utf8();
        let rest = &text[start..];
        match c {
            '"' | '“' | '«' if double => match closing_quote(c, rest) {
                Some(len) => {
                    from = start + len;
                    found.extend(quote(at..from));
                }
                None => double = false,
            },
            '*' if star => match rest.find('*') {
                Some(len) => {
                    from = start + len + 1;
                    found.extend(is_gesture(&text[..at], &text[from..]).then(|| gesture(at..from)));
                }
                None => star = false,
            },
            '(' if round => match rest.find(')') {
                Some(len) => {
                    from = start + len + 1;
                    found.push(gesture(at..from));
                }
                None => round = false,
            },
            c if single && opens_quote(c, &text[..at], rest) => match closing_apostrophe(rest) {
                Some(len) => {
                    from = start + len;
                    found.extend(quote(at..from));
                }
                None => single = false,
            },
            _ => {}
        }
    }
    found
}

fn opens_quote(c: char, before: &str, rest: &str) -> bool {
    is_apostrophe(c) && !before.ends_with(char::is_alphanumeric) && rest.starts_with(char::is_alphanumeric)
}

fn closing_quote(open: char, rest: &str) -> Option<usize> {
    let closes: &[char] = match open {
        '«' => &['»'],
        '"' => &['"'],
        _ => &['”', '“', '"'],
    };
    rest.find(closes).map(|at| at + rest[at..].chars().next().map_or(0, char::len_utf8))
}

/// A single quote closes where a word ends and no other follows at once. "'em" and "'cause" never close.
fn closing_apostrophe(rest: &str) -> Option<usize> {
    let mut before = ' ';
    for (at, c) in rest.char_indices() {
        let end = at + c.len_utf8();
        if is_apostrophe(c) && !before.is_whitespace() && !rest[end..].starts_with(char::is_alphanumeric) {
            return Some(end);
        }
        before = c;
    }
    None
}

/// Whether something in asterisks between these is done rather than stressed.
pub(crate) fn is_gesture(before: &str, after: &str) -> bool {
    let stops = |c: char| matches!(c, '.' | '!' | '?' | '…' | '—' | '"' | '”' | '*');
    let before = before.trim_end();
    let after = after.trim_start();
    before.is_empty()
        || before.ends_with(stops)
        || after.is_empty() && before.ends_with(|c: char| !c.is_alphanumeric())
}
