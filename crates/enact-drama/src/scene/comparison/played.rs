//! What one run came to, as far as it can be compared.

use serde::Serialize;

use super::Spread;
use crate::{
    RunId,
    report::{SpeedMeter, Tokens},
    scene::{SceneEnd, report::SceneReport},
};

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Played {
    pub run_id: RunId,
    pub seed: u64,
    /// Nothing while the run has no end.
    pub reason: Option<SceneEnd>,
    pub goal_achieved: bool,
    pub goals_met: usize,
    pub goals: usize,
    pub beats: u32,
    /// Milliseconds.
    pub duration: u64,
    pub beat_ms: Vec<u64>,
    /// Cached or not; nothing when no call told.
    pub input_tokens: Option<u64>,
    pub output_tokens: Option<u64>,
    /// Nothing when a price is unknown.
    #[serde(rename = "estimatedUSD")]
    pub estimated_usd: Option<f64>,
    /// What the input cost against the same requests billed uncached; nothing where it costs nothing.
    pub input_bill_ratio: Option<f64>,
    pub cache_hit_rate: Option<f64>,
    /// How fast its actors were answered; nothing where no call told its tokens.
    pub tokens_per_second: Option<f64>,
    /// Milliseconds to the first word of an answer; nothing where none came as a stream.
    pub first_word_ms: Option<u64>,
    /// Calls whose usage is unknown: tokens and money do not hold them.
    pub unaccounted: u64,
    pub parsed: u32,
    pub salvaged: u32,
    pub failed: u32,
    pub drifts: u32,
}

impl Played {
    pub fn of(story: &SceneReport) -> Played {
        let total = story.ledger.total();
        let told = story.ledger.tokens() != Tokens::Unknown;
        let mut speed = SpeedMeter::default();
        story.speeds.values().for_each(|meter| speed.merge(meter));
        let speed = speed.speed();
        let goals = story.verdict.as_ref().map_or(&[][..], |verdict| verdict.goals.as_slice());
        Played {
            run_id: story.setup.run,
            seed: story.setup.seed,
            reason: story.ended,
            goal_achieved: story.ended.is_some_and(|reason| reason.ending().goal_achieved),
            goals_met: goals.iter().filter(|goal| goal.met == Some(true)).count(),
            goals: story.setup.goals.len(),
            beats: story.beats,
            duration: story.time.total_ms(),
            beat_ms: story.beat_ms.clone(),
            input_tokens: told.then(|| total.input_tokens()),
            output_tokens: told.then_some(total.usage.output),
            estimated_usd: total.cost().usd(),
            input_bill_ratio: total.input_bill().map(|bill| bill.ratio()),
            cache_hit_rate: total.cache_hit_rate(),
            tokens_per_second: speed.map(|speed| speed.tokens_per_second),
            first_word_ms: speed.and_then(|speed| speed.first_word_ms),
            unaccounted: total.unaccounted,
            parsed: story.counts.parsed,
            salvaged: story.counts.salvaged,
            failed: story.counts.failed,
            drifts: story.counts.drifts,
        }
    }

    /// How long one of its beats took.
    pub(super) fn typical_beat_ms(&self) -> Option<f64> {
        Spread::of(self.beat_ms.iter().map(|ms| *ms as f64)).map(|spread| spread.median)
    }
}
