use expect_test::{Expect, expect};

use super::*;

fn meter(frames: &[&str]) -> UsageMeter {
    let meter = UsageMeter::default();
    for frame in frames {
        if let Ok(frame) = serde_json::from_str(frame) {
            meter.read().take(frame);
        }
    }
    meter
}

fn check(frames: &[&str], expected: Expect) {
    let line = match meter(frames).usage() {
        Some(Usage { uncached, cache_read, cache_write, output, .. }) => {
            format!("{uncached} + {cache_read} read + {cache_write} written -> {output}")
        }
        None => "unknown".to_owned(),
    };
    expected.assert_eq(&line);
}

#[test]
fn anthropic_counts_what_is_cached_apart() {
    let start = r#"{"type":"message_start","message":{"usage":{"input_tokens":10,"cache_read_input_tokens":1000,
        "cache_creation_input_tokens":200,"output_tokens":1}}}"#;
    check(&[start], expect!["10 + 1000 read + 200 written -> 1"]);
    let end = r#"{"type":"message_delta","delta":{},"usage":{"output_tokens":42}}"#;
    check(&[start, end], expect!["10 + 1000 read + 200 written -> 42"]);
    let all = r#"{"type":"message_delta","usage":{"input_tokens":11,"cache_read_input_tokens":0,"output_tokens":42}}"#;
    check(&[start, all], expect!["11 + 0 read + 200 written -> 42"]);
    check(&[end], expect!["unknown"]);
}

#[test]
fn openai_counts_it_in() {
    let usage = r#"{"choices":[],"usage":{"prompt_tokens":1200,"completion_tokens":7,
        "prompt_tokens_details":{"cached_tokens":1024}}}"#;
    check(&[r#"{"choices":[{"delta":{"content":"a"}}],"usage":null}"#], expect!["unknown"]);
    check(&[usage], expect!["176 + 1024 read + 0 written -> 7"]);
    check(
        &[r#"{"usage":{"prompt_tokens":5,"completion_tokens":7}}"#],
        expect!["5 + 0 read + 0 written -> 7"],
    );
    let more_than_all =
        r#"{"usage":{"prompt_tokens":5,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":9}}}"#;
    check(&[more_than_all], expect!["0 + 9 read + 0 written -> 7"]);
    check(&[r#"{"usage":{"prompt_tokens":5}}"#], expect!["unknown"]);
}

#[test]
fn gemini_leaves_zeros_out_and_thoughts_apart() {
    let usage = r#"{"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":60,
        "candidatesTokenCount":5,"thoughtsTokenCount":20}}"#;
    check(&[usage], expect!["40 + 60 read + 0 written -> 25"]);
    check(&[r#"{"usageMetadata":{"promptTokenCount":100}}"#], expect!["100 + 0 read + 0 written -> 0"]);
}

#[test]
fn ollama_says_it_at_the_end() {
    let end = r#"{"message":{"content":""},"done":true,"prompt_eval_count":26,"eval_count":298}"#;
    check(&[r#"{"message":{"content":"Hi"},"done":false}"#], expect!["unknown"]);
    check(&[end], expect!["26 + 0 read + 0 written -> 298"]);
}

#[test]
fn what_is_absurd_is_unknown() {
    for absurd in ["-1", "1.5", "\"many\"", "[]", "18446744073709551616", "1000000001", "true"] {
        let frame = format!(r#"{{"usage":{{"prompt_tokens":5,"completion_tokens":{absurd}}}}}"#);
        assert_eq!(meter(&[&frame]).usage(), None, "{absurd}");
        // Nothing that was said by the same server is worth more.
        let start = r#"{"message":{"usage":{"input_tokens":10,"output_tokens":1}}}"#;
        let frame = format!(r#"{{"usage":{{"output_tokens":{absurd}}}}}"#);
        assert_eq!(meter(&[start, &frame]).usage(), None, "{absurd}");
    }
    for nothing in ["[DONE]", "", "{}", "[1]", "\"usage\"", r#"{"usage":null}"#, r#"{"usage":7}"#] {
        check(&[nothing], expect!["unknown"]);
    }
}

#[test]
fn refusals_and_errors_are_noticed() {
    let in_band_error = |frame| meter(&[frame]).in_band_error();
    assert_eq!(in_band_error(r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#), Some(InBandError::Refused));
    assert_eq!(in_band_error(r#"{"choices":[{"delta":{"refusal":"I can't"}}]}"#), Some(InBandError::Refused));
    assert_eq!(in_band_error(r#"{"choices":[{"delta":{"refusal":null,"content":"a"}}]}"#), None);
    assert_eq!(
        in_band_error(r#"{"error":"out of memory"}"#),
        Some(InBandError::Error("out of memory".into()))
    );
    assert_eq!(in_band_error(r#"{"error":null,"choices":[]}"#), None);
}

#[test]
fn tries_add_up() {
    let usage = CallUsage::default();
    assert_eq!((usage.total(), usage.partial_total()), (None, None));
    let spend = |meter: Arc<UsageMeter>, input: u64| {
        let frame = format!(r#"{{"usage":{{"prompt_tokens":{input},"completion_tokens":1}}}}"#);
        meter.read().take(serde_json::from_str(&frame).unwrap());
    };
    spend(usage.meter(), 10);
    let unknown = usage.meter();
    assert_eq!(usage.total(), None, "the answer's own usage is not known");
    assert_eq!(usage.partial_total().unwrap().total(), 11);
    spend(unknown, 20);
    assert_eq!(usage.total().unwrap().total(), 32);
}

proptest::proptest! {
    #[test]
    fn any_frame_can_be_read(frame in ".*", number in proptest::num::i64::ANY) {
        meter(&[&frame, &format!(r#"{{"usage":{{"input_tokens":{number},"output_tokens":{number}}}}}"#)]).usage();
    }
}
