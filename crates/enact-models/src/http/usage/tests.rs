use enact_drama::usage::NanoUsd;
use expect_test::{Expect, expect};

use super::{
    super::wire::{MaxTokens, WireFormat},
    *,
};

const OPENAI: WireFormat = WireFormat::OpenAi { max_tokens: MaxTokens::Old };

fn read(wire: WireFormat, frames: &[&str]) -> Option<Usage> {
    let mut answer = IncomingAnswer::default();
    for frame in frames {
        let _ = wire.read(frame.as_bytes(), &mut answer);
    }
    answer.counts.usage()
}

fn check(wire: WireFormat, frames: &[&str], expected: Expect) {
    let line = match read(wire, frames) {
        Some(Usage { uncached, cache_read, cache_write, output, .. }) => {
            format!("{uncached} + {cache_read} read + {cache_write} written -> {output}")
        }
        None => "unknown".to_owned(),
    };
    expected.assert_eq(&line);
}

#[test]
fn anthropic_counts_what_is_cached_apart() {
    let check = |frames: &[&str], expected| check(WireFormat::Anthropic, frames, expected);
    let start = r#"{"type":"message_start","message":{"usage":{"input_tokens":10,"cache_read_input_tokens":1000,
        "cache_creation_input_tokens":200,"output_tokens":1}}}"#;
    check(&[start], expect!["10 + 1000 read + 200 written -> 1"]);
    let end = r#"{"type":"message_delta","delta":{},"usage":{"output_tokens":42}}"#;
    check(&[start, end], expect!["10 + 1000 read + 200 written -> 42"]);
    let all = r#"{"type":"message_delta","usage":{"input_tokens":11,"cache_read_input_tokens":0,"output_tokens":42}}"#;
    check(&[start, all], expect!["11 + 0 read + 200 written -> 42"]);
    check(&[end], expect!["unknown"]);
    let whole = r#"{"type":"message","content":[],"usage":{"input_tokens":3,"cache_read_input_tokens":null,"output_tokens":5}}"#;
    check(&[whole], expect!["3 + 0 read + 0 written -> 5"]);
}

#[test]
fn openai_counts_it_in() {
    let check = |frames: &[&str], expected| check(OPENAI, frames, expected);
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
    check(&[more_than_all], expect!["unknown"]);
    check(&[r#"{"usage":{"prompt_tokens":5}}"#], expect!["unknown"]);
}

#[test]
fn others_like_openai_say_it_elsewhere() {
    let check = |frames: &[&str], expected| check(OPENAI, frames, expected);
    let usage = r#"{"prompt_tokens":50,"completion_tokens":7}"#;
    check(&[&format!(r#"{{"x_groq":{{"usage":{usage}}}}}"#)], expect!["50 + 0 read + 0 written -> 7"]);
    check(&[&format!(r#"{{"choices":[{{"usage":{usage}}}]}}"#)], expect!["50 + 0 read + 0 written -> 7"]);
    let deepseek = r#"{"usage":{"prompt_tokens":50,"completion_tokens":7,"prompt_cache_hit_tokens":40}}"#;
    check(&[deepseek], expect!["10 + 40 read + 0 written -> 7"]);
    let reasoning = |total| {
        format!(
            r#"{{"usage":{{"prompt_tokens":50,"completion_tokens":7,"total_tokens":{total},
            "completion_tokens_details":{{"reasoning_tokens":3}}}}}}"#
        )
    };
    check(&[&reasoning(57)], expect!["50 + 0 read + 0 written -> 7"]);
    check(&[&reasoning(60)], expect!["50 + 0 read + 0 written -> 10"]);
}

#[test]
fn gemini_leaves_zeros_out_and_thoughts_apart() {
    let check = |frames: &[&str], expected| check(WireFormat::Gemini, frames, expected);
    let usage = r#"{"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":60,
        "candidatesTokenCount":5,"thoughtsTokenCount":20}}"#;
    check(&[usage], expect!["40 + 60 read + 0 written -> 25"]);
    check(&[r#"{"usageMetadata":{"promptTokenCount":100}}"#], expect!["100 + 0 read + 0 written -> 0"]);
}

#[test]
fn ollama_says_it_at_the_end() {
    let check = |frames: &[&str], expected| check(WireFormat::Ollama, frames, expected);
    let end = r#"{"message":{"content":""},"done":true,"prompt_eval_count":26,"eval_count":298}"#;
    check(&[r#"{"message":{"content":"Hi"},"done":false}"#], expect!["unknown"]);
    check(&[end], expect!["26 + 0 read + 0 written -> 298"]);
}

#[test]
fn what_is_absurd_is_unknown() {
    for absurd in ["-1", "1.5", "\"many\"", "[]", "18446744073709551616", "1000000001", "true"] {
        let frame = format!(r#"{{"usage":{{"prompt_tokens":5,"completion_tokens":{absurd}}}}}"#);
        assert_eq!(read(OPENAI, &[&frame]), None, "{absurd}");
        // Nothing that was said by the same server is worth more.
        let start = r#"{"message":{"usage":{"input_tokens":10,"output_tokens":1}}}"#;
        let frame = format!(r#"{{"usage":{{"output_tokens":{absurd}}}}}"#);
        assert_eq!(read(WireFormat::Anthropic, &[start, &frame]), None, "{absurd}");
    }
    for nothing in ["[DONE]", "", "{}", "[1]", "\"usage\"", r#"{"usage":null}"#, r#"{"usage":7}"#] {
        check(OPENAI, &[nothing], expect!["unknown"]);
    }
}

#[test]
fn a_server_that_counts_nothing_is_not_free() {
    for (wire, frame) in [
        (WireFormat::Anthropic, r#"{"type":"message","usage":{"input_tokens":0,"output_tokens":0}}"#),
        (OPENAI, r#"{"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}"#),
        (WireFormat::Gemini, r#"{"usageMetadata":{"promptTokenCount":0}}"#),
        (WireFormat::Ollama, r#"{"done":true,"prompt_eval_count":0,"eval_count":0}"#),
    ] {
        check(wire, &[frame], expect!["unknown"]);
    }
}

#[test]
fn what_the_server_has_charged_is_believed() {
    let billed = |cost: &str| {
        let frame = format!(r#"{{"usage":{{"prompt_tokens":5,"completion_tokens":7,"cost":{cost}}}}}"#);
        read(OPENAI, &[&frame]).unwrap().billed
    };
    assert_eq!(billed("0.00014"), Some(NanoUsd(140_000)));
    assert_eq!(billed("0"), Some(NanoUsd(0)));
    for odd in ["-1", "null", "\"free\"", "1e300", "{}"] {
        assert_eq!(billed(odd), None, "{odd}");
    }
}

#[test]
fn tries_add_up() {
    let usage = CallUsage::default();
    assert_eq!(usage.total(), None);
    let spend = |input: u64| {
        let mut attempt = Attempt::new(&usage);
        let frame = format!(r#"{{"usage":{{"prompt_tokens":{input},"completion_tokens":1}}}}"#);
        OPENAI.read(frame.as_bytes(), &mut attempt.answer).unwrap();
        attempt.answer.stop("stop");
    };
    spend(10);
    drop(Attempt::new(&usage));
    let known = usage.total().unwrap();
    let untold = Some(UntoldTries { output: 0, all: 1 });
    assert_eq!((known.total(), known.partial, known.untold), (11, true, untold), "the answer did not tell");
    spend(20);
    assert_eq!(usage.total().unwrap().total(), 32);
}

#[test]
fn an_attempt_that_is_dropped_half_way_has_used_what_it_told() {
    let usage = CallUsage::default();
    let mut attempt = Attempt::new(&usage);
    let start = br#"{"type":"message_start","message":{"usage":{"input_tokens":10,"output_tokens":1}}}"#;
    WireFormat::Anthropic.read(start, &mut attempt.answer).unwrap();
    drop(attempt);
    assert_eq!(usage.total().map(|usage| (usage.total(), usage.partial)), Some((11, true)));
}

/// Rejections are free, and each try that told nothing is one try and no more.
#[test]
fn tries_that_told_nothing_are_counted() {
    let usage = CallUsage::default();
    let silent = |all| Usage { partial: true, untold: Some(UntoldTries { output: 0, all }), ..Usage::NONE };
    for tries in 1..=3 {
        drop(Attempt::new(&usage));
        assert_eq!(usage.total(), Some(silent(tries)));
        Attempt::new(&usage).reject();
        assert_eq!(usage.total(), Some(silent(tries)));
    }
    let paid = |tries| usage.is_paid_up(&Request { paid_tries: tries, ..Request::default() });
    assert_eq!([None, Some(3), Some(4)].map(paid), [false, true, false]);
}

proptest::proptest! {
    #[test]
    fn any_frame_can_be_read(frame in ".*", number in proptest::num::i64::ANY) {
        let counts = format!(r#"{{"usage":{{"input_tokens":{number},"output_tokens":{number}}}}}"#);
        for wire in [WireFormat::Anthropic, OPENAI, WireFormat::Gemini, WireFormat::Ollama] {
            read(wire, &[&frame, &counts]);
        }
    }
}
