//! Who is meant: names, parts of names, and words like "the landlord".
//!
//! An ambiguous word stays ambiguous: one that fits no name stands for every character the goal does not name
//! otherwise, and any of them is enough.

use std::{collections::HashSet, sync::LazyLock};

use super::inflection::stem;
use crate::english::{name_letters::name_len, word_lists::entries, words::Word};

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
    let known = is_kind(word);
    // A character named by another role is not meant: "the poet" is not The Editor.
    let otherwise = |name: &&str| {
        name.split_whitespace().any(|part| part == "The" || WORDS.kinds.contains(&*part.to_lowercase()))
    };
    let left: Vec<usize> = (0..cast.len()).filter(|who| !otherwise(&cast[*who])).collect();
    let who = if left.len() < cast.len() { left } else { Vec::new() };
    known.then_some(Mention { who, group: Group::Any, words: 1 })
}

/// Whether a word says what somebody is, and not who: "mother", "landlords".
pub(super) fn is_kind(word: &str) -> bool {
    WORDS.kinds.contains(word) || WORDS.kinds.contains(word.trim_end_matches('s'))
}

/// A member of the cast by the whole name or any part of it that no other member has.
pub(super) fn by_name(words: &[Word<'_>], at: usize, cast: &[&str]) -> Option<(usize, usize)> {
    let here = words.get(at..)?;
    let lens: Vec<usize> = cast.iter().map(|name| longest_part(name, here)).collect();
    let len = lens.iter().copied().max().filter(|len| *len > 0)?;
    let who = lens.iter().position(|other| *other == len)?;
    // "Juror" alone could be any of three.
    let alone = lens.iter().filter(|other| **other == len).count() == 1;
    (alone || len > 1).then_some((who, len))
}

/// Whether a text begins with a name of the cast, or with a part of one.
pub(super) fn is_part_of_name(words: &[Word<'_>], cast: &[&str]) -> bool {
    cast.iter().any(|name| longest_part(name, words) > 0)
}

/// By how many words a text begins with a name, or with a part of it that is more than a title.
fn longest_part(name: &str, words: &[Word<'_>]) -> usize {
    let is_between = |c: char| c.is_whitespace() || c == '.';
    let parts: Vec<&str> = name.split(is_between).filter(|part| !part.is_empty()).collect();
    let runs = (0..parts.len()).flat_map(|from| (from + 1..=parts.len()).map(move |to| (from, to)));
    let named =
        runs.map(|(from, to)| &parts[from..to]).filter(|run| !run.iter().all(|part| is_empty_title(part)));
    named.filter_map(|run| name_len(run, words)).max().unwrap_or(0)
}

fn by_title(word: &str, cast: &[&str]) -> Vec<usize> {
    let has = |name: &&str| name.split_whitespace().any(|part| stem(&part.to_lowercase()) == stem(word));
    (0..cast.len()).filter(|who| has(&cast[*who])).collect()
}

/// Titles, which are no name alone.
fn is_empty_title(part: &str) -> bool {
    matches!(
        &*part.to_lowercase(),
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
