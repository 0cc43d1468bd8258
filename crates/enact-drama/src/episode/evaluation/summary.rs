//! What happened in an episode, for the next one of its series.

use serde_json::{Map, Value, json};

use super::{closed, texts};
use crate::{episode::Episode, request::Schema, text::one_line};

pub(super) fn by_rules(episode: &Episode) -> Value {
    let setup = episode.setup();
    let (title, who) = (&setup.template.title, &setup.character.display);
    let turns = episode.turn_count();
    let exchanges = if turns == 1 { "one exchange".to_owned() } else { format!("{turns} exchanges") };
    let ending = episode.completed.as_ref().and_then(|(_, ending)| ending.as_ref());
    let ending = setup.template.endings.iter().find(|written| Some(&written.id) == ending);
    let came_to = match (ending, episode.turns.last()) {
        (Some(ending), _) if !ending.text.is_empty() => one_line(&ending.text),
        (_, Some(last)) => format!("In the end {who} said: \"{}\"", one_line(&last.answer.dialogue)),
        (_, None) => "Nothing was said.".to_owned(),
    };
    json!({
        "summary": format!("{title}: {exchanges} with {who}. {came_to}"),
        "key_moments": key_moments(episode),
        "emotional_arc": emotional_arc(episode),
        "turn_count": turns,
        "final_tension": f64::from(episode.tension()) / 100.0,
    })
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
    match (peak - from.min(peak), peak - to.min(peak)) {
        (0..=4, 0..=4) => format!("even, around {to} of 100"),
        (_, 0..=4) => format!("rose from {from} to {to} of 100"),
        (0..=4, _) => format!("eased from {from} to {to} of 100"),
        _ => format!("rose from {from} to {peak} and eased to {to} of 100"),
    }
}
