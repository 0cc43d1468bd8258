//! The keywords of a head, and when a word is meant as one.

use super::{Action, quote};

/// Keywords are short; whatever is longer is just a word.
const LONGEST_KEYWORD: usize = "INTERRUPTING".len();

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attribute {
    Target,
    Tone,
    After,
    Nonverbal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyword {
    Attribute(Attribute),
    Action(Action),
    /// `ACTION:`, after which one of the others stands, or a gesture.
    Label,
}

impl Keyword {
    /// The keyword that begins at a byte, and where what belongs to it begins.
    pub(super) fn at(bytes: &[u8], at: usize, place: KeywordPlace) -> Option<(Keyword, usize)> {
        let word = &bytes[at..];
        let length = word.iter().take(LONGEST_KEYWORD + 1).take_while(|b| b.is_ascii_alphabetic()).count();
        let word = &word[..length];
        let keyword = Keyword::of(word)?;
        let in_capitals = word.iter().all(u8::is_ascii_uppercase);
        let end = at + length;
        let next = end + bytes[end..].iter().take_while(|b| matches!(b, b' ' | b'*')).count();
        let colon = colon(bytes, next);
        let quoted = quote::double_at(bytes, next).is_some() || quote::single_at(bytes, next).is_some();
        let bounded = !bytes.get(end).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'\'' | b'-'));
        let KeywordPlace { fresh, interrupting } = place;
        let meant = match keyword {
            Keyword::Attribute(Attribute::After) => {
                colon.is_some() || quoted || interrupting || (fresh && in_capitals)
            }
            Keyword::Attribute(Attribute::Tone) => colon.is_some() || in_capitals,
            Keyword::Attribute(_) => colon.is_some() || (fresh && in_capitals),
            Keyword::Label => colon.is_some(),
            Keyword::Action(action) => {
                let stands_alone = colon.is_some()
                    || quoted
                    || next >= bytes.len()
                    || next > end && bytes[next - 1] == b'*'
                    || separator(bytes, next).is_some()
                    || matches!(bytes[next], b'.' | b'-')
                    || bytes[next..].get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"after"));
                (fresh && (in_capitals || stands_alone)) || (in_capitals && action == Action::Interrupt)
            }
        };
        let star_follows = bytes[end..next].contains(&b'*') && colon.is_none();
        let next = if star_follows { end } else { next + colon.unwrap_or(0) };
        (bounded && meant).then_some((keyword, next))
    }

    fn of(word: &[u8]) -> Option<Keyword> {
        // In order of how often they come, as every word in every head is compared.
        const KEYWORDS: [(&str, Keyword); 20] = [
            ("TO", Keyword::Attribute(Attribute::Target)),
            ("TONE", Keyword::Attribute(Attribute::Tone)),
            ("INTERRUPT", Keyword::Action(Action::Interrupt)),
            ("AFTER", Keyword::Attribute(Attribute::After)),
            ("SILENT", Keyword::Action(Action::Silent)),
            ("REACT", Keyword::Action(Action::React)),
            ("SPEAK", Keyword::Action(Action::Speak)),
            ("EMOTION", Keyword::Attribute(Attribute::Tone)),
            ("MOOD", Keyword::Attribute(Attribute::Tone)),
            ("TARGET", Keyword::Attribute(Attribute::Target)),
            ("NONVERBAL", Keyword::Attribute(Attribute::Nonverbal)),
            ("ACTION", Keyword::Label),
            ("INTERRUPTS", Keyword::Action(Action::Interrupt)),
            ("INTERRUPTING", Keyword::Action(Action::Interrupt)),
            ("INTERRUPTED", Keyword::Action(Action::Interrupt)),
            ("SILENCE", Keyword::Action(Action::Silent)),
            ("REACTS", Keyword::Action(Action::React)),
            ("REACTION", Keyword::Action(Action::React)),
            ("SPEAKS", Keyword::Action(Action::Speak)),
            ("SAY", Keyword::Action(Action::Speak)),
        ];
        let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
        KEYWORDS.iter().find(|(name, _)| is(name)).map(|(_, keyword)| *keyword)
    }
}

/// Where in a head a word stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeywordPlace {
    /// At the beginning or behind a comma, where a keyword needs no colon to be one.
    pub(super) fresh: bool,
    /// Behind `INTERRUPT`, where `after` is expected.
    pub(super) interrupting: bool,
}

/// Whether a head begins here, in capitals and therefore on purpose, bracket or not. No sentence begins with
/// `To:`.
pub(super) fn begins_in_capitals(bytes: &[u8]) -> bool {
    let follows = |keyword: &[u8], next: &[u8]| {
        bytes.strip_prefix(keyword).is_some_and(|rest| rest.first().is_some_and(|b| next.contains(b)))
    };
    match bytes.first() {
        Some(b'T') => [&b"TONE"[..], b"TO", b"Tone", b"To"].iter().any(|keyword| follows(keyword, b":=")),
        Some(b'I') => follows(b"INTERRUPT", b" ,:"),
        Some(b'S') => follows(b"SILENT", b",)\n"),
        Some(b'R') => follows(b"REACT", b",)\n"),
        _ => false,
    }
}

/// Which action keyword wins where several stand in one head.
pub(super) fn rank(action: Action) -> u8 {
    match action {
        Action::Speak => 0,
        Action::React => 1,
        Action::Silent => 2,
        Action::Interrupt => 3,
    }
}

/// The length of what separates attributes, at a byte.
pub(super) fn separator(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b',' | b';' | b'|' => Some(1),
        0xE3 => bytes[at..].starts_with("、".as_bytes()).then_some(3),
        0xEF => ["，", "；"].iter().any(|mark| bytes[at..].starts_with(mark.as_bytes())).then_some(3),
        _ => None,
    }
}

fn colon(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b':' | b'=' => Some(1),
        0xEF => ["：", "＝"].iter().any(|mark| bytes[at..].starts_with(mark.as_bytes())).then_some(3),
        _ => None,
    }
}
