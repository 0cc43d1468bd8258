//! What an operator has requests say besides: sampling, headers, fields of the body; and providers that differ
//! in no more than that.

use enact_drama::request::Request;
use enact_models::{
    ExtraHeader,
    Provider::{self, Anthropic, Gemini, Ollama, OpenAi, OpenAiCompatible},
    Settings, card, connect,
};
use fake_provider::{Api, FakeProvider, PlannedResponse};
use serde_json::{Value, json};

use super::{Delivery, PROVIDERS, raw_server::RawServer, request, schema, settings};

const SECRET: &str = "gateway-secret-0815";

fn object(value: Value) -> serde_json::Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn header(name: &str, written: &str) -> ExtraHeader {
    let environment = |variable: &str| (variable == "GATEWAY_TOKEN").then(|| SECRET.to_owned());
    ExtraHeader::parse(name, written).unwrap().filled(environment).unwrap()
}

fn api(provider: Provider) -> Api {
    PROVIDERS.into_iter().find(|(known, _)| *known == provider).map_or(Api::OpenAi, |(_, api)| api)
}

#[tokio::test]
async fn sampling_is_told_in_each_providers_words() {
    let server = FakeProvider::builder().script(|_| PlannedResponse::text("[SILENT]")).start().await;
    for (provider, place, told) in [
        (Anthropic, "", json!({"top_p": 0.5, "stop_sequences": ["END", "\n\n"]})),
        (OpenAi, "", json!({"top_p": 0.5, "stop": ["END", "\n\n"], "seed": 7})),
        (OpenAiCompatible, "", json!({"top_p": 0.5, "stop": ["END", "\n\n"], "seed": 7})),
        (
            Provider::named("mistral").unwrap(),
            "",
            json!({"top_p": 0.5, "stop": ["END", "\n\n"], "random_seed": 7}),
        ),
        (Gemini, "/generationConfig", json!({"topP": 0.5, "stopSequences": ["END", "\n\n"], "seed": 7})),
        (Ollama, "/options", json!({"top_p": 0.5, "stop": ["END", "\n\n"], "seed": 7})),
    ] {
        for (schema, with_stop) in [(None, true), (Some(schema()), false)] {
            let model = connect(Settings {
                top_p: Some(0.5),
                stop: vec!["END".to_owned(), "\n\n".to_owned()],
                seed: Some(7),
                ..settings(provider, server.base_url_for(api(provider)))
            })
            .unwrap();
            // The answer is not the JSON that was asked for; what counts here is the question.
            let _ = model.answer(Request { schema, ..request() }).await;
            let body = server.seen().pop().unwrap().body;
            let keys = ["top_p", "topP", "stop", "stop_sequences", "stopSequences", "seed", "random_seed"];
            let found = object(body.pointer(place).unwrap().clone());
            let found: Value =
                found.into_iter().filter(|(key, _)| keys.contains(&key.as_str())).collect::<Value>();
            // JSON that is ended in its midst is worth nothing.
            let mut told = object(told.clone());
            told.retain(|key, _| with_stop || !key.starts_with("stop"));
            assert_eq!(found, Value::Object(told), "{provider:?} {with_stop}");
        }
    }
}

#[tokio::test]
async fn headers_and_fields_reach_every_provider() {
    let server = FakeProvider::builder().script(|_| PlannedResponse::text("[SILENT]")).start().await;
    for (provider, api) in PROVIDERS {
        let body = match provider {
            Gemini => json!({"safetySettings": [], "generationConfig": {"topK": 4, "temperature": 0.2}}),
            Ollama => json!({"keep_alive": "1h", "options": {"mirostat": 2}}),
            _ => json!({"metadata": {"user_id": "u"}, "temperature": 0.2}),
        };
        let model = connect(Settings {
            temperature: Some(0.9),
            headers: vec![header("X-Title", "enact"), header("x-gateway", "Token $GATEWAY_TOKEN")],
            body: object(body.clone()),
            ..settings(provider, server.base_url_for(api))
        })
        .unwrap();
        for delivery in Delivery::BOTH {
            assert_eq!(delivery.ask(&*model, request()).await.unwrap().text, "[SILENT]");
            let seen = server.seen().pop().unwrap();
            assert_eq!(seen.headers["x-title"], "enact");
            assert_eq!(seen.headers["x-gateway"], format!("Token {SECRET}"));
            for (key, value) in body.as_object().unwrap() {
                match value {
                    Value::Object(fields) => {
                        for (inner, value) in fields {
                            assert_eq!(&seen.body[key][inner], value, "{provider:?} {key}.{inner}");
                        }
                    }
                    value => assert_eq!(&seen.body[key], value, "{provider:?} {key}"),
                }
            }
            // What is merged into keeps the rest.
            match provider {
                Gemini => assert!(seen.body["generationConfig"]["maxOutputTokens"].is_u64()),
                Ollama => assert!(seen.body["options"]["num_ctx"].is_u64()),
                _ => assert!(seen.body["messages"].is_array()),
            }
        }
    }
}

/// Whatever repeats a secret of a header: it is in no error and in no line, streamed or not.
#[tokio::test]
async fn secrets_of_headers_are_repeated_nowhere() {
    let said =
        format!(r#"{{"choices":[{{"message":{{"content":"It is {SECRET}."}},"finish_reason":"stop"}}]}}"#);
    let refused = json!({"error": {"message": format!("no {SECRET} here"), "code": 400}}).to_string();
    let server = RawServer::start(vec![RawServer::json(200, &said), RawServer::json(400, &refused)]).await;
    let told = Settings {
        headers: vec![header("x-gateway", "$GATEWAY_TOKEN")],
        ..settings(OpenAiCompatible, server.base_url())
    };
    let model = connect(told.clone()).unwrap();
    assert_eq!(model.answer(request()).await.unwrap().text, "It is ….");
    let failure = model.answer(request()).await.unwrap_err();
    assert!(failure.error.contains("no … here"), "{}", failure.error);
    for shown in [format!("{model:?}"), format!("{told:?}"), format!("{:?}", card(&told))] {
        assert!(!shown.contains(SECRET), "{shown}");
    }
}

#[tokio::test]
async fn sampling_that_a_model_refuses_is_left_out_from_then_on() {
    for (refusal, gone, kept) in [
        ("Unsupported parameter: 'top_p' is not supported with this model.", "top_p", "seed"),
        ("Argument not supported on this model: stop", "stop", "top_p"),
        ("Unsupported parameter: 'stop' is not supported with this model.", "stop", "seed"),
        ("extra fields not permitted: seed", "seed", "stop"),
    ] {
        let refused = RawServer::json(400, &json!({"error": {"message": refusal}}).to_string());
        let answered = RawServer::json(
            200,
            r#"{"choices":[{"message":{"content":"[SILENT]"},"finish_reason":"stop"}]}"#,
        );
        let server = RawServer::start(vec![refused, answered.clone(), answered]).await;
        let model = connect(Settings {
            top_p: Some(0.9),
            stop: vec!["END".to_owned()],
            seed: Some(7),
            ..settings(OpenAiCompatible, server.base_url())
        })
        .unwrap();
        for _ in 0..2 {
            assert_eq!(model.answer(request()).await.unwrap().text, "[SILENT]", "{refusal}");
        }
        let sent = |key: &str| -> Vec<bool> {
            server.seen().iter().map(|request| request.contains(&format!("\"{key}\":"))).collect()
        };
        assert_eq!(sent(gone), [true, false, false], "{refusal}");
        assert_eq!(sent(kept), [true, true, true], "{refusal}");
    }
}

/// Logs say how a model was asked, and replays and exports show it.
#[test]
fn a_card_says_what_was_set_and_no_secret() {
    let told = Settings {
        temperature: Some(0.9),
        top_p: Some(0.5),
        stop: vec!["END".to_owned()],
        seed: Some(7),
        headers: vec![header("X-Title", "enact"), header("x-gateway", "Token $GATEWAY_TOKEN")],
        body: object(json!({"top_k": 4, "id": "sk-0123456789"})),
        ..settings(OpenAi, "http://127.0.0.1:1/")
    };
    let parameters = serde_json::to_value(card(&told).parameters).unwrap();
    let expected = json!({
        "temperature": 0.9,
        "top_p": 0.5,
        "stop": ["END"],
        "seed": 7,
        "headers": {"x-title": "enact", "x-gateway": "Token $GATEWAY_TOKEN"},
        "body": {"top_k": 4, "id": "…"},
    });
    assert_eq!(parameters, expected);
    let plain = serde_json::to_value(card(&settings(OpenAi, "http://127.0.0.1:1/"))).unwrap();
    assert_eq!(plain.get("parameters"), None);
}

#[tokio::test]
async fn openrouter_is_asked_what_a_call_costs() {
    let server = FakeProvider::builder().script(|_| PlannedResponse::text("[SILENT]")).start().await;
    let openrouter = Provider::named("openrouter").unwrap();
    let base = settings(openrouter, server.base_url_for(Api::OpenAi));
    let model = connect(Settings { body: object(json!({"transforms": []})), ..base }).unwrap();
    model.answer(request()).await.unwrap();
    let body = server.seen().pop().unwrap().body;
    assert_eq!((&body["usage"], &body["transforms"]), (&json!({"include": true}), &json!([])));
    assert!(body["max_tokens"].is_u64());
}
