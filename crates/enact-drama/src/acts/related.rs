//! Stems of words, and which of them speak of the same matter: "rifle" and "gun", "pay" and "debt".

use std::{collections::HashMap, sync::LazyLock};

use super::{inflection::stem, is_empty_word};

/// A word as it is compared with others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WordStem {
    pub(crate) text: String,
    /// Whether it tells something of what a sentence is about.
    pub(crate) tells: bool,
    /// The lines of `related_words.txt` that it stands in.
    groups: &'static [u16],
}

impl WordStem {
    /// Of a word in lower case.
    pub(crate) fn of(word: &str) -> WordStem {
        WordStem { tells: !is_empty_word(word), ..WordStem::from(stem(word)) }
    }

    /// Whether it is a form of the same word: the same, or one the beginning of the other ("thank", "thankful").
    pub(crate) fn is_same(&self, other: &WordStem) -> bool {
        /// "cat" begins "catch" and has nothing to do with it.
        const SHORTEST: usize = 4;
        let (one, other) = (&*self.text, &*other.text);
        let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
        one == other || short.len() >= SHORTEST && long.starts_with(short)
    }

    /// Whether it speaks of the same matter in another word.
    pub(crate) fn is_related(&self, other: &WordStem) -> bool {
        self.groups.iter().any(|group| other.groups.contains(group))
    }
}

impl From<String> for WordStem {
    /// From what is a stem already.
    fn from(text: String) -> WordStem {
        let groups = GROUPS.get(&text).map_or(&[][..], |groups| groups);
        WordStem { text, tells: true, groups }
    }
}

static GROUPS: LazyLock<HashMap<String, Vec<u16>>> = LazyLock::new(|| {
    let mut groups: HashMap<String, Vec<u16>> = HashMap::new();
    let lines = include_str!("related_words.txt").lines().filter(|line| !line.starts_with('#'));
    for (group, line) in (0..).zip(lines) {
        for word in line.split(' ') {
            groups.entry(stem(word)).or_default().push(group);
        }
    }
    groups
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_matter_are_related() {
        let are_related = |one, other| WordStem::of(one).is_related(&WordStem::of(other));
        let is_same = |one, other| WordStem::of(one).is_same(&WordStem::of(other));
        assert!(are_related("rifle", "guns"));
        assert!(are_related("paid", "owed"));
        assert!(!are_related("rifle", "soup"));
        assert!(is_same("thank", "thankful"));
        assert!(!is_same("cat", "catch"));
    }
}
