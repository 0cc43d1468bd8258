//! JSON that fits a schema: how it is asked for, and how it is read whatever comes back.

mod validate;

#[cfg(test)]
mod tests;

use enact_drama::request::Schema;
use jsonrepair_rs::RepairOptions;
use serde_json::{Map, Value, json};

/// An object may come after some prose; beyond this many braces it is not an answer with prose around it.
const MOST_BRACES: usize = 16;

/// Longer texts are read as they are or not at all: what we ask for fits into a fraction of this.
const LONGEST_REPAIR: usize = 256 * 1024;

/// The schema as a part of the prompt, for servers that do not enforce it.
pub(crate) fn in_words(schema: &Schema) -> String {
    format!(
        "Answer with one JSON value and nothing else: no prose, no code fence. It has to satisfy this JSON schema:\n{}",
        schema.json
    )
}

/// Reads an answer that should fit a schema: the JSON in it, repaired if it is broken, without unknown
/// properties. If nothing fits, the error says why; a schema that is not exact takes the text as it came.
pub(crate) fn read(text: &str, schema: &Schema) -> Result<String, String> {
    let mut complaint = None;
    let mut fitting = |value: Value| match validate::conform(value, &schema.json) {
        Ok(value) => Some(value.to_string()),
        Err(why) => {
            complaint.get_or_insert(why);
            None
        }
    };
    let starts = || text.char_indices().filter(|(_, c)| matches!(c, '{' | '[')).map(|(at, _)| at);
    if let Some(found) = serde_json::from_str(text).ok().and_then(&mut fitting) {
        return Ok(found);
    }
    // Within a fence or some prose: the first value that fits.
    for at in starts().take(MOST_BRACES) {
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
        if let Some(found) = values.next().and_then(Result::ok).and_then(&mut fitting) {
            return Ok(found);
        }
    }
    // Broken: from the first brace to the last, or to the end if it was cut.
    if let Some(from) = starts().next() {
        let to = text.rfind(['}', ']']).filter(|to| *to > from).map_or(text.len(), |to| to + 1);
        for broken in [&text[from..to], &text[from..]] {
            let options = RepairOptions::default().with_max_input_bytes(LONGEST_REPAIR);
            let mended = jsonrepair_rs::jsonrepair_with_options(broken, options).ok();
            let value = mended.and_then(|text| serde_json::from_str(&text).ok());
            if let Some(found) = value.and_then(&mut fitting) {
                return Ok(found);
            }
        }
    }
    if !schema.exact {
        return Ok(text.trim().to_owned());
    }
    Err(complaint.unwrap_or_else(|| "there is no JSON in it".to_owned()))
}

const LIMITS: [&str; 10] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
];

/// A schema as Anthropic takes it. It refuses limits on numbers, texts and lists, so they are said in the
/// description, where the model reads them; whether they were kept is checked here in any case.
pub(super) fn without_limits(schema: &Value) -> Value {
    let Value::Object(schema) = schema else { return schema.clone() };
    let mut limits = Vec::new();
    let mut bare = Map::new();
    for (key, value) in schema {
        match (key.as_str(), value) {
            (limit, value) if LIMITS.contains(&limit) => limits.push(format!("{limit} {value}")),
            // Names of properties are not keywords: each has a schema of its own.
            ("properties", Value::Object(properties)) => {
                let properties: Map<String, Value> =
                    properties.iter().map(|(name, schema)| (name.clone(), without_limits(schema))).collect();
                bare.insert(key.clone(), Value::Object(properties));
            }
            ("items", schema) => {
                bare.insert(key.clone(), without_limits(schema));
            }
            ("anyOf", Value::Array(schemas)) => {
                bare.insert(key.clone(), schemas.iter().map(without_limits).collect());
            }
            _ => {
                bare.insert(key.clone(), value.clone());
            }
        }
    }
    if !limits.is_empty() {
        let said = bare.get("description").and_then(Value::as_str).unwrap_or_default();
        let limits = limits.join(", ");
        let description = if said.is_empty() { limits } else { format!("{said} ({limits})") };
        bare.insert("description".to_owned(), json!(description));
    }
    Value::Object(bare)
}
