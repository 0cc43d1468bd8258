//! What an act is about: the words of a clause that tell something.

use std::{collections::HashSet, sync::LazyLock};

use super::{ActKind, NamedBy, TABLES, inflection::stem};
use crate::english::{name_letters::same_name, words::Word};

/// The words on what an act is about: those after it and, of a passive, those before it too.
pub(super) fn content_of<'t>(
    words: &[Word<'t>],
    from: usize,
    to: usize,
    act: ActKind,
    both: bool,
) -> Vec<Word<'t>> {
    let before = if both { &words[..from] } else { &[] };
    // "takes the prize" is about the prize; "says sorry" is not about sorrow.
    let names_thing = matches!(act.name(), "accept" | "take" | "quit" | "hire");
    let within = &words
        [(from + 1).min(to)..if names_thing { to } else { to.saturating_sub(1).max((from + 1).min(to)) }];
    before.iter().chain(within).chain(&words[to..]).cloned().collect()
}

/// The stems of the words that tell something: no names of the cast, no words that every sentence has.
pub(super) fn telling(words: &[Word<'_>], cast: &[&str]) -> Vec<String> {
    let is_name = |word: &str| {
        cast.iter()
            .any(|name| name.split_whitespace().any(|part| same_name(part.trim_end_matches("'s"), word)))
    };
    let mut stems: Vec<String> = Vec::new();
    for word in words {
        let text = &*word.text;
        if text.chars().count() < 3 || EMPTY_WORDS.contains(&text) || is_name(text) {
            continue;
        }
        // "accepts the apology" is about an act, which the answer need not name again.
        let names_act =
            TABLES.namings.at(std::slice::from_ref(word), 0, 0).any(|found| found.means.by == NamedBy::Noun);
        let stem = stem(text);
        if !names_act && !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems
}

static EMPTY_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    include_str!("empty_words.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| line.split(' '))
        .collect()
});

/// Whether a word tells nothing of what a sentence is about.
pub(crate) fn is_empty_word(word: &str) -> bool {
    word.chars().count() < 3 || EMPTY_WORDS.contains(word)
}
