//! Fallbacks: the models that are asked, one after the other, where a model has failed for good.
//!
//! A model is counted by its rank among those that may answer: 0 is the one that was chosen, and its
//! [fallbacks](crate::model_card::ModelCard::fallback) follow in their order. Every rank is asked by a fact
//! of its own, so that each model's account is exact.

use crate::{call::FailureKind, model_card::ModelCard, report::Cards};

/// No fallback is asked with less than 1/10 of the time limit left.
const LEAST_SHARE: u64 = 10;
/// Of the time that is left, a model that has a fallback leaves this share to it: a provider that hangs must
/// not use up all of it.
const SHARE_OF_NEXT: u64 = 3;

/// Which model has this rank, where `first` was chosen.
pub(crate) fn model_at<'a>(models: &'a Cards, first: &'a str, rank: usize) -> Option<&'a str> {
    match rank.checked_sub(1) {
        None => Some(first),
        Some(at) => models.get(first)?.fallback.get(at).map(String::as_str),
    }
}

/// The rank of a model that was asked. One that is no fallback was the first choice.
pub(crate) fn rank_of(models: &Cards, first: &str, asked: &str) -> usize {
    let at = models.get(first).and_then(|card| card.fallback.iter().position(|name| name == asked));
    at.map_or(0, |at| at + 1)
}

/// Whether another model may answer where one has failed like this. A refusal is about what was asked:
/// looking for a model that minds less is for people to decide.
pub(crate) fn may_help(failure: FailureKind) -> bool {
    failure != FailureKind::Refused
}

/// What there is of a time limit that began at `since`, all in UTC milliseconds. A clock that was set back
/// adds nothing.
pub(crate) fn left_ms(limit_ms: u64, since: i64, now: i64) -> u64 {
    limit_ms.saturating_sub(u64::try_from(now.saturating_sub(since)).unwrap_or(0))
}

/// True if `left_ms` of `limit_ms` leaves time to ask another model.
pub(crate) fn is_enough(left_ms: u64, limit_ms: u64) -> bool {
    left_ms > 0 && left_ms >= limit_ms / LEAST_SHARE
}

/// A model that is asked where another has failed, and what is left of the time limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NextModel {
    pub(crate) model: String,
    pub(crate) left_ms: u64,
}

/// Who is asked next where `asked` has failed like this with so much of a time limit left, if anybody may and
/// there is time for it. `may_answer` says which models can at all.
pub(crate) fn next_model(
    models: &Cards,
    (first, asked): (&str, &str),
    failure: FailureKind,
    (left_ms, limit_ms): (u64, u64),
    may_answer: fn(&ModelCard) -> bool,
) -> Option<NextModel> {
    if !may_help(failure) || !is_enough(left_ms, limit_ms) {
        return None;
    }
    let later = &models.get(first)?.fallback;
    let next = later
        .iter()
        .skip(rank_of(models, first, asked))
        .find(|name| models.get(*name).is_some_and(may_answer));
    next.map(|model| NextModel { model: model.clone(), left_ms })
}

/// How long a model may take, where so much time is left for it and those after it.
pub(crate) fn timeout_ms(models: &Cards, first: &str, rank: usize, left_ms: u64) -> u64 {
    match model_at(models, first, rank + 1) {
        Some(_) => left_ms - left_ms / SHARE_OF_NEXT,
        None => left_ms,
    }
}

#[cfg(test)]
mod tests;
