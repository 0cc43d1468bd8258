//! What was found out in a mystery. Flags say so: `clue_…`, `cleared_…`, and whoever is accused.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::{closed, texts};
use crate::{episode::Episode, request::Schema, text::one_line};

pub(super) fn by_rules(episode: &Episode) -> Value {
    let named = |prefix: &str| -> Vec<String> {
        let flags = episode.flags().keys().filter_map(|flag| flag.strip_prefix(prefix));
        flags.map(|rest| rest.replace('_', " ")).collect()
    };
    json!({
        "clues_found": named("clue_"),
        "suspects_cleared": named("cleared_"),
        "current_theory": theory(episode),
    })
}

pub(super) fn checked(given: Map<String, Value>) -> Option<Map<String, Value>> {
    Some(Map::from_iter([
        ("current_theory".to_owned(), json!(given.get("current_theory")?.as_str()?)),
        ("clues_found".to_owned(), json!(texts(given.get("clues_found"))?)),
    ]))
}

pub(super) fn question() -> (&'static str, Schema) {
    let schema = closed(
        "mystery_progress",
        json!({
            "clues_found": {"type": "array", "items": {"type": "string"}},
            "current_theory": {"type": "string", "description": "What the user believes, in one sentence"},
        }),
    );
    (include_str!("mystery.txt"), schema)
}

static THINKING: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let lines = include_str!("theory.txt").lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
});

/// What the user believes, in their own words: the last accusation, or the last message that says what they
/// think.
fn theory(episode: &Episode) -> Option<String> {
    let accused =
        episode.flags().iter().filter(|(flag, finding)| flag.contains("accus") && finding.rule != "beat");
    let accused = accused.filter_map(|(_, finding)| finding.quote.as_deref()).next();
    let thinks = |text: &&str| {
        let text = text.to_lowercase().replace(['\'', '’'], "");
        THINKING.iter().any(|words| text.contains(words))
    };
    let thought = episode.turns.iter().rev().map(|turn| turn.message.text.as_str()).find(thinks);
    accused.or(thought).map(one_line)
}
