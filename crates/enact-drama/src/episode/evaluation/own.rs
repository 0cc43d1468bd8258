//! Evaluations that authors write themselves: what is asked, and what the answer holds.

use serde_json::{Map, Value, json};

use super::{closed, summary};
use crate::{
    episode::{Episode, WrittenEvaluation},
    request::Schema,
};

/// What stands in where no model gives it: what the author wrote as `default`, and what happened.
pub(super) fn by_rules(own: &WrittenEvaluation, episode: &Episode) -> Value {
    let default = |schema: &Value| schema.get("default").cloned().unwrap_or_default();
    let mut result: Map<String, Value> =
        own.schema.iter().map(|(key, schema)| (key.clone(), default(schema))).collect();
    result.entry("summary").or_insert_with(|| json!(summary::summary(episode)));
    Value::Object(result)
}

/// A model's answer, if it has all that was asked for.
pub(super) fn checked(own: &WrittenEvaluation, given: &Map<String, Value>) -> Option<Map<String, Value>> {
    let take = |(key, schema): (&String, &Value)| {
        let value = given.get(key)?;
        fits(schema, value).then(|| (key.clone(), value.clone()))
    };
    own.schema.iter().map(take).collect()
}

pub(super) fn question(own: &WrittenEvaluation) -> (String, Schema) {
    let mut properties = own.schema.clone();
    for schema in properties.values_mut() {
        if let Some(schema) = schema.as_object_mut() {
            schema.remove("default");
        }
    }
    (own.prompt.clone(), closed("episode_evaluation", Value::Object(properties)))
}

/// Whether a value is of the type that a schema names, and one of its choices.
fn fits(schema: &Value, value: &Value) -> bool {
    let is_type = match schema["type"].as_str() {
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.as_array().is_some_and(|items| {
            items.iter().all(|item| schema.get("items").is_none_or(|schema| fits(schema, item)))
        }),
        _ => value.is_string(),
    };
    let choices = schema["enum"].as_array();
    is_type && choices.is_none_or(|choices| choices.contains(value))
}
