//! Who may take a slot, and who plays them.
//!
//! Agents come from `enact.toml`; without any there are six. Those are played by their providers' models
//! where a key is set, and otherwise by the default model, which lists do not hide.

use std::sync::LazyLock;

use enact_drama::{
    Problem,
    chorus::{Agent, AgentId, MOST_SLOTS},
};
use enact_models::Provider;
use serde::{Deserialize, Deserializer, de::Error as _};

use crate::{
    config::{AgentEntry, Config, IMPROVISER, ModelEntry, Reference},
    models::key,
};

/// An agent that may take a slot, and the model that plays it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AgentCasting {
    pub(super) agent: Agent,
    /// Who answers for them: a model's name.
    pub(super) model: String,
    /// For lists: that another model plays it than its name suggests. No part of the description, which
    /// models are told: it says who they are to be, and not what is missing here.
    played: Option<String>,
}

impl AgentCasting {
    /// As lists show it.
    pub(super) fn listed(&self) -> Agent {
        let told = [Some(self.agent.description.clone()), self.played.clone()].into_iter().flatten();
        let told: Vec<String> = told.filter(|part| !part.is_empty()).collect();
        Agent { description: told.join(" "), ..self.agent.clone() }
    }
}

/// The agents that are there without configuration.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DefaultAgents {
    colors: Vec<String>,
    agents: Vec<DefaultAgent>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DefaultAgent {
    id: AgentId,
    name: String,
    #[serde(deserialize_with = "provider")]
    provider: Provider,
    model: String,
    description: String,
    color: String,
}

fn provider<'de, D: Deserializer<'de>>(name: D) -> Result<Provider, D::Error> {
    let name = String::deserialize(name)?;
    Provider::named(&name).ok_or_else(|| D::Error::custom(format!("there is no provider '{name}'")))
}

static DEFAULTS: LazyLock<DefaultAgents> = LazyLock::new(|| {
    toml::from_str(include_str!("default_agents.toml")).expect("default_agents.toml can be read")
});

/// All agents that may take a slot, in the order in which they are listed. `environment` is asked which keys
/// are set.
pub(super) fn agents(config: &Config, environment: &dyn Fn(&str) -> Option<String>) -> Vec<AgentCasting> {
    if config.chorus.agents.is_empty() {
        return DEFAULTS.agents.iter().map(|usual| usual.cast(config, environment)).collect();
    }
    let entries = config.chorus.agents.iter().enumerate();
    entries.map(|(place, entry)| configured(config, entry, place, environment)).collect()
}

/// The keys of this process.
pub(super) fn environment(variable: &str) -> Option<String> {
    std::env::var(variable).ok()
}

impl DefaultAgent {
    fn named(id: &AgentId) -> Option<&'static DefaultAgent> {
        DEFAULTS.agents.iter().find(|usual| usual.id == *id)
    }

    fn cast(&self, config: &Config, environment: &dyn Fn(&str) -> Option<String>) -> AgentCasting {
        let (model, played) = match self.missing_key(environment) {
            None => {
                (self.reference(), self.successor().map(|model| format!("Played by {model}, its successor.")))
            }
            Some(variable) => {
                let stand_in = config.default_model();
                (stand_in.to_owned(), Some(format!("Played by {}: {variable} is not set.", who(stand_in))))
            }
        };
        let agent = Agent {
            id: self.id.clone(),
            name: self.name.clone(),
            provider: self.provider.title().to_owned(),
            description: self.description.clone(),
            color: self.color.clone(),
        };
        AgentCasting { agent, model, played }
    }

    /// The model that plays it, where its own is no longer offered. Ids stay, since requests name them.
    fn successor(&self) -> Option<&str> {
        (!self.model.starts_with(self.id.as_str())).then_some(self.model.as_str())
    }

    fn reference(&self) -> String {
        format!("{}:{}", self.provider.as_str(), self.model)
    }

    fn missing_key(&self, environment: &dyn Fn(&str) -> Option<String>) -> Option<&'static str> {
        self.provider.key_variable().filter(|variable| key(variable, environment).is_none())
    }
}

/// An agent of the file. What it does not say is taken from the default agent of that id, from its model, or
/// from its place.
fn configured(
    config: &Config,
    entry: &AgentEntry,
    place: usize,
    environment: &dyn Fn(&str) -> Option<String>,
) -> AgentCasting {
    let usual = DefaultAgent::named(&entry.id);
    let model = match (&entry.model, usual) {
        (Some(model), _) => model.clone(),
        (None, _) if config.get(entry.id.as_str()).is_some() => entry.id.to_string(),
        (None, Some(usual)) if usual.missing_key(environment).is_none() => usual.reference(),
        (None, _) => config.default_model().to_owned(),
    };
    let of_model = config.refer(&model).ok();
    let provider = match (&entry.provider, usual, &of_model) {
        (Some(provider), ..) => provider.clone(),
        (None, Some(usual), _) => usual.provider.title().to_owned(),
        (None, None, Some(Reference::Language(entry))) => entry.settings.provider.title().to_owned(),
        (None, None, _) => "enact".to_owned(),
    };
    let described = entry.description.clone().or_else(|| usual.map(|usual| usual.description.clone()));
    // An agent whose own model has no key is played by another one, and lists say so.
    let own_key = usual.and_then(|usual| usual.missing_key(environment));
    let played = match (&of_model, own_key) {
        (Some(Reference::Language(asked)), _) if let Some(variable) = unset(config, asked, environment) => {
            Some(format!("Cannot answer: {variable} is not set."))
        }
        (_, Some(variable)) if entry.model.is_none() && model != entry.id.as_str() => {
            Some(format!("Played by {}: {variable} is not set.", who(&model)))
        }
        (Some(Reference::Language(_)), _) if described.is_some() => None,
        _ => Some(format!("Played by {}.", who(&model))),
    };
    let agent = Agent {
        id: entry.id.clone(),
        name: entry
            .name
            .clone()
            .unwrap_or_else(|| usual.map_or_else(|| entry.id.to_string(), |usual| usual.name.clone())),
        provider,
        description: described.unwrap_or_default(),
        color: entry.color.clone().unwrap_or_else(|| {
            usual.map_or(&DEFAULTS.colors[place % DEFAULTS.colors.len()], |usual| &usual.color).clone()
        }),
    };
    AgentCasting { agent, model, played }
}

/// The variable that should hold a model's key, and does not.
fn unset<'a>(
    config: &Config,
    entry: &'a ModelEntry,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Option<&'a str> {
    let variable = config.key_variable(entry).ok().flatten()?;
    (!entry.key_optional && key(variable, environment).is_none()).then_some(variable)
}

fn who(model: &str) -> String {
    match model {
        IMPROVISER => "the built-in improviser".to_owned(),
        model => format!("the model '{model}'"),
    }
}

/// Who takes which slot, where requests do not say so: these agents from the first slot on, or else as many
/// as are wanted in the order of the list, and round again.
pub(super) fn seats(
    castings: &[AgentCasting],
    chosen: &[String],
    slots: Option<u8>,
) -> Result<Vec<(u8, String)>, Problem> {
    if chosen.len() > usize::from(MOST_SLOTS) {
        return Err(Problem::config(format!("--agents: a chorus has at most {MOST_SLOTS} slots")));
    }
    let ids = castings.iter().map(|casting| casting.agent.id.to_string());
    let seated: Vec<String> = if chosen.is_empty() {
        let all = castings.len().min(usize::from(MOST_SLOTS));
        let wanted = slots.map_or(all, usize::from);
        ids.collect::<Vec<_>>().into_iter().cycle().take(wanted).collect()
    } else {
        chosen.to_vec()
    };
    Ok((1..).zip(seated).collect())
}

#[cfg(test)]
mod tests;
