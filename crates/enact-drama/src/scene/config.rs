//! What an author may say about a scene.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Place;

/// As the requirements have it.
pub const DEFAULT_MAX_BEATS: u32 = 50;
pub const DEFAULT_REPLY_TIMEOUT_MS: u64 = 30_000;
pub const DEFAULT_WINDOW: usize = 10;
pub const MIN_CAST: usize = 2;
pub const MAX_CAST: usize = 12;

/// A scene as its author describes it: the requirements' `SceneConfig` with the optional keys that grew
/// around it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SceneConfig {
    pub name: String,
    pub prompt: String,
    pub characters: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_speaker: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_beats: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setting: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub goals: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<DeckEvent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_timeout_seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The language the characters speak, in words ("French").
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Whether silences with a gesture show up in the transcript as stage directions.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stage_directions: bool,
    #[serde(skip_serializing_if = "OnMalformed::is_default")]
    pub on_malformed: OnMalformed,
    /// By which model a character is to be played, whatever its sheet says.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, Wish>,
}

/// The model that a character is to be played by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Wish {
    pub model: String,
    /// Where it was written, for the error if there is no such model.
    pub place: Option<Place>,
}

impl From<String> for Wish {
    fn from(model: String) -> Wish {
        Wish { model, place: None }
    }
}

impl From<&str> for Wish {
    fn from(model: &str) -> Wish {
        Wish::from(model.to_owned())
    }
}

impl From<Wish> for String {
    fn from(wish: Wish) -> String {
        wish.model
    }
}

/// Something the author would like to see happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DeckEvent {
    /// When the scene stalls or loses its way.
    WhenNeeded(String),
    /// After this beat, whatever happens.
    AtBeat { beat: u32, text: String },
}

/// What to do with a reply that does not follow the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnMalformed {
    /// Take the best reading.
    #[default]
    Salvage,
    /// Ask once more.
    Retry,
    /// Drop it.
    Ignore,
}

impl OnMalformed {
    fn is_default(&self) -> bool {
        *self == OnMalformed::default()
    }
}
