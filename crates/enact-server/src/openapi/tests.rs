use std::collections::BTreeSet;

use serde_json::Value;

use super::*;
use crate::tests::server;

fn json() -> Value {
    serde_json::to_value(openapi(&server::api(), &server::productions())).unwrap()
}

fn all() -> Vec<Route> {
    routes::all(&server::api(), &server::productions())
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

#[tokio::test]
async fn every_route_is_described_and_nothing_else() {
    let served: BTreeSet<(String, String)> =
        all().iter().map(|route| (route.method().to_string(), route.described_path())).collect();
    let document = json();
    let described: BTreeSet<(String, String)> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, item)| {
            keys(item).into_iter().map(move |method| (method.to_uppercase(), path.clone()))
        })
        .collect();
    assert_eq!(served, described);
}

#[tokio::test]
async fn every_operation_says_what_it_is_and_what_it_needs() {
    let document = json();
    for route in all() {
        let operation = &document["paths"][route.described_path()][route.method().as_str().to_lowercase()];
        let what = format!("{route:?}");
        assert!(operation["summary"].is_string(), "{what}");
        assert!(operation["responses"]["default"].is_object(), "{what}");
        assert!(operation["tags"].is_array(), "{what}");
        let needed = &operation["security"][0][TOKEN][0];
        assert_eq!(needed.as_str(), route.scope().map(crate::access::Scope::as_str), "{what}");
        let in_path = operation["parameters"].as_array().into_iter().flatten().filter(|p| p["in"] == "path");
        assert_eq!(in_path.count(), route.path().matches('{').count(), "{what}");
    }
}

#[tokio::test]
async fn every_reference_leads_somewhere() {
    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(map) => map.iter().for_each(|(key, value)| match value.as_str() {
                Some(text) if key == "$ref" => found.push(text),
                _ => references(value, found),
            }),
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    let document = json();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

#[tokio::test]
async fn the_codes_are_listed() {
    let document = json();
    let text = document["info"]["description"].as_str().unwrap();
    assert!(ErrorCode::ALL.iter().all(|code| text.contains(code.as_str())));
    assert!(text.contains("NOT_A_CHORUS"), "those of productions as well");
}

/// Calls this with every schema of a document, and where it stands.
fn each_schema(value: &Value, at: &str, look: &mut impl FnMut(&Value, &str)) {
    match value {
        Value::Object(map) => {
            look(value, at);
            let inner = map.iter().filter(|(key, _)| !key.starts_with("example"));
            inner.for_each(|(key, value)| each_schema(value, &format!("{at}/{key}"), look));
        }
        Value::Array(items) => items.iter().for_each(|item| each_schema(item, at, look)),
        _ => {}
    }
}

#[tokio::test]
async fn generated_clients_get_what_they_need() {
    let document = json();
    each_schema(&document["components"]["schemas"], "", &mut |schema, at| {
        let is_schema = schema["type"].is_string() || schema["type"].is_array() || schema["$ref"].is_string();
        // What has a default is required for openapi-typescript.
        assert!(!is_schema || schema.get("default").is_none(), "{at} has a default");
        // And an object without a word on its keys has none.
        let any = schema["type"] == "object" && schema.get("properties").is_none();
        assert!(!any || schema.get("additionalProperties").is_some(), "{at} has no keys");
        assert!(schema.get("allOf").is_none() || schema["allOf"].as_array().unwrap().len() > 1, "{at}");
    });
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["SceneConfig"]["properties"]["onMalformed"]["type"], "string");
    assert_eq!(schemas["ProductionName"]["enum"], serde_json::json!(["scene", "chorus"]));
    for name in ["SceneRun", "ChorusRun", "SceneResult", "ChorusResult"] {
        let named = schemas[name]["properties"]["production"]["const"].as_str().unwrap();
        assert!(name.to_lowercase().starts_with(named), "{name}");
        assert!(schemas[name]["required"].as_array().unwrap().contains(&"metadata".into()), "{name}");
    }
    // What is left out is never null; what may be null is there.
    assert_eq!(schemas["Run"]["properties"]["problem"]["type"], "string");
    assert_eq!(schemas["Run"]["properties"]["reason"]["type"], serde_json::json!(["string", "null"]));
    assert_eq!(schemas["CostGroup"]["allOf"][1]["properties"]["name"]["type"], "string");
    // Requests may say null.
    assert_eq!(schemas["NewNote"]["properties"]["to"]["type"], serde_json::json!(["string", "null"]));
}

#[tokio::test]
async fn open_routes_say_so_and_audio_is_bytes() {
    let document = json();
    for route in all() {
        let operation = &document["paths"][route.described_path()][route.method().as_str().to_lowercase()];
        assert_eq!(
            operation["security"].as_array().unwrap().is_empty(),
            route.scope().is_none(),
            "{route:?}"
        );
    }
    let audio = &document["paths"]["/v1/audio/{path}"]["get"]["responses"];
    for status in ["200", "206"] {
        let schema = &audio[status]["content"]["audio/wav"]["schema"];
        assert_eq!(*schema, serde_json::json!({ "type": "string", "format": "binary" }), "{status}");
    }
    let events = &document["paths"]["/v1/runs/{id}/events"]["get"]["responses"]["200"]["content"];
    let events = &events["text/event-stream"];
    assert_eq!(events["itemSchema"]["$ref"], "#/components/schemas/ServerSentEvent");
    assert!(events["schema"]["$ref"].is_null(), "the stream is not one event");
}

#[tokio::test]
async fn choices_are_listed_where_there_are_some() {
    let document = json();
    let parameter = |path: &str, name: &str| {
        let all = document["paths"][path]["get"]["parameters"].as_array().unwrap();
        all.iter().find(|parameter| parameter["name"] == name).unwrap()["schema"].clone()
    };
    let to = |name: &str| format!("#/components/schemas/{name}");
    assert_eq!(parameter("/v1/runs", "status")["items"]["$ref"], to("RunStatus"));
    assert_eq!(parameter("/v1/runs", "production")["$ref"], to("ProductionName"));
    assert_eq!(parameter("/v1/runs/{id}/transcript", "format")["$ref"], to("TranscriptFormat"));
    // serde lists what it knows when it is given something else.
    let unknown = serde_json::from_value::<enact_engine::log::Status>("".into()).unwrap_err().to_string();
    let known: Vec<&str> = unknown.split('`').skip(1).step_by(2).skip(1).collect();
    assert_eq!(document["components"]["schemas"]["RunStatus"]["enum"], serde_json::json!(known));
}

#[tokio::test]
async fn commands_and_codes_have_types() {
    let document = json();
    let body = &document["paths"]["/v1/runs/{id}/commands"]["post"]["requestBody"]["content"];
    assert_eq!(body["application/json"]["schema"]["$ref"], "#/components/schemas/RunCommand");
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["RunCommand"]["anyOf"].as_array().unwrap().len(), server::productions().len());
    assert_eq!(
        schemas["ErrorBody"]["properties"]["code"]["$ref"], "#/components/schemas/ErrorCode",
        "{}",
        schemas["ErrorBody"]
    );
    let codes: Vec<&str> =
        schemas["ErrorCode"]["enum"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let own: usize = server::productions().iter().map(|production| production.codes().len()).sum();
    assert_eq!(codes.len(), ErrorCode::ALL.len() + own);
    assert!(codes.contains(&"RUN_ENDED") && codes.contains(&"NOT_A_CHORUS"));
}

#[tokio::test]
async fn texts_and_lists_that_are_accepted_have_limits() {
    let document = json();
    let schemas = &document["components"]["schemas"];
    for (name, key, limit) in [
        ("SceneConfig", "prompt", "maxLength"),
        ("SceneConfig", "setting", "maxLength"),
        ("SceneConfig", "language", "maxLength"),
        ("SceneConfig", "initialSpeaker", "maxLength"),
        ("SceneConfig", "characters", "maxItems"),
        ("SceneConfig", "goals", "maxItems"),
        ("SceneConfig", "events", "maxItems"),
        ("SceneConfig", "maxBeats", "maximum"),
        ("SceneConfig", "window", "maximum"),
        ("SceneConfig", "replyTimeoutSeconds", "maximum"),
        ("NewNote", "text", "maxLength"),
        ("NewNote", "to", "maxLength"),
        ("WorldEvent", "text", "maxLength"),
        ("ChatRequest", "message", "maxLength"),
        ("ChatRequest", "slots", "maxItems"),
        ("ChatRequest", "conversationId", "maxLength"),
    ] {
        assert!(schemas[name]["properties"][key][limit].is_number(), "{name}.{key} has no {limit}");
    }
    assert!(schemas["SceneConfig"]["properties"]["goals"]["items"]["maxLength"].is_number());
    assert!(schemas["SceneConfig"]["properties"]["characters"]["items"]["pattern"].is_string());
}
