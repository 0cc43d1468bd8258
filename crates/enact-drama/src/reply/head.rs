//! The head of a reply: the keywords and attributes in its bracket, in any order and case.

use std::ops::Range;

use super::{
    Action,
    keyword::{self, Attribute, Keyword, KeywordPlace, separator},
    quote, speaker, tone,
    word_lists::WORDS,
};
use crate::test_counter::looked_at;

/// What a bracket says about the reply, as it stands there.
#[derive(Debug, Clone, Default)]
pub(super) struct Head<'a> {
    pub(super) action: Option<Action>,
    pub(super) target: Option<&'a str>,
    pub(super) tone: Option<&'a str>,
    pub(super) after: Option<&'a str>,
    pub(super) nonverbal: Vec<&'a str>,
    /// Where, within the bracket, words to be spoken stand that belong behind it.
    pub(super) inside: Option<Range<usize>>,
    /// Whether any keyword was found: `[*sighs*]` is a head without one.
    pub(super) keyed: bool,
    /// Whether an attribute was given twice.
    pub(super) twice: bool,
}

/// `TO:` and `*x*`. Most brackets of a text that is nothing but brackets are shorter, and cost next to
/// nothing.
const SHORTEST_HEAD: usize = 3;

/// An unclosed bracket without quotes runs into what is said; tones are hardly ever longer than this.
const MOST_TONE_WORDS: usize = 3;

impl<'a> Head<'a> {
    /// Reads the inside of a bracket; nothing if that is no head.
    pub(super) fn read(inner: &'a str, closed: bool) -> Option<Head<'a>> {
        if inner.len() < SHORTEST_HEAD {
            return None;
        }
        let mut reader = HeadReader::new(inner);
        reader.read();
        if !closed {
            reader.split_runaway_tone();
        }
        let keyed = reader.keyed;
        (keyed || (reader.begins_with_action && !reader.nonverbal.is_empty())).then(|| reader.head())
    }

    /// Takes what another head says, if the two do not contradict each other.
    pub(super) fn merge(&mut self, other: &Head<'a>) -> bool {
        let both = |a: Option<&str>, b: Option<&str>| a.is_some() && b.is_some();
        let contradicts = both(self.target, other.target)
            || both(self.tone, other.tone)
            || both(self.after, other.after)
            || (self.action.is_some() && other.action.is_some())
            || (self.action == Some(Action::Silent) && other.keyed)
            || self.inside.is_some();
        if contradicts {
            return false;
        }
        self.action = self.action.or(other.action);
        self.target = self.target.or(other.target);
        self.tone = self.tone.or(other.tone);
        self.after = self.after.or(other.after);
        self.nonverbal.extend(&other.nonverbal);
        self.inside = other.inside.clone();
        self.keyed |= other.keyed;
        true
    }
}

/// Walks through the inside of a bracket once.
struct HeadReader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// At the beginning of the bracket or behind a comma, where a keyword needs no colon to be one.
    fresh: bool,
    last: Option<Keyword>,
    action: Option<Action>,
    target: Option<Range<usize>>,
    tone: Option<Range<usize>>,
    after: Option<Range<usize>>,
    /// Whether each attribute was met, its value found or not: only the first of each kind may search for a
    /// closing quote, or a bracket full of `AFTER “` would be searched to its end over and over.
    met: [bool; 4],
    nonverbal: Vec<&'a str>,
    inside: Option<Range<usize>>,
    /// A search for a closing parenthesis that failed need not be made again.
    no_parenthesis_closes: bool,
    begins_with_action: bool,
    keyed: bool,
    twice: bool,
}

impl<'a> HeadReader<'a> {
    fn new(text: &'a str) -> HeadReader<'a> {
        HeadReader {
            text,
            bytes: text.as_bytes(),
            at: 0,
            fresh: true,
            last: None,
            action: None,
            target: None,
            tone: None,
            after: None,
            met: [false; 4],
            nonverbal: Vec::new(),
            inside: None,
            no_parenthesis_closes: false,
            begins_with_action: text.trim_start().starts_with('*'),
            keyed: false,
            twice: false,
        }
    }

    fn read(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if let Some(len) = separator(self.bytes, self.at) {
                self.at += len;
                self.fresh = true;
            } else if byte == b'*' {
                self.gesture();
            } else if byte == b'(' && self.parenthesis() {
            } else if quote::double_at(self.bytes, self.at).is_some() {
                let phrase_is_due =
                    self.last == Some(Keyword::Action(Action::Interrupt)) && self.after.is_none();
                if phrase_is_due {
                    self.value(Attribute::After);
                } else if self.inside.is_some() {
                    self.skip_quotation();
                } else if self.speech() {
                    break;
                }
            } else if let Some((keyword, next)) = self.keyword_at(self.at, self.fresh) {
                self.keyed |= keyword != Keyword::Label;
                self.last = Some(keyword);
                self.at = next;
                match keyword {
                    Keyword::Attribute(attribute) => self.value(attribute),
                    Keyword::Action(action) => {
                        self.action =
                            self.action.into_iter().chain([action]).max_by_key(|a| keyword::rank(*a));
                        self.fresh = false;
                    }
                    Keyword::Label => self.fresh = true,
                }
            } else {
                self.loose_words();
            }
        }
        looked_at(self.at);
    }

    fn head(self) -> Head<'a> {
        let text = |range: Option<Range<usize>>| range.map(|range| self.text[range].trim());
        Head {
            action: self.action,
            target: text(self.target),
            tone: text(self.tone),
            after: text(self.after),
            nonverbal: self.nonverbal,
            inside: self.inside,
            keyed: self.keyed,
            twice: self.twice,
        }
    }

    /// The keyword that begins at a byte, and where what belongs to it begins.
    fn keyword_at(&self, at: usize, fresh: bool) -> Option<(Keyword, usize)> {
        let interrupting = self.last == Some(Keyword::Action(Action::Interrupt));
        Keyword::at(self.bytes, at, KeywordPlace { fresh, interrupting })
    }

    fn value(&mut self, attribute: Attribute) {
        let again = std::mem::replace(&mut self.met[attribute as usize], true);
        self.twice |= again;
        self.at += self.bytes[self.at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        // Bold keywords: `**TONE:** angry`.
        let stars = self.bytes[self.at..].iter().take_while(|b| **b == b'*').count();
        if stars > 1 {
            self.at += stars;
            self.at += self.bytes[self.at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        }
        if again && quote::double_at(self.bytes, self.at).is_some() {
            self.skip_quotation();
        }
        let quoted = if again { None } else { self.quoted_value() };
        let range = quoted.unwrap_or_else(|| {
            let end = self.plain_end(self.at, matches!(attribute, Attribute::After | Attribute::Nonverbal));
            let words = self.at..end;
            self.at = end;
            // `after Bob says "I want"`
            let introduce = attribute == Attribute::After && !again && self.goes_to_quotation();
            if introduce { self.quoted_value().unwrap_or(words) } else { words }
        });
        self.fresh = true;
        if again || self.text[range.clone()].trim().is_empty() {
            return;
        }
        match attribute {
            Attribute::Target => self.target = Some(range),
            Attribute::Tone => self.tone = Some(range),
            Attribute::After => self.after = Some(range),
            Attribute::Nonverbal => self.nonverbal.push(&self.text[range]),
        }
    }

    /// A value in quotes, which may hold commas, apostrophes and further quotes: the mark that closes is the
    /// first with a separator or keyword behind it, else the next one.
    fn quoted_value(&mut self) -> Option<Range<usize>> {
        let double = quote::double_at(self.bytes, self.at).map(|mark| mark.len);
        let opening = double.or_else(|| quote::single_at(self.bytes, self.at))?;
        let start = self.at + opening;
        let mut nearest = None;
        let mut at = start;
        let closing = loop {
            if at >= self.bytes.len() {
                break nearest;
            }
            let mark = match double {
                Some(_) => quote::double_at(self.bytes, at).map(|mark| mark.len),
                None => quote::single_at(self.bytes, at),
            };
            let Some(len) = mark else {
                at += 1;
                continue;
            };
            let after = at + len;
            let next = after + self.bytes[after..].iter().take_while(|b| b.is_ascii_whitespace()).count();
            let closes = next >= self.bytes.len()
                || self.bytes[next] == b'*'
                || separator(self.bytes, next).is_some()
                || self.keyword_at(next, true).is_some()
                || (next > after && quote::double_at(self.bytes, next).is_some());
            if closes {
                break Some((at, after));
            }
            // A single mark inside a word is an apostrophe and closes nothing.
            if double.is_some() {
                nearest = nearest.or(Some((at, after)));
            }
            at = after;
        };
        looked_at(at - self.at);
        match closing {
            Some((end, after)) => {
                self.at = after;
                Some(start..end)
            }
            None => {
                self.at = start;
                None
            }
        }
    }

    /// Takes words in quotes as what is said; says whether all the rest of the bracket belongs to it, because
    /// no keyword follows.
    fn speech(&mut self) -> bool {
        let start = self.at;
        let closed = self.quoted_value().is_some();
        let end = self.at;
        let mut next = end;
        while let Some(byte) = self.bytes.get(next) {
            next += match byte {
                b' ' | b'\t' | b'\r' | b'\n' => 1,
                b'*' => self.text[next + 1..].find('*').map_or(1, |length| length + 2),
                _ => match separator(self.bytes, next) {
                    Some(len) => len,
                    None => break,
                },
            };
        }
        looked_at(next - end);
        let goes_on = closed && next < self.bytes.len() && self.keyword_at(next, true).is_some();
        self.inside = Some(start..if goes_on { end } else { self.bytes.len() });
        self.fresh = true;
        !goes_on
    }

    /// Goes to the quotation that follows, if nothing stands before it.
    fn goes_to_quotation(&mut self) -> bool {
        let next = self.at + self.bytes[self.at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let follows = quote::double_at(self.bytes, next).is_some();
        if follows {
            self.at = next;
        }
        follows
    }

    /// Goes behind the next mark, whatever it closes.
    fn skip_quotation(&mut self) {
        let start = self.at;
        let mut marks = (start..self.bytes.len())
            .filter_map(|at| quote::double_at(self.bytes, at).map(|mark| at + mark.len));
        let opening = marks.next();
        self.at = marks.next().or(opening).unwrap_or(self.bytes.len());
        looked_at(self.at - start);
    }

    /// Where words without quotes end: before a gesture, a quote, a keyword, and, unless they belong, a
    /// comma.
    fn plain_end(&self, from: usize, commas_belong: bool) -> usize {
        let mut at = from;
        let mut word_begins = true;
        let mut fresh = false;
        while let Some(&byte) = self.bytes.get(at) {
            if byte == b'*' || quote::double_at(self.bytes, at).is_some() {
                break;
            }
            if let Some(len) = separator(self.bytes, at) {
                if !commas_belong || byte == b'|' {
                    break;
                }
                (fresh, word_begins) = (true, true);
                at += len;
                continue;
            }
            if byte.is_ascii_alphabetic() {
                if word_begins && at > from && self.keyword_at(at, fresh).is_some() {
                    break;
                }
                (fresh, word_begins) = (false, false);
            } else {
                word_begins = byte.is_ascii_whitespace();
            }
            at += 1;
        }
        looked_at(at - from);
        // The comma before a keyword, gesture or end does not belong to the words before it.
        from + self.text[from..at]
            .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | '、'))
            .len()
    }

    /// `*looks down*`, which may hold quotes, commas and keywords. Unclosed, it ends like any words do.
    fn gesture(&mut self) {
        let stars = self.bytes[self.at..].iter().take_while(|b| **b == b'*').count();
        let start = self.at + stars;
        self.at = start;
        self.fresh = true;
        let bold_keyword = stars > 1 && self.keyword_at(start, true).is_some();
        if bold_keyword {
            return;
        }
        let end = match self.text[start..].find('*') {
            Some(length) => {
                let end = start + length;
                self.at = end + self.bytes[end..].iter().take_while(|b| **b == b'*').count();
                end
            }
            None => {
                let end = self.plain_end(start, true);
                self.at = end;
                end
            }
        };
        looked_at(end - start);
        let gesture = self.text[start..end].trim();
        if !gesture.is_empty() {
            self.nonverbal.push(gesture);
        }
    }

    /// `(sighs, looks away)`; unclosed, it is no more than words.
    fn parenthesis(&mut self) -> bool {
        let start = self.at + 1;
        if self.no_parenthesis_closes {
            return false;
        }
        let length = self.text[start..].find(')');
        looked_at(length.unwrap_or(self.text.len() - start));
        let Some(length) = length else {
            self.no_parenthesis_closes = true;
            return false;
        };
        let inner = start..start + length;
        self.at = inner.end + 1;
        self.fresh = true;
        let words = self.text[inner.clone()].trim();
        if self.tone.is_none() && tone::is_known(words) {
            self.tone = Some(inner);
        } else if !words.is_empty() {
            self.nonverbal.push(words);
        }
        true
    }

    /// Words without a keyword: the rest of a list, a tone, a gesture that lost its asterisks, a
    /// name.
    fn loose_words(&mut self) {
        let start = self.at;
        let end = self.plain_end(start, false);
        let follows_keyword = !self.fresh;
        // Whatever stands here is no separator, so it is skipped even if no words follow.
        let next_char = self.text[start..].chars().next().map_or(1, char::len_utf8);
        self.at = end.max(start + next_char);
        self.fresh = true;
        let words = self.text[start..end].trim();
        if !words.contains(char::is_alphanumeric) {
            return;
        }
        let gesture_like = is_third_person(words);
        let last = self.last;
        match last {
            Some(Keyword::Action(Action::Interrupt)) if self.target.is_none() && self.after.is_none() => {
                if speaker::is_name(words) || self.keyword_at_next(Attribute::After) {
                    self.target = Some(start..end);
                } else if !self.goes_to_quotation() {
                    self.after = Some(start..end);
                }
            }
            // `after "explain", then "what happened"`: it is cut once.
            Some(Keyword::Attribute(Attribute::After)) if self.goes_to_quotation() => self.skip_quotation(),
            _ if self.tone.is_none() && tone::is_known(words) => self.tone = Some(start..end),
            Some(Keyword::Attribute(Attribute::Target)) if !gesture_like => {
                extend(&mut self.target, start..end)
            }
            Some(Keyword::Attribute(Attribute::Tone)) if !gesture_like => extend(&mut self.tone, start..end),
            Some(Keyword::Action(_)) if is_reason(words) => {}
            // `[REACT shocked]`
            Some(Keyword::Action(action))
                if action != Action::Silent && self.tone.is_none() && follows_keyword && !gesture_like =>
            {
                self.tone = Some(start..end);
            }
            None if remains_silent(words) => {
                self.action = Some(Action::Silent);
                self.last = Some(Keyword::Action(Action::Silent));
                self.keyed = true;
            }
            // `[Alice, TO: Bob]`: who answers is known already.
            None if speaker::is_name(words) => {}
            _ => self.nonverbal.push(words.trim_start_matches(['-', '–', '—', ' '])),
        }
    }

    fn keyword_at_next(&self, attribute: Attribute) -> bool {
        let next = self.at + self.bytes[self.at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        self.keyword_at(next, true).is_some_and(|(keyword, _)| keyword == Keyword::Attribute(attribute))
    }

    /// `[TONE: sad I am so sorry.` is a tone and words.
    fn split_runaway_tone(&mut self) {
        let Some(range) = self.tone.clone() else { return };
        let value = &self.text[range.clone()];
        if self.inside.is_none() && value.split_whitespace().nth(MOST_TONE_WORDS).is_some() {
            let first = value.trim_start().find(char::is_whitespace).unwrap_or(value.len());
            let start = range.start + (value.len() - value.trim_start().len());
            self.tone = Some(start..start + first);
            self.inside = Some(start + first..self.text.len());
        }
    }
}

fn extend(slot: &mut Option<Range<usize>>, more: Range<usize>) {
    match slot {
        Some(range) => range.end = more.end,
        None => *slot = Some(more),
    }
}

/// "looks down", "crosses his arms": what is done, not how the speaker feels ("serious", "speechless").
pub(super) fn is_third_person(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default();
    first.len() > 3
        && first.starts_with(|c: char| c.is_ascii_lowercase())
        && first.ends_with('s')
        && !["ss", "us", "is"].iter().any(|ending| first.ends_with(ending))
}

/// "because Bob is talking": a reason, which is not part of what is seen.
fn is_reason(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default();
    ["because", "since", "while", "so", "for", "until"].iter().any(|word| first.eq_ignore_ascii_case(word))
}

/// "REMAIN SILENT", "stays silent".
fn remains_silent(words: &str) -> bool {
    let remains = |verb: &str| WORDS.remaining.iter().any(|other| verb.eq_ignore_ascii_case(other));
    let is_silent = |how: &str| ["silent", "quiet"].iter().any(|other| how.eq_ignore_ascii_case(other));
    let words = words.trim_end_matches('.').split_once(' ');
    words.is_some_and(|(verb, how)| remains(verb) && is_silent(how.trim()))
}
