//! A model tries again only as often as the budget of its run has room for, and what it tells of its tries is
//! what is charged.

use enact_drama::{
    request::Request,
    usage::{UntoldTries, Usage},
};
use enact_models::{Provider, Settings, connect};
use fake_provider::{FakeProvider, Fault, PlannedResponse, Script};

use super::{Delivery, PROVIDERS, raw_server::RawServer, request, schema, settings};

/// So many tries that told nothing.
fn silent(tries: u32) -> Usage {
    Usage { partial: true, untold: Some(UntoldTries { output: 0, all: tries }), ..Usage::NONE }
}

#[tokio::test]
async fn what_may_be_billed_is_tried_again_only_as_often_as_may_be_paid() {
    let broken = || PlannedResponse::fault(Fault::CutAfter(0));
    let busy = || PlannedResponse::fault(Fault::Status(429, None));
    for (acts, paid_tries, arrivals) in [
        (vec![broken(), broken(), broken(), broken()], None, 4),
        (vec![broken(), broken(), broken(), broken()], Some(1), 1),
        (vec![broken(), broken(), broken(), broken()], Some(2), 2),
        (vec![broken(), broken()], Some(3), 3),
        // What was turned away costs nothing.
        (vec![busy(), busy(), broken(), broken()], Some(1), 3),
        (vec![busy(), busy()], Some(1), 3),
    ] {
        let calls = PROVIDERS.into_iter().map(|(provider, api)| {
            let acts = acts.clone();
            async move {
                let server = FakeProvider::builder().play(Script::sequence(acts)).start().await;
                let settings = Settings { retries: 3, ..settings(provider, server.base_url_for(api)) };
                let model = connect(settings).unwrap();
                let outcome = Delivery::Streamed.ask(&*model, Request { paid_tries, ..request() }).await;
                (provider, server.arrivals(), outcome)
            }
        });
        for (provider, arrived, outcome) in futures::future::join_all(calls).await {
            assert_eq!(arrived, arrivals, "{provider:?} {paid_tries:?} {outcome:?}");
        }
    }
}

/// A server may find fault with a request after it has begun to answer, which it may charge for.
#[tokio::test]
async fn asking_in_another_manner_is_a_try_like_any_other() {
    let fault = r#"data: {"error":{"message":"response_format is not supported","code":400}}"#;
    let refused = RawServer::json(400, r#"{"error":{"message":"response_format is not supported"}}"#);
    let begun = RawServer::stream(&format!("{fault}\n\n"));
    for (answer, paid_tries, asked) in [
        (&begun, None, 2),
        (&begun, Some(1), 1),
        (&begun, Some(2), 2),
        // What was turned away costs nothing.
        (&refused, Some(1), 2),
    ] {
        let server = RawServer::start(vec![answer.clone(), answer.clone()]).await;
        let model = connect(settings(Provider::OpenAiCompatible, server.base_url())).unwrap();
        let request = Request { schema: Some(schema()), paid_tries, ..request() };
        let failure = model.answer(request).await.unwrap_err();
        assert_eq!(server.seen().len(), asked, "{paid_tries:?} {}", failure.error);
    }
}

/// A proxy that has given up waiting says nothing about what the model behind it has done.
#[tokio::test]
async fn what_a_proxy_did_not_wait_for_may_have_been_billed() {
    for (status, usage, arrivals) in [
        (500, Usage::NONE, 3),
        (502, Usage::NONE, 3),
        (503, Usage::NONE, 3),
        (504, silent(1), 1),
        (522, silent(1), 1),
        (524, silent(1), 1),
    ] {
        let act = PlannedResponse::fault(Fault::Status(status, None));
        let calls = PROVIDERS.into_iter().map(|(provider, api)| {
            let act = act.clone();
            async move {
                let server = FakeProvider::builder().script(move |_| act.clone()).start().await;
                let settings = Settings { retries: 2, ..settings(provider, server.base_url_for(api)) };
                let request = Request { paid_tries: Some(1), ..request() };
                let failure = connect(settings).unwrap().answer(request).await.unwrap_err();
                (provider, failure.usage, server.arrivals())
            }
        });
        for (provider, told, arrived) in futures::future::join_all(calls).await {
            assert_eq!((told, arrived), (Some(usage), arrivals), "{provider:?} {status}");
        }
    }
}

/// What was put aside for tries that were not made is released.
#[tokio::test]
async fn tries_that_told_nothing_are_counted() {
    for (provider, api) in PROVIDERS {
        for retries in [0, 2] {
            let broken = PlannedResponse::fault(Fault::CutAfter(0));
            let server = FakeProvider::builder().script(move |_| broken.clone()).start().await;
            let settings = Settings { retries, ..settings(provider, server.base_url_for(api)) };
            let model = connect(settings).unwrap();
            let failure = Delivery::Streamed.ask(&*model, request()).await.unwrap_err();
            // Anthropic tells at the beginning what went in.
            let untold = failure.usage.and_then(|usage| usage.untold).unwrap_or_default();
            assert_eq!((untold.output + untold.all) as usize, retries + 1, "{provider:?} {failure:?}");
        }
    }
}
