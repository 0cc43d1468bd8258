//! How much a model thinks before it answers: what the operator says of it, and what families of models take.

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

use crate::{Provider, content::content, prices};

static FAMILIES: LazyLock<BTreeMap<String, BTreeMap<String, ModelFamily>>> =
    LazyLock::new(|| content!("families.toml"));

/// How much a model deliberates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    Minimal,
    Low,
    Medium,
    High,
    ExtraHigh,
    Max,
}

impl Effort {
    pub const ALL: [Effort; 6] =
        [Effort::Minimal, Effort::Low, Effort::Medium, Effort::High, Effort::ExtraHigh, Effort::Max];

    /// Its name in configuration, and for most providers.
    pub fn as_str(self) -> &'static str {
        match self {
            Effort::Minimal => "minimal",
            Effort::Low => "low",
            Effort::Medium => "medium",
            Effort::High => "high",
            Effort::ExtraHigh => "xhigh",
            Effort::Max => "max",
        }
    }
}

/// Whether a model thinks before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thinking {
    Off,
    /// As much as it sees fit.
    On,
    /// This many tokens at most.
    Budget(u32),
}

/// What the models of a family do and take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModelFamily {
    /// It thinks unless it is told not to, and what it thinks counts against the tokens allowed.
    pub(crate) thinks: bool,
    /// How it is told how much to deliberate, if it can be.
    pub(crate) dial: Option<EffortParameter>,
    /// It runs on servers of any kind, and not only on its maker's.
    #[serde(default)]
    pub(crate) open_weights: bool,
}

/// How a model is told how much to deliberate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EffortParameter {
    /// By a word, from low to max.
    Effort,
    /// By a word, from minimal to high.
    Level,
    /// By a number of tokens.
    Budget,
}

impl ModelFamily {
    /// The family of a model. Of servers that can be anything nothing is known.
    pub(crate) fn of(provider: Provider, model: &str) -> ModelFamily {
        let (provider, model) = match provider {
            // The command takes aliases, and without a name it plays a current model.
            Provider::ClaudeCode => {
                let current = prices::current_claude(if model.is_empty() { "sonnet" } else { model });
                (Provider::Anthropic, current.unwrap_or(model))
            }
            _ => (provider, model),
        };
        let fitting = FAMILIES.get(provider.as_str()).into_iter().flatten();
        let fitting = fitting.filter(|(beginning, _)| model.starts_with(beginning.as_str()));
        fitting.max_by_key(|(beginning, _)| beginning.len()).map(|(_, family)| *family).unwrap_or_default()
    }
}
