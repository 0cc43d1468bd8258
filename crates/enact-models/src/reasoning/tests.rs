use super::*;

#[test]
fn a_model_that_does_not_exist_yet_is_taken_for_the_newest_of_its_family() {
    use Provider::*;
    let thinking = |dial| ModelFamily { thinks: true, dial: Some(dial), ..ModelFamily::default() };
    let plain = ModelFamily::default();
    for (provider, model, family) in [
        (Anthropic, "claude-sonnet-5-5", thinking(EffortParameter::Effort)),
        (Anthropic, "claude-novel-9", thinking(EffortParameter::Effort)),
        (
            Anthropic,
            "claude-opus-4-6",
            ModelFamily { thinks: false, dial: Some(EffortParameter::Effort), ..ModelFamily::default() },
        ),
        (Anthropic, "claude-sonnet-4-5-20250929", plain),
        (Anthropic, "claude-3-5-haiku-latest", plain),
        (ClaudeCode, "sonnet", thinking(EffortParameter::Effort)),
        (ClaudeCode, "", thinking(EffortParameter::Effort)),
        (ClaudeCode, "claude-haiku-4-5", plain),
        (OpenAi, "gpt-7", thinking(EffortParameter::Effort)),
        (OpenAi, "gpt-4.1-mini", plain),
        (Gemini, "gemini-3.8-flash", thinking(EffortParameter::Level)),
        (Gemini, "gemini-2.5-flash", thinking(EffortParameter::Budget)),
        (Ollama, "qwen3", plain),
        (OpenAiCompatible, "gpt-7", plain),
    ] {
        assert_eq!(ModelFamily::of(provider, model), family, "{model}");
    }
}

#[test]
fn families_are_those_of_providers() {
    for provider in FAMILIES.keys() {
        assert!(Provider::named(provider).is_some(), "{provider}");
    }
}
