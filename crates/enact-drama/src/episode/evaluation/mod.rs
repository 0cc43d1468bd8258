//! What an episode came to: by rules, from what was read while it was played, or by a model.
//!
//! `archetype` tells how somebody flirts, `summary` what happened, `mystery` what was found out. The rules'
//! evaluation is always there, so that none is lost where a model gives nothing of use.

mod archetype;
mod mystery;
mod summary;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Episode;
use crate::request::Schema;

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
}

impl Evaluation {
    /// A text of the result: `archetype`.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.result.get(key)?.as_str()
    }
}

/// The evaluation as the rules make it.
pub(super) fn by_rules(episode: &Episode) -> Evaluation {
    let evaluation_type = episode.setup().template.evaluation.clone();
    let result = match evaluation_type.as_str() {
        "flirt_archetype" => archetype::by_rules(episode),
        "mystery_progress" => mystery::by_rules(episode),
        _ => summary::by_rules(episode),
    };
    Evaluation { evaluation_type, result: object(result), model_used: "rules".to_owned() }
}

/// A model's evaluation, if it can be used: of the right shape, with a quotation that was really said. What
/// it leaves out stands as the rules have it.
pub(super) fn read(episode: &Episode, raw: &str) -> Option<Evaluation> {
    let text = raw.get(raw.find('{')?..=raw.rfind('}')?)?;
    let given: Map<String, Value> = serde_json::from_str(text).ok()?;
    let Evaluation { evaluation_type, mut result, .. } = by_rules(episode);
    let given = match evaluation_type.as_str() {
        "flirt_archetype" => archetype::checked(episode, given)?,
        "mystery_progress" => mystery::checked(given)?,
        _ => summary::checked(given)?,
    };
    result.extend(given);
    let model_used = episode.setup().director.clone().unwrap_or_default();
    Some(Evaluation { evaluation_type, result, model_used })
}

/// What a model is asked for an evaluation of this type, and the shape of its answer.
pub(super) fn question(evaluation_type: &str) -> (&'static str, Schema) {
    match evaluation_type {
        "flirt_archetype" => archetype::question(),
        "mystery_progress" => mystery::question(),
        _ => summary::question(),
    }
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
