//! Answers of a certain shape.

use enact_drama::{
    production::{Answer, Failure},
    request::Request,
};
use enact_models::{Provider, Settings};
use fake_provider::{FakeProvider, Fault, PlannedResponse};

use super::{PROVIDERS, model_at, raw_server::RawServer, request, schema, settings};

/// An answer in the shape asked for, from a server that was asked in words.
const WORDS: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"{\\\"met\\\":true,\\\"sure\\\":1}\"},\"finish_reason\":\"stop\"}]}\n\n\
     data: [DONE]\n\n";

fn structured() -> Request {
    Request { schema: Some(schema()), ..request() }
}

async fn told(text: &str, place: usize) -> Result<Answer, Failure> {
    let act = PlannedResponse::text(text);
    let server = FakeProvider::builder().script(move |_| act.clone()).start().await;
    model_at(&server, PROVIDERS[place]).answer(structured()).await
}

#[tokio::test]
async fn answers_fit_the_schema() {
    for provider in PROVIDERS {
        let server = FakeProvider::start().await;
        let answer = model_at(&server, provider).answer(structured()).await.unwrap();
        let json: serde_json::Value = serde_json::from_str(&answer.text).unwrap();
        assert!(json["met"].is_boolean() && json["sure"].is_number(), "{}", answer.text);
    }
}

#[tokio::test]
async fn what_is_nearly_json_is_mended() {
    for place in 0..PROVIDERS.len() {
        let answer = told("Of course:\n```json\n{'met': True, \"sure\": 0.9,}\n```", place).await.unwrap();
        assert_eq!(answer.text, r#"{"met":true,"sure":0.9}"#);
        assert!(answer.usage.is_some());
    }
}

#[tokio::test]
async fn what_is_not_is_a_failure() {
    for (text, why) in [
        ("Yes, I think they have made up.", "there is no JSON in it"),
        (r#"{"met":true,"sure":7}"#, "'sure' (7) is above 1"),
        (r#"{"met":"maybe","sure":1}"#, "'met' is not a boolean"),
        (r#"{"sure":1}"#, "the answer has no 'met'"),
    ] {
        for (place, (provider, _)) in PROVIDERS.iter().enumerate() {
            let failure = told(text, place).await.unwrap_err();
            let name = provider.as_str();
            let error = format!("{name}: the answer is not the JSON that was asked for: {why}");
            assert_eq!(failure.error, error);
            assert!(failure.usage.is_some(), "it was paid for");
        }
    }
}

#[tokio::test]
async fn malformed_answers_are_not_asked_for_again() {
    let server = FakeProvider::builder().script(|_| PlannedResponse::fault(Fault::Malformed)).start().await;
    let failure = model_at(&server, PROVIDERS[0]).answer(structured()).await.unwrap_err();
    assert!(failure.error.contains("not the JSON"), "{failure:?}");
    assert_eq!(server.arrivals(), 1);
}

/// Half an opinion is paid for and worth nothing.
#[tokio::test]
async fn the_operator_s_limit_is_on_lines_alone() {
    let server = FakeProvider::start().await;
    let (provider, api) = PROVIDERS[0];
    let settings = Settings { max_tokens: Some(40), ..settings(provider, server.base_url_for(api)) };
    let model = enact_models::connect(settings).unwrap();
    for (asked, limit) in [(structured(), 300), (request(), 40)] {
        let _ = model.answer(asked).await;
        assert_eq!(server.seen().pop().unwrap().body["max_tokens"], limit);
    }
}

/// Servers that take no schemas say so; they are asked in words, then and from then on.
#[tokio::test]
async fn servers_without_schemas_are_asked_in_words() {
    let refusal = RawServer::json(400, r#"{"error":{"message":"'response_format.type' must be 'text'"}}"#);
    let words = RawServer::stream(WORDS);
    let server = RawServer::start(vec![refusal, words.clone(), words]).await;
    let model = enact_models::connect(settings(Provider::OpenAiCompatible, server.base_url())).unwrap();
    for _ in 0..2 {
        assert_eq!(model.answer(structured()).await.unwrap().text, r#"{"met":true,"sure":1}"#);
    }
    let formats: Vec<bool> =
        server.seen().iter().map(|request| request.contains("response_format")).collect();
    assert_eq!(formats, [true, false, false]);
    assert!(server.seen()[1].contains("JSON schema"));
}

/// Concurrent calls that were refused with the schema are each sent again without it.
#[tokio::test]
async fn all_that_were_asked_at_once_are_asked_again_in_words() {
    let refusal = RawServer::json(400, r#"{"error":{"message":"'response_format.type' must be 'text'"}}"#);
    let words = RawServer::stream(WORDS);
    let server = RawServer::start(vec![refusal.clone(), refusal, words.clone(), words]).await;
    let model = enact_models::connect(settings(Provider::OpenAiCompatible, server.base_url())).unwrap();
    let (one, other) = tokio::join!(model.answer(structured()), model.answer(structured()));
    assert_eq!(one.unwrap().text, other.unwrap().text);
}
