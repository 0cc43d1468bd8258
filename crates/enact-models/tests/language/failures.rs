//! Every way to fail, in every wire format: one line each, and never a key in it.

use enact_models::{Provider, Settings, connect};
use expect_test::{Expect, expect};
use fake_provider::{Act, FakeProvider, Fault, Lie, Trouble};

use super::{KEY, PROVIDERS, SECOND, answer_to, failure_of, model_at, request, settings};

/// What each provider's failure is told as, and what is known to have been used.
async fn check(fault: Fault, expected: Expect) {
    let mut told = String::new();
    for (provider, api) in PROVIDERS {
        let failure = failure_of(fault.clone(), (provider, api)).await;
        assert!(!format!("{failure:?}").contains(KEY), "{failure:?}");
        assert!(!failure.error.contains('\n'), "{failure:?}");
        let spent = match failure.usage {
            Some(usage) if usage.total() > 0 => " [something was used]",
            Some(_) => " [nothing was used]",
            None => "",
        };
        told += &format!("{}{spent}\n", failure.error);
    }
    expected.assert_eq(&told);
}

#[tokio::test]
async fn limits() {
    check(Fault::Status(429, Some(20 * SECOND)), expect![[""]]).await;
    check(Fault::Status(429, None), expect![[""]]).await;
}

#[tokio::test]
async fn servers_in_trouble() {
    check(Fault::Status(500, None), expect![[""]]).await;
    check(Fault::Status(529, None), expect![[""]]).await;
    check(Fault::Status(502, None), expect![[""]]).await;
}

#[tokio::test]
async fn keys_and_names() {
    check(Fault::WrongKey, expect![[""]]).await;
    check(Fault::Status(401, None), expect![[""]]).await;
    check(Fault::Status(403, None), expect![[""]]).await;
    check(Fault::Status(404, None), expect![[""]]).await;
}

#[tokio::test]
async fn requests_that_cannot_be_answered() {
    check(Fault::TooLong, expect![[""]]).await;
    check(Fault::Status(400, None), expect![[""]]).await;
    check(Fault::Redirect("http://127.0.0.1:1/elsewhere".to_owned()), expect![[""]]).await;
}

#[tokio::test]
async fn answers_that_break_off() {
    check(Fault::CutAfter(0), expect![[""]]).await;
    check(Fault::CutAfter(2), expect![[""]]).await;
    check(Fault::EndWithoutStop, expect![[""]]).await;
    check(Fault::NotJson, expect![[""]]).await;
    check(Fault::StreamError(Trouble::Overloaded), expect![[""]]).await;
    check(Fault::StreamError(Trouble::RateLimited), expect![[""]]).await;
    check(Fault::StreamError(Trouble::Internal), expect![[""]]).await;
}

#[tokio::test]
async fn answers_that_are_none() {
    check(Fault::Empty, expect![[""]]).await;
}

/// Ollama has no way to say that a model declines, so its words are the answer.
#[tokio::test]
async fn refusals() {
    for (provider, api) in PROVIDERS {
        let outcome = answer_to(Act::fault(Fault::Refuse), (provider, api)).await;
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

#[tokio::test]
async fn time_runs_out() {
    for fault in [Fault::Hang, Fault::HangAfter(1)] {
        for provider in PROVIDERS {
            let act = Act::fault(fault.clone());
            let server = FakeProvider::builder().script(move |_| act.clone()).start().await;
            let mut hurried = request();
            hurried.patience_ms = 150;
            let failure = model_at(&server, provider).answer(hurried).await.unwrap_err();
            assert_eq!(failure.error, "Response timeout after 150ms");
            assert!((150..5_000).contains(&failure.took_ms), "{failure:?}");
            // Anthropic says at the beginning what went in.
            let known = provider.0 == Provider::Anthropic && fault != Fault::Hang;
            assert!(failure.usage.is_some() >= known, "{failure:?}");
        }
    }
}

#[tokio::test]
async fn the_operator_s_limit_holds_as_well() {
    let server = FakeProvider::builder().script(|_| Act::fault(Fault::Hang)).start().await;
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
        let name = provider.as_str();
        assert_eq!(
            failure.error,
            format!("{name}: cannot be reached at http://{address} (connection refused)")
        );
        assert_eq!(failure.usage, None);
    }
}

#[tokio::test]
async fn lies_about_usage_are_not_believed() {
    for lie in [Lie::Missing, Lie::Huge, Lie::Negative] {
        for provider in PROVIDERS {
            let answer =
                answer_to(Act::text("[SILENT]").with_fault(Fault::Lie(lie)), provider).await.unwrap();
            assert_eq!((answer.text.as_str(), answer.usage), ("[SILENT]", None), "{lie:?} {provider:?}");
        }
    }
}

#[tokio::test]
async fn an_answer_cut_by_its_limit_is_an_answer() {
    for (provider, api) in PROVIDERS {
        let server = FakeProvider::builder().script(|_| Act::text("word ".repeat(1_000))).start().await;
        let settings = Settings { max_tokens: Some(10), ..settings(provider, server.base_url_for(api)) };
        let answer = connect(settings).unwrap().answer(request()).await.unwrap();
        assert_eq!(answer.text, "word ".repeat(8), "{provider:?}");
        assert_eq!(answer.usage.unwrap().output, 10);
    }
}
