use proptest::prelude::*;
use serde_json::json;

use super::*;

const KEY: &str = "sk-very-secret";

fn classifier() -> ErrorClassifier {
    let base = Url::parse("https://me:pw@h:1/private").unwrap();
    ErrorClassifier::new(&base, Some(ApiKey::new(KEY)), Some("EXAMPLE_KEY"))
}

fn classified(status: u16, body: &Value) -> String {
    let body = ErrorResponse::parse(body.to_string().as_bytes());
    let error = classifier().classify_status(status, &body, None).to_string();
    assert!(!error.contains(KEY) && !error.contains('\n'), "{error}");
    error
}

#[test]
fn statuses_mean_the_same_everywhere() {
    for (status, meaning) in [
        (301, "redirected (301), which is not followed; give the final address as 'base_url'"),
        (401, "the key was refused (401); check EXAMPLE_KEY"),
        (402, "the account has no credit left"),
        (403, "the key was refused (403); check EXAMPLE_KEY"),
        (409, "server error (409), try again later"),
        (418, "the request was rejected (418)"),
        (425, "server error (425), try again later"),
        (429, "too many requests (429), try again later"),
        (502, "server error (502), try again later"),
        (503, "overloaded (503), try again later"),
        (529, "overloaded (529), try again later"),
    ] {
        assert_eq!(classified(status, &json!(null)), meaning);
    }
    let limited = Error::RateLimited { retry_after: Some(Duration::from_secs(20)) };
    assert_eq!(limited.to_string(), "too many requests (429), asked to wait 20s");
    assert_eq!(classifier().origin(), "https://h:1");
}

#[test]
fn hints_name_the_variable_of_the_key() {
    let base = Url::parse("https://h").unwrap();
    let hint = |key, variable| match ErrorClassifier::new(&base, key, variable).key_refused(401) {
        Error::KeyRefused { hint, .. } => hint,
        other => panic!("{other}"),
    };
    let (key, usual) = (|| Some(ApiKey::new("k")), Some("USUAL"));
    assert_eq!(hint(key().map(|key| key.from_variable("MINE")), usual), "check MINE");
    assert_eq!(hint(key(), usual), "check USUAL");
    assert_eq!(hint(None, usual), "set USUAL");
    assert_eq!(hint(key(), None), "check the variable that 'key_env' names");
    assert_eq!(hint(None, None), "name the environment variable that holds it as 'key_env'");
}

#[test]
fn bodies_of_all_services_are_read() {
    for (body, message) in [
        (json!({"error": {"type": "x", "message": format!("no {KEY}\n\u{1b}[31mhere")}}), "no … here"),
        (json!([{"error": {"code": 400, "message": "wrong"}}]), "wrong"),
        (json!({"error": "wrong"}), "wrong"),
        (json!({"detail": "wrong"}), "wrong"),
        (json!({"detail": {"status": "x", "message": "wrong"}}), "wrong"),
        (json!({"detail": [{"msg": "wrong"}, {"msg": "worse"}]}), "wrong"),
        (json!({"message": "wrong"}), "wrong"),
    ] {
        assert_eq!(classified(400, &body), format!("the request was rejected (400): {message}"), "{body}");
    }
    let body = json!({"error": {"code": 429, "status": "EXHAUSTED", "message": "Too Much",
        "details": [{"reason": "QUOTA"}, {"retryDelay": "34.5s"}]}});
    let body = ErrorResponse::from_json(&body);
    assert_eq!((body.code, body.retry_after), (Some(429), Some(Duration::from_millis(34_500))));
    assert!(body.is_kind(&["exhausted"]) && body.is_kind(&["quota"]) && !body.is_kind(&["too much"]));
    assert!(body.mentions(&["too much"]) && !body.mentions(&["too little"]));
    assert!(!ErrorResponse::parse(b"<html>").is_json);
}

proptest! {
    #[test]
    fn any_body_is_one_line_without_the_key(status in 100..=599_u16, before in ".*", after in ".*") {
        classified(status, &json!({"error": {"message": format!("{before}{KEY}{after}")}}));
        classified(status, &json!(before));
    }
}
