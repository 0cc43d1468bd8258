use std::collections::BTreeSet;

use enact_drama::scene::{DeckEvent, OnMalformed, SceneConfig, SceneFormat, Wish, read_scene};
use serde_json::Value;

use super::*;

fn json() -> Value {
    serde_json::to_value(openapi()).unwrap()
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

#[test]
fn every_route_is_described_and_nothing_else() {
    let served: BTreeSet<(String, String)> =
        routes::all().iter().map(|route| (route.method.to_string(), route.described())).collect();
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

#[test]
fn every_operation_says_what_it_is_and_what_it_needs() {
    let document = json();
    for route in routes::all() {
        let operation = &document["paths"][route.described()][route.method.as_str().to_lowercase()];
        let what = format!("{} {}", route.method, route.path);
        assert!(operation["summary"].is_string(), "{what}");
        assert!(operation["responses"]["default"].is_object(), "{what}");
        assert!(operation["tags"].is_array(), "{what}");
        let needed = &operation["security"][0][TOKEN][0];
        assert_eq!(needed.as_str(), route.scope.map(crate::access::Scope::as_str), "{what}");
        let in_path = operation["parameters"].as_array().into_iter().flatten().filter(|p| p["in"] == "path");
        assert_eq!(in_path.count(), route.path.matches('{').count(), "{what}");
    }
}

#[test]
fn every_reference_leads_somewhere() {
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

/// The document's scene is written by hand: enact-drama knows nothing of HTTP. This holds the two together.
#[test]
fn a_scene_has_the_keys_it_is_described_with() {
    let everything = SceneConfig {
        name: "all".into(),
        prompt: "Everything is said.".into(),
        characters: vec!["alice".into(), "bob".into()],
        initial_speaker: Some("alice".into()),
        max_beats: Some(3),
        setting: Some("Here".into()),
        goals: vec!["Alice apologizes".into()],
        events: vec![
            DeckEvent::WhenNeeded("It rains.".into()),
            DeckEvent::AtBeat { beat: 1, text: "It stops.".into() },
        ],
        reply_timeout_seconds: Some(5.0),
        window: Some(4),
        seed: Some(1),
        language: Some("French".into()),
        stage_directions: true,
        on_malformed: OnMalformed::Retry,
        models: [("alice".to_owned(), Wish::from("improviser"))].into(),
    };
    let real = serde_json::to_value(&everything).unwrap();
    let document = json();
    let schema = &document["components"]["schemas"]["SceneConfig"];
    assert_eq!(keys(&schema["properties"]), keys(&real));
    assert_eq!(schema["required"], serde_json::json!(["name", "prompt", "characters"]));
    for (key, property) in schema["properties"].as_object().unwrap() {
        assert!(property["description"].is_string(), "{key} says nothing");
    }
}

#[test]
fn the_examples_make_a_scene() {
    let document = json();
    let properties = document["components"]["schemas"]["SceneConfig"]["properties"].as_object().unwrap();
    let example: serde_json::Map<String, Value> = properties
        .iter()
        .filter_map(|(key, property)| Some((key.clone(), property.get("example")?.clone())))
        .collect();
    let scene = read_scene(&Value::Object(example).to_string(), SceneFormat::Json).unwrap();
    scene.check().unwrap();
}

#[test]
fn the_codes_are_listed() {
    let document = json();
    let text = document["info"]["description"].as_str().unwrap();
    assert!(Code::ALL.iter().all(|code| text.contains(code.as_str())));
}
