//! Everyone who can play, as far as the configuration alone can tell.

use enact_drama::{model_card::Context, usage::Price};
use enact_models::{card, prices};
use serde::Serialize;

use super::remote::ProviderOffer;
use crate::{
    config::{Config, HUMAN, IMPROVISER, ModelEntry, Reference},
    local_servers::LocalHint,
    models::key,
};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ModelListing {
    /// The file all this was read from.
    pub(super) config: Option<String>,
    pub(super) otlp: Option<String>,
    /// Why traces are not sent where the file says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) otlp_unused: Option<String>,
    /// When the published prices were looked up.
    prices_of: &'static str,
    /// The same for those of the project, where it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) project_prices_of: Option<String>,
    pub(super) models: Vec<Listed>,
    /// Servers on this machine that could play.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) local: Vec<LocalHint>,
    /// What the providers offer, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) remote: Vec<ProviderOffer>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) provider: &'static str,
    pub(super) model: String,
    pub(super) built_in: bool,
    pub(super) context: Context,
    /// USD for a million tokens.
    pub(super) price: Option<PerMillion>,
    pub(super) key: Option<KeySource>,
    pub(super) used_as: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) check: Option<CheckedModel>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PerMillion {
    pub(super) input: f64,
    pub(super) output: f64,
    pub(super) cache_read: f64,
    pub(super) cache_write: f64,
}

/// Where a key comes from; never the key.
#[derive(Debug, Serialize)]
pub(super) struct KeySource {
    pub(super) variable: String,
    /// The model can be asked without it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) optional: bool,
    pub(super) set: bool,
}

/// What came of a call.
#[derive(Debug, Default, Serialize)]
pub(super) struct CheckedModel {
    pub(super) ok: bool,
    pub(super) ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) usd: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<String>,
}

/// The players that need no configuration, and what they are.
const BUILT_IN: [(&str, &str); 4] = [
    (IMPROVISER, "rules, in English"),
    (HUMAN, "a person, in scenes"),
    ("script:FILE", "answers from a file"),
    ("recorded:RUN", "answers of an earlier run"),
];

impl ModelListing {
    pub(super) fn of(config: &Config, environment: impl Fn(&str) -> Option<String>) -> ModelListing {
        let built_in = BUILT_IN.map(|(name, what)| Listed {
            name: name.to_owned(),
            provider: "built-in",
            model: what.to_owned(),
            built_in: true,
            context: if name == HUMAN { Context::Thread } else { Context::Window },
            price: Some(PerMillion::of(Price::FREE)),
            key: None,
            used_as: used_as(name, config),
            check: None,
        });
        let configured = config.models.iter().cloned().chain(named_on_the_spot(config));
        let models = configured.map(|entry| Listed::of(entry, config, &environment));
        let (otlp, otlp_unused) = match config.collector() {
            Ok(address) => (address.map(str::to_owned), None),
            Err(why) => (None, Some(why)),
        };
        ModelListing {
            config: config.file.as_ref().map(|file| file.display().to_string()),
            otlp,
            otlp_unused,
            prices_of: prices::date(),
            project_prices_of: config.price_date(),
            models: built_in.into_iter().chain(models).collect(),
            local: Vec::new(),
            remote: Vec::new(),
        }
    }
}

impl Listed {
    fn of(entry: ModelEntry, config: &Config, environment: &impl Fn(&str) -> Option<String>) -> Listed {
        let ModelEntry { name, settings, key_variable, key_optional, .. } = entry;
        let price = card(&settings).price;
        let used_as = used_as(&name, config);
        let source = |variable: &String| KeySource {
            variable: variable.clone(),
            optional: key_optional,
            set: key(variable, environment).is_some(),
        };
        Listed {
            name,
            provider: settings.provider.as_str(),
            model: settings.model,
            built_in: false,
            context: settings.context,
            price: price.map(PerMillion::of),
            key: key_variable.as_ref().map(source),
            used_as,
            check: None,
        }
    }
}

impl PerMillion {
    pub(super) fn of(price: Price) -> PerMillion {
        let usd = |nano_per_token: u64| nano_per_token as f64 / 1_000.0;
        PerMillion {
            input: usd(price.uncached),
            output: usd(price.output),
            cache_read: usd(price.cache_read),
            cache_write: usd(price.cache_write),
        }
    }

    pub(super) fn is_free(&self) -> bool {
        [self.input, self.output, self.cache_read, self.cache_write].iter().all(|price| *price == 0.0)
    }
}

/// Models that the configuration uses without giving them a name of their own.
fn named_on_the_spot(config: &Config) -> Vec<ModelEntry> {
    let mut entries: Vec<ModelEntry> = Vec::new();
    let fallbacks = config.models.iter().flat_map(|entry| &entry.settings.fallback);
    for name in [&config.default, &config.judge, &config.events].into_iter().flatten().chain(fallbacks) {
        if config.get(name).is_none()
            && entries.iter().all(|entry| entry.name != *name)
            && let Ok(Reference::Language(entry)) = config.refer(name)
        {
            entries.push(*entry);
        }
    }
    entries
}

fn used_as(name: &str, config: &Config) -> Vec<&'static str> {
    let default = config.default_model();
    let uses = [
        ("default", Some(default)),
        ("judge", config.judge.as_deref()),
        ("events", config.events.as_deref()),
    ];
    let stands_in =
        config.models.iter().any(|entry| entry.settings.fallback.iter().any(|other| other == name));
    let uses = uses.into_iter().filter(|(_, model)| *model == Some(name)).map(|(used_as, _)| used_as);
    uses.chain(stands_in.then_some("fallback")).collect()
}
