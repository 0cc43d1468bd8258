//! A line before it is said: words with placeholders, their tone, and when they fit.

use serde::{Deserialize, Deserializer, de::Error};

use crate::content::placeholders;

/// One entry of a file of lines.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineTemplate {
    pub(super) tone: String,
    /// Words with placeholders: `{you}`, `{third}`, `{topic}`, and for what a goal is about `{thing}`, `{deed}`,
    /// `{fact}`, `{clause}`. An entry whose placeholder has no value in this scene
    /// is passed over.
    #[serde(rename = "say", deserialize_with = "with_known_placeholders")]
    pub(super) text: String,
    /// All of these must hold.
    #[serde(default)]
    pub(super) only: Vec<Condition>,
    /// What must have gone wrong in this scene: keeps an excuse, a confession and a promise about the same
    /// thing.
    pub(super) cause: Option<Cause>,
}

const PLACEHOLDERS: [&str; 8] = ["you", "third", "topic", "Topic", "thing", "deed", "fact", "clause"];

fn with_known_placeholders<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if let Some(unknown) = placeholders(&text).find(|name| !PLACEHOLDERS.contains(name)) {
        return Err(D::Error::custom(format!("unknown placeholder {{{unknown}}}")));
    }
    Ok(text)
}

/// When an entry may be said, and by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Condition {
    /// The speaker's sheet says so.
    Blunt,
    Nervous,
    Warm,
    /// There are at least three in the scene.
    Crowd,
    /// There has been a clash.
    Heated,
    /// There are just two.
    Pair,
    /// The speaker is neither the one with the grievance nor the one it is about.
    Bystander,
}

/// Why things went wrong. One per scene, rolled from its seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Cause {
    /// Too much taken on.
    Overload,
    /// Waited for somebody else.
    Waiting,
    /// Thought it would be easy.
    Underrated,
}

impl Cause {
    pub(super) const ALL: [Cause; 3] = [Cause::Overload, Cause::Waiting, Cause::Underrated];
}

impl LineTemplate {
    /// How special the entry is. How many there are in the scene is nothing special.
    pub(super) fn aptness(&self) -> usize {
        let general =
            |only: &&Condition| matches!(only, Condition::Crowd | Condition::Pair | Condition::Heated);
        self.only.iter().filter(|only| !general(only)).count() + usize::from(self.cause.is_some())
    }

    /// The words with their placeholders filled, or nothing if one of them cannot be.
    pub(super) fn fill(&self, slot: impl Fn(&str) -> Option<String>) -> Option<String> {
        let mut filled = String::with_capacity(self.text.len() + 32);
        for (piece, name) in pieces(&self.text) {
            filled.push_str(piece);
            if let Some(name) = name {
                filled.push_str(&slot(name)?);
            }
        }
        Some(filled)
    }

    /// Whether a line has said this, whatever stood in the placeholders then.
    #[cfg(test)]
    pub(super) fn was_said_in(&self, spoken: &str) -> bool {
        was_said_in(&self.text, spoken)
    }
}

/// Whether a line has said a text, whatever stood in its placeholders then.
pub(super) fn was_said_in(text: &str, spoken: &str) -> bool {
    let mut rest = spoken;
    pieces(text).all(|(piece, _)| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

/// The literal pieces of a text, each with the name of the placeholder that follows it.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    text.split_inclusive('}').map(|part| match part.split_once('{') {
        Some((piece, slot)) => (piece, Some(slot.trim_end_matches('}'))),
        None => (part, None),
    })
}

/// With a capital letter, for the beginning of a sentence.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// The sentences of a text as a reader would compare them: without case and punctuation.
pub(super) fn sentences(text: &str) -> impl Iterator<Item = String> {
    text.split_inclusive(['.', '!', '?', '—'])
        .map(|sentence| {
            let words: Vec<&str> = sentence
                .split(|c: char| !c.is_alphanumeric() && c != '\'')
                .filter(|w| !w.is_empty())
                .collect();
            words.join(" ").to_lowercase()
        })
        .filter(|sentence| !sentence.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(text: &str) -> LineTemplate {
        LineTemplate { tone: "calm".to_owned(), text: text.to_owned(), only: vec![], cause: None }
    }

    #[test]
    fn slots_are_filled_or_the_entry_is_passed_over() {
        let entry = say("So, {you}: {topic}.");
        let slot = |name: &str| (name == "you").then(|| "Bob".to_owned());
        assert_eq!(entry.fill(slot), None);
        assert_eq!(entry.fill(|name| Some(name.to_uppercase())), Some("So, YOU: TOPIC.".to_owned()));
    }

    #[test]
    fn an_entry_is_recognised_whatever_stood_in_its_slots() {
        let entry = say("Listen, {you}. It is about {topic} again.");
        assert!(entry.was_said_in("Well. Listen, Bob. It is about the rent again. Sit."));
        assert!(!entry.was_said_in("Listen, Bob. It was about the rent."));
    }

    #[test]
    fn sentences_are_compared_without_case_and_punctuation() {
        let of = |text| sentences(text).collect::<Vec<_>>();
        assert_eq!(of("No. Don't — not now!"), ["no", "don't", "not now"]);
    }
}
