//! Whether a message is nothing to joke about.
//!
//! Rules cannot know. They look for words and phrases, and where they are wrong they are wrong on the gentle side: who spoke of a
//! dead battery can bear a kind answer, and who lost somebody cannot bear a joke.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::content::{Texts, content};

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| content!("distress.toml"));

/// What is looked for; `distress.toml` says what each list is for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Phrases {
    crisis: Texts,
    crisis_elsewhere: Texts,
    happened: Texts,
    hard: Texts,
    ones_own: Texts,
    idiom: Texts,
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hardship {
    /// Somebody may be in danger: from themselves or from others.
    Crisis,
    /// Somebody is struck by death, illness or violence.
    Grief,
    /// These are spoken of.
    Grave,
}

/// What a message speaks of, by its words in lower case.
pub(super) fn hardship(words: &[&str], is_question: bool) -> Option<Hardship> {
    let mut text = words.join(" ").replace('-', " ");
    if holds_one_of(&text, &PHRASES.crisis) || holds_one_of(&text, &PHRASES.crisis_elsewhere) {
        return Some(Hardship::Crisis);
    }
    for idiom in PHRASES.idiom.iter() {
        if holds(&text, idiom) {
            text = text.replace(idiom, "");
        }
    }
    let struck = holds_one_of(&text, &PHRASES.ones_own);
    match (holds_one_of(&text, &PHRASES.happened), holds_one_of(&text, &PHRASES.hard)) {
        // "When did Caesar die" is a question; "my mother died" is none, and neither is "grandma died".
        (true, _) if struck || !is_question => Some(Hardship::Grief),
        (_, true) if struck => Some(Hardship::Grief),
        (true, _) | (_, true) => Some(Hardship::Grave),
        (false, false) => None,
    }
}

pub(super) fn holds_one_of(text: &str, phrases: &[String]) -> bool {
    phrases.iter().any(|phrase| holds(text, phrase))
}

/// Whether a phrase stands in a text as whole words.
pub(super) fn holds(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
    })
}
