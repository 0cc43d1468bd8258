//! How many calls are under way at once and leave in a minute, counted from the server's side.

use std::time::Duration;

use enact_drama::{production::FailureKind, request::Request, usage::Usage};
use enact_models::{Provider, Settings, connect};
use fake_provider::{Api, FakeProvider, Fault, PlannedResponse};
use futures::future::join_all;

use super::{request, settings};

async fn server(answer: PlannedResponse) -> FakeProvider {
    FakeProvider::builder().script(move |_| answer.clone()).start().await
}

fn limited(server: &FakeProvider) -> Settings {
    settings(Provider::OpenAi, server.base_url_for(Api::OpenAi))
}

#[tokio::test]
async fn models_that_are_configured_alike_share_their_slots_and_waiting_takes_none_of_their_time() {
    let server = server(PlannedResponse::text("[SILENT]").after(Duration::from_millis(400))).await;
    // Four in a row take longer than a call may.
    let settings =
        Settings { max_parallel: Some(2), timeout: Some(Duration::from_millis(1_500)), ..limited(&server) };
    // As two runs that are prepared on their own.
    let models = [connect(settings.clone()).unwrap(), connect(settings).unwrap()];
    let calls = models.iter().flat_map(|model| (0..4).map(|_| model.answer(request())));
    for outcome in join_all(calls).await {
        assert_eq!(outcome.unwrap().text, "[SILENT]");
    }
    assert_eq!(server.seen().iter().map(|seen| seen.in_flight).max(), Some(2));
}

#[tokio::test]
async fn a_call_that_waits_beyond_its_patience_names_the_limit_and_a_dropped_one_frees_its_slot() {
    let server = server(PlannedResponse::text("[SILENT]").after(Duration::from_secs(60))).await;
    let model = connect(Settings { max_parallel: Some(1), ..limited(&server) }).unwrap();
    let patient = |timeout_ms| Request { timeout_ms, ..request() };
    let held = tokio::spawn({
        let model = model.clone();
        async move { model.answer(patient(30_000)).await }
    });
    server.wait_for_in_flight(1).await;
    let failure = model.answer(patient(50)).await.unwrap_err();
    let said = "openai: timeout in the queue: 'max_parallel' is 1";
    assert_eq!((failure.error.as_str(), failure.kind), (said, FailureKind::RateLimited));
    assert_eq!(failure.usage, Some(Usage::NONE), "it was never asked");
    held.abort();
    let next = tokio::spawn(async move { model.answer(patient(30_000)).await });
    server.wait_for_arrivals(2).await;
    next.abort();
}

#[tokio::test]
async fn every_try_counts_in_its_minute() {
    let server = server(PlannedResponse::fault(Fault::Status(500, None))).await;
    let model = connect(Settings { requests_per_minute: Some(3), retries: 1, ..limited(&server) }).unwrap();
    let failure = model.answer(request()).await.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Server);
    assert_eq!(server.arrivals(), 2);
    // One more may leave; its retry may not, and what the limit is for is said at once.
    for arrivals in [3, 3] {
        let failure = model.answer(Request { timeout_ms: 20_000, ..request() }).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::RateLimited, "{}", failure.error);
        assert!(failure.error.ends_with("s, 'requests_per_minute' is 3"), "{}", failure.error);
        assert_eq!(server.arrivals(), arrivals);
    }
}
