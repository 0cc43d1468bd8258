//! Signs that are grave only together: `<took> & <symptom>` is both of them, in any order, near each other.
//!
//! Nobody can list how people speak of danger. What they speak of can be listed: a body, a substance, a
//! symptom, a locked door. Each of them is harmless by itself and seldom is beside the other.

use std::{
    collections::{BTreeMap, HashSet},
    ops::Range,
};

use super::phrases::{Groups, PhraseList};

/// How many words the signs may be spread over: about as many as a sentence has.
const SPAN: usize = 18;
/// What stands between signs.
const BESIDE: &str = " & ";

/// Combinations of signs, each with what it means; those that stand first are found first.
#[derive(Debug)]
pub(super) struct Combinations<T> {
    /// Every sign once, by its number.
    signs: PhraseList<usize>,
    all: Vec<(Vec<usize>, T)>,
}

impl<T: Copy> Combinations<T> {
    /// # Panics
    ///
    /// With the sign, as [`PhraseList::new`] does.
    pub(super) fn new<'a>(texts: impl Iterator<Item = (&'a String, T)>, groups: &Groups) -> Combinations<T> {
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        let mut signs: Vec<String> = Vec::new();
        let mut number = |sign: &str| {
            *numbers.entry(sign.to_owned()).or_insert_with(|| {
                signs.push(sign.to_owned());
                signs.len() - 1
            })
        };
        let all = texts.map(|(text, meaning)| (text.split(BESIDE).map(&mut number).collect(), meaning));
        let all = all.collect();
        Combinations { signs: PhraseList::new(signs.iter().zip(0..), groups), all }
    }

    /// All words that stand in the signs.
    pub(super) fn words(&self) -> &HashSet<String> {
        self.signs.words()
    }

    /// What the first of the combinations means that a message has.
    pub(super) fn find(&self, words: &[String]) -> Option<T> {
        let found: Vec<(usize, Range<usize>)> = self.signs.found(words).collect();
        let holds = |signs: &Vec<usize>| are_near(signs, &mut Vec::new(), &found);
        self.all.iter().find(|(signs, _)| holds(signs)).map(|(_, meaning)| *meaning)
    }
}

/// Whether each sign is found at words of its own, and all of them near each other.
fn are_near(signs: &[usize], taken: &mut Vec<Range<usize>>, found: &[(usize, Range<usize>)]) -> bool {
    let Some((sign, others)) = signs.split_first() else {
        let begin = taken.iter().map(|range| range.start).min().unwrap_or_default();
        let end = taken.iter().map(|range| range.end).max().unwrap_or_default();
        return end - begin <= SPAN;
    };
    found.iter().filter(|(number, _)| number == sign).any(|(_, range)| {
        if taken.iter().any(|other| other.start < range.end && range.start < other.end) {
            return false;
        }
        taken.push(range.clone());
        let near = are_near(others, taken, found);
        taken.pop();
        near
    })
}

#[cfg(test)]
mod tests;
