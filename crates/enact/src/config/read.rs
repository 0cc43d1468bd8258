//! What `enact.toml` says.

use std::path::Path;

use enact_drama::{
    Problem,
    located::{Group, Key, Located, read_toml},
};

use super::{Chorus, Config, Reference, VoiceEntry, model, reference::RESERVED, voice};

const KEYS: [&str; 9] =
    ["default", "judge", "events", "models", "chorus", "voices", "telemetry", "serve", "tokens"];

/// Words people try that are no misspelling of the key they mean.
const SYNONYMS: [(&str, &str); 8] = [
    ("agents", "chorus"),
    ("voice", "voices"),
    ("default_model", "default"),
    ("model", "models"),
    ("otlp", "telemetry"),
    ("event_writer", "events"),
    ("server", "serve"),
    ("token", "tokens"),
];

const TELEMETRY_KEYS: [&str; 1] = ["otlp"];

pub(super) fn read(file: &Path, text: &str) -> Result<Config, Problem> {
    let mut config = Config { file: Some(file.to_owned()), ..Config::default() };
    // Whether these are names of models can only be said once all models are known.
    let (mut default, mut judge, mut events) = (None, None, None);
    for (key, value) in read_toml(text)?.group("the file")?.0 {
        match key.text.as_str() {
            "default" => default = Some(value),
            "judge" => judge = Some(value),
            "events" => events = Some(value),
            "models" => {
                let models = value.group("models")?.0.into_iter();
                config.models = models.map(read_model).collect::<Result<_, _>>()?;
            }
            "chorus" => config.chorus = Chorus::read(value.group("chorus")?)?,
            "voices" => {
                let voices = value.group("voices")?.0.into_iter();
                config.voices = voices.map(read_voice).collect::<Result<_, _>>()?;
            }
            "serve" => config.serve.read(value.group("serve")?)?,
            "tokens" => config.serve.read_tokens(value.group("tokens")?)?,
            "telemetry" => config.otlp = read_telemetry(value.group("telemetry")?)?,
            _ => return Err(key.unknown(&KEYS, &SYNONYMS)),
        }
    }
    config.default = default.map(|value| read_name(value, "default", &config)).transpose()?;
    config.judge = judge.map(|value| read_adviser(value, "judge", &config)).transpose()?;
    config.events = events.map(|value| read_adviser(value, "events", &config)).transpose()?;
    config.chorus.check(&config)?;
    Ok(config)
}

fn read_voice((key, value): (Key, Located)) -> Result<VoiceEntry, Problem> {
    let what = format!("voices.{}", key.text);
    voice::read(key, value.group(&what)?)
}

fn read_model((key, value): (Key, Located)) -> Result<super::Entry, Problem> {
    check_name(&key)?;
    let what = format!("models.{}", key.text);
    model::read(key, value.group(&what)?)
}

fn check_name(key: &Key) -> Result<(), Problem> {
    let name = &key.text;
    let at = |problem: Problem| problem.at(key.place.line, key.place.column);
    if !model::is_plain_name(name) {
        return Err(at(Problem::config(format!("a model cannot be called '{}'", model::quoted(name)))
            .hint(model::PLAIN_NAMES)));
    }
    if RESERVED.contains(&name.as_str()) {
        return Err(at(Problem::config(format!("a model cannot be called '{name}'"))
            .hint("that name means something already; choose another one")));
    }
    Ok(())
}

/// The name of a model that is configured or can be made up from its name alone.
fn read_name(value: Located, key: &str, config: &Config) -> Result<String, Problem> {
    let place = value.place;
    let at = |problem: Problem| problem.at(place.line, place.column);
    let name = value.text(key)?.unwrap_or_default();
    match config.refer(&name).map_err(|problem| at(blamed(key, problem)))? {
        Reference::Script(_) | Reference::Recorded(_) => {
            Err(at(Problem::config(format!("{key} cannot be a script or a recording"))
                .hint("give those on the command line, for one run: --model")))
        }
        _ => Ok(name),
    }
}

fn read_adviser(value: Located, key: &str, config: &Config) -> Result<String, Problem> {
    let place = value.place;
    let name = read_name(value, key, config)?;
    check_adviser(key, &name).map_err(|problem| problem.at(place.line, place.column))?;
    Ok(name)
}

/// Only language models give advice.
pub(crate) fn check_adviser(key: &str, name: &str) -> Result<(), Problem> {
    if name == super::IMPROVISER {
        return Err(Problem::config(format!("{key} must be a language model, found the improviser"))
            .hint("without one the rules do it"));
    }
    Ok(())
}

/// Says what a complaint is about.
pub(super) fn blamed(key: &str, problem: Problem) -> Problem {
    Problem { message: format!("{key}: {}", problem.message), ..problem }
}

fn read_telemetry(group: Group) -> Result<Option<String>, Problem> {
    let mut otlp = None;
    for (key, value) in group.0 {
        match key.text.as_str() {
            "otlp" => otlp = model::read_url(value, "otlp", "http://127.0.0.1:4318")?,
            _ => return Err(key.unknown(&TELEMETRY_KEYS, &[("endpoint", "otlp"), ("url", "otlp")])),
        }
    }
    Ok(otlp)
}
