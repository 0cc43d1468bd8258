//! What a node plays with: the models and voices of `enact.toml`, and the folder of audio files.
//!
//! Requests may use less than the command line: only models that the operator has named, and no file or
//! address. What else a request may ask for is decided by the production.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use async_trait::async_trait;
use enact_drama::{Problem, production::Player, voice::VoiceChain};
use enact_engine::{Artifacts, Models, SpeechRecorder};
use enact_server::ServingOptions;

use crate::{
    Registry,
    config::{Config, HUMAN, IMPROVISER, INHERIT, Reference},
    models::{ModelCache, ModelFactory, problem_of},
    voices::{self, MadeChain},
};

/// A project that is served.
#[derive(Debug)]
pub struct ServedProject {
    config: Config,
    registry: Registry,
    /// Where the operator says that sheets are.
    cast_dir: Option<PathBuf>,
    made: Arc<ModelCache>,
    voices: voices::VoiceCache,
    /// The folder of audio files.
    artifacts: Artifacts,
    options: ServingOptions,
    /// Whether its sheets and scenes may be written over HTTP.
    editable: bool,
}

impl ServedProject {
    pub(crate) fn new(config: Config, registry: Registry, artifacts: Artifacts) -> ServedProject {
        let (made, voices) = (Arc::default(), voices::VoiceCache::default());
        let options = ServingOptions::default();
        ServedProject { config, registry, cast_dir: None, made, voices, artifacts, options, editable: false }
    }

    pub(crate) fn with_options(self, options: ServingOptions) -> ServedProject {
        ServedProject { options, ..self }
    }

    /// What the operator has decided about those who call.
    pub(crate) fn options(&self) -> &ServingOptions {
        &self.options
    }

    pub(crate) fn with_editing(self, editable: bool) -> ServedProject {
        ServedProject { editable, ..self }
    }

    pub(crate) fn is_editable(&self) -> bool {
        self.editable
    }

    pub(crate) fn with_cast_dir(self, cast_dir: Option<PathBuf>) -> ServedProject {
        ServedProject { cast_dir, ..self }
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    pub(crate) fn cast_dir(&self) -> Option<&Path> {
        self.cast_dir.as_deref()
    }

    /// Makes models, each of them once for all runs.
    pub(crate) fn model_factory(&self) -> ModelFactory<'_> {
        // Nothing is looked up in a data folder: requests name no recordings.
        ModelFactory::new(&self.config, &self.registry, None).with_cache(self.made.clone())
    }

    /// What speaks, made once for all runs.
    pub(crate) fn voices(&self, chain: &VoiceChain) -> Result<MadeChain, Problem> {
        self.voices.chain(&self.config, chain)
    }

    /// Whether a model can be made that every run needs: a missing key is better known before the first
    /// request.
    pub(crate) async fn check_model(&self, name: &str, task: &str) -> Result<(), Problem> {
        self.model_factory().make(name, task).await.map(|_| ()).map_err(problem_of)
    }

    /// A problem without the path of the configuration, for callers who are not the operator. It is replaced
    /// here, where the path is known: folders may have blanks in their names.
    pub(crate) fn redact_for_caller(&self, problem: Problem) -> Problem {
        let Some(file) = &self.config.file else { return problem };
        let (Some(name), path) = (file.file_name(), file.display().to_string()) else { return problem };
        let name = name.to_string_lossy();
        let told = Problem {
            message: problem.message.replace(&path, &name),
            file: problem.file.as_ref().map(|file| file.replace(&path, &name)),
            hint: problem.hint.as_ref().map(|hint| hint.replace(&path, &name)),
            ..problem.clone()
        };
        if told != problem {
            tracing::warn!(%problem, hint = problem.hint, "a run cannot be played as configured");
        }
        told
    }

    /// Whether a request may name this model.
    pub(crate) fn check_model_allowed(&self, what: &str, name: &str) -> Result<(), Problem> {
        if [IMPROVISER, HUMAN, INHERIT].contains(&name) || self.config.get(name).is_some() {
            return Ok(());
        }
        let configured = self.config.models.iter().map(|entry| entry.name.as_str());
        let known: Vec<&str> = [IMPROVISER, HUMAN].into_iter().chain(configured).collect();
        Err(Problem::config(format!("{what}: there is no model '{}' here", shown(name)))
            .hint(format!("there are: {}", known.join(", ")))
            .suggest(name, known))
    }
}

#[async_trait]
impl enact_engine::ResourceProvider for ServedProject {
    async fn speech(&self, voices: &VoiceChain) -> Result<SpeechRecorder, Problem> {
        let made = self.voices(voices).map_err(|problem| self.redact_for_caller(problem))?;
        Ok(SpeechRecorder { voice: made.voice, artifacts: self.artifacts.clone() })
    }

    fn artifacts(&self) -> Option<Artifacts> {
        Some(self.artifacts.clone())
    }

    async fn models(&self, players: &[Player]) -> Result<Models, Problem> {
        for Player { name, .. } in players {
            if let Ok(Reference::Script(_) | Reference::Recorded(_)) = self.config.refer(name) {
                return Err(Problem::config(format!(
                    "it is played by '{}': scripts and recordings are only for the command line",
                    shown(name)
                ))
                .hint("the command that began it plays it on, with --resume"));
            }
        }
        let models = self.model_factory().remake(players).await;
        Ok(models.map_err(|error| self.redact_for_caller(problem_of(error)))?.into_iter().collect())
    }
}

/// How much of a name a message repeats.
const LONGEST_SHOWN: usize = 80;

fn shown(name: &str) -> String {
    name.chars().take(LONGEST_SHOWN).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests;
