//! English text as words: lower case, contractions undone, sentences and clauses marked.
//!
//! Goals and lines are read with the same eyes, so that a phrase rule means the same in both.

use std::{borrow::Cow, ops::Range};

pub(crate) use super::word_kinds::WordKind;
use super::word_kinds::WordKinds;

mod asides;

pub(crate) use asides::is_gesture;
use asides::{Aside, asides};

/// A text, taken apart.
#[derive(Debug, Default)]
pub(crate) struct Text<'a> {
    pub(crate) words: Vec<Word<'a>>,
    pub(crate) sentences: Vec<Sentence>,
}

/// One word. "I'm" gives two of them with the same place.
#[derive(Debug, Clone)]
pub(crate) struct Word<'a> {
    /// In lower case.
    pub(crate) text: Cow<'a, str>,
    /// Where it stands in the original, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether a clause begins here: at a sentence's start and after a comma, a dash, a bracket or a
    /// quotation.
    pub(crate) opens: bool,
    /// The lists of words that it stands in.
    pub(crate) kinds: WordKinds,
}

impl Word<'_> {
    pub(crate) fn is(&self, kind: WordKind) -> bool {
        self.kinds.has(kind)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Sentence {
    pub(crate) words: Range<usize>,
    pub(crate) mark: Mark,
}

/// How a sentence stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Stop,
    Question,
    /// It breaks off: its speaker was cut, or did not go on.
    Cut,
    /// No sentence at all, but something done: "(nods)".
    Gesture,
}

/// Longer sentences are split: rules look around within a sentence, so this bounds the time they take.
const LONGEST_SENTENCE: usize = 200;

/// After these a full stop ends no sentence.
const ABBREVIATIONS: [&str; 9] = ["mr", "mrs", "ms", "dr", "prof", "st", "vs", "e.g", "i.e"];

impl<'a> Text<'a> {
    /// Reads prose.
    pub(crate) fn read(text: &'a str) -> Text<'a> {
        let mut reader = WordReader::new(text);
        reader.read(0..text.len());
        reader.finish()
    }

    /// Reads a spoken line: its sentences without their quotations, which are another's words, and its gestures.
    /// A gesture inside a sentence comes after it.
    pub(crate) fn spoken(text: &'a str) -> Text<'a> {
        let mut reader = WordReader::new(text);
        let mut from = 0;
        for Aside { place, is_gesture } in asides(text) {
            reader.read(from..place.start);
            reader.opens = true;
            from = place.end;
            if is_gesture {
                reader.gesture(place);
            }
        }
        reader.read(from..text.len());
        reader.finish()
    }

    /// The words of each sentence and gesture.
    pub(crate) fn parts(&self) -> impl DoubleEndedIterator<Item = (&[Word<'a>], Mark)> + Clone {
        self.sentences.iter().map(|sentence| (&self.words[sentence.words.clone()], sentence.mark))
    }
}

struct WordReader<'a> {
    text: &'a str,
    words: Vec<Word<'a>>,
    sentences: Vec<Sentence>,
    /// Where the sentence being read began.
    from: usize,
    opens: bool,
    /// Whether a dash was the last thing read.
    breaks_off: bool,
    /// Gestures inside the sentence being read.
    gestures: Vec<Range<usize>>,
}

impl<'a> WordReader<'a> {
    fn new(text: &'a str) -> WordReader<'a> {
        WordReader {
            text,
            words: Vec::with_capacity(text.len() / 5),
            sentences: Vec::new(),
            from: 0,
            opens: true,
            breaks_off: false,
            gestures: Vec::new(),
        }
    }

    fn read(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while let Some(c) = self.text[at..range.end].chars().next() {
            if c.is_alphanumeric() {
                let end = at + word_len(&self.text[at..range.end]);
                self.word(at, end);
                self.breaks_off = false;
                at = end;
                continue;
            }
            let next = at + c.len_utf8();
            let rest = &self.text[next..];
            let dash = matches!(c, '—' | '–') || c == '-' && self.text[..at].ends_with('-');
            self.breaks_off = dash || self.breaks_off && c.is_whitespace();
            match c {
                '?' | '？' => self.stop(Mark::Question),
                '!' | '…' | '。' | '！' => self.stop(Mark::Stop),
                '.' if ends_sentence(rest) && !self.after_abbreviation() => self.stop(Mark::Stop),
                '\n' if rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n') => self.stop(Mark::Stop),
                c if is_apostrophe(c) || matches!(c, '*' | '_' | '-') || c.is_whitespace() => {
                    self.opens |= c == '-' && !rest.starts_with(char::is_alphanumeric);
                }
                _ => self.opens = true,
            }
            at = next;
        }
    }

    fn stop(&mut self, mark: Mark) {
        let (from, to) = (self.from, self.words.len());
        if from < to {
            self.sentences.push(Sentence { words: from..to, mark });
        } else if let (Mark::Question, Some(last)) = (mark, self.sentences.last_mut())
            && last.mark == Mark::Stop
        {
            // "You did what!?" asks, whichever mark comes first.
            last.mark = mark;
        }
        self.from = to;
        self.opens = true;
        for gesture in std::mem::take(&mut self.gestures) {
            self.gesture(gesture);
        }
    }

    fn gesture(&mut self, place: Range<usize>) {
        let from = self.words.len();
        if self.from < from {
            return self.gestures.push(place);
        }
        let start = place.start;
        let words = Text::read(&self.text[place]).words.into_iter().take(LONGEST_SENTENCE);
        self.words.extend(words.map(|word| Word {
            start: start + word.start,
            end: start + word.end,
            ..word
        }));
        self.from = self.words.len();
        if from < self.from {
            self.sentences.push(Sentence { words: from..self.from, mark: Mark::Gesture });
        }
    }

    fn after_abbreviation(&self) -> bool {
        self.words.last().is_some_and(|word| ABBREVIATIONS.contains(&&*word.text))
    }

    fn finish(mut self) -> Text<'a> {
        self.stop(if self.breaks_off { Mark::Cut } else { Mark::Stop });
        Text { words: self.words, sentences: self.sentences }
    }

    fn word(&mut self, start: usize, end: usize) {
        let raw = &self.text[start..end];
        let Some(apostrophe) = raw.char_indices().find(|(_, c)| is_apostrophe(*c)) else {
            let text = lower(raw);
            match split_spelling(&text) {
                Some(parts) => parts.iter().for_each(|part| self.push(Cow::Borrowed(*part), start, end)),
                None => self.push(text, start, end),
            }
            return;
        };
        let host = lower(&raw[..apostrophe.0]);
        let tail = lower(&raw[apostrophe.0 + apostrophe.1.len_utf8()..]);
        let (host, rest): (Cow<'a, str>, &'static str) = match (&*host, &*tail) {
            ("won", "t") => ("will".into(), "not"),
            ("shan", "t") => ("shall".into(), "not"),
            ("ain", "t") => ("is".into(), "not"),
            ("can", "t") => ("can".into(), "not"),
            ("let", "s") => ("let".into(), "us"),
            ("o" | "ma", _) => return self.push(lower(raw), start, end),
            (host_text, "t") if host_text.ends_with('n') => {
                (host_text[..host_text.len() - 1].to_owned().into(), "not")
            }
            (_, "m") => (host, "am"),
            (_, "re") => (host, "are"),
            (_, "ve") => (host, "have"),
            (_, "ll") => (host, "will"),
            (_, "d") => (host, "would"),
            (host_text, "s") if WordKinds::of(host_text).has(WordKind::IsHost) => (host, "is"),
            (_, "s") => (host, "'s"),
            _ => return self.push(lower(raw), start, end),
        };
        self.push(host, start, end);
        self.push(Cow::Borrowed(rest), start, end);
    }

    fn push(&mut self, text: Cow<'a, str>, start: usize, end: usize) {
        if self.words.len() - self.from >= LONGEST_SENTENCE {
            self.stop(Mark::Stop);
        }
        let kinds = WordKinds::of(&text);
        self.words.push(Word { text, start, end, opens: self.opens, kinds });
        self.opens = false;
    }
}

pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ' | '＇')
}

/// The length of the word a text begins with. Apostrophes, hyphens and full stops belong to it between
/// letters.
fn word_len(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let joins = is_apostrophe(c) || c == '-' || c == '.';
        let goes_on = chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        // An accent may be a character of its own: "e\u{300}".
        let accent = matches!(c, '\u{300}'..='\u{36f}');
        if !(c.is_alphanumeric() || accent || joins && goes_on) {
            return at;
        }
    }
    text.len()
}

fn ends_sentence(rest: &str) -> bool {
    rest.chars().next().is_none_or(|c| !c.is_alphanumeric())
}

fn lower(raw: &str) -> Cow<'_, str> {
    match raw {
        "I" => Cow::Borrowed("i"),
        _ if raw.chars().any(char::is_uppercase) => Cow::Owned(raw.to_lowercase()),
        _ => Cow::Borrowed(raw),
    }
}

/// Words that people run together, and contractions typed without their apostrophe.
fn split_spelling(word: &str) -> Option<&'static [&'static str]> {
    Some(match word {
        "cannot" | "cant" => &["can", "not"],
        "dont" => &["do", "not"],
        "didnt" => &["did", "not"],
        "im" => &["i", "am"],
        "ive" => &["i", "have"],
        "ok" => &["okay"],
        "alright" => &["all", "right"],
        "gonna" => &["going", "to"],
        "wanna" => &["want", "to"],
        "gotta" => &["got", "to"],
        _ => return None,
    })
}
