//! How like a message is to those of people in danger. Words, pairs of words and signs have weights, which
//! `scripts/train-danger` learns from the sentences in `corpus/danger`.
//!
//! Lists of phrases know what their writers thought of. The weights also know what is usually said beside
//! it, and in which company the same words are harmless.

use std::{collections::HashMap, sync::LazyLock};

/// What a message has, and how much it tells.
static WEIGHTS: LazyLock<HashMap<&'static str, f32>> =
    LazyLock::new(|| include_str!("danger_weights.tsv").lines().filter_map(weight).collect());

/// Where a message begins and ends, in pairs of words.
const EDGE: &str = "^";
/// With fewer words that have a weight, a message is in another language, and the score tells nothing.
const LEAST_KNOWN: f32 = 0.5;

/// Below zero, and above this, a message is met soberly though no help is named.
const MIDDLE: f32 = -0.8;
/// From here on, words of joy are no good news.
const CLEAR: f32 = 0.8;

/// The score of a message: at least zero, and help is named.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DangerScore(f32);

impl DangerScore {
    /// By the words as they are meant, and the signs among them. None if too few words are known.
    pub(super) fn of(words: &[String], signs: &[&str]) -> Option<DangerScore> {
        let known = words.iter().filter(|word| WEIGHTS.contains_key(word.as_str())).count();
        if (known as f32) < LEAST_KNOWN * words.len() as f32 || words.is_empty() {
            return None;
        }
        let features = features(words, signs);
        let sum: f32 = features.iter().filter_map(|feature| WEIGHTS.get(feature.as_str())).sum();
        Some(DangerScore(
            WEIGHTS.get("(bias)").copied().unwrap_or_default() + sum / (words.len() as f32).sqrt(),
        ))
    }

    /// Whether somebody may be in danger though no phrase says so.
    pub(super) fn is_high(self) -> bool {
        self.0 >= 0.0
    }

    /// Whether it is so high that nothing in the message is cheered.
    pub(super) fn is_clear(self) -> bool {
        self.0 >= CLEAR
    }

    /// Whether it is too near to danger for a joke.
    pub(super) fn is_middling(self) -> bool {
        self.0 >= MIDDLE
    }
}

/// What is looked up of a message, each once: its words, its pairs of neighbours, its signs.
fn features(words: &[String], signs: &[&str]) -> Vec<String> {
    let edge = EDGE.to_owned();
    let edged: Vec<&String> = [&edge].into_iter().chain(words).chain([&edge]).collect();
    let pairs = edged.windows(2).map(|pair| format!("{} {}", pair[0], pair[1]));
    let mut features: Vec<String> = words.iter().cloned().chain(pairs).collect();
    features.extend(signs.iter().map(|sign| format!("<{sign}>")));
    features.sort_unstable();
    features.dedup();
    features
}

/// A line of the table: a feature, a tab and its weight.
fn weight(line: &str) -> Option<(&str, f32)> {
    let (feature, weight) = line.split_once('\t')?;
    Some((feature, weight.parse().ok()?))
}

#[cfg(test)]
mod tests;
