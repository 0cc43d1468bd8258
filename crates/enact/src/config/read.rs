//! What `enact.toml` says.

use std::{collections::BTreeMap, path::Path};

use enact_drama::Problem;
use serde::Deserialize;

use super::{
    ChorusConfig, Config, NONE, Reference, ServeConfig,
    fields::{OneOrMore, StrictTable, fields, url, url_or_variable},
    model::ModelKeys,
    serve::TokenKeys,
    source::TomlSource,
    voice::VoiceKeys,
};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FileKeys {
    default: Option<String>,
    judge: Option<String>,
    events: Option<String>,
    #[serde(deserialize_with = "proxy")]
    proxy: Option<String>,
    no_proxy: Option<OneOrMore>,
    models: BTreeMap<String, StrictTable<ModelKeys>>,
    chorus: Option<StrictTable<ChorusConfig>>,
    voices: BTreeMap<String, StrictTable<VoiceKeys>>,
    telemetry: Option<StrictTable<TelemetryKeys>>,
    serve: Option<StrictTable<ServeConfig>>,
    tokens: BTreeMap<String, StrictTable<TokenKeys>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TelemetryKeys {
    #[serde(default, deserialize_with = "otlp")]
    otlp: Option<String>,
}

fields! {
    proxy -> Option<String> = url_or_variable("http://127.0.0.1:3128");
    otlp -> Option<String> = url("http://127.0.0.1:4318");
}

pub(super) fn read(file: &Path, text: &str) -> Result<Config, Problem> {
    let source = TomlSource::parse(text)?;
    let keys: FileKeys = source.read()?;
    let mut config = Config {
        file: Some(file.to_owned()),
        text: text.to_owned(),
        models: source.entries("models", keys.models, ModelKeys::check)?,
        voices: source.entries("voices", keys.voices, VoiceKeys::check)?,
        chorus: keys.chorus.map(|StrictTable(chorus)| chorus).unwrap_or_default(),
        proxy: keys.proxy,
        no_proxy: keys.no_proxy.map(|OneOrMore(hosts)| hosts).unwrap_or_default(),
        otlp: keys.telemetry.and_then(|StrictTable(telemetry)| telemetry.otlp),
        serve: keys.serve.map(|StrictTable(serve)| serve).unwrap_or_default(),
        ..Config::default()
    };
    config.serve.complete(source.entries("tokens", keys.tokens, TokenKeys::check)?, &source);
    // Whether these are names of models can only be said once all models are known.
    let named = |key: &str, name: Option<String>, check: fn(&str, &str) -> Result<(), Problem>| {
        let checked = |name: String| match name.as_str() {
            NONE if key != "default" => Ok(name),
            _ => config.check_model(key, &name).and_then(|()| check(key, &name)).map(|()| name),
        };
        name.map(checked).transpose().map_err(|problem| source.at(&[key], problem))
    };
    let default = named("default", keys.default, |_, _| Ok(()))?;
    let judge = named("judge", keys.judge, check_adviser)?;
    let events = named("events", keys.events, check_adviser)?;
    config.chorus.check(&config, &source)?;
    Config { default, judge, events, ..config }.resolve_fallbacks(&source)
}

impl Config {
    /// Whether a name is that of a model that is configured or can be made up from its name alone.
    pub(super) fn check_model(&self, key: &str, name: &str) -> Result<(), Problem> {
        match self.refer(name).map_err(|problem| problem.about(key))? {
            Reference::Script(_) | Reference::Recorded(_) | Reference::Demo(_) => {
                Err(Problem::config(format!("{key} cannot be a script or a recording"))
                    .hint("give those on the command line, for one run: --model"))
            }
            Reference::Improviser | Reference::Human | Reference::Language(_) => Ok(()),
        }
    }
}

/// Only language models give advice.
pub(crate) fn check_adviser(key: &str, name: &str) -> Result<(), Problem> {
    if name == super::IMPROVISER {
        return Err(Problem::config(format!("{key} must be a language model, found the improviser"))
            .hint("without one the rules do it"));
    }
    if name == super::HUMAN {
        return Err(Problem::config(format!("{key} must be a language model, found a person ('human')"))
            .hint("people play characters: --model CHARACTER=human"));
    }
    Ok(())
}
