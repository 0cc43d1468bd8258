//! Whether somebody commits themselves or evades, and how others take it: a linear model that knows no act.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    act_model,
    sentences::LinePart,
    word_vectors::{self, DIMENSIONS},
};

/// How a line sounds: of itself, and as the answer to the line before it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tone {
    pub(super) own: f32,
    pub(super) answer: f32,
}

struct ToneModel {
    words: HashMap<&'static str, Tone>,
    of_vectors: [Tone; DIMENSIONS],
}

static MODEL: LazyLock<ToneModel> = LazyLock::new(|| {
    let mut model = ToneModel { words: HashMap::new(), of_vectors: [Tone::default(); DIMENSIONS] };
    for row in include_str!("tone_weights.tsv").lines().filter(|row| !row.starts_with('#')) {
        let mut columns = row.split('\t');
        let feature = columns.next().unwrap_or_default();
        let mut weight = || columns.next().and_then(|column| column.parse().ok()).unwrap_or(0.0);
        let tone = Tone { own: weight(), answer: weight() };
        let place = feature
            .strip_prefix("(vector ")
            .and_then(|rest| rest.trim_end_matches(')').parse::<usize>().ok());
        match place.and_then(|place| model.of_vectors.get_mut(place)) {
            Some(vector) => *vector = tone,
            None => {
                model.words.insert(feature, tone);
            }
        }
    }
    model
});

/// Gathered over all sentences of a line, so that long lines do not sound louder.
pub(super) fn tone(parts: &[LinePart<'_>]) -> Tone {
    let model = &*MODEL;
    let mut tone = Tone::default();
    let features = features(parts);
    let root = (features.len().max(1) as f32).sqrt();
    for weight in features.iter().filter_map(|feature| model.words.get(feature.as_str())) {
        tone.own += weight.own / root;
        tone.answer += weight.answer / root;
    }
    // Each word once, as it was learnt.
    let words: Vec<&str> = features.iter().map(String::as_str).filter(|f| !f.contains([' ', '('])).collect();
    let root = (words.len().max(1) as f32).sqrt();
    for (value, weight) in word_vectors::sum(words.iter().copied()).iter().zip(&model.of_vectors) {
        tone.own += value * weight.own / root;
        tone.answer += value * weight.answer / root;
    }
    tone
}

/// What the model knows a line by: each feature of its sentences once.
pub(super) fn features(parts: &[LinePart<'_>]) -> Vec<String> {
    let mut features: Vec<String> = parts.iter().flat_map(act_model::features).collect();
    features.sort_unstable();
    features.dedup();
    features
}
