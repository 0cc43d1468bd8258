//! What happened in an episode, for the next one of its series.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{closed, texts};
use crate::{episode::Episode, request::Schema, text::one_line};

/// The sentences that the rules sum up with.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SummaryTexts {
    one_exchange: String,
    exchanges: String,
    summary: String,
    in_the_end: String,
    nothing: String,
    even: String,
    rose: String,
    eased: String,
    rose_and_eased: String,
}

static TEXTS: LazyLock<SummaryTexts> =
    LazyLock::new(|| toml::from_str(include_str!("summary.toml")).expect("summary.toml can be read"));

pub(super) fn by_rules(episode: &Episode) -> Value {
    json!({
        "summary": summary(episode),
        "key_moments": key_moments(episode),
        "emotional_arc": emotional_arc(episode),
        "turn_count": episode.turn_count(),
        "final_tension": f64::from(episode.tension()) / 100.0,
    })
}

/// What happened, in a sentence or two.
pub(super) fn summary(episode: &Episode) -> String {
    let setup = episode.setup();
    let (title, who) = (&setup.template.title, &setup.character.display);
    let turns = episode.turn_count();
    let exchanges = match turns {
        1 => TEXTS.one_exchange.clone(),
        _ => TEXTS.exchanges.replace("{turns}", &turns.to_string()),
    };
    let ending = episode.completed.as_ref().and_then(|(_, ending)| ending.as_ref());
    let ending = setup.template.endings.iter().find(|written| Some(&written.id) == ending);
    let came_to = match (ending, episode.turns.last()) {
        (Some(ending), _) if !ending.text.is_empty() => one_line(&ending.text),
        (_, Some(last)) => {
            let said = one_line(&last.answer.dialogue);
            TEXTS.in_the_end.replace("{who}", who).replace("{said}", &said)
        }
        (_, None) => TEXTS.nothing.clone(),
    };
    // What was said comes last: it may hold braces.
    let summary = TEXTS.summary.replace("{title}", title).replace("{exchanges}", &exchanges);
    summary.replace("{who}", who).replace("{came_to}", &came_to)
}

pub(super) fn checked(given: Map<String, Value>) -> Option<Map<String, Value>> {
    let text =
        |key: &str| given.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    Some(Map::from_iter([
        ("summary".to_owned(), json!(text("summary")?)),
        ("key_moments".to_owned(), json!(texts(given.get("key_moments"))?)),
        ("emotional_arc".to_owned(), json!(text("emotional_arc")?)),
    ]))
}

pub(super) fn question() -> (&'static str, Schema) {
    let schema = closed(
        "episode_summary",
        json!({
            "summary": {"type": "string", "description": "Two or three sentences"},
            "key_moments": {"type": "array", "items": {"type": "string"}},
            "emotional_arc": {"type": "string", "description": "One sentence"},
        }),
    );
    (include_str!("summary.txt"), schema)
}

/// The moments that the author wanted and that came, and what the user said to bring them about.
fn key_moments(episode: &Episode) -> Vec<String> {
    let cues = episode.landed().map(str::to_owned);
    let flags = episode.flags().iter().map(|(flag, finding)| match &finding.quote {
        Some(quote) => format!("{}: \"{}\"", flag.replace('_', " "), one_line(quote)),
        None => flag.replace('_', " "),
    });
    cues.map(|cue| cue.replace(['_', '-'], " ")).chain(flags).collect()
}

fn emotional_arc(episode: &Episode) -> String {
    let curve = episode.tension_curve();
    let (from, to) = (episode.setup().template.tension, episode.tension());
    let peak = curve.iter().copied().max().unwrap_or(to).max(from);
    let text = match (peak - from.min(peak), peak - to.min(peak)) {
        (0..=4, 0..=4) => &TEXTS.even,
        (_, 0..=4) => &TEXTS.rose,
        (0..=4, _) => &TEXTS.eased,
        _ => &TEXTS.rose_and_eased,
    };
    let [from, peak, to] = [from, peak, to].map(|tension| tension.to_string());
    text.replace("{from}", &from).replace("{peak}", &peak).replace("{to}", &to)
}
