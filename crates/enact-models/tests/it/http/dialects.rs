//! Servers that answer otherwise than they were asked.

use std::{io::Write, time::Duration};

use enact_drama::production::FailureKind;
use enact_models::{Provider, Settings, connect};
use fake_provider::{Api, FakeProvider, Fault, PlannedResponse};
use flate2::{Compression, write::GzEncoder};

use super::{Delivery, PROVIDERS, SECOND, raw_server::RawServer, request, settings};

const WHOLE: &str = r#"{"id":"x","choices":[{"message":{"content":"Hello."},"finish_reason":"stop"}],
    "usage":{"prompt_tokens":9,"completion_tokens":2}}"#;
const EVENTS: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\r\n\r\n\
     data: {\"error\":null,\"choices\":[{\"delta\":{\"content\":\"lo.\"},\"finish_reason\":\"stop\"}]}\r\n\r\n\
     data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":2}}\r\n\r\n";

/// What comes of one answer, with tries to spare, and how often the server was asked.
async fn outcome(
    answer: impl Into<Vec<u8>>,
    delivery: Delivery,
) -> (Result<(String, u64), (String, FailureKind)>, usize) {
    let server = RawServer::start(vec![answer.into(); 3]).await;
    let settings = Settings { retries: 2, ..settings(Provider::OpenAiCompatible, server.base_url()) };
    let outcome = delivery.ask(&*connect(settings).unwrap(), request()).await;
    let outcome = outcome
        .map(|answer| (answer.text, answer.usage.map_or(0, |usage| usage.total())))
        .map_err(|failure| (failure.error, failure.kind));
    (outcome, server.seen().len())
}

/// Asked once, read once, paid once.
#[tokio::test]
async fn a_stream_or_not_is_for_the_first_byte_to_say() {
    for delivery in Delivery::BOTH {
        for kind in ["application/json", "text/event-stream", "text/plain"] {
            for body in [WHOLE, EVENTS] {
                let (outcome, asked) = outcome(RawServer::answer(200, kind, body), delivery).await;
                assert_eq!(
                    (outcome, asked),
                    (Ok(("Hello.".to_owned(), 11)), 1),
                    "{delivery:?} {kind} {body}"
                );
            }
        }
    }
}

/// On every wire.
#[tokio::test]
async fn an_answer_is_read_once_however_it_is_delivered() {
    for (provider, api) in PROVIDERS {
        for delivery in Delivery::BOTH {
            let act = PlannedResponse::text("[SILENT]").with_fault(Fault::OtherDelivery);
            let server = FakeProvider::builder().script(move |_| act.clone()).start().await;
            let settings = Settings { retries: 2, ..settings(provider, server.base_url_for(api)) };
            let answer = delivery.ask(&*connect(settings).unwrap(), request()).await.unwrap();
            assert_eq!(
                (answer.text.as_str(), server.arrivals()),
                ("[SILENT]", 1),
                "{provider:?} {delivery:?}"
            );
            // OpenAI's streams tell it only to those who ask.
            assert!(answer.usage.is_some() || (api == Api::OpenAi && delivery == Delivery::Plain));
        }
    }
}

#[tokio::test]
async fn what_is_packed_is_unpacked() {
    for body in [WHOLE, EVENTS] {
        for (encoding, packed) in [("gzip", gzip(body)), ("identity", body.as_bytes().to_vec())] {
            let head = format!("HTTP/1.1 200 -\r\ncontent-encoding: {encoding}\r\nconnection: close\r\n\r\n");
            let (outcome, asked) = outcome([head.into_bytes(), packed].concat(), Delivery::Streamed).await;
            assert_eq!((outcome, asked), (Ok(("Hello.".to_owned(), 11)), 1), "{encoding}");
        }
    }
}

/// A small body may unpack to an endless one, and a line may never end.
#[tokio::test]
async fn what_does_not_end_is_given_up() {
    let endless = " ".repeat(64 * 1024 * 1024);
    let head = "HTTP/1.1 200 -\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n";
    let bomb = [head.as_bytes(), &gzip(&format!("data: {endless}"))].concat();
    for answer in [bomb, RawServer::stream(&format!("data: {{\"a\":\"{endless}")).into_bytes()] {
        let (outcome, asked) = outcome(answer, Delivery::Streamed).await;
        let (error, _) = outcome.unwrap_err();
        assert_eq!(
            (error.as_str(), asked),
            ("openai-compatible: the answer was longer than 8388608 bytes", 1)
        );
    }
}

#[tokio::test]
async fn a_success_may_hold_an_error() {
    for (body, told, kind) in [
        (
            "<!doctype html><title>Sign in</title>",
            "unexpected response; is 'base_url' right?",
            FailureKind::Other,
        ),
        ("Service temporarily unavailable", "unexpected response; is 'base_url' right?", FailureKind::Other),
        (r#"{"status":"ok"}"#, "unexpected response; is 'base_url' right?", FailureKind::Other),
        (
            r#"{"error":{"message":"no such thing","type":"server_error"}}"#,
            "server error (500), try again later",
            FailureKind::Server,
        ),
        (
            r#"{"error":{"code":401,"message":"No auth"}}"#,
            "the key was refused (401); check the variable that 'key_env' names",
            FailureKind::Auth,
        ),
        ("", "the answer was empty", FailureKind::Empty),
    ] {
        for delivery in Delivery::BOTH {
            let (outcome, asked) = outcome(RawServer::answer(200, "text/plain", body), delivery).await;
            assert_eq!(outcome, Err((format!("openai-compatible: {told}"), kind)), "{body}");
            assert_eq!(asked, 1, "it may have been paid for: {body}");
        }
    }
}

#[tokio::test]
async fn a_tool_is_no_answer() {
    let body = r#"{"choices":[{"message":{"content":null,"tool_calls":[{"id":"x","function":{}}]},"finish_reason":"tool_calls"}]}"#;
    let (outcome, _) = outcome(RawServer::json(200, body), Delivery::Plain).await;
    let told = "openai-compatible: the model called a tool instead of answering; it was offered none";
    assert_eq!(outcome, Err((told.to_owned(), FailureKind::Empty)));
}

/// People give addresses with and without the version, and servers differ in which they mean.
#[tokio::test]
async fn an_address_without_its_version_works() {
    let nothing = RawServer::json(404, r#"{"detail":"Not Found"}"#);
    let hello = RawServer::json(200, WHOLE);
    let server = RawServer::start(vec![nothing.clone(), hello.clone(), hello]).await;
    let model = connect(settings(Provider::OpenAiCompatible, server.origin())).unwrap();
    for _ in 0..2 {
        assert_eq!(model.answer(request()).await.unwrap().text, "Hello.");
    }
    let paths: Vec<String> =
        server.seen().iter().filter_map(|seen| Some(seen.split_whitespace().nth(1)?.to_owned())).collect();
    assert_eq!(paths, ["/chat/completions", "/v1/chat/completions", "/v1/chat/completions"]);

    let server = RawServer::start(vec![nothing.clone(), nothing]).await;
    let model = connect(settings(Provider::OpenAiCompatible, server.origin())).unwrap();
    let error = model.answer(request()).await.unwrap_err().error;
    let told = "openai-compatible: not found at this address (404); check 'base_url' and 'model'";
    assert_eq!(error, told);
}

#[tokio::test]
async fn a_model_that_only_streams_is_asked_for_streams() {
    let refusal = RawServer::json(400, r#"{"error":{"message":"This model only support stream mode"}}"#);
    let hello = RawServer::stream(EVENTS);
    let server = RawServer::start(vec![refusal, hello.clone(), hello]).await;
    let model = connect(settings(Provider::OpenAiCompatible, server.base_url())).unwrap();
    for _ in 0..2 {
        assert_eq!(model.answer(request()).await.unwrap().text, "Hello.");
    }
    let streams: Vec<bool> = server.seen().iter().map(|seen| seen.contains("\"stream\":true")).collect();
    assert_eq!(streams, [false, true, true]);
}

/// The answer is complete, and is not lost because its server neither ends the stream nor lets go. Time passes
/// at once where nothing else is left to do.
#[tokio::test(start_paused = true)]
async fn a_stream_that_is_kept_open_has_ended_with_its_reason() {
    let chunks: Vec<String> = EVENTS.split_inclusive("\r\n\r\n").map(str::to_owned).collect();
    let body: String = chunks.iter().map(|chunk| format!("{:x}\r\n{chunk}\r\n", chunk.len())).collect();
    let answer = format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{body}");
    let server = RawServer::keeping_alive(answer, "", Duration::from_secs(60)).await;
    let model = connect(settings(Provider::OpenAiCompatible, server.base_url())).unwrap();
    let answer = Delivery::Streamed.ask(&*model, request()).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.usage.map(|usage| usage.total())), ("Hello.", Some(11)));
    assert!(answer.took_ms < 20_000, "{answer:?}");
}

/// Nor because its server keeps the connection alive with comments.
#[tokio::test(start_paused = true)]
async fn a_complete_answer_outlives_signs_of_life() {
    let server = RawServer::never_ending(RawServer::stream(EVENTS), ": keep-alive\n\n", SECOND).await;
    let model = connect(settings(Provider::OpenAiCompatible, server.base_url())).unwrap();
    let answer = Delivery::Streamed.ask(&*model, request()).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.usage.map(|usage| usage.total())), ("Hello.", Some(11)));
    assert!(answer.took_ms < 5_000, "{answer:?}");
}

/// What follows the reason why a model stopped may be broken: the answer is not.
#[tokio::test]
async fn a_complete_answer_outlives_what_follows_it() {
    let said = "data: {\"choices\":[{\"delta\":{\"content\":\"Hello.\"},\"finish_reason\":\"stop\"}]}\n\n";
    for tail in [
        "data: {\"choices\":[],\"usage\":{\"prompt_to",
        "data: {\"choices\":[],\"usage\":{\"prompt_to\n\n",
        "data: <html>\n\n",
        "data: {\"error\":{\"message\":\"too late\"}}\n\n",
        "event: error\ndata: too late\n\n",
        "event: error\ndata: {\"message\":\"too late\"}\n\n",
    ] {
        let (outcome, asked) = outcome(RawServer::stream(&format!("{said}{tail}")), Delivery::Streamed).await;
        assert_eq!((outcome.map(|(text, _)| text), asked), (Ok("Hello.".to_owned()), 1), "{tail}");
    }
    let list = format!("[{WHOLE},\n{{\"choices");
    let (outcome, asked) = outcome(RawServer::json(200, &list), Delivery::Plain).await;
    assert_eq!((outcome, asked), (Ok(("Hello.".to_owned(), 11)), 1));
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// Packed in a way that is not known here, it would read as noise: what it is can be said.
#[tokio::test]
async fn what_is_packed_in_another_way_is_said_to_be() {
    for (status, encoding, told) in [
        (200, "br", Some("openai-compatible: the answer is compressed (br) in a way that was not asked for")),
        (
            200,
            "zstd",
            Some("openai-compatible: the answer is compressed (zstd) in a way that was not asked for"),
        ),
        (400, "br", Some("openai-compatible: the request was rejected (400)")),
        (200, "identity", None),
    ] {
        let body = r#"{"choices":[{"message":{"content":"[SILENT]"},"finish_reason":"stop"}]}"#;
        let answer = RawServer::json(status, body);
        let answer = answer.replacen("\r\n", &format!("\r\ncontent-encoding: {encoding}\r\n"), 1);
        let server = RawServer::start(vec![answer]).await;
        let model = connect(settings(Provider::OpenAiCompatible, server.base_url())).unwrap();
        match (model.answer(request()).await, told) {
            (Ok(answer), None) => assert_eq!(answer.text, "[SILENT]"),
            (Err(failure), Some(told)) => assert!(failure.error.starts_with(told), "{}", failure.error),
            (outcome, _) => panic!("{encoding}: {outcome:?}"),
        }
    }
}
