//! Phrases: a small pattern language over words, so that rules read like the English they look for.
//!
//! | written | finds |
//! | --- | --- |
//! | `sorry` | that word |
//! | `a\|b` | either word |
//! | `that?` | the word or nothing |
//! | `~` | words that only strengthen or soften, up to [`MOST_PADDING`] |
//! | `..` | any words, as few as possible, up to [`WIDEST_GAP`] |
//! | `^` (first) | the start of a clause, padding and interjections aside |
//! | `$` (last) | the end of a clause |

use std::{collections::HashMap, sync::LazyLock};

use super::{
    word_lists::{WordList, word_list},
    words::Word,
};

/// "I really am so very, very sorry" is about as far as people go.
const MOST_PADDING: usize = 4;

/// Wide enough for "gives a long, sincere apology", narrow enough to stay within one phrase.
const WIDEST_GAP: usize = 4;

/// Many patterns, found by the first word of each; each stands for a meaning.
#[derive(Debug)]
pub(crate) struct Phrases<T> {
    patterns: Vec<(Pattern, T)>,
    /// Which patterns begin with a word, in the order they were given.
    by_first: HashMap<&'static str, Vec<usize>>,
}

/// A phrase found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found<T> {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) means: T,
}

impl<T: Copy> Phrases<T> {
    pub(crate) fn new(table: impl IntoIterator<Item = (&'static str, T)>) -> Phrases<T> {
        let mut phrases = Phrases { patterns: Vec::new(), by_first: HashMap::new() };
        for (written, means) in table {
            let pattern = Pattern::new(written);
            for first in &pattern.first {
                phrases.by_first.entry(first).or_default().push(phrases.patterns.len());
            }
            phrases.patterns.push((pattern, means));
        }
        phrases
    }

    /// The phrases that begin at one word, in the order of the table.
    pub(crate) fn at<'w>(&'w self, words: &'w [Word<'w>], at: usize) -> impl Iterator<Item = Found<T>> + 'w {
        self.wanted_at(words, at, |_| true)
    }

    /// Those of them whose meaning is wanted: the others are not looked for.
    pub(crate) fn wanted_at<'w>(
        &'w self,
        words: &'w [Word<'w>],
        at: usize,
        is_wanted: impl Fn(T) -> bool + 'w,
    ) -> impl Iterator<Item = Found<T>> + 'w {
        let candidates = words.get(at).and_then(|word| self.by_first.get(&*word.text));
        candidates.into_iter().flatten().filter_map(move |index| {
            let (pattern, means) = &self.patterns[*index];
            let to = if is_wanted(*means) { pattern.find(words, at) } else { None };
            to.map(|to| Found { from: at, to, means: *means })
        })
    }
}

#[cfg(test)]
impl<T: Copy> Phrases<T> {
    /// What all of its phrases mean.
    pub(crate) fn meanings(&self) -> impl Iterator<Item = T> {
        self.patterns.iter().map(|(_, means)| *means)
    }
}

#[derive(Debug)]
struct Pattern {
    /// It has to stand at the start of a clause.
    fresh: bool,
    first: Vec<&'static str>,
    rest: Vec<PatternPart>,
}

#[derive(Debug)]
enum PatternPart {
    Word(Vec<&'static str>),
    Optional(Vec<&'static str>),
    Padding,
    Gap,
    Closes,
}

impl Pattern {
    fn new(written: &'static str) -> Pattern {
        let (fresh, written) = match written.strip_prefix("^ ") {
            Some(rest) => (true, rest),
            None => (false, written),
        };
        let mut parts = written.split(' ');
        let first = parts.next().map(|part| part.split('|').collect()).unwrap_or_default();
        let rest = parts
            .map(|part| match part {
                "~" => PatternPart::Padding,
                ".." => PatternPart::Gap,
                "$" => PatternPart::Closes,
                _ => match part.strip_suffix('?') {
                    Some(part) => PatternPart::Optional(part.split('|').collect()),
                    None => PatternPart::Word(part.split('|').collect()),
                },
            })
            .collect();
        Pattern { fresh, first, rest }
    }

    /// Where the phrase ends, if it begins at this word (whose text is known to be a first word).
    fn find(&self, words: &[Word<'_>], at: usize) -> Option<usize> {
        if self.fresh && !is_fresh(words, at) {
            return None;
        }
        find(&self.rest, words, at + 1)
    }
}

fn find(parts: &[PatternPart], words: &[Word<'_>], at: usize) -> Option<usize> {
    let Some((part, rest)) = parts.split_first() else { return Some(at) };
    // "The answer's no" may be short for "is", or show a possession: phrases take it for either.
    let fits = |set: &[&str], word: &str| set.contains(&word) || word == "'s" && set.contains(&"is");
    let is_one_of = |set: &[&str]| words.get(at).is_some_and(|word| fits(set, &word.text));
    match part {
        PatternPart::Word(set) => is_one_of(set).then(|| find(rest, words, at + 1)).flatten(),
        PatternPart::Optional(set) => {
            let with = is_one_of(set).then(|| find(rest, words, at + 1)).flatten();
            with.or_else(|| find(rest, words, at))
        }
        PatternPart::Padding => {
            let padding =
                words[at..].iter().take(MOST_PADDING).take_while(|word| is_padding(&word.text)).count();
            (0..=padding).find_map(|skipped| find(rest, words, at + skipped))
        }
        PatternPart::Gap => {
            (0..=WIDEST_GAP.min(words.len() - at)).find_map(|skipped| find(rest, words, at + skipped))
        }
        PatternPart::Closes => {
            words.get(at).is_none_or(|word| word.opens || is_join(&word.text)).then_some(at)
        }
    }
}

fn is_fresh(words: &[Word<'_>], at: usize) -> bool {
    let mut here = at;
    while here > 0 && !words[here].opens {
        here -= 1;
        let word = &*words[here].text;
        if is_join(word) {
            return true;
        }
        if !is_padding(word) && !INTERJECTIONS.contains(&word) {
            return false;
        }
    }
    true
}

/// Words that join clauses without a comma.
pub(crate) fn is_join(word: &str) -> bool {
    matches!(word, "and" | "but" | "so" | "because" | "or" | "yet" | "then" | "though" | "although")
}

static INTERJECTIONS: WordList = LazyLock::new(|| word_list("interjections"));

/// Adverbs that turn what they stand by into something else.
static DOUBTS: WordList = LazyLock::new(|| word_list("doubts"));

static PADDING: WordList = LazyLock::new(|| word_list("padding"));

pub(crate) fn is_padding(word: &str) -> bool {
    PADDING.contains(&word) || word.len() > 4 && word.ends_with("ly") && !DOUBTS.contains(&word)
}
