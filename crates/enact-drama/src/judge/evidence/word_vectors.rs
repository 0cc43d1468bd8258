//! How near two words are to each other in meaning.
//!
//! `word_vectors.txt` holds common words, each with a character for each dimension. They are GloVe's vectors
//! (public domain, PDDL 1.0), reduced by `scripts/train-judge`.

use std::{collections::HashMap, sync::LazyLock};

use crate::acts::inflection::stem;

pub(super) const DIMENSIONS: usize = 32;

pub(super) type Vector = [f32; DIMENSIONS];

static VECTORS: LazyLock<HashMap<&'static str, Vector>> = LazyLock::new(|| {
    let rows = include_str!("word_vectors.txt").lines().filter(|row| !row.starts_with('#'));
    rows.filter_map(|row| row.split_once(' ')).map(|(word, places)| (word, vector(places))).collect()
});

/// Each place is a character from '0' on; the one in the middle is nought.
fn vector(places: &str) -> Vector {
    let mut vector = [0.0; DIMENSIONS];
    for (place, c) in vector.iter_mut().zip(places.bytes()) {
        *place = (f32::from(c) - 79.0) / 16.0;
    }
    vector
}

/// The vectors of words, added up.
pub(super) fn sum<'w>(words: impl IntoIterator<Item = &'w str>) -> Vector {
    let mut sum = [0.0; DIMENSIONS];
    for vector in words.into_iter().filter_map(of) {
        sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value);
    }
    sum
}

fn of(word: &str) -> Option<&'static Vector> {
    VECTORS.get(word)
}

/// How alike two words are, from 0 to 1. Forms of one word are the same.
pub(super) fn likeness(one: &str, other: &str) -> f32 {
    if one == other || stem(one) == stem(other) {
        return 1.0;
    }
    match (of(one), of(other)) {
        (Some(one), Some(other)) => cosine(one, other).max(0.0),
        _ => 0.0,
    }
}

fn cosine(one: &Vector, other: &Vector) -> f32 {
    let dot = |a: &Vector, b: &Vector| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let norm = (dot(one, one) * dot(other, other)).sqrt();
    if norm > 0.0 { dot(one, other) / norm } else { 0.0 }
}
