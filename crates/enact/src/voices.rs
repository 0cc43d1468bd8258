//! Voices, made from the names that configuration, command line and logs give them.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use enact_drama::{
    Problem,
    production::{Failure, FailureKind},
    voice::VoiceChain,
};
use enact_engine::{Unavailable, Voice};
use enact_voices::{CommandSettings, ElevenLabsSettings, OpenAiSettings, VoiceService, VoiceSettings};

use crate::{
    args::values::VoiceFlag,
    config::{Config, EMBEDDED, Remote, VoiceEntry, VoiceKind},
    models::key,
};

/// The voices that are to speak, or none. A flag comes before the configuration; without either the embedded
/// voice speaks.
pub(crate) fn wanted(config: &Config, flag: Option<&VoiceFlag>) -> Result<Option<VoiceChain>, Problem> {
    let names = match (flag, config.chorus.voice.clone()) {
        (Some(VoiceFlag::None), _) => return Ok(None),
        (Some(VoiceFlag::Names(names)), _) => {
            for name in names {
                config.voice(name).map_err(|problem| problem.about("--voice"))?;
            }
            names.clone()
        }
        (None, Some(configured)) => configured,
        // The flag alone asks for speech, so that a configured silence does not count.
        (Some(VoiceFlag::Default), Some(configured)) if !configured.is_empty() => configured,
        (Some(VoiceFlag::Default) | None, _) => vec![EMBEDDED.to_owned()],
    };
    Ok((!names.is_empty()).then_some(VoiceChain(names)))
}

/// Makes the voices of a chain for one run in a terminal: it is an error if none of them can speak.
pub(crate) fn voice(config: &Config, chain: &VoiceChain) -> Result<Arc<dyn Voice>, Problem> {
    let MadeChain { voice, absent, none_available } = VoiceCache::default().chain(config, chain)?;
    match absent.into_iter().next() {
        Some(first) if none_available => Err(first),
        _ => Ok(voice),
    }
}

/// The voices that were made, each once for its name: however many runs speak at once, a service is asked for
/// no more at a time than it may be.
#[derive(Debug, Default)]
pub(crate) struct VoiceCache(Mutex<CachedVoices>);

/// A chain of voices.
#[derive(Debug, Clone)]
pub(crate) struct MadeChain {
    pub(crate) voice: Arc<dyn Voice>,
    /// Why some of them cannot speak. They stand in the chain all the same, so that every recording says who
    /// was passed over.
    pub(crate) absent: Vec<Problem>,
    /// Whether none of them can.
    pub(crate) none_available: bool,
}

#[derive(Debug, Default)]
struct CachedVoices {
    voices: BTreeMap<String, (Arc<dyn Voice>, Option<Problem>)>,
    chains: BTreeMap<Vec<String>, MadeChain>,
}

impl VoiceCache {
    /// Makes the voices of a chain. A name that is not known and a program that this configuration may not
    /// run are errors. A voice that only cannot speak, because its key is missing, stays in the chain and
    /// fails.
    pub(crate) fn chain(&self, config: &Config, chain: &VoiceChain) -> Result<MadeChain, Problem> {
        // What a poisoned lock guards is still whole: nothing panics while it changes.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = kept.chains.get(&chain.0) {
            return Ok(made.clone());
        }
        let made = chain.0.iter().map(|name| kept.voice(config, name)).collect::<Result<Vec<_>, _>>()?;
        let (voices, problems): (Vec<_>, Vec<_>) = made.into_iter().unzip();
        let none_available = problems.iter().all(Option::is_some);
        let absent = problems.into_iter().flatten().collect();
        let made = MadeChain { voice: enact_voices::chain(voices), absent, none_available };
        kept.chains.insert(chain.0.clone(), made.clone());
        Ok(made)
    }
}

impl CachedVoices {
    /// The voice of this name, made if it was not, or its stand-in and the reason.
    fn voice(&mut self, config: &Config, name: &str) -> Result<(Arc<dyn Voice>, Option<Problem>), Problem> {
        if let Some(made) = self.voices.get(name) {
            return Ok(made.clone());
        }
        let entry = config.voice(name)?;
        let located = |problem| config.written_at(&["voices", &entry.name], problem);
        let connected = match service(config, &entry).map_err(located)? {
            Ok(service) => connect(&entry, service),
            Err(variable) => Err(Box::new(without_key(&entry.name, &variable))),
        };
        let made: (Arc<dyn Voice>, _) = match connected {
            Ok(voice) => (voice, None),
            Err(missing) => {
                let Missing { why, problem } = *missing;
                (Arc::new(Unavailable { of: entry.name.clone(), why }), Some(located(problem)))
            }
        };
        self.voices.insert(name.to_owned(), made.clone());
        Ok(made)
    }
}

/// Why a voice cannot speak: for the log of the run, and for the operator.
struct Missing {
    why: Failure,
    problem: Problem,
}

fn connect(entry: &VoiceEntry, service: VoiceService) -> Result<Arc<dyn Voice>, Box<Missing>> {
    let timeout_ms = entry.timeout.map(|timeout| timeout.as_millis() as u64);
    let settings = VoiceSettings { name: entry.name.clone(), service, at_once: entry.at_once, timeout_ms };
    enact_voices::connect(settings)
        .map_err(|problem| Box::new(Missing { why: Failure::new(problem.message.clone()), problem }))
}

fn without_key(name: &str, variable: &str) -> Missing {
    let problem = Problem::config(format!("the voice '{name}' needs a key: {variable} is not set"));
    let hint = format!(
        "put the key into the environment variable {variable}, or let another voice speak: --voice embedded"
    );
    let why = Failure { kind: FailureKind::Auth, ..Failure::new(format!("{variable} is not set")) };
    Missing { why, problem: problem.hint(hint) }
}

/// What stands behind a voice, or the variable that should hold its key and does not.
fn service(config: &Config, entry: &VoiceEntry) -> Result<Result<VoiceService, String>, Problem> {
    let environment = |name: &str| std::env::var(name).ok();
    let with_key = |remote: &Remote| -> Result<Result<_, String>, Problem> {
        let Some(variable) = config.voice_key_variable(entry)? else { return Ok(Ok(None)) };
        Ok(match key(variable, environment) {
            None if !remote.key_optional => Err(variable.to_owned()),
            key => Ok(key),
        })
    };
    Ok(match &entry.kind {
        VoiceKind::Embedded => Ok(VoiceService::Embedded),
        VoiceKind::ElevenLabs(remote) => with_key(remote)?.map(|key| {
            let Remote { base_url, model, voices, .. } = remote.clone();
            VoiceService::ElevenLabs(ElevenLabsSettings { key, base_url, model, voices })
        }),
        VoiceKind::OpenAi(remote) => with_key(remote)?.map(|key| {
            let Remote { base_url, model, voices, .. } = remote.clone();
            VoiceService::OpenAi(OpenAiSettings { key, base_url, model, voices })
        }),
        VoiceKind::Command(program) => {
            config.check_may_run(entry, program)?;
            Ok(VoiceService::Command(CommandSettings {
                program: config.program(program),
                args: program.args.clone(),
                private: config.secret_variables(),
            }))
        }
    })
}

#[cfg(test)]
mod tests;
