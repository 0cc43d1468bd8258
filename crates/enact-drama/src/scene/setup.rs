//! Everything a scene needs to be played, resolved: the first fact of its log.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::SceneConfig;
use crate::{Name, RunId, usage::Price};

/// A scene ready to be played. It holds all that was read from outside, so that a log needs nothing beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Setup {
    pub run: RunId,
    pub name: Name,
    /// As the author gave it.
    pub config: SceneConfig,
    pub cast: Vec<Role>,
    pub opener: Option<Name>,
    /// From `goals:`, else from a "Scene goal:" part, else from the prompt's sentences.
    pub goals: Vec<String>,
    pub max_beats: u32,
    pub reply_timeout_ms: u64,
    /// How many lines a model without a thread is shown.
    pub window: usize,
    pub seed: u64,
    /// The models that play, by the names the roles use.
    pub models: BTreeMap<String, ModelCard>,
}

/// A character as cast in this scene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Role {
    pub name: Name,
    pub display: String,
    /// The sheet, verbatim.
    pub sheet: String,
    /// Which of the run's models plays it.
    pub model: String,
}

/// What a model says about itself. Never a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelCard {
    /// What it is, for people: "improviser (built-in rules, not a language model)".
    pub description: String,
    pub context: Context,
    /// Unknown when nobody said: then costs are unknown too, never zero.
    pub price: Option<Price>,
}

/// How much a model is told each beat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Context {
    /// A growing conversation: each update holds only what is new.
    Thread,
    /// No memory of its own: each update holds the last lines.
    Window,
}
