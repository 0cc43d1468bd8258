use std::collections::BTreeSet;

use serde_json::Value;

use super::*;
use crate::nobody;

fn json() -> Value {
    serde_json::to_value(openapi(&nobody::api(), &nobody::productions())).unwrap()
}

fn all() -> Vec<Route> {
    routes::all(&nobody::api(), &nobody::productions())
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
    assert!(Code::ALL.iter().all(|code| text.contains(code.as_str())));
    assert!(text.contains("NOT_A_CHORUS"), "those of productions as well");
}
