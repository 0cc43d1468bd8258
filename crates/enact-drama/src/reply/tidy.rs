//! What is removed from an answer before anything is read: reasoning, code fences, and whatever a terminal obeys.

use std::borrow::Cow;

use super::Complaints;
use crate::test_counter::looked_at;

const ESCAPE: u8 = 0x1B;
const BELL: u8 = 0x07;

/// How many backticks make a code fence.
const FENCE: usize = 3;

/// The answer without reasoning, fences, the tags of chat templates, control characters, escape sequences, and invisible characters that reorder
/// or hide text. Line breaks and tabs stay: they mean something until fields are made.
pub(super) fn tidy<'a>(raw: &'a str, complaints: &mut Complaints) -> Cow<'a, str> {
    let raw = before_end(after_reasoning(raw, complaints), complaints);
    let bytes = raw.as_bytes();
    let Some(mut dirt) = next_dirt(bytes, 0) else { return Cow::Borrowed(raw) };
    let mut clean = String::with_capacity(raw.len());
    let mut from = 0;
    loop {
        clean.push_str(&raw[from..dirt.start]);
        complaints.say(dirt.kind.complaint());
        from = dirt.end;
        match next_dirt(bytes, from) {
            Some(next) => dirt = next,
            None => break,
        }
    }
    clean.push_str(&raw[from..]);
    Cow::Owned(clean)
}

/// Quotes as they stand in JSON, which models write outside of it, too.
pub(super) fn unescaped<'a>(text: &'a str, complaints: &mut Complaints) -> Cow<'a, str> {
    looked_at(text.len());
    if !text.contains("\\\"") {
        return Cow::Borrowed(text);
    }
    complaints.say("backslashes before quotes: removed");
    Cow::Owned(text.replace("\\\"", "\""))
}

/// What comes after the token with which a model ends its answer was never meant to be seen.
fn before_end<'a>(raw: &'a str, complaints: &mut Complaints) -> &'a str {
    const END_TOKENS: [&str; 7] =
        ["<|im_end|>", "<|eot_id|>", "<|endoftext|>", "<|end|>", "<end_of_turn>", "<eos>", "</s>"];
    let is_end = |at: usize| {
        END_TOKENS.iter().any(|token| raw[at..].starts_with(token)) && !raw[..at].trim_start().is_empty()
    };
    looked_at(raw.len());
    let Some((end, _)) = raw.match_indices('<').find(|(at, _)| is_end(*at)) else { return raw };
    complaints.say(Kind::Tag.complaint());
    &raw[..end]
}

/// Local models send their reasoning in front of the answer; some chat templates swallow the opening tag.
fn after_reasoning<'a>(raw: &'a str, complaints: &mut Complaints) -> &'a str {
    const CLOSING_TAGS: [&str; 2] = ["</think>", "</thinking>"];
    if !raw.contains('<') {
        return raw;
    }
    looked_at(CLOSING_TAGS.len() * raw.len());
    let end = CLOSING_TAGS.iter().filter_map(|tag| raw.rfind(tag).map(|at| at + tag.len())).max();
    match end {
        Some(end) => {
            complaints.say("reasoning before the reply: left out");
            &raw[end..]
        }
        None => raw,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fence,
    Tag,
    Control,
    Invisible,
}

impl Kind {
    fn complaint(self) -> &'static str {
        match self {
            Kind::Fence => "code fence: removed",
            Kind::Tag => "tags around the reply: removed",
            Kind::Control => "control characters: removed",
            Kind::Invisible => "invisible characters: removed",
        }
    }
}

/// Bytes to leave out; both ends are character boundaries.
#[derive(Debug, Clone, Copy)]
struct Dirt {
    start: usize,
    end: usize,
    kind: Kind,
}

fn next_dirt(bytes: &[u8], from: usize) -> Option<Dirt> {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        let found = match byte {
            b'`' => {
                let run = run_of(bytes, at, |b| b == b'`');
                if run >= FENCE {
                    Some((fence_end(bytes, at, at + run), Kind::Fence))
                } else {
                    at += run;
                    continue;
                }
            }
            b'<' => tag_end(bytes, at).map(|end| (end, Kind::Tag)),
            b'\t' | b'\n' | b'\r' | 0x0B | 0x0C | 0x20..0x7F => None,
            ESCAPE => Some((escape_end(bytes, at), Kind::Control)),
            0x00..0x20 | 0x7F => Some((at + 1, Kind::Control)),
            0xC2 => c1_end(bytes, at).map(|end| (end, Kind::Control)),
            0xE2 | 0xEF => is_invisible(bytes, at).then_some((at + 3, Kind::Invisible)),
            _ => None,
        };
        if let Some((end, kind)) = found {
            looked_at(end - from);
            return Some(Dirt { start: at, end, kind });
        }
        at += 1;
    }
    looked_at(at - from);
    None
}

/// A fence takes the language after it along, if nothing else is on its line.
fn fence_end(bytes: &[u8], start: usize, after: usize) -> usize {
    let indent = bytes[..start].iter().rev().take_while(|b| **b == b' ').count();
    let begins_line = start == indent || bytes[start - indent - 1] == b'\n';
    let word = run_of(bytes, after, |b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'+'));
    looked_at(indent + word);
    let alone = matches!(bytes.get(after + word), None | Some(b'\n' | b'\r' | b' '));
    if begins_line && alone { after + word } else { after }
}

/// The end of a tag that models put around what they send: `</response>`, `<|im_start|>assistant`.
fn tag_end(bytes: &[u8], start: usize) -> Option<usize> {
    const WRAPPINGS: [&str; 6] = ["response", "reply", "answer", "output", "dialogue", "s"];
    const LONGEST_TAG: usize = 24;
    const ROLE: &str = "assistant";
    let window = &bytes[start + 1..bytes.len().min(start + LONGEST_TAG)];
    let length = window.iter().take_while(|b| !matches!(b, b'<' | b'>' | b' ' | b'\n')).count();
    looked_at(length);
    if window.get(length) != Some(&b'>') {
        return None;
    }
    let end = start + 1 + length + 1;
    let name = &window[..length];
    if name.len() > 2 && name.starts_with(b"|") && name.ends_with(b"|") {
        let role = bytes[end..].starts_with(ROLE.as_bytes());
        return Some(if role { end + ROLE.len() } else { end });
    }
    let name = name.strip_prefix(b"/").unwrap_or(name);
    WRAPPINGS.iter().any(|tag| name.eq_ignore_ascii_case(tag.as_bytes())).then_some(end)
}

/// The end of an escape sequence that begins at `start`: CSI, OSC, or a short one.
fn escape_end(bytes: &[u8], start: usize) -> usize {
    match bytes.get(start + 1) {
        Some(b'[') => control_sequence_end(bytes, start + 2),
        Some(b']') => {
            // A title or link. One that never ends would swallow the reply: then only its beginning goes.
            let text = start + 2;
            let length = run_of(bytes, text, |b| !matches!(b, BELL | ESCAPE | b'\n'));
            looked_at(length);
            match bytes.get(text + length) {
                Some(&BELL) => text + length + 1,
                Some(&ESCAPE) if bytes.get(text + length + 1) == Some(&b'\\') => text + length + 2,
                _ => text,
            }
        }
        Some(0x20..0x7F) => {
            let between = run_of(bytes, start + 1, |b| (0x20..0x30).contains(&b));
            let last = start + 1 + between;
            if bytes.get(last).is_some_and(|b| (0x30..0x7F).contains(b)) { last + 1 } else { last }
        }
        _ => start + 1,
    }
}

fn control_sequence_end(bytes: &[u8], from: usize) -> usize {
    let last = from + run_of(bytes, from, |b| (0x20..0x40).contains(&b));
    if bytes.get(last).is_some_and(|b| (0x40..0x7F).contains(b)) { last + 1 } else { last }
}

/// C1 controls, two bytes each in UTF-8. NEL (0x85) stays: it is a line break and becomes a space.
fn c1_end(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at + 1)? {
        0x9B => Some(control_sequence_end(bytes, at + 2)),
        0x85 => None,
        0x80..0xA0 => Some(at + 2),
        _ => None,
    }
}

/// Zero-width spaces hide a keyword from the eye or from us; bidirectional overrides make a line look like another.
/// Joiners stay, for emoji and Persian; so do the plain direction marks.
fn is_invisible(bytes: &[u8], at: usize) -> bool {
    matches!(
        bytes.get(at..at + 3),
        Some(
            [0xE2, 0x80, 0x8B | 0xAA..=0xAE] // U+200B, U+202A..U+202E
                | [0xE2, 0x81, 0xA0 | 0xA6..=0xA9] // U+2060, U+2066..U+2069
                | [0xEF, 0xBB, 0xBF] // U+FEFF
        )
    )
}

fn run_of(bytes: &[u8], from: usize, belongs: impl Fn(u8) -> bool) -> usize {
    bytes[from.min(bytes.len())..].iter().take_while(|b| belongs(**b)).count()
}
