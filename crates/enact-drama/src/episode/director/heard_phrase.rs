//! Phrases as `acts.toml` writes them, looked for in what was said.
//!
//! | written | finds |
//! | --- | --- |
//! | `sorry` | that word |
//! | `a\|b` | either word |
//! | `@violence` | a word of that list in `words.toml` |
//! | `so?` | the word or nothing |
//! | `..` | up to four words, none of which denies |
//! | `^` (first) | the start of a clause, words such as "well" aside |
//! | `{object}` | one of the words that the condition names, in any of its forms |

use super::sentences::{SaidSentence, SaidWord, is_one_of, words_of};

/// How many words `..` passes over.
const WIDEST_GAP: usize = 4;

/// One phrase.
#[derive(Debug)]
pub(super) struct HeardPhrase {
    fresh: bool,
    parts: Vec<HeardPart>,
}

#[derive(Debug)]
enum HeardPart {
    Word(Vec<String>),
    Optional(Vec<String>),
    Gap,
    Object,
}

impl HeardPhrase {
    pub(super) fn new(written: &str) -> HeardPhrase {
        let (fresh, written) = match written.strip_prefix("^ ") {
            Some(rest) => (true, rest),
            None => (false, written),
        };
        let words = |part: &str| -> Vec<String> {
            let alternatives = part.split('|');
            let all = |one: &str| match one.strip_prefix('@') {
                Some(list) => words_of(list),
                None => vec![one.to_owned()],
            };
            alternatives.flat_map(all).collect()
        };
        let part = |part: &str| match part {
            ".." => HeardPart::Gap,
            "{object}" => HeardPart::Object,
            _ => match part.strip_suffix('?') {
                Some(part) => HeardPart::Optional(words(part)),
                None => HeardPart::Word(words(part)),
            },
        };
        HeardPhrase { fresh, parts: written.split(' ').map(part).collect() }
    }

    /// Where it begins in a sentence.
    pub(super) fn find(&self, sentence: &SaidSentence<'_>, object: &[String]) -> Option<usize> {
        (0..sentence.words.len()).find(|at| {
            (!self.fresh || is_fresh(sentence, *at)) && fits(&self.parts, &sentence.words[*at..], object)
        })
    }
}

fn is_fresh(sentence: &SaidSentence<'_>, at: usize) -> bool {
    let from = sentence.clause_of(at);
    sentence.words[from..at].iter().all(|word| is_one_of("fillers", &word.text))
}

fn fits(parts: &[HeardPart], words: &[SaidWord], object: &[String]) -> bool {
    let Some((part, rest)) = parts.split_first() else { return true };
    let first_is = |wanted: &[String]| words.first().is_some_and(|word| wanted.contains(&word.text));
    match part {
        HeardPart::Word(wanted) => first_is(wanted) && fits(rest, &words[1..], object),
        HeardPart::Optional(wanted) => {
            first_is(wanted) && fits(rest, &words[1..], object) || fits(rest, words, object)
        }
        HeardPart::Object => {
            let named = words.first().is_some_and(|word| object.iter().any(|one| is_same(one, &word.text)));
            named && fits(rest, &words[1..], object)
        }
        HeardPart::Gap => {
            let allowed = words.iter().take(WIDEST_GAP).take_while(|word| !is_one_of("denials", &word.text));
            (0..=allowed.count()).any(|skipped| fits(rest, &words[skipped..], object))
        }
    }
}

/// Words of which so many letters are the same come from one: operate, operation.
const LEAST_ROOT_BYTES: usize = 6;

/// Whether two words are forms of one: stay, stays, staying, stayed.
pub(super) fn is_same(one: &str, two: &str) -> bool {
    if one.get(..LEAST_ROOT_BYTES).is_some_and(|root| two.starts_with(root)) {
        return true;
    }
    fn stem(word: &str) -> &str {
        let cut = ["ing", "ed", "es", "s"].iter().find_map(|end| word.strip_suffix(end));
        let cut = cut.filter(|stem| stem.len() >= 3).unwrap_or(word);
        cut.strip_suffix('e').filter(|stem| stem.len() >= 3).unwrap_or(cut)
    }
    one == two || stem(one) == stem(two)
}
