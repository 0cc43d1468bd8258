//! What the providers offer, each asked for its own list.

use std::collections::BTreeSet;

use enact_drama::Problem;
use enact_models::{OfferedModel, Provider, Settings, offered};
use serde::Serialize;
use tokio::task::JoinSet;

use super::listing::PerMillion;
use crate::{
    config::{Config, ModelEntry, Reference},
    models::{ModelFactory, key},
};

/// What one provider offers, or why that is not known.
#[derive(Debug, Serialize)]
pub(super) struct ProviderOffer {
    pub(super) provider: &'static str,
    /// Where it is, if not at its usual address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) address: Option<String>,
    pub(super) models: Vec<ListedOffer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct ListedOffer {
    pub(super) model: String,
    /// USD for a million tokens.
    pub(super) price: Option<PerMillion>,
}

/// Asks all providers at once: those of the configuration, and those whose key is in the environment.
pub(super) async fn list(
    config: &Config,
    models: &ModelFactory<'_>,
    environment: impl Fn(&str) -> Option<String>,
) -> Vec<ProviderOffer> {
    let mut lists = JoinSet::new();
    for (place, entry) in providers(config, &environment).into_iter().enumerate() {
        let settings = models.settings(&entry, "is to be listed");
        lists.spawn(async move {
            let listed = match settings {
                Ok(settings) => offered(&settings).await,
                Err(problem) => Err(problem),
            };
            (place, entry, listed)
        });
    }
    let mut lists = lists.join_all().await;
    lists.sort_by_key(|(place, ..)| *place);
    lists.into_iter().map(|(_, entry, listed)| ProviderOffer::of(config, entry, listed)).collect()
}

impl ProviderOffer {
    fn of(config: &Config, entry: ModelEntry, listed: Result<Vec<OfferedModel>, Problem>) -> ProviderOffer {
        let Settings { provider, base_url, cache, .. } = entry.settings;
        let price = |model: &str, told| config.prices.price(provider, model, cache).or(told);
        let (models, error) = match listed {
            Ok(offered) => (offered, None),
            Err(problem) => (Vec::new(), Some(problem.message)),
        };
        let listed = models.into_iter().map(|offer| ListedOffer {
            price: price(&offer.model, offer.price).map(PerMillion::of),
            model: offer.model,
        });
        ProviderOffer { provider: provider.as_str(), address: base_url, models: listed.collect(), error }
    }
}

/// One entry for each provider, address and key.
fn providers(config: &Config, environment: &impl Fn(&str) -> Option<String>) -> Vec<ModelEntry> {
    let has_key = |provider: &Provider| {
        provider.key_variable().is_some_and(|variable| key(variable, environment).is_some())
    };
    let known = Provider::all().filter(has_key);
    // Which of its models does not matter.
    let known = known.filter_map(|provider| match config.refer(&format!("{}:any", provider.as_str())) {
        Ok(Reference::Language(entry)) => Some(*entry),
        _ => None,
    });
    let mut met = BTreeSet::new();
    let all = config.models.iter().cloned().chain(known);
    all.filter(|entry| entry.settings.provider != Provider::ClaudeCode)
        .filter(|entry| {
            let Settings { provider, base_url, .. } = &entry.settings;
            met.insert((*provider, base_url.clone(), entry.key_variable.clone()))
        })
        .collect()
}
