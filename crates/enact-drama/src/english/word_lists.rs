//! Texts of phrases and words that the judge goes by: a name, and indented below it what belongs to it.

use std::sync::LazyLock;

use serde::de::{DeserializeOwned, IntoDeserializer, value::Error};

use super::phrase::Phrases;

/// Words that have something in common.
pub(crate) type WordList = LazyLock<Vec<&'static str>>;

/// One of the lists in `word_lists.txt`.
///
/// # Panics
/// If there is no such list.
pub(crate) fn word_list(name: &str) -> Vec<&'static str> {
    let lines = entries(include_str!("word_lists.txt")).filter(|(list, _)| *list == name);
    let words: Vec<&str> = lines.flat_map(|(_, line)| line.split(' ')).collect();
    assert!(!words.is_empty(), "there is no list '{name}' in word_lists.txt");
    words
}

/// The phrases of a text, each with the meaning that the name above it has.
pub(crate) fn phrases<T: DeserializeOwned + Copy>(text: &'static str) -> Phrases<T> {
    Phrases::new(entries(text).map(|(name, phrase)| (phrase, meaning(name))))
}

/// # Panics
/// If nothing is called that.
pub(crate) fn meaning<T: DeserializeOwned>(name: &str) -> T {
    let read: Result<T, Error> = T::deserialize(name.into_deserializer());
    read.expect("a text of phrases names what they mean")
}

/// The indented lines of a text, each with the name that it stands below. Lines that begin with `#` are for
/// people.
pub(crate) fn entries(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut name = "";
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).filter_map(move |line| {
        let entry = line.strip_prefix("    ");
        if entry.is_none() {
            name = line;
        }
        Some((name, entry?))
    })
}
