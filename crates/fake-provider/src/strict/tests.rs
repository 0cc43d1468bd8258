use serde_json::json;

use super::*;

/// Whether each of the two would follow a schema.
fn check(schema: &Value, anthropic: bool, openai: bool) {
    assert_eq!(check_for_anthropic(schema).is_ok(), anthropic, "Anthropic: {schema}");
    assert_eq!(check_for_openai("s", schema).is_ok(), openai, "OpenAI: {schema}");
}

fn object(properties: Value, required: Value) -> Value {
    json!({"type": "object", "additionalProperties": false, "properties": properties, "required": required})
}

#[test]
fn what_each_accepts() {
    let string = json!({"type": "string"});
    check(&object(json!({"a": string}), json!(["a"])), true, true);
    check(&object(json!({"a": string}), json!([])), true, false);
    check(&json!({"type": "object", "properties": {}, "required": []}), false, false);
    check(&object(json!({"a": {"type": "integer", "minimum": 0}}), json!(["a"])), false, true);
    check(&object(json!({"a": {"type": "array", "items": {"type": "object"}}}), json!(["a"])), false, false);
    check(&json!({"anyOf": [{"type": "null"}, {"type": "object"}]}), false, false);
    check(&json!({"$ref": "#/$defs/A", "$defs": {"A": {"type": "object"}}}), false, false);
}

#[test]
fn a_property_may_have_the_name_of_a_bound() {
    check(&object(json!({"minimum": {"type": "string"}}), json!(["minimum"])), true, true);
}
