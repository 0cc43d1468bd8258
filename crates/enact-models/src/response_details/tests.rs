use std::time::Duration;

use enact_http::{ApiKey, redact::explanation};

use super::*;

#[test]
fn what_is_told_first_counts_and_nothing_is_made_up() {
    let mut details = ResponseDetails::default();
    for (model, id) in [("", ""), ("m-1", ""), ("m-2", "a"), ("", "b")] {
        details.record(model, id);
    }
    let began = Instant::now();
    let told = details.telemetry(began, str::to_owned);
    assert_eq!((told.response_model.as_deref(), told.response_id.as_deref()), (Some("m-1"), Some("a")));
    assert_eq!((told.finish_reason, told.first_chunk_seconds, told.reasoning_tokens), (None, None, None));
    details.first_chunk_at = Some(began + Duration::from_millis(250));
    assert_eq!(details.telemetry(began, str::to_owned).first_chunk_seconds, Some(0.25));
}

#[test]
fn a_server_cannot_tell_a_key_or_a_novel() {
    let key = ApiKey::new("sk-secret-4711");
    let mut details =
        ResponseDetails { finish_reason: Some("x".repeat(5_000)), ..ResponseDetails::default() };
    details.record("the model of sk-secret-4711", "a\nb");
    let told = details.telemetry(Instant::now(), |told| explanation(told, Some(&key)));
    assert_eq!(told.response_model.as_deref(), Some("the model of …"));
    assert_eq!(told.response_id.as_deref(), Some("a b"));
    assert!(told.finish_reason.unwrap().len() < 300);
}
