//! Whether what was open between the two is settled.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{EpisodeExchange, conditions::said_one};
use crate::episode::NarrativeBeat;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResolutionFile {
    /// Words that settle something whenever the story has begun.
    plain: Vec<String>,
    /// Words that do so only once it has come to its turning point: said earlier, they are talk.
    late: Vec<String>,
}

static PHRASES: LazyLock<ResolutionFile> =
    LazyLock::new(|| toml::from_str(include_str!("resolution.toml")).expect("resolution.toml can be read"));

/// The sentence by which one of the two settles what was open between them.
pub(super) fn resolution(beat: NarrativeBeat, exchange: &EpisodeExchange<'_>) -> Option<String> {
    let late = (beat >= NarrativeBeat::Pivot).then_some(PHRASES.late.as_slice());
    let plain = (beat >= NarrativeBeat::Complication).then_some(PHRASES.plain.as_slice());
    let said = |phrases: &[String]| {
        [exchange.user, exchange.said].into_iter().find_map(|text| said_one(phrases, text))
    };
    plain.and_then(said).or_else(|| late.and_then(said))
}
