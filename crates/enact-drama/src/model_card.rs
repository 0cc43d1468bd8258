//! What a model says about itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{call::Purpose, usage::Price};

/// What a model says about itself. Never a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ModelCard {
    /// What it is, for people: "improviser (built-in rules in English, not a language model)".
    pub description: String,
    pub context: Context,
    /// `None` if unknown: then costs are unknown too, never zero.
    #[cfg_attr(feature = "schema", schema(required))]
    pub price: Option<Price>,
    /// Whose it is ("anthropic") and what it is called there; nothing for built-in players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What stands beside the name of every speaker it answers for, where it is not what the name suggests:
    /// `improviser`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(example = "improviser"))]
    pub label: Option<String>,
    /// The longest answer it may give, where the operator says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// How long its threads may grow before they are trimmed, where the operator says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_tokens: Option<u32>,
    /// How many tokens its program adds to each request, of its own accord.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_tokens: Option<u32>,
    /// What else the operator has set for it, by the key in `enact.toml`: `temperature`, `top_p`, `seed`.
    /// Secrets are named, never told.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = Object))]
    pub parameters: BTreeMap<String, Value>,
    /// The models that answer instead where it has failed for good, in the order in which they are asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallback: Vec<String>,
    /// Whether it is no model but a person, who is asked by the rules and answers with a command.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub human: bool,
    /// The hidden calls that it answers although it is no language model: those that a recording holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub hidden_calls: Vec<Purpose>,
}

impl ModelCard {
    /// A model that remembers its thread and costs nothing.
    pub fn free(description: impl Into<String>) -> ModelCard {
        ModelCard {
            description: description.into(),
            context: Context::Thread,
            price: Some(Price::FREE),
            provider: None,
            model: None,
            label: None,
            max_tokens: None,
            thread_tokens: None,
            own_tokens: None,
            parameters: BTreeMap::new(),
            fallback: Vec::new(),
            human: false,
            hidden_calls: Vec::new(),
        }
    }

    /// Whether it can be asked for this beside its parts: a language model for anything, a recording for what was
    /// asked then, other built-in players and people for nothing.
    pub fn can_be_asked_for(&self, purpose: &Purpose) -> bool {
        self.provider.is_some() || self.hidden_calls.contains(purpose)
    }

    /// A person: no tokens, no cost.
    pub fn human() -> ModelCard {
        ModelCard { human: true, ..ModelCard::free("human (a person, who answers with commands)") }
    }

    /// A player that reads neither thread nor transcript, and costs nothing: the shorter context is enough.
    pub fn free_without_memory(description: impl Into<String>) -> ModelCard {
        ModelCard { context: Context::Window, ..ModelCard::free(description) }
    }
}

/// How much a model is told each beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Context {
    /// A growing conversation: each update holds only what is new.
    Thread,
    /// No memory of its own: each update holds the last lines.
    Window,
}
