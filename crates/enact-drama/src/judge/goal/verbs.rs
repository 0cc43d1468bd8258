//! What authors call the acts.

use std::sync::LazyLock;

use super::Act;
use crate::judge::{
    phrase::{Found, Phrases},
    word_lists::{entries, meaning},
    words::Word,
};

/// The first act named in a clause. Only the present and the infinitive count: what happened before the scene
/// ("Bob missed the deadline and apologized") is background.
pub(super) fn find(words: &[Word<'_>]) -> Option<Found<Act>> {
    let mut at = 0;
    while at < words.len() {
        match named_at(words, at) {
            Some(Found { means: Some(means), from, to }) => return Some(Found { from, to, means }),
            Some(idiom) => at = idiom.to,
            None => at += 1,
        }
    }
    None
}

/// The act named at one word.
pub(super) fn at_word(words: &[Word<'_>], at: usize) -> Option<Found<Act>> {
    let Found { from, to, means } = named_at(words, at)?;
    Some(Found { from, to, means: means? })
}

fn named_at(words: &[Word<'_>], at: usize) -> Option<Found<Option<Act>>> {
    // "his promise", "the question" and "an ask" are things, not deeds.
    let is_noun = at.checked_sub(1).is_some_and(|before| DETERMINERS.contains(&&*words[before].text));
    if is_noun { None } else { VERBS.at(words, at, 0).next() }
}

/// Whether a verb's form goes with several doers, or with an order to them: "agree", not "agrees".
pub(super) fn is_plural(verb: &str) -> bool {
    !verb.ends_with('s') || verb.ends_with("ss")
}

pub(super) const DETERMINERS: [&str; 14] =
    ["a", "an", "the", "his", "her", "their", "its", "my", "your", "our", "this", "that", "any", "'s"];

static VERBS: LazyLock<Phrases<Option<Act>>> = LazyLock::new(|| {
    let act = |name| (name != IDIOM).then(|| meaning(name));
    Phrases::new(entries(include_str!("verbs.txt")).map(|(name, phrase)| (phrase, act(name))))
});

/// What holds the verb of an act and is none.
const IDIOM: &str = "idiom";
