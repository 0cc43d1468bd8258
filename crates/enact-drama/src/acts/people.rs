//! Who is meant: names, parts of names, and words like "the landlord".
//!
//! An ambiguous word stays ambiguous: one that fits no name stands for every character the goal does not name
//! otherwise, and any of them is enough.

use std::{collections::HashSet, sync::LazyLock};

use super::inflection::stem;
use crate::english::{word_lists::entries, words::Word};

/// How many of several people have to do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    All,
    /// One of them is enough: "someone", or it is not known who is meant.
    Any,
}

/// People named at a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    /// Indices into the cast; empty for a word that fits no member.
    pub(super) who: Vec<usize>,
    pub(super) group: Group,
    pub(super) words: usize,
}

struct PeopleWords {
    everybody: HashSet<&'static str>,
    somebody: HashSet<&'static str>,
    leads: HashSet<&'static str>,
    kinds: HashSet<&'static str>,
}

static WORDS: LazyLock<PeopleWords> = LazyLock::new(|| {
    let list = |name: &str| {
        let lines = entries(include_str!("people.txt")).filter(|(list, _)| *list == name);
        lines.flat_map(|(_, line)| line.split(' ')).collect::<HashSet<_>>()
    };
    PeopleWords {
        everybody: list("everybody"),
        somebody: list("somebody"),
        leads: list("nobody in particular"),
        kinds: list("kinds of people"),
    }
});

/// "her poor old uncle": so many words may stand between an article and who is meant.
const LONGEST_LEAD: usize = 3;

/// The people named from a word on.
pub(super) fn at(words: &[Word<'_>], at: usize, cast: &[&str]) -> Option<Mention> {
    let word = &*words.get(at)?.text;
    if let Some((who, len)) = by_name(words, at, cast) {
        return Some(Mention { who: vec![who], group: Group::All, words: len });
    }
    if WORDS.somebody.contains(word) {
        // "one of the two scientists".
        let of = words.get(at + 1).is_some_and(|next| next.text == "of");
        let rest = if of { self::at(words, at + 2, cast) } else { None };
        let (who, len) =
            rest.map_or_else(|| ((0..cast.len()).collect(), 1), |rest| (rest.who, rest.words + 2));
        return Some(Mention { who, group: Group::Any, words: len });
    }
    if !WORDS.leads.contains(word) {
        return group(words, at, cast);
    }
    (1..=LONGEST_LEAD).take_while(|ahead| words.get(at + ahead).is_some_and(|word| !word.opens)).find_map(
        |ahead| {
            let mut found = by_name(words, at + ahead, cast)
                .map(|(who, len)| Mention { who: vec![who], group: Group::All, words: len })
                .or_else(|| group(words, at + ahead, cast))
                .or_else(|| kind(words, at + ahead, cast))?;
            // "his wife's brother": the last one is meant.
            while let Some(next) = owned(words, at + ahead + found.words, cast) {
                found = Mention { words: found.words + 1 + next.words, ..next };
            }
            found.words += ahead;
            Some(found)
        },
    )
}

fn owned(words: &[Word<'_>], at: usize, cast: &[&str]) -> Option<Mention> {
    let owns = words.get(at).is_some_and(|word| word.text == "'s");
    let after = |at| group(words, at, cast).or_else(|| kind(words, at, cast));
    if owns { after(at + 1) } else { None }
}

/// "the two sisters", "jurors": everybody, or those whose names hold the word.
fn group(words: &[Word<'_>], at: usize, cast: &[&str]) -> Option<Mention> {
    let word = &*words.get(at)?.text;
    let titled = by_title(word, cast);
    let plural = word.ends_with('s') && stem(word) != word;
    if plural && titled.len() > 1 {
        return Some(Mention { who: titled, group: Group::All, words: 1 });
    }
    if !WORDS.everybody.contains(word) {
        return None;
    }
    // "the two prisoners", "all of them".
    let more = words[at + 1..]
        .iter()
        .take(3)
        .take_while(|word| {
            matches!(&*word.text, "of" | "them" | "us" | "other")
                || WORDS.everybody.contains(&*word.text)
                || WORDS.kinds.contains(&*word.text)
                || WORDS.kinds.contains(word.text.trim_end_matches('s'))
        })
        .count();
    Some(Mention { who: (0..cast.len()).collect(), group: Group::All, words: 1 + more })
}

/// "the landlord", where no name says who that is.
fn kind(words: &[Word<'_>], at: usize, cast: &[&str]) -> Option<Mention> {
    let word = &*words.get(at)?.text;
    let known = WORDS.kinds.contains(word) || WORDS.kinds.contains(word.trim_end_matches('s'));
    // A character named by another role is not meant: "the poet" is not The Editor.
    let otherwise = |name: &&str| {
        name.split_whitespace().any(|part| part == "The" || WORDS.kinds.contains(&*part.to_lowercase()))
    };
    let left: Vec<usize> = (0..cast.len()).filter(|who| !otherwise(&cast[*who])).collect();
    let who = if left.len() < cast.len() { left } else { Vec::new() };
    known.then_some(Mention { who, group: Group::Any, words: 1 })
}

/// A member of the cast by the whole name or any part of it that no other member has.
fn by_name(words: &[Word<'_>], at: usize, cast: &[&str]) -> Option<(usize, usize)> {
    let parts = |name: &str| -> Vec<String> {
        name.split(|c: char| c.is_whitespace() || c == '.')
            .filter(|part| !part.is_empty())
            .map(|part| part.to_lowercase().replace("'s", ""))
            .collect()
    };
    let here = |ahead: usize| words.get(at + ahead).map(|word| &*word.text);
    let mut best: Option<(usize, usize)> = None;
    for (who, name) in cast.iter().enumerate() {
        let parts = parts(name);
        let longest = (0..parts.len())
            .map(|from| {
                // "the gatekeeper's daughter" is read as four words.
                let mut ahead = 0;
                let mut named = 0;
                for part in &parts[from..] {
                    if here(ahead) == Some("'s") {
                        ahead += 1;
                    }
                    if here(ahead) != Some(part.as_str()) {
                        break;
                    }
                    named += usize::from(!is_empty_title(part));
                    ahead += 1;
                }
                if named > 0 { ahead } else { 0 }
            })
            .max()
            .unwrap_or(0);
        if longest > best.map_or(0, |(_, len)| len) {
            best = Some((who, longest));
        }
    }
    let (_, len) = best?;
    // "Juror" alone could be any of three.
    let as_long = |name: &&&str| by_name_len(&parts(name), words, at) == len;
    (cast.iter().filter(as_long).count() == 1 || len > 1).then_some(best).flatten()
}

fn by_name_len(parts: &[String], words: &[Word<'_>], at: usize) -> usize {
    (0..parts.len())
        .map(|from| {
            parts[from..].iter().zip(&words[at..]).take_while(|(part, word)| **part == *word.text).count()
        })
        .max()
        .unwrap_or(0)
}

fn by_title(word: &str, cast: &[&str]) -> Vec<usize> {
    let has = |name: &&str| name.split_whitespace().any(|part| stem(&part.to_lowercase()) == stem(word));
    (0..cast.len()).filter(|who| has(&cast[*who])).collect()
}

/// Titles, which are no name alone.
fn is_empty_title(part: &str) -> bool {
    matches!(
        part,
        "the"
            | "of"
            | "mr"
            | "mrs"
            | "ms"
            | "miss"
            | "dr"
            | "sir"
            | "st"
            | "old"
            | "young"
            | "little"
            | "big"
            | "his"
            | "her"
            | "de"
            | "van"
            | "von"
            | "and"
    )
}
