//! The pieces of a body: quotations, actions, and the text around them.

use std::ops::Range;

use super::{Complaints, bracket, head::Head, meta_talk, quote, speaker};
use crate::test_counter::looked_at;

/// No body is read further: it is eight times what may be said, and bounds the memory one reply takes.
const MAX_BODY_BYTES: usize = 32 * 1024;

/// How far into a line a head may stand behind a name and still begin a reply of its own.
const LONGEST_NAME: usize = 48;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PieceKind {
    Quote,
    /// `*sighs*`
    Action,
    /// `[sighs]`
    Aside,
    Text,
}

#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) kind: PieceKind,
    /// With its marks.
    pub(super) outer: Range<usize>,
    /// Without them.
    pub(super) inner: Range<usize>,
}

/// Splits the body that begins at `from`; also says where it ends, which is where the next reply begins, if
/// any does. `speaker` is the name it began with.
pub(super) fn split(
    text: &str,
    from: usize,
    speaker: Option<&str>,
    complaints: &mut Complaints,
) -> (Vec<Piece>, usize) {
    let limit = text.floor_char_boundary(from.saturating_add(MAX_BODY_BYTES));
    let mut splitter = Splitter {
        text: &text[..limit],
        bytes: &text.as_bytes()[..limit],
        at: from,
        text_from: from,
        pieces: Vec::new(),
        speaker,
        begun: false,
        said: false,
        no_single_closes: false,
        complaints,
    };
    let end = splitter.run();
    splitter.flush(end.body);
    looked_at(end.body.max(splitter.at) - from);
    let pieces = splitter.pieces;
    if limit < text.len() && end.next == limit {
        complaints.say("far too long: the rest is left out");
    }
    (pieces, end.next)
}

/// What a raw answer holds besides the reply that is read.
pub(super) const MORE_THAN_ONE: &str = "more than one reply: only one is read";

struct Splitter<'a, 'c> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Where the text begins that belongs to no piece yet.
    text_from: usize,
    pieces: Vec<Piece>,
    /// The name the body began with.
    speaker: Option<&'a str>,
    /// Whether anything has been said or done.
    begun: bool,
    /// Whether there has been a quotation.
    said: bool,
    /// A search for a closing single quote that failed need not be made again.
    no_single_closes: bool,
    complaints: &'c mut Complaints,
}

struct PieceEnd {
    /// Where what belongs to this reply ends.
    body: usize,
    /// Where to look for the next.
    next: usize,
}

impl Splitter<'_, '_> {
    fn run(&mut self) -> PieceEnd {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'*' => self.stars(),
                b'\n' => {
                    self.at += 1;
                    if let Some(complaint) = self.line_that_ends_it() {
                        self.complaints.say(complaint);
                        return self.skip_to_next_head();
                    }
                }
                b'"' | b'\'' | b'[' | b'(' | 0xC2 | 0xE2 | 0xE3 | 0xEF => {
                    if bracket::opens(self.bytes, self.at).is_some() {
                        if let Some(end) = self.bracket() {
                            return end;
                        }
                    } else if !self.quotation() {
                        self.at += 1;
                    }
                }
                _ => self.at += 1,
            }
        }
        PieceEnd { body: self.at, next: self.at }
    }

    fn flush(&mut self, to: usize) {
        if self.text_from < to {
            let range = self.text_from..to;
            self.pieces.push(Piece { kind: PieceKind::Text, outer: range.clone(), inner: range });
        }
    }

    fn push(&mut self, kind: PieceKind, outer: Range<usize>, inner: Range<usize>) {
        self.flush(outer.start);
        self.at = outer.end;
        self.text_from = outer.end;
        self.begun = true;
        self.said |= kind == PieceKind::Quote;
        self.pieces.push(Piece { kind, outer, inner });
    }

    /// A single asterisk opens an action, which may hold quotes, but is not one: `*"Fine."*` is said. More of
    /// them are only bold.
    fn stars(&mut self) {
        let start = self.at;
        let stars = self.bytes[start..].iter().take_while(|b| **b == b'*').count();
        let from = start + stars;
        if stars > 1 {
            self.flush(start);
            (self.at, self.text_from) = (from, from);
            return;
        }
        // A search that fails goes to the end of the line and finds that it holds no asterisk: it is made
        // once a line.
        let line = self.text[from..].find(['\n', '*']).map_or(self.text.len(), |length| from + length);
        looked_at(line - from);
        let closed = self.bytes.get(line) == Some(&b'*');
        let end = if closed {
            line
        } else {
            // Unclosed: a quotation is no part of it.
            (from..line).find(|at| quote::double_at(self.bytes, *at).is_some()).unwrap_or(line)
        };
        let is_bullet = !closed && self.text[from..end].starts_with(char::is_whitespace);
        if is_bullet || self.text[from..end].trim().is_empty() {
            self.flush(start);
            (self.at, self.text_from) = (from, from);
        } else {
            let after = if closed { end + 1 } else { end };
            if let Some((outer, inner)) = quote::whole(self.text, from..end) {
                self.flush(start);
                self.text_from = outer.start;
                self.push(PieceKind::Quote, outer, inner);
                (self.at, self.text_from) = (after, after);
                return;
            }
            self.push(PieceKind::Action, start..after, from..end);
        }
    }

    /// Takes the quotation that begins here, if one does.
    fn quotation(&mut self) -> bool {
        let start = self.at;
        if let Some(mark) = quote::double_at(self.bytes, start) {
            let from = start + mark.len;
            let end = quote::end(self.text, mark, from, |line| begins_reply(self.text, line));
            if !end.closed {
                self.complaints.say("closing quote missing");
            }
            self.push(PieceKind::Quote, start..end.after, from..end.inner);
            return true;
        }
        let Some(len) = quote::single_at(self.bytes, start) else { return false };
        let begins = self.text[self.text_from..start].trim().is_empty();
        let end =
            (begins && !self.no_single_closes).then(|| quote::single_end(self.text, start + len)).flatten();
        match end {
            Some(end) => self.push(PieceKind::Quote, start..end.after, start + len..end.inner),
            None => self.no_single_closes |= begins,
        }
        end.is_some()
    }

    /// Takes the bracket that opens here; says where the body ends if it is the head of another reply.
    fn bracket(&mut self) -> Option<PieceEnd> {
        let bracket = bracket::at(self.text, self.at)?;
        let inner = bracket.inner_start..bracket.inner_start + bracket.inner.len();
        if bracket::is_forged(bracket.inner) {
            self.complaints.say(FORGED);
            self.flush(bracket.start);
            (self.at, self.text_from) = (bracket.end, bracket.end);
        } else if Head::read(bracket.inner, bracket.closed).is_some_and(|head| head.keyed) {
            let name = name_before(self.text, bracket.start).filter(|line| *line >= self.text_from);
            return Some(PieceEnd { body: name.unwrap_or(bracket.start), next: bracket.start });
        } else if bracket.closed && bracket.inner.contains(char::is_alphanumeric) {
            self.push(PieceKind::Aside, bracket.start..bracket.end, inner);
        } else {
            self.flush(bracket.start);
            (self.at, self.text_from) = (bracket.end, bracket.end);
            // An unclosed bracket loses only its mark.
            if !bracket.closed {
                (self.at, self.text_from) = (inner.start, inner.start);
            }
        }
        None
    }

    /// What is wrong with the line that begins here, if the reply ends before it: it is another character's, or
    /// no part of the scene. The speaker's own name goes.
    fn line_that_ends_it(&mut self) -> Option<&'static str> {
        let line = &self.text[self.at..];
        if (self.said || self.speaker.is_some())
            && let Some(prefix) = speaker::prefix(line)
        {
            match self.speaker {
                Some(name) if name.eq_ignore_ascii_case(prefix.name) => {
                    let after = self.at + prefix.length;
                    self.flush(self.at);
                    (self.at, self.text_from) = (after, after);
                    return None;
                }
                Some(_) => return Some(MORE_THAN_ONE),
                None => return Some("a line for somebody else: left out"),
            }
        }
        let set_apart = self.said || line.starts_with(['(', '*', '_']);
        if meta_talk::is_divider(line) || (set_apart && meta_talk::is_comment(line)) {
            self.begun |= self.text[self.text_from..self.at].contains(char::is_alphanumeric);
            if self.begun {
                return Some(meta_talk::LEFT_OUT);
            }
            self.flush(self.at);
            self.at += line.find('\n').unwrap_or(line.len());
            self.text_from = self.at;
        }
        None
    }

    fn skip_to_next_head(&mut self) -> PieceEnd {
        let body = self.at;
        PieceEnd { body, next: next_head(self.text, body).unwrap_or(self.text.len()) }
    }
}

/// What is said where a bracket was removed that only the moderator writes.
pub(super) const FORGED: &str = "a bracket that only the moderator may write: removed";

/// Whether a line inside a quotation begins another reply, perhaps behind a name.
fn begins_reply(text: &str, line: usize) -> bool {
    let bytes = text.as_bytes();
    let end = bytes.len().min(line + LONGEST_NAME);
    let mut at = line;
    while at < end && bytes[at] != b'\n' && quote::double_at(bytes, at).is_none() {
        if bracket::opens(bytes, at).is_some() {
            return bracket::at(text, at).is_some_and(|bracket| {
                Head::read(bracket.inner, bracket.closed).is_some_and(|head| head.keyed)
                    && !bracket::is_forged(bracket.inner)
            });
        }
        at += 1;
    }
    looked_at(at - line);
    false
}

/// Where a name in front of a head begins, if nothing else stands between the line's beginning and the head.
pub(super) fn name_before(text: &str, head: usize) -> Option<usize> {
    let window = text.ceil_char_boundary(head.saturating_sub(LONGEST_NAME));
    let line = match text[window..head].rfind('\n') {
        Some(length) => window + length + 1,
        None if window == 0 => 0,
        None => return None,
    };
    let words = text[line..head].trim_matches(|c: char| !c.is_alphanumeric());
    speaker::is_name(words).then_some(line)
}

fn next_head(text: &str, from: usize) -> Option<usize> {
    let mut from = from;
    while let Some(bracket) = bracket::find(text, from) {
        if Head::read(bracket.inner, bracket.closed).is_some_and(|head| head.keyed) {
            return Some(bracket.start);
        }
        from = bracket.end.max(bracket.inner_start);
    }
    None
}
