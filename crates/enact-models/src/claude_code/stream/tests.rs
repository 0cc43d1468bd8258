use enact_drama::usage::{NanoUsd, UntoldTries};
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn read(lines: &[&str]) -> ReplyStream {
    let mut reply = ReplyStream::default();
    lines.iter().for_each(|line| reply.line(line));
    reply
}

fn error(lines: &[&str]) -> String {
    read(lines).answer(None).unwrap_err().error
}

const INIT: &str = r#"{"type":"system","subtype":"init","tools":[],"session_id":"x"}"#;
const SAID: &str = r#"{"type":"assistant","message":{"id":"m1","content":[{"type":"thinking","thinking":"hm"},
    {"type":"text","text":"[SILENT]"}],"usage":{"input_tokens":3,"output_tokens":1}},"parent_tool_use_id":null}"#;
const DONE: &str = r#"{"type":"result","subtype":"success","is_error":false,"result":"[SILENT]","total_cost_usd":0.0123,
    "usage":{"input_tokens":3,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":9}}"#;

#[test]
fn an_answer_comes_with_what_it_used_and_cost() {
    let (text, usage) = read(&[INIT, SAID, DONE]).answer(None).unwrap();
    let billed = Some(NanoUsd(12_300_000));
    assert_eq!(text, "[SILENT]");
    assert_eq!(
        usage,
        Some(Usage { uncached: 3, cache_read: 100, cache_write: 20, output: 9, billed, ..Usage::NONE })
    );
}

#[test]
fn what_is_unknown_broken_or_odd_is_passed_over() {
    for odd in [
        r#"{"type":"rate_limit_event","rate_limit_info":{}}"#,
        r#"{"type":42}"#,
        r#"{"no":"type"}"#,
        r#"{"type":"assistant"}"#,
        r#"{"type":"assistant","message":{"content":"words","usage":7}}"#,
        r#"{"type":"assistant","message":{"content":[null,{"type":"text"}]}}"#,
        r#"{"type":"assistant","parent_tool_use_id":"t","message":{"content":[{"type":"text","text":"a tool"}]}}"#,
        r#"{"type":"assis"#,
        "[]",
        "null",
        "Warning: something",
        "",
        "\u{feff}  \r\n",
    ] {
        let (text, usage) = read(&[odd, INIT, odd, SAID, odd, DONE]).answer(None).unwrap();
        assert_eq!((text.as_str(), usage.unwrap().output), ("[SILENT]", 9), "{odd}");
    }
}

#[test]
fn lines_may_be_padded_and_results_may_leave_things_out() {
    let padded = format!("\u{feff} \t{DONE}\r\n");
    assert_eq!(read(&[&padded]).answer(None).unwrap().0, "[SILENT]");
    let bare = r#"{"type":"result"}"#;
    assert_eq!(read(&[SAID, bare]).answer(None).unwrap(), ("[SILENT]".to_owned(), None));
    let odd = r#"{"type":"result","usage":{"input_tokens":-1,"output_tokens":"9"},"total_cost_usd":-3}"#;
    assert_eq!(read(&[SAID, odd]).answer(None).unwrap().1, None);
}

#[test]
fn results_that_are_errors_say_what_is_wrong_and_what_to_do() {
    for (result, expected) in [
        (
            json!({"subtype": "success", "is_error": true, "result": "Not logged in · Please run /login"}),
            "Claude Code is not logged in (run `claude` once and log in, or set ANTHROPIC_API_KEY): \
             Not logged in · Please run /login",
        ),
        (
            json!({"subtype": "success", "is_error": true, "result": "API Error: 529 overloaded"}),
            "Claude Code failed: API Error: 529 overloaded",
        ),
        (
            json!({"subtype": "error_during_execution", "errors": ["out of\n  memory", "again"]}),
            "Claude Code failed: out of memory",
        ),
        (
            json!({"subtype": "error_max_turns", "is_error": true}),
            "Claude Code used up its turns without an answer",
        ),
        (
            json!({"subtype": "error_max_budget_usd"}),
            "Claude Code failed (error max budget usd): it gave no reason",
        ),
        (json!({"is_error": true, "result": "key sk-ant-api03-abcdef"}), "Claude Code failed: key …"),
        (json!({"stop_reason": "refusal", "result": "I can't."}), "the model refused to answer"),
        (json!({"result": " \u{a0}\n"}), "the answer was empty"),
    ] {
        let mut message = json!({"type": "result"});
        message.as_object_mut().unwrap().extend(result.as_object().unwrap().clone());
        assert_eq!(error(&[INIT, &message.to_string()]), expected);
    }
}

#[test]
fn the_kind_of_trouble_is_told_where_the_stream_names_it() {
    let trouble = |kind: &str| json!({"type": "assistant", "error": kind, "message": {}}).to_string();
    let result = json!({"type": "result", "is_error": true, "result": "OAuth session expired"}).to_string();
    assert!(error(&[&trouble("authentication_failed"), &result]).starts_with("Claude Code is not logged in"));
    assert_eq!(
        error(&[&trouble("rate_limit"), &result]),
        "Claude Code failed (rate limit): OAuth session expired"
    );
}

#[test]
fn what_a_failed_call_spent_is_kept() {
    let failed = r#"{"type":"result","is_error":true,"result":"no","usage":{"input_tokens":5},"total_cost_usd":0.001}"#;
    let failure = read(&[failed]).answer(None).unwrap_err();
    let billed = Some(NanoUsd(1_000_000));
    assert_eq!(failure.usage, Some(Usage { uncached: 5, billed, ..Usage::NONE }));
}

#[test]
fn a_stream_that_breaks_off_keeps_what_it_told_each_message_once() {
    let message = |id: &str, output: u64| {
        json!({"type": "assistant", "message": {"id": id, "usage": {"input_tokens": 10, "output_tokens": output}}})
            .to_string()
    };
    let reply = read(&[&message("m1", 1), &message("m1", 4), &message("m2", 2)]);
    assert!(!reply.has_result());
    let failure = reply.cut_short("ended without a result", None);
    assert_eq!(failure.usage, Some(Usage { uncached: 20, output: 6, partial: true, ..Usage::NONE }));
    assert_eq!(failure.error, "Claude Code ended without a result");
    assert_eq!(read(&[INIT]).failure(FailureKind::Other, "x").usage, None);
}

#[test]
fn words_in_place_of_messages_are_quoted_if_nothing_else_is_known() {
    let stray = |line: &str, stderr: Option<&str>| {
        read(&[INIT, line]).cut_short("ended", stderr.map(str::to_owned)).error
    };
    assert_eq!(stray("Error: no credits left", None), "Claude Code ended: Error: no credits left");
    assert_eq!(stray("Error: no credits left", Some("why")), "Claude Code ended: why");
    assert_eq!(stray("", None), "Claude Code ended");
    assert!(stray("Invalid API key · Please run /login", None).starts_with("Claude Code is not logged in"));
}

#[test]
fn structured_answers_come_from_their_own_field_or_else_from_the_words() {
    let schema = json!({"type": "object", "properties": {"met": {"type": "boolean"}}, "required": ["met"]});
    let schema = Schema { name: "verdict", json: schema, exact: true };
    for (result, expected) in [
        (json!({"structured_output": {"met": true}, "result": "Done."}), Some(r#"{"met":true}"#)),
        (json!({"structured_output": null, "result": "Sure: {\"met\": false}"}), Some(r#"{"met":false}"#)),
        (json!({"structured_output": {"other": 1}}), None),
        (json!({"result": "I think so."}), None),
    ] {
        let mut message = json!({"type": "result"});
        message.as_object_mut().unwrap().extend(result.as_object().unwrap().clone());
        match (read(&[&message.to_string()]).answer(Some(&schema)), expected) {
            (Ok((text, _)), Some(expected)) => assert_eq!(text, expected),
            (Err(failure), None) => {
                assert!(failure.error.starts_with("the answer is not the JSON that was asked for: "))
            }
            (answer, _) => panic!("{answer:?}"),
        }
    }
}

/// A login that has expired is renewed by the command after the first refusal, a key is not.
#[test]
fn a_refused_key_ends_the_call_and_a_login_has_one_more_try() {
    let init =
        |source: &str| json!({"type": "system", "subtype": "init", "apiKeySource": source}).to_string();
    let retry = |attempt: u32| {
        json!({"type": "system", "subtype": "api_retry", "attempt": attempt, "error_status": 401, "error": "authentication_failed"})
            .to_string()
    };
    let limits = CallLimits { retries: 5, ..CallLimits::default() };
    for (source, tries) in [("ANTHROPIC_API_KEY", 1), ("none", 2)] {
        let mut reply = ReplyStream::new(LiveText::none(), limits);
        reply.line(&init(source));
        let settled: Vec<bool> = (1..=3)
            .map(|attempt| {
                reply.line(&retry(attempt));
                reply.is_settled()
            })
            .collect();
        assert_eq!(settled.iter().filter(|settled| !**settled).count(), tries - 1, "{source}");
        let failure = reply.answer(None).unwrap_err();
        assert_eq!((failure.kind, failure.usage), (FailureKind::Auth, Some(Usage::NONE)));
    }
}

/// Versions that do not know the variable go on trying.
#[test]
fn a_command_that_tries_too_often_is_ended_with_the_reason() {
    let retry = |attempt: u32| {
        json!({"type": "system", "subtype": "api_retry", "attempt": attempt, "max_retries": 10, "error_status": 429, "error": "rate_limit"})
            .to_string()
    };
    let mut reply = ReplyStream::new(LiveText::none(), CallLimits { retries: 1, ..CallLimits::default() });
    reply.line(&retry(1));
    assert!(!reply.is_settled());
    assert_eq!(reply.was_retrying().unwrap(), "Claude Code was trying again (rate limit, 429)");
    reply.line(&retry(2));
    assert!(reply.is_settled() && !reply.has_result());
    let failure = reply.answer(None).unwrap_err();
    assert_eq!(failure.kind, FailureKind::RateLimited);
    assert_eq!(failure.error, "Claude Code failed (rate limit, 429), and so did every further try");
}

/// A try that was lost on its way may have been billed; one that the server turned away was not.
#[test]
fn tries_that_were_lost_are_told() {
    let retry = |status: Option<u16>| {
        json!({"type": "system", "subtype": "api_retry", "error_status": status, "error": "unknown"})
            .to_string()
    };
    let (lost, refused) = (retry(None), retry(Some(529)));
    let failed = |status: Option<u16>, reason: &str| {
        json!({"type": "result", "is_error": true, "result": reason, "api_error_status": status,
            "total_cost_usd": 0, "usage": {"input_tokens": 0, "output_tokens": 0}})
        .to_string()
    };
    let answered = Usage { uncached: 3, cache_read: 100, cache_write: 20, output: 9, ..Usage::NONE };
    let billed = Usage { billed: Some(NanoUsd(12_300_000)), ..answered };
    let free = Usage { billed: Some(NanoUsd(0)), ..Usage::NONE };
    let untold =
        |usage: Usage, all| Usage { partial: true, untold: Some(UntoldTries { output: 0, all }), ..usage };
    let [reset, down] = ["API Error: Connection error.", "Connection refused (ECONNREFUSED)"];
    for (lines, usage) in [
        (vec![&*refused, DONE], billed),
        (vec![&*lost, DONE], untold(billed, 1)),
        (vec![&*lost, &*lost, DONE], untold(billed, 2)),
        (vec![&*lost, &*refused, DONE], untold(billed, 1)),
        (vec![&*refused, &failed(Some(529), "Overloaded")], free),
        (vec![&*lost, &failed(Some(529), "Overloaded")], untold(Usage::NONE, 1)),
        (vec![&failed(None, reset)], untold(Usage::NONE, 1)),
        (vec![&*lost, &*lost, &failed(None, reset)], untold(Usage::NONE, 3)),
        // There was no server to send it to.
        (vec![&*lost, &*lost, &failed(None, down)], free),
        // Without a result.
        (vec![&*refused, &*refused, &*refused], Usage::NONE),
        (vec![&*refused, &*lost, &*lost], untold(Usage::NONE, 2)),
    ] {
        let limits = CallLimits { retries: 2, ..CallLimits::default() };
        let mut reply = ReplyStream::new(LiveText::none(), limits);
        for (attempt, line) in lines.iter().enumerate() {
            let attempt = format!("{{\"attempt\":{},", attempt + 1);
            reply.line(&line.replacen('{', &attempt, usize::from(line.contains("api_retry"))));
        }
        let told = reply.answer(None).map_or_else(|failure| failure.usage, |(_, usage)| usage);
        assert_eq!(told, Some(usage), "{lines:?}");
    }
}

proptest! {
    #[test]
    fn any_lines_at_all_can_be_read(lines in proptest::collection::vec("(?s).{0,80}", 0..6)) {
        let mut reply = ReplyStream::default();
        lines.iter().for_each(|line| reply.line(line));
        let _ = reply.answer(None);
    }
}

#[test]
fn the_command_tells_who_answered_and_why_it_stopped() {
    let lines = [
        r#"{"type":"system","subtype":"init","model":"sonnet"}"#,
        r#"{"type":"system","subtype":"api_retry","attempt":1,"error":"overloaded","error_status":529}"#,
        r#"{"type":"stream_event","event":{"type":"message_start","message":{"id":"msg_1","model":"claude-1"}}}"#,
        r#"{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}}}"#,
    ];
    let limits = CallLimits { retries: 2, ..CallLimits::default() };
    let mut reply = ReplyStream::new(LiveText::none(), limits);
    lines.iter().for_each(|line| reply.line(line));
    assert!(reply.details().first_chunk_at.is_some() && reply.details().first_word_at.is_none());
    reply.line(
        r#"{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"Yes."}}}"#,
    );
    reply.line(r#"{"type":"assistant","message":{"id":"msg_1","model":"claude-1","content":[{"type":"text","text":"Yes."}]}}"#);
    reply.line(
        r#"{"type":"stream_event","event":{"type":"message_delta","delta":{"stop_reason":"end_turn"},
            "usage":{"output_tokens":9,"output_tokens_details":{"thinking_tokens":4}}}}"#,
    );
    let told = reply.details();
    let words = [&told.model, &told.id, &told.finish_reason].map(Option::as_deref);
    assert_eq!(words, [Some("claude-1"), Some("msg_1"), Some("end_turn")]);
    assert_eq!((told.reasoning_tokens, reply.tries()), (Some(4), 2));
    assert!(told.first_word_at.is_some());
}
