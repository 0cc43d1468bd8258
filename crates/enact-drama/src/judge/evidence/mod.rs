//! Plain words of an act, and weak evidence, added up: may a line have done what a goal asks for?
//!
//! `sentences` takes a line apart, `act_model` says how much each sentence sounds like each act, `tone_model`
//! whether it commits or evades, `word_vectors` how near words are to each other, `features` gathers what
//! speaks for and against one goal, and `evidence_watch` keeps the best line of its subjects. All weights are
//! learnt by `scripts/train-judge`.

mod act_model;
mod evidence_watch;
mod features;
mod sentences;
mod tone_model;
mod word_vectors;

#[cfg(test)]
mod tests;

pub(super) use evidence_watch::{Belief, EvidenceWatch};
pub(super) use features::LineTraits;
