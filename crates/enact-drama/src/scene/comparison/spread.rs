//! The middle of some values and how far they lie apart.

use serde::Serialize;

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
