//! Good answers byte for byte, in every format.

use expect_test::{Expect, expect};
use fake_provider::{Api, FakeProvider, Fault, Lie, PlannedResponse};
use serde_json::{Value, json};

use crate::client::{KEY, Mode, ask, ask_with, client, tell, with_key};

async fn check(api: Api, mode: Mode, expected: Expect) {
    let server =
        FakeProvider::builder().script(|_| PlannedResponse::text("[SILENT]").in_pieces(2)).start().await;
    let told = tell(ask(&server, api, mode)).await;
    let body = serde_json::from_str::<Value>(&told.body)
        .map_or_else(|_| told.body.clone(), |body| format!("{body:#}\n"));
    expected.assert_eq(&body);
}

#[tokio::test]
async fn anthropic() {
    check(Api::Anthropic, Mode::Streamed, expect![[r#"
        event: message_start
        data: {"type":"message_start","message":{"id":"msg_fake00000000","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":1,"service_tier":"standard"}}}

        event: content_block_start
        data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

        event: ping
        data: {"type":"ping"}

        event: content_block_delta
        data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"[SIL"}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ENT]"}}

        event: content_block_stop
        data: {"type":"content_block_stop","index":0}

        event: message_delta
        data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":12,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":2,"service_tier":"standard"}}

        event: message_stop
        data: {"type":"message_stop"}

    "#]]).await;
    check(
        Api::Anthropic,
        Mode::Plain,
        expect![[r#"
        {
          "id": "msg_fake00000000",
          "type": "message",
          "role": "assistant",
          "model": "m",
          "content": [
            {
              "type": "text",
              "text": "[SILENT]"
            }
          ],
          "stop_reason": "end_turn",
          "stop_sequence": null,
          "usage": {
            "input_tokens": 12,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation": {
              "ephemeral_5m_input_tokens": 0,
              "ephemeral_1h_input_tokens": 0
            },
            "output_tokens": 2,
            "service_tier": "standard"
          }
        }
    "#]],
    )
    .await;
}

#[tokio::test]
async fn openai() {
    check(Api::OpenAi, Mode::Streamed, expect![[r#"
        data: {"id":"chatcmpl-fake00000000","object":"chat.completion.chunk","created":1735689600,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}]}

        data: {"id":"chatcmpl-fake00000000","object":"chat.completion.chunk","created":1735689600,"model":"m","choices":[{"index":0,"delta":{"content":"[SIL"},"logprobs":null,"finish_reason":null}]}

        data: {"id":"chatcmpl-fake00000000","object":"chat.completion.chunk","created":1735689600,"model":"m","choices":[{"index":0,"delta":{"content":"ENT]"},"logprobs":null,"finish_reason":null}]}

        data: {"id":"chatcmpl-fake00000000","object":"chat.completion.chunk","created":1735689600,"model":"m","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]}

        data: {"id":"chatcmpl-fake00000000","object":"chat.completion.chunk","created":1735689600,"model":"m","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":2,"total_tokens":14,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}}}

        data: [DONE]

    "#]]).await;
    check(
        Api::OpenAi,
        Mode::Plain,
        expect![[r#"
        {
          "id": "chatcmpl-fake00000000",
          "object": "chat.completion",
          "created": 1735689600,
          "model": "m",
          "choices": [
            {
              "index": 0,
              "message": {
                "role": "assistant",
                "content": "[SILENT]",
                "refusal": null
              },
              "logprobs": null,
              "finish_reason": "stop"
            }
          ],
          "usage": {
            "prompt_tokens": 12,
            "completion_tokens": 2,
            "total_tokens": 14,
            "prompt_tokens_details": {
              "cached_tokens": 0,
              "audio_tokens": 0
            },
            "completion_tokens_details": {
              "reasoning_tokens": 0
            }
          }
        }
    "#]],
    )
    .await;
}

#[tokio::test]
async fn gemini() {
    check(Api::Gemini, Mode::Streamed, expect![[r#"
        data: {"candidates":[{"index":0,"content":{"parts":[{"text":"[SIL"}],"role":"model"}}],"modelVersion":"m","responseId":"fake00000000","usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":1,"totalTokenCount":13,"cachedContentTokenCount":0}}

        data: {"candidates":[{"index":0,"content":{"parts":[{"text":"ENT]"}],"role":"model"}}],"modelVersion":"m","responseId":"fake00000000","usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":1,"totalTokenCount":13,"cachedContentTokenCount":0}}

        data: {"candidates":[{"index":0,"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP"}],"modelVersion":"m","responseId":"fake00000000","usageMetadata":{"promptTokenCount":12,"candidatesTokenCount":2,"totalTokenCount":14,"cachedContentTokenCount":0}}

    "#]]).await;
    check(
        Api::Gemini,
        Mode::Plain,
        expect![[r#"
        {
          "candidates": [
            {
              "index": 0,
              "content": {
                "parts": [
                  {
                    "text": "[SILENT]"
                  }
                ],
                "role": "model"
              },
              "finishReason": "STOP"
            }
          ],
          "modelVersion": "m",
          "responseId": "fake00000000",
          "usageMetadata": {
            "promptTokenCount": 12,
            "candidatesTokenCount": 2,
            "totalTokenCount": 14,
            "cachedContentTokenCount": 0
          }
        }
    "#]],
    )
    .await;
}

#[tokio::test]
async fn ollama() {
    check(Api::Ollama, Mode::Streamed, expect![[r#"
        {"model":"m","created_at":"2025-01-01T00:00:00Z","message":{"role":"assistant","content":"[SIL"},"done":false}
        {"model":"m","created_at":"2025-01-01T00:00:00Z","message":{"role":"assistant","content":"ENT]"},"done":false}
        {"model":"m","created_at":"2025-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":0,"prompt_eval_count":12,"prompt_eval_cached_count":0,"eval_count":2}
    "#]]).await;
    check(
        Api::Ollama,
        Mode::Plain,
        expect![[r#"
        {
          "model": "m",
          "created_at": "2025-01-01T00:00:00Z",
          "message": {
            "role": "assistant",
            "content": "[SILENT]"
          },
          "done": true,
          "done_reason": "stop",
          "total_duration": 0,
          "prompt_eval_count": 12,
          "prompt_eval_cached_count": 0,
          "eval_count": 2
        }
    "#]],
    )
    .await;
}

#[tokio::test]
async fn openai_states_the_usage_of_a_stream_only_when_asked() {
    let server = FakeProvider::start().await;
    let url = server.base_url() + "chat/completions";
    let body = json!({"model": "m", "stream": true, "messages": [{"role": "user", "content": "Hello"}]});
    let told = tell(client().post(url).json(&body)).await;
    assert!(told.is_marked_ended(Api::OpenAi));
    assert!(!told.body.contains("usage"), "{}", told.body);
}

#[tokio::test]
async fn a_schema_is_followed() {
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["met", "evidence"],
        "properties": {
            "met": {"type": "boolean"},
            "evidence": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        },
    });
    for api in Api::ALL {
        for mode in [Mode::Streamed, Mode::Plain] {
            let server = FakeProvider::start().await;
            let told = tell(ask_with(&server, api, mode, "Judge.", "Met?", Some(schema.clone()))).await;
            assert_eq!(told.text(), r#"{"met":false,"evidence":[""]}"#, "{api:?} {mode:?}");
            assert_eq!(server.seen()[0].prompt().schema, Some(&schema), "{api:?}");
        }
    }
}

#[tokio::test]
async fn a_schema_that_is_not_strict_is_refused_where_it_must_be() {
    let loose = json!({"type": "object", "properties": {"met": {"type": "boolean"}}});
    for (api, status) in Api::ALL.into_iter().zip([400, 400, 200, 200]) {
        let server = FakeProvider::start().await;
        let told = tell(ask_with(&server, api, Mode::Plain, "Judge.", "Met?", Some(loose.clone()))).await;
        assert_eq!(told.status, status, "{api:?}: {}", told.body);
    }
}

#[tokio::test]
async fn replies_name_the_cast_and_end_at_the_limit() {
    for api in Api::ALL {
        let server = FakeProvider::start().await;
        let told = tell(ask(&server, api, Mode::Streamed)).await;
        assert!(told.text().starts_with('['), "{api:?}: {}", told.text());
        assert_eq!(server.seen()[0].prompt().system(), "Cast: Alice, Bob", "{api:?}");
        assert_eq!(server.seen()[0].prompt().last_message(), "BEAT: 1\n\nYou are Bob. Respond.", "{api:?}");
    }
    let server = FakeProvider::builder().script(|_| PlannedResponse::text("four".repeat(600))).start().await;
    let told = tell(ask(&server, Api::Anthropic, Mode::Plain)).await;
    assert_eq!((told.text().len(), told.stop().as_deref()), (4 * 512, Some("max_tokens")));
}

#[tokio::test]
async fn lies_about_usage() {
    const PLACES: [&str; 4] = [
        "/usage/output_tokens",
        "/usage/completion_tokens",
        "/usageMetadata/candidatesTokenCount",
        "/eval_count",
    ];
    let lies = [
        (Lie::Missing, None),
        (Lie::Absurd, Some(500_000_000)),
        (Lie::Huge, Some(2_000_000_000)),
        (Lie::Negative, Some(-7)),
    ];
    for (lie, expected) in lies {
        for (api, place) in Api::ALL.into_iter().zip(PLACES) {
            for mode in [Mode::Streamed, Mode::Plain] {
                let server = FakeProvider::builder()
                    .script(move |_| PlannedResponse::text("[SILENT]").with_fault(Fault::Lie(lie)))
                    .start()
                    .await;
                let told = tell(ask(&server, api, mode)).await;
                let claimed = told.frames().iter().rev().find_map(|frame| frame.pointer(place)?.as_i64());
                assert_eq!(claimed, expected, "{api:?} {mode:?} {lie:?}: {}", told.body);
                assert_eq!(server.usage().output, 2, "what is billed is true");
            }
        }
    }
}

#[tokio::test]
async fn models_are_listed_and_others_unknown() {
    let listed = [
        (Api::Anthropic, "models", "/data/0/id", "m"),
        (Api::OpenAi, "models", "/data/0/id", "m"),
        (Api::Gemini, "models", "/models/0/name", "models/m"),
        (Api::Ollama, "api/tags", "/models/0/name", "m"),
    ];
    for (api, path, place, name) in listed {
        let server = FakeProvider::builder().models(["m"]).start().await;
        let told = tell(with_key(client().get(server.base_url_for(api) + path), api, KEY)).await;
        let list: Value = serde_json::from_str(&told.body).expect("JSON");
        assert_eq!(list.pointer(place), Some(&json!(name)), "{api:?}");
        assert_eq!(tell(ask(&server, api, Mode::Streamed)).await.status, 200, "{api:?}");

        let other = FakeProvider::builder().models(["n"]).start().await;
        assert_eq!(tell(ask(&other, api, Mode::Streamed)).await.status, 404, "{api:?}");
    }
}
