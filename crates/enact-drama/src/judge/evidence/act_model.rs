//! How much a sentence sounds like each of the acts: a linear model over words, pairs of words and the mean
//! of its words' vectors.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    sentences::LinePart,
    word_vectors::{self, DIMENSIONS},
};
use crate::acts::ActKind;

/// How much a sentence sounds like each act, by the place of the act.
pub(super) type ActScores = Vec<f32>;

struct ActModel {
    acts: usize,
    bias: Vec<f32>,
    /// For each dimension of the vectors, a weight for each act.
    of_vectors: Vec<Vec<f32>>,
    words: HashMap<&'static str, Vec<(usize, f32)>>,
}

static MODEL: LazyLock<ActModel> = LazyLock::new(|| {
    let acts = ActKind::all().count();
    let mut model = ActModel {
        acts,
        bias: vec![0.0; acts],
        of_vectors: vec![vec![0.0; acts]; DIMENSIONS],
        words: HashMap::new(),
    };
    for row in include_str!("act_weights.tsv").lines().filter(|row| !row.starts_with('#')) {
        let mut columns = row.split('\t');
        let feature = columns.next().unwrap_or_default();
        let weights: Vec<(usize, f32)> = columns
            .filter_map(|column| {
                let (act, weight) = column.split_once('=')?;
                Some((ActKind::named(act)?.place(), weight.parse().ok()?))
            })
            .collect();
        let dense = match feature {
            "(bias)" => Some(&mut model.bias),
            _ => feature
                .strip_prefix("(vector ")
                .and_then(|rest| rest.trim_end_matches(')').parse::<usize>().ok())
                .and_then(|place| model.of_vectors.get_mut(place)),
        };
        match dense {
            Some(dense) => weights.iter().for_each(|(act, weight)| dense[*act] = *weight),
            None => {
                model.words.insert(feature, weights);
            }
        }
    }
    model
});

/// What the model knows a sentence by.
pub(super) fn features(part: &LinePart<'_>) -> Vec<String> {
    let words: Vec<&str> = part.words.iter().map(|word| &*word.text).collect();
    let mut found: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    found.extend(words.windows(2).map(|pair| format!("{} {}", pair[0], pair[1])));
    found.extend(words.windows(3).map(|three| format!("{} _ {}", three[0], three[2])));
    found.extend(words.first().map(|first| format!("^ {first}")));
    if let [first, second, ..] = words[..] {
        found.push(format!("^ {first} {second}"));
    }
    if part.asks {
        found.push("(asks)".to_owned());
    }
    if part.gesture {
        found.push("(gesture)".to_owned());
    }
    if words.len() <= 3 {
        found.push("(short)".to_owned());
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// How much a sentence sounds like each act; above nought is more likely than not.
pub(super) fn scores(part: &LinePart<'_>) -> ActScores {
    let model = &*MODEL;
    let mut scores = model.bias.clone();
    let root = (part.words.len().max(1) as f32).sqrt();
    for feature in features(part) {
        for (act, weight) in model.words.get(&*feature).into_iter().flatten() {
            scores[*act] += weight / root;
        }
    }
    for (value, weights) in
        word_vectors::sum(part.words.iter().map(|word| &*word.text)).iter().zip(&model.of_vectors)
    {
        for (score, weight) in scores.iter_mut().zip(weights) {
            *score += value * weight / root;
        }
    }
    debug_assert_eq!(scores.len(), model.acts);
    scores
}
