use std::collections::BTreeSet;

use enact_drama::scene::{
    Command, DeckEvent, HumanSeconds, HumanTimeout, NoJudge, OnMalformed, RequestedModel, SceneConfig,
    SceneFormat, read_scene,
};
use serde_json::Value;

use crate::{openapi::openapi, tests::server};

fn json() -> Value {
    serde_json::to_value(openapi(&server::api(), &server::productions())).unwrap()
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

#[tokio::test]
async fn a_scene_has_the_keys_it_is_described_with() {
    let everything = SceneConfig {
        name: "all".into(),
        title: Some("All of It".into()),
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
        human_timeout_seconds: Some(HumanTimeout::Seconds(HumanSeconds(60.0))),
        window: Some(4),
        seed: Some(1),
        language: Some("French".into()),
        stage_directions: true,
        on_malformed: OnMalformed::Retry,
        remember: true,
        models: [("alice".to_owned(), RequestedModel::from("improviser"))].into(),
        judge: Some(NoJudge::None),
    };
    let real = serde_json::to_value(&everything).unwrap();
    let document = json();
    let schema = &document["components"]["schemas"]["SceneConfig"];
    assert_eq!(keys(&schema["properties"]), keys(&real));
    assert_eq!(schema["required"], serde_json::json!(["name", "prompt", "characters"]));
    for (key, property) in schema["properties"].as_object().unwrap() {
        // What refers to another schema has its own description beside the reference.
        let parts = property["allOf"].as_array().into_iter().flatten();
        let mut parts = std::iter::once(property).chain(parts);
        assert!(parts.any(|part| part["description"].is_string()), "{key} says nothing");
    }
}

#[tokio::test]
async fn the_examples_make_a_scene() {
    let document = json();
    let properties = document["components"]["schemas"]["SceneConfig"]["properties"].as_object().unwrap();
    let example: serde_json::Map<String, Value> = properties
        .iter()
        .filter_map(|(key, property)| Some((key.clone(), property.get("example")?.clone())))
        .collect();
    let scene = read_scene(&Value::Object(example).to_string(), SceneFormat::Json).unwrap();
    scene.check().unwrap();
}

#[tokio::test]
async fn the_commands_that_are_described_are_those_that_are_taken() {
    let document = json();
    let shapes = document["components"]["schemas"]["SceneCommand"]["oneOf"].as_array().unwrap();
    let described: BTreeSet<&str> = shapes
        .iter()
        .map(|shape| {
            let name = &shape["properties"]["command"];
            name["enum"][0].as_str().or(name["const"].as_str()).unwrap()
        })
        .collect();
    // serde lists what it knows when it is given something else.
    let unknown = serde_json::from_str::<Command>(r#"{"command":""}"#).unwrap_err().to_string();
    let known: BTreeSet<&str> =
        unknown.split('`').skip(1).step_by(2).filter(|name| !name.is_empty()).collect();
    assert_eq!(described, known);
}
