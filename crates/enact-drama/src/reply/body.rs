//! The body of a reply: what is said, and what is done beside it.

use std::{borrow::Cow, ops::Range};

use super::{
    Complaints, head, meta_talk,
    piece::{self, Piece, PieceKind},
    speaker::{self, Prefix},
    tone,
    word_lists::WORDS,
};

/// What a body holds.
#[derive(Debug, Default)]
pub(super) struct SpokenBody<'a> {
    pub(super) text: Cow<'a, str>,
    /// Whether the words stood in quotes, and are therefore meant to be spoken.
    pub(super) quoted: bool,
    pub(super) nonverbal: Vec<&'a str>,
    /// From `[angry]` instead of `[TONE: angry]`.
    pub(super) tone: Option<&'a str>,
    /// Where the next reply may begin.
    pub(super) end: usize,
}

/// Reads the body that begins at a byte.
pub(super) fn read<'a>(text: &'a str, from: usize, complaints: &mut Complaints) -> SpokenBody<'a> {
    let prefix = name_before(&text[from..], complaints);
    let from = from + prefix.map_or(0, |prefix| prefix.length);
    let (pieces, end) = piece::split(text, from, prefix.map(|prefix| prefix.name), complaints);
    let mut sorting =
        Sorting { text, parts: Vec::new(), nonverbal: Vec::new(), tone: None, cut_short: false, complaints };
    if let Some(aside) = prefix.and_then(|prefix| prefix.aside) {
        sorting.how_it_is_said(aside);
    }
    let quoted = quotes_are_speech(text, &pieces);
    if quoted {
        for piece in &pieces {
            sorting.beside_quotes(piece);
        }
        sorting.drop_comma();
    } else {
        for (index, piece) in pieces.iter().enumerate() {
            let next = pieces.get(index + 1);
            sorting.without_quotes(piece, next);
        }
        sorting.trim_ends();
    }
    let Sorting { parts, nonverbal, tone, .. } = sorting;
    let text = match parts.as_slice() {
        [] => Cow::Borrowed(""),
        [only] => Cow::Borrowed(&text[only.clone()]),
        many => {
            let words: Vec<&str> = many.iter().map(|part| text[part.clone()].trim()).collect();
            Cow::Owned(words.join(" "))
        }
    };
    SpokenBody { text, quoted, nonverbal, tone, end }
}

/// A name in front of what is said, which goes; its length is counted from the beginning of the text.
fn name_before<'a>(text: &'a str, complaints: &mut Complaints) -> Option<Prefix<'a>> {
    let words = text.trim_start();
    // Nearly always a quotation mark stands here.
    if !words.starts_with(|c: char| c.is_alphabetic() || matches!(c, '*' | '_' | '#')) {
        return None;
    }
    let prefix = speaker::prefix(words)?;
    complaints.say("a name before what is said: left out");
    Some(Prefix { length: text.len() - words.len() + prefix.length, ..prefix })
}

/// Whether what stands in quotes is what is spoken, rather than something the speaker quotes in a sentence
/// without quotes of its own: `You said "fine" and left.`
fn quotes_are_speech(text: &str, pieces: &[Piece]) -> bool {
    let Some(first) = pieces.iter().position(|piece| piece.kind == PieceKind::Quote) else { return false };
    let before = pieces[..first].iter().rfind(|piece| piece.kind == PieceKind::Text);
    let Some(before) = before.map(|piece| &text[piece.inner.clone()]) else { return true };
    let words = before.trim_end();
    if !words.contains(char::is_alphanumeric) {
        return true;
    }
    let on_another_line = before[words.len()..].contains('\n');
    let in_a_sentence = words.ends_with(char::is_alphanumeric);
    let speaker_quotes = words.ends_with(',') && !ends_saying(words) || begins_in_first_person(words);
    on_another_line || !(in_a_sentence || speaker_quotes)
}

struct Sorting<'a, 'c> {
    text: &'a str,
    /// What is spoken.
    parts: Vec<Range<usize>>,
    nonverbal: Vec<&'a str>,
    tone: Option<&'a str>,
    /// Whether words after the last quotation were left out.
    cut_short: bool,
    complaints: &'c mut Complaints,
}

impl<'a> Sorting<'a, '_> {
    fn act(&mut self, what: &'a str) {
        if meta_talk::is_note(what) {
            self.complaints.say(meta_talk::LEFT_OUT);
            return;
        }
        self.complaints.say("action outside the bracket: read as nonverbal");
        self.nonverbal.push(what.trim());
    }

    /// What stands in parentheses behind the speaker's name.
    fn how_it_is_said(&mut self, aside: &'a str) {
        if head::is_third_person(aside) {
            self.act(aside);
        } else {
            self.tone = Some(aside);
        }
    }

    /// A bracket without keywords: a tone, a name, or a gesture.
    fn aside(&mut self, what: &'a str) {
        if tone::is_known(what) {
            self.tone = self.tone.or(Some(what));
        } else if speaker::is_name(what) {
            self.complaints.say("a bracket that says nothing: left out");
        } else {
            self.act(what);
        }
    }

    fn beside_quotes(&mut self, piece: &Piece) {
        let inner = &self.text[piece.inner.clone()];
        match piece.kind {
            PieceKind::Quote if inner.trim().is_empty() => {}
            PieceKind::Quote => {
                self.cut_short = false;
                self.parts.push(piece.inner.clone());
            }
            PieceKind::Action => self.act(inner),
            PieceKind::Aside => self.aside(inner),
            PieceKind::Text => self.outside(piece.inner.clone()),
        }
    }

    /// Text beside the quotes: who speaks, what is done, or more of what is said.
    fn outside(&mut self, range: Range<usize>) {
        let text = self.text;
        let whole = &text[range.clone()];
        let words = whole.trim();
        if !words.contains(char::is_alphanumeric) {
            return;
        }
        if let Some(action) = words.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            self.act(action);
        } else if words.starts_with(char::is_lowercase)
            || words.ends_with([',', ':', '：'])
            || ends_saying(words)
        {
            self.complaints.say("text outside the quotes: left out");
            self.cut_short = true;
        } else if is_narration(words) {
            self.complaints.say("text outside the quotes: read as nonverbal");
            self.nonverbal.push(words.trim_end_matches('.'));
        } else {
            self.complaints.say("text outside the quotes: read as spoken");
            self.parts.push(range);
        }
    }

    /// Where there are no quotes, all text is spoken, and the marks around a single stressed word only stress
    /// it.
    fn without_quotes(&mut self, piece: &Piece, next: Option<&Piece>) {
        let inner = &self.text[piece.inner.clone()];
        match piece.kind {
            PieceKind::Text | PieceKind::Quote => self.speak(piece.outer.clone()),
            PieceKind::Action if self.is_stress(inner, next) => self.parts.push(piece.inner.clone()),
            PieceKind::Action => self.act(inner),
            PieceKind::Aside => self.aside(inner),
        }
    }

    fn speak(&mut self, range: Range<usize>) {
        match self.parts.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ if self.text[range.clone()].trim().is_empty() => {}
            _ => self.parts.push(range),
        }
    }

    fn is_stress(&self, inner: &str, next: Option<&Piece>) -> bool {
        let one_word = !inner.trim().contains(char::is_whitespace);
        let before = self.parts.last().map_or("", |range| self.text[range.clone()].trim_end());
        let after = next
            .filter(|piece| piece.kind == PieceKind::Text)
            .map_or("", |piece| self.text[piece.inner.clone()].trim());
        one_word && before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric)
    }

    /// `"I'm happy," she said.` ends in a comma only because of what was left out.
    fn drop_comma(&mut self) {
        if let Some(last) = self.parts.last_mut().filter(|_| self.cut_short) {
            let words = self.text[last.clone()].trim_end();
            last.end = last.start + words.strip_suffix(',').unwrap_or(words).len();
        }
    }

    /// Brackets, backticks, commas and colons that were left over around the words.
    fn trim_ends(&mut self) {
        const LEFT_OVER: [char; 10] = [']', '】', '］', ')', ':', '：', '`', ',', '，', ';'];
        if let Some(first) = self.parts.first_mut() {
            let text = &self.text[first.clone()];
            first.start += text.len()
                - text.trim_start_matches(|c: char| c.is_whitespace() || LEFT_OVER.contains(&c)).len();
        }
        if let Some(last) = self.parts.last_mut() {
            let text = &self.text[last.clone()];
            last.end -= text.len() - text.trim_end_matches(|c: char| c.is_whitespace() || c == '`').len();
        }
        self.parts.retain(|part| !part.is_empty());
    }
}

fn first_word(words: &str) -> &str {
    words.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default()
}

fn ends_saying(words: &str) -> bool {
    let words = words.trim_end_matches(|c: char| !c.is_alphanumeric());
    let last = words.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    WORDS.saying.iter().any(|verb| last.eq_ignore_ascii_case(verb)) && !begins_in_first_person(words)
}

fn begins_in_first_person(words: &str) -> bool {
    matches!(first_word(words), "I" | "You" | "We" | "My" | "Your")
}

/// "She sighs.", "Alice looks away.": narration about a character, not its words.
fn is_narration(words: &str) -> bool {
    let first = first_word(words);
    let is_one_of = |list: &[String]| list.iter().any(|word| word == first);
    let second = words.split_whitespace().nth(1).unwrap_or_default();
    let second = second.trim_end_matches(|c: char| !c.is_alphanumeric());
    let does = second.len() > 3 && second.ends_with('s') && second.starts_with(char::is_lowercase);
    is_one_of(&WORDS.narrated) || (does && first.starts_with(char::is_uppercase) && !is_one_of(&WORDS.nobody))
}
