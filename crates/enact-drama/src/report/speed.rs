//! How fast a model answers, as far as a run's log knows.

use serde::{Deserialize, Serialize};

use crate::usage::Usage;

/// How fast a model has answered for actors. It is derived from the log alone, so that a replay says the same.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ModelSpeed {
    /// How many answers told how many tokens they are.
    pub answers: u64,
    /// Tokens of all these answers for each second that was waited for them, thoughts included.
    pub tokens_per_second: f64,
    /// Milliseconds from a question to the first word of its answer: the median of those that came as streams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_word_ms: Option<u64>,
}

/// Measures how fast a model answers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SpeedMeter {
    answers: u64,
    tokens: u64,
    took_ms: u64,
    first_words: Vec<u64>,
}

impl SpeedMeter {
    /// Takes in an answer. One that used no tokens, or did not tell all of them, says nothing about speed.
    pub fn add(&mut self, usage: Option<Usage>, took_ms: u64, first_word_ms: Option<u64>) {
        let told = usage.filter(|usage| usage.output > 0 && !usage.partial && took_ms > 0);
        if let Some(usage) = told {
            self.answers += 1;
            self.tokens = self.tokens.saturating_add(usage.output);
            self.took_ms = self.took_ms.saturating_add(took_ms);
            self.first_words.extend(first_word_ms);
        }
    }

    /// Takes in what another one has measured.
    pub fn merge(&mut self, other: &SpeedMeter) {
        self.answers += other.answers;
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.took_ms = self.took_ms.saturating_add(other.took_ms);
        self.first_words.extend(&other.first_words);
    }

    /// What was measured, if anything was.
    pub fn speed(&self) -> Option<ModelSpeed> {
        let mut first_words = self.first_words.clone();
        first_words.sort_unstable();
        let tenths = (self.tokens as f64 * 10_000.0 / self.took_ms as f64).round();
        (self.answers > 0).then(|| ModelSpeed {
            answers: self.answers,
            tokens_per_second: tenths / 10.0,
            first_word_ms: first_words.get(first_words.len() / 2).copied(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_tokens_for_time_and_the_median_first_word() {
        let used = |output| Some(Usage { uncached: 9, output, ..Usage::NONE });
        let mut meter = SpeedMeter::default();
        assert_eq!(meter.speed(), None);
        for (usage, took_ms, first_word_ms) in [
            (used(40), 2_000, Some(300)),
            (used(20), 1_000, Some(900)),
            (used(30), 1_000, None),
            (used(10), 1_000, Some(400)),
            // These say nothing: no tokens, unknown ones, some of them, no time.
            (Some(Usage::NONE), 9_000, Some(1)),
            (None, 9_000, Some(1)),
            (used(500).map(|usage| Usage { partial: true, ..usage }), 1, Some(1)),
            (used(500), 0, Some(1)),
        ] {
            meter.add(usage, took_ms, first_word_ms);
        }
        let speed = ModelSpeed { answers: 4, tokens_per_second: 20.0, first_word_ms: Some(400) };
        assert_eq!(meter.speed(), Some(speed));
        let mut both = meter.clone();
        both.merge(&meter);
        assert_eq!(both.speed(), Some(ModelSpeed { answers: 8, ..speed }));
    }
}
