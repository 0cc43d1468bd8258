use super::*;

#[test]
fn smallest_instances() {
    let why = json!({"type": "object", "required": ["quote"], "properties": {"quote": {"type": "string"}}});
    let cases = [
        (json!({"type": "string"}), json!("")),
        (json!({"type": "string", "minLength": 3}), json!("xxx")),
        (json!({"type": "boolean"}), json!(false)),
        (json!({"type": "integer"}), json!(0)),
        (json!({"type": "integer", "minimum": 3}), json!(3)),
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
                "properties": {"met": {"type": "boolean"}, "why": why, "more": {}},
            }),
            json!({"met": false, "why": {"quote": ""}}),
        ),
    ];
    for (schema, expected) in cases {
        assert_eq!(minimal_instance(&schema), expected, "{schema}");
    }
}
