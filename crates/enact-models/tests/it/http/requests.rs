//! What is sent, and what a model says about itself.

use enact_drama::{model_card::Context, usage::Price};
use enact_models::{PromptCache, Provider, Settings, connect, prices};
use expect_test::{Expect, expect};
use fake_provider::{FakeProvider, PlannedResponse};

use super::{PROVIDERS, model_at, request, settings};

async fn check(place: usize, expected: Expect) {
    let (provider, api) = PROVIDERS[place];
    let server = FakeProvider::builder().script(|_| PlannedResponse::text("[SILENT]")).start().await;
    let settings = Settings { temperature: Some(0.5), ..settings(provider, server.base_url_for(api)) };
    assert_eq!(connect(settings).unwrap().answer(request()).await.unwrap().text, "[SILENT]");
    let seen = &server.seen()[0];
    let mut body = seen.body.as_ref().clone();
    if let Some(key) = body.get_mut("prompt_cache_key") {
        // A hash, which another version of Rust may make otherwise.
        *key = "…".into();
    }
    expected.assert_eq(&format!("{} {}\n{body:#}\n", seen.method, seen.path));
}

#[tokio::test]
async fn to_anthropic() {
    check(
        0,
        expect![[r#"
        POST /v1/messages
        {
          "model": "test-model",
          "stream": true,
          "system": [
            {
              "type": "text",
              "text": "The rules and the scene.",
              "cache_control": {
                "type": "ephemeral"
              }
            },
            {
              "type": "text",
              "text": "You are Alice.",
              "cache_control": {
                "type": "ephemeral"
              }
            }
          ],
          "messages": [
            {
              "role": "user",
              "content": "Beat 0. You begin."
            },
            {
              "role": "assistant",
              "content": "[TONE: calm] \"Hello, Bob.\""
            },
            {
              "role": "user",
              "content": [
                {
                  "type": "text",
                  "text": "Beat 1. Bob says nothing.",
                  "cache_control": {
                    "type": "ephemeral"
                  }
                }
              ]
            }
          ],
          "temperature": 0.5,
          "max_tokens": 300
        }
    "#]],
    )
    .await;
}

#[tokio::test]
async fn to_openai() {
    check(
        1,
        expect![[r#"
        POST /v1/chat/completions
        {
          "model": "test-model",
          "stream": true,
          "messages": [
            {
              "role": "system",
              "content": "The rules and the scene.\n\nYou are Alice."
            },
            {
              "role": "user",
              "content": "Beat 0. You begin."
            },
            {
              "role": "assistant",
              "content": "[TONE: calm] \"Hello, Bob.\""
            },
            {
              "role": "user",
              "content": "Beat 1. Bob says nothing."
            }
          ],
          "stream_options": {
            "include_usage": true
          },
          "temperature": 0.5,
          "max_completion_tokens": 300,
          "prompt_cache_key": "…"
        }
    "#]],
    )
    .await;
}

#[tokio::test]
async fn to_whoever_speaks_like_openai() {
    check(
        2,
        expect![[r#"
        POST /v1/chat/completions
        {
          "model": "test-model",
          "stream": true,
          "messages": [
            {
              "role": "system",
              "content": "The rules and the scene.\n\nYou are Alice."
            },
            {
              "role": "user",
              "content": "Beat 0. You begin."
            },
            {
              "role": "assistant",
              "content": "[TONE: calm] \"Hello, Bob.\""
            },
            {
              "role": "user",
              "content": "Beat 1. Bob says nothing."
            }
          ],
          "stream_options": {
            "include_usage": true
          },
          "temperature": 0.5,
          "max_tokens": 300
        }
    "#]],
    )
    .await;
}

#[tokio::test]
async fn to_gemini() {
    check(
        3,
        expect![[r#"
        POST /v1beta/models/test-model:streamGenerateContent?alt=sse
        {
          "systemInstruction": {
            "parts": [
              {
                "text": "The rules and the scene.\n\nYou are Alice."
              }
            ]
          },
          "contents": [
            {
              "role": "user",
              "parts": [
                {
                  "text": "Beat 0. You begin."
                }
              ]
            },
            {
              "role": "model",
              "parts": [
                {
                  "text": "[TONE: calm] \"Hello, Bob.\""
                }
              ]
            },
            {
              "role": "user",
              "parts": [
                {
                  "text": "Beat 1. Bob says nothing."
                }
              ]
            }
          ],
          "generationConfig": {
            "temperature": 0.5,
            "maxOutputTokens": 300
          }
        }
    "#]],
    )
    .await;
}

#[tokio::test]
async fn to_ollama() {
    check(
        4,
        expect![[r#"
        POST /api/chat
        {
          "model": "test-model",
          "stream": true,
          "options": {
            "temperature": 0.5,
            "num_predict": 300
          },
          "messages": [
            {
              "role": "system",
              "content": "The rules and the scene.\n\nYou are Alice."
            },
            {
              "role": "user",
              "content": "Beat 0. You begin."
            },
            {
              "role": "assistant",
              "content": "[TONE: calm] \"Hello, Bob.\""
            },
            {
              "role": "user",
              "content": "Beat 1. Bob says nothing."
            }
          ]
        }
    "#]],
    )
    .await;
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

#[test]
fn prices_are_the_published_ones_or_unknown() {
    let price = |provider, model: &str| {
        let settings = Settings { model: model.to_owned(), ..settings(provider, "http://127.0.0.1:1") };
        connect(settings).unwrap().card().price
    };
    let published = prices::published(Provider::Anthropic, "claude-sonnet-4-5", PromptCache::default());
    assert!(published.is_some());
    assert_eq!(price(Provider::Anthropic, "claude-sonnet-4-5"), published);
    assert_eq!(price(Provider::OpenAiCompatible, "claude-sonnet-4-5"), None);
}
