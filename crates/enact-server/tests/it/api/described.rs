//! Answers are as the OpenAPI document describes them.

use serde_json::{Value, json};

use super::server::{Server, apology, chat, gated, run_id};

/// What of a value is not as a schema says, as far as this document's schemas go. Keys that are not described
/// are faults as well, though clients have to expect them: of a later version.
fn faults(document: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let schema = resolved(document, schema);
    if let Some(parts) = schema["allOf"].as_array() {
        let mut whole = json!({ "type": "object", "properties": {}, "required": [] });
        for part in parts.iter().map(|part| resolved(document, part)) {
            let properties = part["properties"].as_object().unwrap().clone();
            whole["properties"].as_object_mut().unwrap().extend(properties);
            let required = part["required"].as_array().cloned().unwrap_or_default();
            whole["required"].as_array_mut().unwrap().extend(required);
        }
        return faults(document, &whole, value, at);
    }
    let mut found = Vec::new();
    if let Some(ways) = schema["oneOf"].as_array()
        && !ways.iter().any(|way| faults(document, way, value, at).is_empty())
    {
        found.push(format!("{at} is none of what it may be: {value}"));
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().map(|kind| kind.as_str().unwrap()).collect(),
        _ => Vec::new(),
    };
    let is = |kind: &&str| match *kind {
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => value.is_null(),
    };
    if !kinds.is_empty() && !kinds.iter().any(is) {
        found.push(format!("{at} should be {kinds:?}, and is {value}"));
    }
    if schema.get("const").is_some_and(|only| only != value) {
        found.push(format!("{at} should be {}, and is {value}", schema["const"]));
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value) && !value.is_null()) {
        found.push(format!("{at} should be one of {}, and is {value}", schema["enum"]));
    }
    for item in value.as_array().into_iter().flatten().filter(|_| schema["items"].is_object()) {
        found.extend(faults(document, &schema["items"], item, &format!("{at}[]")));
    }
    let Some(map) = value.as_object() else { return found };
    for needed in schema["required"].as_array().into_iter().flatten() {
        if !map.contains_key(needed.as_str().unwrap()) {
            found.push(format!("{at} has no {needed}"));
        }
    }
    for (key, value) in map {
        let (property, others) = (&schema["properties"][key], &schema["additionalProperties"]);
        match (property.is_object(), others) {
            (true, _) => found.extend(faults(document, property, value, &format!("{at}.{key}"))),
            (false, Value::Object(_)) => {
                found.extend(faults(document, others, value, &format!("{at}.{key}")))
            }
            _ if schema["properties"].is_object() => found.push(format!("{at}.{key} is not described")),
            _ => {}
        }
    }
    found
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => document.pointer(reference.strip_prefix('#').unwrap()).unwrap(),
        None => schema,
    }
}

#[tokio::test]
async fn answers_are_as_they_are_described() {
    let server = Server::start().await;
    let document = server.json("/v1/openapi.json").await;
    let parent = server.play_out(apology()).await;
    let forked = server.post(&format!("/v1/runs/{parent}/fork"), json!({ "beat": 1 })).await;
    let fork = run_id(&forked.json().await.unwrap());
    server.get(&format!("/v1/runs/{fork}/events")).await.text().await.unwrap();
    let playing = server.play(gated()).await;
    let chorus = server.chat_out("Hello?", &[(1, "ada"), (2, "ben"), (3, "offline")]).await;
    for (method, route, path, body) in [
        ("get", "/v1/health", "/v1/health".to_owned(), None),
        ("get", "/v1/runs", "/v1/runs?limit=2".to_owned(), None),
        ("get", "/v1/runs", "/v1/runs".to_owned(), None),
        ("get", "/v1/runs/{id}", format!("/v1/runs/{parent}"), None),
        ("get", "/v1/runs/{id}", format!("/v1/runs/{fork}"), None),
        ("get", "/v1/runs/{id}", format!("/v1/runs/{playing}"), None),
        ("get", "/v1/runs/{id}/costs", format!("/v1/runs/{fork}/costs"), None),
        ("get", "/v1/runs/{id}/transcript", format!("/v1/runs/{parent}/transcript?format=json"), None),
        ("get", "/v1/runs/{id}/transcript", format!("/v1/runs/{chorus}/transcript?format=json"), None),
        ("get", "/v1/runs/{id}/transcript", format!("/v1/runs/{chorus}/transcript?format=metadata"), None),
        ("get", "/v1/runs/{id}/result", format!("/v1/runs/{parent}/result"), None),
        ("get", "/v1/runs/{id}/result", format!("/v1/runs/{playing}/result"), None),
        ("get", "/v1/runs/{id}/result", format!("/v1/runs/{chorus}/result"), None),
        ("get", "/v1/costs", "/v1/costs".to_owned(), None),
        ("get", "/v1/costs", "/v1/costs?by=character".to_owned(), None),
        ("post", "/v1/scenes", "/v1/scenes".to_owned(), Some(json!({ "config": apology() }))),
        ("post", "/v1/runs/{id}/fork", format!("/v1/runs/{parent}/fork"), Some(json!({ "beat": 0 }))),
        (
            "post",
            "/v1/runs/{id}/notes",
            format!("/v1/runs/{playing}/notes"),
            Some(json!({ "text": "Go on." })),
        ),
        (
            "post",
            "/v1/runs/{id}/commands",
            format!("/v1/runs/{playing}/commands"),
            Some(json!({ "command": "note", "text": "Go on." })),
        ),
        ("post", "/v1/runs/{id}/commands", format!("/v1/runs/{chorus}/commands"), Some(json!({}))),
        ("post", "/v1/runs/{id}/pause", format!("/v1/runs/{playing}/pause"), None),
        ("get", "/v1/agents", "/v1/agents".to_owned(), None),
        ("get", "/v1/runs/{id}", format!("/v1/runs/{chorus}"), None),
        ("get", "/v1/runs/{id}/costs", format!("/v1/runs/{chorus}/costs"), None),
        ("post", "/v1/reset", "/v1/reset".to_owned(), None),
        ("post", "/v1/reset", "/v1/reset".to_owned(), Some(json!({ "conversationId": "kiosk" }))),
        // And refusals.
        ("get", "/v1/runs/{id}", "/v1/runs/7".to_owned(), None),
        ("get", "/v1/runs", "/v1/runs?limit=many".to_owned(), None),
        ("post", "/v1/scenes", "/v1/scenes".to_owned(), Some(json!({ "config": {} }))),
        ("post", "/v1/chat", "/v1/chat".to_owned(), Some(chat("Hello?", &[(1, "nobody")]))),
        ("get", "/v1/audio/{path}", "/v1/audio/nothing.wav".to_owned(), None),
    ] {
        let operation = &document["paths"][route][method];
        if let Some(body) = &body
            && body["config"] != json!({})
        {
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            assert_eq!(faults(&document, schema, body, "the body"), Vec::<String>::new(), "{path}");
        }
        let mut request = server.request(&method.to_uppercase(), &path);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await.unwrap();
        let status = response.status().as_str().to_owned();
        let answers = &operation["responses"];
        let answer = answers.get(&status).unwrap_or(&answers["default"]);
        let schema = &answer["content"]["application/json"]["schema"];
        assert!(schema.is_object(), "{path} {status} is not described");
        let value: Value = response.json().await.unwrap();
        assert_eq!(faults(&document, schema, &value, &path), Vec::<String>::new(), "{value}");
    }
}
