use super::*;

/// Every word of the language that is used.
fn schema() -> Schema {
    Schema {
        name: "verdict",
        json: json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["met", "sure", "mood", "quotes", "note"],
            "properties": {
                "met": {"type": "boolean"},
                "sure": {"type": "number", "minimum": 0, "maximum": 1, "description": "how sure"},
                "mood": {"type": "string", "enum": ["calm", "tense"]},
                "quotes": {"type": "array", "maxItems": 2, "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["line"],
                    "properties": {"line": {"type": "integer", "minimum": 0}},
                }},
                "note": {"type": ["string", "null"], "maxLength": 20},
            },
        }),
        exact: true,
    }
}

const GOOD: &str = r#"{"met":true,"sure":0.5,"mood":"calm","quotes":[{"line":3}],"note":null}"#;

#[test]
fn json_is_found_whatever_is_around_it() {
    for text in [
        GOOD.to_owned(),
        format!("\n  {GOOD}  \n"),
        format!("```json\n{GOOD}\n```"),
        format!("```\n{GOOD}\n```\nI hope this helps!"),
        format!("Here is the verdict [as {{asked}}]:\n\n{GOOD}\n\nBob {{sic}} did well."),
        GOOD.replace("}]", "},]").replace("null}", "null,}"),
        GOOD.replace('"', "'"),
        GOOD.replace('"', "“"),
        GOOD.replace("true", "True").replace("null", "None"),
        GOOD.replace(",\"mood", ", // how it feels\n \"mood"),
        format!("Sure: {}", GOOD.trim_end_matches('}')),
        GOOD.replace(",\"note\":null", ""),
        GOOD.replace("\"met\"", "\"why\":\"he said so\",\"met\""),
        GOOD.replace("{\"line\":3}", "{\"line\":3.0,\"who\":\"bob\"}"),
    ] {
        let read = read(&text, &schema()).unwrap_or_else(|why| panic!("{text}: {why}"));
        let read: Value = serde_json::from_str(&read).unwrap();
        assert_eq!(read["met"], true, "{text}");
        assert_eq!(read["quotes"][0]["line"].as_f64(), Some(3.0), "{text}");
        assert_eq!(read["note"], Value::Null, "{text}");
        assert_eq!(read.as_object().unwrap().len(), 5, "{text}");
    }
}

#[test]
fn what_does_not_fit_is_said() {
    for (text, why) in [
        ("".to_owned(), "there is no JSON in it"),
        ("I would say so.".to_owned(), "there is no JSON in it"),
        ("\"met\"".to_owned(), "the answer is not an object"),
        ("{}".to_owned(), "the answer has no 'met'"),
        (GOOD.replace("true", "\"yes\""), "'met' is not a boolean"),
        (GOOD.replace("0.5", "1.5"), "'sure' (1.5) is above 1"),
        (GOOD.replace("0.5", "-1"), "'sure' (-1) is below 0"),
        (GOOD.replace("calm", "bored"), r#"'mood' is none of ["calm","tense"]"#),
        (GOOD.replace("3", "3.5"), "'line' is not an integer"),
        (GOOD.replace("{\"line\":3}", "{}"), "an item of 'quotes' has no 'line'"),
        (
            GOOD.replace("{\"line\":3}", "{\"line\":1},{\"line\":1},{\"line\":1}"),
            "the length of 'quotes' (3) is above 2",
        ),
        (
            GOOD.replace("null", "\"a private word or two more\""),
            "the length of 'note' (26 letters) is above 20",
        ),
        (GOOD.replace("null", "7"), "'note' is not a string or null"),
    ] {
        assert_eq!(read(&text, &schema()), Err(why.to_owned()), "{text}");
    }
}

#[test]
fn another_shape_is_given_as_it_came_where_that_is_of_use() {
    let schema = Schema { exact: false, ..schema() };
    for (text, given) in [
        (GOOD, GOOD),
        ("Here you are: {\"met\": true}\n", "Here you are: {\"met\": true}"),
        (" It was met, I would say. ", "It was met, I would say."),
    ] {
        assert_eq!(read(text, &schema).as_deref(), Ok(given));
    }
}

#[test]
fn alternatives_are_tried() {
    let json = json!({"anyOf": [{"type": "integer"}, {"const": "none"}, {"type": "null"}]});
    let schema = Schema { name: "choice", json, exact: true };
    for (text, outcome) in [
        ("7", Ok("7")),
        ("\"none\"", Ok("\"none\"")),
        ("null", Ok("null")),
        ("\"some\"", Err("the answer is not an integer")),
    ] {
        assert_eq!(read(text, &schema).as_deref().map_err(String::as_str), outcome);
    }
}

#[test]
fn anthropic_is_told_limits_in_words() {
    let wire = without_limits(&schema().json);
    assert_eq!(
        wire["properties"]["sure"],
        json!({"type": "number", "description": "how sure (minimum 0, maximum 1)"})
    );
    assert_eq!(wire["properties"]["quotes"]["description"], "maxItems 2");
    let line = &wire["properties"]["quotes"]["items"]["properties"]["line"];
    assert_eq!(*line, json!({"type": "integer", "description": "minimum 0"}));
    assert_eq!(wire["required"], schema().json["required"]);
    // A property may be called like a limit.
    let named = json!({"type": "object", "properties": {"minimum": {"type": "number"}}});
    assert_eq!(without_limits(&named), named);
}

#[test]
fn the_words_hold_the_schema() {
    let words = in_words(&schema());
    assert!(words.contains(r#""enum":["calm","tense"]"#), "{words}");
}

proptest::proptest! {
    #[test]
    fn whatever_is_read_fits(text in "[{}\\[\\]\",:a-z0-9 ]{0,80}|.{0,80}", at in 0..GOOD.len()) {
        let broken = format!("{}{text}{}", &GOOD[..at], &GOOD[at..]);
        for text in [&text, &broken] {
            if let Ok(json) = read(text, &schema()) {
                let value = serde_json::from_str(&json).unwrap();
                proptest::prop_assert_eq!(validate::conform(value, &schema().json).unwrap().to_string(), json);
            }
        }
    }
}
