//! What is sent, and what a model says about itself.

use enact_drama::{
    model_card::Context,
    request::{Message, MessageRole},
    usage::Price,
};
use enact_models::{PromptCache, Provider, Settings, connect, prices};
use expect_test::{Expect, expect};
use fake_provider::{FakeProvider, PlannedResponse};

use super::{Delivery, PROVIDERS, model_at, request, settings};

async fn check(place: usize, expected: Expect) {
    let (provider, api) = PROVIDERS[place];
    let server = FakeProvider::builder().script(|_| PlannedResponse::text("[SILENT]")).start().await;
    let settings = Settings { temperature: Some(0.5), ..settings(provider, server.base_url_for(api)) };
    let answer = Delivery::Streamed.ask(&*connect(settings).unwrap(), request()).await;
    assert_eq!(answer.unwrap().text, "[SILENT]");
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
            "num_predict": 300,
            "num_ctx": 4096
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

/// Streams take more of both sides, and nothing is gained by one that is not read as it comes.
#[tokio::test]
async fn a_stream_is_only_asked_for_while_it_is_followed() {
    let server = FakeProvider::start().await;
    for provider in PROVIDERS {
        for delivery in Delivery::BOTH {
            delivery.ask(&*model_at(&server, provider), request()).await.unwrap();
            let seen = server.seen().pop().unwrap();
            assert_eq!(seen.prompt().streamed, delivery == Delivery::Streamed, "{provider:?}: {}", seen.path);
            let has_options = seen.body.get("stream_options").is_some();
            assert!(!has_options || delivery == Delivery::Streamed, "{provider:?}: {}", seen.body);
        }
    }
}

#[tokio::test]
async fn plain_answers_count_the_same() {
    for provider in PROVIDERS {
        let mut usages = Vec::new();
        for delivery in Delivery::BOTH {
            let server = FakeProvider::builder().script(|_| PlannedResponse::text("[SILENT]")).start().await;
            usages.push(delivery.ask(&*model_at(&server, provider), request()).await.unwrap().usage);
        }
        assert!(usages[0].is_some() && usages[0] == usages[1], "{provider:?}: {usages:?}");
    }
}

/// Many servers refuse two messages of one role in a row, and the judge is told the scene a message a beat.
#[tokio::test]
async fn roles_alternate() {
    let server = FakeProvider::start().await;
    let message = |role, text: &str| Message { role, text: text.into() };
    let mut asked = request();
    asked.thread = vec![
        message(MessageRole::User, "BEAT 0"),
        message(MessageRole::User, "BEAT 1"),
        message(MessageRole::Assistant, "Hm."),
        message(MessageRole::User, "BEAT 2"),
        message(MessageRole::User, " "),
    ];
    for provider in PROVIDERS {
        model_at(&server, provider).answer(asked.clone()).await.unwrap();
        let body = server.seen().pop().unwrap().body;
        let list = body.get("messages").or(body.get("contents")).and_then(|list| list.as_array()).unwrap();
        let roles: Vec<&str> = list.iter().filter_map(|message| message["role"].as_str()).collect();
        let expected = match provider.0 {
            Provider::Anthropic => vec!["user", "assistant", "user"],
            Provider::Gemini => vec!["user", "model", "user"],
            _ => vec!["system", "user", "assistant", "user"],
        };
        assert_eq!(roles, expected, "{provider:?}");
        let text = body.to_string();
        assert!(text.contains("BEAT 0") && text.contains("BEAT 1") && text.contains("BEAT 2"), "{text}");
    }
}

/// A model is loaded anew for each size, so that the size only grows, and in steps.
#[tokio::test]
async fn ollama_is_told_how_much_it_has_to_read() {
    let server = FakeProvider::start().await;
    let model = model_at(&server, PROVIDERS[4]);
    for (words, context) in [(10, 4096), (1_000, 4096), (10_000, 32_768), (10, 32_768), (1_000_000, 131_072)]
    {
        let mut asked = request();
        asked.system[0] = "rules ".repeat(words).into();
        model.answer(asked).await.unwrap();
        assert_eq!(server.seen().pop().unwrap().body["options"]["num_ctx"], context, "{words} words");
    }
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
