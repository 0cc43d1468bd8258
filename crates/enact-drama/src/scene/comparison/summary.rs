//! What all runs of a contender came to.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Played;

/// Spreads are over runs, and there are none of what no run knows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Over all beats of all runs: averages per run would hide a single slow beat.
    pub beat_ms: Option<Spread>,
    pub beats: Option<Spread>,
    pub input_tokens: Option<Spread>,
    pub output_tokens: Option<Spread>,
    #[serde(rename = "estimatedUSD")]
    pub estimated_usd: Option<Spread>,
    pub input_bill_ratio: Option<Spread>,
    pub cache_hit_rate: Option<Spread>,
    pub tokens_per_second: Option<Spread>,
    pub first_word_ms: Option<Spread>,
    pub goals_met: Option<Spread>,
    /// How many goals the scene has.
    pub goals: usize,
    /// Runs that reached their goal.
    pub goal_achieved: usize,
    /// Of all runs together.
    pub replies: Replies,
    pub drifts: u32,
    pub unaccounted: u64,
    /// How many runs ended in which way.
    pub ends: BTreeMap<&'static str, usize>,
}

/// How well replies kept to the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Replies {
    pub parsed: u32,
    pub salvaged: u32,
    pub failed: u32,
}

/// What a run is said to have ended like before it has.
const UNFINISHED: &str = "unfinished";

impl Summary {
    pub(super) fn of(runs: &[Played]) -> Summary {
        let over = |value: fn(&Played) -> Option<f64>| Spread::of(runs.iter().filter_map(value));
        let sum = |count: fn(&Played) -> u32| runs.iter().map(count).fold(0, u32::saturating_add);
        let mut ends = BTreeMap::new();
        for run in runs {
            *ends.entry(run.reason.map_or(UNFINISHED, |reason| reason.ending().name)).or_default() += 1;
        }
        Summary {
            beat_ms: Spread::of(runs.iter().flat_map(|run| &run.beat_ms).map(|ms| *ms as f64)),
            beats: over(|run| Some(f64::from(run.beats))),
            input_tokens: over(|run| run.input_tokens.map(|tokens| tokens as f64)),
            output_tokens: over(|run| run.output_tokens.map(|tokens| tokens as f64)),
            estimated_usd: over(|run| run.estimated_usd),
            input_bill_ratio: over(|run| run.input_bill_ratio),
            cache_hit_rate: over(|run| run.cache_hit_rate),
            tokens_per_second: over(|run| run.tokens_per_second),
            first_word_ms: over(|run| run.first_word_ms.map(|ms| ms as f64)),
            goals_met: over(|run| Some(run.goals_met as f64)),
            goals: runs.iter().map(|run| run.goals).max().unwrap_or(0),
            goal_achieved: runs.iter().filter(|run| run.goal_achieved).count(),
            replies: Replies {
                parsed: sum(|run| run.parsed),
                salvaged: sum(|run| run.salvaged),
                failed: sum(|run| run.failed),
            },
            drifts: sum(|run| run.drifts),
            unaccounted: runs.iter().map(|run| run.unaccounted).sum(),
            ends,
        }
    }
}

impl Replies {
    pub fn total(&self) -> u32 {
        self.parsed.saturating_add(self.salvaged).saturating_add(self.failed)
    }
}

/// Median, smallest and largest.
///
/// Not mean and deviation: a handful of runs says little about a distribution, times are skewed, and one call
/// that hangs moves a mean but not a median. The extremes are values that really occurred.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    pub median: f64,
    pub min: f64,
    pub max: f64,
    /// How many values there were: what is unknown of a run is not among them.
    pub of: usize,
}

impl Spread {
    /// Nothing if there are no values. What is not a finite number is no value.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Spread> {
        let mut values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let (min, max) = (*values.first()?, *values.last()?);
        let upper = values[values.len() / 2];
        let lower = values[(values.len() - 1) / 2];
        Some(Spread { median: lower / 2.0 + upper / 2.0, min, max, of: values.len() })
    }
}
