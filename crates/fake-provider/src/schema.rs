//! The smallest value that a JSON schema allows.

use serde_json::{Map, Value, json};

/// Schemas that refer to themselves would never end; ours are a fraction of this deep.
const MAX_DEPTH: usize = 32;

/// Required properties only, the shortest lists, the first choice of every enumeration.
///
/// Knows what providers' structured outputs know: types, `properties`, `required`, `items`, `enum`, `const`, `anyOf`,
/// `oneOf`, `allOf`, local `$ref`, and bounds of numbers, strings and lists. What else a schema says is passed over.
#[must_use]
pub fn minimal_instance(schema: &Value) -> Value {
    instance(schema, schema, 0)
}

fn instance(schema: &Value, root: &Value, depth: usize) -> Value {
    if depth > MAX_DEPTH {
        return Value::Null;
    }
    if let Some(target) = schema["$ref"].as_str() {
        let found = target.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
        return found.map_or(Value::Null, |found| instance(found, root, depth + 1));
    }
    if let Some(only) = schema.get("const") {
        return only.clone();
    }
    if let Some(first) = schema["enum"].as_array().and_then(|choices| choices.first()) {
        return first.clone();
    }
    for word in ["anyOf", "oneOf"] {
        if let Some(first) = schema[word].as_array().and_then(|choices| choices.first()) {
            return instance(first, root, depth + 1);
        }
    }
    if let Some(parts) = schema["allOf"].as_array() {
        return all_of(parts, root, depth);
    }
    match kind(schema) {
        "object" => object(schema, root, depth),
        "array" => {
            let count = schema["minItems"].as_u64().unwrap_or(0);
            (0..count).map(|_| instance(&schema["items"], root, depth + 1)).collect()
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

fn object(schema: &Value, root: &Value, depth: usize) -> Value {
    let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
    let names = required.iter().filter_map(Value::as_str);
    let fields: Map<String, Value> =
        names.map(|name| (name.to_owned(), instance(&schema["properties"][name], root, depth + 1))).collect();
    Value::Object(fields)
}

/// Objects are put together; of anything else the first part decides.
fn all_of(parts: &[Value], root: &Value, depth: usize) -> Value {
    let mut whole = Map::new();
    for part in parts {
        match instance(part, root, depth + 1) {
            Value::Object(fields) => whole.extend(fields),
            other => return other,
        }
    }
    Value::Object(whole)
}

/// The number nearest to zero that its bounds allow.
fn number(schema: &Value) -> Value {
    let whole = kind(schema) == "integer";
    let above = schema["exclusiveMinimum"]
        .as_f64()
        .map(|bound| if whole { bound.floor() + 1.0 } else { bound + 0.5 });
    let below =
        schema["exclusiveMaximum"].as_f64().map(|bound| if whole { bound.ceil() - 1.0 } else { bound - 0.5 });
    let least = schema["minimum"].as_f64().into_iter().chain(above).fold(f64::NEG_INFINITY, f64::max);
    let most = schema["maximum"].as_f64().into_iter().chain(below).fold(f64::INFINITY, f64::min);
    let nearest = 0.0_f64.max(least).min(most);
    if whole { json!(nearest.ceil() as i64) } else { json!(nearest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smallest_instances() {
        let cases = [
            (json!({"type": "string"}), json!("")),
            (json!({"type": "string", "minLength": 3}), json!("xxx")),
            (json!({"type": "boolean"}), json!(false)),
            (json!({"type": "integer"}), json!(0)),
            (json!({"type": "integer", "minimum": 3}), json!(3)),
            (json!({"type": "integer", "exclusiveMinimum": 3}), json!(4)),
            (json!({"type": "integer", "maximum": -2}), json!(-2)),
            (json!({"type": "number", "minimum": 0.5, "maximum": 1}), json!(0.5)),
            (json!({"type": ["null", "string"]}), Value::Null),
            (json!({"type": "array", "items": {"type": "string"}}), json!([])),
            (json!({"type": "array", "items": {"type": "boolean"}, "minItems": 2}), json!([false, false])),
            (json!({"enum": ["yes", "no"]}), json!("yes")),
            (json!({"const": 7}), json!(7)),
            (json!({"anyOf": [{"type": "null"}, {"type": "string"}]}), Value::Null),
            (json!({"properties": {"a": {"type": "string"}}}), json!({})),
            (
                json!({
                    "type": "object",
                    "required": ["met", "why"],
                    "properties": {"met": {"type": "boolean"}, "why": {"$ref": "#/$defs/Why"}, "more": {}},
                    "$defs": {"Why": {"type": "object", "required": ["quote"], "properties": {"quote": {"type": "string"}}}},
                }),
                json!({"met": false, "why": {"quote": ""}}),
            ),
            (
                json!({"allOf": [
                    {"required": ["a"], "properties": {"a": {"type": "integer"}}},
                    {"required": ["b"], "properties": {"b": {"type": "string"}}},
                ]}),
                json!({"a": 0, "b": ""}),
            ),
            (json!({"$ref": "#/nowhere"}), Value::Null),
        ];
        for (schema, expected) in cases {
            assert_eq!(minimal_instance(&schema), expected, "{schema}");
        }
    }

    #[test]
    fn a_schema_that_contains_itself_ends() {
        let schema = json!({"type": "object", "required": ["next"], "properties": {"next": {"$ref": "#"}}});
        let text = minimal_instance(&schema).to_string();
        assert!(text.len() < 1000, "{text}");
    }
}
