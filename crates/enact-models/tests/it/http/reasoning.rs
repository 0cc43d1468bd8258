//! How much a model is to think, in the words of each provider, and what happens to parameters that a model
//! does not take.

use enact_drama::request::Request;
use enact_models::{
    Effort::{self, High, Low, Max, Minimal},
    Provider::{self, Anthropic, Gemini, Ollama, OpenAi, OpenAiCompatible},
    Settings,
    Thinking::{self, Budget, Off, On},
    connect,
};
use fake_provider::FakeProvider;
use serde_json::{Value, json};

use super::{PROVIDERS, raw_server::RawServer, request, schema, settings};

/// A whole answer in Anthropic's format.
const ANSWER: &str = r#"{"type":"message","content":[{"type":"text","text":"[SILENT]"}],"stop_reason":"end_turn",
    "usage":{"input_tokens":10,"output_tokens":3}}"#;

/// What a body says about thinking: only these keys.
fn said(provider: Provider, body: &Value) -> Value {
    let keys: &[&str] = match provider {
        Anthropic => &["thinking", "output_config"],
        Gemini => &["generationConfig"],
        Ollama => &["think"],
        _ => &["reasoning_effort"],
    };
    let pick = |key: &&str| match *key {
        "generationConfig" => (String::from("thinkingConfig"), body[key]["thinkingConfig"].clone()),
        "output_config" => (String::from("effort"), body[key]["effort"].clone()),
        key => (key.to_owned(), body[key].clone()),
    };
    keys.iter().map(pick).filter(|(_, value)| !value.is_null()).collect()
}

#[tokio::test]
async fn each_provider_is_told_in_its_own_words() {
    type Case = (Provider, &'static str, Option<Effort>, Option<Thinking>, Value);
    let server = FakeProvider::start().await;
    let cases: Vec<Case> = vec![
        // Lines take little, where a model can be told.
        (Anthropic, "claude-sonnet-5-5", None, None, json!({"effort": "low"})),
        (Anthropic, "claude-sonnet-4-5", None, None, json!({})),
        (OpenAi, "gpt-6.1-terra", None, None, json!({"reasoning_effort": "low"})),
        (OpenAi, "gpt-4.1", None, None, json!({})),
        (OpenAiCompatible, "gpt-6.1-terra", None, None, json!({})),
        (Gemini, "gemini-3.8-flash", None, None, json!({"thinkingConfig": {"thinkingLevel": "low"}})),
        (Gemini, "gemini-2.5-flash", None, None, json!({"thinkingConfig": {"thinkingBudget": 512}})),
        (Gemini, "gemini-2.0-flash", None, None, json!({})),
        (Ollama, "qwen3", None, None, json!({})),
        // What the operator says, said to anything.
        (Anthropic, "claude-sonnet-5-5", Some(Max), None, json!({"effort": "max"})),
        (Anthropic, "claude-sonnet-5-5", Some(Minimal), None, json!({"effort": "low"})),
        (Anthropic, "claude-sonnet-4-5", Some(High), None, json!({"effort": "high"})),
        (OpenAi, "gpt-6.1-terra", Some(Minimal), None, json!({"reasoning_effort": "minimal"})),
        (OpenAiCompatible, "qwen3", Some(Low), None, json!({"reasoning_effort": "low"})),
        (Gemini, "gemini-3.8-flash", Some(Max), None, json!({"thinkingConfig": {"thinkingLevel": "high"}})),
        (Ollama, "gpt-oss", Some(Max), None, json!({"think": "high"})),
        (Anthropic, "claude-sonnet-5-5", None, Some(Off), json!({"thinking": {"type": "disabled"}})),
        (Anthropic, "claude-sonnet-5-5", None, Some(On), json!({"thinking": {"type": "adaptive"}})),
        (
            Anthropic,
            "claude-sonnet-4-5",
            None,
            Some(On),
            json!({"thinking": {"type": "enabled", "budget_tokens": 2048}}),
        ),
        (
            Anthropic,
            "claude-sonnet-4-5",
            None,
            Some(Budget(3_000)),
            json!({"thinking": {"type": "enabled", "budget_tokens": 3000}}),
        ),
        (OpenAi, "gpt-6.1-terra", None, Some(Off), json!({"reasoning_effort": "none"})),
        (
            Gemini,
            "gemini-3.8-flash",
            None,
            Some(Off),
            json!({"thinkingConfig": {"thinkingLevel": "minimal"}}),
        ),
        (Gemini, "gemini-2.5-flash", None, Some(Off), json!({"thinkingConfig": {"thinkingBudget": 0}})),
        (
            Gemini,
            "gemini-2.5-pro",
            None,
            Some(Budget(2_000)),
            json!({"thinkingConfig": {"thinkingBudget": 2000}}),
        ),
        (Ollama, "qwen3", None, Some(Off), json!({"think": false})),
    ];
    for (provider, model, effort, thinking, expected) in cases {
        let (_, api) = PROVIDERS.into_iter().find(|(known, _)| *known == provider).unwrap();
        let base = settings(provider, server.base_url_for(api));
        let model_settings = Settings { model: model.to_owned(), effort, thinking, ..base };
        let line = Request { max_tokens: 4_096, ..request() };
        connect(model_settings).unwrap().answer(line).await.unwrap();
        let body = server.seen().pop().unwrap().body;
        assert_eq!(said(provider, &body), expected, "{model} {effort:?} {thinking:?}");
    }
}

/// What a judge makes of a scene is worth more than a line.
#[tokio::test]
async fn hidden_calls_are_left_to_what_the_provider_does_by_itself() {
    let server = FakeProvider::start().await;
    let model = Settings { model: "claude-sonnet-5-5".to_owned(), ..settings(Anthropic, server.base_url()) };
    connect(model).unwrap().answer(Request { schema: Some(schema()), ..request() }).await.unwrap();
    let body = server.seen().pop().unwrap().body;
    assert_eq!(said(Anthropic, &body), json!({}));
    assert!(body["output_config"]["format"].is_object());
}

/// Each generation of models refuses something else: that must not cost a beat.
#[tokio::test]
async fn a_parameter_that_a_model_refuses_is_left_out_from_then_on() {
    for (refusal, gone, kept) in [
        ("`temperature` is deprecated for this model.", "temperature", "effort"),
        ("output_config.effort: this model does not support the effort parameter.", "effort", "temperature"),
        ("thinking.type.disabled is not supported for this model", "thinking", "temperature"),
    ] {
        let body = json!({"type": "error", "error": {"type": "invalid_request_error", "message": refusal}});
        let refused = RawServer::json(400, &body.to_string());
        let answered = RawServer::json(200, ANSWER);
        let server = RawServer::start(vec![refused, answered.clone(), answered]).await;
        let model = connect(Settings {
            temperature: Some(0.9),
            effort: Some(High),
            thinking: Some(Off),
            ..settings(Anthropic, server.base_url())
        })
        .unwrap();
        for _ in 0..2 {
            assert_eq!(model.answer(request()).await.unwrap().text, "[SILENT]", "{refusal}");
        }
        let sent = |key: &str| -> Vec<bool> {
            server.seen().iter().map(|request| request.contains(&format!("\"{key}\""))).collect()
        };
        assert_eq!(sent(gone), [true, false, false], "{refusal}");
        assert_eq!(sent(kept), [true, true, true], "{refusal}");
    }
}

/// A model may refuse one after the other.
#[tokio::test]
async fn several_may_be_refused_in_one_call() {
    let refused = |what: &str| {
        RawServer::json(400, &json!({"error": {"message": format!("Unsupported: '{what}'")}}).to_string())
    };
    let server = RawServer::start(vec![
        refused("temperature"),
        refused("reasoning_effort"),
        RawServer::json(200, r#"{"choices":[{"message":{"content":"[SILENT]"},"finish_reason":"stop"}]}"#),
    ])
    .await;
    let model =
        Settings { model: "gpt-9".to_owned(), temperature: Some(1.5), ..settings(OpenAi, server.base_url()) };
    let answer = connect(model).unwrap().answer(request()).await.unwrap();
    assert_eq!(answer.text, "[SILENT]");
}

/// Many servers say in one field how much to think and whether to: whichever words they refuse it in, what
/// that field came from is left out, and then the next, until the model answers.
#[tokio::test]
async fn what_is_refused_again_is_left_out_next() {
    let ollama = "\"llama3.2\" does not support thinking";
    let openai = "Unsupported value: 'reasoning_effort' does not support 'none' with this model.";
    let gemini = "Thinking budget is not supported for this model.";
    let level = "Thinking level is not supported for this model.";
    let think = |think: Value| json!({"think": think});
    let effort = |effort: &str| json!({"reasoning_effort": effort});
    let config = |config: Value| json!({"thinkingConfig": config});
    type Case = (Provider, Option<Effort>, Option<Thinking>, &'static str, Vec<Value>);
    let cases: Vec<Case> = vec![
        (Ollama, Some(High), None, ollama, vec![think("high".into()), json!({})]),
        (Ollama, Some(High), Some(On), ollama, vec![think("high".into()), think(true.into()), json!({})]),
        (OpenAi, Some(High), Some(Off), openai, vec![effort("none"), effort("high")]),
        (OpenAi, Some(High), Some(Off), openai, vec![effort("none"), effort("high"), json!({})]),
        (
            Gemini,
            Some(High),
            Some(Budget(2_000)),
            gemini,
            vec![config(json!({"thinkingBudget": 2000})), config(json!({"thinkingLevel": "high"}))],
        ),
        (
            Gemini,
            Some(High),
            Some(Off),
            level,
            vec![
                config(json!({"thinkingLevel": "minimal"})),
                config(json!({"thinkingLevel": "high"})),
                json!({}),
            ],
        ),
    ];
    for (provider, effort, thinking, refusal, told) in cases {
        let (name, hello) = match provider {
            Ollama => ("llama3.2", r#"{"message":{"content":"[SILENT]"},"done":true}"#),
            Gemini => (
                "gemini-3.8-flash",
                r#"{"candidates":[{"content":{"parts":[{"text":"[SILENT]"}]},"finishReason":"STOP"}]}"#,
            ),
            _ => ("gpt-9", r#"{"choices":[{"message":{"content":"[SILENT]"},"finish_reason":"stop"}]}"#),
        };
        let refused = RawServer::json(400, &json!({"error": {"message": refusal}}).to_string());
        let mut answers = vec![refused; told.len() - 1];
        answers.extend([RawServer::json(200, hello), RawServer::json(200, hello)]);
        let server = RawServer::start(answers).await;
        let model =
            Settings { model: name.to_owned(), effort, thinking, ..settings(provider, server.base_url()) };
        let model = connect(model).unwrap();
        for _ in 0..2 {
            let said = model.answer(request()).await.map(|answer| answer.text);
            let said = said.map_err(|failure| failure.error);
            assert_eq!(said, Ok("[SILENT]".to_owned()), "{provider:?} {effort:?} {thinking:?}");
        }
        let bodies: Vec<Value> = server
            .seen()
            .iter()
            .map(|seen| serde_json::from_str(seen.split_once("\r\n\r\n").unwrap().1).unwrap())
            .map(|body| said(provider, &body))
            .collect();
        let again = told.last().unwrap().clone();
        assert_eq!(bodies, [told, vec![again]].concat(), "{provider:?} {effort:?} {thinking:?}");
    }
}

/// What was not sent cannot be left out.
#[tokio::test]
async fn a_refusal_of_something_else_stays_one() {
    let body = json!({"error": {"type": "invalid_request_error", "message": "temperature sensors are not supported"}});
    let server = RawServer::start(vec![RawServer::json(400, &body.to_string())]).await;
    let failure =
        connect(settings(Anthropic, server.base_url())).unwrap().answer(request()).await.unwrap_err();
    assert!(failure.error.contains("temperature sensors"), "{}", failure.error);
}
