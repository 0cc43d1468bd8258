//! How somebody flirts: one of five archetypes, by the signals in what they said.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::closed;
use crate::{episode::Episode, request::Schema};

/// One archetype, and how much each signal speaks for it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Archetype {
    key: String,
    title: String,
    tagline: String,
    description: String,
    signals: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
struct ArchetypeFile {
    archetype: Vec<Archetype>,
}

static ARCHETYPES: LazyLock<Vec<Archetype>> = LazyLock::new(|| {
    let file: ArchetypeFile =
        toml::from_str(include_str!("archetypes.toml")).expect("archetypes.toml can be read");
    file.archetype
});

/// How sure the rules are at most: they hear words, not glances.
const MOST_CONFIDENCE: f64 = 0.9;

pub(super) fn by_rules(episode: &Episode) -> Value {
    let score = |archetype: &Archetype| -> f64 {
        let counted = episode.signals().iter();
        counted.map(|(signal, count)| archetype.weight(signal) * f64::from(*count)).sum()
    };
    let raw: Vec<f64> = ARCHETYPES.iter().map(score).collect();
    let total: f64 = raw.iter().sum();
    // With nothing to go by, all are as likely, and the first of the file is named.
    let share = |score: &f64| if total > 0.0 { score / total } else { 1.0 / raw.len() as f64 };
    let shares: Vec<f64> = raw.iter().map(share).collect();
    let mut best = 0;
    for (at, share) in shares.iter().enumerate() {
        if *share > shares[best] {
            best = at;
        }
    }
    let archetype = &ARCHETYPES[best];
    let scores: BTreeMap<&str, f64> =
        ARCHETYPES.iter().zip(&shares).map(|(one, share)| (one.key.as_str(), rounded(*share))).collect();
    let confidence = rounded((0.5 + shares[best] / 2.0).min(MOST_CONFIDENCE));
    json!({
        "archetype": archetype.key,
        "title": archetype.title,
        "tagline": archetype.tagline,
        "confidence": if total > 0.0 { confidence } else { 0.5 },
        "scores": scores,
        "primary_signals": archetype.primary_signals(episode),
        "description": archetype.description,
        "quote": archetype.quote(episode),
    })
}

/// A model's reading, if it names one of the five. A quotation that was never said is left out.
pub(super) fn checked(episode: &Episode, mut given: Map<String, Value>) -> Option<Map<String, Value>> {
    let key = given.get("archetype")?.as_str()?.trim().to_lowercase().replace([' ', '-'], "_");
    let archetype = ARCHETYPES.iter().find(|one| one.key == key)?;
    let confidence = given.get("confidence").and_then(Value::as_f64).unwrap_or(0.5).clamp(0.0, 1.0);
    let said = |quote: &&str| episode.turns.iter().any(|turn| turn.message.text.contains(*quote));
    let quote = given.get("quote").and_then(Value::as_str).map(str::trim).filter(|quote| !quote.is_empty());
    let quote = quote.filter(said).map(str::to_owned).or_else(|| archetype.quote(episode));
    let mut checked = Map::from_iter([
        ("archetype".to_owned(), json!(key)),
        ("title".to_owned(), json!(archetype.title)),
        ("tagline".to_owned(), json!(archetype.tagline)),
        ("confidence".to_owned(), json!(confidence)),
        ("quote".to_owned(), json!(quote)),
    ]);
    if let Some(signals) = super::texts(given.get("primary_signals")) {
        checked.insert("primary_signals".to_owned(), json!(signals));
    }
    let description =
        given.remove("description").filter(|text| text.as_str().is_some_and(|text| !text.is_empty()));
    checked.insert("description".to_owned(), description.unwrap_or_else(|| json!(archetype.description)));
    Some(checked)
}

pub(super) fn question() -> (&'static str, Schema) {
    let keys: Vec<&str> = ARCHETYPES.iter().map(|one| one.key.as_str()).collect();
    let schema = closed(
        "flirt_archetype",
        json!({
            "archetype": {"type": "string", "enum": keys},
            "confidence": {"type": "number"},
            "primary_signals": {"type": "array", "items": {"type": "string"}},
            "description": {"type": "string", "description": "One sentence on their style, said to them"},
            "quote": {"type": "string", "description": "Something they said, word for word"},
        }),
    );
    (include_str!("archetype.txt"), schema)
}

impl Archetype {
    fn weight(&self, signal: &str) -> f64 {
        self.signals.get(signal).copied().unwrap_or_default()
    }

    /// The two signals that speak most for it.
    fn primary_signals(&self, episode: &Episode) -> Vec<String> {
        let mut signals: Vec<(&String, f64)> = episode
            .signals()
            .iter()
            .map(|(signal, count)| (signal, self.weight(signal) * f64::from(*count)))
            .filter(|(_, speaks)| *speaks > 0.0)
            .collect();
        signals.sort_by(|one, two| two.1.total_cmp(&one.1).then(one.0.cmp(two.0)));
        signals.into_iter().take(2).map(|(signal, _)| signal.clone()).collect()
    }

    /// The message that shows it best, among equals the longest.
    fn quote(&self, episode: &Episode) -> Option<String> {
        let speaks = |turn: &&std::sync::Arc<super::super::state::EpisodeTurn>| -> (u64, usize) {
            let weight: f64 = turn.signals.iter().map(|signal| self.weight(&signal.name)).sum();
            ((weight * 100.0) as u64, turn.message.text.len())
        };
        episode.turns.iter().max_by_key(speaks).map(|turn| turn.message.text.clone())
    }
}

fn rounded(share: f64) -> f64 {
    (share * 100.0).round() / 100.0
}
