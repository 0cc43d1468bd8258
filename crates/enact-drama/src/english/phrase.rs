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

use std::collections::HashMap;

use super::{word_kinds::WordKind, words::Word};

/// "I really am so very, very sorry" is about as far as people go.
const MOST_PADDING: usize = 4;

/// Wide enough for "gives a long, sincere apology", narrow enough to stay within one phrase.
const WIDEST_GAP: usize = 4;

/// Many patterns; each stands for a meaning and belongs to a group, so that only some need be looked for.
#[derive(Debug)]
pub(crate) struct Phrases<T> {
    patterns: Vec<(Pattern, T)>,
    /// The numbers of all words in them: numbers are compared sooner than words.
    numbers: HashMap<&'static str, WordNumber>,
    /// Which patterns begin with a word, by its number, with their groups; sorted, so that within a group they
    /// keep the order of the table.
    by_first: Vec<Vec<(PhraseGroup, u32)>>,
}

/// The patterns of a table that are looked for together.
pub(crate) type PhraseGroup = u8;

/// A word's place in the vocabulary of a table. Zero is any word that it does not have.
type WordNumber = u16;

/// A phrase found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found<T> {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) means: T,
}

impl<T: Copy> Phrases<T> {
    /// A table of one group.
    pub(crate) fn new(table: impl IntoIterator<Item = (&'static str, T)>) -> Phrases<T> {
        Phrases::grouped(table, |_| 0)
    }

    pub(crate) fn grouped(
        table: impl IntoIterator<Item = (&'static str, T)>,
        group: impl Fn(T) -> PhraseGroup,
    ) -> Phrases<T> {
        // "'s" may be short for "is": see `WordChoice`.
        let numbers = HashMap::from([("", 0), ("is", IS), ("'s", SHORT_IS)]);
        let mut phrases = Phrases { patterns: Vec::new(), numbers, by_first: Vec::new() };
        for (written, means) in table {
            let (first, pattern) = Pattern::new(written, &mut phrases.numbers);
            let place = u32::try_from(phrases.patterns.len()).unwrap_or(u32::MAX);
            for first in first {
                let first = usize::from(first);
                if phrases.by_first.len() <= first {
                    phrases.by_first.resize_with(first + 1, Vec::new);
                }
                phrases.by_first[first].push((group(means), place));
            }
            phrases.patterns.push((pattern, means));
        }
        phrases.by_first.iter_mut().for_each(|begin| begin.sort_unstable());
        phrases
    }

    /// The phrases of a group that begin at one word, in the order of the table.
    pub(crate) fn at(
        &self,
        words: &[Word<'_>],
        at: usize,
        group: PhraseGroup,
    ) -> impl Iterator<Item = Found<T>> + use<T> {
        let candidates = words.get(at).map(|word| self.beginning_with(self.number(word), group));
        let mut found = Vec::new();
        if let Some(candidates) = candidates.filter(|candidates| !candidates.is_empty()) {
            self.look(&self.known(words), at, candidates, &mut found);
        }
        found.into_iter()
    }

    /// All phrases of a sentence that belong to some groups, from its first word to its last.
    pub(crate) fn find(&self, words: &[Word<'_>], groups: &[PhraseGroup]) -> Vec<Found<T>> {
        let sentence = self.known(words);
        let mut found = Vec::new();
        for (at, number) in sentence.numbers.iter().enumerate() {
            for group in groups {
                self.look(&sentence, at, self.beginning_with(*number, *group), &mut found);
            }
        }
        found
    }

    fn look(
        &self,
        sentence: &KnownWords<'_>,
        at: usize,
        candidates: &[(PhraseGroup, u32)],
        found: &mut Vec<Found<T>>,
    ) {
        for (_, place) in candidates {
            let (pattern, means) = &self.patterns[*place as usize];
            if let Some(to) = pattern.find(sentence, at) {
                found.push(Found { from: at, to, means: *means });
            }
        }
    }

    fn beginning_with(&self, number: WordNumber, group: PhraseGroup) -> &[(PhraseGroup, u32)] {
        let Some(all) = self.by_first.get(usize::from(number)) else { return &[] };
        let from = all.partition_point(|(other, _)| *other < group);
        let len = all[from..].partition_point(|(other, _)| *other == group);
        &all[from..from + len]
    }

    fn known<'w>(&self, words: &'w [Word<'w>]) -> KnownWords<'w> {
        KnownWords { words, numbers: words.iter().map(|word| self.number(word)).collect() }
    }

    fn number(&self, word: &Word<'_>) -> WordNumber {
        self.numbers.get(&*word.text).copied().unwrap_or_default()
    }
}

#[cfg(test)]
impl<T: Copy> Phrases<T> {
    /// What all of its phrases mean.
    pub(crate) fn meanings(&self) -> impl Iterator<Item = T> {
        self.patterns.iter().map(|(_, means)| *means)
    }
}

/// A sentence as a table knows it.
struct KnownWords<'w> {
    words: &'w [Word<'w>],
    numbers: Vec<WordNumber>,
}

#[derive(Debug)]
struct Pattern {
    /// It has to stand at the start of a clause.
    fresh: bool,
    rest: Vec<PatternPart>,
}

#[derive(Debug)]
enum PatternPart {
    Word(WordChoice),
    Optional(WordChoice),
    Padding,
    Gap,
    Closes,
}

/// Words of which one stands at a place of a pattern.
#[derive(Debug)]
struct WordChoice(Vec<WordNumber>);

const IS: WordNumber = 1;
const SHORT_IS: WordNumber = 2;

impl WordChoice {
    /// "The answer's no" may be short for "is", or show a possession: phrases take it for either.
    fn has(&self, number: WordNumber) -> bool {
        number != 0 && (self.0.contains(&number) || number == SHORT_IS && self.0.contains(&IS))
    }
}

impl Pattern {
    /// The words it may begin with, and what follows them.
    fn new(
        written: &'static str,
        numbers: &mut HashMap<&'static str, WordNumber>,
    ) -> (Vec<WordNumber>, Pattern) {
        let (fresh, written) = match written.strip_prefix("^ ") {
            Some(rest) => (true, rest),
            None => (false, written),
        };
        let mut set = |part: &'static str| {
            let number = |word| {
                let next = WordNumber::try_from(numbers.len()).expect("a table has less than 65,536 words");
                *numbers.entry(word).or_insert(next)
            };
            part.split('|').map(number).collect::<Vec<_>>()
        };
        let mut parts = written.split(' ');
        let first = parts.next().map(&mut set).unwrap_or_default();
        let rest = parts
            .map(|part| match part {
                "~" => PatternPart::Padding,
                ".." => PatternPart::Gap,
                "$" => PatternPart::Closes,
                _ => match part.strip_suffix('?') {
                    Some(part) => PatternPart::Optional(WordChoice(set(part))),
                    None => PatternPart::Word(WordChoice(set(part))),
                },
            })
            .collect();
        (first, Pattern { fresh, rest })
    }

    /// Where the phrase ends, if it begins at this word (which is known to be a first word).
    fn find(&self, sentence: &KnownWords<'_>, at: usize) -> Option<usize> {
        let end = find(&self.rest, sentence, at + 1)?;
        (!self.fresh || is_fresh(sentence.words, at)).then_some(end)
    }
}

fn find(parts: &[PatternPart], sentence: &KnownWords<'_>, at: usize) -> Option<usize> {
    let Some((part, rest)) = parts.split_first() else { return Some(at) };
    let words = sentence.words;
    let is_one_of = |set: &WordChoice| sentence.numbers.get(at).is_some_and(|number| set.has(*number));
    match part {
        PatternPart::Word(set) => is_one_of(set).then(|| find(rest, sentence, at + 1)).flatten(),
        PatternPart::Optional(set) => {
            let with = is_one_of(set).then(|| find(rest, sentence, at + 1)).flatten();
            with.or_else(|| find(rest, sentence, at))
        }
        PatternPart::Padding => {
            let padding =
                words[at..].iter().take(MOST_PADDING).take_while(|word| word.is(WordKind::Padding)).count();
            (0..=padding).find_map(|skipped| find(rest, sentence, at + skipped))
        }
        PatternPart::Gap => {
            (0..=WIDEST_GAP.min(words.len() - at)).find_map(|skipped| find(rest, sentence, at + skipped))
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
        let word = &words[here];
        if is_join(&word.text) {
            return true;
        }
        if !word.is(WordKind::Padding) && !word.is(WordKind::Interjection) {
            return false;
        }
    }
    true
}

/// Words that join clauses without a comma.
pub(crate) fn is_join(word: &str) -> bool {
    matches!(word, "and" | "but" | "so" | "because" | "or" | "yet" | "then" | "though" | "although")
}
