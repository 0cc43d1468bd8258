//! How the two stand with each other.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::SignalRead;

/// How many exchanges it is judged by.
const RECENT_BEATS: usize = 5;

/// How the two stand with each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Relationship {
    /// In a few words: "at odds".
    pub tone: String,
    /// 0 to 100.
    pub tension: u8,
    /// What the last exchanges were, the newest last: `playful`, `conflict`.
    pub recent_beats: Vec<String>,
}

#[derive(Deserialize)]
struct RelationshipFile {
    beat: Vec<WrittenBeat>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBeat {
    name: String,
    signals: Vec<String>,
    tone: String,
}

static BEATS: LazyLock<Vec<WrittenBeat>> = LazyLock::new(|| {
    let file: RelationshipFile =
        toml::from_str(include_str!("relationship.toml")).expect("relationship.toml can be read");
    file.beat
});

/// The relationship after one more exchange with these signals.
pub(crate) fn moved(before: Option<&Relationship>, signals: &[SignalRead], tension: u8) -> Relationship {
    let shown = |beat: &&WrittenBeat| {
        beat.signals.is_empty() || beat.signals.iter().any(|one| signals.iter().any(|read| read.name == *one))
    };
    let beat = BEATS.iter().find(shown).map_or("neutral", |beat| beat.name.as_str());
    after(before, beat, tension)
}

/// The relationship after one more exchange that was such.
fn after(before: Option<&Relationship>, beat: &str, tension: u8) -> Relationship {
    let mut recent_beats = before.map(|before| before.recent_beats.clone()).unwrap_or_default();
    recent_beats.push(beat.to_owned());
    let dropped = recent_beats.len().saturating_sub(RECENT_BEATS);
    recent_beats.drain(..dropped);
    // Of several that came as often the earlier of the file: they say more.
    let count = |beat: &&WrittenBeat| recent_beats.iter().filter(|one| **one == beat.name).count();
    let said = BEATS.iter().filter(|beat| !beat.signals.is_empty() && count(beat) > 0);
    let most = said.rev().max_by_key(count).or(BEATS.last());
    let tone = most.map(|beat| beat.tone.clone()).unwrap_or_default();
    Relationship { tone, tension, recent_beats }
}
