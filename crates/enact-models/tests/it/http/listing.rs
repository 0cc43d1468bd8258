//! What providers offer.

use enact_models::{OfferedModel, Provider, Settings, offered};
use fake_provider::FakeProvider;
use serde_json::{Value, json};

use super::{KEY, PROVIDERS, raw_server::RawServer, settings};

fn names(offered: &[OfferedModel]) -> Vec<&str> {
    offered.iter().map(|offer| offer.model.as_str()).collect()
}

#[tokio::test]
async fn every_provider_lists_its_models() {
    let server = FakeProvider::builder().key(KEY).models(["first", "second"]).start().await;
    for (provider, api) in PROVIDERS {
        let listed = offered(&settings(provider, server.base_url_for(api))).await.unwrap();
        assert_eq!(names(&listed), ["first", "second"], "{provider:?}");
        let free = listed.iter().all(|offer| offer.price.is_some());
        assert_eq!(
            free,
            provider == Provider::Ollama,
            "what runs here is free; of the others nothing is known"
        );
    }
    assert!(server.seen().iter().all(|seen| seen.method == "GET"), "nothing is spent");
    // An address without its version works too.
    let bare = format!("http://{}/", server.address());
    for provider in [Provider::Anthropic, Provider::OpenAi, Provider::Gemini] {
        assert_eq!(names(&offered(&settings(provider, &bare)).await.unwrap()), ["first", "second"]);
    }
}

async fn pages(provider: Provider, pages: &[Value]) -> (Vec<OfferedModel>, Vec<String>) {
    let answers = pages.iter().map(|page| RawServer::json(200, &page.to_string())).collect();
    let server = RawServer::start(answers).await;
    let listed = offered(&settings(provider, server.base_url())).await.unwrap();
    let asked = server.seen().iter().map(|request| request.split(' ').nth(1).unwrap().to_owned()).collect();
    (listed, asked)
}

#[tokio::test]
async fn lists_come_in_pages() {
    let (listed, asked) = pages(
        Provider::Anthropic,
        &[
            json!({"data": [{"id": "claude-opus-5-5"}, {"id": "b"}], "has_more": true, "last_id": "b"}),
            json!({"data": [{"id": "c"}], "has_more": false, "last_id": "c"}),
        ],
    )
    .await;
    assert_eq!(names(&listed), ["claude-opus-5-5", "b", "c"]);
    assert_eq!(asked, ["/v1/models?limit=1000", "/v1/models?limit=1000&after_id=b"]);
    assert_eq!(listed[0].price.map(|price| price.uncached), Some(4_000), "the table knows it");
    let (listed, asked) = pages(
        Provider::Gemini,
        &[
            json!({"models": [
                {"name": "models/gemini-9", "supportedGenerationMethods": ["generateContent", "countTokens"]},
                {"name": "models/embedder", "supportedGenerationMethods": ["embedContent"]},
            ], "nextPageToken": "x y"}),
            json!({"models": [{"name": "models/gemini-8"}]}),
        ],
    )
    .await;
    assert_eq!(names(&listed), ["gemini-9", "gemini-8"]);
    assert_eq!(asked, ["/v1/models?pageSize=1000", "/v1/models?pageSize=1000&pageToken=x+y"]);
}

#[tokio::test]
async fn a_list_may_say_what_models_cost() {
    let openrouter = Provider::named("openrouter").unwrap();
    let pricing = json!({"prompt": "0.00000125", "completion": "0.00001", "input_cache_read": "0.000000125"});
    let list =
        json!({"data": [{"id": "a/b", "pricing": pricing}, {"id": "c/d:free", "pricing": {"prompt": "-1"}}]});
    let (listed, _) = pages(openrouter, &[list]).await;
    let price = listed[0].price.unwrap();
    assert_eq!(
        [price.uncached, price.cache_read, price.cache_write, price.output],
        [1_250, 125, 1_250, 10_000]
    );
    assert_eq!(listed[1].price, None);
}

#[tokio::test]
async fn what_goes_wrong_is_one_line_without_a_key() {
    for (status, body, told) in [
        (
            401,
            json!({"error": {"message": format!("bad key {KEY}"), "code": "invalid_api_key"}}),
            "the key was refused (401)",
        ),
        (500, json!({}), "server error (500)"),
        (200, json!({"data": 7}), "unexpected response"),
    ] {
        let server = RawServer::start(vec![RawServer::json(status, &body.to_string())]).await;
        let problem = offered(&settings(Provider::OpenAi, server.base_url())).await.unwrap_err();
        assert!(problem.message.starts_with(told), "{problem:?}");
        assert!(!format!("{problem:?}").contains(KEY) && problem.message.lines().count() == 1);
    }
    let nowhere = Settings { base_url: None, ..settings(Provider::OpenAiCompatible, "") };
    assert!(offered(&nowhere).await.is_err());
}
