//! What can be counted of a finished scene without reading it: how far it came, and how its lines are worded.
//!
//! A table of many runs (`enact run --seeds 1..20`) is made of these.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Line, SceneEnd, report::SceneReport};
use crate::{Name, RunId};

/// Common words, which do not count as words of a scene's own.
const COMMON: &str = include_str!("run_figures/common_words.txt");

/// Shorter sentences may come again: "No." and "All right, then."
const SHORTEST_SENTENCE: usize = 4;

/// Shorter words are hardly ever what a scene is about.
const SHORTEST_WORD: usize = 4;

/// One run in figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunFigures {
    pub scene: Name,
    pub seed: u64,
    pub run_id: RunId,
    /// Nothing while the run has no end.
    pub reason: Option<SceneEnd>,
    pub goals_met: usize,
    pub goals: usize,
    pub beats: u32,
    /// Lines in which something is said.
    pub lines: usize,
    /// Sentences that were said before, by whomever.
    pub repeats: usize,
    /// How many lines hold a word of the scene's own situation, setting or goals, from 0 to 1.
    pub own_words: f64,
    /// How little the words of any two speakers have in common, from 0 (the same words equally often) to 1.
    /// Nothing where fewer than two have spoken.
    pub distinctness: Option<f64>,
}

impl RunFigures {
    pub fn of(story: &SceneReport) -> RunFigures {
        let setup = &story.setup;
        let spoken: Vec<&Line> = story.lines.iter().filter(|line| line.spoken().is_some()).collect();
        let goals = story.verdict.as_ref().map_or(&[][..], |verdict| verdict.goals.as_slice());
        RunFigures {
            scene: setup.name.clone(),
            seed: setup.seed,
            run_id: setup.run,
            reason: story.ended,
            goals_met: goals.iter().filter(|goal| goal.met == Some(true)).count(),
            goals: setup.goals.len(),
            beats: story.beats,
            lines: spoken.len(),
            repeats: repeats(&spoken),
            own_words: own_words(story, &spoken),
            distinctness: distinctness(&spoken),
        }
    }
}

fn repeats(spoken: &[&Line]) -> usize {
    let mut heard = BTreeSet::new();
    let sentences = spoken.iter().flat_map(|line| line.heard().split(['.', '!', '?', '…']));
    let long = sentences.map(|sentence| words(sentence).collect::<Vec<_>>());
    let long = long.filter(|words| words.len() >= SHORTEST_SENTENCE);
    long.filter(|words| !heard.insert(words.clone())).count()
}

fn own_words(story: &SceneReport, spoken: &[&Line]) -> f64 {
    if spoken.is_empty() {
        return 0.0;
    }
    let setup = &story.setup;
    // Names do not count as words about the scene.
    let names: BTreeSet<String> =
        setup.cast.iter().flat_map(|role| words(&role.display).collect::<Vec<_>>()).collect();
    let common: BTreeSet<&str> = COMMON.split_whitespace().collect();
    let is_own = |word: &String| {
        word.chars().count() >= SHORTEST_WORD && !names.contains(word) && !common.contains(word.as_str())
    };
    let texts = [Some(&setup.config.prompt), setup.config.setting.as_ref()].into_iter().flatten();
    let texts = texts.chain(&setup.goals);
    let own: BTreeSet<String> = texts
        .flat_map(|text| words(text).collect::<Vec<_>>())
        .filter(is_own)
        .map(|word| stem(&word))
        .collect();
    let names_any = |line: &&&Line| words(line.heard()).any(|word| own.contains(&stem(&word)));
    spoken.iter().filter(names_any).count() as f64 / spoken.len() as f64
}

/// One less how alike two speakers word what they say, in the middle over all pairs: the cosine of the angle
/// between how often each uses which word.
fn distinctness(spoken: &[&Line]) -> Option<f64> {
    let mut by_speaker: BTreeMap<&Name, BTreeMap<String, f64>> = BTreeMap::new();
    for line in spoken {
        let Some((who, _)) = line.actor() else { continue };
        let counts = by_speaker.entry(who).or_default();
        words(line.heard()).for_each(|word| *counts.entry(word).or_default() += 1.0);
    }
    let counts: Vec<&BTreeMap<String, f64>> = by_speaker.values().filter(|words| !words.is_empty()).collect();
    let pairs = (0..counts.len()).flat_map(|one| (one + 1..counts.len()).map(move |other| (one, other)));
    let apart: Vec<f64> = pairs.map(|(one, other)| 1.0 - cosine(counts[one], counts[other])).collect();
    (!apart.is_empty()).then(|| apart.iter().sum::<f64>() / apart.len() as f64)
}

fn cosine(one: &BTreeMap<String, f64>, other: &BTreeMap<String, f64>) -> f64 {
    let product: f64 = one.iter().filter_map(|(word, count)| Some(count * other.get(word)?)).sum();
    let length =
        |counts: &BTreeMap<String, f64>| counts.values().map(|count| count * count).sum::<f64>().sqrt();
    product / (length(one) * length(other))
}

/// The words of a text in lower case. Apostrophes belong to them.
fn words(text: &str) -> impl Iterator<Item = String> {
    let split = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    let trimmed = split.map(|word| word.trim_matches(['\'', '’']));
    trimmed.filter(|word| !word.is_empty()).map(|word| word.to_lowercase().replace('’', "'"))
}

/// A word without its most usual endings, so that "boats" is the boat's.
fn stem(word: &str) -> String {
    let word = word.trim_end_matches("'s");
    let endings = ["ing", "ed", "es", "s"];
    let shorter = endings.iter().find_map(|ending| {
        word.strip_suffix(ending).filter(|rest| rest.chars().count() >= SHORTEST_WORD - 1)
    });
    shorter.unwrap_or(word).trim_end_matches('e').to_owned()
}

#[cfg(test)]
mod tests;
