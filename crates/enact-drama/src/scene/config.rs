//! What an author may say about a scene.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Place;

/// As the requirements have it.
pub const DEFAULT_MAX_BEATS: u32 = 50;
pub const DEFAULT_REPLY_TIMEOUT_MS: u64 = 30_000;
/// Long enough to read a page and to type an answer.
pub const DEFAULT_HUMAN_TIMEOUT_MS: u64 = 120_000;
pub const DEFAULT_WINDOW: usize = 10;
pub const MIN_CAST: usize = 2;
pub const MAX_CAST: usize = 12;

/// A scene as its author describes it: the requirements' `SceneConfig` with the optional keys that grew
/// around it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SceneConfig {
    /// What the scene is called: letters, digits, `-` and `_`.
    #[cfg_attr(
        feature = "schema",
        schema(required, example = "the-apology", pattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")
    )]
    pub name: String,
    /// What people read above the scene; without one it is made of the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(example = "The Apology", max_length = 4096))]
    pub title: Option<String>,
    /// The situation, in the author's words: where everyone is, what has just happened, what is at stake.
    /// Every character is told it. A part that begins with `Scene goal:` says what should come of it.
    #[cfg_attr(
        feature = "schema",
        schema(
            required,
            min_length = 1,
            max_length = 262_144,
            example = "Alice and Bob meet at the office on Monday. Bob broke the release on Friday.\n\nScene goal: Bob apologizes and Alice accepts."
        )
    )]
    pub prompt: String,
    /// Who plays, by the names of their sheets: 2 to 12 characters.
    #[cfg_attr(feature = "schema", schema(required, example = json!(["alice", "bob"]), min_items = 2, max_items = 12))]
    pub characters: Vec<String>,
    /// Who opens the scene, alone. Without one, the first beat goes to all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(example = "bob", max_length = 64))]
    pub initial_speaker: Option<String>,
    /// After how many beats the scene is over at the latest: 1 to 1,000, 50 by default. A beat is one round,
    /// in which everyone may answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 1000, example = 12))]
    pub max_beats: Option<i64>,
    /// Where and when it takes place.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "schema",
        schema(example = "A meeting room, early in the morning", max_length = 4096)
    )]
    pub setting: Option<String>,
    /// What has to happen for the scene to have reached its goal, a sentence each; at most 12. Without them
    /// the goals are read from the prompt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(example = json!(["Bob apologizes", "Alice accepts the apology"]), max_items = 12))]
    pub goals: Vec<String>,
    /// What the author would like to happen: a text alone when the scene needs stirring, or a beat and a text
    /// for after that beat, whatever happens.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(example = json!(["The phone rings.", { "beat": 3, "text": "The fire alarm goes off." }]), max_items = 1000))]
    pub events: Vec<DeckEvent>,
    /// How long everyone has for an answer, in seconds: up to 3,600, 30 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(exclusive_minimum = 0, maximum = 3600, example = 30.0))]
    pub reply_timeout_seconds: Option<f64>,
    /// How long a person has for an answer (a character that the model `human` plays), in seconds: up to
    /// 2,592,000, which are thirty days, or `none` for as long as it takes. 120 by default. One who says
    /// nothing in time is silent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(inline, example = 300.0))]
    pub human_timeout_seconds: Option<HumanTimeout>,
    /// How many lines a model is shown that does not remember what it was told: 1 to 1,000, 10 by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 1000, example = 10))]
    pub window: Option<i64>,
    /// What chance is made of, random by default. The same seed gives the same scene as far as the models
    /// play along; the built-in improviser always does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(example = 7))]
    pub seed: Option<u64>,
    /// The language the characters speak, in words ("French").
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(example = "French", max_length = 4096))]
    pub language: Option<String>,
    /// Whether silences with a gesture show up in the transcript as stage directions.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schema(example = false))]
    pub stage_directions: bool,
    /// What becomes of an answer that does not follow the format: take the best reading (`salvage`, the
    /// default), ask once more (`retry`) or drop it (`ignore`).
    #[serde(skip_serializing_if = "OnMalformed::is_default")]
    #[cfg_attr(feature = "schema", schema(inline))]
    pub on_malformed: OnMalformed,
    /// Whether the characters bring along what they remember of earlier scenes, and keep for later ones what was
    /// said, how they felt and how they stand with each other.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", schema(example = false))]
    pub remember: bool,
    /// By which model a character is to be played, whatever its sheet says.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "schema", schema(value_type = BTreeMap<String, String>, example = json!({ "alice": "improviser" })))]
    pub models: BTreeMap<String, RequestedModel>,
    /// `none` where no model is to judge or to write events. By default the cheapest of the language models that play does both, or
    /// the one that the operator has chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(inline, example = "none"))]
    pub judge: Option<NoJudge>,
}

/// The rules judge alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum NoJudge {
    None,
}

/// How long a person has for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum HumanTimeout {
    Seconds(HumanSeconds),
    None(NoTimeout),
}

/// More than 0, and at most thirty days.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(exclusive_minimum = 0, maximum = 2_592_000))]
pub struct HumanSeconds(pub f64);

/// As long as it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum NoTimeout {
    None,
}

impl SceneConfig {
    /// How long a person has for an answer; nothing for as long as it takes.
    pub fn human_timeout_ms(&self) -> Option<u64> {
        match self.human_timeout_seconds {
            None => Some(DEFAULT_HUMAN_TIMEOUT_MS),
            Some(HumanTimeout::Seconds(HumanSeconds(seconds))) => Some((seconds * 1000.0).ceil() as u64),
            Some(HumanTimeout::None(NoTimeout::None)) => None,
        }
    }
}

/// The model that a character is to be played by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct RequestedModel {
    pub model: String,
    /// Where it was written, for the error if there is no such model.
    pub place: Option<Place>,
}

impl From<String> for RequestedModel {
    fn from(model: String) -> RequestedModel {
        RequestedModel { model, place: None }
    }
}

impl From<&str> for RequestedModel {
    fn from(model: &str) -> RequestedModel {
        RequestedModel::from(model.to_owned())
    }
}

impl From<RequestedModel> for String {
    fn from(requested: RequestedModel) -> String {
        requested.model
    }
}

/// Something the author would like to see happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum DeckEvent {
    /// When the scene stalls or loses its way.
    WhenNeeded(String),
    /// After this beat, whatever happens.
    AtBeat { beat: u32, text: String },
}

/// What to do with a reply that does not follow the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
