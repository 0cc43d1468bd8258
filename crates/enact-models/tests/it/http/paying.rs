//! A model tries again only as often as the budget of its run has room for, and what it tells of its tries is
//! what is charged.

use enact_drama::request::Request;
use enact_models::{Settings, connect};
use fake_provider::{FakeProvider, Fault, PlannedResponse, Script};

use super::{Delivery, PROVIDERS, request, settings};

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
