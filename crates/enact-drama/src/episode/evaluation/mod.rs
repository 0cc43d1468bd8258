//! What an episode came to: by rules, from what was read while it was played, or by a model.
//!
//! `archetype` tells how somebody flirts, `summary` what happened, `mystery` what was found out; `own` is what
//! an author asks for. The rules' evaluation is always there, so that none is lost where a model gives nothing
//! of use: then it is marked, with how sure it is, and a model can be asked again.

mod archetype;
mod mystery;
mod own;
mod summary;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Episode, EpisodeTemplate};
use crate::request::Schema;

/// How sure the rules are where they do not say: they hear words and count turns.
const RULES_CONFIDENCE: f64 = 0.5;

const FRAME: &str = include_str!("frame.txt");

/// What is said of an episode once it is complete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluation {
    /// `flirt_archetype`, `episode_summary`, `mystery_progress`
    pub evaluation_type: String,
    /// Its keys are those that clients know.
    pub result: Map<String, Value>,
    /// The model that made it, or `rules`.
    pub model_used: String,
    /// How sure it is, 0 to 1, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The model whose evaluation did not come, where the rules' one stands in for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stands_in_for: Option<String>,
}

impl Evaluation {
    /// A text of the result: `archetype`.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.result.get(key)?.as_str()
    }
}

/// The evaluation as the rules make it.
pub(super) fn by_rules(episode: &Episode) -> Evaluation {
    let template = &episode.setup().template;
    let evaluation_type = template.evaluation.clone();
    let result = match evaluation_type.as_str() {
        _ if template.own_evaluation.is_some() => {
            template.own_evaluation.as_ref().map(|own| own::by_rules(own, episode)).unwrap_or_default()
        }
        "flirt_archetype" => archetype::by_rules(episode),
        "mystery_progress" => mystery::by_rules(episode),
        _ => summary::by_rules(episode),
    };
    let result = object(result);
    let confidence = result.get("confidence").and_then(Value::as_f64).unwrap_or(RULES_CONFIDENCE);
    let (model_used, confidence) = ("rules".to_owned(), Some(confidence));
    Evaluation { evaluation_type, result, model_used, confidence, stands_in_for: None }
}

/// What happened, for the next episode of a serial: whatever the evaluation is about.
pub(super) fn summary(episode: &Episode, evaluation: &Evaluation) -> String {
    evaluation.text("summary").map_or_else(|| summary::summary(episode), str::to_owned)
}

/// A model's evaluation, if it can be used: of the right shape, with a quotation that was really said. What
/// it leaves out stands as the rules have it.
pub(super) fn read(episode: &Episode, raw: &str) -> Option<Evaluation> {
    let text = raw.get(raw.find('{')?..=raw.rfind('}')?)?;
    let given: Map<String, Value> = serde_json::from_str(text).ok()?;
    let Evaluation { evaluation_type, mut result, .. } = by_rules(episode);
    let given = match evaluation_type.as_str() {
        _ if episode.setup().template.own_evaluation.is_some() => {
            own::checked(episode.setup().template.own_evaluation.as_ref()?, &given)?
        }
        "flirt_archetype" => archetype::checked(episode, given)?,
        "mystery_progress" => mystery::checked(given)?,
        _ => summary::checked(given)?,
    };
    result.extend(given);
    let model_used = episode.setup().director.clone().unwrap_or_default();
    let confidence = result.get("confidence").and_then(Value::as_f64);
    Some(Evaluation { evaluation_type, result, model_used, confidence, stands_in_for: None })
}

/// What a model is asked for an evaluation of this type, and the shape of its answer.
pub(super) fn question(template: &EpisodeTemplate) -> (String, Schema) {
    let (text, schema) = match (&template.own_evaluation, template.evaluation.as_str()) {
        (Some(own), _) => return own::question(own),
        (None, "flirt_archetype") => archetype::question(),
        (None, "mystery_progress") => mystery::question(),
        (None, _) => summary::question(),
    };
    (text.to_owned(), schema)
}

/// What a model is told of the episode that it evaluates.
pub(super) fn conversation(episode: &Episode) -> String {
    let setup = episode.setup();
    let line = |who: &str, said: &str| {
        let said = serde_json::to_string(said).unwrap_or_default();
        format!("{who}: {}\n", crate::text::escaped_json(&said))
    };
    let mut lines = line(&setup.character.display, &setup.template.opening_line);
    for turn in &episode.turns {
        lines.push_str(&line("USER", &turn.message.text));
        lines.push_str(&line(&setup.character.display, &turn.answer.dialogue));
    }
    let signals = serde_json::to_string(episode.signals()).unwrap_or_default();
    // What was said comes last: it may hold braces.
    FRAME.replace("{signals}", &signals).replace("{conversation}", &lines)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// A closed object in which every property is required.
fn closed(name: &'static str, properties: Value) -> Schema {
    let required: Vec<String> =
        properties.as_object().map(|all| all.keys().cloned().collect()).unwrap_or_default();
    let json = json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    });
    Schema { name, json, exact: false }
}

/// The texts of a list that a model gave.
fn texts(value: Option<&Value>) -> Option<Vec<String>> {
    let texts = value?.as_array()?.iter().map(|text| text.as_str().map(str::to_owned));
    texts.collect()
}
