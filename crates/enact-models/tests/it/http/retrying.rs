//! Trying again, counted from the server's side.

use std::{sync::Arc, time::Duration};

use enact_drama::{
    production::{Answer, Failure},
    request::Request,
};
use enact_models::{Provider, Settings, connect};
use fake_provider::{Api, FakeProvider, Fault, PlannedResponse, Script, Trouble};

use super::{Delivery, PROVIDERS, SECOND, request, settings};

/// Plays these acts to one call, and gives its outcome and the server.
async fn play(
    acts: Vec<PlannedResponse>,
    (provider, api): (Provider, Api),
    retries: usize,
    request: Request,
    delivery: Delivery,
) -> (Result<Answer, Failure>, FakeProvider) {
    let server = FakeProvider::builder().play(Script::sequence(acts)).start().await;
    let settings = Settings { retries, ..settings(provider, server.base_url_for(api)) };
    let outcome = delivery.ask(&*connect(settings).unwrap(), request).await;
    (outcome, server)
}

#[tokio::test]
async fn what_can_help_is_tried() {
    let faults = [
        (Fault::Status(429, None), Delivery::Streamed),
        (Fault::Status(500, None), Delivery::Streamed),
        (Fault::Status(529, None), Delivery::Streamed),
        (Fault::CutAfter(0), Delivery::Streamed),
        (Fault::Status(429, None), Delivery::Plain),
        (Fault::Status(500, None), Delivery::Plain),
    ];
    for (fault, delivery) in faults {
        let calls = PROVIDERS.into_iter().map(|provider| {
            play(
                vec![PlannedResponse::fault(fault.clone()), PlannedResponse::text("[SILENT]")],
                provider,
                1,
                request(),
                delivery,
            )
        });
        for (outcome, server) in futures::future::join_all(calls).await {
            assert_eq!(outcome.unwrap().text, "[SILENT]", "{fault:?}");
            assert_eq!(server.arrivals(), 2, "{fault:?}");
        }
    }
}

#[tokio::test]
async fn what_cannot_is_not() {
    let faults = [
        Fault::WrongKey,
        Fault::Status(400, None),
        Fault::Status(404, None),
        Fault::TooLong,
        Fault::Empty,
        Fault::NotJson,
        Fault::Redirect("http://127.0.0.1:1/".to_owned()),
    ];
    for fault in faults {
        for provider in PROVIDERS {
            for delivery in Delivery::BOTH {
                let acts = vec![PlannedResponse::fault(fault.clone())];
                let (outcome, server) = play(acts, provider, 5, request(), delivery).await;
                assert!(outcome.is_err() && server.arrivals() == 1, "{fault:?} {provider:?} {delivery:?}");
            }
        }
    }
}

#[tokio::test]
async fn nothing_is_asked_again_once_it_was_being_answered() {
    for (fault, delivery) in [
        (Fault::CutAfter(1), Delivery::Streamed),
        (Fault::EndWithoutStop, Delivery::Streamed),
        (Fault::StreamError(Trouble::Overloaded), Delivery::Streamed),
        (Fault::CutAfter(1), Delivery::Plain),
        (Fault::EndWithoutStop, Delivery::Plain),
    ] {
        for provider in PROVIDERS {
            let acts = vec![PlannedResponse::fault(fault.clone())];
            let (outcome, server) = play(acts, provider, 5, request(), delivery).await;
            assert!(outcome.is_err() && server.arrivals() == 1, "{fault:?} {provider:?}");
        }
    }
}

#[tokio::test]
async fn only_so_often() {
    let (outcome, server) = play(
        vec![PlannedResponse::fault(Fault::Status(500, None)); 9],
        PROVIDERS[0],
        1,
        request(),
        Delivery::Plain,
    )
    .await;
    assert_eq!(outcome.unwrap_err().error, "anthropic: server error (500), try again later");
    assert_eq!(server.arrivals(), 2);
}

#[tokio::test]
async fn a_streamed_429_says_when_to_come_back() {
    let calls = PROVIDERS.into_iter().map(|provider| {
        let limited = PlannedResponse::fault(Fault::Status(429, Some(2 * SECOND)));
        play(vec![limited, PlannedResponse::text("[SILENT]")], provider, 2, request(), Delivery::Streamed)
    });
    for (outcome, server) in futures::future::join_all(calls).await {
        assert_eq!(outcome.unwrap().text, "[SILENT]");
        let seen = server.seen();
        let pause = seen[1].arrived - seen[0].arrived;
        // Our own first pause would have been shorter than a second.
        assert!(pause >= 2 * SECOND && pause < 6 * SECOND, "{pause:?}");
    }
}

#[tokio::test]
async fn nobody_waits_beyond_the_patience_of_who_asks() {
    for provider in PROVIDERS {
        let mut hurried = request();
        hurried.timeout_ms = 5_000;
        let limited = PlannedResponse::fault(Fault::Status(429, Some(20 * SECOND)));
        let (outcome, server) = play(vec![limited], provider, 5, hurried, Delivery::Plain).await;
        let failure = outcome.unwrap_err();
        let name = provider.0.as_str();
        assert_eq!(failure.error, format!("{name}: too many requests (429), asked to wait 20s"));
        assert!(failure.took_ms < 4_000 && server.arrivals() == 1, "{failure:?}");
    }
}

/// What the first try used is on the bill as well.
#[tokio::test]
async fn all_tries_are_counted() {
    let acts = vec![PlannedResponse::fault(Fault::CutAfter(0)), PlannedResponse::text("[SILENT]")];
    let (outcome, server) = play(acts, PROVIDERS[0], 1, request(), Delivery::Streamed).await;
    let usage = outcome.unwrap().usage.unwrap();
    let billed = server.seen()[1].usage;
    assert!(usage.uncached >= billed.uncached && usage.output >= billed.output, "{usage:?} {billed:?}");
}

/// The calls of one beat are sent at once, none waits for another.
#[tokio::test]
async fn calls_run_side_by_side() {
    let server = FakeProvider::builder()
        .script(|_| PlannedResponse::text("[SILENT]").after(Duration::from_millis(500)))
        .start()
        .await;
    let model = connect(settings(PROVIDERS[0].0, server.base_url())).unwrap();
    let calls = (0..8).map(|_| {
        let model = Arc::clone(&model);
        async move { model.answer(request()).await.unwrap() }
    });
    futures::future::join_all(calls).await;
    assert!(server.seen().iter().any(|seen| seen.in_flight == 8));
}
