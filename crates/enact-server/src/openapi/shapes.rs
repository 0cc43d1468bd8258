//! Schemas as programs understand them that generate clients.
//!
//! Schemas are derived from Rust types, which say some things in ways that make bad clients: a field with a
//! default becomes required in TypeScript, bytes become a list of numbers, an object of any keys becomes one
//! without keys, and a field that is left out may also be null.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

/// Mends every schema of a document.
pub(super) fn mend(document: &mut Value) {
    let asked = request_schemas(document);
    each_operation(document, mend_contents);
    if let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) {
        for (name, schema) in schemas {
            mend_schema(schema);
            if !asked.contains(name) {
                never_null_if_left_out(schema);
            }
        }
    }
    each_operation(document, |operation| {
        for part in ["requestBody", "responses"] {
            if let Some(part) = operation.get_mut(part) {
                mend_schema(part);
            }
        }
        // A parameter that is not given is left out: there is no null in an address.
        for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            mend_schema(parameter);
            never_null(&mut parameter["schema"]);
        }
    });
}

fn each_operation(document: &mut Value, change: impl FnMut(&mut Value)) {
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    let items = paths.filter_map(|(_, item)| item.as_object_mut());
    items.flat_map(|item| item.values_mut()).for_each(change);
}

/// Bytes and streams are what their content type says, whatever type stands for them.
fn mend_contents(operation: &mut Value) {
    let responses = operation["responses"].as_object_mut().into_iter().flatten();
    let contents = responses.filter_map(|(_, response)| response.get_mut("content")?.as_object_mut());
    for (kind, content) in contents.flatten() {
        if kind.starts_with("audio/") || kind.starts_with("image/") {
            content["schema"] = json!({ "type": "string", "format": "binary" });
        } else if kind == "text/event-stream" {
            // OpenAPI 3.2 has `itemSchema` for one event of a stream. Without it generated clients read the
            // whole text as a single event.
            let event = content["schema"].take();
            content["itemSchema"] = event;
            content["schema"] = json!({ "description": "Server-sent events, one after the other." });
        }
    }
}

/// Mends a schema and all that is in it.
fn mend_schema(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mend_schema),
        Value::Object(schema) => {
            // Examples are data.
            let inner = schema.iter_mut().filter(|(key, _)| !matches!(key.as_str(), "example" | "examples"));
            inner.for_each(|(_, value)| mend_schema(value));
            // Generators take what has a default for what is always there. The descriptions name defaults.
            if schema.contains_key("type") || schema.contains_key("$ref") || schema.contains_key("oneOf") {
                schema.shift_remove("default");
            }
            put_remarks_beside(schema);
            if schema.get("type").is_some_and(|kind| kind == "object")
                && !["properties", "additionalProperties"].iter().any(|key| schema.contains_key(*key))
            {
                schema.insert("additionalProperties".to_owned(), true.into());
            }
        }
        _ => {}
    }
}

/// Makes `{"allOf": [A, {"type": "object", "description": …}]}` one schema: the second part only remarks on
/// the first, and contradicts it where that is no object.
fn put_remarks_beside(schema: &mut Map<String, Value>) {
    const REMARKS: [&str; 4] = ["type", "description", "example", "additionalProperties"];
    let Some([Value::Object(what), Value::Object(remark)]) =
        schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice)
    else {
        return;
    };
    if remark.keys().all(|key| REMARKS.contains(&key.as_str())) {
        let mut whole = what.clone();
        let said = remark.iter().filter(|(key, _)| matches!(key.as_str(), "description" | "example"));
        whole.extend(said.map(|(key, value)| (key.clone(), value.clone())));
        schema.shift_remove("allOf");
        schema.extend(whole);
    }
}

/// Answers leave out what they do not have: what is not required is never null. What may be null is always
/// there.
fn never_null_if_left_out(schema: &mut Value) {
    let parts = schema.get_mut("allOf").and_then(Value::as_array_mut).into_iter().flatten();
    parts.for_each(never_null_if_left_out);
    let required: Vec<Value> = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten();
    for (_, property) in properties.filter(|(key, _)| !required.contains(&Value::from(key.as_str()))) {
        never_null(property);
    }
}

/// Takes null from what a value may be.
fn never_null(schema: &mut Value) {
    if let Some(kinds) = schema.get_mut("type").and_then(Value::as_array_mut) {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            schema["type"] = only.clone();
        }
    }
    let Some(ways) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else { return };
    ways.retain(|way| way.get("type").is_none_or(|kind| kind != "null"));
    if let ([only], Some(schema)) = (ways.clone().as_slice(), schema.as_object_mut()) {
        schema.shift_remove("oneOf");
        schema.extend(only.as_object().cloned().unwrap_or_default());
    }
}

/// The schemas that requests are made of.
fn request_schemas(document: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let paths = document["paths"].as_object().into_iter().flatten();
    let operations = paths.filter_map(|(_, item)| item.as_object()).flat_map(Map::values);
    let mut open: Vec<&Value> = operations.map(|operation| &operation["requestBody"]).collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(map) => {
                open.extend(map.values());
                let name = map.get("$ref").and_then(Value::as_str).and_then(|to| to.rsplit('/').next());
                if let Some(name) = name.filter(|name| found.insert((*name).to_owned())) {
                    open.push(&document["components"]["schemas"][name]);
                }
            }
            _ => {}
        }
    }
    found
}
