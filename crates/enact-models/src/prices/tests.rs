use proptest::prelude::*;

use super::*;

/// Dollars per million tokens: uncached, cache read, cache write, output.
fn dollars(price: Price) -> [f64; 4] {
    [price.uncached, price.cache_read, price.cache_write, price.output].map(|nano| nano as f64 / 1_000.0)
}

#[test]
fn prices_are_those_of_the_providers_pages() {
    use Provider::{Anthropic, Gemini, Ollama, OpenAi};
    for (provider, model, per_million) in [
        (Anthropic, "claude-opus-5-5", [4.0, 0.20, 5.0, 20.0]),
        (Anthropic, "claude-opus-4-1", [15.0, 1.50, 18.75, 75.0]),
        (Anthropic, "claude-sonnet-5-5", [2.0, 0.10, 2.50, 10.0]),
        (Anthropic, "claude-sonnet-4-5", [3.0, 0.30, 3.75, 15.0]),
        (Anthropic, "claude-haiku-5-5", [0.10, 0.01, 0.125, 0.50]),
        (Anthropic, "claude-3-5-haiku", [0.80, 0.08, 1.0, 4.0]),
        (Anthropic, "claude-fable-5-1", [10.0, 0.25, 12.50, 50.0]),
        (OpenAi, "gpt-6.1-terra", [1.0, 0.05, 1.25, 5.0]),
        (OpenAi, "gpt-5.6-terra", [2.0, 0.20, 2.50, 12.0]),
        (Gemini, "gemini-3.8-flash", [1.5, 0.15, 1.5, 7.5]),
        (Gemini, "gemini-3.1-pro-preview", [2.0, 0.20, 2.0, 12.0]),
        (OpenAi, "gpt-6.1-sol", [2.0, 0.10, 2.50, 10.0]),
        (OpenAi, "gpt-5", [1.25, 0.125, 1.25, 10.0]),
        (OpenAi, "gpt-5-nano", [0.05, 0.005, 0.05, 0.40]),
        (OpenAi, "gpt-4o", [2.50, 1.25, 2.50, 10.0]),
        (OpenAi, "gpt-4o-mini", [0.15, 0.075, 0.15, 0.60]),
        (OpenAi, "o4-mini", [1.10, 0.275, 1.10, 4.40]),
        (Gemini, "gemini-2.5-pro", [1.25, 0.125, 1.25, 10.0]),
        (Gemini, "gemini-2.5-flash-lite", [0.10, 0.01, 0.10, 0.40]),
        (Ollama, "anything at all", [0.0; 4]),
    ] {
        let price = published(provider, model, PromptCache::default()).expect(model);
        assert_eq!(dollars(price), per_million, "{model}");
    }
}

#[test]
fn an_hour_in_the_cache_costs_more_to_write_and_nothing_else() {
    let short = published(Provider::Anthropic, "claude-sonnet-4-5", PromptCache::FiveMinutes).unwrap();
    let long = published(Provider::Anthropic, "claude-sonnet-4-5", PromptCache::OneHour).unwrap();
    assert_eq!(long, Price { cache_write: 6_000, ..short });
    let openai = |cache| published(Provider::OpenAi, "gpt-5", cache);
    assert_eq!(openai(PromptCache::OneHour), openai(PromptCache::FiveMinutes));
}

#[test]
fn a_name_stands_for_itself_its_dates_and_its_latest_and_for_no_other_model() {
    use Provider::{Anthropic, Gemini, OpenAi};
    for (provider, name, meant) in [
        (Anthropic, "claude-opus-4-20250514", Some("claude-opus-4")),
        (Anthropic, "claude-opus-4-1-20250805", Some("claude-opus-4-1")),
        (Anthropic, "claude-3-5-haiku-latest", Some("claude-3-5-haiku")),
        (Anthropic, "claude-opus-4-9", None),
        (Anthropic, "claude-opus-4-2025051", None),
        (Anthropic, "claude-opus-4-202505145", None),
        (Anthropic, "claude-opus-4-20250514-fast", None),
        (Anthropic, "Claude-Opus-4", None),
        (Anthropic, "opus", None),
        (Anthropic, "gpt-4o", None),
        (OpenAi, "gpt-4o-2024-08-06", Some("gpt-4o")),
        (OpenAi, "gpt-4o-mini-2024-07-18", Some("gpt-4o-mini")),
        (OpenAi, "gpt-4o-audio-preview", None),
        (OpenAi, "gpt-4", None),
        (OpenAi, "gpt-5-chat-latest", None),
        (OpenAi, "gpt-5-codex", None),
        (OpenAi, "gpt-5-2025_08_07", None),
        (Gemini, "gemini-2.5-flash-preview-09-2025", None),
        (Gemini, "-20250514", None),
        (Gemini, "-latest", None),
        (Gemini, "", None),
    ] {
        let price = |model| published(provider, model, PromptCache::default());
        assert_eq!(price(name), meant.map(|model| price(model).expect(model)), "{name}");
    }
    // The one dated model that costs something else.
    let first = published(OpenAi, "gpt-4o-2024-05-13", PromptCache::default()).unwrap();
    assert_eq!(dollars(first), [5.0, 5.0, 5.0, 15.0]);
}

#[test]
fn what_nobody_publishes_has_no_price() {
    for provider in [Provider::OpenAiCompatible, Provider::ClaudeCode] {
        assert_eq!(published(provider, "claude-sonnet-4-5", PromptCache::default()), None);
    }
}

#[test]
fn aliases_stand_for_models_that_have_a_price() {
    assert!(
        aliases().eq(enact_drama::sheet::CLAUDE_MODEL_ALIASES),
        "stages know sheets' models by that list"
    );
    for alias in TABLE.aliases.keys() {
        let model = current_claude(alias).expect(alias);
        assert!(model.contains(alias), "{model}");
        assert!(published(Provider::Anthropic, model, PromptCache::default()).is_some(), "{model}");
    }
    for other in ["inherit", "Sonnet", "", "claude-sonnet-4-5"] {
        assert_eq!(current_claude(other), None, "{other}");
    }
}

#[test]
fn the_columns_of_the_table_are_not_mixed_up() {
    for (model, row) in TABLE.rows.values().flatten() {
        let price = row.price(PromptCache::FiveMinutes);
        let hour = row.price(PromptCache::OneHour);
        assert!(price.cache_read <= price.uncached, "{model}");
        assert!(price.uncached <= price.cache_write, "{model}");
        assert!(price.cache_write <= hour.cache_write, "{model}");
        assert!(price.uncached < price.output, "{model}");
    }
}

#[test]
fn a_project_says_only_what_is_different() {
    let table: PriceTable = toml::from_str(
        r#"
        date = "2027-01-01"
        [aliases]
        sonnet = "claude-sonnet-6"
        [anthropic]
        "claude-sonnet-6" = { input = 2.5, output = 12 }
        [openai-compatible]
        "house" = { input = 0.2, cache_read = 0.02, output = 0.6 }
        "#,
    )
    .unwrap();
    let price = |provider, model| Some(dollars(table.price(provider, model, PromptCache::OneHour)?));
    assert_eq!(price(Provider::Anthropic, "claude-sonnet-6-20270101"), Some([2.5, 2.5, 2.5, 12.0]));
    assert_eq!(price(Provider::OpenAiCompatible, "house"), Some([0.2, 0.02, 0.2, 0.6]));
    assert_eq!(price(Provider::Anthropic, "claude-sonnet-5-5"), None, "the program's own table has it");
    assert_eq!((table.alias("sonnet"), table.alias("opus")), (Some("claude-sonnet-6"), None));
    for wrong in
        ["[acme]\n", "[gemini]\n\"x\" = { input = -1, output = 2 }\n", "[gemini]\n\"x\" = { input = 1 }\n"]
    {
        assert!(toml::from_str::<PriceTable>(wrong).is_err(), "{wrong}");
    }
}

proptest! {
    #[test]
    fn any_name_may_be_asked_for(model in "\\PC{0,40}") {
        for provider in Provider::all() {
            let _ = published(provider, &model, PromptCache::default());
        }
        let _ = current_claude(&model);
    }
}
