//! What the real command wrote, played again: each trouble has its kind, is told in one line, and costs what
//! was used and no more.

use std::{fs, path::Path, time::Duration};

use enact_drama::{
    production::{Failure, FailureKind},
    request::{Request, Schema},
    usage::{NanoUsd, Usage},
};
use enact_engine::Model;
use enact_testkit::PATIENCE;
use serde_json::json;

use super::stage::{Stage, ask};

/// What the server of the recordings counts for each message, apart from the output.
const ASKED: Usage = Usage { uncached: 100, cache_read: 300, cache_write: 200, ..Usage::NONE };

/// An ordinary answer, and what the command says it cost.
const ANSWERED: Usage = Usage { output: 12, billed: Some(NanoUsd(850_000)), ..ASKED };

/// One that was stopped before the command said what it cost: charged at the published price.
const STOPPED: Usage = Usage { output: 1024, billed: Some(NanoUsd(10_970_000)), ..ASKED };

/// One that broke off after its first words, of which more was used than is known.
const BROKEN: Usage = Usage { output: 1, billed: Some(NanoUsd(740_000)), partial: true, ..ASKED };

const LOG_IN: &str = "Claude Code is not logged in (run `claude` once and log in, or set ANTHROPIC_API_KEY)";

fn stage(recording: &str) -> Stage {
    Stage::new(format!("plays-{recording}"))
}

async fn failure(recording: &str, request: Request) -> Failure {
    let model = stage(recording).model_with(|settings| settings.timeout = Some(PATIENCE));
    model.answer(request).await.unwrap_err()
}

fn in_json() -> Request {
    let json = json!({
        "type": "object", "properties": {"met": {"type": "boolean"}}, "required": ["met"], "additionalProperties": false,
    });
    Request { schema: Some(Schema { name: "verdict", json, exact: true }.into()), ..ask("Is the goal met?") }
}

#[tokio::test]
async fn answers_are_read_with_what_they_used() {
    for (recording, request, text, usage) in [
        ("answer", ask("Well?"), "[TONE: calm] \"Well, I never.\"", ANSWERED),
        ("thinking", ask("Well?"), "[TONE: calm] \"Well, I never.\"", ANSWERED),
        ("server_error_then_answer", ask("Well?"), "[TONE: calm] \"Well, I never.\"", ANSWERED),
        ("structured", in_json(), "{\"met\":true}", ANSWERED),
        // Cut where the operator said, like any other model's answer.
        ("max_tokens", ask("Well?"), "And so I went on and", STOPPED),
    ] {
        let answer = stage(recording).model().answer(request).await.unwrap();
        assert_eq!((answer.text.as_str(), answer.usage), (text, Some(usage)), "{recording}");
    }
}

#[tokio::test]
async fn each_trouble_has_its_kind_and_says_what_to_do() {
    use FailureKind::*;
    let free = Some(Usage { billed: Some(NanoUsd(0)), ..Usage::NONE });
    let gateway = "This is a server-side issue, usually temporary — try again in a moment. If it persists, check \
                   your inference gateway (127.0.0.1:8080).";
    for (recording, kind, error, usage) in [
        ("wrong_key", Auth, format!("{LOG_IN}: the key was refused (401)"), Some(Usage::NONE)),
        ("wrong_key_ten_retries", Auth, format!("{LOG_IN}: the key was refused (401)"), Some(Usage::NONE)),
        (
            "forbidden",
            Auth,
            format!("{LOG_IN}: Failed to authenticate. API Error: 403 Your API key does not have permission to use \
                     the specified resource."),
            free,
        ),
        ("logged_out", Auth, format!("{LOG_IN}: Not logged in · Please run /login"), free),
        (
            "rate_limit",
            RateLimited,
            "Claude Code failed (rate limit): API Error: Request rejected (429) · This request would exceed your \
             organization's rate limit of 50,000 input tokens per minute."
                .to_owned(),
            free,
        ),
        (
            "rate_limit_long_wait",
            RateLimited,
            "Claude Code failed (rate limit): API Error: Request rejected (429) · This request would exceed your \
             rate limit."
                .to_owned(),
            free,
        ),
        (
            "server_error",
            Server,
            format!("Claude Code failed (server error): API Error: 500 Internal server error. {gateway}"),
            free,
        ),
        (
            "overloaded",
            Overloaded,
            format!("Claude Code failed (overloaded): API Error: 529 Overloaded. {gateway}"),
            free,
        ),
        (
            "connection_refused",
            Connection,
            "Claude Code failed (connection): API Error: Connection refused — a firewall or proxy may be \
             blocking it (ECONNREFUSED)"
                .to_owned(),
            free,
        ),
        (
            "unknown_model",
            Other,
            "Claude Code finds no model 'claude-sonnet-5-5' (404); check 'model'".to_owned(),
            free,
        ),
        ("no_credit", Other, "Claude Code: the account has no credit left".to_owned(), free),
        ("billing", Other, "Claude Code: the account has no credit left".to_owned(), free),
        ("bad_request", Other, "Claude Code failed: API Error: 400 messages.0: something is wrong".to_owned(), free),
        (
            "web_page",
            Other,
            "Claude Code failed: API Error: Stream ended without receiving any events".to_owned(),
            free,
        ),
        ("prompt_too_long", ContextTooLong, too_long(), free),
        ("too_large", ContextTooLong, too_long(), free),
        ("refusal", Refused, "the model refused to answer".to_owned(), Some(charged(12))),
        ("refusal_midway", Refused, "the model refused to answer".to_owned(), Some(charged(12))),
        ("empty", Empty, "the answer was empty".to_owned(), Some(charged(12))),
        (
            "max_tokens_thinking",
            Empty,
            "the 1000 tokens allowed were used up before anything was said; raise 'max_tokens'".to_owned(),
            Some(charged(1024)),
        ),
        ("context_window", ContextTooLong, too_long(), Some(charged(12))),
        ("overloaded_midway", Overloaded, "Claude Code failed (overloaded): API Error: Overloaded".to_owned(), Some(BROKEN)),
        ("cut_midway", Truncated, "the answer broke off before its end".to_owned(), Some(BROKEN)),
    ] {
        let failure = failure(recording, ask("Well?")).await;
        assert_eq!((failure.kind, failure.error, failure.usage), (kind, error, usage), "{recording}");
    }
}

#[tokio::test]
async fn json_of_the_wrong_shape_is_paid_for_once() {
    for (recording, error, usage) in [
        ("structured_misfit", "Claude Code found no answer of the shape asked for", ANSWERED),
        (
            "structured_words",
            "the answer is not the JSON that was asked for: the answer is not an object",
            charged(12),
        ),
        (
            "max_tokens",
            "the answer is not the JSON that was asked for: it was cut off after 1000 tokens",
            charged(1024),
        ),
    ] {
        let failure = failure(recording, in_json()).await;
        assert_eq!((failure.error.as_str(), failure.usage), (error, Some(usage)), "{recording}");
    }
}

/// Every further message of the command would be paid for: it is ended before it asks for one.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_command_that_would_ask_again_by_itself_is_ended() {
    for (recording, request) in [
        ("max_tokens", ask("Well?")),
        ("max_tokens_thinking", ask("Well?")),
        ("context_window", ask("Well?")),
        ("empty", ask("Well?")),
        ("structured_words", in_json()),
    ] {
        let stage = Stage::new(format!("pauses-{recording}"));
        let model = stage.model_with(|settings| settings.timeout = Some(Duration::from_secs(20)));
        let outcome = model.answer(request).await;
        let kind = outcome.err().map(|failure| failure.kind);
        assert_ne!(kind, Some(FailureKind::Timeout), "{recording}");
        let leader = stage.process("pid").await;
        enact_testkit::until(async || !super::ending::is_running(leader)).await;
    }
}

/// The command says which version it is; recordings of another one may differ.
#[test]
fn every_recording_is_played_and_holds_nothing_private() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/claude_code");
    let test = include_str!("recordings.rs");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(test.contains(&format!("\"{name}\"")), "{name} is not played");
        let text = fs::read_to_string(&path).unwrap();
        for private in ["/tmp", "/home", "/root", "sk-ant", "cc-socks"] {
            assert!(!text.contains(private), "{name}: {private}");
        }
    }
}

fn charged(output: u64) -> Usage {
    // Sonnet 5.5: 2 $ for a million tokens of input, 0.10 $ read from the cache, 2.50 $ written, 10 $ of
    // output.
    let nano_usd = 100 * 2_000 + 300 * 100 + 200 * 2_500 + output * 10_000;
    Usage { output, billed: Some(NanoUsd(nano_usd)), ..ASKED }
}

fn too_long() -> String {
    "the request is longer than the model can read; lower 'thread_tokens', or take another model".to_owned()
}
