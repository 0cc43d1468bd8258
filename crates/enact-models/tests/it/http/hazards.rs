//! What must not become of a request on its way, whatever is in it.

use enact_drama::usage::Usage;
use enact_models::{Provider, Settings, connect};
use fake_provider::{FakeProvider, Fault, PlannedResponse};
use serde_json::{Value, json};

use super::{Delivery, KEY, PROVIDERS, failure_of, model_at, request, schema, settings};

#[tokio::test]
async fn names_arrive_unchanged_and_mean_nothing_else() {
    let names = [
        "m-max",
        "m-high",
        "m-medium",
        "m-low",
        "m-none",
        "m-zero",
        "m-minimal",
        "ns::m",
        "anthropic::m-high",
        "a/b:c-2",
        "gpt-5-high",
        "claude-opus-4-8-max",
    ];
    let server = FakeProvider::start().await;
    for (provider, api) in PROVIDERS {
        for name in names {
            let settings =
                Settings { model: name.to_owned(), ..settings(provider, server.base_url_for(api)) };
            connect(settings).unwrap().answer(request()).await.unwrap();
            let seen = server.seen().pop().unwrap();
            assert_eq!(seen.model, name, "{provider:?}");
            let mut body = seen.body.as_ref().clone();
            // What every line is asked with, and not what the name ends in.
            let low = match (provider, name) {
                (Provider::OpenAi, "gpt-5-high") => body.as_object_mut().unwrap().remove("reasoning_effort"),
                (Provider::Anthropic, "claude-opus-4-8-max") => body
                    .as_object_mut()
                    .unwrap()
                    .remove("output_config")
                    .map(|config| config["effort"].clone()),
                _ => Some("low".into()),
            };
            assert_eq!(low, Some("low".into()), "{provider:?} {name}");
            let body = body.to_string();
            for smuggled in
                ["reasoning", "thinking", "effort", "\"think\"", "verbosity", "prompt_cache_options"]
            {
                assert!(!body.contains(smuggled), "{provider:?} {name}: {body}");
            }
        }
    }
}

#[tokio::test]
async fn a_stream_without_its_end_is_no_answer() {
    for provider in PROVIDERS {
        for delivery in Delivery::BOTH {
            let failure = failure_of(Fault::EndWithoutStop, provider, delivery).await;
            assert!(failure.error.ends_with("the answer broke off before its end"), "{failure:?}");
        }
    }
}

#[tokio::test]
async fn schemas_are_sent_as_they_are_and_strict() {
    let server =
        FakeProvider::builder().script(|_| PlannedResponse::text(r#"{"met":true,"sure":1}"#)).start().await;
    let mut structured = request();
    structured.schema = Some(schema());
    for provider in PROVIDERS {
        model_at(&server, provider).answer(structured.clone()).await.unwrap();
        let body = server.seen().pop().unwrap().body;
        let asked = body["messages"].to_string();
        let in_words = asked.contains("JSON schema");
        match provider.0 {
            Provider::Anthropic => {
                let sent = &body["output_config"]["format"];
                assert_eq!(sent["type"], "json_schema");
                assert_eq!(sent["schema"]["properties"]["met"], json!({"type": "boolean"}));
                // The real service refuses limits.
                let sure = json!({"type": "number", "description": "minimum 0, maximum 1"});
                assert_eq!(sent["schema"]["properties"]["sure"], sure);
                assert!(!in_words);
            }
            Provider::OpenAi | Provider::OpenAiCompatible => {
                let sent = json!({"name": "verdict", "strict": true, "schema": schema().json});
                assert_eq!(body["response_format"], json!({"type": "json_schema", "json_schema": sent}));
                assert_eq!(in_words, provider.0 == Provider::OpenAiCompatible);
            }
            Provider::Gemini => {
                assert_eq!(body["generationConfig"]["responseJsonSchema"], schema().json);
            }
            _ => {
                assert_eq!(body["format"], schema().json);
                assert!(in_words, "{body}");
            }
        }
    }
}

/// Where the settings hold none, none is sent, looked for, or missed.
#[tokio::test]
async fn keys_come_from_nowhere_else() {
    let server = FakeProvider::start().await;
    for (provider, api) in PROVIDERS {
        let keyless = Settings { key: None, ..settings(provider, server.base_url_for(api)) };
        connect(keyless).unwrap().answer(request()).await.unwrap();
        let headers = server.seen().pop().unwrap().headers;
        for name in ["authorization", "x-api-key", "x-goog-api-key"] {
            assert!(!headers.contains_key(name), "{provider:?}: {headers:?}");
        }
    }
}

#[tokio::test]
async fn keys_are_sent_where_they_belong_and_shown_nowhere() {
    let server = FakeProvider::builder().key(KEY).start().await;
    for provider in PROVIDERS {
        let model = model_at(&server, provider);
        model.answer(request()).await.unwrap();
        let seen = server.seen().pop().unwrap();
        assert!(!seen.path.contains(KEY) && !seen.body.to_string().contains(KEY));
        assert!(!format!("{model:?} {:?}", model.card()).contains(KEY));
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let elsewhere = FakeProvider::start().await;
    let target = elsewhere.base_url() + "messages";
    let server = FakeProvider::builder()
        .script(move |_| PlannedResponse::fault(Fault::Redirect(target.clone())))
        .start()
        .await;
    for provider in PROVIDERS {
        let failure = model_at(&server, provider).answer(request()).await.unwrap_err();
        assert!(failure.error.contains("redirected (307), which is not followed"), "{failure:?}");
    }
    assert_eq!(elsewhere.arrivals(), 0);
}

/// Partial usage of a broken stream is kept where the provider had said it.
#[tokio::test]
async fn a_broken_answer_is_paid_for_all_the_same() {
    let server = FakeProvider::builder().script(|_| PlannedResponse::fault(Fault::CutAfter(2))).start().await;
    let failure = Delivery::Streamed.ask(&*model_at(&server, PROVIDERS[0]), request()).await.unwrap_err();
    let Some(Usage { uncached, output, .. }) = failure.usage else { panic!("{failure:?}") };
    assert!(uncached > 0 && output == 1, "{failure:?}");
}

/// Templates of local models accept one system message, at the beginning.
#[tokio::test]
async fn only_anthropic_gets_several_system_blocks() {
    let server = FakeProvider::start().await;
    for provider in PROVIDERS {
        model_at(&server, provider).answer(request()).await.unwrap();
        let body = server.seen().pop().unwrap().body;
        let roles: Vec<&Value> =
            body["messages"].as_array().into_iter().flatten().map(|message| &message["role"]).collect();
        match provider.0 {
            Provider::Anthropic => assert_eq!(body["system"].as_array().unwrap().len(), 2),
            Provider::Gemini => assert_eq!(body["systemInstruction"]["parts"].as_array().unwrap().len(), 1),
            _ => assert_eq!(roles, ["system", "user", "assistant", "user"]),
        }
    }
}
