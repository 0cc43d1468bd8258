use std::sync::Arc;

use enact_drama::request::Schema;
use serde_json::json;

use super::*;

fn verdict() -> Request {
    let schema = Schema { name: "verdict", json: json!({"type": "object"}), exact: true };
    Request { max_tokens: 2_048, schema: Some(Arc::new(schema)), ..Request::default() }
}

#[test]
fn lines_take_little_effort_where_the_model_can_be_told_and_hidden_calls_what_they_take() {
    use Provider::*;
    let line = Request { max_tokens: 1_024, ..Request::default() };
    for (provider, model, own, for_line, for_verdict) in [
        (Anthropic, "claude-sonnet-5-5", None, Some(Effort::Low), None),
        (Anthropic, "claude-sonnet-5-5", Some(Effort::High), Some(Effort::High), Some(Effort::High)),
        (Anthropic, "claude-sonnet-4-5", None, None, None),
        (Anthropic, "claude-sonnet-4-5", Some(Effort::High), Some(Effort::High), Some(Effort::High)),
        (OpenAi, "gpt-6.1-terra", None, Some(Effort::Low), None),
        (OpenAi, "gpt-4.1", None, None, None),
        (Gemini, "gemini-3.8-flash", None, Some(Effort::Low), None),
        (OpenAiCompatible, "gpt-6.1-terra", None, None, None),
        (Ollama, "qwen3", None, None, None),
    ] {
        let settings = Settings { effort: own, ..Settings::new(provider, model) };
        assert_eq!(settings.effort_for(&line), for_line, "{model} {own:?}");
        assert_eq!(settings.effort_for(&verdict()), for_verdict, "{model} {own:?}");
    }
}

/// What is thought counts against the tokens allowed: a thousand may be gone before the first word.
#[test]
fn a_model_that_thinks_has_room_for_it() {
    for (model, thinking, own, limit) in [
        ("claude-sonnet-4-5", None, None, None),
        ("claude-sonnet-4-5", Some(Thinking::On), None, Some(4_096)),
        ("claude-sonnet-4-5", Some(Thinking::Budget(8_000)), None, Some(9_024)),
        ("claude-sonnet-5-5", None, None, Some(4_096)),
        ("claude-sonnet-5-5", Some(Thinking::Off), None, None),
        ("claude-sonnet-5-5", None, Some(600), Some(600)),
    ] {
        let settings = Settings { thinking, max_tokens: own, ..Settings::new(Provider::Anthropic, model) };
        assert_eq!(card(&settings).max_tokens, limit, "{model} {thinking:?}");
    }
}

#[test]
fn a_newer_price_of_the_project_stands_in_place_of_ours_and_the_operators_own_of_both() {
    let [ours, project, own] = [2_000, 1_000, 500];
    let price = |uncached| Some(Price { uncached, ..Price::FREE });
    let mut settings = Settings::new(Provider::Anthropic, "claude-sonnet-5-5");
    assert_eq!(card(&settings).price.unwrap().uncached, ours);
    settings.published = price(project);
    assert_eq!(card(&settings).price, price(project));
    settings.price = price(own);
    assert_eq!(card(&settings).price, price(own));
    let command = Settings { published: price(project), ..Settings::new(Provider::ClaudeCode, "sonnet") };
    assert_eq!(card(&command).price, None, "the command says itself what a call cost");
}

#[test]
fn claude_code_adds_tokens_of_its_own() {
    let own_tokens = |provider| card(&Settings::new(provider, "sonnet")).own_tokens;
    assert_eq!((own_tokens(Provider::ClaudeCode), own_tokens(Provider::Anthropic)), (Some(250), None));
}
