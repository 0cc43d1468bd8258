//! Which language a message is in.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

use super::words::WORDS;
use crate::content::{Texts, content};

static LANGUAGES: LazyLock<BTreeMap<String, Texts>> = LazyLock::new(|| content!("languages.toml"));

/// "Dogs chase cats" has no plain word and is English; with more different words than that there is always
/// one.
const CHANCE_WORDS: usize = 4;

/// A language that is not English: one that is answered in, or any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::improviser::chorus) enum MessageLanguage {
    German,
    French,
    Spanish,
    Italian,
    Portuguese,
    Other,
}

impl MessageLanguage {
    /// By its name in `languages.toml`.
    fn named(name: &str) -> MessageLanguage {
        match name {
            "german" => MessageLanguage::German,
            "french" => MessageLanguage::French,
            "spanish" => MessageLanguage::Spanish,
            "italian" => MessageLanguage::Italian,
            "portuguese" => MessageLanguage::Portuguese,
            _ => MessageLanguage::Other,
        }
    }
}

/// The language of a message that is not English.
pub(super) fn foreign(text: &str, words: &[&str]) -> Option<MessageLanguage> {
    is_foreign(text, words).then(|| {
        let known = LANGUAGES.iter().map(|(name, list)| {
            let count = words.iter().filter(|word| list.has(word)).count();
            (count, MessageLanguage::named(name))
        });
        let (count, language) = known.max_by_key(|(count, _)| *count).unwrap_or((0, MessageLanguage::Other));
        if count > 0 { language } else { MessageLanguage::Other }
    })
}

/// Mostly other letters; or more plain words of other languages than of English; or no plain word at all in
/// more words than could be chance.
fn is_foreign(text: &str, words: &[&str]) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (ours, others): (Vec<char>, Vec<char>) = letters.partition(|c| is_latin(*c));
    let elsewhere = words.iter().filter(|word| is_elsewhere(word)).count();
    let known = words.iter().filter(|word| is_known(word) && !is_elsewhere(word)).count();
    let mut different = words.to_vec();
    different.sort_unstable();
    different.dedup();
    others.len() > ours.len() || elsewhere > known || known == 0 && different.len() >= CHANCE_WORDS
}

/// With and without accents.
fn is_latin(c: char) -> bool {
    c.is_ascii() || ('\u{c0}'..='\u{24f}').contains(&c)
}

fn is_known(word: &str) -> bool {
    [&WORDS.plain, &WORDS.asking, &WORDS.greeting, &WORDS.low, &WORDS.high, &WORDS.doing, &WORDS.wanting]
        .iter()
        .any(|list| list.has(word))
        || WORDS.contraction.iter().any(|end| word.ends_with(end.as_str()))
}

fn is_elsewhere(word: &str) -> bool {
    let elided =
        ["j'", "l'", "d'", "qu'", "c'", "n'", "dell'", "un'"].iter().any(|start| word.starts_with(start));
    elided || LANGUAGES.values().any(|words| words.has(word))
}
