use serde_json::json;

use super::*;

fn environment(name: &str) -> Option<String> {
    match name {
        "TOKEN" => Some(" t0ken-4711 \n".to_owned()),
        "EMPTY" => Some(" ".to_owned()),
        "BROKEN" => Some("a\nb".to_owned()),
        _ => None,
    }
}

#[test]
fn headers_are_filled_from_the_environment_and_shown_without() {
    for (name, written, sent, shown) in [
        ("X-Title", "enact", "enact", "enact"),
        ("x-empty", "", "", ""),
        ("Authorization", "Basic $TOKEN", "Basic t0ken-4711", "Basic $TOKEN"),
        ("x-price", "$5 and $$TOKEN", "$5 and $TOKEN", "$5 and $TOKEN"),
        ("x-two", "$TOKEN/$TOKEN.", "t0ken-4711/t0ken-4711.", "$TOKEN/$TOKEN."),
        ("x-id", "sk-abcdefghijk", "sk-abcdefghijk", "…"),
    ] {
        let header = ExtraHeader::parse(name, written).unwrap();
        assert_eq!(header.shown(), shown, "{written}");
        let header = header.filled(environment).unwrap();
        let (sent_name, value) = header.header().unwrap();
        assert_eq!((sent_name.as_str(), value.as_bytes()), (&*name.to_lowercase(), sent.as_bytes()));
        assert_eq!(header.shown(), shown, "{written}");
        assert!(!format!("{header:?} {value:?}").contains("t0ken"), "{header:?}");
    }
}

#[test]
fn headers_that_cannot_be_are_refused_with_a_reason() {
    for (name, written, message) in [
        ("Host", "x", "the header 'Host' cannot be set"),
        ("content-length", "7", "the header 'content-length' cannot be set"),
        ("Transfer-Encoding", "chunked", "the header 'Transfer-Encoding' cannot be set"),
        ("a b", "x", "the header 'a b' cannot be sent"),
        ("", "x", "the header '' cannot be sent"),
        ("x-a", "b\nc", "the header 'x-a' cannot be sent as it is"),
        (
            "authorization",
            "Bearer hunter2",
            "the header 'authorization' carries a secret, and secrets are never written into this file",
        ),
        (
            "X-Gateway-Token",
            "hunter2",
            "the header 'X-Gateway-Token' carries a secret, and secrets are never written into this file",
        ),
    ] {
        let problem = ExtraHeader::parse(name, written).unwrap_err();
        assert_eq!(problem.message, message);
        assert!(problem.hint.is_some() && !format!("{problem:?}").contains("hunter2"));
    }
    for variable in ["MISSING", "EMPTY"] {
        let header = ExtraHeader::parse("x-a", &format!("${variable}")).unwrap();
        let message = format!("the header 'x-a' needs {variable}, which is not set");
        assert_eq!(header.filled(environment).unwrap_err().message, message);
    }
    let broken = ExtraHeader::parse("x-a", "$BROKEN").unwrap().filled(environment).unwrap();
    assert_eq!(broken.header().unwrap_err().message, "the header 'x-a' cannot be sent as it is");
}

#[test]
fn a_body_has_the_last_word_except_about_what_is_ours() {
    let object = |value: Value| value.as_object().unwrap().clone();
    let mut sent = object(json!({"top_k": 1, "generationConfig": {"temperature": 1, "topP": 0.5}}));
    merge(&mut sent, &object(json!({"top_k": 5, "generationConfig": {"topP": 0.9, "topK": 3}, "new": [1]})));
    let merged =
        json!({"top_k": 5, "generationConfig": {"temperature": 1, "topP": 0.9, "topK": 3}, "new": [1]});
    assert_eq!(Value::Object(sent), merged);
    for (body, refused) in [
        (json!({"top_k": 5, "options": {"mirostat": 1}}), None),
        (json!({"messages": []}), Some("messages")),
        (json!({"stream": true}), Some("stream")),
        (json!({"model": "x"}), Some("model")),
        (json!({"options": {"num_predict": 9}}), Some("options.num_predict")),
        (json!({"generationConfig": {"candidateCount": 2}}), Some("generationConfig.candidateCount")),
    ] {
        let told = check_body(&object(body)).err();
        assert_eq!(
            told.as_ref().map(|problem| problem.message.clone()),
            refused.map(|path| format!("body cannot set '{path}'"))
        );
        assert!(told.is_none_or(|problem| problem.hint.is_some()));
    }
    assert_eq!(shown_body(&json!({"a": ["sk-abcdefghijk", 7]})), json!({"a": ["…", 7]}));
}
