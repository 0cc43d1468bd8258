//! How a mind begins.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::observation_bounds::bound_names;
use crate::{
    Problem, RunId,
    budget::{self, Budget},
    report::Cards,
    text::shortened,
};

/// How many traits, memories and dimensions a game may give, and how long each may be: they stand in every
/// prompt.
const MOST: usize = 64;
const LONGEST_CHARS: usize = 2_000;

/// What a log begins with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MindSetup {
    pub run: RunId,
    /// What the game calls it.
    pub mind_id: String,
    /// The body that it drives.
    pub entity_id: String,
    pub config: MindConfig,
    /// The language model that decides, by its name in `models`; rules, if nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: Cards,
    /// After so many questions to a model rules decide: a bound for what a forgotten game can cost.
    pub most_calls: u32,
    /// What it may use. Once that is gone, rules decide.
    #[serde(default, skip_serializing_if = "Budget::is_open")]
    pub budget: Budget,
    pub seed: u64,
}

impl MindSetup {
    /// Checks that its budget can be kept: one in money needs the price of everything that may be asked.
    pub fn check_budget(&self) -> Result<(), Problem> {
        budget::check_prices(&self.budget, &self.model, &self.models)
    }
}

/// What a game says of somebody.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MindConfig {
    pub traits: Vec<String>,
    /// What it has in mind at first: an object, or a text under `situation_assessment`.
    pub working_memory: Map<String, Value>,
    pub memories: Vec<String>,
    /// By name, in percent.
    pub dimensions: BTreeMap<String, u8>,
}

impl MindConfig {
    /// What is taken for granted of somebody of whom nothing was said: what the game that exists says of all.
    pub fn unknown() -> MindConfig {
        let traits = ["curious", "active"].map(str::to_owned).to_vec();
        MindConfig { traits, ..MindConfig::default() }.with_working_memory("I am a new NPC in this world.")
    }

    pub fn with_working_memory(mut self, text: &str) -> MindConfig {
        self.working_memory.insert("situation_assessment".to_owned(), text.into());
        self
    }

    /// The same within its bounds.
    pub fn bounded(mut self) -> MindConfig {
        for list in [&mut self.traits, &mut self.memories] {
            list.truncate(MOST);
            list.iter_mut().for_each(|text| *text = shortened(text, LONGEST_CHARS).into_owned());
        }
        let text = Value::Object(self.working_memory.clone()).to_string();
        if text.len() > 4 * LONGEST_CHARS {
            self.working_memory.clear();
        }
        self.dimensions = bound_names(self.dimensions, MOST);
        self
    }
}
