use super::*;
use crate::ApiKey;

fn settings(provider: Provider, base_url: Option<&str>) -> Settings {
    Settings {
        base_url: base_url.map(str::to_owned),
        key: Some(ApiKey::new("sk-secret")),
        ..Settings::new(provider, "some::model-high")
    }
}

fn named(name: &str) -> Provider {
    Provider::named(name).unwrap()
}

fn chat_url(provider: Provider, base_url: Option<&str>) -> String {
    let endpoint = ProviderEndpoint::of(&settings(provider, base_url)).unwrap();
    endpoint.chat_url(true, None).to_string()
}

#[test]
fn addresses_are_taken_with_and_without_a_slash() {
    for (provider, base_url, url) in [
        (Provider::Anthropic, None, "https://api.anthropic.com/v1/messages"),
        (Provider::Anthropic, Some("http://127.0.0.1:9/v1"), "http://127.0.0.1:9/v1/messages"),
        (Provider::Anthropic, Some("http://127.0.0.1:9/v1//"), "http://127.0.0.1:9/v1/messages"),
        (Provider::OpenAi, None, "https://api.openai.com/v1/chat/completions"),
        (
            Provider::OpenAiCompatible,
            Some("https://h/v1?api-version=1#x"),
            "https://h/v1/chat/completions?api-version=1",
        ),
        (Provider::OpenAiCompatible, Some(" http://h:8080 "), "http://h:8080/chat/completions"),
        (
            Provider::Gemini,
            None,
            "https://generativelanguage.googleapis.com/v1beta/models/some::model-high:streamGenerateContent?alt=sse",
        ),
        (
            Provider::Gemini,
            Some("http://h/v1beta?x=1"),
            "http://h/v1beta/models/some::model-high:streamGenerateContent?x=1&alt=sse",
        ),
        (named("openrouter"), None, "https://openrouter.ai/api/v1/chat/completions"),
        (named("groq"), None, "https://api.groq.com/openai/v1/chat/completions"),
        (named("xai"), Some("http://127.0.0.1:9/v1"), "http://127.0.0.1:9/v1/chat/completions"),
        (Provider::Ollama, None, "http://localhost:11434/api/chat"),
        (Provider::Ollama, Some("http://box:11434/v1"), "http://box:11434/api/chat"),
        (Provider::Ollama, Some("http://box:11434"), "http://box:11434/api/chat"),
    ] {
        assert_eq!(chat_url(provider, base_url), url);
    }
}

#[test]
fn bad_addresses_are_refused_and_not_repeated() {
    let of = |base_url| ProviderEndpoint::of(&settings(Provider::OpenAiCompatible, base_url)).err().unwrap();
    let problem = of(Some("https://me:sk-secret@h/v1"));
    let message = "the base_url of the model 'some::model-high' contains a user name or password";
    assert_eq!(problem.message, message);
    assert!(!format!("{problem:?}").contains("sk-secret"));
    assert_eq!(of(None).message, "nothing says where the model 'some::model-high' is");
}

#[test]
fn keys_are_asked_for_where_they_are_needed() {
    let of = |provider, base_url: Option<&str>, key: Option<&str>| {
        let settings = Settings { key: key.map(ApiKey::new), ..settings(provider, base_url) };
        ProviderEndpoint::of(&settings).map(|endpoint| {
            let shown = |(name, value): (&_, &HeaderValue)| format!("{name}: {}", value.to_str().unwrap());
            endpoint.headers().iter().map(shown).collect::<Vec<_>>()
        })
    };
    for (provider, variable) in [
        (Provider::Anthropic, "ANTHROPIC_API_KEY"),
        (Provider::OpenAi, "OPENAI_API_KEY"),
        (Provider::Gemini, "GEMINI_API_KEY"),
    ] {
        let problem = of(provider, None, None).unwrap_err();
        assert_eq!(problem.hint, Some(format!("put it into the environment as {variable}")));
        assert!(of(provider, Some("http://gateway/v1"), None).is_ok(), "a gateway may have the key");
        let broken = of(provider, None, Some("sk-secret\n")).unwrap_err();
        assert_eq!(broken.hint.as_deref(), Some("is there a line break in it?"));
        assert!(!format!("{broken:?}").contains("sk-secret"));
    }
    assert_eq!(of(Provider::Ollama, None, None), Ok(vec![]));
    assert_eq!(of(Provider::OpenAiCompatible, Some("http://h"), None), Ok(vec![]));
    let bearer = Ok(vec!["authorization: Bearer k".to_owned()]);
    assert_eq!(of(Provider::OpenAiCompatible, Some("http://h"), Some("k")), bearer);
}
