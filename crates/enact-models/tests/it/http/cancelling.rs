//! Dropping a call ends it: the server sees the client go, and nothing follows.

use enact_models::{Provider, Settings, connect};
use enact_testkit::{listen_for, pass, run_in_own_process};
use fake_provider::{FakeProvider, Fault, PlannedResponse, RequestOutcome, Seen};

use super::{Delivery, PROVIDERS, SECOND, model_at, request, settings};

#[tokio::test]
async fn a_dropped_call_closes_its_connection() {
    for (fault, delivery) in [
        (Fault::Hang, Delivery::Plain),
        (Fault::Hang, Delivery::Streamed),
        (Fault::HangAfter(1), Delivery::Plain),
        (Fault::HangAfter(1), Delivery::Streamed),
    ] {
        for provider in PROVIDERS {
            let act = PlannedResponse::fault(fault.clone());
            let server = FakeProvider::builder().script(move |_| act.clone()).start().await;
            let model = model_at(&server, provider);
            let call = tokio::spawn(async move { delivery.ask(&*model, request()).await });
            server.wait_for_in_flight(1).await;
            call.abort();
            server.wait_until_idle().await;
            let seen = server.seen();
            assert_eq!((seen.len(), seen[0].outcome), (1, RequestOutcome::Dropped), "{provider:?} {fault:?}");
        }
    }
}

#[tokio::test]
async fn nothing_is_asked_again_after_it() {
    if run_in_own_process("http::cancelling::nothing_is_asked_again_after_it") {
        return;
    }
    let pausing = listen_for("retrying a call");
    let script = |seen: &Seen| match seen.number {
        0 => PlannedResponse::fault(Fault::Status(429, Some(SECOND))),
        _ => PlannedResponse::reply(),
    };
    let server = FakeProvider::builder().script(script).start().await;
    let settings = Settings { retries: 5, ..settings(Provider::Anthropic, server.base_url()) };
    let model = connect(settings).unwrap();
    let asking = model.clone();
    let call = tokio::spawn(async move { asking.answer(request()).await });
    pausing.written().await;
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    // The pause that was cut short would have ended by then, and the next question would come after another
    // attempt.
    pass(2 * SECOND).await;
    model.answer(request()).await.unwrap();
    assert_eq!(server.arrivals(), 2);
}
