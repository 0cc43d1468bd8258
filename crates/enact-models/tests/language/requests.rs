//! What is sent, and what a model says about itself.

use enact_drama::{scene::Context, usage::Price};
use enact_models::{Provider, Settings, connect};
use expect_test::{Expect, expect};
use fake_provider::{Act, FakeProvider};

use super::{PROVIDERS, model_at, request, settings};

async fn check(place: usize, expected: Expect) {
    let (provider, api) = PROVIDERS[place];
    let server = FakeProvider::builder().script(|_| Act::text("[SILENT]")).start().await;
    let settings = Settings { temperature: Some(0.5), ..settings(provider, server.base_url_for(api)) };
    assert_eq!(connect(settings).unwrap().answer(request()).await.unwrap().text, "[SILENT]");
    let seen = &server.seen()[0];
    expected.assert_eq(&format!("{} {}\n{:#}\n", seen.method, seen.path, seen.body));
}

#[tokio::test]
async fn to_anthropic() {
    check(0, expect![[""]]).await;
}

#[tokio::test]
async fn to_openai() {
    check(1, expect![[""]]).await;
}

#[tokio::test]
async fn to_whoever_speaks_like_openai() {
    check(2, expect![[""]]).await;
}

#[tokio::test]
async fn to_gemini() {
    check(3, expect![[""]]).await;
}

#[tokio::test]
async fn to_ollama() {
    check(4, expect![[""]]).await;
}

#[tokio::test]
async fn what_is_not_set_is_not_sent() {
    let server = FakeProvider::start().await;
    for provider in PROVIDERS {
        model_at(&server, provider).answer(request()).await.unwrap();
        assert!(!server.seen().pop().unwrap().body.to_string().contains("temperature"), "{provider:?}");
    }
}

#[tokio::test]
async fn the_lower_limit_on_tokens_holds() {
    let server = FakeProvider::start().await;
    for (setting, sent) in [(None, 300), (Some(50), 50), (Some(5_000), 300)] {
        let settings = Settings { max_tokens: setting, ..settings(Provider::Anthropic, server.base_url()) };
        connect(settings).unwrap().answer(request()).await.unwrap();
        assert_eq!(server.seen().pop().unwrap().body["max_tokens"], sent);
    }
}

#[test]
fn cards_say_what_is_known() {
    let price = Price { uncached: 3_000, cache_read: 300, cache_write: 3_750, output: 15_000 };
    let settings = Settings {
        price: Some(price),
        max_tokens: Some(400),
        thread_tokens: Some(24_000),
        context: Context::Window,
        ..settings(Provider::Anthropic, "http://127.0.0.1:1")
    };
    let card = connect(settings).unwrap().card();
    assert_eq!(card.description, "test-model (anthropic)");
    assert_eq!((card.provider.as_deref(), card.model.as_deref()), (Some("anthropic"), Some("test-model")));
    assert_eq!((card.price, card.context), (Some(price), Context::Window));
    assert_eq!((card.max_tokens, card.thread_tokens), (Some(400), Some(24_000)));
}
