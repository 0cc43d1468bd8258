//! Claude Code, played by a stand-in that keeps to the documented contract of the command, or breaks it.

// Whether a process is gone is read from `/proc`.
#[cfg(target_os = "linux")]
mod ending;
mod recordings;
mod stage;

use std::sync::{Arc, Mutex};

use enact_drama::{
    model_card::Context,
    production::FailureKind,
    request::{MessageRole, Request, Schema},
    usage::{NanoUsd, Price, UntoldTries, Usage},
};
use enact_engine::{Model, model::LiveText};
use enact_models::{Provider, Settings, claude_code::ClaudeCode};
use enact_testkit::until;
use futures::future::join_all;
use serde_json::json;
use stage::{Stage, ask, request};

const USED: Usage = Usage {
    uncached: 7,
    cache_read: 30,
    cache_write: 11,
    output: 5,
    billed: Some(NanoUsd(2_500_000)),
    ..Usage::NONE
};

#[tokio::test]
async fn a_question_is_answered_with_its_cost_and_nothing_but_itself_is_seen() {
    let stage = Stage::new("answers");
    let answer = stage.model().answer(ask("BEAT: 1\n\nSECRET LINE\n")).await.unwrap();
    assert_eq!(answer.text, "[TONE: calm] \"Well.\"");
    assert_eq!(answer.usage, Some(USED));

    assert_eq!(stage.note("question"), "BEAT: 1\n\nSECRET LINE\n");
    assert_eq!(stage.note("system"), "The rules.\n\nYou are Alice.");
    let arguments = stage.note("arguments");
    assert!(!arguments.contains("SECRET") && !arguments.contains("Alice"), "{arguments}");
    assert!(arguments.contains("--tools\n\n--strict-mcp-config\n"), "{arguments}");
    assert!(arguments.contains("--max-turns\n1\n"), "{arguments}");
    assert_eq!(stage.note("files").trim(), "0");
    assert!(stage.note("environment").contains("CLAUDE_CODE_DISABLE_ATTACHMENTS=1\n"));
}

#[tokio::test]
async fn words_can_be_heard_while_they_come_by_whoever_listens() {
    let stage = Stage::new("speaks");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let live = LiveText::to({
        let heard = heard.clone();
        move |text| heard.lock().unwrap().push(text.to_owned())
    });
    let answer = stage.model().answer_live(ask("Well?"), live).await.unwrap();
    assert_eq!(answer.text, "I was just about to say.");
    assert_eq!(*heard.lock().unwrap(), ["I was just", " about", " to say."]);
    assert!(stage.note("arguments").contains("--include-partial-messages\n"));
}

#[tokio::test]
async fn its_folder_is_gone_when_it_has_left() {
    let stage = Stage::new("stays");
    assert_eq!(stage.model().answer(ask("Well?")).await.unwrap().text, "Done.");
    let folder = stage.folder();
    assert!(folder.exists(), "the command is still there");
    stage.put_note("leave");
    until(async || !folder.exists()).await;
}

#[tokio::test]
async fn a_thread_is_told_whole() {
    let stage = Stage::new("answers");
    let thread = [
        (MessageRole::User, "BEAT: 0"),
        (MessageRole::Assistant, "[SILENT]"),
        (MessageRole::User, "BEAT: 1"),
    ];
    stage.model().answer(request(&thread)).await.unwrap();
    let question = stage.note("question");
    assert!(
        question.contains("You answered:\n    [SILENT]\n\nNow answer this:\n    BEAT: 1\n"),
        "{question}"
    );
}

#[tokio::test]
async fn noise_in_the_stream_is_passed_over() {
    let answer = Stage::new("chatters").model().answer(ask("Well?")).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.usage), ("[SILENT]", Some(USED)));
}

#[tokio::test]
async fn failures_say_what_went_wrong_in_one_line_without_keys() {
    for (behaviour, error) in [
        ("unfinished", "Claude Code ended without a result"),
        ("errs", "Claude Code failed: API Error: 529 Overloaded"),
        (
            "logged-out",
            "Claude Code is not logged in (run `claude` once and log in, or set ANTHROPIC_API_KEY): \
             Not logged in · Please run /login",
        ),
        ("fails", "Claude Code failed with exit code 1: error: the key … was refused"),
        ("dies", "Claude Code was ended by a signal"),
        ("floods", "Claude Code wrote more than 8 MB"),
        ("floods-one-line", "Claude Code wrote more than 8 MB"),
    ] {
        let failure = Stage::new(behaviour).model().answer(ask("Well?")).await.unwrap_err();
        assert_eq!(failure.error, error);
    }
}

#[tokio::test]
async fn a_broken_stream_keeps_what_it_told_of_its_usage() {
    let failure = Stage::new("unfinished").model().answer(ask("Well?")).await.unwrap_err();
    let told = Usage { uncached: 7, cache_read: 30, output: 1, partial: true, ..Usage::NONE };
    assert_eq!(failure.usage, Some(told));
}

#[tokio::test]
async fn a_command_that_does_not_listen_keeps_nobody_waiting() {
    let long = "word ".repeat(200_000);
    let answer = Stage::new("deaf").model().answer(ask(&long)).await.unwrap();
    assert_eq!(answer.text, "I have not listened.");
}

#[tokio::test]
async fn structured_answers_are_asked_for_and_taken_as_such() {
    let stage = Stage::new("shapes");
    let mut asked = ask("Is the goal met?");
    asked.schema = Some(
        Schema { name: "verdict", json: json!({"type": "object", "required": ["met"]}), exact: true }.into(),
    );
    assert_eq!(stage.model().answer(asked).await.unwrap().text, r#"{"met":true}"#);
}

#[tokio::test]
async fn calls_at_once_are_answered_each_on_its_own() {
    let stage = Stage::new("echoes");
    let model = stage.model();
    let words: Vec<String> = (0..12).map(|n| format!("word {n}")).collect();
    let answers = join_all(words.iter().map(|word| model.answer(ask(word)))).await;
    let texts: Vec<String> = answers.into_iter().map(|answer| answer.unwrap().text).collect();
    assert_eq!(texts, words);
}

/// Each process takes some 200 MB: twelve at once would be two gigabytes.
#[tokio::test]
async fn no_more_than_allowed_run_at_once() {
    let stage = Stage::new("gathers");
    let model = stage.model_with(|settings| settings.max_parallel = Some(3));
    let answers = join_all((0..9).map(|_| model.answer(ask("How many are you?")))).await;
    let most = answers.into_iter().map(|answer| answer.unwrap().text.parse::<usize>().unwrap()).max();
    assert_eq!(most, Some(3));
}

#[tokio::test]
async fn a_call_that_never_began_says_so() {
    let stage = Stage::new("hangs");
    let model = stage.model_with(|settings| settings.max_parallel = Some(1));
    let patient = |timeout_ms| Request { timeout_ms, ..ask("Well?") };
    let (first, second) = tokio::join!(model.answer(patient(2_000)), model.answer(patient(50)));
    let (first, second) = (first.unwrap_err(), second.unwrap_err());
    assert_eq!((first.error.as_str(), first.usage), ("Response timeout after 2s", None));
    assert_eq!(second.error, "timeout in the queue: 'max_parallel' is 1");
    let free = Some(Usage::NONE);
    assert_eq!(
        (second.kind, second.usage),
        (FailureKind::RateLimited, free),
        "it is not charged for what it never asked"
    );
}

/// What was not sent, or refused at the door, costs nothing.
#[tokio::test]
async fn a_call_that_asked_nothing_is_free() {
    let missing = ClaudeCode::at(&Settings::new(Provider::ClaudeCode, "sonnet"), "/nowhere/claude").unwrap();
    let nothing = Stage::new("answers").model();
    let logged_out = Stage::new("logged-out").model();
    for (model, request) in [(missing, ask("Well?")), (nothing, request(&[])), (logged_out, ask("Well?"))] {
        let failure = model.answer(request).await.unwrap_err();
        assert_eq!(failure.usage, Some(Usage::NONE), "{}", failure.error);
    }
}

/// A command whose connections break is one that may be billed each time.
#[tokio::test]
async fn what_may_be_billed_is_tried_again_only_as_often_as_may_be_paid() {
    for (retries, paid_tries, tries) in [(2, None, 3), (2, Some(3), 3), (2, Some(2), 2), (2, Some(1), 1)] {
        for behaviour in ["loses", "loses-on"] {
            let stage = Stage::new(behaviour);
            let model = stage.model_with(|settings| settings.retries = retries);
            let failure = model.answer(Request { paid_tries, ..ask("Well?") }).await.unwrap_err();
            // One that does not know the variable has announced its next try, and is ended before it.
            assert_eq!(stage.note("tries").lines().count(), tries, "{behaviour} {paid_tries:?} {failure:?}");
            let untold = Some(UntoldTries { output: 0, all: tries as u32 });
            let silent = Usage { partial: true, untold, ..Usage::NONE };
            assert_eq!(failure.usage, Some(silent), "{behaviour} {paid_tries:?} {failure:?}");
        }
    }
}

/// The command says what a call cost only with its result; what broke off is charged at the project's prices.
#[tokio::test]
async fn a_project_may_know_the_price_of_what_broke_off() {
    let price = Price { uncached: 1, cache_read: 2, cache_write: 3, output: 4 };
    let model = Stage::new("unfinished").model_with(|settings| settings.published = Some(price));
    assert_eq!(model.card().price, None, "what a subscription is worth is the operator's to say");
    let usage = model.answer(ask("Well?")).await.unwrap_err().usage.unwrap();
    assert_eq!(usage.billed, Some(price.of(&usage)));
}

#[tokio::test]
async fn an_operator_s_own_price_stands_in_place_of_the_command_s() {
    let stage = Stage::new("answers");
    let price = Some(Price { output: 1, ..Price::FREE });
    let model = stage.model_with(|settings| settings.price = price);
    assert_eq!(model.card().price, price);
    let answer = model.answer(ask("Well?")).await.unwrap();
    assert_eq!(answer.usage, Some(Usage { billed: None, ..USED }));

    let failing = Stage::new("errs").model_with(|settings| settings.price = price);
    let failure = failing.answer(ask("Well?")).await.unwrap_err();
    assert_eq!(failure.usage.unwrap().billed, None);
}

#[test]
fn the_card_says_what_it_is() {
    let model = ClaudeCode::at(&Settings::new(Provider::ClaudeCode, "sonnet"), "claude").unwrap();
    let card = model.card();
    assert_eq!(card.description, "sonnet through Claude Code");
    assert_eq!((card.provider.as_deref(), card.model.as_deref()), (Some("claude-code"), Some("sonnet")));
    assert_eq!((card.context, card.price), (Context::Window, None));
}

#[tokio::test]
async fn a_missing_command_is_found_out_beforehand() {
    let settings = Settings::new(Provider::ClaudeCode, "sonnet");
    let missing = ClaudeCode::at(&settings, "/nowhere/claude").unwrap();
    let problem = missing.check().await.unwrap_err();
    assert_eq!(problem.message, "there is no command '/nowhere/claude' that could be run");
    let hint = problem.hint.unwrap();
    assert!(hint.contains("install") && hint.contains("ENACT_CLAUDE") && hint.contains("provider"), "{hint}");
    let failure = missing.answer(ask("Well?")).await.unwrap_err();
    assert!(failure.error.starts_with("'/nowhere/claude' cannot be run: "), "{}", failure.error);

    assert_eq!(Stage::new("answers").model().check().await, Ok(()));
}

#[test]
fn settings_that_would_be_passed_over_in_silence_are_refused() {
    type Change = fn(&mut Settings);
    let cases: [(Change, &str); 3] = [
        (|s| s.temperature = Some(0.7), "model 'sonnet': Claude Code takes no temperature"),
        (|s| s.base_url = Some("http://x".to_owned()), "model 'sonnet': Claude Code takes no base URL"),
        (|s| s.model = "--mcp-config".to_owned(), "'--mcp-config' is not the name of a model"),
    ];
    for (change, message) in cases {
        let mut settings = Settings::new(Provider::ClaudeCode, "sonnet");
        change(&mut settings);
        let problem = ClaudeCode::new(&settings).unwrap_err();
        assert_eq!(problem.message, message);
        assert!(problem.hint.is_some());
    }
}
