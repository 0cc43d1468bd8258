//! The server that speaks.

use std::time::{Duration, Instant};

use expect_test::expect;
use fake_provider::{FakeSpeech, SpeechAnswer, SpeechApi, SpeechFault};
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::client::KEY;

const APIS: [SpeechApi; 2] = [SpeechApi::ElevenLabs, SpeechApi::OpenAi];

fn ask(server: &FakeSpeech, api: SpeechApi) -> RequestBuilder {
    ask_with(server, api, json!({}))
}

/// A request that the service takes, with something of it changed.
fn ask_with(server: &FakeSpeech, api: SpeechApi, change: Value) -> RequestBuilder {
    let base = server.base_url();
    let client = enact_http::client_builder().build().expect("a client");
    let (request, mut body) = match api {
        SpeechApi::ElevenLabs => (
            client
                .post(format!("{base}/v1/text-to-speech/v1?output_format=pcm_24000"))
                .header("xi-api-key", KEY),
            json!({"text": "Hello there", "model_id": "m"}),
        ),
        SpeechApi::OpenAi => (
            client.post(format!("{base}/v1/audio/speech")).bearer_auth(KEY),
            json!({"input": "Hello there", "model": "m", "voice": "alloy", "response_format": "wav"}),
        ),
    };
    for (name, value) in change.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    request.json(&body)
}

async fn told(request: RequestBuilder) -> String {
    let response = request.send().await.expect("an answer");
    let (status, wait) = (response.status(), response.headers().get("retry-after").cloned());
    let wait = wait.map_or(String::new(), |wait| format!(" after {}", wait.to_str().unwrap_or_default()));
    format!("{}{wait} {}\n", status.as_u16(), response.text().await.unwrap_or_default())
}

#[tokio::test]
async fn it_speaks_for_as_long_as_the_text_takes() {
    let server = FakeSpeech::builder().key(KEY).start().await;
    for (api, media_type, head) in
        [(SpeechApi::ElevenLabs, "audio/pcm", 0), (SpeechApi::OpenAi, "audio/wav", 44)]
    {
        let response = ask(&server, api).send().await.expect("an answer");
        assert_eq!(response.headers()["content-type"], media_type);
        let bytes = response.bytes().await.expect("sound");
        // Eleven characters of 65 ms each, 24000 samples a second, two bytes a sample.
        assert_eq!(bytes.len() - head, 11 * 65 * 24 * 2, "{api:?}");
    }
    let asked = server.asked();
    assert_eq!(asked.iter().map(|asked| asked.voice()).collect::<Vec<_>>(), ["v1", "alloy"]);
    assert!(asked.iter().all(|asked| asked.text() == "Hello there"));
}

#[tokio::test]
async fn bad_requests_are_refused_in_each_ones_words() {
    let server = FakeSpeech::builder().key(KEY).start().await;
    let mut all = String::new();
    all += &told(ask(&server, SpeechApi::ElevenLabs).header("xi-api-key", "wrong")).await;
    all += &told(ask_with(&server, SpeechApi::ElevenLabs, json!({"text": ""}))).await;
    all += &told(ask_with(&server, SpeechApi::ElevenLabs, json!({"voice_settings": {"speed": 2.0}}))).await;
    all += &told(ask_with(&server, SpeechApi::OpenAi, json!({"input": "x".repeat(4_097)}))).await;
    all += &told(ask_with(&server, SpeechApi::OpenAi, json!({"voice": null}))).await;
    expect![[r#"
        401 {"detail":{"status":"invalid_api_key","message":"Invalid API key"}}
        400 {"detail":{"status":"invalid_request","message":"the text is missing"}}
        400 {"detail":{"status":"invalid_request","message":"speed must be between 0.7 and 1.2"}}
        400 {"error":{"message":"string_above_max_length: input should have at most 4096 characters","type":"invalid_request_error","param":null,"code":""}}
        400 {"error":{"message":"the voice is missing","type":"invalid_request_error","param":null,"code":""}}
    "#]].assert_eq(&all);
}

#[tokio::test]
async fn those_who_are_too_many_are_turned_away() {
    for api in APIS {
        let server = FakeSpeech::builder().at_once(1).script(|asked| match asked.number {
            0 => SpeechAnswer::fault(SpeechFault::Hang),
            _ => SpeechAnswer::default(),
        });
        let server = server.start().await;
        let first = tokio::spawn(ask(&server, api).send());
        server.wait_for_in_flight(1).await;
        assert!(told(ask(&server, api)).await.starts_with("429 "));
        first.abort();
        server.wait_until_idle().await;
        assert!(ask(&server, api).send().await.expect("an answer").status().is_success());
        assert_eq!((server.most_at_once(), server.dropped()), (1, 1));
    }
}

#[tokio::test]
async fn latency_is_kept() {
    let latency = Duration::from_millis(60);
    let server = FakeSpeech::builder().after(latency).start().await;
    let began = Instant::now();
    ask(&server, SpeechApi::OpenAi).send().await.expect("an answer");
    assert!(began.elapsed() >= latency);
}

#[tokio::test]
async fn faults_are_what_they_say() {
    for api in APIS {
        let play = async |fault: SpeechFault| {
            let server =
                FakeSpeech::builder().script(move |_| SpeechAnswer::fault(fault.clone())).start().await;
            let response = ask(&server, api).send().await.expect("an answer");
            (response.status().as_u16(), response.bytes().await.ok().map(|body| body.len()))
        };
        let (_, whole) = play(SpeechFault::Silence).await;
        let whole = whole.expect("sound that cannot be heard");
        assert_eq!(play(SpeechFault::Empty).await, (200, Some(0)));
        assert_eq!(play(SpeechFault::Odd).await, (200, Some(whole - 1)));
        assert_eq!(play(SpeechFault::Half).await, (200, Some(whole / 2)));
        assert_eq!(play(SpeechFault::Cut).await, (200, None));
        assert_eq!(play(SpeechFault::Body("audio/x", vec![1, 2])).await, (200, Some(2)));
        assert_eq!(play(SpeechFault::Page(502)).await.0, 502);
        let wait = Some(Duration::from_millis(1_500));
        let server =
            FakeSpeech::builder().script(move |_| SpeechAnswer::fault(SpeechFault::Busy(wait))).start().await;
        assert!(told(ask(&server, api)).await.starts_with("429 after 2 "));
    }
}
