//! How like a message is to those of people in danger. Words, pairs of words, signs and what the lists of
//! phrases found have weights, which `scripts/train-danger` learns from the sentences in `corpus/danger`.
//!
//! Lists of phrases know what their writers thought of. The weights also know what is usually said beside
//! it, and in which company the same words are harmless.

use std::{collections::HashMap, sync::LazyLock};

/// What a message has, and how much it tells.
static WEIGHTS: LazyLock<HashMap<&'static str, f32>> =
    LazyLock::new(|| TABLES.iter().flat_map(|table| table.lines()).filter_map(weight).collect());

/// The weights of words, and those of everything else.
const TABLES: [&str; 2] = [include_str!("danger_words.tsv"), include_str!("danger_weights.tsv")];

/// Where a message begins and ends, in pairs of words.
const EDGE: &str = "^";
/// With fewer words that have a weight, a message is in another language, and the score tells nothing.
const LEAST_KNOWN: f32 = 0.5;
/// With fewer, it may be.
const SURELY_KNOWN: f32 = 0.75;

/// Below zero, and above this, a message is met soberly though no help is named: neither joked about nor
/// cheered.
const MIDDLE: f32 = -0.8;
/// Below this, what the lists of phrases found is a manner of speaking.
const LOW: f32 = -0.3;
/// The same of phrases that speak of danger to life.
const VERY_LOW: f32 = -0.75;

/// The score of a message: at least zero, and help is named.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DangerScore {
    score: f32,
    /// Whether nearly all words were known: what was said in another language is not made harmless.
    is_sure: bool,
}

impl DangerScore {
    /// By the words as they are meant, the signs among them, and what the lists of phrases found. None if too
    /// few words are known.
    pub(super) fn of(words: &[String], signs: &[&str], found: Option<&str>) -> Option<DangerScore> {
        let known = words.iter().filter(|word| WEIGHTS.contains_key(word.as_str())).count();
        if (known as f32) < LEAST_KNOWN * words.len() as f32 || words.is_empty() {
            return None;
        }
        let features = features(words, signs, found);
        let sum: f32 = features.iter().filter_map(|feature| WEIGHTS.get(feature.as_str())).sum();
        let bias = WEIGHTS.get("(bias)").copied().unwrap_or_default();
        let is_sure = known as f32 >= SURELY_KNOWN * words.len() as f32;
        Some(DangerScore { score: bias + sum / (words.len() as f32).sqrt(), is_sure })
    }

    /// The graver of two.
    pub(super) fn max(self, other: DangerScore) -> DangerScore {
        if other.score > self.score { other } else { self }
    }

    /// Whether somebody may be in danger though no phrase says so.
    pub(super) fn is_high(self) -> bool {
        self.score >= 0.0
    }

    /// Whether it is too near to danger for a joke or a cheer.
    pub(super) fn is_middling(self) -> bool {
        self.score >= MIDDLE
    }

    /// Whether what the lists of phrases found is a manner of speaking.
    pub(super) fn is_harmless(self, was_urgent: bool) -> bool {
        self.is_sure && self.score < if was_urgent { VERY_LOW } else { LOW }
    }
}

/// What is looked up of a message, each once: its words, its pairs of neighbours, its signs, what was found.
fn features(words: &[String], signs: &[&str], found: Option<&str>) -> Vec<String> {
    let edge = EDGE.to_owned();
    let edged: Vec<&String> = [&edge].into_iter().chain(words).chain([&edge]).collect();
    let pairs = edged.windows(2).map(|pair| format!("{} {}", pair[0], pair[1]));
    let mut features: Vec<String> = words.iter().cloned().chain(pairs).collect();
    features.extend(signs.iter().map(|sign| format!("<{sign}>")));
    features.extend(found.map(|found| format!("={found}")));
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
