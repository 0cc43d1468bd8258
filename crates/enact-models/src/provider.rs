//! Who answers: the services and programs that a model can be asked of.

use std::{collections::BTreeMap, fmt, sync::LazyLock};

use enact_drama::model_card::Context;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::content::content;

/// The service or program that answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Provider {
    Anthropic,
    OpenAi,
    Gemini,
    Ollama,
    /// Any server that speaks OpenAI's chat completions, found by its base URL.
    OpenAiCompatible,
    /// The `claude` command line.
    ClaudeCode,
    /// A service that speaks OpenAI's chat completions too, and is known by a name of its own.
    Named(NamedProvider),
}

/// A row of `providers.toml`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NamedProvider(usize);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProviderRow {
    title: String,
    base_url: String,
    key_variable: Option<String>,
    example: String,
    #[serde(default)]
    body: Map<String, Value>,
    #[serde(default)]
    random_seed: bool,
    #[serde(default)]
    local: bool,
}

static ROWS: LazyLock<Vec<(String, ProviderRow)>> = LazyLock::new(|| {
    let rows: BTreeMap<String, ProviderRow> = content!("providers.toml");
    rows.into_iter().collect()
});

impl Provider {
    /// All there are: those with a format or a program of their own, then those with a name.
    pub fn all() -> impl Iterator<Item = Provider> {
        let own = [
            Provider::Anthropic,
            Provider::OpenAi,
            Provider::Gemini,
            Provider::Ollama,
            Provider::OpenAiCompatible,
            Provider::ClaudeCode,
        ];
        own.into_iter().chain((0..ROWS.len()).map(NamedProvider).map(Provider::Named))
    }

    /// The provider of this name.
    pub fn named(name: &str) -> Option<Provider> {
        Provider::all().find(|provider| provider.as_str() == name)
    }

    /// Its name in configuration, logs and telemetry.
    pub fn as_str(self) -> &'static str {
        match self {
            Provider::Anthropic => "anthropic",
            Provider::OpenAi => "openai",
            Provider::Gemini => "gemini",
            Provider::Ollama => "ollama",
            Provider::OpenAiCompatible => "openai-compatible",
            Provider::ClaudeCode => "claude-code",
            Provider::Named(named) => named.name(),
        }
    }

    /// What people call it.
    pub fn title(self) -> &'static str {
        match self {
            Provider::Anthropic => "Anthropic",
            Provider::OpenAi => "OpenAI",
            Provider::Gemini => "Google",
            Provider::Ollama => "Ollama",
            Provider::OpenAiCompatible => "OpenAI-compatible",
            Provider::ClaudeCode => "Claude Code",
            Provider::Named(named) => &named.row().title,
        }
    }

    /// Where its key is looked for, unless the operator names another variable.
    pub fn key_variable(self) -> Option<&'static str> {
        match self {
            Provider::Anthropic => Some("ANTHROPIC_API_KEY"),
            Provider::OpenAi => Some("OPENAI_API_KEY"),
            Provider::Gemini => Some("GEMINI_API_KEY"),
            Provider::Ollama | Provider::OpenAiCompatible | Provider::ClaudeCode => None,
            Provider::Named(named) => named.row().key_variable.as_deref(),
        }
    }

    /// Where it is, unless the operator says otherwise; nothing for one that can be anywhere.
    pub fn default_address(self) -> Option<&'static str> {
        match self {
            Provider::Anthropic => Some("https://api.anthropic.com/v1/"),
            Provider::OpenAi => Some("https://api.openai.com/v1/"),
            Provider::Gemini => Some("https://generativelanguage.googleapis.com/v1beta/"),
            Provider::Ollama => Some("http://localhost:11434/"),
            Provider::OpenAiCompatible | Provider::ClaudeCode => None,
            Provider::Named(named) => Some(&named.row().base_url),
        }
    }

    /// Whether it usually runs on the operator's own machine, where tokens cost nothing.
    pub fn is_local(self) -> bool {
        match self {
            Provider::Ollama => true,
            Provider::Named(named) => named.row().local,
            _ => false,
        }
    }

    /// The command line keeps no conversation of its own: each call is told all it needs.
    pub(crate) fn context(self) -> Context {
        match self {
            Provider::ClaudeCode => Context::Window,
            _ => Context::Thread,
        }
    }

    /// What every request to it says besides.
    pub(crate) fn extra_body(self) -> Option<&'static Map<String, Value>> {
        match self {
            Provider::Named(named) => Some(&named.row().body).filter(|body| !body.is_empty()),
            _ => None,
        }
    }

    /// Whether it takes a seed as `random_seed`.
    pub(crate) fn takes_random_seed(self) -> bool {
        matches!(self, Provider::Named(named) if named.row().random_seed)
    }
}

impl NamedProvider {
    /// One of its models, to show how it is written.
    pub fn example(self) -> &'static str {
        &self.row().example
    }

    fn name(self) -> &'static str {
        &ROWS[self.0].0
    }

    fn row(self) -> &'static ProviderRow {
        &ROWS[self.0].1
    }
}

impl fmt::Debug for NamedProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_one_providers() {
        let all: Vec<Provider> = Provider::all().collect();
        for provider in &all {
            assert_eq!(Provider::named(provider.as_str()), Some(*provider));
            assert!(!provider.title().is_empty());
        }
        assert_eq!(Provider::named("acme"), None);
        for (name, variable) in [
            ("openrouter", "OPENROUTER_API_KEY"),
            ("deepseek", "DEEPSEEK_API_KEY"),
            ("mistral", "MISTRAL_API_KEY"),
            ("groq", "GROQ_API_KEY"),
            ("xai", "XAI_API_KEY"),
        ] {
            let provider = Provider::named(name).expect(name);
            assert_eq!(provider.key_variable(), Some(variable));
            assert!(!provider.is_local());
        }
    }

    /// A key goes to these addresses without a further question.
    #[test]
    fn addresses_of_services_are_encrypted_and_whole() {
        for provider in Provider::all() {
            let Some(address) = provider.default_address() else { continue };
            assert!(address.ends_with('/'), "{address}");
            assert!(address.starts_with("https://") || provider.is_local(), "{address}");
        }
    }
}
