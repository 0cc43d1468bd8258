//! Answers that have to have a shape.

use enact_drama::request::Schema;
use serde_json::Value;

/// The JSON object in an answer, if it has all that the schema requires at its top.
pub(super) fn structured(text: &str, schema: &Schema) -> Result<String, String> {
    let (Some(begin), Some(end)) = (text.find('{'), text.rfind('}')) else {
        return Err("there is no JSON object in it".to_owned());
    };
    let object = text.get(begin..=end).ok_or("there is no JSON object in it")?;
    let value: Value = serde_json::from_str(object).map_err(|error| error.to_string())?;
    let required = schema.json["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    match required.into_iter().find(|key| value.get(key).is_none()) {
        Some(missing) => Err(format!("'{missing}' is missing")),
        None => Ok(value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_object_is_found_and_has_to_be_whole() {
        let schema = Schema { name: "verdict", json: json!({"required": ["met", "why"]}) };
        for (text, expected) in [
            (r#"{"met": true, "why": "x"}"#, Ok(r#"{"met":true,"why":"x"}"#)),
            ("Here:\n```json\n{\"met\":null,\"why\":\"\"}\n```", Ok(r#"{"met":null,"why":""}"#)),
            (r#"{"met": true}"#, Err("'why' is missing")),
            ("no", Err("there is no JSON object in it")),
            ("} {", Err("there is no JSON object in it")),
            ("", Err("there is no JSON object in it")),
        ] {
            let found = structured(text, &schema);
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{text}");
        }
        assert!(structured("{met: true}", &schema).is_err());
    }
}
