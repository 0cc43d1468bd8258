//! Phrases that are looked for in messages, as lists have them:
//!
//! * `hurt myself`: these words, one after the other;
//! * `hurt|harm myself`: one of several words; `(give up|stop) now`: the same of words that belong together;
//! * `hurt*`: every word that begins so;
//! * `<took> the <medicine>`: a word or words of a group, which `groups.toml` lists; `<took>|had` as well;
//! * `took ... pills`: up to five words may stand between;
//! * `#`: a number that is not small;
//! * `^ help me $`: from the beginning, to the end of the message.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{spelling, words::WORDS};
use crate::content::Texts;

/// How many words `...` stands for at most.
const LONGEST_GAP: usize = 5;
/// `#` is at least this: who takes two tablets has a headache.
const NO_SMALL_NUMBER: u64 = 6;
/// What nothing matches: an idiom that was taken out.
pub(super) const TAKEN_OUT: &str = "_";

/// Groups of words, by the names that phrases use.
pub(super) type Groups = BTreeMap<String, Texts>;

/// Phrases, each with what it means; the ones of a list that stand first are found first.
#[derive(Debug)]
pub(super) struct PhraseList<T> {
    phrases: Vec<(Vec<PhrasePart>, T)>,
    /// Which phrases may begin with a word, and which with a word that begins with these two letters: `ha*`.
    beginning_with: HashMap<String, Vec<usize>>,
    /// Those that may begin with something else.
    others: Vec<usize>,
    words: HashSet<String>,
}

#[derive(Debug)]
enum PhrasePart {
    OneOf(Vec<Vec<PhraseWord>>),
    Gap,
    Beginning,
    End,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum PhraseWord {
    Is(String),
    Begins(String),
    Number,
}

impl<T: Copy> PhraseList<T> {
    /// # Panics
    ///
    /// With the phrase, if it names a group that is not there or says nothing: these are the program's own
    /// files.
    pub(super) fn new<'a>(phrases: impl Iterator<Item = (&'a String, T)>, groups: &Groups) -> PhraseList<T> {
        let mut made = PhraseList {
            phrases: Vec::new(),
            beginning_with: HashMap::new(),
            others: Vec::new(),
            words: HashSet::new(),
        };
        for (text, meaning) in phrases {
            let parts = parts(text, groups);
            let says_something = parts.iter().any(|part| matches!(part, PhrasePart::OneOf(_)));
            assert!(says_something, "a phrase without words: {text}");
            let needs_no_word =
                |part: &PhrasePart| matches!(part, PhrasePart::OneOf(ways) if ways.iter().any(Vec::is_empty));
            let outer = [parts.first(), parts.last()];
            let open = outer.into_iter().flatten().any(needs_no_word);
            assert!(!open, "a phrase that begins or ends with a word that is passed over: {text}");
            let lost = text.contains(' ') && is_plain(&parts);
            assert!(!lost, "a phrase of which only a word is left that says nothing: {text}");
            let at = made.phrases.len();
            match parts.iter().find(|part| !matches!(part, PhrasePart::Beginning)) {
                Some(PhrasePart::OneOf(ways)) => {
                    for way in ways {
                        let index = match way.first() {
                            Some(PhraseWord::Is(word)) => Some(word.clone()),
                            Some(PhraseWord::Begins(beginning)) => two_letters(beginning),
                            Some(PhraseWord::Number) | None => None,
                        };
                        match index {
                            Some(index) => made.beginning_with.entry(index).or_default().push(at),
                            None => made.others.push(at),
                        }
                    }
                }
                _ => made.others.push(at),
            }
            let ways = parts
                .iter()
                .filter_map(|part| if let PhrasePart::OneOf(ways) = part { Some(ways) } else { None });
            made.words.extend(ways.flatten().flatten().filter_map(|word| match word {
                PhraseWord::Is(word) => Some(word.clone()),
                PhraseWord::Begins(beginning) => Some(format!("{beginning}*")),
                PhraseWord::Number => None,
            }));
            made.phrases.push((parts, meaning));
        }
        made.others.dedup();
        made
    }

    /// All words that stand in these phrases; what words may begin with has an asterisk: `hang*`.
    pub(super) fn words(&self) -> &HashSet<String> {
        &self.words
    }

    /// What the first of the phrases means that a message has.
    pub(super) fn find(&self, words: &[String]) -> Option<T> {
        self.found(words).map(|(at, _)| at).min().map(|at| self.phrases[at].1)
    }

    /// The message without these phrases.
    pub(super) fn taken_out(&self, mut words: Vec<String>) -> (Vec<String>, bool) {
        let found: Vec<_> = self.found(&words).map(|(_, range)| range).collect();
        let any = !found.is_empty();
        for range in found {
            words[range].iter_mut().for_each(|word| TAKEN_OUT.clone_into(word));
        }
        (words, any)
    }

    /// Which phrases a message has, and where.
    pub(super) fn found<'a>(
        &'a self,
        words: &'a [String],
    ) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> + 'a {
        (0..words.len()).flat_map(move |begin| {
            let with_word = self.beginning_with.get(&words[begin]).into_iter().flatten();
            let letters = two_letters(&words[begin]);
            let with_letters =
                letters.and_then(|letters| self.beginning_with.get(&letters)).into_iter().flatten();
            with_word.chain(with_letters).chain(&self.others).filter_map(move |&at| {
                let end = end_of(&self.phrases[at].0, words, begin)?;
                Some((at, begin..end))
            })
        })
    }
}

/// Whether nothing but a plain word is looked for: "not okay" would be that if "okay" were passed over.
fn is_plain(parts: &[PhrasePart]) -> bool {
    let plain =
        |way: &Vec<PhraseWord>| matches!(way.as_slice(), [PhraseWord::Is(word)] if WORDS.plain.has(word));
    matches!(parts, [PhrasePart::OneOf(ways)] if ways.iter().all(plain))
}

/// By which phrases are found that begin with the beginning of a word.
fn two_letters(word: &str) -> Option<String> {
    word.get(..2).map(|letters| format!("{letters}*"))
}

fn parts(text: &str, groups: &Groups) -> Vec<PhrasePart> {
    let part = |written: &str| match written {
        "..." => Some(PhrasePart::Gap),
        "^" => Some(PhrasePart::Beginning),
        "$" => Some(PhrasePart::End),
        "#" => Some(PhrasePart::OneOf(vec![vec![PhraseWord::Number]])),
        _ => {
            let ways: Vec<Vec<PhraseWord>> =
                written.split('|').flat_map(|way| ways(way, text, groups)).collect();
            // Of `the|my` the first is passed over in messages too, so that nothing has to stand there.
            ways.iter().any(|way| !way.is_empty()).then_some(PhrasePart::OneOf(ways))
        }
    };
    written_parts(text).into_iter().filter_map(part).collect()
}

/// A phrase at its blanks, but for those in brackets.
fn written_parts(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let at_blank = |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ' ' && depth == 0
    };
    let parts = text.split(at_blank).filter(|part| !part.is_empty());
    parts.map(|part| part.strip_prefix('(').and_then(|part| part.strip_suffix(')')).unwrap_or(part)).collect()
}

/// What a word or a group stands for.
fn ways(written: &str, text: &str, groups: &Groups) -> Vec<Vec<PhraseWord>> {
    match written.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
        Some(name) => {
            let group = groups.get(name).unwrap_or_else(|| panic!("no group <{name}>, named in: {text}"));
            group.iter().map(|phrase| way(phrase)).collect()
        }
        None => vec![way(written)],
    }
}

/// Words that follow each other: "drain cleaner", "suffocat*".
fn way(phrase: &str) -> Vec<PhraseWord> {
    let words = phrase.split_whitespace().flat_map(|word| match word.strip_suffix('*') {
        Some(beginning) => vec![PhraseWord::Begins(spelling::beginning(beginning))],
        None if word == "#" => vec![PhraseWord::Number],
        None => spelling::listed(word).into_iter().map(PhraseWord::Is).collect::<Vec<_>>(),
    });
    words.collect()
}

/// Where a phrase ends that begins at a word, if it does.
fn end_of(parts: &[PhrasePart], words: &[String], at: usize) -> Option<usize> {
    let Some((part, rest)) = parts.split_first() else { return Some(at) };
    match part {
        PhrasePart::Beginning => (at == 0).then(|| end_of(rest, words, at)).flatten(),
        PhrasePart::End => (at == words.len()).then(|| end_of(rest, words, at)).flatten(),
        PhrasePart::Gap => {
            let last = (at + LONGEST_GAP).min(words.len());
            (at..=last).find_map(|next| end_of(rest, words, next))
        }
        PhrasePart::OneOf(ways) => ways.iter().find_map(|way| {
            let next = at + way.len();
            let here = words.get(at..next)?;
            way.iter().zip(here).all(|(wanted, word)| wanted.fits(word)).then(|| end_of(rest, words, next))?
        }),
    }
}

impl PhraseWord {
    fn fits(&self, word: &str) -> bool {
        match self {
            PhraseWord::Is(wanted) => wanted == word,
            PhraseWord::Begins(beginning) => word.starts_with(beginning.as_str()),
            PhraseWord::Number => word.parse().is_ok_and(|number: u64| number >= NO_SMALL_NUMBER),
        }
    }
}

#[cfg(test)]
mod tests;
