//! Keys, times, and who is there: everything about a request except what it says.

use std::time::{Duration, Instant};

use fake_provider::{Api, FakeProvider, Fault, PlannedResponse, RequestOutcome, Script, Seen};

use crate::client::{End, KEY, Mode, ask, client, tell, with_key};

#[tokio::test]
async fn a_key_is_demanded_on_every_route() {
    let server = FakeProvider::builder().key("another").start().await;
    for api in Api::ALL {
        for mode in [Mode::Streamed, Mode::Plain] {
            assert_eq!(tell(ask(&server, api, mode)).await.status, 401, "{api:?} {mode:?}");
        }
        let path = if api == Api::Ollama { "api/tags" } else { "models" };
        let list = || client().get(server.base_url_for(api) + path);
        assert_eq!(tell(with_key(list(), api, KEY)).await.status, 401, "{api:?}");
        assert_eq!(tell(with_key(list(), api, "another")).await.status, 200, "{api:?}");
    }
    assert_eq!(tell(client().get(server.base_url() + "models")).await.status, 401, "no key at all");

    let server = FakeProvider::builder().key(KEY).start().await;
    for api in Api::ALL {
        assert_eq!(tell(ask(&server, api, Mode::Streamed)).await.status, 200, "{api:?}");
    }
}

#[tokio::test]
async fn retry_after_is_a_header() {
    let wait = Some(Duration::from_millis(1500));
    let server = FakeProvider::builder()
        .script(move |_| PlannedResponse::fault(Fault::Status(429, wait)))
        .start()
        .await;
    for api in Api::ALL {
        let response = ask(&server, api, Mode::Streamed).send().await.expect("an answer");
        let header = |name: &str| response.headers().get(name).map(|value| value.to_str().expect("ASCII"));
        assert_eq!(header("retry-after"), Some("2"), "{api:?}: whole seconds, never fewer");
        assert_eq!(header("retry-after-ms"), (api == Api::OpenAi).then_some("1500"), "{api:?}");
    }
}

#[tokio::test]
async fn a_redirect_says_where() {
    let elsewhere = "http://127.0.0.1:9/v1/";
    let server = FakeProvider::builder()
        .script(move |_| PlannedResponse::fault(Fault::Redirect(elsewhere.to_owned())))
        .start()
        .await;
    let response = ask(&server, Api::OpenAi, Mode::Streamed).send().await.expect("an answer");
    assert_eq!(response.status(), 307);
    assert_eq!(response.headers()["location"], elsewhere);
}

#[tokio::test]
async fn requests_are_seen_as_they_were_sent() {
    let server = FakeProvider::start().await;
    tell(ask(&server, Api::Gemini, Mode::Streamed).header("X-Trace", "7")).await;
    tell(client().get(server.base_url() + "nowhere")).await;
    let seen = server.seen();
    assert_eq!((seen[0].method.as_str(), seen[0].model.as_str()), ("POST", "m"));
    assert_eq!(seen[0].path, "/v1beta/models/m:streamGenerateContent?alt=sse");
    assert_eq!(seen[0].headers["x-trace"], "7");
    assert_eq!(seen[0].body["contents"][0]["role"], "user");
    assert_eq!((seen[1].method.as_str(), seen[1].path.as_str()), ("GET", "/v1/nowhere"));
    assert_eq!(seen[1].outcome, RequestOutcome::Failed);
    assert_eq!(tell(client().get(server.base_url() + "messages")).await.status, 404);
    assert_eq!(server.arrivals(), 3, "what is lost is seen too");
}

#[tokio::test]
async fn latency_counts_from_arrival_and_pauses_from_each_other() {
    let (latency, pause) = (Duration::from_millis(40), Duration::from_millis(10));
    let server = FakeProvider::builder()
        .script(move |_| PlannedResponse::text("123456").in_pieces(3).after(latency).pausing(pause))
        .start()
        .await;
    let asked = Instant::now();
    let told = tell(ask(&server, Api::OpenAi, Mode::Streamed)).await;
    assert_eq!(told.end, End::Clean);
    assert!(asked.elapsed() >= latency + 2 * pause);
    let seen = &server.seen()[0];
    assert!(seen.began.expect("a beginning") - seen.arrived >= latency);
    assert!(seen.finished.expect("an end") - seen.arrived >= latency + 2 * pause);
}

#[tokio::test]
async fn those_in_flight_together_know_it() {
    let script = Script::new(|seen| match seen.number {
        0..3 => PlannedResponse::fault(Fault::Hang),
        _ => PlannedResponse::reply(),
    });
    let server = FakeProvider::builder().play(script).start().await;
    let together: Vec<_> =
        (0..3).map(|_| tokio::spawn(ask(&server, Api::OpenAi, Mode::Streamed).send())).collect();
    server.wait_for_in_flight(3).await;
    assert!(server.seen().iter().all(|seen| seen.in_flight == 3 && seen.outcome == RequestOutcome::InFlight));
    together.iter().for_each(tokio::task::JoinHandle::abort);
    server.wait_until_idle().await;
    tell(ask(&server, Api::OpenAi, Mode::Streamed)).await;
    let seen = server.seen();
    let counts: Vec<usize> = seen.iter().map(|seen| seen.in_flight).collect();
    assert_eq!(counts, [3, 3, 3, 1]);
    let ended = |one: &Seen| one.finished.expect("an end");
    assert!(seen[1].arrived < ended(&seen[0]) && seen[0].arrived < ended(&seen[1]));
    assert!(seen[3].arrived >= ended(&seen[0]));
    assert!(seen[..3].iter().all(|seen| seen.outcome == RequestOutcome::Dropped));
}

#[tokio::test]
async fn a_client_that_leaves_midway_is_noticed() {
    let pause = Duration::from_millis(20);
    let server = FakeProvider::builder()
        .script(move |_| PlannedResponse::text("x".repeat(400)).in_pieces(50).pausing(pause))
        .start()
        .await;
    let mut response = ask(&server, Api::Anthropic, Mode::Streamed).send().await.expect("a head");
    assert!(response.chunk().await.expect("a piece").is_some());
    drop(response);
    server.wait_until_idle().await;
    let seen = &server.seen()[0];
    assert_eq!(seen.outcome, RequestOutcome::Dropped);
    assert!(seen.usage.output < 100, "{seen}");
}

#[tokio::test]
async fn nothing_is_left_when_it_is_dropped() {
    let server = FakeProvider::builder().script(|_| PlannedResponse::fault(Fault::Hang)).start().await;
    let address = server.address();
    let waiting = tokio::spawn(ask(&server, Api::OpenAi, Mode::Streamed).send());
    server.wait_for_arrivals(1).await;
    drop(server);
    assert!(waiting.await.expect("a task").is_err(), "open connections are closed");
    assert!(std::net::TcpStream::connect(address).is_err(), "the port is closed");
}

#[tokio::test]
async fn without_a_record_there_are_still_counts() {
    let server =
        FakeProvider::builder().without_record().script(|_| PlannedResponse::text("[SILENT]")).start().await;
    for _ in 0..3 {
        tell(ask(&server, Api::Ollama, Mode::Plain)).await;
    }
    assert!(server.seen().is_empty());
    assert_eq!((server.arrivals(), server.usage().output), (3, 6));
}
