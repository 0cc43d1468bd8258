//! Whether what an author waits for is so.

use super::{EpisodeExchange, Finding};
use crate::{
    episode::{Episode, EpisodeCondition},
    judge::{Acts, Goal, Heard, judge},
    reply::Action,
};

/// What the user is called where the judge reads an exchange.
const USER: &str = "User";
/// How authors call the user in a condition.
const CALLED: [&str; 4] = ["the user", "the player", "the visitor", "you"];

/// Whether a condition holds after an exchange, and what shows it.
pub(in crate::episode) fn holds(
    condition: &EpisodeCondition,
    episode: &Episode,
    exchange: &EpisodeExchange<'_>,
) -> Option<Finding> {
    match condition {
        EpisodeCondition::Automatic => Some(Finding::by("automatic")),
        EpisodeCondition::Keyword(phrases) => {
            said_one(phrases, exchange.user).map(|quote| Finding::quoting("keyword", quote))
        }
        EpisodeCondition::Said(phrases) => {
            said_one(phrases, exchange.said).map(|quote| Finding::quoting("said", quote))
        }
        EpisodeCondition::Turn(turn) => (exchange.turn >= *turn).then(|| Finding::by("turn count")),
        EpisodeCondition::Flag(flag) => {
            episode.flags().contains_key(flag.as_str()).then(|| Finding::by("flag"))
        }
        EpisodeCondition::Semantic(sentence) => has_become_true(sentence, episode, exchange),
    }
}

/// The sentence of a text that holds one of these phrases, as whole words, and does not deny it.
fn said_one<'a>(phrases: &[String], text: &'a str) -> Option<&'a str> {
    let sentences = text.split_inclusive(['.', '!', '?', '\n']);
    let mut sentences = sentences.map(str::trim).filter(|sentence| !sentence.is_empty());
    sentences.find(|sentence| {
        let words = words(sentence);
        phrases.iter().any(|phrase| holds_phrase(&words, phrase))
    })
}

fn holds_phrase(words: &[String], phrase: &str) -> bool {
    let phrase = self::words(phrase);
    let at = words.windows(phrase.len().max(1)).position(|window| window == phrase.as_slice());
    at.is_some_and(|at| {
        let before = &words[at.saturating_sub(3)..at];
        !before.iter().any(|word| is_denial(word))
    })
}

fn is_denial(word: &str) -> bool {
    matches!(
        word,
        "not" | "never" | "dont" | "didnt" | "wont" | "cant" | "cannot" | "isnt" | "wouldnt" | "no"
    )
}

/// The words of a text, without marks and case.
pub(super) fn words(text: &str) -> Vec<String> {
    let plain = text.to_lowercase().replace(['\'', '’'], "");
    let words = plain.split(|next: char| !next.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// Whether a sentence about the two has become true in this exchange, as the judge of scenes reads it.
fn has_become_true(sentence: &str, episode: &Episode, exchange: &EpisodeExchange<'_>) -> Option<Finding> {
    let display = episode.setup().character.display.as_str();
    let cast = [USER, display];
    let goal = Goal::read(&with_names(sentence), &cast);
    let heard = |speaker, content, acts| Heard {
        speaker,
        content,
        tone: None,
        action: Action::Speak,
        target: None,
        cuts: None,
        acts,
    };
    let (of_user, of_character) = (Acts::of(exchange.user), Acts::of(exchange.said));
    let lines = [heard(USER, exchange.user, &of_user), heard(display, exchange.said, &of_character)];
    let verdict = judge(&[goal], &cast, &lines);
    let status = verdict.goals.into_iter().next()?;
    (status.met == Some(true)).then(|| Finding { rule: "semantic".to_owned(), quote: status.evidence })
}

/// The sentence with the name that the user has before the judge.
fn with_names(sentence: &str) -> String {
    let lower = sentence.to_lowercase();
    let called = CALLED.iter().find(|called| lower.starts_with(&format!("{called} ")));
    called.map_or_else(|| sentence.to_owned(), |called| format!("{USER}{}", &sentence[called.len()..]))
}

/// The words by which one of the two settles what was open between them.
pub(super) fn resolution(exchange: &EpisodeExchange<'_>) -> Option<String> {
    static PHRASES: std::sync::LazyLock<Vec<&str>> = std::sync::LazyLock::new(|| {
        let lines = include_str!("resolution.txt").lines();
        lines.map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
    });
    [exchange.user, exchange.said].into_iter().find_map(|text| {
        let words = words(text);
        let phrase = PHRASES.iter().find(|phrase| holds_phrase(&words, phrase))?;
        Some((*phrase).to_owned())
    })
}
