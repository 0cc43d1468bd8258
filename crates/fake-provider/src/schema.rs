//! The smallest value that a JSON schema allows.

use serde_json::{Map, Value, json};

/// Required properties only, the shortest lists, the first choice of every enumeration.
///
/// Knows what enact asks with: types, `properties`, `required`, `items`, `enum`, `const`, `anyOf`, and bounds of
/// numbers, strings and lists. What else a schema says is passed over.
pub(crate) fn minimal_instance(schema: &Value) -> Value {
    if let Some(only) = schema.get("const") {
        return only.clone();
    }
    if let Some(first) = schema["enum"].as_array().and_then(|choices| choices.first()) {
        return first.clone();
    }
    if let Some(first) = schema["anyOf"].as_array().and_then(|choices| choices.first()) {
        return minimal_instance(first);
    }
    match kind(schema) {
        "object" => object(schema),
        "array" => {
            let count = schema["minItems"].as_u64().unwrap_or(0);
            (0..count).map(|_| minimal_instance(&schema["items"])).collect()
        }
        "integer" | "number" => number(schema),
        "boolean" => json!(false),
        "null" => Value::Null,
        _ => {
            let length = schema["minLength"].as_u64().unwrap_or(0);
            json!("x".repeat(usize::try_from(length).unwrap_or(0)))
        }
    }
}

fn kind(schema: &Value) -> &str {
    match &schema["type"] {
        Value::String(kind) => kind,
        Value::Array(kinds) => kinds.first().and_then(Value::as_str).unwrap_or("null"),
        _ if schema.get("properties").is_some() => "object",
        _ if schema.get("items").is_some() => "array",
        _ => "string",
    }
}

fn object(schema: &Value) -> Value {
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    let names = required.iter().filter_map(Value::as_str);
    let fields: Map<String, Value> =
        names.map(|name| (name.to_owned(), minimal_instance(&schema["properties"][name]))).collect();
    Value::Object(fields)
}

/// The number nearest to zero that its bounds allow.
fn number(schema: &Value) -> Value {
    let whole = kind(schema) == "integer";
    let least = schema["minimum"].as_f64().unwrap_or(f64::NEG_INFINITY);
    let most = schema["maximum"].as_f64().unwrap_or(f64::INFINITY);
    let nearest = 0.0_f64.max(least).min(most);
    if whole { json!(nearest.ceil() as i64) } else { json!(nearest) }
}

#[cfg(test)]
mod tests;
