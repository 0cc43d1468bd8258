//! Every way to fail, in every wire format: one line each, and never a key in it.

use enact_drama::{
    production::FailureKind,
    request::Request,
    usage::{UntoldTries, Usage},
};
use enact_models::{ApiKey, Provider, Settings, connect};
use expect_test::{Expect, expect};
use fake_provider::{Api, FakeProvider, Fault, Lie, PlannedResponse, Trouble};
use futures::future::join_all;

use super::{Delivery, KEY, PROVIDERS, SECOND, answer_to, failure_of, model_at, request, settings};

const ONE_TRY: UntoldTries = UntoldTries { output: 0, all: 1 };

/// What each provider's failure is told as, and what is known to have been used: the same whether or not a
/// stream was asked for.
async fn check(fault: Fault, expected: Expect) {
    expected.assert_eq(&told(&fault, Delivery::Streamed).await);
    expected.assert_eq(&told(&fault, Delivery::Plain).await);
}

/// The same for what happens within a stream.
async fn check_streamed(fault: Fault, expected: Expect) {
    expected.assert_eq(&told(&fault, Delivery::Streamed).await);
}

async fn told(fault: &Fault, delivery: Delivery) -> String {
    let mut told = String::new();
    for (provider, api) in PROVIDERS {
        let failure = failure_of(fault.clone(), (provider, api), delivery).await;
        assert!(!format!("{failure:?}").contains(KEY), "{failure:?}");
        assert!(!failure.error.contains('\n'), "{failure:?}");
        let spent = match failure.usage {
            Some(usage) if usage.total() > 0 => " [something was used]",
            Some(Usage::NONE) => " [nothing was used]",
            Some(_) | None => "",
        };
        told += &format!("{}{spent}\n", failure.error);
    }
    told
}

#[tokio::test]
async fn limits() {
    check(
        Fault::Status(429, Some(20 * SECOND)),
        expect![[r#"
            anthropic: too many requests (429), asked to wait 20s [nothing was used]
            openai: too many requests (429), asked to wait 20s [nothing was used]
            openai-compatible: too many requests (429), asked to wait 20s [nothing was used]
            gemini: too many requests (429), asked to wait 20s [nothing was used]
            ollama: too many requests (429), asked to wait 20s [nothing was used]
        "#]],
    )
    .await;
    check(
        Fault::Status(429, None),
        expect![[r#"
            anthropic: too many requests (429), try again later [nothing was used]
            openai: too many requests (429), try again later [nothing was used]
            openai-compatible: too many requests (429), try again later [nothing was used]
            gemini: too many requests (429), try again later [nothing was used]
            ollama: too many requests (429), try again later [nothing was used]
        "#]],
    )
    .await;
}

#[tokio::test]
async fn servers_in_trouble() {
    check(
        Fault::Status(500, None),
        expect![[r#"
            anthropic: server error (500), try again later [nothing was used]
            openai: server error (500), try again later [nothing was used]
            openai-compatible: server error (500), try again later [nothing was used]
            gemini: server error (500), try again later [nothing was used]
            ollama: server error (500), try again later [nothing was used]
        "#]],
    )
    .await;
    check(
        Fault::Status(529, None),
        expect![[r#"
            anthropic: overloaded (529), try again later [nothing was used]
            openai: overloaded (529), try again later [nothing was used]
            openai-compatible: overloaded (529), try again later [nothing was used]
            gemini: overloaded (529), try again later [nothing was used]
            ollama: overloaded (529), try again later [nothing was used]
        "#]],
    )
    .await;
    check(
        Fault::Status(502, None),
        expect![[r#"
            anthropic: server error (502), try again later [nothing was used]
            openai: server error (502), try again later [nothing was used]
            openai-compatible: server error (502), try again later [nothing was used]
            gemini: server error (502), try again later [nothing was used]
            ollama: server error (502), try again later [nothing was used]
        "#]],
    )
    .await;
}

#[tokio::test]
async fn keys_and_names() {
    check(
        Fault::WrongKey,
        expect![[r#"
            anthropic: the key was refused (401); check ANTHROPIC_API_KEY [nothing was used]
            openai: the key was refused (401); check OPENAI_API_KEY [nothing was used]
            openai-compatible: the key was refused (401); check the variable that 'key_env' names [nothing was used]
            gemini: the key was refused (400); check GEMINI_API_KEY [nothing was used]
            ollama: the key was refused (401); check the variable that 'key_env' names [nothing was used]
        "#]],
    )
    .await;
    check(
        Fault::Status(401, None),
        expect![[r#"
            anthropic: the key was refused (401); check ANTHROPIC_API_KEY [nothing was used]
            openai: the key was refused (401); check OPENAI_API_KEY [nothing was used]
            openai-compatible: the key was refused (401); check the variable that 'key_env' names [nothing was used]
            gemini: the key was refused (401); check GEMINI_API_KEY [nothing was used]
            ollama: the key was refused (401); check the variable that 'key_env' names [nothing was used]
        "#]],
    )
    .await;
    check(
        Fault::Status(403, None),
        expect![[r#"
            anthropic: the key was refused (403); check ANTHROPIC_API_KEY [nothing was used]
            openai: the key was refused (403); check OPENAI_API_KEY [nothing was used]
            openai-compatible: the key was refused (403); check the variable that 'key_env' names [nothing was used]
            gemini: the key was refused (403); check GEMINI_API_KEY [nothing was used]
            ollama: the key was refused (403); check the variable that 'key_env' names [nothing was used]
        "#]],
    )
    .await;
    check(
        Fault::Status(404, None),
        expect![[r#"
            anthropic: there is no model 'test-model' (404); check 'model' [nothing was used]
            openai: there is no model 'test-model' (404); check 'model' [nothing was used]
            openai-compatible: there is no model 'test-model' (404); check 'model' and 'base_url' [nothing was used]
            gemini: there is no model 'test-model' (404); check 'model' [nothing was used]
            ollama: there is no model 'test-model' (404); try `ollama pull test-model` [nothing was used]
        "#]],
    )
    .await;
}

#[tokio::test]
async fn requests_that_cannot_be_answered() {
    check(Fault::TooLong, expect![[r#"
        anthropic: the request is longer than the model can read; lower 'thread_tokens', or take another model [nothing was used]
        openai: the request is longer than the model can read; lower 'thread_tokens', or take another model [nothing was used]
        openai-compatible: the request is longer than the model can read; lower 'thread_tokens', or take another model [nothing was used]
        gemini: the request is longer than the model can read; lower 'thread_tokens', or take another model [nothing was used]
        ollama: the request is longer than the model can read; lower 'thread_tokens', or take another model [nothing was used]
    "#]]).await;
    check(
        Fault::Status(400, None),
        expect![[r#"
            anthropic: the request was rejected (400): The request could not be processed. [nothing was used]
            openai: the request was rejected (400): The request could not be processed. [nothing was used]
            openai-compatible: the request was rejected (400): The request could not be processed. [nothing was used]
            gemini: the request was rejected (400): Request contains an invalid argument. [nothing was used]
            ollama: the request was rejected (400): invalid request [nothing was used]
        "#]],
    )
    .await;
    check(
        Fault::Redirect("http://127.0.0.1:1/elsewhere".to_owned()),
        expect![[r#"
            anthropic: redirected (307), which is not followed; give the final address as 'base_url' [nothing was used]
            openai: redirected (307), which is not followed; give the final address as 'base_url' [nothing was used]
            openai-compatible: redirected (307), which is not followed; give the final address as 'base_url' [nothing was used]
            gemini: redirected (307), which is not followed; give the final address as 'base_url' [nothing was used]
            ollama: redirected (307), which is not followed; give the final address as 'base_url' [nothing was used]
        "#]],
    )
    .await;
}

#[tokio::test]
async fn answers_that_break_off() {
    check_streamed(
        Fault::CutAfter(0),
        expect![[r#"
        anthropic: the connection closed before the answer was complete [something was used]
        openai: the connection closed before the answer was complete
        openai-compatible: the connection closed before the answer was complete
        gemini: the connection closed before the answer was complete
        ollama: the connection closed before the answer was complete
    "#]],
    )
    .await;
    check_streamed(
        Fault::CutAfter(2),
        expect![[r#"
        anthropic: the connection closed before the answer was complete [something was used]
        openai: the connection closed before the answer was complete
        openai-compatible: the connection closed before the answer was complete
        gemini: the connection closed before the answer was complete [something was used]
        ollama: the connection closed before the answer was complete
    "#]],
    )
    .await;
    check_streamed(
        Fault::EndWithoutStop,
        expect![[r#"
        anthropic: the answer broke off before its end [something was used]
        openai: the answer broke off before its end
        openai-compatible: the answer broke off before its end
        gemini: the answer broke off before its end [something was used]
        ollama: the answer broke off before its end
    "#]],
    )
    .await;
    check_streamed(
        Fault::NotJson,
        expect![[r#"
        anthropic: unexpected response; is 'base_url' right? [something was used]
        openai: unexpected response; is 'base_url' right?
        openai-compatible: unexpected response; is 'base_url' right?
        gemini: unexpected response; is 'base_url' right? [something was used]
        ollama: unexpected response; is 'base_url' right?
    "#]],
    )
    .await;
    check_streamed(
        Fault::StreamError(Trouble::Overloaded),
        expect![[r#"
        anthropic: overloaded (529), try again later [something was used]
        openai: overloaded (503), try again later
        openai-compatible: overloaded (503), try again later
        gemini: overloaded (503), try again later [something was used]
        ollama: server error (500), try again later
    "#]],
    )
    .await;
    check_streamed(
        Fault::StreamError(Trouble::RateLimited),
        expect![[r#"
        anthropic: too many requests (429), try again later [something was used]
        openai: too many requests (429), try again later
        openai-compatible: too many requests (429), try again later
        gemini: too many requests (429), try again later [something was used]
        ollama: server error (500), try again later
    "#]],
    )
    .await;
    check_streamed(
        Fault::StreamError(Trouble::Internal),
        expect![[r#"
        anthropic: server error (500), try again later [something was used]
        openai: server error (500), try again later
        openai-compatible: server error (500), try again later
        gemini: server error (500), try again later [something was used]
        ollama: server error (500), try again later
    "#]],
    )
    .await;
}

/// Of a plain answer usage is the last that comes, so that nothing is known of one that breaks off.
#[tokio::test]
async fn plain_answers_that_break_off() {
    for (fault, told) in [
        (Fault::CutAfter(1), "the connection closed before the answer was complete"),
        (Fault::EndWithoutStop, "the answer broke off before its end"),
        (Fault::NotJson, "unexpected response; is 'base_url' right?"),
    ] {
        for provider in PROVIDERS {
            let failure = failure_of(fault.clone(), provider, Delivery::Plain).await;
            assert_eq!(failure.error, format!("{}: {told}", provider.0.as_str()));
            let unknown = failure.usage.is_some_and(|usage| usage.tells_nothing());
            assert!(unknown, "{provider:?} {fault:?}: unknown is not free");
        }
    }
}

#[tokio::test]
async fn answers_that_are_none() {
    check(
        Fault::Empty,
        expect![[r#"
        anthropic: the answer was empty [something was used]
        openai: the answer was empty [something was used]
        openai-compatible: the answer was empty [something was used]
        gemini: the answer was empty [something was used]
        ollama: the answer was empty [something was used]
    "#]],
    )
    .await;
}

/// Ollama has no way to say that a model declines, so its words are the answer.
#[tokio::test]
async fn refusals() {
    for (provider, api) in PROVIDERS {
        for delivery in Delivery::BOTH {
            let outcome = answer_to(PlannedResponse::fault(Fault::Refuse), (provider, api), delivery).await;
            match provider {
                Provider::Ollama => assert_eq!(outcome.unwrap().text, "I can't help with that."),
                _ => {
                    let failure = outcome.unwrap_err();
                    assert_eq!(failure.error, format!("{}: the model refused to answer", provider.as_str()));
                    assert!(failure.usage.is_some(), "{failure:?}");
                }
            }
        }
    }
}

#[tokio::test]
async fn time_runs_out() {
    let hurry = async |fault: Fault, provider: (Provider, Api), delivery: Delivery| {
        let act = PlannedResponse::fault(fault.clone());
        let server = FakeProvider::builder().script(move |_| act.clone()).start().await;
        let hurried = Request { timeout_ms: 500, ..request() };
        let failure = delivery.ask(&*model_at(&server, provider), hurried).await.unwrap_err();
        assert_eq!(failure.error, "Response timeout after 500ms");
        // A little before it would be given up, so that it can tell what was used.
        assert!((450..5_000).contains(&failure.took_ms), "{failure:?}");
        assert_eq!(failure.kind, FailureKind::Timeout);
        // Anthropic says at the beginning of a stream what went in.
        match delivery {
            Delivery::Streamed if provider.0 == Provider::Anthropic && fault != Fault::Hang => {
                assert!(failure.usage.is_some_and(|usage| usage.partial), "{failure:?}");
            }
            Delivery::Streamed => {}
            Delivery::Plain => {
                let one_try = Usage { partial: true, untold: Some(ONE_TRY), ..Usage::NONE };
                assert_eq!(failure.usage, Some(one_try), "unknown is not free, and not three tries");
            }
        }
    };
    for fault in [Fault::Hang, Fault::HangAfter(1)] {
        for delivery in Delivery::BOTH {
            join_all(PROVIDERS.map(|provider| hurry(fault.clone(), provider, delivery))).await;
        }
    }
}

#[tokio::test]
async fn failures_have_a_kind() {
    for (fault, kind) in [
        (Fault::Status(429, None), FailureKind::RateLimited),
        (Fault::Status(529, None), FailureKind::Overloaded),
        (Fault::Status(500, None), FailureKind::Server),
        (Fault::WrongKey, FailureKind::Auth),
        (Fault::TooLong, FailureKind::ContextTooLong),
        (Fault::CutAfter(0), FailureKind::Connection),
        (Fault::EndWithoutStop, FailureKind::Truncated),
        (Fault::Empty, FailureKind::Empty),
        (Fault::Refuse, FailureKind::Refused),
        (Fault::NotJson, FailureKind::Other),
    ] {
        for delivery in Delivery::BOTH {
            let failure = failure_of(fault.clone(), PROVIDERS[0], delivery).await;
            assert_eq!(failure.kind, kind, "{fault:?} {delivery:?}");
        }
    }
}

#[tokio::test]
async fn the_operator_s_limit_holds_as_well() {
    let server = FakeProvider::builder().script(|_| PlannedResponse::fault(Fault::Hang)).start().await;
    let settings = Settings { timeout: Some(SECOND / 4), ..settings(Provider::Anthropic, server.base_url()) };
    let failure = connect(settings).unwrap().answer(request()).await.unwrap_err();
    assert_eq!(failure.error, "Response timeout after 250ms");
}

#[tokio::test]
async fn nobody_is_there() {
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (provider, _) in PROVIDERS {
        let model = connect(settings(provider, format!("http://{address}/v1"))).unwrap();
        let failure = model.answer(request()).await.unwrap_err();
        let hint = match provider {
            Provider::Ollama => "is `ollama serve` running?",
            Provider::OpenAiCompatible => "is the server running?",
            _ => "is there a network?",
        };
        let name = provider.as_str();
        assert_eq!(
            failure.error,
            format!("{name}: cannot be reached at http://{address} (connection refused); {hint}")
        );
        assert_eq!(failure.usage, Some(Usage::NONE), "nobody was there to use anything");
    }
}

#[tokio::test]
async fn lies_about_usage_are_not_believed() {
    for lie in [Lie::Missing, Lie::Huge, Lie::Negative] {
        for provider in PROVIDERS {
            for delivery in Delivery::BOTH {
                let act = PlannedResponse::text("[SILENT]").with_fault(Fault::Lie(lie));
                let answer = answer_to(act, provider, delivery).await.unwrap();
                let one_try = Usage { partial: true, untold: Some(ONE_TRY), ..Usage::NONE };
                let unknown = ("[SILENT]", Some(one_try));
                assert_eq!((answer.text.as_str(), answer.usage), unknown, "{lie:?} {provider:?}");
            }
        }
    }
}

#[tokio::test]
async fn an_answer_cut_by_its_limit_is_an_answer() {
    for (provider, api) in PROVIDERS {
        let server =
            FakeProvider::builder().script(|_| PlannedResponse::text("word ".repeat(1_000))).start().await;
        let settings = Settings { max_tokens: Some(10), ..settings(provider, server.base_url_for(api)) };
        let model = connect(settings).unwrap();
        for delivery in Delivery::BOTH {
            let answer = delivery.ask(&*model, request()).await.unwrap();
            assert_eq!(answer.text, "word ".repeat(8), "{provider:?}");
            assert_eq!(answer.usage.unwrap().output, 10);
        }
    }
}

/// Transcripts are shared: a server that repeats the key in its answer must not get it written down.
#[tokio::test]
async fn a_key_in_an_answer_is_taken_out() {
    for provider in PROVIDERS {
        for delivery in Delivery::BOTH {
            let act = PlannedResponse::text(format!("[TONE: sly] \"Your key is {KEY}, is it not?\""));
            let text = answer_to(act, provider, delivery).await.unwrap().text;
            assert_eq!(text, "[TONE: sly] \"Your key is …, is it not?\"", "{provider:?}");
        }
    }
}

/// Local servers are often given a word as a key, and actors say words.
#[tokio::test]
async fn a_key_that_is_a_word_stays_in_what_is_said() {
    const LINE: &str = "[TONE: warm] \"The greatest test is trust.\"";
    let server = FakeProvider::builder().key("test").script(|_| PlannedResponse::text(LINE)).start().await;
    let settings = Settings {
        key: Some(ApiKey::new("test")),
        ..settings(Provider::OpenAiCompatible, server.base_url_for(Api::OpenAi))
    };
    let answer = connect(settings).unwrap().answer(request()).await;
    assert_eq!(answer.unwrap().text, LINE);
}
