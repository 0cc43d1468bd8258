//! Whether a value satisfies a schema.
//!
//! The crates that know all of JSON Schema bring dozens of others along, regular expressions and references
//! among them, for a language of which we use a handful of words and write every sentence ourselves. Words
//! that are not known here are not checked.

use serde_json::{Map, Value};

/// The value as the schema wants it, or what is wrong with it, beginning with where.
///
/// Two slips of models are forgiven: unknown properties are left out of closed objects, and what may be null
/// may be missing.
pub(super) fn conform(value: Value, schema: &Value) -> Result<Value, String> {
    fit(value, schema, "the answer")
}

fn fit(value: Value, schema: &Value, place: &str) -> Result<Value, String> {
    let Value::Object(rules) = schema else { return Ok(value) };
    if value.is_null() && allows_null(schema) {
        return Ok(value);
    }
    if let Some(Value::Array(choices)) = rules.get("anyOf") {
        return any_of(value, choices, place);
    }
    if let Some(wanted) = rules.get("type")
        && !types(wanted).any(|name| is_a(&value, name))
    {
        let wanted: Vec<&str> = types(wanted).collect();
        return Err(format!("{place} is not {}", article(&wanted.join(" or "))));
    }
    if let Some(Value::Array(choices)) = rules.get("enum")
        && !choices.contains(&value)
    {
        return Err(format!("{place} is none of {}", Value::from(choices.clone())));
    }
    if let Some(only) = rules.get("const")
        && *only != value
    {
        return Err(format!("{place} is not {only}"));
    }
    match value {
        Value::Object(object) => fit_object(object, rules, place).map(Value::Object),
        Value::Array(items) => fit_items(items, rules, place).map(Value::Array),
        Value::Number(_) => {
            within(&value, value.as_f64(), rules, ["minimum", "maximum"], place).map(|()| value)
        }
        Value::String(ref text) => {
            let length = Some(text.chars().count() as f64);
            within(&value, length, rules, ["minLength", "maxLength"], &format!("the length of {place}"))?;
            Ok(value)
        }
        _ => Ok(value),
    }
}

fn fit_object(
    mut object: Map<String, Value>,
    rules: &Map<String, Value>,
    place: &str,
) -> Result<Map<String, Value>, String> {
    let none = Map::new();
    let properties = rules.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let required = rules.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let required = |name: &str| required.iter().any(|known| known == name);
    let mut fitted = Map::new();
    for (name, schema) in properties {
        match object.remove(name) {
            Some(value) => {
                fitted.insert(name.clone(), fit(value, schema, &format!("'{name}'"))?);
            }
            None if !required(name) => {}
            None if allows_null(schema) => {
                fitted.insert(name.clone(), Value::Null);
            }
            None => return Err(format!("{place} has no '{name}'")),
        }
    }
    if rules.get("additionalProperties") != Some(&Value::Bool(false)) {
        fitted.extend(object);
    }
    Ok(fitted)
}

fn fit_items(items: Vec<Value>, rules: &Map<String, Value>, place: &str) -> Result<Vec<Value>, String> {
    let count = Some(items.len() as f64);
    within(&items.len().into(), count, rules, ["minItems", "maxItems"], &format!("the length of {place}"))?;
    let Some(schema) = rules.get("items") else { return Ok(items) };
    items.into_iter().map(|item| fit(item, schema, &format!("an item of {place}"))).collect()
}

fn any_of(value: Value, choices: &[Value], place: &str) -> Result<Value, String> {
    let mut complaint = None;
    for schema in choices {
        match fit(value.clone(), schema, place) {
            Ok(value) => return Ok(value),
            Err(why) => complaint = complaint.or(Some(why)),
        }
    }
    Err(complaint.unwrap_or_else(|| format!("{place} can be nothing at all")))
}

fn within(
    value: &Value,
    measure: Option<f64>,
    rules: &Map<String, Value>,
    [least, most]: [&str; 2],
    place: &str,
) -> Result<(), String> {
    let limit = |name: &str| rules.get(name).and_then(Value::as_f64);
    match measure {
        Some(measure) if limit(least).is_some_and(|least| measure < least) => {
            Err(format!("{place} ({}) is below {}", short(value), rules[least]))
        }
        Some(measure) if limit(most).is_some_and(|most| measure > most) => {
            Err(format!("{place} ({}) is above {}", short(value), rules[most]))
        }
        _ => Ok(()),
    }
}

/// Texts are not repeated in complaints: they go into logs.
fn short(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{} letters", text.chars().count()),
        other => other.to_string(),
    }
}

fn allows_null(schema: &Value) -> bool {
    let listed =
        |name: &str| schema.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    schema.get("type").is_some_and(|wanted| types(wanted).any(|name| name == "null"))
        || schema.get("nullable") == Some(&Value::Bool(true))
        || listed("enum").contains(&Value::Null)
        || listed("anyOf").iter().any(allows_null)
}

fn types(wanted: &Value) -> impl Iterator<Item = &str> {
    let (one, several) = match wanted {
        Value::Array(names) => (None, names.as_slice()),
        one => (Some(one), Default::default()),
    };
    one.into_iter().chain(several).filter_map(Value::as_str)
}

fn is_a(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        // JSON Schema counts 1.0 among the integers.
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0),
        _ => true,
    }
}

fn article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}
